// test/joint/sample.h - every joint there can be, between two bodies that stand anywhere.
//
// A case says which axes are free, in which order the joint turns and what drives each axis. A
// sample is such a joint built by the library from a spec, with frames that differ on the two
// bodies, and poses made here from the coordinates by the definition of design.md:
//     axes of F = axes of B * R_1(r_1) R_2(r_2) R_3(r_3),     points apart by the slides
// so the rows and the coordinates of the library are tested against an independent construction.
#ifndef TRAMMEL_TEST_JOINT_SAMPLE_H
#define TRAMMEL_TEST_JOINT_SAMPLE_H

#include "joint/rigid.h"
#include "test/check.h"
#include "test/random.h"

typedef struct joint_case {
    tml_joint_kind kind;  // TML_JOINT_CUSTOM: by the letters
    const char* slides;
    const char* turns;
    tml_actuation actuation[TML_AXES];
} joint_case;

static const char* const all_slides[] = {"", "x", "y", "z", "xy", "xz", "yz", "xyz"};
static const char* const all_turns[] = {"",   "x",  "y",   "z",   "xy",  "xz",  "yx",  "yz",
                                        "zx", "zy", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};

static inline bool case_is_free(const joint_case* c, int axis)
{
    return strchr(axis < 3 ? c->slides : c->turns, "xyz"[axis % 3]) != NULL;
}

// A force-actuated axis has the rows of a passive one, so tests of rows may leave these out.
static inline bool case_has_force(const joint_case* c)
{
    for (int k = 0; k < TML_AXES; k++) {
        if (c->actuation[k] == TML_FORCE) return true;
    }
    return false;
}

static inline void case_print(const joint_case* c)
{
    printf("    in joint '%s' slides \"%s\" turns \"%s\", axes", tml_joint_kind_name(c->kind),
           c->slides, c->turns);
    for (int k = 0; k < TML_AXES; k++) {
        if (case_is_free(c, k))
            printf(" %s:%c", tml_axis_name((tml_axis)k), "-pf"[c->actuation[k]]);
    }
    printf("\n");
}

typedef void case_visitor(const joint_case* c, random_source* r);

// Every mix of passive, position and force over the free axes of one joint.
static inline int visit_mixes(joint_case* c, case_visitor* visit, random_source* r)
{
    int count = 1;
    for (int k = 0; k < TML_AXES; k++) count *= case_is_free(c, k) ? 3 : 1;
    for (int mix = 0; mix < count; mix++) {
        int digits = mix;
        for (int k = 0; k < TML_AXES; k++) {
            c->actuation[k] = TML_PASSIVE;
            if (!case_is_free(c, k)) continue;
            c->actuation[k] = (tml_actuation)(digits % 3);
            digits /= 3;
        }
        const int before = check_failures;
        visit(c, r);
        if (check_failures > before) case_print(c);
        if (check_failures > 10) break;
    }
    return count;
}

// The catalogue by name, then every subset of slides with every order of turns; answers how many
// joints that made. Stops after ten failures.
static inline int visit_all_joints(case_visitor* visit, random_source* r)
{
    int count = 0;
    for (int kind = 0; kind < TML_JOINT_KINDS && check_failures <= 10; kind++) {
        joint_case c = {.kind = (tml_joint_kind)kind,
                        .slides = tml_joint_kind_slides((tml_joint_kind)kind),
                        .turns = tml_joint_kind_turns((tml_joint_kind)kind)};
        count += visit_mixes(&c, visit, r);
    }
    for (int s = 0; s < 8; s++) {
        for (int t = 0; t < 16 && check_failures <= 10; t++) {
            joint_case c = {
                .kind = TML_JOINT_CUSTOM, .slides = all_slides[s], .turns = all_turns[t]};
            count += visit_mixes(&c, visit, r);
        }
    }
    return count;
}

// ---- one joint, built

typedef struct joint_sample {
    tml_spec* spec;
    tml_model* model;
    const joint_data* j;
    joint_rows rows;
    drive targets[TML_AXES];
    joint_turn turn;
    double coordinates[TML_AXES];  // where `sample_assemble` puts the bodies
    rigid F, B;
} joint_sample;

static inline void set_axes(random_source* r, tml_vec3 axes[3])
{
    const mat3 A = q_matrix(random_quat(r));
    for (int k = 0; k < 3; k++) axes[k] = m3_column(A, k);
}

