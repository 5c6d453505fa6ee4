// test/app/examples.c - the numbered examples print what independent computations say, and the
// pages show code and scenes that work.
#include "scenes/scenes.h"
#include "test/app/tool.h"
#include "test_paths.h"

static void enter(void) { enter_folder("app_examples"); }

// Run an example; NULL when this build has none.
static const tool_result* example(const char* name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/example_%s", TEST_BINARY_DIR, name);
    if (access(path, X_OK) != 0) return NULL;
    return answer_of(path, "", (streams){"/dev/null", "out.txt"});
}

// The n-th number of a text, from 0, not counting digits inside words.
static double number_at(const char* text, int n)
{
    for (const char* p = text; *p != '\0';) {
        char* end = NULL;
        const double value = strtod(p, &end);
        if (end == p) {
            p++;
            continue;
        }
        if (n-- == 0) return value;
        p = end;
    }
    return strtod("nan", NULL);
}

// ---- 01: the height of a pendulum after ten seconds

// theta'' = -(m g r / I) cos(theta), released level; theta below the horizontal. Classic
// Runge-Kutta with steps small enough to be exact here.
static double pendulum_height(double time)
{
    const double r = 0.5;
    const double k = 9.81 * r / (0.4 * 0.1 * 0.1 + r * r);
    const int n = 100000;
    const double h = time / n;
    double angle = 0.0;
    double rate = 0.0;

    for (int i = 0; i < n; i++) {
        const double a1 = k * cos(angle);
        const double a2 = k * cos(angle + 0.5 * h * rate);
        const double a3 = k * cos(angle + 0.5 * h * rate + 0.25 * h * h * a1);
        const double a4 = k * cos(angle + h * rate + 0.5 * h * h * a2);
        angle += h * rate + h * h / 6.0 * (a1 + a2 + a3);
        rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return -r * sin(angle);
}

TEST(example_01_finds_the_pendulum_where_it_should_be)
{
    enter();
    const tool_result* r = example("01_pendulum");
    if (r == NULL) SKIP("the examples are not built");
    CHECK(r->code == 0);
    CHECK_TEXT(r->err, "");
    // BDF2 runs late by (omega h)^2 / 3 = 6e-4 of the time, at speeds up to 3 m/s
    CHECK_NEAR(number_at(r->out, 0), pendulum_height(10.0), 3.0 * 10.0 * 6.5e-4);
}

// ---- 02: where the hand is, and what the shoulder holds

static tml_vec3 turn_about(tml_vec3 p, tml_vec3 hinge, tml_vec3 axis, double angle)
{
    const double c = cos(angle);
    const double s = sin(angle);
    const tml_vec3 d = {p.x - hinge.x, p.y - hinge.y, p.z - hinge.z};
    const double along = (1.0 - c) * (axis.x * d.x + axis.y * d.y + axis.z * d.z);

    return (tml_vec3){
        hinge.x + c * d.x + s * (axis.y * d.z - axis.z * d.y) + along * axis.x,
        hinge.y + c * d.y + s * (axis.z * d.x - axis.x * d.z) + along * axis.y,
        hinge.z + c * d.z + s * (axis.x * d.y - axis.y * d.x) + along * axis.z,
    };
}

static const double goals[6] = {0.8, 0.5, -0.9, 0.7, 0.6, -1.2};

// Where a point of link `index` goes when every hinge before it turns by its goal.
static tml_vec3 arm_point(const tml_model* model, int index, tml_vec3 p)
{
    for (int i = index; i >= 0; i--) {
        const tml_joint_def joint = tml_model_joint(model, (tml_joint){i});
        p = turn_about(p, joint.position, joint.axis, goals[i]);
    }
    return p;
}

// The torque about the shoulder's axis that carries the weight of everything beyond it.
static double shoulder_torque(const tml_model* model)
{
    const tml_joint_def shoulder = tml_model_joint(model, (tml_joint){1});
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_vec3 vertical = {0.0, 0.0, 1.0};
    const tml_vec3 axis = turn_about(shoulder.axis, origin, vertical, goals[0]);
    double torque = 0.0;

    for (int i = 1; i < 6; i++) {
        const tml_body_def* body = tml_model_body(model, (tml_body){i});
        const tml_vec3 com = {body->pose.p.x + body->com.x, body->pose.p.y + body->com.y,
                              body->pose.p.z + body->com.z};
        const tml_vec3 c = arm_point(model, i, com);
        // axis . (arm x weight), weight along -z; the shoulder stands on the vertical axis
        torque -= body->mass * 9.81 * (axis.y * c.x - axis.x * c.y);
    }
    return torque;
}

TEST(example_02_reaches_the_goal_and_carries_the_weight)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;

    enter();
    CHECK(scenes_fill(scene, scenes_find("robot-arm")) == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tool("scene robot-arm --out robot-arm.json")->code == 0);
    const tool_result* r = example("02_robot_arm");
    if (r != NULL && model != NULL) {
        const tml_vec3 hand = arm_point(model, 5, tml_model_body(model, (tml_body){5})->pose.p);
        CHECK(r->code == 0);
        // printed with nine digits; the rows hold to 1e-10
        CHECK_NEAR(number_at(r->out, 0), hand.x, 1.5e-9);
        CHECK_NEAR(number_at(r->out, 1), hand.y, 1.5e-9);
        CHECK_NEAR(number_at(r->out, 2), hand.z, 1.5e-9);
        // printed with six digits; a row error e costs m e / h^2, here about 40 kg 1e-10 / 2.5e-5
        CHECK_NEAR(number_at(r->out, 3), shoulder_torque(model), 2e-4);
    }
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    if (r == NULL) SKIP("the examples are not built");
}

