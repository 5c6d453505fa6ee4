// test/scenario/random_mechanism.h - a mechanism at random: trees and loops of every joint kind, and what drives them.
//
// The distribution, fixed before it was first measured (tools/random_mechanisms, docs/robustness.md):
//
//   six of ten are trees of 1 to 8 boxes, each on a joint of any kind at any point; two of ten are such trees with one or
//   two joints more that close loops where they stand; one of ten is a planar polygon of hinges, or one coupler on two to
//   four equal cranks (redundant, singular where it is flat); one of ten is Bennett's linkage or hinges through one point.
//   A fifth of the loops has its joints rounded to 3 to 9 digits. A sixth of the trees floats.
//   size 1 cm to 10 m, masses 1e-3 to 1e3 kg: around one size and mass each, or (a quarter) each body by itself;
//   gravity in three of four; at rest in three of ten, else turning at 0.1 to 10 rad/s;
//   springs of 0.3 to 100 rad/s, dampers, limits, motors, servos that stand or move, position drives (of trees), springs
//   between bodies; steps of 1e-4 to 0.1 s, even in the logarithm.
//
// No contact. A mechanism depends on its number and TRAMMEL_TEST_SEED alone.
#ifndef TRAMMEL_TEST_SCENARIO_RANDOM_MECHANISM_H
#define TRAMMEL_TEST_SCENARIO_RANDOM_MECHANISM_H

#include "math/mat3.h"
#include "math/scalar.h"
#include "test/check.h"
#include "test/random.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    MECHANISM_BODIES = 8
};

typedef struct random_mechanism {
    tml_scene* scene;
    tml_model* model;
    int bodies, loops;
    int digits;       // of joints; 0: not rounded
    bool is_rounded;  //
    bool floats;      // nothing outside pushes or holds it
    bool is_driven;   // by positions
    bool has_limits;
    bool has_angles;   // limits or dampers on angles of balls
    bool has_effects;  // springs, dampers, limits, drives
    double step;       // s
    // while it is made
    double size, mass;
    bool is_uneven;
    double lengths[MECHANISM_BODIES], masses[MECHANISM_BODIES];
    vec3 at[MECHANISM_BODIES];  // of the body frames
    quat turned[MECHANISM_BODIES];
} random_mechanism;

static inline double random_power(random_source* r, double low, double high)
{
    return tml__exp(2.302585092994046 * random_between(r, low, high));
}

static inline bool random_chance(random_source* r, double share)
{
    return random_between(r, 0.0, 1.0) < share;
}

static inline vec3 random_direction(random_source* r)
{
    return m3_column(q_matrix(random_quat(r)), 0);
}

// ---- what is on joints

static inline void mechanism_round(const random_mechanism* m, tml_joint_def* def)
{
    const double unit = tml__exp(-2.302585092994046 * m->digits);
    if (m->digits == 0) return;
    for (int k = 0; k < 3; k++) {
        v3_set(&def->position, k,
               round(v3_at(def->position, k) / (unit * m->size)) * unit * m->size);
        v3_set(&def->axis, k, round(v3_at(def->axis, k) / unit) * unit);
    }
}

static inline tml_control random_target(random_source* r, double size)
{
    const double amplitude = size * random_between(r, 0.0, 0.5);
    const double phase = random_between(r, 0.0, 6.0);
    const double frequency = random_power(r, -1.0, 0.3);
    return tml_control_sine(-amplitude * tml__sin(phase), amplitude, frequency, phase);
}

