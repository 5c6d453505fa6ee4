// test/redundant/mass_ratio.c - grams on tons: chains and loops whose masses differ by 1e5 and 1e8, at
// steps from a microsecond to a tenth of a second, on the path that `auto` takes.
//
// Each loop is built twice: with redundant rows, and held by as many rows as it needs, so that a
// solver which knows nothing of penalties can be asked for the same motion.
#include "test/check.h"
#include "test/scenario/run.h"

static const double ratios[] = {1.0, 1e5, 1e8};
static const double steps[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1};

enum {
    RATIOS = sizeof ratios / sizeof ratios[0],
    STEPS = sizeof steps / sizeof steps[0],
    RUN = 12  // steps of a run
};

static tml_body add_rod(tml_spec* spec, const char* name, double mass, vec3 a, vec3 b)
{
    const vec3 d = v3_sub(b, a);
    const double across = mass * v3_dot(d, d) / 12.0;
    tml_body_def rod = tml_body_def_default();
    rod.name = name;
    rod.mass = mass;
    // a rod along any direction, with 2 cm of thickness: not turned, so its inertia is full
    const double thin = mass * 4e-4;
    const vec3 u = v3_scale(1.0 / v3_norm(d), d);
    // I = across (1 - u u^T) + thin
    rod.inertia[0] = across * (1.0 - u.x * u.x) + thin;
    rod.inertia[1] = across * (1.0 - u.y * u.y) + thin;
    rod.inertia[2] = across * (1.0 - u.z * u.z) + thin;
    rod.inertia[3] = -across * u.x * u.y;
    rod.inertia[4] = -across * u.x * u.z;
    rod.inertia[5] = -across * u.y * u.z;
    rod.pose.p = v3_scale(0.5, v3_add(a, b));
    return tml_spec_add_body(spec, &rod);
}

static void add_joint(tml_spec* spec, const char* name, tml_joint_kind kind, tml_body base,
                      tml_body follower, vec3 at)
{
    tml_joint_def def = tml_joint_def_default();
    def.name = name;
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.position = at;
    def.axis = (vec3){0.0, 1.0, 0.0};
    tml_spec_add_joint(spec, &def);
}

// ---- what is built. Light is 1 g; heavy is the ratio times that.

typedef void (*builder)(tml_spec* spec, double ratio, int is_lean);

// Eight links, light and heavy in turn, the last one heavy: the worst order for a penalty.
static void build_chain(tml_spec* spec, double ratio, int is_lean)
{
    tml_body last = TML_WORLD;
    (void)is_lean;  // a chain holds nothing twice
    for (int i = 0; i < 8; i++) {
        const vec3 a = {0.5 * i, 0.0, 0.02 * i * i};
        const vec3 b = {0.5 * (i + 1), 0.0, 0.02 * (i + 1) * (i + 1)};
        char name[32];
        snprintf(name, sizeof name, "link%d", i);
        const tml_body body = add_rod(spec, name, i % 2 ? 1e-3 * ratio : 1e-3, a, b);
        snprintf(name, sizeof name, "hinge%d", i);
        add_joint(spec, name, TML_JOINT_REVOLUTE, last, body, a);
        last = body;
    }
}

// A four-bar in the plane of x and z: which link is heavy is the caller's choice.
static void build_loop(tml_spec* spec, const double mass[3], int is_lean)
{
    const vec3 O = {0.0, 0.0, 0.0};
    const vec3 A = {-0.1, 0.0, 0.5};
    const vec3 B = {1.0, 0.0, 0.7};
    const vec3 D = {1.2, 0.0, 0.0};
    const tml_body crank = add_rod(spec, "crank", mass[0], O, A);
    const tml_body coupler = add_rod(spec, "coupler", mass[1], A, B);
    const tml_body rocker = add_rod(spec, "rocker", mass[2], D, B);
    add_joint(spec, "O", TML_JOINT_REVOLUTE, TML_WORLD, crank, O);
    add_joint(spec, "A", TML_JOINT_REVOLUTE, crank, coupler, A);
    add_joint(spec, "B", is_lean ? TML_JOINT_SPHERICAL : TML_JOINT_REVOLUTE, coupler, rocker, B);
    add_joint(spec, "D", is_lean ? TML_JOINT_CYLINDRICAL : TML_JOINT_REVOLUTE, TML_WORLD, rocker,
              D);
}

