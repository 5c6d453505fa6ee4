// test/redundant/large.c - implied rows of mechanisms with many loops, by one sparse elimination.
#include "method/affine/method.h"
#include "method/links/method.h"
#include "method/links/net.h"
#include "sim/sim_internal.h"
#include "test/check.h"
#include "test/scenario/run.h"

static int count_redundant(const affine_system* a)
{
    int count = 0;
    for (int row = 0; row < a->s->row_count; row++) count += a->is_redundant[row];
    return count;
}

// Which of several rows that say the same is left out is a choice; how many is not.
TEST(elimination_leaves_out_as_many_rows_as_the_doctor_does)
{
    int scenes = 0;
    int rows = 0;
    for (int i = 0; i < scenes_small_count(); i++) {
        run r;
        CHECK(run_open(&r, scenes_at(i)->name) == TML_OK);
        r.settings.formulation = TML_FORM_AFFINE;
        r.settings.integrator = TML_TIME_ENERGY;
        r.settings.solver = TML_SOLVER_NODES;
        const bool fits = tml_model_summarise(r.model).loops > 0 &&
                          tml_sim_create(r.model, &r.settings, &r.sim) == TML_OK;
        affine_system* a = fits ? tml__affine_of(r.sim) : NULL;
        if (a != NULL && !a->has_own_rows && r.sim->system->matrix != NULL &&
            !tml__maximal_has_compliance(a->s)) {
            const int doctor = count_redundant(a);
            memset(a->is_redundant, 0, (size_t)a->s->row_count * sizeof(bool));
            CHECK(tml__affine_drop_redundant(r.sim, a, DOCTOR_SLOW) == TML_OK);
            const int found = count_redundant(a);
            if (found != doctor) printf("%s: %d, %d\n", scenes_at(i)->name, doctor, found);
            CHECK(found == doctor);
            scenes++;
            rows += doctor;
        }
        run_close(&r);
    }
    printf("%d scenes, %d implied rows\n", scenes, rows);
    CHECK(scenes > 15 && rows > 100);
}

// ---- a lattice of cubes and rods in the xy plane, held at its first row

static const double pitch = 0.1;    // m
static const double length = 0.08;  // of a rod, m

typedef struct lattice {
    tml_spec* spec;
    tml_joint_kind kind;
    int n;
} lattice;

static tml_body add_body(lattice* l, double x, double y, tml_vec3 inertia)
{
    tml_body_def def = tml_body_def_default();
    def.mass = 0.008;
    def.inertia[0] = inertia.x;
    def.inertia[1] = inertia.y;
    def.inertia[2] = inertia.z;
    def.pose.p = (tml_vec3){x, y, 0.0};
    return tml_spec_add_body(l->spec, &def);
}

static void add_joint(lattice* l, tml_body base, tml_body follower, double x, double y)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = l->kind;
    def.base = base;
    def.follower = follower;
    def.position = (tml_vec3){x, y, 0.0};
    if (l->kind == TML_JOINT_REVOLUTE) def.axis = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_add_joint(l->spec, &def);
}

static void add_rod(lattice* l, const tml_body* cube, int i, int j, bool is_along_x)
{
    const double face = 0.5 * (pitch - length);
    const double dx = is_along_x ? 1.0 : 0.0;
    const double dy = 1.0 - dx;
    const tml_vec3 inertia = {dx > 0.0 ? 1e-7 : 4e-6, dy > 0.0 ? 1e-7 : 4e-6, 4e-6};
    const double x = pitch * j;
    const double y = pitch * i;
    const tml_body rod = add_body(l, x + 0.5 * pitch * dx, y + 0.5 * pitch * dy, inertia);
    const int next = is_along_x ? i * l->n + j + 1 : (i + 1) * l->n + j;
    add_joint(l, cube[i * l->n + j], rod, x + face * dx, y + face * dy);
    add_joint(l, rod, cube[next], x + (pitch - face) * dx, y + (pitch - face) * dy);
}

enum {
    MOST = 16
};