static inline void mechanism_dress(random_mechanism* m, random_source* r, int follower,
                                   bool may_drive, tml_joint_def* def)
{
    const char* slides = tml_joint_kind_slides(def->kind);
    const char* turns = tml_joint_kind_turns(def->kind);
    const int turn_count = (int)strlen(turns);
    for (int k = 0; k < TML_AXES; k++) {
        const char letter = (char)('x' + k % 3);
        const bool is_turn = k >= TML_AXIS_RX;
        tml_joint_axis* a = &def->axis_of[k];
        if (strchr(is_turn ? turns : slides, letter) == NULL) continue;
        const double size = is_turn ? 1.0 : m->lengths[follower];
        const double arm = is_turn ? m->lengths[follower] : 1.0;
        const double inertia = m->masses[follower] * arm * arm;
        const bool is_angle_of_ball = is_turn && turn_count == 3;
        if (random_chance(r, is_angle_of_ball ? 0.0 : 0.15)) {
            const double omega = random_power(r, -0.5, 2.0);
            a->stiffness = inertia * omega * omega;
            a->rest = size * random_between(r, -0.3, 0.3);
        }
        if (random_chance(r, is_angle_of_ball ? 0.05 : 0.15)) {
            a->damping = inertia * random_power(r, -1.5, 1.0);
        }
        if (random_chance(r, is_angle_of_ball ? 0.03 : 0.12)) {
            a->has_limits = true;
            a->lower = -size * random_between(r, 0.1, 2.0);
            a->upper = size * random_between(r, 0.1, 2.0);
            if (is_turn && turn_count > 1 && letter == turns[1]) {
                a->lower = fmax(a->lower, -1.4);
                a->upper = fmin(a->upper, 1.4);
            }
        }
        m->has_limits |= a->has_limits;
        m->has_angles |= is_angle_of_ball && (a->damping > 0.0 || a->has_limits);
        m->has_effects |= a->stiffness > 0.0 || a->damping > 0.0 || a->has_limits;
        if (turn_count > 1 && is_turn) continue;
        const double what = random_between(r, 0.0, 1.0);
        m->has_effects |= what < 0.13;
        if (what < 0.04) {
            a->actuation = TML_FORCE;
            const double force = 9.81 * random_between(r, -1.0, 1.0) * inertia / size;
            a->control = random_chance(r, 0.5)
                             ? tml_control_constant(force)
                             : tml_control_sine(0.0, force, random_power(r, -1.0, 0.3), 0.0);
        } else if (what < 0.10) {
            const double omega = random_power(r, -0.5, 2.0);
            a->has_servo = true;
            a->servo_stiffness = inertia * omega * omega;
            a->servo_damping = inertia * omega * random_power(r, -1.5, 0.3);
            a->servo_target =
                random_chance(r, 0.5) ? tml_control_constant(0.3 * size) : random_target(r, size);
        } else if (what < 0.13 && may_drive && slides[0] + turns[0] != 0 &&
                   strlen(slides) + strlen(turns) == 1) {
            a->actuation = TML_POSITION;
            a->control = random_target(r, size);
            a->has_limits = false;
            m->is_driven = true;
        }
    }
}

// ---- bodies

// A box, length by breadth by depth, at a pose.
static inline tml_body mechanism_add_box(random_mechanism* m, random_source* r, double length,
                                         vec3 at, quat turned, bool moves)
{
    const int i = m->bodies++;
    const double breadth = length * random_power(r, -1.3, 0.0);
    const double depth = length * random_power(r, -1.3, 0.0);
    const double mass =
        m->is_uneven ? random_power(r, -3.0, 3.0) : m->mass * random_power(r, -1.0, 1.0);
    tml_body_def def = tml_body_def_default();
    def.mass = mass;
    def.inertia[0] = mass / 12.0 * (breadth * breadth + depth * depth);
    def.inertia[1] = mass / 12.0 * (length * length + depth * depth);
    def.inertia[2] = mass / 12.0 * (length * length + breadth * breadth);
    if (random_chance(r, 0.3)) def.com = random_vec3(r, 0.2 * length);
    def.pose = (tml_pose){at, turned};
    if (moves) {
        const double speed = random_power(r, -1.0, 1.0);
        def.velocity.angular = v3_scale(speed, random_direction(r));
        def.velocity.linear = v3_scale(speed * length, random_direction(r));
    }
    m->lengths[i] = length;
    m->masses[i] = mass;
    m->at[i] = at;
    m->turned[i] = turned;
    return tml_spec_add_body(tml_scene_spec(m->scene), &def);
}

static inline vec3 point_of(const random_mechanism* m, random_source* r, int body)
{
    const vec3 local = random_vec3(r, 0.5 * m->lengths[body]);
    return v3_add(m->at[body], q_rotate(m->turned[body], local));
}

static inline double random_length(random_mechanism* m, random_source* r)
{
    return m->is_uneven ? random_power(r, -2.0, 1.0) : m->size * random_between(r, 0.5, 1.5);
}

// ---- trees

static inline tml_joint_kind random_kind(random_source* r)
{
    static const tml_joint_kind common[4] = {TML_JOINT_REVOLUTE, TML_JOINT_SPHERICAL,
                                             TML_JOINT_UNIVERSAL, TML_JOINT_PRISMATIC};
    if (random_chance(r, 0.5)) return common[random_below(r, 4)];
    return (tml_joint_kind)random_below(r, TML_JOINT_KINDS);
}

static inline void mechanism_tie(random_mechanism* m, random_source* r, tml_joint_kind kind,
                                 int base, int follower, vec3 position, vec3 axis, bool may_drive)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = (tml_body){base};
    def.follower = (tml_body){follower};
    def.position = position;
    def.axis = axis;
    mechanism_round(m, &def);
    mechanism_dress(m, r, follower >= 0 ? follower : base, may_drive, &def);
    tml_spec_add_joint(tml_scene_spec(m->scene), &def);
}

