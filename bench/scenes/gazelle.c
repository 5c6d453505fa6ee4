// bench/scenes/gazelle.c - the experiments of the paper's Gazelle on our mechanisms of its kind.
//
//     bench/gazelle [WORD]      only the parts whose title contains the word; all by default
//
//   Fig 10     which of all multipliers? Weighted (1e5 on actuation rows) against uniform least norm
//   Feedback   the torques of either, fed forward with servos beside them, make the same motion
//   Fig 11     what semi-implicit steps leave open, beside bdf2
//
// `gazelle-like` has as many bodies, joints, rows and motors as the paper's figure, but only three of
// its 22 motors share a freedom. `overactuated-leg` has eight motors on six freedoms, as the paper's
// legs have.
#include "bench/scenes/feedforward.h"
#include "scenes/scenes.h"

#include <math.h>
#include <string.h>

static const double degrees = 57.295779513082320877;  // of a radian
static const double heavy = 1e5;                      // weight of actuation rows

typedef struct mechanism {
    const char* name;
    double length;  // s
} mechanism;

static const mechanism mechanisms[] = {{"gazelle-like", 9.82}, {"overactuated-leg", 9.82}};

enum {
    MECHANISMS = sizeof mechanisms / sizeof *mechanisms
};

static tml_model* scene_model(const char* name, tml_sim_settings* settings)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;

    if (scene == NULL || scenes_fill(scene, scenes_find(name)) != TML_OK ||
        tml_scene_build(scene, &model) != TML_OK) {
        leave(name, "cannot be built");
    }
    *settings = tml_scene_settings(scene)->sim;
    settings->integrator = TML_TIME_BDF2;
    settings->step = 0.01;
    tml_scene_destroy(scene);
    return model;
}

static int step_count(const mechanism* m, double step) { return (int)(m->length / step + 0.5); }

// The motion with a weight on actuation rows, at 10 ms.
static motion motion_with(const mechanism* m, double weight)
{
    tml_sim_settings settings;
    tml_model* scene = scene_model(m->name, &settings);
    const drive_plan plan = {.weight = weight};
    tml_model* model = driven_model(scene, &plan);
    const motion out = motion_of(model, &settings, step_count(m, settings.step));

    tml_model_destroy(model);
    tml_model_destroy(scene);
    return out;
}

// ---- Fig. 10: weights

static int drive_index(const tml_model* model, tml_row_id row)
{
    for (int d = 0; d < tml_model_control_count(model); d++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        tml_model_control(model, d, &joint, &axis, &actuation);
        if (joint.index == row.joint.index && axis == row.axis) return d;
    }
    return -1;
}

// Mark the actuators that share a freedom with another one.
static void mark_shared(const tml_model* model, int* is_shared)
{
    tml_doctor* doctor = NULL;

    if (tml_doctor_create(model, &doctor) != TML_OK) leave("doctor", "no report");
    for (int i = 0; i < tml_doctor_redundant_count(doctor); i++) {
        const tml_redundant_row* r = tml_doctor_redundant(doctor, i);
        if (!r->is_actuation) continue;
        is_shared[drive_index(model, r->row)] = 1;
        for (int k = 0; k < r->depends_count; k++) {
            const int d = drive_index(model, r->depends_on[k]);
            if (d >= 0) is_shared[d] = 1;
        }
    }
    tml_doctor_destroy(doctor);
}

static double rms(const motion* m, int drive)
{
    double sum = 0.0;

    for (int k = 1; k <= m->steps; k++) {
        const double torque = m->torque[motion_at(m, drive, k)];
        sum += torque * torque;
    }
    return sqrt(sum / m->steps);
}

static void print_mean(const char* name, const double total[2], int count)
{
    printf("%-34s %12.4f %12.4f %+8.1f\n", name, total[0] / count, total[1] / count,
           100.0 * (total[1] / total[0] - 1.0));
}

static void print_weights_of(const mechanism* what)
{
    tml_sim_settings settings;
    tml_model* model = scene_model(what->name, &settings);
    motion weighted = motion_with(what, heavy);
    motion uniform = motion_with(what, 1.0);
    int* is_shared = claim((size_t)weighted.drives, sizeof *is_shared);
    double all[2] = {0.0};
    double shared[2] = {0.0};
    int count = 0;
    double apart = 0.0;

    mark_shared(model, is_shared);
    printf("%s\n%-34s %12s %12s %8s\n", what->name, "RMS torque, N m", "weighted", "uniform", "%");
    for (int d = 0; d < weighted.drives; d++) {
        const double of[2] = {rms(&weighted, d), rms(&uniform, d)};
        for (int k = 0; k < 2; k++) {
            all[k] += of[k];
            if (is_shared[d]) shared[k] += of[k];
        }
        for (int k = 0; k <= weighted.steps; k++) {
            const size_t at = motion_at(&weighted, d, k);
            apart = fmax(apart, fabs(weighted.coordinate[at] - uniform.coordinate[at]));
        }
        if (!is_shared[d]) continue;
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        tml_model_control(model, d, &joint, &axis, &actuation);
        print_mean(tml_model_joint_name(model, joint), of, 1);
        count++;
    }
    print_mean("mean, motors that share a freedom", shared, count);
    print_mean("mean, all motors", all, weighted.drives);
    printf("motions apart by %.1e deg\n", apart * degrees);
    free(is_shared);
    motion_destroy(&weighted);
    motion_destroy(&uniform);
    tml_model_destroy(model);
}

