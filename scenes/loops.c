// scenes/loops.c - closed loops whose motion is known to ten digits or more.
//
// All of them hold some directions more than once: the planar ones because every hinge also holds
// the plane, Bricard's because its geometry is special. Links have their frames at their middles,
// which are their centres of mass, so that a recording can be compared column by column.
#include "scenes/builders.h"
#include "scenes/links.h"

#include <stdio.h>

static const tml_vec3 z_axis = {0.0, 0.0, 1.0};

// The velocity of a link's middle, when its end a moves with v_a and the link turns with omega.
static tml_velocity link_velocity(const link_def* link, tml_vec3 v_a, tml_vec3 omega)
{
    const tml_vec3 arm = minus(middle_of(link->a, link->b), link->a);

    return (tml_velocity){sum(v_a, cross(omega, arm)), omega};
}

// A uniform rod: 1 kg/m, 1e-3 kg m^2 a kilogram about its own axis.
static link_def rod_between(const char* name, tml_vec3 a, tml_vec3 b, int color)
{
    link_def link = link_between(name, a, b, 0.02, color);
    const double length = length_of(minus(b, a));

    link.mass = length;
    link.axial = 1e-3 * link.mass;
    link.across = link.mass * length * length / 12.0;
    return link;
}

// ---- the planar four-bar: ground 1.1, crank 0.4, coupler 1.0, rocker 0.8 m; the crank stands
//      upright and turns with 6 rad/s. 20 rows, rank 17.

void scene_four_bar(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 O = vec(0.0, 0.0, 0.0);
    const tml_vec3 D = vec(1.1, 0.0, 0.0);
    const tml_vec3 A = vec(0.0, 0.4, 0.0);
    const tml_vec3 B = meet(A, 1.0, D, 0.8, z_axis);
    const tml_vec3 AB = minus(B, A);
    const tml_vec3 DB = minus(B, D);
    const tml_vec3 omega = vec(0.0, 0.0, 6.0);
    const tml_vec3 v_A = cross(omega, A);
    link_def crank = rod_between("crank", O, A, COLOR_RED);
    link_def coupler = rod_between("coupler", A, B, COLOR_BRASS);
    link_def rocker = rod_between("rocker", D, B, COLOR_BLUE);

    // v_A + w2 z x AB = w3 z x DB; the product with DB, then with AB, leaves one unknown
    const double w2 = -dot_of(v_A, DB) / dot_of(cross(z_axis, AB), DB);
    const double w3 = dot_of(v_A, AB) / dot_of(cross(z_axis, DB), AB);

    tml_spec_set_gravity(spec, vec(0.0, -9.81, 0.0));
    crank.velocity = link_velocity(&crank, O, omega);
    coupler.velocity = link_velocity(&coupler, v_A, vec(0.0, 0.0, w2));
    rocker.velocity = link_velocity(&rocker, O, vec(0.0, 0.0, w3));
    const tml_body a = add_link(spec, &crank);
    const tml_body b = add_link(spec, &coupler);
    const tml_body c = add_link(spec, &rocker);
    add_hinge(spec, "O", TML_WORLD, a, O, z_axis);
    add_hinge(spec, "A", a, b, A, z_axis);
    add_hinge(spec, "B", b, c, B, z_axis);
    add_hinge(spec, "D", TML_WORLD, c, D, z_axis);
    run_for(settings, 0.001, 5.0);
}

// ---- Bricard's loop: five rods and the ground, every hinge across its neighbours. 30 rows, rank
//      29: one freedom where counting says none.

enum {
    BRICARD_RODS = 5
};

void scene_bricard(tml_spec* spec, tml_run_settings* settings)
{
    static const tml_vec3 points[BRICARD_RODS + 1] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                                      {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    static const tml_vec3 axes[BRICARD_RODS + 1] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0},
                                                    {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    static const int colors[BRICARD_RODS] = {COLOR_RED, COLOR_BRASS, COLOR_BLUE, COLOR_GREEN,
                                             COLOR_STEEL};
    tml_body last = TML_WORLD;

    tml_spec_set_gravity(spec, vec(0.0, -9.81, 0.0));
    for (int i = 0; i < BRICARD_RODS; i++) {
        char name[24];
        link_def rod = link_between("", points[i], points[i + 1], 0.05, colors[i]);

        snprintf(name, sizeof name, "rod.%d", i + 1);
        rod.name = name;
        rod.normal = axes[i];  // the hinge at its start is across the rod
        // 1 kg over 1 x 0.1 x 0.1 m
        rod.mass = 1.0;
        rod.axial = (0.01 + 0.01) / 12.0;
        rod.across = (1.0 + 0.01) / 12.0;
        const tml_body body = add_link(spec, &rod);
        snprintf(name, sizeof name, "hinge.%d", i + 1);
        add_hinge(spec, name, last, body, points[i], axes[i]);
        last = body;
    }
    add_hinge(spec, "hinge.6", TML_WORLD, last, points[BRICARD_RODS], axes[BRICARD_RODS]);
    run_for(settings, 0.005, 10.0);
}

// ---- N windows: cranks A_i - B_i upright on the ground, couplers B_i - B_i+1; every B_i moves with
//      1 m/s. 15 N + 5 rows, rank 12 N + 5.

static tml_body add_window_link(tml_spec* spec, const char* what, int index, link_def link)
{
    char name[32];

    snprintf(name, sizeof name, "%s.%d", what, index);
    link.name = name;
    return add_link(spec, &link);
}

static void add_window_hinge(tml_spec* spec, const char* what, int index, tml_body base,
                             tml_body follower, tml_vec3 point)
{
    char name[32];

    snprintf(name, sizeof name, "%s.%d", what, index);
    add_hinge(spec, name, base, follower, point, z_axis);
}

void scenes_add_four_bars(tml_spec* spec, int windows)
{
    const tml_vec3 still = vec(0.0, 0.0, 0.0);
    tml_body bar = TML_WORLD;

    tml_spec_set_gravity(spec, vec(0.0, -9.81, 0.0));
    for (int i = 0; i <= windows; i++) {
        const tml_vec3 A = vec(i, 0.0, 0.0);
        const tml_vec3 B = vec(i, 1.0, 0.0);
        link_def crank = rod_between("", A, B, COLOR_STEEL);
        link_def coupler = rod_between("", B, vec(i + 1, 1.0, 0.0), COLOR_BRASS);

        crank.velocity = link_velocity(&crank, still, vec(0.0, 0.0, -1.0));
        coupler.velocity = link_velocity(&coupler, vec(1.0, 0.0, 0.0), still);
        const tml_body post = add_window_link(spec, "crank", i, crank);
        add_window_hinge(spec, "ground", i, TML_WORLD, post, A);
        if (i > 0) add_window_hinge(spec, "right", i, bar, post, B);
        if (i == windows) break;
        bar = add_window_link(spec, "coupler", i, coupler);
        add_window_hinge(spec, "left", i, post, bar, B);
    }
}

void scene_n_four_bar(tml_spec* spec, tml_run_settings* settings)
{
    scenes_add_four_bars(spec, 40);
    run_for(settings, 0.001, 10.0);
}
