// `trammel report`: one page that holds everything, and names of a model that stay text. What the page
// does in a browser is checked by tools/check_browser.
#include "test/app/tool.h"

#include <math.h>

static char page[8 << 20];

static const char* const scene = "{\"trammel\": 1, \"name\": \"<b>rods</b>\", \"bodies\": "
                                 "[{\"name\": \"</script><i>\", \"mass\": 1, "
                                 "\"inertia\": [0.01, 0.08, 0.08], \"position\": [0.5, 0, 0]}], "
                                 "\"joints\": [{\"name\": \"p&q\", "
                                 "\"type\": \"revolute\", \"base\": \"world\", \"follower\": "
                                 "\"</script><i>\", \"axis\": [0, 1, 0]}], "
                                 "\"simulation\": {\"step\": 0.01, \"duration\": 0.5}}";

static int count(const char* text, const char* piece)
{
    int n = 0;
    for (const char* p = strstr(text, piece); p != NULL; p = strstr(p + 1, piece)) n++;
    return n;
}

static void make_recording(void)
{
    enter_folder("app_report");
    write_text("rods.json", scene);
    CHECK(tool("run rods.json --out rods.csv --record pose,velocity,joints,energy,gap")->code == 0);
}

TEST(a_report_is_one_page_with_replay_plots_and_findings)
{
    make_recording();
    const tool_result* r = tool("report rods.csv");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "rods.html: ");
    read_text("rods.html", page, sizeof page);
    CHECK_CONTAINS(page, "id=\"trammel-data\"");
    CHECK_CONTAINS(page, "It has one way to move (mobility 1).");
    CHECK_CONTAINS(page, "No redundant rows: no joint repeats what others hold");
    CHECK_CONTAINS(page, "Largest gap of any joint over the whole run");
    CHECK(count(page, "<svg xmlns") == 2);  // energy, joint forces
    CHECK_CONTAINS(page, ">p&amp;q</text>");
    CHECK_CONTAINS(page, "</html>");
    // the policy that keeps it from the network
    CHECK_CONTAINS(page, "default-src 'none'; script-src 'unsafe-inline'");
    CHECK(strstr(page, "src=\"http") == NULL && strstr(page, "href=\"http") == NULL);
}

// The last number of the row of the energy account that begins with these words.
static double told(const char* words)
{
    char begins[100];
    double value = (double)NAN;
    snprintf(begins, sizeof begins, ">%s", words);
    const char* at = strstr(page, begins);
    if (at == NULL) return value;
    const char* end = strstr(at, "</tr>");
    for (const char* p = strstr(at, "data-v=\""); p != NULL && p < end;
         p = strstr(p + 1, "data-v=\"")) {
        value = strtod(p + 8, NULL);
    }
    return value;
}

static void report_of(const char* scene_text, const char* record)
{
    char words[200];
    enter_folder("app_report");
    write_text("one.json", scene_text);
    snprintf(words, sizeof words, "run one.json --out one.csv --record %s", record);
    CHECK(tool(words)->code == 0);
    CHECK(tool("report one.csv")->code == 0);
    read_text("one.html", page, sizeof page);
}

// A wheel of 0.5 kg m2 at 4 rad/s under a damper of 0.25 N m s/rad: 4 J become 4/e J in a second.
TEST(dampers_take_what_a_wheel_loses)
{
    report_of("{\"trammel\": 1, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"wheel\", "
              "\"mass\": 1, \"inertia\": [0.5, 0.5, 0.5], \"angular_velocity\": [0, 0, 4]}], "
              "\"joints\": [{\"name\": \"axle\", \"type\": \"revolute\", \"base\": \"world\", "
              "\"follower\": \"wheel\", \"axis\": [0, 0, 1], \"damping\": 0.25}], "
              "\"simulation\": {\"step\": 0.001, \"duration\": 1}}",
              "pose,joints,energy");
    CHECK_NEAR(told("from dampers"), -4.0 * (1.0 - exp(-1.0)), 1e-4);
    CHECK_NEAR(told("unexplained"), 0.0, 1e-4);
}