static inline tml_body add_any_body(tml_spec* spec, random_source* r)
{
    tml_body_def def = tml_body_def_default();
    def.com = random_vec3(r, 0.3);
    def.pose = (tml_pose){random_vec3(r, 0.5), random_quat(r)};
    return tml_spec_add_body(spec, &def);
}

// The definition of a case between two bodies, with frames of its own on each.
static inline tml_joint_def case_definition(const joint_case* c, tml_body base, tml_body follower,
                                            random_source* r)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = c->kind;
    if (c->kind == TML_JOINT_CUSTOM) {
        strcpy(def.free_translation, c->slides);
        strcpy(def.free_rotation, c->turns);
    }
    def.base = base;
    def.follower = follower;
    def.position = random_vec3(r, 0.5);
    def.has_axes = 1;
    set_axes(r, def.axes);
    def.has_follower_frame = 1;
    def.follower_position = random_vec3(r, 0.5);
    def.has_follower_axes = 1;
    set_axes(r, def.follower_axes);
    for (int k = 0; k < TML_AXES; k++) def.axis_of[k].actuation = c->actuation[k];
    return def;
}

static inline bool sample_create(const joint_case* c, random_source* r, joint_sample* out)
{
    *out = (joint_sample){.spec = tml_spec_create()};
    const tml_body base = add_any_body(out->spec, r);
    const tml_body follower = add_any_body(out->spec, r);
    const tml_joint_def def = case_definition(c, base, follower, r);
    tml_spec_add_joint(out->spec, &def);
    if (tml_spec_build(out->spec, &out->model) != TML_OK) {
        printf("%s\n", tml_spec_message(out->spec));
        CHECK(out->model != NULL);
        return false;
    }
    out->j = &out->model->joints[0];
    tml__joint_rows(out->j, &out->rows);
    return true;
}

static inline void sample_destroy(joint_sample* s)
{
    tml_model_destroy(s->model);
    tml_spec_destroy(s->spec);
}

static inline void sample_turn(joint_sample* s)
{
    tml__joint_turn(s->j, &s->rows, s->targets, &s->turn);
}

// Targets anywhere, angles over several turns. The middle one of three rotations keeps away from
// gimbal lock, where the angles do not exist.
static inline void sample_any_targets(joint_sample* s, random_source* r)
{
    for (int k = 0; k < TML_AXES; k++) {
        const bool is_middle = s->j->turn_count == 3 && k == 3 + s->j->turn[1];
        const double range = k < 3 ? 0.5 : is_middle ? 0.8 : 9.0;
        const bool is_driven = s->j->axis[k].is_free && s->j->axis[k].actuation == TML_POSITION;
        s->targets[k] = (drive){0};
        if (is_driven) s->targets[k].value = random_between(r, -range, range);
        s->coordinates[k] = 0.0;
        if (is_driven) s->coordinates[k] = s->targets[k].value;
        if (!is_driven && s->j->axis[k].is_free) {
            s->coordinates[k] = random_between(r, -range, range);
        }
    }
    sample_turn(s);
}

static inline rigid rigid_at(vec3 c, quat q) { return (rigid){.c = c, .q = q, .R = q_matrix(q)}; }

// A body moved by a world translation and a world rotation vector.
static inline rigid rigid_moved(const rigid* b, vec3 dc, vec3 dphi)
{
    rigid out = rigid_at(v3_add(b->c, dc), q_turn(b->q, dphi));
    out.v = b->v;
    out.omega = b->omega;
    return out;
}

// The rotation of the follower's axes seen from the base's, and the direction of each free
// rotation's axis in the base's axes.
static inline mat3 relative_rotation(const joint_data* j, const double coordinates[TML_AXES],
                                     vec3 direction[3])
{
    mat3 M = m3_identity();
    for (int n = 0; n < j->turn_count; n++) {
        const int letter = j->turn[n];
        const double c = cos(coordinates[3 + letter]);
        const double s = sin(coordinates[3 + letter]);
        const int y = (letter + 1) % 3;
        const int z = (letter + 2) % 3;
        mat3 R = m3_identity();
        R.m[y][y] = c;
        R.m[y][z] = -s;
        R.m[z][y] = s;
        R.m[z][z] = c;
        if (direction != NULL) direction[letter] = m3_column(M, letter);
        M = m3_mul(M, R);
    }
    return M;
}

