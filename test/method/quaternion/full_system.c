// test/method/quaternion/full_system.c - six unknowns a body give what fourteen give.
//
// The library eliminates v, w and the length of q; the test keeps them (full_system.h). One Newton
// step from the same iterate must be the same step, and a run must be the same run.
#include "test/method/quaternion/full_system.h"

#include "method/quaternion/stage.h"
#include "test/check.h"
#include "test/random.h"
#include "time/relation.h"

// ---- mechanisms, told to both

typedef struct twin {
    tml_spec* spec;
    tml_model* model;
    maximal_system* system;
    full_system full;
    int own_row[FULL_ROWS];  // row of the library that is row i of the full system
} twin;

typedef struct twin_joint {
    tml_joint_kind kind;
    int base;  // -1: the world
    tml_actuation actuation;
} twin_joint;

typedef struct mechanism {
    const char* name;
    int body_count;
    twin_joint joint[FULL_BODIES];  // joint i holds body i
} mechanism;

static const mechanism mechanisms[] = {
    {"pendulum", 1, {{TML_JOINT_REVOLUTE, -1, TML_PASSIVE}}},
    {"universal pendulum", 1, {{TML_JOINT_UNIVERSAL, -1, TML_PASSIVE}}},
    {"driven universal joint and a ball",
     2,
     {{TML_JOINT_UNIVERSAL, -1, TML_POSITION}, {TML_JOINT_SPHERICAL, 0, TML_PASSIVE}}},
    {"rod, motor and slider",
     3,
     {{TML_JOINT_CYLINDRICAL, -1, TML_PASSIVE},
      {TML_JOINT_REVOLUTE, 0, TML_POSITION},
      {TML_JOINT_PRISMATIC, 1, TML_POSITION}}},
    {"tree of hinges",
     3,
     {{TML_JOINT_SPHERICAL, -1, TML_PASSIVE},
      {TML_JOINT_REVOLUTE, 0, TML_PASSIVE},
      {TML_JOINT_FIXED, 0, TML_PASSIVE}}},
};

enum {
    MECHANISMS = sizeof mechanisms / sizeof *mechanisms
};

static double target_at(int axis, double t)
{
    return axis < 3 ? 0.1 * sin(2.0 * TML_PI * 0.4 * t) : 0.7 * sin(2.0 * TML_PI * 0.3 * t);
}

static void add_bodies(twin* s, const mechanism* what, random_source* r)
{
    for (int i = 0; i < what->body_count; i++) {
        tml_body_def def = tml_body_def_default();
        const mat3 J = m3_scale(0.5, random_inertia(r));
        const double moments[6] = {J.m[0][0], J.m[1][1], J.m[2][2],
                                   J.m[0][1], J.m[0][2], J.m[1][2]};
        memcpy(def.inertia, moments, sizeof moments);
        def.mass = random_between(r, 0.5, 2.0);
        def.pose = (tml_pose){random_vec3(r, 0.5), random_quat(r)};
        tml_spec_add_body(s->spec, &def);
        s->full.mass[i] = def.mass;
        s->full.J[i] = J;
    }
    s->full.body_count = what->body_count;
    s->full.gravity = v3(0.0, 0.0, -9.81);
}

static void add_joints(twin* s, const mechanism* what, random_source* r)
{
    for (int i = 0; i < what->body_count; i++) {
        const mat3 A = q_matrix(random_quat(r));
        tml_joint_def def = tml_joint_def_default();
        def.kind = what->joint[i].kind;
        def.base = (tml_body){what->joint[i].base};
        def.follower = (tml_body){i};
        def.position = random_vec3(r, 0.5);
        def.has_axes = 1;
        for (int k = 0; k < 3; k++) def.axes[k] = m3_column(A, k);
        for (int k = 0; k < TML_AXES; k++) {
            const char* letters =
                k < 3 ? tml_joint_kind_slides(def.kind) : tml_joint_kind_turns(def.kind);
            if (strchr(letters, "xyz"[k % 3]) == NULL) continue;
            if (what->joint[i].actuation != TML_POSITION) continue;
            def.axis_of[k].actuation = TML_POSITION;
            def.axis_of[k].control =
                k < 3 ? tml_control_sine(0.0, 0.1, 0.4, 0.0) : tml_control_sine(0.0, 0.7, 0.3, 0.0);
        }
        tml_spec_add_joint(s->spec, &def);
    }
}