// ---- 03: two and a half times the weight

TEST(example_03_finds_two_and_a_half_weights_at_a_quarter_period)
{
    enter();
    CHECK(tool("scene pendulum --out pendulum.json")->code == 0);
    const tool_result* r = example("03_joint_forces");
    if (r == NULL) SKIP("the examples are not built");
    CHECK(r->code == 0);
    // second order: (omega h)^2 = 1.5e-5 of the load
    CHECK_NEAR(number_at(r->out, 0), 2.5 * 9.81, 24.5 * 2e-5);
    // the period is 1.93333485 s; the force is sampled every millisecond
    CHECK_NEAR(number_at(r->out, 1), 1.93333485437325 / 4.0, 1e-3);
}

// ---- 04: five sevenths of the speed

TEST(example_04_rolls_at_five_sevenths)
{
    enter();
    CHECK(tool("scene rolling-ball --out rolling-ball.json")->code == 0);
    const tool_result* r = example("04_contact");
    if (r == NULL) SKIP("the examples are not built");
    CHECK(r->code == 0);
    CHECK_NEAR(number_at(r->out, 0), 0.1, 1e-12);
    // sliding: v0 - mu g t, and 5/2 mu g t of spin; four digits are printed
    CHECK_NEAR(number_at(r->out, 1), 2.0 - 0.3 * 9.81 * 0.1, 1e-4);
    CHECK_NEAR(number_at(r->out, 2), 2.5 * 0.3 * 9.81 * 0.1, 1e-4);
    CHECK_CONTAINS(r->out, "t = 0.4 s: 1.4286 m/s, 1.4286 m/s by its spin");
}

// ---- 05: an error that dies away as it was told to, and arms that are let go

TEST(example_05_moves_as_its_control_law_says)
{
    enter();
    const tool_result* r = example("05_control");
    if (r == NULL) SKIP("the examples are not built");
    CHECK(r->code == 0);
    CHECK_TEXT(r->err, "");
    // e'' + 2 w e' + w^2 e = 0 from rest, e = 0.7 (1 + w t) exp(-w t); Euler's steps of 0.5 ms are off by about w h
    const double late = 6.0 * 0.5;
    CHECK_NEAR(number_at(r->out, 0), 0.5, 1e-9);
    CHECK_NEAR(number_at(r->out, 1), 0.7 * (1.0 + late) * exp(-late), 0.7 * 6.0 * 5e-4);
    // straight arms under g: half of g^2 t^2 G . M^-1 G, while they have hardly turned
    const double M[3] = {0.008 + 2.0 * 0.0625 + 0.5625, 0.004 + 0.25 * 0.75, 0.004 + 0.0625};
    const double G[2] = {2.0 * 0.25 + 0.75, 0.25};
    const double d = M[0] * M[2] - M[1] * M[1];
    const double quadratic =
        (M[2] * G[0] * G[0] - 2.0 * M[1] * G[0] * G[1] + M[0] * G[1] * G[1]) / d;
    const double energy = 0.5 * 0.1 * 0.1 * 0.1 * 0.1 * quadratic;
    CHECK_NEAR(number_at(r->out, 4), energy, 1e-4 * energy);
    // a hundred times the gravity, ten thousand times the energy but for what they have turned
    CHECK_NEAR(number_at(r->out, 6), 1e4 * energy, 0.05 * 1e4 * energy);
}

// ---- pages

static const char* page(const char* name)
{
    static char text[TOOL_TEXT];
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", TEST_SOURCE_DIR, name);
    read_text(path, text, sizeof text);
    return text;
}

TEST(the_program_on_the_first_page_is_the_first_example)
{
    static char example_text[TOOL_TEXT];

    enter();
    keep_text(page("examples/01_pendulum.c"), example_text, sizeof example_text);
    const char* body = strchr(example_text, '\n');  // its first line is a title
    CHECK(body != NULL);
    CHECK_CONTAINS(page("README.md"), body + 1);
}