// A box of 1 kg that slides at 2 m/s on friction 0.5 loses its 2 J to the ground.
TEST(contacts_take_what_a_sliding_box_loses)
{
    report_of("{\"trammel\": 1, \"bodies\": [{\"name\": \"world\", \"shapes\": [{\"type\": "
              "\"plane\", \"friction\": 0.5}]}, {\"name\": \"box\", \"mass\": 1, \"position\": "
              "[0, 0, 0.1], \"velocity\": [2, 0, 0], \"shapes\": [{\"type\": \"box\", "
              "\"size\": [1, 1, 0.2], \"friction\": 0.5}]}], \"simulation\": {\"formulation\": "
              "\"generalized\", \"contact\": true, \"step\": 0.001, \"duration\": 0.6}}",
              "pose,velocity,energy,contacts");
    CHECK_NEAR(told("from contacts"), -2.0, 1e-2);
    CHECK_NEAR(told("unexplained"), 0.0, 1e-2);
    // without contacts the page does not guess where it went, nor take those of the run before
    report_of("{\"trammel\": 1, \"bodies\": [{\"name\": \"world\", \"shapes\": [{\"type\": "
              "\"plane\"}]}, {\"name\": \"ball\", \"mass\": 1, \"position\": [0, 0, 0.3], "
              "\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}], \"simulation\": "
              "{\"formulation\": \"generalized\", \"contact\": true, \"duration\": 0.5}}",
              "pose,energy");
    CHECK_CONTAINS(page, "unexplained (method, rounding, contacts (none were recorded))");
    CHECK_NEAR(told("unexplained"), -9.81 * 0.2, 1e-3);
}

// A force of 3 N along 1 kg for a second gives 4.5 J, a damper between two points takes c v^2.
TEST(applied_forces_and_dampers_between_points_are_counted)
{
    report_of(
        "{\"trammel\": 1, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"cart\", "
        "\"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [1, 0, 0]}], \"joints\": "
        "[{\"name\": \"rail\", \"type\": \"prismatic\", \"base\": \"world\", \"follower\": "
        "\"cart\", \"axis\": [1, 0, 0]}], \"forces\": [{\"type\": \"wrench\", \"body\": "
        "\"cart\", \"force\": [3, 0, 0]}, {\"type\": \"spring\", \"a\": [\"cart\", [0, 0, 0]], "
        "\"b\": [\"world\", [0, 0, 0]], \"stiffness\": 0, \"damping\": 0.5}], "
        "\"simulation\": {\"step\": 0.001, \"duration\": 1}}",
        "pose,velocity,energy");
    // v = 6 (1 - exp(-t/2)): distance and the integral of v^2 over a second
    const double e = exp(-0.5);
    CHECK_NEAR(told("from applied forces"), 3.0 * 6.0 * (1.0 - 2.0 * (1.0 - e)), 1e-4);
    CHECK_NEAR(told("from dampers"), -0.5 * 36.0 * (1.0 - 4.0 * (1.0 - e) + (1.0 - e * e)), 1e-4);
    CHECK_NEAR(told("unexplained"), 0.0, 1e-4);
}