// ---- the rows of Table 7, written out: per kind, about or along x, y, z

typedef struct table_row {
    int axis;      // tx .. rz
    int f, b;      // axes of a dot
    double sign;   //
    int turned_F;  // the letter whose target turns the follower's axis back, -1: none
    int turned_B;  // the letter whose target turns the base's axis, -1: none
} table_row;

static int gaps(int from, table_row* out)
{
    for (int k = from; k < 3; k++) out[k - from] = (table_row){.axis = k};
    return 3 - from;
}

static int rows_of(const twin_joint* joint, table_row out[6])
{
    static const table_row fixed[3] = {
        {3, 1, 2, 1.0, -1, -1}, {4, 2, 0, 1.0, -1, -1}, {5, 0, 1, 1.0, -1, -1}};
    static const table_row one[3] = {
        {4, 0, 2, -1.0, -1, -1}, {5, 0, 1, 1.0, -1, -1}, {3, 1, 2, 1.0, 0, -1}};
    static const table_row two[3] = {
        {5, 1, 0, -1.0, -1, -1}, {3, 1, 2, 1.0, -1, 0}, {4, 2, 0, 1.0, 1, -1}};
    const bool is_driven = joint->actuation == TML_POSITION;
    const bool slides = joint->kind == TML_JOINT_CYLINDRICAL || joint->kind == TML_JOINT_PRISMATIC;
    int count = gaps(slides && !is_driven ? 1 : 0, out);
    const table_row* dots = fixed;
    int dot_count = 3;
    if (joint->kind == TML_JOINT_REVOLUTE || joint->kind == TML_JOINT_CYLINDRICAL) {
        dots = one;
        dot_count = is_driven ? 3 : 2;
    } else if (joint->kind == TML_JOINT_UNIVERSAL) {
        dots = two;
        dot_count = is_driven ? 3 : 1;
    } else if (joint->kind == TML_JOINT_SPHERICAL) {
        dot_count = 0;
    }
    for (int k = 0; k < dot_count; k++) out[count++] = dots[k];
    return count;
}

static vec3 axis_of(const mat3* axes, int axis, int letter, double angle)
{
    const vec3 e = letter < 0 ? v3_unit(axis) : q_rotate(q_about(letter, angle), v3_unit(axis));
    return m3_apply(*axes, e);
}

// The full system's rows at time t, in the library's order of rows by joint and axis.
static void set_rows(twin* s, const mechanism* what, double t)
{
    full_system* full = &s->full;
    full->row_count = 0;
    for (int i = 0; i < what->body_count; i++) {
        const joint_data* j = &s->model->joints[i];
        table_row table[6];
        const int count = rows_of(&what->joint[i], table);
        for (int k = 0; k < count; k++) {
            const table_row* from = &table[k];
            const bool is_gap = from->axis < 3;
            const bool is_driven = j->axis[from->axis].actuation == TML_POSITION;
            const double turn_F = from->turned_F < 0 ? 0.0 : target_at(3 + from->turned_F, t);
            const double turn_B = from->turned_B < 0 ? 0.0 : target_at(3 + from->turned_B, t);
            s->own_row[full->row_count] = -1;
            for (int r = 0; r < s->system->rows[i].count; r++) {
                if ((int)s->system->rows[i].row[r].axis != from->axis) continue;
                s->own_row[full->row_count] = s->system->first_row[i] + r;
            }
            CHECK(s->own_row[full->row_count] >= 0);
            full->row[full->row_count++] = (full_row){
                .is_gap = is_gap,
                .follower = i,
                .base = what->joint[i].base,
                .point_F = j->point_F,
                .point_B = j->point_B,
                .axis_F = axis_of(&j->axes_F, from->f, is_gap ? -1 : from->turned_F, -turn_F),
                .axis_B = is_gap ? axis_of(&j->axes_B, from->axis, -1, 0.0)
                                 : axis_of(&j->axes_B, from->b, from->turned_B, turn_B),
                .target = is_gap && is_driven ? target_at(from->axis, t) : 0.0,
                .sign = from->sign,
            };
        }
    }
    CHECK(full->row_count == s->system->row_count);
}