// Where the follower stands when the base stands at B and the joint at its coordinates.
static inline rigid follower_of(const joint_data* j, const double coordinates[TML_AXES],
                                const rigid* B)
{
    const mat3 axes_B = m3_mul(B->R, j->axes_B);
    const mat3 M = relative_rotation(j, coordinates, NULL);
    const mat3 R_F = m3_mul_bt(m3_mul(axes_B, M), j->axes_F);
    const vec3 slide = m3_apply(axes_B, v3_load(coordinates));
    const vec3 point_B = v3_add(B->c, m3_apply(B->R, j->point_B));

    rigid F = rigid_at(v3_zero(), tml__q_from_matrix(R_F));
    F.c = v3_sub(v3_add(point_B, slide), m3_apply(F.R, j->point_F));
    return F;
}

// The base anywhere, the follower where the coordinates say.
static inline void sample_assemble(joint_sample* s, random_source* r)
{
    s->B = rigid_at(random_vec3(r, 0.5), random_quat(r));
    s->F = follower_of(s->j, s->coordinates, &s->B);
}

// Away from the joint's manifold, near enough for angles to stay on their branch.
static inline void sample_open(joint_sample* s, random_source* r)
{
    s->F = rigid_moved(&s->F, random_vec3(r, 0.2), random_vec3(r, 0.1));
    s->B = rigid_moved(&s->B, random_vec3(r, 0.2), random_vec3(r, 0.1));
}

static inline void sample_frame(const joint_sample* s, const rigid* F, const rigid* B,
                                joint_frame* out)
{
    tml__joint_frame(s->j, &s->turn, F, B, out);
}

static inline row_value sample_row(const joint_sample* s, int row, const joint_frame* frame)
{
    const joint_row* which = &s->rows.row[row];
    return tml__row_eval(s->j, which, frame, &s->targets[which->axis]);
}

// ---- motions of the two bodies, as twelve numbers: dc and dphi of the follower, then of the base

enum {
    MOTION = 12
};

static inline void gradient_flat(const rigid_gradient* g, double out[MOTION])
{
    v3_store(out, g->n);
    v3_store(out + 3, g->t_F);
    v3_store(out + 6, v3_neg(g->n));
    v3_store(out + 9, g->t_B);
}

static inline double along(const double a[MOTION], const double b[MOTION])
{
    double sum = 0.0;
    for (int k = 0; k < MOTION; k++) sum += a[k] * b[k];
    return sum;
}

// Both bodies moved by `amount` along one of the twelve directions.
static inline void sample_displaced(const joint_sample* s, int direction, double amount, rigid* F,
                                    rigid* B)
{
    double motion[MOTION] = {0};
    motion[direction] = amount;
    *F = rigid_moved(&s->F, v3_load(motion), v3_load(motion + 3));
    *B = rigid_moved(&s->B, v3_load(motion + 6), v3_load(motion + 9));
}

// The motion that changes one free coordinate at unit rate and nothing else, the base at rest.
static inline void free_motion(const joint_sample* s, const joint_frame* frame, int axis,
                               double out[MOTION])
{
    memset(out, 0, MOTION * sizeof *out);
    if (axis < 3) {
        v3_store(out, frame->B.axis[axis]);
        return;
    }
    vec3 direction[3];
    relative_rotation(s->j, s->coordinates, direction);
    const mat3 axes_B = m3_mul(s->B.R, s->j->axes_B);
    const vec3 spin = m3_apply(axes_B, direction[axis - 3]);
    v3_store(out, v3_cross(frame->r_F, spin));  // the follower turns about the joint's point
    v3_store(out + 3, spin);
}

// Both bodies moving as one: unit translation or rotation about the world's origin.
static inline void common_motion(const joint_sample* s, int direction, double out[MOTION])
{
    const vec3 e = v3_unit(direction % 3);
    const bool turns = direction >= 3;
    v3_store(out, turns ? v3_cross(e, s->F.c) : e);
    v3_store(out + 3, turns ? e : v3_zero());
    v3_store(out + 6, turns ? v3_cross(e, s->B.c) : e);
    v3_store(out + 9, turns ? e : v3_zero());
}

#endif