static void build_heavy_coupler(tml_spec* spec, double ratio, int is_lean)
{
    build_loop(spec, (const double[3]){1e-3, 1e-3 * ratio, 1e-3}, is_lean);
}

static void build_light_coupler(tml_spec* spec, double ratio, int is_lean)
{
    build_loop(spec, (const double[3]){1e-3 * ratio, 1e-3, 1e-3 * ratio}, is_lean);
}

static void build_heavy_rocker(tml_spec* spec, double ratio, int is_lean)
{
    build_loop(spec, (const double[3]){1e-3, 1e-3, 1e-3 * ratio}, is_lean);
}

typedef struct mechanism {
    const char* name;
    builder build;
    double duration;  // s, at most
} mechanism;

// A heavy rocker falls until crank and coupler are stretched, 0.5 s after the start. There a crank of
// a gram is whipped round by 100 kg or more within milliseconds, which a step of 0.1 s cannot follow
// with any solver.

static const mechanism mechanisms[] = {
    {"chain, in turn", build_chain, 2.0},
    {"loop, heavy coupler", build_heavy_coupler, 2.0},
    {"loop, light coupler", build_light_coupler, 2.0},
    {"loop, heavy rocker", build_heavy_rocker, 0.4},
};

enum {
    MECHANISMS = sizeof mechanisms / sizeof mechanisms[0]
};

static run start(const mechanism* m, double ratio, double step, int is_lean, tml_solver solver)
{
    tml_spec* spec = tml_spec_create();
    run r;
    m->build(spec, ratio, is_lean);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.step = step;
    r.settings.solver = solver;
    CHECK(run_start(&r) == TML_OK);
    return r;
}

static double apart(const run* a, const run* b)
{
    double worst = 0.0;
    for (int i = 0; i < tml_model_body_count(a->model); i++) {
        const tml_pose p = tml_sim_pose(a->sim, (tml_body){i});
        const tml_pose q = tml_sim_pose(b->sim, (tml_body){i});
        worst = larger_of(v3_max(v3_sub(p.p, q.p)), worst);
        worst = larger_of(v3_max(q_vec(q_mul(q_conj(p.q), q.q))), worst);
    }
    return worst;
}

// The worst of all runs of a ratio.
typedef struct summary {
    double gap, apart;
} summary;

static void check_run(const mechanism* m, double ratio, double step, tml_solver solver,
                      summary* all)
{
    run asked = start(m, ratio, step, 0, solver);
    run plain = start(m, ratio, step, 1, TML_SOLVER_DENSE);
    double worst = 0.0;
    const int count = RUN * step < m->duration ? RUN : (int)(m->duration / step + 0.5);
    for (int k = 0; k < count && check_failures == 0; k++) {
        CHECK(run_step(&asked) == TML_OK);
        CHECK(run_step(&plain) == TML_OK);
        worst = larger_of(apart(&asked, &plain), worst);
    }
    const tml_sim_report r = tml_sim_get_report(asked.sim);
    const tml_sim_report p = tml_sim_get_report(plain.sim);
    const int is_bad = check_failures > 0 || !(r.max_gap <= 1e-10) || !(worst <= 1e-8) ||
                       r.newton_iterations > p.newton_iterations + 2 * RUN;
    if (is_bad) {
        printf("%s, 1:%g, h = %g s, %s: gap %.1e, apart %.1e, %lld iterations (dense %lld)\n",
               m->name, ratio, step, r.solver, r.max_gap, worst, r.newton_iterations,
               p.newton_iterations);
    }
    all->gap = larger_of(r.max_gap, all->gap);
    all->apart = larger_of(worst, all->apart);
    CHECK(r.max_gap <= 1e-10);
    // twelve steps, each good to the tolerance of 1e-10, and what swinging makes of that
    CHECK(worst <= 1e-8);
    // a penalty that fits costs next to nothing: two more iterations a step at most
    CHECK(r.newton_iterations <= p.newton_iterations + 2 * RUN);
    run_close(&asked);
    run_close(&plain);
}

