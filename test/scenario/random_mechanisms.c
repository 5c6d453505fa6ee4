// test/scenario/random_mechanisms.c - thousands of mechanisms at random, each by every formulation: no number that is none,
// joints closed, no energy from nowhere by an account of this file's own, momentum of what floats kept, a saved state that goes
// on with the same bits, gradients that differences confirm, formulations that agree as the step falls.
//
//     tools/random_mechanisms                                        the table of docs/robustness.md
//     TRAMMEL_MECHANISMS=100:200 TRAMMEL_TEST_PRINT=1 build/test/scenario_random_mechanisms runs
//
// Numbers 0 to 23 in `make test`, 0 to 399 in `make test-long`, or as the variable says: from:to, or from:to:PAIRING where only
// one is meant (quaternion/energy). TRAMMEL_MECHANISMS_FOLDER=DIR writes the scenes that fail, for `trammel run`.
#include "test/scenario/random_mechanism.h"

enum {
    REASONS = 16,
    SUBSTEP_MOST = 64
};

typedef struct pair {
    tml_formulation formulation;
    tml_integrator integrator;
} pair;

// The default of each formulation, and what else anyone would choose.
static const pair pairs[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF2},       {TML_FORM_QUATERNION, TML_TIME_BDF1},
    {TML_FORM_QUATERNION, TML_TIME_ENERGY},     {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
    {TML_FORM_AFFINE, TML_TIME_ENERGY},         {TML_FORM_AFFINE, TML_TIME_BDF2},
    {TML_FORM_GENERALIZED, TML_TIME_PROJECTED}, {TML_FORM_GENERALIZED, TML_TIME_RK4},
};

static bool is_default(pair p)
{
    return p.integrator == tml_formulation_default_integrator(p.formulation);
}

static void name_pair(pair p, char text[64])
{
    snprintf(text, 64, "%s/%s", tml_formulation_name(p.formulation),
             tml_integrator_name(p.integrator));
}

typedef struct range {
    int from, to;
    char only[64];
} range;

static range numbers(int few, int many)
{
    range out = {.from = 0, .to = getenv("TRAMMEL_TEST_LONG") != NULL ? many : few};
    const char* text = getenv("TRAMMEL_MECHANISMS");
    if (text != NULL) sscanf(text, "%d:%d:%63s", &out.from, &out.to, out.only);
    return out;
}

static bool is_meant(const range* which, pair p)
{
    char name[64];
    name_pair(p, name);
    return which->only[0] == '\0' || strcmp(which->only, name) == 0;
}

// ---- an account of its own: energies from the definitions, work from what coordinates have moved

// What one axis of a joint stores, and what its drive has done from one node to the next.
typedef struct axis_flow {
    double stored, work, doubt;
} axis_flow;

static double value_of(const tml_control* c, double t)
{
    if (c->kind == TML_CONTROL_CONSTANT) return c->value;
    if (c->kind != TML_CONTROL_SINE) return 0.0;
    return c->value + c->amplitude * tml__sin(2.0 * TML_PI * c->frequency * t + c->phase);
}

static axis_flow flow_of(const tml_joint_axis* a, double t, double h, double before, double now,
                         double force_before, double force_now)
{
    axis_flow out = {0};
    const double moved = now - before;
    out.stored = 0.5 * a->stiffness * (now - a->rest) * (now - a->rest);
    if (a->actuation == TML_FORCE) {
        const double f[2] = {value_of(&a->control, t - h), value_of(&a->control, t)};
        out.work += 0.5 * (f[0] + f[1]) * moved;
        out.doubt += 0.5 * fabs(f[1] - f[0]) * fabs(moved);
    }
    if (a->actuation == TML_POSITION) {
        const double target = value_of(&a->control, t) - value_of(&a->control, t - h);
        const double most = fmax(fabs(force_before), fabs(force_now));
        out.work += 0.5 * (force_before + force_now) * target;
        out.doubt += most * fabs(target);
    }
    if (a->has_servo) {
        const double y[2] = {value_of(&a->servo_target, t - h), value_of(&a->servo_target, t)};
        const double left[2] = {y[0] - before, y[1] - now};
        const double turned = y[1] - y[0];
        out.stored += 0.5 * a->servo_stiffness * left[1] * left[1];
        out.work += 0.5 * a->servo_stiffness * (left[0] + left[1]) * turned;
        out.work += a->servo_damping * moved / h * turned;
        // the target's turn may be taken anywhere in the step
        const double apart = fabs(left[1] - left[0]);
        out.doubt +=
            fabs(turned) * (0.5 * a->servo_stiffness * apart + a->servo_damping * fabs(moved) / h);
    }
    return out;
}