static tml_status build_lattice(run* r, int n, tml_joint_kind kind)
{
    lattice l = {tml_spec_create(), kind, n};
    tml_body cube[MOST * MOST];
    tml_spec_set_gravity(l.spec, (tml_vec3){3.0, 9.0, 0.0});  // in the plane: it hangs, and shears
    for (int k = 0; k < n * n; k++) {
        cube[k] = add_body(&l, pitch * (k % n), pitch * (k / n), (tml_vec3){5e-7, 5e-7, 5e-7});
    }
    for (int k = 0; k < n * n; k++) {
        if (k % n + 1 < n) add_rod(&l, cube, k / n, k % n, true);
        if (k / n + 1 < n) add_rod(&l, cube, k / n, k % n, false);
    }
    for (int j = 0; j < n; j++) {
        add_joint(&l, TML_WORLD, cube[j], pitch * j, -0.5 * (pitch - length));
    }
    const tml_status status = run_freeze(r, l.spec);
    r->settings.formulation = TML_FORM_AFFINE;
    r->settings.integrator = TML_TIME_ENERGY;
    r->settings.step = 0.01;
    return status;
}

// Hinges about the normal of a plane in which all forces lie move as balls do, which imply nothing: each
// loop of hinges has three rows that only say that it is plane.
TEST(a_lattice_of_hinges_moves_as_one_of_balls)
{
    const int n = 14;
    run hinges;
    run balls;
    CHECK(build_lattice(&hinges, n, TML_JOINT_REVOLUTE) == TML_OK);
    CHECK(build_lattice(&balls, n, TML_JOINT_SPHERICAL) == TML_OK);
    CHECK(tml__affine_doctor_cost(hinges.model, &hinges.settings.allocator) == DOCTOR_DEAR);
    CHECK(run_start(&hinges) == TML_OK && run_start(&balls) == TML_OK);
    const affine_system* a = tml__affine_of(hinges.sim);
    CHECK(a != NULL && a->has_own_rows);
    CHECK(a != NULL && count_redundant(a) == 3 * tml_model_summarise(hinges.model).loops);
    CHECK_TEXT(tml_sim_get_report(balls.sim).solver, "dual");
    CHECK(run_steps(&hinges, 15) == TML_OK && run_steps(&balls, 15) == TML_OK);
    double apart = 0.0;
    double moved = 0.0;
    for (int b = 0; b < tml_model_body_count(hinges.model); b++) {
        const vec3 p = tml_sim_pose(hinges.sim, (tml_body){b}).p;
        const vec3 start = tml_model_body(hinges.model, (tml_body){b})->pose.p;
        apart = larger_of(v3_norm(v3_sub(p, tml_sim_pose(balls.sim, (tml_body){b}).p)), apart);
        moved = larger_of(v3_norm(v3_sub(p, start)), moved);
    }
    const tml_sim_report report = tml_sim_get_report(hinges.sim);
    printf("moved %.3g m, %.1e m apart, gap %.1e m\n", moved, apart, report.max_gap);
    printf("flops of a factor: %.2e of hinges by nodes, %.2e of balls by dual\n",
           tml__block_statistics(a->matrix).flops,
           tml__fronts_statistics(tml__links_of(balls.sim)->net->dual).flops);
    CHECK(moved > 0.02);
    CHECK(report.max_gap <= 1e-10);
    CHECK(apart <= 1e-9);  // what Newton leaves of both, in 15 steps
    run_close(&hinges);
    run_close(&balls);
}

// A net that is taut between its corners, of so many loops that creation seemed to hang.
static void open_taut(run* r, const char* solver)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"net\", \"name\": \"n\", "
             "\"rows\": 40, \"columns\": 40, \"pitch\": 0.1, \"pinned\": \"corners\", \"link\": "
             "{\"length\": 0.08, \"radius\": 0.005, \"mass\": 0.008}}], "
             "\"simulation\": {\"formulation\": \"affine\", \"solver\": \"%s\"}}",
             solver);
    *r = (run){.scene = tml_scene_create()};
    CHECK(tml_scene_read_text(r->scene, text, strlen(text), "taut") == TML_OK);
    CHECK(tml_scene_build(r->scene, &r->model) == TML_OK);
    r->settings = tml_scene_settings(r->scene)->sim;
}

TEST(a_large_net_that_is_taut_between_its_corners_is_created)
{
    run r;
    open_taut(&r, "auto");
    CHECK(run_start(&r) == TML_OK);
    CHECK_TEXT(tml_sim_get_report(r.sim).solver, "dual");
    run_close(&r);

    open_taut(&r, "nodes");
    CHECK(run_start(&r) == TML_OK);
    const affine_system* a = tml__affine_of(r.sim);
    // each edge of the net is a straight line of rods between two pins: one row of it says what the others say
    CHECK(a != NULL && count_redundant(a) == 4);
    run_close(&r);
}
