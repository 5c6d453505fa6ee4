// test/redundant/singular.h - Hoberman's sphere, thrown and spinning, through full extension.
//
// With the throw subtracted, what is left of the energy is a constant of the motion. Near full
// extension the radial motion goes through the small inertia of the bars within milliseconds: a step
// of 10 ms loses a quarter of the energy there, a step of 1 ms little more than a hundredth.
#ifndef TRAMMEL_TEST_REDUNDANT_SINGULAR_H
#define TRAMMEL_TEST_REDUNDANT_SINGULAR_H

#include "test/check.h"
#include "test/scenario/run.h"

// Kinetic energy about the common centre of mass.
static inline double internal_energy(const run* r)
{
    double mass = 0.0;
    vec3 momentum = {0.0, 0.0, 0.0};
    for (int b = 0; b < tml_model_body_count(r->model); b++) {
        const double m = tml_model_body(r->model, (tml_body){b})->mass;
        mass += m;
        momentum = v3_axpy(momentum, m, tml_sim_velocity(r->sim, (tml_body){b}).linear);
    }
    return tml_sim_energy(r->sim).kinetic - 0.5 * v3_dot(momentum, momentum) / mass;
}

typedef struct opening {
    double theta;   // of the first scissor, rad
    double spread;  // between the scissors: all open alike
} opening;

// theta = 0.8 + half of a scissor's angle.
static inline opening look_at_scissors(const run* r)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int j = 0; j < tml_model_joint_count(r->model); j++) {
        double angle[TML_AXES] = {0.0};
        if (strncmp(tml_model_joint_name(r->model, (tml_joint){j}), "scissor", 7) != 0) continue;
        tml_sim_joint_coordinates(r->sim, (tml_joint){j}, angle);
        low = angle[0] < low ? angle[0] : low;
        high = angle[0] > high ? angle[0] : high;
    }
    return (opening){0.8 + 0.5 * low, high - low};
}

typedef struct sphere_run {
    int crossings;  // of full extension
    double spread;  // largest
    double first;   // energy at the start, J
    double before;  // when last seen at theta < 1.2 before the first crossing
    double after;   // when first seen at theta > 1.95 after it
    double last;    //
    double most;    // the largest seen
    double gap;     //
    long long unsettled;
} sphere_run;

static inline sphere_run throw_sphere(double step, double duration)
{
    sphere_run s = {0};
    run r;
    CHECK(run_open(&r, "hoberman-sphere") == TML_OK);
    r.settings.step = step;
    r.settings.implicit.start = TML_START_SDIRK2;  // the accurate one takes seconds here
    CHECK(run_start(&r) == TML_OK);
    s.first = s.before = s.most = internal_energy(&r);
    opening last = look_at_scissors(&r);
    const int steps = (int)(duration / step + 0.5);
    for (int k = 0; k < steps && check_failures == 0; k++) {
        CHECK(run_step(&r) == TML_OK);
        const opening now = look_at_scissors(&r);
        const double energy = internal_energy(&r);
        s.crossings += (now.theta > 0.5 * TML_PI) != (last.theta > 0.5 * TML_PI);
        s.spread = larger_of(now.spread, s.spread);
        s.most = larger_of(energy, s.most);
        if (s.crossings == 0 && now.theta < 1.2) s.before = energy;
        if (s.crossings > 0 && now.theta > 1.95 && s.after == 0.0) s.after = energy;
        CHECK(now.theta > TML_PI / 20.0 && now.theta < TML_PI * 19.0 / 20.0);
        last = now;
    }
    s.last = internal_energy(&r);
    s.gap = tml_sim_get_report(r.sim).max_gap;
    s.unsettled = tml_sim_get_report(r.sim).unsettled_loads;
    run_close(&r);
    printf("sphere, %g s at %g ms: %d crossings, energy %.4f J, %.4f before and %.4f after the "
           "first, %.4f in the end, scissors apart %.1e, gap %.1e, %lld unsettled loads\n",
           duration, 1e3 * step, s.crossings, s.first, s.before, s.after, s.last, s.spread, s.gap,
           s.unsettled);
    return s;
}

static inline void check_sphere(const sphere_run* s)
{
    CHECK(s->gap <= 1e-10);
    CHECK(s->crossings >= 1);
    // one freedom opens all scissors; a flip of one of them would show as radians
    CHECK(s->spread <= 1e-9);
    CHECK(isfinite(s->last));
    // BDF2 may give back in a step what it took in the one before, but nothing is won
    CHECK(s->most <= 1.005 * s->first);
}

#endif