typedef struct books {
    double kinetic, total, work, doubt;
    vec3 momentum;
    double speed;  // sum of m |v|
    double coordinates[MECHANISM_BODIES * 12 * 3];
    double forces[MECHANISM_BODIES * 12 * 3];
} books;

static double spring_energy(const tml_model* m, const tml_sim* sim, int spring)
{
    const tml_spring_def* s = tml_model_spring(m, spring);
    vec3 at[2];
    double rest[2] = {0};
    for (int k = 0; k < 2; k++) {
        const tml_point* p = &s->points[k];
        const tml_pose pose = tml_sim_pose(sim, p->body);
        at[k] = p->body.index < 0 ? p->position : v3_add(pose.p, q_rotate(pose.q, p->position));
    }
    const tml_body_def* first = tml_model_body(m, s->points[0].body);
    vec3 start[2] = {v3_zero(), s->points[1].position};
    start[0] = v3_add(first->pose.p, q_rotate(first->pose.q, s->points[0].position));
    if (s->points[1].body.index >= 0) {
        const tml_body_def* second = tml_model_body(m, s->points[1].body);
        start[1] = v3_add(second->pose.p, q_rotate(second->pose.q, s->points[1].position));
    }
    rest[0] = s->rest_length >= 0.0 ? s->rest_length : v3_norm(v3_sub(start[1], start[0]));
    const double longer = v3_norm(v3_sub(at[1], at[0])) - rest[0];
    return 0.5 * s->stiffness * longer * longer;
}

// Goes on from the books of the node before; h = 0: the first ones.
static void keep_books(const tml_model* m, const tml_sim* sim, double h, books* b)
{
    const vec3 gravity = tml_model_gravity(m);
    b->kinetic = 0.0;
    b->momentum = v3_zero();
    b->speed = 0.0;
    double potential = 0.0;
    for (int i = 0; i < tml_model_body_count(m); i++) {
        const tml_body_def* body = tml_model_body(m, (tml_body){i});
        const tml_pose pose = tml_sim_pose(sim, (tml_body){i});
        const tml_velocity v = tml_sim_velocity(sim, (tml_body){i});
        const vec3 lever = q_rotate(pose.q, body->com);
        const vec3 speed = v3_add(v.linear, v3_cross(v.angular, lever));
        const vec3 spin = m3_apply_t(q_matrix(pose.q), v.angular);
        const double* J = body->inertia;
        const vec3 turning = {J[0] * spin.x + J[3] * spin.y + J[4] * spin.z,
                              J[3] * spin.x + J[1] * spin.y + J[5] * spin.z,
                              J[4] * spin.x + J[5] * spin.y + J[2] * spin.z};
        b->kinetic += 0.5 * body->mass * v3_dot(speed, speed) + 0.5 * v3_dot(spin, turning);
        b->momentum = v3_axpy(b->momentum, body->mass, speed);
        b->speed += body->mass * v3_norm(speed);
        potential -= body->mass * v3_dot(gravity, v3_add(pose.p, lever));
    }
    int at = 0;
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        const tml_joint_def def = tml_model_joint(m, (tml_joint){j});
        tml_axis axes[TML_AXES];
        double q[TML_AXES];
        double forces[TML_AXES];
        const int count = tml_model_joint_axes(m, (tml_joint){j}, axes);
        tml_sim_joint_coordinates(sim, (tml_joint){j}, q);
        tml_sim_joint_multipliers(sim, (tml_joint){j}, forces);
        for (int k = 0; k < count; k++, at++) {
            const tml_joint_axis* a = &def.axis_of[axes[k]];
            const axis_flow flow = flow_of(a, tml_sim_time(sim), h, b->coordinates[at], q[k],
                                           b->forces[at], forces[axes[k]]);
            potential += flow.stored;
            if (h > 0.0) b->work += flow.work;
            if (h > 0.0) b->doubt += flow.doubt;
            b->coordinates[at] = q[k];
            b->forces[at] = forces[axes[k]];
        }
    }
    for (int i = 0; i < tml_model_spring_count(m); i++) potential += spring_energy(m, sim, i);
    b->total = b->kinetic + potential;
}