static bool twin_create(twin* s, const mechanism* what, uint64_t salt)
{
    random_source r = random_start(salt);
    const tml_allocator heap = {0};
    message why = {""};
    memset(s, 0, sizeof *s);
    s->spec = tml_spec_create();
    add_bodies(s, what, &r);
    add_joints(s, what, &r);
    tml_status status = tml_spec_build(s->spec, &s->model);
    if (status == TML_OK) {
        status = tml__maximal_create(s->model, KKT_DENSE, &heap, &why, &s->system);
    }
    if (status != TML_OK) printf("%s %s\n", tml_spec_message(s->spec), why.text);
    CHECK(status == TML_OK);
    return status == TML_OK;
}

static void twin_destroy(twin* s)
{
    tml__maximal_destroy(s->system);
    tml_model_destroy(s->model);
    tml_spec_destroy(s->spec);
}

// ---- between our order (c, q scalar first) and theirs (c, q scalar last)

static void to_full(const double own[POSE_WIDTH], double* c, double* q)
{
    for (int k = 0; k < 3; k++) {
        c[k] = own[k];
        q[k] = own[4 + k];
    }
    q[3] = own[3];
}

static quat quat_of(const double q[4]) { return (quat){q[3], q[0], q[1], q[2]}; }

// ---- one step

// Hats of a stage of length h that starts at any state, told to both.
static void any_past(twin* s, random_source* r, double h, double* v_hat, double* q_hat)
{
    for (int b = 0; b < s->full.body_count; b++) {
        double* past = &s->full.past[b * FULL_WIDTH];
        double* hat = &q_hat[b * POSE_WIDTH];
        double* rate = &v_hat[b * POSE_WIDTH];
        const double* at = &s->system->x[b * POSE_WIDTH];
        for (int k = 0; k < POSE_WIDTH; k++) {
            rate[k] = random_between(r, -1.0, 1.0);
            // near the iterate, off the sphere, rates with a part along q
            const double before = at[k] + h * random_between(r, -1.0, 1.0);
            hat[k] = before + h * rate[k];
        }
        double y_p[POSE_WIDTH];
        for (int k = 0; k < POSE_WIDTH; k++) y_p[k] = hat[k] - h * rate[k];
        to_full(y_p, &past[AT_C], &past[AT_Q]);
        to_full(rate, &past[AT_V], &past[AT_W]);
    }
}

static void any_iterate(twin* s, random_source* r)
{
    for (int b = 0; b < s->full.body_count; b++) {
        const body_data* body = &s->model->bodies[b];
        double motion[6];
        double at[POSE_WIDTH] = {body->c.x, body->c.y, body->c.z, body->q.w,
                                 body->q.x, body->q.y, body->q.z};
        for (int k = 0; k < 6; k++) motion[k] = random_between(r, -0.1, 0.1);
        tml__maximal_displace(&s->system->x[b * POSE_WIDTH], at, motion, 1.0);
    }
    for (int i = 0; i < s->full.row_count; i++) {
        s->full.lambda[i] = random_between(r, -20.0, 20.0);
        s->system->lambda[s->own_row[i]] = s->full.lambda[i];
    }
}