static void print_weights(void)
{
    for (int i = 0; i < MECHANISMS; i++) print_weights_of(&mechanisms[i]);
}

// ---- torques fed forward, servos beside them

typedef struct servo_gain {
    double stiffness, damping;  // N m/rad, N m s/rad
    int is_blind;               // no torques are fed forward: the servos alone
} servo_gain;

static void print_feedback_of(const mechanism* what, const motion* m, servo_gain gain,
                              const char* weights)
{
    tml_sim_settings settings;
    tml_model* scene = scene_model(what->name, &settings);
    motion torques = *m;
    if (gain.is_blind) {
        torques.torque = claim((size_t)m->drives * (size_t)(m->steps + 1), sizeof(double));
    }
    const drive_plan plan = {
        .forced = &torques, .stiffness = gain.stiffness, .damping = gain.damping};
    tml_model* model = driven_model(scene, &plan);
    tml_sim* sim = NULL;
    double sum = 0.0;
    double peak = 0.0;
    int done = 0;

    if (tml_sim_create(model, &settings, &sim) != TML_OK) leave("start", tml_sim_message(sim));
    for (; done < m->steps && tml_sim_step(sim, NULL) == TML_OK; done++) {
        for (int d = 0; d < m->drives; d++) {
            tml_joint joint;
            tml_axis axis;
            tml_actuation actuation;
            tml_model_control(model, d, &joint, &axis, &actuation);
            const double off =
                fabs(drive_coordinate(sim, joint, axis) - m->coordinate[motion_at(m, d, done + 1)]);
            sum += off;
            peak = fmax(peak, off);
        }
    }
    printf("%-17s %-9s %9g %9g %12.2e %12.2e %10.1e  %s\n", what->name, weights, gain.stiffness,
           gain.damping, degrees * sum / m->drives / (done > 0 ? done : 1), degrees * peak,
           tml_sim_get_report(sim).max_gap, done < m->steps ? tml_sim_message(sim) : "");
    fflush(stdout);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_model_destroy(scene);
    if (gain.is_blind) free(torques.torque);
}

static void print_feedback(void)
{
    static const servo_gain gains[] = {
        {0.0, 0.0, 0}, {10.0, 1.0, 0}, {100.0, 5.0, 0}, {100.0, 5.0, 1}};
    static const char* const names[4] = {"", "", "", "none"};

    printf("%-17s %-9s %9s %9s %12s %12s %10s\n", "mechanism", "torques", "stiffness", "damping",
           "mean, deg", "peak, deg", "gap");
    for (int i = 0; i < MECHANISMS; i++) {
        motion weighted = motion_with(&mechanisms[i], heavy);
        motion uniform = motion_with(&mechanisms[i], 1.0);
        for (size_t g = 0; g < sizeof gains / sizeof *gains; g++) {
            const int is_named = names[g][0] != '\0';
            print_feedback_of(&mechanisms[i], &weighted, gains[g],
                              is_named ? names[g] : "weighted");
            if (!is_named) print_feedback_of(&mechanisms[i], &uniform, gains[g], "uniform");
        }
        motion_destroy(&weighted);
        motion_destroy(&uniform);
    }
}

// ---- Fig. 11: semi-implicit steps

static void print_violation(double step, tml_integrator integrator, double baumgarte)
{
    const mechanism* what = &mechanisms[0];
    tml_sim_settings settings;
    tml_model* model = scene_model(what->name, &settings);
    const int count = step_count(what, step);
    tml_sim* sim = NULL;
    double sum = 0.0;
    int done = 0;

    settings.integrator = integrator;
    settings.step = step;
    settings.implicit.baumgarte = baumgarte;
    if (tml_sim_create(model, &settings, &sim) != TML_OK) leave("start", tml_sim_message(sim));
    for (; done < count && tml_sim_step(sim, NULL) == TML_OK; done++) sum += tml_sim_gap(sim);
    printf("%-21s ", tml_integrator_name(integrator));
    if (integrator == TML_TIME_SEMI_IMPLICIT_EULER) {
        printf("%6g", baumgarte);
    } else {
        printf("%6s", "-");
    }
    printf(" %6g %12.2e %12.2e  %s\n", step, tml_sim_get_report(sim).max_gap,
           sum / (done > 0 ? done : 1), done < count ? tml_sim_message(sim) : "");
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

static void print_violations(void)
{
    static const double lengths[2] = {0.01, 0.1};
    static const double alphas[3] = {0.0, 0.1, 1.0};

    printf("%-21s %6s %6s %12s %12s\n", "method", "alpha", "step", "largest row", "mean over t");
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            print_violation(lengths[i], TML_TIME_SEMI_IMPLICIT_EULER, alphas[k]);
        }
        print_violation(lengths[i], TML_TIME_BDF2, 0.0);
    }
}

// ---- all of it

typedef struct part {
    const char* title;
    void (*print)(void);
} part;

static const part parts[] = {
    {"Fig 10: weighted and uniform least norm, 10 ms", print_weights},
    {"Feedback: torques fed forward with servos, 10 ms", print_feedback},
    {"Fig 11: largest row of semi-implicit steps, gazelle-like", print_violations},
};

int main(int argc, char** argv)
{
    const char* word = argc > 1 ? argv[1] : "";

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(parts[i].title, word) == NULL) continue;
        printf("\n%s\n", parts[i].title);
        parts[i].print();
        fflush(stdout);
    }
    return 0;
}