// Joints that turn only, looked at without the library's rows: how far their points are apart.
static double open_by(const tml_model* m, const tml_sim* sim)
{
    double most = 0.0;
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        const tml_joint_def def = tml_model_joint(m, (tml_joint){j});
        tml_pose in[2];
        vec3 at[2];
        if (tml_joint_kind_slides(def.kind)[0] != '\0') continue;
        tml_model_joint_frames(m, (tml_joint){j}, &in[0], &in[1]);
        const tml_body bodies[2] = {def.base, def.follower};
        for (int k = 0; k < 2; k++) {
            const tml_pose pose = tml_sim_pose(sim, bodies[k]);
            at[k] = v3_add(pose.p, q_rotate(pose.q, in[k].p));
        }
        most = tml__larger(most, v3_norm(v3_sub(at[1], at[0])));
    }
    return most;
}

// ---- one run

typedef enum verdict {
    RUN_DONE,
    RUN_REFUSED,  // before the first step
    RUN_STATUS,   // ended by a status
    RUN_LABOUR,   // more iterations than a hundred a step: cut off here
} verdict;

typedef struct outcome {
    verdict verdict;
    int steps;
    bool is_none;     // a NaN
    double gap;       // m
    double peak;      // the most that stood above what is explained, of the kinetic swing
    double kept;      // what of it stayed: least of the last quarter above the most of the first
    double momentum;  // of what floats, lost
    bool is_copied;   // a restored state went on with the same bits
    int substeps[SUBSTEP_MOST + 1];  // how many steps were divided so
    char why[400];
} outcome;

// What moves less than by its size in 30 years has no momentum but rounding.
static double weight_of(const random_mechanism* m)
{
    double mass = 0.0;
    for (int i = 0; i < m->bodies; i++) mass += m->masses[i];
    return mass * m->size;
}

// Kinetic energy of nothing more than rounding and the tolerance of rows.
static double floor_of(const tml_model* m, const books* b, double size)
{
    double weight = 0.0;
    for (int i = 0; i < tml_model_body_count(m); i++) {
        weight += tml_model_body(m, (tml_body){i})->mass * v3_norm(tml_model_gravity(m));
    }
    return 1e-7 * weight * size + 1e-9 * fabs(b->total) + 1e-12;
}

typedef struct watch {
    double start, swing;
    double first, last;  // the most in the first quarter, the least in the last
} watch;

static void judge_energy(const random_mechanism* m, const books* b, int k, int count, watch* w,
                         outcome* out)
{
    const double gain = b->total - w->start - b->work;
    const double surely = gain - b->doubt;
    w->swing = fmax(w->swing, b->kinetic - fmax(surely, 0.0));
    const double size = w->swing + floor_of(m->model, b, m->size);
    out->peak = fmax(out->peak, surely / size);
    if (4 * k <= count) w->first = fmax(w->first, gain);
    if (4 * k >= 3 * count) w->last = fmin(w->last, surely);
    if (k == count) out->kept = (w->last - w->first) / size;
}

static bool is_same(const tml_sim* a, const tml_sim* b, int bodies)
{
    for (int i = 0; i < bodies; i++) {
        const tml_pose p[2] = {tml_sim_pose(a, (tml_body){i}), tml_sim_pose(b, (tml_body){i})};
        const tml_velocity v[2] = {tml_sim_velocity(a, (tml_body){i}),
                                   tml_sim_velocity(b, (tml_body){i})};
        if (memcmp(&p[0], &p[1], sizeof p[0]) != 0 || memcmp(&v[0], &v[1], sizeof v[0]) != 0)
            return false;
    }
    return true;
}

// From the state that was saved, the same steps again.
static bool goes_on_alike(const random_mechanism* m, const tml_sim_settings* s, const void* state,
                          size_t bytes, int steps, const tml_sim* sim)
{
    tml_sim* other = NULL;
    bool is_alike = tml_sim_create(m->model, s, &other) == TML_OK &&
                    tml_sim_restore(other, state, bytes) == TML_OK;
    for (int k = 0; k < steps && is_alike; k++) is_alike = tml_sim_step(other, NULL) == TML_OK;
    is_alike = is_alike && is_same(sim, other, m->bodies);
    tml_sim_destroy(other);
    return is_alike;
}

