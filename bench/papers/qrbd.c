// bench/papers/qrbd.c - our side of the tables in papers/QRBD/README.md.
//
//     bench/qrbd [WORD]      only the parts whose title contains the word; all by default
//
// Every figure of that page is a figure that this program printed. The paper does not state the
// inertia of its T-handle, nor the size of its top and its pendulum; ours are the built-in scenes.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "linalg/kkt.h"
#include "math/quat.h"
#include "math/small.h"
#include "scenes/scenes.h"
#include "sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- a scene with a simulation

typedef struct bench_run {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
    tml_sim_settings settings;
} bench_run;

static void leave(const char* what, const char* why)
{
    fprintf(stderr, "qrbd: %s: %s\n", what, why);
    exit(1);
}

static void close_run(bench_run* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

static bench_run open_scene(const char* name)
{
    bench_run r = {.scene = tml_scene_create()};
    if (r.scene == NULL || scenes_fill(r.scene, scenes_find(name)) != TML_OK ||
        tml_scene_build(r.scene, &r.model) != TML_OK) {
        leave(name, "cannot be built");
    }
    r.settings = tml_scene_settings(r.scene)->sim;
    return r;
}

static void start(bench_run* r)
{
    tml_sim_destroy(r->sim);
    if (tml_sim_create(r->model, &r->settings, &r->sim) != TML_OK) {
        leave("start", tml_sim_message(r->sim));
    }
}

static void steps(bench_run* r, int count)
{
    for (int k = 0; k < count; k++) {
        if (tml_sim_step(r->sim, NULL) != TML_OK) leave("step", tml_sim_message(r->sim));
    }
}

static double energy(const bench_run* r)
{
    const tml_energy e = tml_sim_energy(r->sim);
    return e.kinetic + e.potential;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- the methods of Sec. 8

typedef struct method {
    const char* name;
    tml_integrator integrator;
    tml_start start;
} method;

static const method methods[] = {
    {"BDF1", TML_TIME_BDF1, TML_START_SDIRK2},
    {"SDIRK2, stiffly accurate", TML_TIME_SDIRK2, TML_START_SDIRK2},
    {"BDF2, first step SDIRK2", TML_TIME_BDF2, TML_START_SDIRK2},
    {"BDF2, accurate start", TML_TIME_BDF2, TML_START_ACCURATE},
    {"SDIRK2, Pareschi-Russo", TML_TIME_SDIRK2_PARESCHI_RUSSO, TML_START_SDIRK2},
    {"semi-implicit", TML_TIME_SEMI_IMPLICIT_EULER, TML_START_SDIRK2},
};

enum {
    METHODS = sizeof methods / sizeof *methods
};

static void choose(bench_run* r, const method* m, double step)
{
    r->settings.integrator = m->integrator;
    r->settings.implicit.start = m->start;
    r->settings.step = step;
}

// ---- Table 3: joints

static void print_joints(void)
{
    printf("%-12s %-7s %-6s %s\n", "joint", "slides", "turns", "rows");
    for (int kind = 0; kind < TML_JOINT_KINDS; kind++) {
        tml_spec* spec = tml_spec_create();
        const tml_body_def body = tml_body_def_default();
        tml_joint_def joint = tml_joint_def_default();
        tml_model* model = NULL;
        joint.kind = (tml_joint_kind)kind;
        joint.follower = tml_spec_add_body(spec, &body);
        tml_spec_add_joint(spec, &joint);
        if (tml_spec_build(spec, &model) != TML_OK) leave("joint", tml_spec_message(spec));
        printf("%-12s %-7s %-6s %d\n", tml_joint_kind_name(joint.kind),
               tml_joint_kind_slides(joint.kind), tml_joint_kind_turns(joint.kind),
               tml_model_row_count(model));
        tml_model_destroy(model);
        tml_spec_destroy(spec);
    }
}

// ---- Tables 4 and 5: sizes and classes

static const char* const examples[3][2] = {
    {"T-Handle", "t-handle"}, {"Spinning top", "heavy-top"}, {"Pendulum", "free-pendulum"}};

static void print_sizes(void)
{
    printf("%-13s %-10s %6s %6s %9s %s\n", "example", "components", "joints", "rows", "unknowns",
           "class");
    for (int i = 0; i < 3; i++) {
        bench_run r = open_scene(examples[i][1]);
        tml_doctor* doctor = NULL;
        if (tml_doctor_create(r.model, &doctor) != TML_OK) leave(examples[i][0], "no report");
        const int rows = tml_model_row_count(r.model);
        const int bodies = tml_model_body_count(r.model);
        printf("%-13s %-10d %6d %6d %9d %s\n", examples[i][0], bodies,
               tml_model_joint_count(r.model), rows, 6 * bodies + rows,
               tml_doctor_get_report(doctor).motion_class);
        tml_doctor_destroy(doctor);
        close_run(&r);
    }
}

// ---- Sec. 6.1: conditioning

enum {
    LARGEST = 64
};

// |A|_1 |A^-1|_1 of the Newton matrix as the last stage left it; `scale` takes the scaling of
// forces and multipliers out again when it is not 1.
static double condition(const maximal_system* s, double scale)
{
    static double a[LARGEST * LARGEST];
    const int forces = 6 * s->node_count;
    const int n = forces + s->row_count;
    double norm = 0.0;
    double inverse_norm = 0.0;
    int pivot[LARGEST];

    if (n > LARGEST) leave("condition", "too many unknowns");
    for (int k = 0; k < n; k++) {
        double unit[LARGEST] = {0};
        double column[LARGEST];
        double sum = 0.0;
        unit[k] = 1.0;
        tml__kkt_apply(s->matrix, unit, unit + forces, column, column + forces);
        for (int i = 0; i < n; i++) {
            const double factor = (i < forces ? 1.0 / scale : 1.0) * (k < forces ? 1.0 : scale);
            a[i * n + k] = factor * column[i];
            sum += fabs(a[i * n + k]);
        }
        if (sum > norm) norm = sum;
    }
    if (tml__lu_factor(n, a, n, pivot) != TML_OK) leave("condition", "singular");
    for (int k = 0; k < n; k++) {
        double column[LARGEST] = {0};
        double sum = 0.0;
        column[k] = 1.0;
        tml__lu_solve(n, a, n, pivot, column);
        for (int i = 0; i < n; i++) sum += fabs(column[i]);
        if (sum > inverse_norm) inverse_norm = sum;
    }
    return norm * inverse_norm;
}

static void print_conditioning(void)
{
    static const char* const names[2] = {"pendulum", "double-pendulum"};
    static const double step_sizes[] = {0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    printf("%-16s %-7s %-12s %-12s %s\n", "scene", "step", "unscaled", "scaled",
           "Newton iterations a step");
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof step_sizes / sizeof *step_sizes; k++) {
            bench_run r = open_scene(names[i]);
            const double h = step_sizes[k];
            r.settings.integrator = TML_TIME_BDF2;
            r.settings.solver = TML_SOLVER_DENSE;
            r.settings.step = h;
            start(&r);
            steps(&r, 10);
            const double c = 2.0 / 3.0 * h;
            const tml_sim_report report = tml_sim_get_report(r.sim);
            printf("%-16s %-7g %-12.2e %-12.1f %.1f\n", names[i], h,
                   condition(r.sim->system, c * c), condition(r.sim->system, 1.0),
                   (double)report.newton_iterations / (double)(report.steps - 1));
            close_run(&r);
        }
    }
}

// ---- Fig. 4: the T-handle

// Times at which the handle turns over: the spin about its middle axis changes sign.
static int flips_of(const bench_run* r, double last, double* now)
{
    const tml_body body = {0};
    const quat q = tml_sim_pose(r->sim, body).q;
    *now = q_rotate(q_conj(q), tml_sim_velocity(r->sim, body).angular).y;
    return (last < 0.0) != (*now < 0.0);
}

static void print_handle(void)
{
    printf("%-26s %-13s %-13s %-13s %s\n", "method", "first step", "1 s", "10 s",
           "turns over at (s)");
    for (int i = 0; i < METHODS; i++) {
        bench_run r = open_scene("t-handle");
        double change[3];
        double flips[3] = {0.0};
        int count = 0;
        double spin = 15.0;
        choose(&r, &methods[i], 1e-3);
        start(&r);
        const double before = energy(&r);
        for (int k = 1; k <= 10000; k++) {
            steps(&r, 1);
            const double last = spin;
            if (flips_of(&r, last, &spin) && count < 3) flips[count++] = tml_sim_time(r.sim);
            if (k == 1) change[0] = energy(&r) / before - 1.0;
            if (k == 1000) change[1] = energy(&r) / before - 1.0;
        }
        change[2] = energy(&r) / before - 1.0;
        printf("%-26s %+-13.2e %+-13.2e %+-13.2e", methods[i].name, change[0], change[1],
               change[2]);
        for (int k = 0; k < count; k++) printf(" %.3f", flips[k]);
        printf("\n");
        close_run(&r);
    }
}

// ---- Fig. 5: the top

static void print_top(void)
{
    printf("%-26s %-13s %-13s %s\n", "method", "1 s", "10 s", "largest gap, m");
    for (int i = 0; i < METHODS; i++) {
        bench_run r = open_scene("heavy-top");
        choose(&r, &methods[i], 1e-4);
        start(&r);
        const double before = energy(&r);
        steps(&r, 10000);
        const double first = energy(&r) / before - 1.0;
        steps(&r, 90000);
        printf("%-26s %+-13.2e %+-13.2e %.1e\n", methods[i].name, first, energy(&r) / before - 1.0,
               tml_sim_get_report(r.sim).max_gap);
        close_run(&r);
    }
}

// ---- Fig. 6: the pendulum

// The rod of the pendulum scenes, 1 m and 1 kg, turning by `angle` in 0.01 s about one end.
static bench_run spinning_rod(double angle, int is_held)
{
    bench_run r = {.settings = tml_sim_settings_default()};
    tml_spec* spec = tml_spec_create();
    tml_body_def rod = tml_body_def_default();
    tml_joint_def hinge = tml_joint_def_default();
    const double speed = angle / 0.01;

    tml_spec_set_gravity(spec, v3_zero());
    rod.mass = 1.0;
    rod.inertia[0] = 1e-3;
    rod.inertia[1] = rod.inertia[2] = 1.0 / 12.0;
    rod.pose.p = v3(0.5, 0.0, 0.0);
    rod.velocity.angular = v3(0.0, 0.0, speed);
    if (is_held) rod.velocity.linear = v3(0.0, 0.5 * speed, 0.0);
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.follower = tml_spec_add_body(spec, &rod);
    hinge.axis = v3(0.0, 0.0, 1.0);
    if (is_held) tml_spec_add_joint(spec, &hinge);
    if (tml_spec_build(spec, &r.model) != TML_OK) leave("rod", tml_spec_message(spec));
    tml_spec_destroy(spec);
    r.settings.step = 0.01;
    return r;
}

static double heading(const bench_run* r)
{
    const quat q = tml_sim_pose(r->sim, (tml_body){0}).q;
    return 2.0 * atan2(q.z, q.w);
}

typedef struct swing {
    double gap[2], error[2];  // after 1 and after 10 steps
    int is_refused;
} swing;

static swing swing_rod(double angle, int is_held, const method* m, double baumgarte)
{
    swing out = {.is_refused = 0};
    bench_run r = spinning_rod(angle, is_held);
    double turned = 0.0;
    choose(&r, m, 0.01);
    r.settings.implicit.baumgarte = baumgarte;
    start(&r);
    double last = heading(&r);
    for (int k = 1; k <= 10; k++) {
        if (tml_sim_step(r.sim, NULL) != TML_OK) {
            out.is_refused = 1;
            break;
        }
        const double now = heading(&r);
        turned += remainder(now - last, 2.0 * TML_PI);
        last = now;
        if (k != 1 && k != 10) continue;
        out.gap[k == 10] = tml_sim_gap(r.sim);
        out.error[k == 10] = fabs(turned - k * angle);
    }
    close_run(&r);
    return out;
}

static void print_pendulum_with(const char* name, int is_held, const method* m, double baumgarte)
{
    static const double angles[] = {0.01, 0.03, 0.1, 0.3, 1.0, 2.0, 3.0};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        const swing s = swing_rod(angles[i], is_held, m, baumgarte);
        printf("%-34s %-5g %-9.1e %-9.1e %-9.1e %.1e%s\n", name, angles[i], s.gap[0], s.gap[1],
               s.error[0], s.error[1], s.is_refused ? " (refused)" : "");
    }
}