// A wheel of 0.5 kg m2 under 2 N m: after a second it turns at 4 rad/s, has turned by 2 rad and holds 4 J.
TEST(the_work_of_a_motor_is_what_its_wheel_gains)
{
    static const char* const wheel =
        "{\"trammel\": 1, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"wheel\", \"mass\": 1, "
        "\"inertia\": [0.5, 0.5, 0.5]}], \"joints\": [{\"name\": \"axle\", \"type\": \"revolute\", "
        "\"base\": \"world\", \"follower\": \"wheel\", \"axis\": [0, 0, 1], \"actuation\": "
        "\"force\", \"control\": 2}], \"simulation\": {\"step\": 0.001, \"duration\": 1}}";
    double cells[7] = {0.0};
    enter_folder("app_report");
    write_text("wheel.json", wheel);
    CHECK(tool("run wheel.json --out wheel.csv --record pose,joints,energy,gap")->code == 0);
    CHECK(tool("report wheel.csv")->code == 0);
    read_text("wheel.html", page, sizeof page);
    const char* at = strstr(page, ">axle.rx<");
    CHECK(at != NULL);
    for (int k = 0; k < 7 && at != NULL; k++) {
        at = strstr(at, "data-v=\"");
        if (at != NULL) cells[k] = strtod(at += 8, NULL);
    }
    CHECK_NEAR(cells[0], 2.0, 1e-9);  // effort, and its root mean square
    CHECK_NEAR(cells[2], 2.0, 1e-2);  // the first state may carry no load yet
    CHECK_NEAR(cells[3], 4.0, 4e-3);  // speed, by differences over a step of 1 ms
    CHECK_NEAR(cells[4], 8.0, 8e-3);  // power
    CHECK_NEAR(cells[5], 4.0, 8e-3);  // work
    CHECK_NEAR(cells[6], 0.0, 1e-9);  // nothing is taken back
    CHECK_NEAR(told("from motors"), 4.0, 8e-3);
    CHECK_NEAR(told("unexplained"), 0.0, 8e-3);
}

TEST(names_of_the_model_are_text_in_the_page)
{
    make_recording();
    CHECK(tool("report rods.csv")->code == 0);
    read_text("rods.html", page, sizeof page);
    CHECK_CONTAINS(page, "<h1>&lt;b&gt;rods&lt;/b&gt;</h1>");
    CHECK(strstr(page, "<b>rods") == NULL && strstr(page, "<i>") == NULL);
    CHECK_CONTAINS(page, "\\u003c/script\\u003e\\u003ci\\u003e");
    // two scripts, the data and the code, and nothing that ends them early
    CHECK(count(page, "</script>") == 2);
}

TEST(a_recording_without_its_scene_is_shown_plainly_and_says_so)
{
    make_recording();
    remove("rods.scene.json");
    CHECK(tool("report rods.csv --out plain.html")->code == 0);
    read_text("plain.html", page, sizeof page);
    CHECK_CONTAINS(page, "the doctor has not seen it");
    CHECK_CONTAINS(page, "plain cubes without joints");
    const tool_result* r = tool("report rods.csv --out again.html --scene rods.json");
    CHECK(r->code == 0);
    read_text("again.html", page, sizeof page);
    CHECK_CONTAINS(page, "mobility 1");
}

TEST(what_cannot_be_reported_is_refused_and_leaves_no_file)
{
    make_recording();
    const tool_result* r = tool("report rods.csv --columns nothing --out bad.html");
    CHECK(r->code == 2);
    CHECK(is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "has no column 'nothing'");
    CHECK(access("bad.html", F_OK) != 0);
    CHECK(tool("report missing.csv")->code == 2);
    CHECK(tool("report rods.json")->code == 2);
    CHECK(tool("report rods.csv --out no/such.html")->code == 1);
    CHECK(tool("report rods.csv --scene missing.json")->code == 2);
    write_text("empty.csv", "t,a.px\n");
    CHECK_CONTAINS(tool("report empty.csv")->err, "no recorded state");
}

TEST(a_view_of_what_is_no_scene_is_refused)
{
    make_recording();
    const tool_result* r = tool("view missing.csv --no-browser");
    if (strstr(r->err, "without libwebsockets") != NULL) SKIP("built without libwebsockets");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "missing.csv: cannot be read");
    CHECK(tool("view missing.json --no-browser")->code == 2);
    CHECK(tool("view rods.json --port 70000")->code == 2);
}