static outcome run_one(const random_mechanism* m, pair by, double duration, int most_steps)
{
    outcome out = {.is_copied = true};
    tml_sim_settings s = tml_sim_settings_default();
    tml_sim* sim = NULL;
    static books b;
    s.formulation = by.formulation;
    s.integrator = by.integrator;
    s.step = m->step;
    int count = (int)(duration / s.step + 0.5);
    if (count > most_steps) count = most_steps;
    if (tml_sim_create(m->model, &s, &sim) != TML_OK) {
        snprintf(out.why, sizeof out.why, "%s", tml_sim_message(sim));
        out.verdict = RUN_REFUSED;
        tml_sim_destroy(sim);
        return out;
    }
    const size_t bytes = tml_sim_state_size(sim);
    void* state = malloc(bytes);
    b = (books){0};
    keep_books(m->model, sim, 0.0, &b);
    watch w = {.start = b.total, .swing = b.kinetic, .first = -HUGE_VAL, .last = HUGE_VAL};
    const vec3 momentum = b.momentum;
    double speed = b.speed;
    int saved_at = -1;
    long long substeps = 0;
    for (int k = 1; k <= count && out.verdict == RUN_DONE; k++) {
        if (k == count - count / 8) {
            saved_at = k - 1;
            CHECK(tml_sim_save(sim, state) == TML_OK);
        }
        if (tml_sim_step(sim, NULL) != TML_OK) {
            snprintf(out.why, sizeof out.why, "%s", tml_sim_message(sim));
            out.verdict = RUN_STATUS;
            break;
        }
        const tml_sim_report report = tml_sim_get_report(sim);
        const long long divided = report.substeps - substeps;
        substeps = report.substeps;
        out.substeps[divided < 1 ? 1 : divided < SUBSTEP_MOST ? divided : SUBSTEP_MOST]++;
        out.steps = k;
        keep_books(m->model, sim, s.step, &b);
        out.is_none |= !isfinite(b.total);
        out.gap = tml__larger(out.gap, tml_sim_gap(sim));
        out.gap = tml__larger(out.gap, open_by(m->model, sim));
        judge_energy(m, &b, k, count, &w, &out);
        speed = fmax(speed, b.speed);
        if (m->floats && !m->is_driven && speed > 1e-9 * weight_of(m)) {
            out.momentum = tml__larger(out.momentum, v3_norm(v3_sub(b.momentum, momentum)) / speed);
        }
        if (report.newton_iterations > 100LL * k + 20000) out.verdict = RUN_LABOUR;
    }
    if (out.verdict == RUN_DONE && saved_at >= 0) {
        out.is_copied = goes_on_alike(m, &s, state, bytes, count - saved_at, sim);
    }
    free(state);
    tml_sim_destroy(sim);
    return out;
}

// ---- many

typedef struct tally {
    int runs, locked, refused;
    int few[2], of[2];  // ended by a status, of runs up to 10 ms and above
    int rounded
        [2];  // of these, loops whose joints were rounded: they may close no better than that
    int labour, none, open, peaks, keeps, high, momenta, copies;
    long long steps;
    long long substeps[SUBSTEP_MOST + 1];
    int reason_count;
    struct {
        char text[64];
        int count;
    } reasons[REASONS];
} tally;

// A sentence without its names and numbers, to count it by.
static void note_reason(tally* t, const char* why)
{
    char text[64];
    size_t n = 0;
    bool is_quoted = false;
    for (const char* p = why; *p != '\0' && n + 1 < sizeof text; p++) {
        if (*p == ';' || *p == ':') break;
        if (*p == '\'') is_quoted = !is_quoted;
        if (is_quoted || strchr("0123456789.'", *p) != NULL) continue;
        text[n++] = *p;
    }
    text[n] = '\0';
    // what is asked for is told first, and what is wrong after a colon
    int i = 0;
    while (i < t->reason_count && strcmp(t->reasons[i].text, text) != 0) i++;
    if (i == REASONS) return;
    if (i == t->reason_count) {
        snprintf(t->reasons[i].text, sizeof text, "%s", text);
        t->reason_count++;
    }
    t->reasons[i].count++;
}

static bool is_locked(const tml_model* model)
{
    tml_doctor* doctor = NULL;
    bool is_stiff = false;
    if (tml_doctor_create(model, &doctor) == TML_OK) {
        is_stiff = tml_doctor_get_report(doctor).mobility == 0;
    }
    tml_doctor_destroy(doctor);
    return is_stiff;
}

