// test/app/scenes.c - every built-in scene: prints, reads back, runs, and is what it claims to be.
#include "scenes/scenes.h"

#include "test/app/tool.h"

static void enter(void) { enter_folder("app_scenes"); }

TEST(list_names_every_scene_with_a_line)
{
    enter();
    const tool_result* r = tool("scene --list");
    CHECK(r->code == 0);
    CHECK(count_lines(r->out) == scenes_count());
    for (int i = 0; i < scenes_count(); i++) {
        CHECK_CONTAINS(r->out, scenes_at(i)->name);
        CHECK_CONTAINS(r->out, scenes_at(i)->description);
    }
}

// Read a file and write it again; 1 when the text is the same, byte for byte.
static int survives_reading(const char* path)
{
    static char before[TOOL_TEXT];
    tml_scene* scene = tml_scene_create();
    char* after = NULL;
    size_t length = 0;

    read_text(path, before, sizeof before);
    const int is_same = tml_scene_read_file(scene, path) == TML_OK &&
                        tml_scene_write_text(scene, &after, &length) == TML_OK &&
                        length == strlen(before) && memcmp(after, before, length) == 0;
    if (!is_same) printf("%s: %s\n", path, tml_scene_message(scene));
    tml_text_free(after);
    tml_scene_destroy(scene);
    return is_same;
}

// The step that a scene asks for.
static double step_of(const scene_entry* entry)
{
    tml_scene* scene = tml_scene_create();

    CHECK(scenes_fill(scene, entry) == TML_OK);
    const double step = tml_scene_settings(scene)->sim.step;
    tml_scene_destroy(scene);
    return step;
}

static void check_printing(const char* name)
{
    static char text[TOOL_TEXT];
    char line[256];

    snprintf(line, sizeof line, "scene %s --out %s.json", name, name);
    CHECK(tool(line)->code == 0);
    snprintf(line, sizeof line, "%s.json", name);
    CHECK(survives_reading(line));
    read_text(line, text, sizeof text);
    snprintf(line, sizeof line, "scene %s", name);
    CHECK(strcmp(tool(line)->out, text) == 0);
}

static void check_running(const char* name, double step)
{
    char line[256];

    snprintf(line, sizeof line, "run %s.json --json --duration %.17g --out %s.csv", name,
             20.0 * step, name);
    const tool_result* r = tool(line);
    if (r->code != 0) printf("%s: %s", name, r->err);
    CHECK(r->code == 0);
    CHECK_NEAR(json_value(r->out, "steps"), 20.0, 0.0);
    CHECK(json_value(r->out, "max_gap") <= 1e-10);  // the tolerance of all of them
    // no scene contradicts itself: what is projected away is round-off of speeds up to 250
    CHECK(json_value(r->out, "velocity_correction") <= 1e-12 * 250.0);
    snprintf(line, sizeof line, "%s.csv", name);
    const csv* c = read_csv(line);
    CHECK(c->is_regular);
    CHECK(c->rows == 21);
}

TEST(every_scene_prints_reads_back_and_runs_twenty_steps)
{
    enter();
    for (int i = 0; i < scenes_small_count(); i++) {
        check_printing(scenes_at(i)->name);
        check_running(scenes_at(i)->name, step_of(scenes_at(i)));
    }
}

// ---- parameters: loads at the initial state, from two independent computations of each case

typedef struct initial_load {
    const char* scene;
    const char* column;
    double value;  // N, N m
} initial_load;

// The axis of the hinges is z: their y and z axes are -y and x of the world.
static const initial_load initial_loads[] = {
    {"pendulum", "hinge.fy", -2.4525},
    {"pendulum", "hinge.fz", 0.0},
    {"double-pendulum", "shoulder.fz", -0.688841287388487},
    {"double-pendulum", "shoulder.fy", -2.91648648648649},
    {"double-pendulum", "elbow.fz", -0.688841287388519},
    {"double-pendulum", "elbow.fy", 0.927972972972968},
    {"universal-pendulum", "cross.fx", 3.51347101861664},
    {"universal-pendulum", "cross.fy", -6.90054402886863},
    {"universal-pendulum", "cross.fz", 12.9997856657441},
    {"universal-pendulum", "cross.rx", 0.6},
    {"universal-pendulum", "cross.ry", 0.4},
    // -0.150951030665781 (x_base cross y_body)
    {"universal-pendulum", "cross.mx", 0.0},
    {"universal-pendulum", "cross.my", 0.150951030665781 * 0.5646424733950354},
    {"universal-pendulum", "cross.mz", -0.150951030665781 * 0.8253356149096783},
    {"heavy-top", "tip.fx", 0.0},
    {"heavy-top", "tip.fy", -0.136279089833008},
    {"heavy-top", "tip.fz", 1.95007712456398},
    {"heavy-top-150", "tip.fx", 0.0},
    {"heavy-top-150", "tip.fy", -319.525988166},
    {"heavy-top-150", "tip.fz", -317.262461538462},
};

TEST(initial_joint_loads_are_those_of_the_reference_solutions)
{
    enter();
    for (size_t i = 0; i < sizeof initial_loads / sizeof initial_loads[0]; i++) {
        const initial_load* l = &initial_loads[i];
        char line[256];
        snprintf(line, sizeof line, "scene %s --out s.json", l->scene);
        CHECK(tool(line)->code == 0);
        CHECK(tool("run s.json --duration 0 --record joints --out s.csv")->code == 0);
        const csv* c = read_csv("s.csv");
        // the references carry 15 digits
        CHECK_NEAR(csv_first(c, l->column), l->value, 1e-12 * (1.0 + fabs(l->value)));
    }
}