static inline void make_tree(random_mechanism* m, random_source* r, bool moves, int loops)
{
    const int count = loops > 0 ? 2 + random_below(r, MECHANISM_BODIES - 1)
                                : 1 + random_below(r, MECHANISM_BODIES);
    const bool floats = loops == 0 && random_below(r, 6) == 0;
    for (int i = 0; i < count; i++) {
        const int base = i == 0 ? -1 : random_chance(r, 0.7) ? i - 1 : random_below(r, i);
        const vec3 hinge = i == 0 ? random_vec3(r, m->size) : point_of(m, r, base);
        const double length = random_length(m, r);
        const quat turned = random_quat(r);
        const vec3 lever = v3(-0.5 * length, 0.2 * length * random_between(r, -1.0, 1.0), 0.0);
        const vec3 at = v3_sub(hinge, q_rotate(turned, lever));
        mechanism_add_box(m, r, length, at, turned, moves);
        if (i == 0 && floats) continue;
        mechanism_tie(m, r, random_kind(r), base, i, hinge, random_direction(r), loops == 0);
    }
    static const tml_joint_kind closing[6] = {TML_JOINT_SPHERICAL,   TML_JOINT_SLOT,
                                              TML_JOINT_UNIVERSAL,   TML_JOINT_PLANAR,
                                              TML_JOINT_CYLINDRICAL, TML_JOINT_REVOLUTE};
    for (int k = 0; k < loops; k++) {
        const int follower = count - 1 - k > 0 ? count - 1 - k : count - 1;
        const int base = random_below(r, follower + 1) - 1;
        mechanism_tie(m, r, closing[random_below(r, 6)], base, follower, point_of(m, r, follower),
                      random_direction(r), false);
    }
    m->loops = loops;
    m->floats = floats;
}

// ---- loops

static inline void add_bar(random_mechanism* m, random_source* r, vec3 from, vec3 to, bool moves)
{
    const vec3 along = v3_sub(to, from);
    mechanism_add_box(m, r, v3_norm(along), v3_scale(0.5, v3_add(from, to)), random_quat(r), moves);
}

// Bars from point to point, the last one part of the world, on hinges.
static inline void close_polygon(random_mechanism* m, random_source* r, int count,
                                 const vec3* points, const vec3* axes, bool moves)
{
    for (int i = 0; i + 1 < count; i++) add_bar(m, r, points[i], points[i + 1], moves);
    for (int i = 0; i < count; i++) {
        mechanism_tie(m, r, TML_JOINT_REVOLUTE, i - 1, i + 1 < count ? i : -1, points[i], axes[i],
                      false);
    }
    m->loops = 1;
}

static inline void make_planar(random_mechanism* m, random_source* r, bool moves)
{
    const mat3 R = q_matrix(random_quat(r));
    const int count = 4 + random_below(r, 3);
    vec3 points[6];
    vec3 axes[6];
    for (int i = 0; i < count; i++) {
        const double angle = 6.283185307179586 * (i + random_between(r, -0.3, 0.3)) / count;
        const double far = m->size * random_between(r, 0.5, 1.5);
        points[i] = m3_apply(R, v3(far * tml__cos(angle), far * tml__sin(angle), 0.0));
        axes[i] = m3_column(R, 2);
    }
    close_polygon(m, r, count, points, axes, moves);
}

// A coupler on equal cranks that stand side by side.
static inline void make_cranks(random_mechanism* m, random_source* r, bool moves)
{
    const mat3 R = q_matrix(random_quat(r));
    const int count = 2 + random_below(r, 3);
    const double angle = random_between(r, 0.1, 3.0);
    const vec3 crank = m3_apply(R, v3(m->size * tml__cos(angle), m->size * tml__sin(angle), 0.0));
    vec3 feet[4];
    for (int i = 0; i < count; i++) {
        feet[i] = m3_apply(R, v3(m->size * (1.5 * i + random_between(r, 0.0, 0.5)), 0.0, 0.0));
    }
    add_bar(m, r, v3_add(feet[0], crank), v3_add(feet[count - 1], crank), moves);
    for (int i = 0; i < count; i++) {
        add_bar(m, r, feet[i], v3_add(feet[i], crank), moves);
        mechanism_tie(m, r, TML_JOINT_REVOLUTE, -1, 1 + i, feet[i], m3_column(R, 2), false);
        mechanism_tie(m, r, TML_JOINT_REVOLUTE, 1 + i, 0, v3_add(feet[i], crank), m3_column(R, 2),
                      false);
    }
    m->loops = count - 1;
}