static const char* kind_of(const random_mechanism* m)
{
    if (m->has_angles) return ", angles of balls";
    if (m->is_driven) return ", driven";
    return m->has_limits ? ", limits" : "";
}

static void print_run(int number, pair by, const random_mechanism* m, const outcome* out)
{
    char name[64];
    name_pair(by, name);
    printf("    %d by %s, h = %.3g s, %d bodies, %d loops%s, digits %d: %d steps, gain %.2g, kept "
           "%.2g, gap "
           "%.1e, momentum %.1e%s; %s\n",
           number, name, m->step, m->bodies, m->loops, kind_of(m), m->digits, out->steps, out->peak,
           out->kept, out->gap, out->momentum, out->verdict == RUN_LABOUR ? ", labour" : "",
           out->why);
    const char* folder = getenv("TRAMMEL_MECHANISMS_FOLDER");
    if (folder == NULL) return;
    char path[512];
    snprintf(path, sizeof path, "%s/%d.json", folder, number);
    tml_run_settings* settings = tml_scene_settings(m->scene);
    settings->sim.step = m->step;
    settings->duration = 1.0;
    if (tml_scene_write_file(m->scene, path) != TML_OK) printf("%s\n", tml_scene_message(m->scene));
}

static void count_run(const random_mechanism* m, const outcome* out, tally* t)
{
    const int is_coarse = m->step > 0.0100001;
    t->steps += out->steps;
    t->of[is_coarse]++;
    t->few[is_coarse] += out->verdict == RUN_STATUS;
    t->rounded[is_coarse] += out->verdict == RUN_STATUS && m->digits > 0;
    if (out->verdict == RUN_STATUS) note_reason(t, out->why);
    t->labour += out->verdict == RUN_LABOUR;
    t->none += out->is_none;
    t->open += !(out->gap <= 1e-10 * fmax(1.0, 10.0 * m->size));
    t->peaks += out->peak > 0.01;
    t->high += out->peak > 0.05;
    t->keeps += out->kept > 0.01;
    t->momenta += !(out->momentum <= 1e-6);
    t->copies += !out->is_copied;
    for (int i = 0; i <= SUBSTEP_MOST; i++) t->substeps[i] += out->substeps[i];
}

static bool is_bad(const outcome* out)
{
    return out->verdict != RUN_DONE || out->peak > 0.01 || !(out->gap <= 1e-9) || out->is_none ||
           !out->is_copied || !(out->momentum <= 1e-6);
}

static int quantile(const tally* t, double share)
{
    long long sum = 0;
    long long all = 0;
    for (int i = 0; i <= SUBSTEP_MOST; i++) all += t->substeps[i];
    for (int i = 0; i <= SUBSTEP_MOST; i++) {
        sum += t->substeps[i];
        if ((double)sum >= share * (double)all) return i;
    }
    return SUBSTEP_MOST;
}

static tally run_range(const range* which, pair by, double duration, int most_steps)
{
    tally t = {0};
    for (int n = which->from; n < which->to; n++) {
        random_mechanism m = mechanism_at(n);
        CHECK(m.model != NULL);
        if (m.model == NULL) continue;
        t.runs++;
        if (m.loops > 0 && is_locked(m.model)) {
            t.locked++;
            mechanism_free(&m);
            continue;
        }
        const outcome out = run_one(&m, by, duration, most_steps);
        if (out.verdict == RUN_REFUSED) {
            t.refused++;
            CHECK(out.why[0] != '\0');
        } else {
            count_run(&m, &out, &t);
        }
        CHECK(out.verdict != RUN_STATUS || out.why[0] != '\0');
        if (is_bad(&out) && getenv("TRAMMEL_TEST_PRINT") != NULL) print_run(n, by, &m, &out);
        mechanism_free(&m);
    }
    return t;
}

static void print_tally(pair by, const tally* t)
{
    char name[64];
    name_pair(by, name);
    printf("| `%s`%s | %d | %d | %d | %d (%d) of %d | %d (%d) of %d | %d | %d | %d | %d | %d | %d "
           "| %d | %d "
           "| %d, %d |\n",
           name, is_default(by) ? ", default" : "", t->runs, t->locked, t->refused, t->few[0],
           t->rounded[0], t->of[0], t->few[1], t->rounded[1], t->of[1], t->labour, t->none, t->open,
           t->peaks, t->high, t->keeps, t->momenta, t->copies, quantile(t, 0.5), quantile(t, 0.99));
    for (int i = 0; i < t->reason_count; i++) {
        printf("    %d: %s\n", t->reasons[i].count, t->reasons[i].text);
    }
}