// Write the first indented JSON object of a page into a file.
static void extract_scene(const char* text, const char* path)
{
    FILE* file = fopen(path, "wb");
    const char* start = strstr(text, "\n    {\n");

    CHECK(file != NULL && start != NULL);
    if (file == NULL) return;
    for (const char* p = start + 1; start != NULL && strncmp(p, "    ", 4) == 0;) {
        const char* end = strchr(p, '\n');
        if (end == NULL) break;
        fwrite(p, 1, (size_t)(end - p) + 1, file);
        p = end + 1;
    }
    fclose(file);
}

TEST(the_scenes_on_the_pages_run)
{
    static const char* const pages[] = {"README.md", "docs/scene.md"};

    enter();
    for (int i = 0; i < 2; i++) {
        extract_scene(page(pages[i]), "page.json");
        const tool_result* r = tool("run page.json --json --duration 0.1");
        CHECK(r->code == 0);
        CHECK_TEXT(r->err, "");
        CHECK_NEAR(json_value(r->out, "steps"), 10.0, 0.0);
    }
}

// ---- docs: what stands below a command is what the command prints

// Check that a line of the page, without its indent, is the start of a line of the answer.
static void check_printed(const char* name, const char* line, int length, const char* answer)
{
    for (const char* at = answer; at != NULL && *at != '\0';) {
        if (strncmp(at, line, (size_t)length) == 0) return;
        at = strchr(at, '\n');
        if (at != NULL) at++;
    }
    printf("%s says \"%.*s\", but the command prints:\n%s", name, length, line, answer);
    CHECK(0);
}

// Run "$ trammel WORDS" or "$ example_NAME"; NULL when it cannot be run here.
static const char* run_line(const char* line, int length)
{
    char words[512];
    const tool_result* r = NULL;

    snprintf(words, sizeof words, "%.*s", length, line);
    if (strncmp(words, "trammel ", 8) == 0) {
        r = tool(words + 8);
    } else if (strncmp(words, "example_", 8) == 0) {
        r = example(words + 8);
    }
    if (r == NULL) return NULL;
    CHECK(r->code == 0);
    return r->out;
}

// Run the commands of a page; how many they are, and lines that were compared.
static int check_commands(const char* name, int* lines)
{
    static char text[TOOL_TEXT];
    const char* answer = NULL;
    int commands = 0;

    enter();
    keep_text(page(name), text, sizeof text);
    for (const char* p = text; p != NULL && *p != '\0';) {
        const char* end = strchr(p, '\n');
        const int length = end != NULL ? (int)(end - p) : (int)strlen(p);
        if (strncmp(p, "    $ ", 6) == 0) {
            answer = run_line(p + 6, length - 6);
            commands++;
        } else if (strncmp(p, "    ", 4) != 0) {
            answer = NULL;  // the block is over
        } else if (answer != NULL) {
            check_printed(name, p + 4, length - 4, answer);
            ++*lines;
        }
        p = end != NULL ? end + 1 : NULL;
    }
    return commands;
}

TEST(the_commands_on_the_flow_page_print_what_it_shows)
{
    int lines = 0;
    CHECK(check_commands("docs/flow.md", &lines) == 5);
    CHECK(lines >= 7);
}

TEST(the_table_of_support_is_that_of_the_tool)
{
    int lines = 0;
    CHECK(check_commands("docs/support.md", &lines) == 1);
    int printed = 0;
    for (const char* p = tool("list --support")->out; *p != '\0'; p++) printed += *p == '\n';
    CHECK(lines == printed);
}

// "| rod.py | 0 | -0.0033 | -0.0058 | -0.0091 |": a column at the initial state and three others.
static void check_row(const char* row, const csv states[3])
{
    char name[64] = "";
    const char* numbers = strchr(row + 2, '|');

    CHECK(numbers != NULL);
    if (numbers == NULL) return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(row + 2, " |"), row + 2);
    // the page shows 12 digits
    for (int i = 0; i < 4; i++) {
        const double value = number_at(numbers, i);
        const double recorded =
            i == 0 ? csv_first(&states[0], name) : csv_last(&states[i - 1], name);
        CHECK_NEAR(recorded, value, 1e-11 * fabs(value));
    }
}

TEST(the_table_on_the_flow_page_is_the_recording)
{
    const char* text = page("docs/flow.md");
    static csv states[3];
    int rows = 0;

    enter();
    CHECK(tool("scene pendulum --out flow.json")->code == 0);
    for (int i = 0; i < 3; i++) {
        char line[128];
        snprintf(line, sizeof line, "run flow.json --duration 0.0%d --out flow.csv --record %s",
                 3 + i, "pose,velocity,joints");
        CHECK(tool(line)->code == 0);
        states[i] = *read_csv("flow.csv");
    }
    for (const char* p = text; p != NULL; p = strchr(p, '\n')) {
        if (*p == '\n') p++;
        if (strncmp(p, "| rod.", 6) == 0 || strncmp(p, "| hinge.", 8) == 0) {
            check_row(p, states);
            rows++;
        }
    }
    CHECK(rows == 7);
}
