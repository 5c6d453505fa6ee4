// test/app/follow.c - what one run recorded of a figure leads colliders in another: controls by recording.
#include "test/app/tool.h"

#include <trammel/trammel.h>

// A leg on a root with three freedoms, both led: by `root` and `knee`; behind it what else the scene has.
static void write_figure(const char* file, const char* root, const char* knee, const char* rest)
{
    static const char figure[] =
        "{'trammel': 1,\n"
        " 'bodies': [{'name': 'hip', 'mass': 5, 'inertia': [0.1, 0.1, 0.1], 'position': [0, 0, "
        "1],\n"
        "             'shapes': [{'type': 'capsule', 'radius': 0.1, 'length': 0.2}]},\n"
        "            {'name': 'shin', 'mass': 2, 'inertia': [0.05, 0.05, 0.01],\n"
        "             'position': [0, 0, 0.6],\n"
        "             'shapes': [{'type': 'capsule', 'radius': 0.05, 'length': 0.3}]}%s],\n"
        " 'joints': [{'name': 'root', 'free': {'translation': 'xz', 'rotation': 'y'},\n"
        "             'base': 'world', 'follower': 'hip', 'position': [0, 0, 1],\n"
        "             'actuation': 'position', 'control': %s},\n"
        "            {'name': 'knee', 'type': 'revolute', 'base': 'hip', 'follower': 'shin',\n"
        "             'position': [0, 0, 0.8], 'axis': [0, 1, 0],\n"
        "             'actuation': 'position', 'control': %s}],\n"
        " 'simulation': {'step': 0.01, 'duration': 1, 'contact': true}}\n";
    char text[4096];
    snprintf(text, sizeof text, figure, rest, root, knee);
    for (char* p = text; *p != '\0'; p++) {
        if (*p == '\'') *p = '"';
    }
    write_text(file, text);
}

static const char walk_root[] = "{'tx': {'sine': {'amplitude': 0.3, 'frequency': 0.5}},"
                                " 'tz': {'sine': {'amplitude': 0.05, 'frequency': 1}},"
                                " 'ry': {'sine': {'amplitude': 0.2, 'frequency': 0.7}}}";
static const char walk_knee[] = "{'sine': {'amplitude': -0.8, 'frequency': 1}}";

// In the way of the shin.
static const char ball[] =
    ",\n {'name': 'ball', 'position': [0.3, 0, 0.6], 'mass': 0.2,"
    "  'inertia': [0.001, 0.001, 0.001], 'shapes': [{'type': 'sphere', 'radius': 0.1}]}";

static void enter(void)
{
    enter_folder("app_follow");
    write_figure("walk.json", walk_root, walk_knee, "");
    CHECK(tool("run walk.json --record pose,joints --out walk.csv")->code == 0);
}

static tml_recording* read_back(const char* path)
{
    char why[512] = "";
    tml_recording* r = NULL;
    CHECK(tml_recording_read_file(path, why, sizeof why, &r) == TML_OK);
    if (r == NULL) printf("%s\n", why);
    return r;
}