// v and w of the iterate as F1 and F2 have them.
static void follow_rates(full_system* s)
{
    for (int b = 0; b < s->body_count; b++) {
        double* y = &s->y[b * FULL_WIDTH];
        const double* p = &s->past[b * FULL_WIDTH];
        for (int k = 0; k < 3; k++) y[AT_V + k] = (y[AT_C + k] - p[AT_C + k]) / s->h;
        for (int k = 0; k < 4; k++) y[AT_W + k] = (y[AT_Q + k] - p[AT_Q + k]) / s->h;
    }
}

static void check_same_step(twin* s, double h)
{
    const maximal_system* own = s->system;
    double largest = 0.0;
    for (int b = 0; b < s->full.body_count; b++) {
        const double* step = &s->full.step[b * FULL_WIDTH];
        const double* dx = &own->dx[6 * b];
        // our turn as a change of q: G^T dphi / 2, tangent as theirs must be
        const quat dq =
            q_scale(0.5, q_Gt(quat_of(&s->full.y[b * FULL_WIDTH + AT_Q]), v3_load(dx + 3)));
        const quat change = q_sub(quat_of(&step[AT_Q]), dq);
        for (int k = 0; k < 3; k++) CHECK_NEAR(dx[k], step[AT_C + k], 1e-13);
        CHECK_NEAR(sqrt(q_dot(change, change)), 0.0, 1e-13);
        largest = fmax(largest, sqrt(q_dot(dq, dq)));
    }
    CHECK(largest > 1e-3);  // it was a step worth comparing
    for (int i = 0; i < s->full.row_count; i++) {
        // h^2 lambda is a length, rounded as the others are
        const double theirs = s->full.step[s->full.body_count * FULL_WIDTH + i];
        CHECK_NEAR(own->dl[s->own_row[i]] * h * h, theirs * h * h, 1e-13);
    }
}

// Newton shortens steps that turn a body by more than 2 rad; those are not the paper's.
static bool is_far(const full_system* s)
{
    for (int b = 0; b < s->body_count; b++) {
        const quat dq = quat_of(&s->step[b * FULL_WIDTH + AT_Q]);
        if (2.0 * sqrt(q_dot(dq, dq)) > 1.9) return true;
    }
    return false;
}

// Answers whether there was something to compare.
static bool compare_one_step(const mechanism* what, double h, uint64_t salt)
{
    twin s;
    random_source r = random_start(salt + 1000);
    double v_hat[FULL_BODIES * POSE_WIDTH];
    double q_hat[FULL_BODIES * POSE_WIDTH];
    if (!twin_create(&s, what, salt)) return false;
    const double t = 0.05;  // targets of 0.01 m and 0.07 rad: no turn that Newton would shorten
    set_rows(&s, what, t);
    tml__maximal_time(s.system, t, NULL);
    any_iterate(&s, &r);
    s.full.h = h;
    any_past(&s, &r, h, v_hat, q_hat);
    for (int b = 0; b < s.full.body_count; b++) {
        double* y = &s.full.y[b * FULL_WIDTH];
        to_full(&s.system->x[b * POSE_WIDTH], &y[AT_C], &y[AT_Q]);
    }
    follow_rates(&s.full);
    CHECK(full_newton_step(&s.full) == TML_OK);
    const bool is_near = !is_far(&s.full);

    const form_stage stage = {.c_v = h, .c_q = h * h, .v_hat = v_hat, .q_hat = q_hat};
    const newton_settings once = {.tolerance = 1e-10, .max_iterations = 1, .min_consistency = -1.0};
    newton_report report;
    (void)tml__quat_solve_stage(s.system, &stage, &once, &report);
    if (is_near) check_same_step(&s, h);
    if (check_failures > 0) printf("    in '%s', h = %g\n", what->name, h);
    twin_destroy(&s);
    return is_near;
}

TEST(one_newton_step_is_the_papers_newton_step)  // [QRBD (10) (12) (29)]
{
    static const double lengths[3] = {0.1, 0.01, 1e-3};
    int compared = 0;
    for (int m = 0; m < MECHANISMS; m++) {
        for (uint64_t i = 0; i < 30 && check_failures == 0; i++) {
            compared += compare_one_step(&mechanisms[m], lengths[i % 3], 110 + i);
        }
    }
    CHECK(compared > 25 * MECHANISMS);
}

