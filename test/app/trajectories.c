// test/app/trajectories.c - one search over many trajectories: their sum, on threads and on ranks.
#include "test/app/tool.h"

enum {
    COUNT = 5
};

#define MPIRUN "/usr/bin/mpirun"

// A pendulum that starts with another spin in each, and recordings of one whose mass and damping are to be found.
static void write_files(void)
{
    char text[2000];
    char list[400] = "";
    for (int k = 0; k < COUNT; k++) {
        char name[64];
        static const char scene[] =
            "{\"trammel\": 1, \"bodies\": [{\"name\": \"rod\", \"mass\": %g, \"inertia\": [0.01, "
            "0.083, 0.083], \"position\": [0.5, 0, 0], \"velocity\": [0, 0, %g], "
            "\"angular_velocity\": [0, %g, 0]}], \"joints\": [{\"name\": \"pin\", \"type\": "
            "\"revolute\", \"base\": \"world\", \"follower\": \"rod\", \"axis\": [0, 1, 0], "
            "\"damping\": %g}], \"simulation\": {\"step\": 0.01, \"duration\": 0.4}}";
        const double spin = 0.5 * k;
        snprintf(text, sizeof text, scene, 1.3, -0.5 * spin, spin, 0.25);
        write_text("true.json", text);
        snprintf(name, sizeof name, "run true.json --out truth%d.csv --record pose,joints", k);
        CHECK(tool(name)->code == 0);
        snprintf(text, sizeof text, scene, 1.0, -0.5 * spin, spin, 0.1);
        snprintf(name, sizeof name, "guess%d.json", k);
        write_text(name, text);
        if (k > 0) snprintf(list + strlen(list), 60, "%s\"p%d.json\"", k > 1 ? ", " : "", k);
    }
    for (int k = COUNT - 1; k >= 0; k--) {
        char name[64];
        char others[500] = "";
        if (k == 0) snprintf(others, sizeof others, ", \"trajectories\": [%s]", list);
        snprintf(text, sizeof text,
                 "{\"scene\": \"guess%d.json\", \"variables\": [{\"parameter\": \"mass\", \"of\": "
                 "\"rod\", \"lower\": 0.1, \"upper\": 9}, {\"parameter\": \"joint_damping\", "
                 "\"of\": \"pin\", \"component\": \"rx\", \"lower\": 0, \"upper\": 5}], "
                 "\"objective\": [{\"quantity\": \"position\", \"of\": \"rod\", \"track\": "
                 "\"truth%d.csv\", \"weight\": 100}], \"iterations\": 60%s}",
                 k, k, others);
        snprintf(name, sizeof name, "p%d.json", k);
        write_text(name, text);
        if (k == 0) {  // each alone
            char* cut = strstr(text, ", \"trajectories\"");
            cut[0] = '}';
            cut[1] = '\0';
            write_text("alone.json", text);
        }
    }
}

static void enter(void)
{
    enter_folder("app_trajectories");
    write_files();
}

TEST(the_objective_is_the_sum_over_all)
{
    enter();
    double sum = 0.0;
    double slope = 0.0;
    for (int k = 0; k < COUNT; k++) {
        char line[64];
        snprintf(line, sizeof line,
                 k == 0 ? "gradient alone.json --json" : "gradient p%d.json --json", k);
        const tool_result* r = tool(line);
        CHECK(r->code == 0);
        sum += json_value(r->out, "objective");
        slope += json_value(r->out, "gradient");
    }
    const tool_result* r = tool("gradient p0.json --json");
    CHECK(r->code == 0);
    CHECK(sum > 1e-3);
    CHECK_NEAR(json_value(r->out, "objective"), sum, 1e-12 * sum);
    CHECK_NEAR(json_value(r->out, "gradient"), slope, 1e-12 * fabs(slope));
}

static const tool_result* on_ranks(int ranks, const char* line)
{
    char words[2000];
    snprintf(words, sizeof words,
             "--allow-run-as-root --oversubscribe -np %d --mca plm isolated " TOOL " %s", ranks,
             line);
    return answer_of(MPIRUN, words, (streams){"/dev/null", "out.txt"});
}

TEST(threads_and_ranks_find_the_same_bits)
{
    static char alone[TOOL_TEXT];
    enter();
    const tool_result* r = tool("optimize p0.json --json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"converged\": true");
    CHECK(json_value(r->out, "objective") < 1e-9);
    keep_text(r->out, alone, sizeof alone);
    // mass and damping scale together where nothing but gravity and damping act: their ratio is what was made
    r = tool("optimize p0.json --json --threads 3");
    CHECK(r->code == 0);
    CHECK_TEXT(r->out, alone);
    if (CHECK_IS_SANITIZED || access(MPIRUN, X_OK) != 0 ||
        access(TEST_BINARY_DIR "/libtrammel_mpi.so", R_OK) != 0) {
        SKIP("no mpirun, or a build without MPI");
    }
    for (int ranks = 2; ranks <= 3; ranks++) {
        r = on_ranks(ranks, "optimize p0.json --json");
        CHECK(r->code == 0);
        char* flags = strstr(alone, ",\n  \"flags\"");
        if (flags != NULL) *flags = '\0';  // of the last gradient: the ranks have not looked
        CHECK(strncmp(r->out, alone, strlen(alone)) == 0);
    }
}

TEST(trajectories_with_other_variables_are_refused)
{
    enter();
    write_text("p1.json",
               "{\"scene\": \"guess1.json\", \"variables\": [{\"parameter\": \"mass\", \"of\": "
               "\"rod\"}], \"objective\": [{\"quantity\": \"kinetic\"}]}");
    const tool_result* r = tool("optimize p0.json");
    CHECK(r->code == 2 && is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "trajectory 1: its variables are not those of the first");
    r = tool("optimize p0.json --method ddp");
    CHECK(r->code == 2);
}