// The largest difference of a column between two recordings of the same times.
static double column_difference(const tml_recording* a, const tml_recording* b, const char* name)
{
    const double* x = tml_recording_column(a, tml_recording_find(a, name));
    const double* y = tml_recording_column(b, tml_recording_find(b, name));
    double worst = 0.0;
    CHECK(x != NULL && y != NULL && tml_recording_row_count(a) == tml_recording_row_count(b));
    if (x == NULL || y == NULL) return HUGE_VAL;
    for (int i = 0; i < tml_recording_row_count(a); i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

TEST(a_recording_leads_colliders_in_every_formulation)
{
    static const char* const methods[] = {"--formulation quaternion", "--formulation variational",
                                          "--formulation generalized",
                                          "--formulation affine --integrator energy_damped"};
    static const char* const columns[] = {"hip.px", "hip.pz", "hip.qy", "shin.px", "shin.qy"};
    enter();
    write_figure("play.json", "{'recording': 'walk.csv', 'interpolation': 'cubic'}",
                 "{'recording': 'walk.csv', 'column': 'knee.q0', 'interpolation': 'cubic'}", ball);
    for (int m = 0; m < 4; m++) {
        char line[200];
        snprintf(line, sizeof line, "run play.json --record pose,contacts --out play.csv %s",
                 methods[m]);
        const tool_result* r = tool(line);
        if (r->code != 0) printf("%s\n", r->err);
        CHECK(r->code == 0);
        tml_recording* walk = read_back("walk.csv");
        tml_recording* play = read_back("play.csv");
        // the spline goes through every recorded row; both runs close their drives to 1e-10
        for (int c = 0; c < 5; c++) CHECK(column_difference(walk, play, columns[c]) < 1e-8);
        CHECK(tml_recording_contact_count(play) > 0);
        tml_recording_destroy(walk);
        tml_recording_destroy(play);
    }
}

TEST(a_resolved_scene_has_the_tables_of_its_recordings)
{
    enter();
    write_figure("play.json", "{'recording': 'walk.csv'}", "{'recording': 'walk.csv'}", "");
    CHECK(tool("run play.json --out first.csv")->code == 0);
    CHECK(remove("walk.csv") == 0);
    CHECK(tool("run first.scene.json --out second.csv")->code == 0);
    CHECK(tool("run play.json")->code == 2);
    tml_recording* a = read_back("first.csv");
    tml_recording* b = read_back("second.csv");
    CHECK(column_difference(a, b, "shin.px") <= 0.0);
    tml_recording_destroy(a);
    tml_recording_destroy(b);
}

// JOINT.q0, JOINT.q1, ... instead of JOINT.tx, JOINT.rx, and no rates.
static void write_as_version_0_1(void)
{
    static const char* const names[][2] = {{"root.tx", "root.q0"},
                                           {"root.tz", "root.q1"},
                                           {"root.ry", "root.q2"},
                                           {"knee.rx", "knee.q0"}};
    tml_recording* now = read_back("walk.csv");
    FILE* to = fopen("old.csv", "w");
    fputs("t", to);
    for (int i = 0; i < 4; i++) fprintf(to, ",%s", names[i][1]);
    for (int row = 0; row < tml_recording_row_count(now); row++) {
        fprintf(to, "\n%.17g", tml_recording_column(now, tml_recording_find(now, "t"))[row]);
        for (int i = 0; i < 4; i++) {
            const int column = tml_recording_find(now, names[i][0]);
            CHECK(column >= 0);
            // and the old name finds it in a new recording
            CHECK(tml_recording_find(now, names[i][1]) == column);
            if (column >= 0) fprintf(to, ",%.17g", tml_recording_column(now, column)[row]);
        }
    }
    fputs("\n", to);
    fclose(to);
    CHECK(tml_recording_find(now, "knee.q1") == -1);
    CHECK(tml_recording_find(now, "nobody.q0") == -1);
    tml_recording_destroy(now);
}

TEST(recordings_of_version_0_1_lead_as_well)
{
    enter();
    write_as_version_0_1();
    write_figure("play.json", "{'recording': 'walk.csv'}", "{'recording': 'walk.csv'}", "");
    write_figure("again.json", "{'recording': 'old.csv'}", "{'recording': 'old.csv'}", "");
    CHECK(tool("run play.json --out first.csv")->code == 0);
    CHECK(tool("run again.json --out second.csv")->code == 0);
    tml_recording* a = read_back("first.csv");
    tml_recording* b = read_back("second.csv");
    CHECK(column_difference(a, b, "shin.px") <= 0.0);
    tml_recording_destroy(a);
    tml_recording_destroy(b);
}

TEST(bad_recordings_of_a_control_are_named)
{
    static const struct {
        const char* knee;
        const char* says;
    } cases[] = {
        {"{'recording': 'none.csv'}", "none.csv"},
        {"{'recording': 'walk.csv', 'column': 'elbow.q0'}", "no column 'elbow.q0'"},
        {"{'recording': 'walk.csv', 'columns': 'knee.q0'}", "columns"},
        {"{'recording': 'twice.csv', 'column': 'q'}", "increase strictly"},
        {"{'recording': 'empty.csv', 'column': 'q'}", "empty"},
        {"{'recording': 5}", "recording"},
    };
    enter();
    write_text("twice.csv", "t,q\n0,0\n0,1\n");
    write_text("empty.csv", "t,q\n");
    for (int i = 0; i < 6; i++) {
        write_figure("bad.json", "{'recording': 'walk.csv'}", cases[i].knee, "");
        const tool_result* r = tool("run bad.json");
        CHECK(r->code == 2);
        CHECK_CONTAINS(r->err, cases[i].says);
        CHECK_CONTAINS(r->err, "bad.json:");
    }
    // a recorded coordinate is no torque
    write_text("torque.json",
               "{\"trammel\": 1, \"bodies\": [{\"name\": \"hip\", \"mass\": 5, "
               "\"inertia\": [0.1, 0.1, 0.1]}],\n"
               "\"joints\": [{\"name\": \"knee\", \"type\": \"revolute\", \"base\": \"world\", "
               "\"follower\": \"hip\", \"axis\": [0, 1, 0], \"actuation\": \"force\", "
               "\"control\": {\"recording\": \"walk.csv\"}}]}\n");
    CHECK(tool("run torque.json")->code == 2);
    CHECK_CONTAINS(tool("run torque.json")->err, "column");
    // several axes cannot all take one column
    write_figure("bad.json", "{'recording': 'walk.csv', 'column': 'root.q0'}", walk_knee, "");
    CHECK_CONTAINS(tool("run bad.json")->err, "by axis name");
}