// ---- a run

enum {
    STEPS = 200
};

static const double STEP = 0.01;

// Our side of a run: flat states, the newest first.
typedef struct own_past {
    double q[3][FULL_BODIES * POSE_WIDTH], v[3][FULL_BODIES * POSE_WIDTH];
} own_past;

static void start_both(twin* s, own_past* own, double past[2][FULL_BODIES * FULL_WIDTH])
{
    for (int b = 0; b < s->full.body_count; b++) {
        const body_data* body = &s->model->bodies[b];
        const double at[POSE_WIDTH] = {body->c.x, body->c.y, body->c.z, body->q.w,
                                       body->q.x, body->q.y, body->q.z};
        memcpy(&own->q[0][b * POSE_WIDTH], at, sizeof at);
        to_full(at, &past[0][b * FULL_WIDTH + AT_C], &past[0][b * FULL_WIDTH + AT_Q]);
    }
}

// Backward differences of order 1 for the first step, 2 after it.
static void advance_full(full_system* s, double past[2][FULL_BODIES * FULL_WIDTH], int step,
                         double dt)
{
    const int size = s->body_count * FULL_WIDTH;
    s->h = step == 0 ? dt : dt * 2.0 / 3.0;
    for (int i = 0; i < size; i++) {
        s->past[i] = step == 0 ? past[0][i] : (4.0 * past[0][i] - past[1][i]) / 3.0;
        s->y[i] = past[0][i];
    }
    follow_rates(s);
    // to the bottom: quadratic from 1e-2 gets there in five, two more change only rounding
    for (int k = 0; k < 8; k++) {
        CHECK(full_newton_step(s) == TML_OK);
        for (int i = 0; i < size; i++) s->y[i] += s->step[i];
        for (int i = 0; i < s->row_count; i++) s->lambda[i] += s->step[size + i];
    }
    memcpy(past[1], past[0], sizeof past[1]);
    memcpy(past[0], s->y, (size_t)size * sizeof s->y[0]);
}

static void advance_own(maximal_system* s, own_past* own, int step, double dt)
{
    const int n = s->node_count * POSE_WIDTH;
    double v_hat[FULL_BODIES * POSE_WIDTH];
    double q_hat[FULL_BODIES * POSE_WIDTH];
    time_relation relation = {.v_hat = v_hat, .q_hat = q_hat};
    time_history past = {.h = dt, .count = step == 0 ? 1 : 2};
    for (int k = 0; k < past.count; k++) {
        past.q[k] = own->q[k];
        past.v[k] = own->v[k];
    }
    tml__bdf(&past, past.count, n, &relation);
    const form_stage stage = {relation.c_v, relation.c_q, v_hat, q_hat};
    const newton_settings tight = {
        .tolerance = 1e-11, .max_iterations = 20, .min_consistency = 0.1};
    newton_report report;
    memcpy(s->x, own->q[0], (size_t)n * sizeof *s->x);
    // twice: the second solve starts at the solution and polishes the multipliers
    for (int pass = 0; pass < 2; pass++) {
        CHECK(tml__quat_solve_stage(s, &stage, &tight, &report) == TML_OK);
    }
    memcpy(own->q[1], own->q[0], sizeof own->q[1]);
    memcpy(own->v[1], own->v[0], sizeof own->v[1]);
    memcpy(own->q[0], s->x, (size_t)n * sizeof *s->x);
    tml__relation_velocity(&relation, own->q[0], n, own->v[0]);
}

typedef struct distance {
    double position, turn, lambda;
    double reach;  // largest coordinate of a body, at least 1 m: what is rounded
    double size;   // largest multiplier
} distance;