static void print_pendulum(void)
{
    printf("%-34s %-5s %-9s %-9s %-9s %s\n", "method", "angle", "gap, 1", "gap, 10", "error, 1",
           "error, 10");
    print_pendulum_with("BDF2, first step SDIRK2", 1, &methods[2], 0.0);
    print_pendulum_with("BDF2, accurate start", 1, &methods[3], 0.0);
    print_pendulum_with("semi-implicit", 1, &methods[5], 0.0);
    print_pendulum_with("semi-implicit, Baumgarte 1", 1, &methods[5], 1.0);
    print_pendulum_with("no hinge, BDF2, first step SDIRK2", 0, &methods[2], 0.0);
    print_pendulum_with("no hinge, BDF2, accurate start", 0, &methods[3], 0.0);
    print_pendulum_with("no hinge, semi-implicit", 0, &methods[5], 0.0);
}

// ---- Table 6: time a step

static void print_times(void)
{
    static const char* const names[2] = {"T-Handle", "Spinning top"};
    static const char* const scenes[2] = {"t-handle", "heavy-top"};
    static const double step_sizes[2] = {1e-3, 1e-4};
    printf("%-13s %-9s %-9s %s\n", "example", "step", "steps", "time a step, ms");
    for (int i = 0; i < 2; i++) {
        bench_run r = open_scene(scenes[i]);
        const int count = i == 0 ? 10000 : 100000;
        choose(&r, &methods[3], step_sizes[i]);
        start(&r);
        const double before = cpu_seconds();
        steps(&r, count);
        printf("%-13s %-9g %-9d %.4f\n", names[i], step_sizes[i], count,
               1e3 * (cpu_seconds() - before) / count);
        close_run(&r);
    }
}

// ---- all of it

typedef struct part {
    const char* title;
    void (*print)(void);
} part;

static const part parts[] = {
    {"Table 3: joints", print_joints},
    {"Tables 4 and 5: sizes and classes", print_sizes},
    {"Sec 6.1: condition number and step", print_conditioning},
    {"Fig 4: T-handle, relative change of energy, 1 ms", print_handle},
    {"Fig 5: top, relative change of energy, 0.1 ms", print_top},
    {"Fig 6: pendulum, rad a step of 0.01 s, after 1 and 10 steps", print_pendulum},
    {"Table 6: processor time", print_times},
};

int main(int argc, char** argv)
{
    const char* word = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(parts[i].title, word) == NULL) continue;
        printf("\n%s\n", parts[i].title);
        parts[i].print();
    }
    return 0;
}