TEST(runs)
{
    const range which = numbers(24, 400);
    const bool is_whole =
        getenv("TRAMMEL_MECHANISMS") != NULL || getenv("TRAMMEL_TEST_LONG") != NULL;
    if (getenv("TRAMMEL_MECHANISMS_BARE") == NULL) {
        printf("| pairing | mechanisms | locked | refused | ended by a status (of rounded loops), "
               "h <= 10 ms | above | cut off | NaN | open | "
               "gain > 1 %% | > 5 %% | kept > 1 %% | momentum | restored | substeps: median, 99 %% "
               "|\n");
        printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    }
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if (!is_meant(&which, pairs[k]) || (!is_whole && !is_default(pairs[k]))) continue;
        const char* most = getenv("TRAMMEL_MECHANISMS_STEPS");
        const int steps = most != NULL ? atoi(most) : is_whole ? 10000 : 200;
        const tally t = run_range(&which, pairs[k], 1.0, steps);
        print_tally(pairs[k], &t);
        CHECK(t.none == 0);
        CHECK(t.copies == 0);
        CHECK(t.locked + t.refused < t.runs || t.runs == 0);
    }
}

// ---- gradients

// Inputs that open no loop: gravity, and velocities where the motion begins. Of the place and the speed of every body.
static int list_inputs(const random_mechanism* m, tml_parameter* out)
{
    int count = 0;
    for (int k = 0; k < 3; k++) out[count++] = (tml_parameter){TML_PARAMETER_GRAVITY, 0, k, 0};
    out[count++] = (tml_parameter){TML_PARAMETER_VELOCITY, m->bodies - 1, 3, 0};
    out[count++] = (tml_parameter){TML_PARAMETER_MASS, 0, 0, 0};
    return count;
}

static int list_outputs(const random_mechanism* m, int step, tml_quantity* out)
{
    int count = 0;
    for (int b = 0; b < m->bodies; b++) {
        out[count++] = (tml_quantity){TML_QUANTITY_POSITION, b, b % 3, step};
        out[count++] = (tml_quantity){TML_QUANTITY_VELOCITY, b, (b + 1) % 3, step};
    }
    return count;
}

typedef struct slopes {
    int runs, refused, flagged, wrong, of_divided;
    double worst;
} slopes;

enum {
    SLOPE_STEPS = 12
};

static void check_slopes(int number, const random_mechanism* m, pair by, slopes* to)
{
    tml_parameter inputs[8];
    tml_quantity outputs[2 * MECHANISM_BODIES];
    tml_derivatives* d = NULL;
    tml_sim_settings s = tml_sim_settings_default();
    s.formulation = by.formulation;
    s.integrator = by.integrator;
    s.step = m->step;
    tml_status status = tml_derivatives_create(m->model, &s, 0, &d);
    for (int k = 0; k < SLOPE_STEPS && status == TML_OK; k++) {
        status = tml_derivatives_step(d, NULL);
    }
    if (status != TML_OK) {
        tml_derivatives_destroy(d);  // what does not run has no slope
        return;
    }
    to->runs++;
    to->of_divided += tml_sim_get_report(tml_derivatives_sim(d)).substeps > 0;
    tml_derivatives_report report = {0};
    status =
        tml_derivatives_check(d, 1e-3, list_inputs(m, inputs), inputs,
                              list_outputs(m, SLOPE_STEPS, outputs), outputs, &report, NULL, 0);
    const tml_derivatives_flags flags = tml_derivatives_last_flags(d);
    const bool has_flag = flags.broken_parameters > 0 || flags.rank_steps > 0;
    // differences lose eight digits of sixteen, and next to nothing all of them
    const bool is_wrong = status == TML_OK && !has_flag && !(report.largest_error <= 1e-3);
    to->refused += status != TML_OK;
    to->flagged += has_flag;
    to->wrong += is_wrong;
    if (status == TML_OK && !has_flag) to->worst = tml__larger(to->worst, report.largest_error);
    CHECK(status == TML_OK || tml_derivatives_message(d)[0] != '\0');
    if ((is_wrong || status != TML_OK) && getenv("TRAMMEL_TEST_PRINT") != NULL) {
        outcome none = {0};
        char name[64];
        name_pair(by, name);
        char what[2][200];
        tml_parameter_describe(m->model, &inputs[report.worst_parameter], what[0], sizeof what[0]);
        tml_quantity_describe(m->model, &outputs[report.worst_quantity], what[1], sizeof what[1]);
        snprintf(none.why, sizeof none.why, "gradient: %s", tml_derivatives_message(d));
        if (status == TML_OK) {
            snprintf(none.why, sizeof none.why, "%.60s by %.60s: %.9g, differences %.9g", what[1],
                     what[0], report.exact, report.difference);
        }
        print_run(number, by, m, &none);
    }
    tml_derivatives_destroy(d);
}