static void measure(const twin* s, const own_past* own, distance* worst)
{
    for (int b = 0; b < s->full.body_count; b++) {
        const double* y = &s->full.y[b * FULL_WIDTH];
        double c[3];
        double q[4];
        to_full(&own->q[0][b * POSE_WIDTH], c, q);
        for (int k = 0; k < 3; k++) {
            worst->position = fmax(worst->position, fabs(c[k] - y[k]));
            worst->reach = fmax(worst->reach, fabs(c[k]));
        }
        for (int k = 0; k < 4; k++) worst->turn = fmax(worst->turn, fabs(q[k] - y[AT_Q + k]));
    }
    for (int i = 0; i < s->full.row_count; i++) {
        const double lambda = s->full.lambda[i];
        worst->lambda = fmax(worst->lambda, fabs(lambda - s->system->lambda[s->own_row[i]]));
        worst->size = fmax(worst->size, fabs(lambda));
    }
}

// Our run with the first step off by `amount` in every coordinate, and so by amount / h in every
// rate: the largest distance that grows out of it, as a multiple of the amount. A rounding in any
// other step has less time to grow.
static double growth_of(const mechanism* what, double amount)
{
    own_past runs[2] = {{{{0}}, {{0}}}};
    double past[2][FULL_BODIES * FULL_WIDTH];
    double largest = 0.0;
    twin s;
    if (!twin_create(&s, what, 140)) return 0.0;
    const int n = s.system->node_count * POSE_WIDTH;
    for (int side = 0; side < 2; side++) start_both(&s, &runs[side], past);
    for (int k = 0; k < STEPS; k++) {
        tml__maximal_time(s.system, (k + 1) * STEP, NULL);
        for (int side = 0; side < 2; side++) advance_own(s.system, &runs[side], k, STEP);
        for (int i = 0; i < n && k == 0; i++) {
            runs[1].q[0][i] += amount;
            runs[1].v[0][i] += amount * 1.5 / STEP;
        }
        for (int i = 0; i < n; i++) {
            largest = fmax(largest, fabs(runs[0].q[0][i] - runs[1].q[0][i]));
        }
    }
    twin_destroy(&s);
    return largest / amount;
}

static distance compare_run(const mechanism* what)
{
    twin s;
    own_past own = {{{0}}, {{0}}};
    double past[2][FULL_BODIES * FULL_WIDTH] = {{0}};
    distance worst = {.reach = 1.0};
    if (!twin_create(&s, what, 140)) return worst;
    start_both(&s, &own, past);
    for (int k = 0; k < STEPS && check_failures == 0; k++) {
        const double t = (k + 1) * STEP;
        set_rows(&s, what, t);
        tml__maximal_time(s.system, t, NULL);
        advance_full(&s.full, past, k, STEP);
        advance_own(s.system, &own, k, STEP);
        measure(&s, &own, &worst);
    }
    twin_destroy(&s);
    return worst;
}

TEST(two_hundred_steps_are_the_papers_steps)  // [QRBD (25)-(28) Sec 3 Sec 6]
{
    for (int m = 0; m < MECHANISMS; m++) {
        const distance worst = compare_run(&mechanisms[m]);
        const double growth = growth_of(&mechanisms[m], 1e-9);
        printf("%s: 200 steps over %.0f m (growth %.0f) apart by %.1e m, %.1e in q, %.1e N of %.0f "
               "N\n",
               mechanisms[m].name, worst.reach, growth, worst.position, worst.turn, worst.lambda,
               worst.size);
        // roundings of both signs in every step, each grown as far as the motion makes them
        const double rounding = 2.2e-16 * worst.reach;
        const double grown = growth * sqrt(STEPS) * rounding;
        CHECK_NEAR(worst.position, 0.0, grown);
        CHECK_NEAR(worst.turn, 0.0, grown);
        // four roundings over h^2 = 4.4e-5 s^2, times 2 kg and the arms of some joints
        CHECK_NEAR(worst.lambda, 0.0, 1e6 * rounding);
    }
}