static void check_all(tml_solver solver)
{
    int bad = 0;
    for (int k = 0; k < RATIOS; k++) {
        summary all = {0.0, 0.0};
        for (int i = 0; i < MECHANISMS * STEPS; i++) {
            check_failures = 0;
            check_run(&mechanisms[i / STEPS], ratios[k], steps[i % STEPS], solver, &all);
            bad += check_failures;
        }
        printf("%-9s 1:%-5g gap %.1e m, %.1e m or rad from dense without redundant rows\n",
               tml_solver_name(solver), ratios[k], all.gap, all.apart);
    }
    check_failures = bad;
}

TEST(mass_ratios_to_1e8_move_as_without_redundant_rows_on_the_default_path)
{
    check_all(TML_SOLVER_AUTO);
}

TEST(mass_ratios_to_1e8_move_as_without_redundant_rows_on_the_block_engine)
{
    check_all(TML_SOLVER_AUGMENTED);
}

// ---- where no penalty is enough, and `auto` takes rows as nodes

// Links of a kilogram in a zigzag on ball joints, the last one `ratio` times as heavy; held at both ends or at one.
static void build_zigzag(tml_spec* spec, int links, double ratio, int is_closed)
{
    tml_body last = TML_WORLD;
    vec3 a = v3_zero();
    for (int i = 0; i < links; i++) {
        const vec3 b = {i + 1.0, i % 2 ? 0.0 : 0.4, 0.0};
        char name[32];
        snprintf(name, sizeof name, "link%d", i);
        const tml_body body = add_rod(spec, name, i == links - 1 ? ratio : 1.0, a, b);
        snprintf(name, sizeof name, "ball%d", i);
        add_joint(spec, name, TML_JOINT_SPHERICAL, last, body, a);
        last = body;
        a = b;
    }
    if (is_closed) add_joint(spec, "end", TML_JOINT_SPHERICAL, TML_WORLD, last, a);
}

TEST(loops_of_balls_and_heavy_ends_fall_on_the_default_path)
{
    static const struct {
        int links;
        double ratio;
        int is_closed;
    } cases[] = {{4, 1e4, 1}, {4, 1e5, 1}, {10, 1e5, 0}, {10, 1e7, 0}, {10, 1e8, 0}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        run r[2];
        for (int k = 0; k < 2; k++) {
            tml_spec* spec = tml_spec_create();
            build_zigzag(spec, cases[i].links, cases[i].ratio, cases[i].is_closed);
            CHECK(run_freeze(&r[k], spec) == TML_OK);
            r[k].settings.step = 0.01;
            r[k].settings.solver = k == 0 ? TML_SOLVER_AUTO : TML_SOLVER_DENSE;
            CHECK(run_start(&r[k]) == TML_OK);
            CHECK(run_steps(&r[k], 25) == TML_OK);
        }
        const tml_sim_report report = tml_sim_get_report(r[0].sim);
        printf("%d links, 1:%g, %s: %s, gap %.1e, %.1e from dense\n", cases[i].links,
               cases[i].ratio, cases[i].is_closed ? "closed" : "open", report.solver,
               report.max_gap, apart(&r[0], &r[1]));
        CHECK(strcmp(report.solver, "nodes") == 0);
        CHECK(report.max_gap <= 1e-10);
        CHECK(apart(&r[0], &r[1]) <= 1e-8);
        for (int k = 0; k < 2; k++) run_close(&r[k]);
    }
}