// Hinges that meet in one point.
static inline void make_spherical(random_mechanism* m, random_source* r, bool moves)
{
    const int count = 4 + random_below(r, 2);
    const mat3 R = q_matrix(random_quat(r));
    vec3 points[6];
    vec3 axes[6];
    for (int i = 0; i < count; i++) {
        const double angle = 6.283185307179586 * (i + random_between(r, -0.3, 0.3)) / count;
        const double wide = random_between(r, 0.3, 1.2);
        axes[i] = m3_apply(R, v3(tml__sin(wide) * tml__cos(angle), tml__sin(wide) * tml__sin(angle),
                                 tml__cos(wide)));
        points[i] = v3_scale(m->size * random_between(r, 0.7, 1.3), axes[i]);
    }
    close_polygon(m, r, count, points, axes, moves);
}

// a / sin alpha = b / sin beta: one row depends on the others wherever it is closed.
static inline void make_bennett(random_mechanism* m, random_source* r, bool moves)
{
    const double alpha = random_between(r, 0.4, 1.2);
    const double beta = alpha + random_between(r, 0.1, 0.5);
    const double a = m->size;
    const double b = a * tml__sin(beta) / tml__sin(alpha);
    const double first = random_between(r, 0.6, 2.4);
    const double ratio = tml__sin(0.5 * (beta + alpha)) / tml__sin(0.5 * (beta - alpha));
    const double second = 2.0 * tml__atan2(ratio * tml__cos(0.5 * first), tml__sin(0.5 * first));
    const double angles[4] = {first, second, -first, -second};
    mat3 R = q_matrix(random_quat(r));
    vec3 p = v3_zero();
    vec3 points[4];
    vec3 axes[4];
    for (int i = 0; i < 4; i++) {
        points[i] = p;
        axes[i] = m3_column(R, 2);
        R = m3_mul(R, q_matrix(q_exp(v3(0.0, 0.0, angles[i]))));
        p = v3_add(p, v3_scale(i % 2 == 0 ? a : b, m3_column(R, 0)));
        R = m3_mul(R, q_matrix(q_exp(v3(i % 2 == 0 ? alpha : beta, 0.0, 0.0))));
    }
    close_polygon(m, r, 4, points, axes, moves);
}

// ---- all of it

static inline void mechanism_add_springs(random_mechanism* m, random_source* r)
{
    if (m->floats || m->bodies < 2 || !random_chance(r, 0.2)) return;
    const int a = random_below(r, m->bodies);
    const int b = random_below(r, m->bodies + 1) - 1;
    if (a == b) return;
    tml_point points[2] = {{{a}, random_vec3(r, 0.4 * m->lengths[a])},
                           {{b}, random_vec3(r, b < 0 ? m->size : 0.4 * m->lengths[b])}};
    tml_spring_def def = tml_spring_def_default();
    const double omega = random_power(r, -0.5, 1.5);
    def.point_count = 2;
    def.points = points;
    def.stiffness = m->masses[a] * omega * omega;
    def.damping = random_chance(r, 0.3) ? 0.1 * m->masses[a] * omega : 0.0;
    tml_spec_add_spring(tml_scene_spec(m->scene), &def);
    m->has_effects = true;
}

// The caller destroys it. `model` is NULL where the spec was refused.
static inline random_mechanism mechanism_at(int number)
{
    random_source source = random_start(7919u * (uint64_t)number + 29u);
    random_source* r = &source;
    random_mechanism m = {.scene = tml_scene_create()};
    m.step = random_power(r, -4.0, -1.0);
    m.size = random_power(r, -2.0, 1.0);
    m.mass = random_power(r, -2.0, 2.0);
    const int kind = random_below(r, 10);
    const bool moves = random_chance(r, 0.7);
    const bool is_rounded = random_below(r, 5) == 0;
    const bool has_gravity = random_below(r, 4) != 0;
    const int digits = 3 + random_below(r, 7);
    m.is_uneven = kind < 8 && random_below(r, 4) == 0;
    if (kind >= 6 && is_rounded) m.digits = digits;
    if (kind < 8) {
        make_tree(&m, r, moves, kind < 6 ? 0 : 1 + random_below(r, 2));
    } else if (kind == 8) {
        if (random_chance(r, 0.5)) {
            make_planar(&m, r, moves);
        } else {
            make_cranks(&m, r, moves);
        }
    } else if (random_chance(r, 0.5)) {
        make_bennett(&m, r, moves);
    } else {
        make_spherical(&m, r, moves);
    }
    m.is_rounded = m.digits > 0;
    mechanism_add_springs(&m, r);
    if (!has_gravity) tml_spec_set_gravity(tml_scene_spec(m.scene), v3_zero());
    m.floats = m.floats && !has_gravity;
    if (tml_scene_build(m.scene, &m.model) != TML_OK) {
        printf("mechanism %d: %s\n", number, tml_scene_message(m.scene));
    }
    return m;
}

static inline void mechanism_free(random_mechanism* m)
{
    tml_model_destroy(m->model);
    tml_scene_destroy(m->scene);
    *m = (random_mechanism){0};
}

#endif