TEST(gradients)
{
    const range which = numbers(16, 200);
    printf("| pairing | runs | divided | refused | flagged | wrong | worst "
           "|\n|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if (!is_meant(&which, pairs[k]) || !is_default(pairs[k])) continue;
        slopes s = {0};
        for (int n = which.from; n < which.to; n++) {
            random_mechanism m = mechanism_at(n);
            if (m.model != NULL && !(m.loops > 0 && is_locked(m.model))) {
                check_slopes(n, &m, pairs[k], &s);
            }
            mechanism_free(&m);
        }
        char name[64];
        name_pair(pairs[k], name);
        printf("| `%s` | %d | %d | %d | %d | %d | %.1e |\n", name, s.runs, s.of_divided, s.refused,
               s.flagged, s.wrong, s.worst);
        CHECK(s.runs > 0 || which.to - which.from < 4);
    }
}

// ---- formulations agree as the step falls

// Where all bodies are after a short time.
static bool ends_at(const random_mechanism* m, pair by, double step, int count, vec3* out)
{
    tml_sim_settings s = tml_sim_settings_default();
    tml_sim* sim = NULL;
    s.formulation = by.formulation;
    s.integrator = by.integrator;
    s.step = step;
    bool is_done = tml_sim_create(m->model, &s, &sim) == TML_OK;
    for (int k = 0; k < count && is_done; k++) is_done = tml_sim_step(sim, NULL) == TML_OK;
    for (int b = 0; b < m->bodies; b++) out[b] = tml_sim_pose(sim, (tml_body){b}).p;
    tml_sim_destroy(sim);
    return is_done;
}

static double apart(const random_mechanism* m, const vec3* a, const vec3* b)
{
    double most = 0.0;
    for (int i = 0; i < m->bodies; i++) most = tml__larger(most, v3_norm(v3_sub(a[i], b[i])));
    return most / m->size;
}

TEST(formulations_agree_as_the_step_falls)
{
    static const pair reference = {TML_FORM_QUATERNION, TML_TIME_BDF2};
    static const pair others[] = {{TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
                                  {TML_FORM_AFFINE, TML_TIME_ENERGY},
                                  {TML_FORM_GENERALIZED, TML_TIME_PROJECTED}};
    const range which = numbers(40, 200);
    const double duration = 0.04;
    int compared = 0;
    int wrong = 0;
    for (int n = which.from; n < which.to; n++) {
        random_mechanism m = mechanism_at(n);
        vec3 exact[MECHANISM_BODIES];
        // limits end a motion at any instant, and stiff springs and drives want shorter steps than these
        const bool fits = m.model != NULL && !m.has_effects && tml_model_spring_count(m.model) == 0;
        const bool is_free = fits && !(m.loops > 0 && is_locked(m.model));
        if (is_free && ends_at(&m, reference, duration / 1024, 1024, exact)) {
            for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                vec3 end[MECHANISM_BODIES];
                double far[2] = {0};
                bool is_done = true;
                for (int i = 0; i < 2; i++) {
                    const int count = i == 0 ? 32 : 128;
                    is_done = is_done && ends_at(&m, others[k], duration / count, count, end);
                    far[i] = apart(&m, end, exact);
                }
                if (!is_done) continue;
                compared++;
                // order 1 or better: a quarter of the step, less than half of the difference
                if (far[1] <= 0.5 * far[0] || far[1] <= 1e-6) continue;
                wrong++;
                char name[64];
                name_pair(others[k], name);
                printf("    %d by %s: %.2g of the size apart, %.2g with a quarter of the step\n", n,
                       name, far[0], far[1]);
            }
        }
        mechanism_free(&m);
    }
    printf("%d compared, %d do not come closer\n", compared, wrong);
    CHECK(wrong == 0);
}
