// test/method/quaternion/evaluate.c - forces against energy, loads against forces, readout.
#include "force/axis.h"
#include "test/difference.h"
#include "test/method/quaternion/scene.h"

// Rates of the stage at the iterate, so that bodies have velocities.
static void place_moving(scene* s)
{
    maximal_system* q = s->system;
    double v[SCENE_BODIES * POSE_WIDTH];
    const double g = s->stage.c_v / s->stage.c_q;
    for (int i = 0; i < q->node_count * POSE_WIDTH; i++) {
        v[i] = s->v_hat[i] + g * (q->x[i] - s->q_hat[i]);
    }
    tml__maximal_place(q, q->x, v);
    tml__maximal_rows(q);
    tml__maximal_forces(q);
}

// ---- energy

// A model is immutable, so what has no energy is taken out of the definitions beforehand: motors,
// dampers, servos, wrenches and drag.
static void remove_what_has_no_energy(tml_spec* spec)
{
    definitions* all = &spec->all;
    for (int i = 0; i < all->joint_count; i++) {
        for (int k = 0; k < TML_AXES && all->joints[i].axis_of != NULL; k++) {
            tml_joint_axis* a = &all->joints[i].axis_of[k];
            if (a->actuation == TML_FORCE) {
                a->actuation = TML_PASSIVE;
                a->control = (tml_control){.kind = TML_CONTROL_NONE};
            }
            a->damping = 0.0;
            a->has_servo = 0;
        }
    }
    for (int i = 0; i < all->spring_count; i++) {
        all->springs[i].damping = 0.0;
        all->springs[i].force = (tml_control){.kind = TML_CONTROL_NONE};
    }
    all->wrench_count = 0;
    all->drag_count = 0;
}

static double potential_at(scene* s, const double* x)
{
    double kinetic;
    double potential;
    tml__maximal_place(s->system, x, NULL);
    tml__maximal_energy(s->system, &kinetic, &potential);
    CHECK(kinetic == 0.0);
    return potential;
}

static void check_energy(scene* s)
{
    maximal_system* q = s->system;
    const double step = 0x1p-10;
    double x[SCENE_BODIES * POSE_WIDTH];
    double forces[6 * SCENE_BODIES];
    slope all = {0};
    tml__maximal_place(q, q->x, NULL);
    tml__maximal_forces(q);
    for (int n = 0; n < q->node_count; n++) {
        v3_store(&forces[6 * n], q->force[s->model->node_body[n]]);
        v3_store(&forces[6 * n + 3], q->torque[s->model->node_body[n]]);
    }
    memcpy(x, q->x, sizeof(double) * POSE_WIDTH * (size_t)q->node_count);
    for (int k = 0; k < 6 * q->node_count; k++) {
        double* at = &x[k / 6 * POSE_WIDTH];
        const double* from = &q->x[k / 6 * POSE_WIDTH];
        double motion[6] = {0};
        double quotient[2];
        motion[k % 6] = 1.0;
        for (int half = 0; half < 2; half++) {
            const double e = half ? 0.5 * step : step;
            tml__maximal_displace(at, from, motion, e);
            const double plus = potential_at(s, x);
            tml__maximal_displace(at, from, motion, -e);
            quotient[half] = (plus - potential_at(s, x)) / (2.0 * e);
        }
        memcpy(at, from, POSE_WIDTH * sizeof *at);
        slope_add(&all, -forces[k], quotient[0], quotient[1]);
    }
    // energies of 300 J, rounded to 6e-14, over 0x1p-10; e^4 / 480 = 2e-15 times a fifth
    // derivative of 1e5 where three rotations come near gimbal lock
    CHECK_SLOPE("energy", &all, 2e-9, 1e-9);
}

TEST(forces_are_minus_the_gradient_of_the_potential_energy)
{
    for (uint64_t salt = 0; salt < 6; salt++) {
        scene s;
        if (!scene_prepare(&s, 151 + salt)) return;
        remove_what_has_no_energy(s.spec);
        if (!scene_finish(&s)) return;
        check_energy(&s);
        scene_destroy(&s);
    }
}

TEST(kinetic_energy_is_that_of_the_velocities)
{
    scene s;
    if (!scene_create(&s, 161)) return;
    place_moving(&s);
    double expected = 0.0;
    double kinetic;
    double potential;
    for (int n = 0; n < s.system->node_count; n++) {
        const int b = s.model->node_body[n];
        const rigid* body = &s.system->bodies[b];
        const mat3 J = m3_mul_bt(m3_mul(body->R, s.model->bodies[b].inertia), body->R);
        expected += 0.5 * s.model->bodies[b].mass * v3_dot(body->v, body->v);
        expected += 0.5 * v3_dot(body->omega, m3_apply(J, body->omega));
    }
    tml__maximal_energy(s.system, &kinetic, &potential);
    CHECK(expected > 0.1);
    CHECK_NEAR(kinetic, expected, 1e-13 * expected);  // the same sum in another order
    scene_destroy(&s);
}

// ---- loads

// What the joints' loads do to the bodies, carried from the follower's point to both of them.
static void apply_loads(const scene* s, const joint_load* loads, double* out)
{
    const tml_model* m = s->model;
    for (int j = 0; j < m->all.joint_count; j++) {
        const joint_frame* frame = &s->system->frames[j];
        vec3 force = v3_zero();
        vec3 moment = v3_zero();
        for (int k = 0; k < 3; k++) {
            force = v3_axpy(force, v3_at(loads[j].force, k), frame->B.axis[k]);
            moment = v3_axpy(moment, v3_at(loads[j].moment, k), frame->B.axis[k]);
        }
        const int bodies[2] = {m->joints[j].follower, m->joints[j].base};
        for (int side = 0; side < 2; side++) {
            const int node = m->bodies[bodies[side]].node;
            if (node < 0) continue;
            const double sign = side == 0 ? 1.0 : -1.0;
            const vec3 arm = v3_sub(frame->F.point, s->system->bodies[bodies[side]].c);
            double* at = &out[6 * node];
            const vec3 torque = v3_add(moment, v3_cross(arm, force));
            v3_store(at, v3_axpy(v3_load(at), sign, force));
            v3_store(at + 3, v3_axpy(v3_load(at + 3), sign, torque));
        }
    }
}

// The forces that do not pass through joints.
static void apply_outside(const scene* s, double* out)
{
    const tml_model* m = s->model;
    maximal_system* q = s->system;
    for (int n = 0; n < q->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        v3_store(&out[6 * n], v3_axpy(v3_load(&out[6 * n]), body->mass, m->all.gravity));
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        tml__spring_eval(&m->springs[i], q->bodies, q->t, &q->spring);
        for (int p = 0; p < m->springs[i].point_count; p++) {
            const int node = m->bodies[m->springs[i].body[p]].node;
            if (node < 0) continue;
            double* at = &out[6 * node];
            const vec3 f = tml__spring_force(&q->spring, p);
            v3_store(at, v3_add(v3_load(at), f));
            v3_store(at + 3, v3_add(v3_load(at + 3), v3_cross(q->spring.r[p], f)));
        }
    }
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        const int node = m->bodies[w->body].node;
        if (node < 0) continue;
        double* at = &out[6 * node];
        double f[3];
        double t[3];
        for (int k = 0; k < 3; k++) {
            f[k] = tml__control_eval(&w->force[k], q->t).value;
            t[k] = tml__control_eval(&w->torque[k], q->t).value;
        }
        const vec3 arm = q_rotate(q->bodies[w->body].q, w->point);
        v3_store(at, v3_add(v3_load(at), v3_load(f)));
        v3_store(at + 3, v3_add(v3_load(at + 3), v3_add(v3_load(t), v3_cross(arm, v3_load(f)))));
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        const int node = m->bodies[d->body.index].node;
        if (node < 0) continue;
        const rigid* b = &q->bodies[d->body.index];
        double* at = &out[6 * node];
        v3_store(at, v3_axpy(v3_load(at), -d->linear, v3_sub(b->v, d->wind)));
        v3_store(at + 3, v3_axpy(v3_load(at + 3), -d->angular, b->omega));
    }
}

// Rows, motors, springs, servos, limits and couplings: all that joints transmit, and nothing else.
TEST(joint_loads_and_outside_forces_are_all_that_acts)
{
    for (uint64_t salt = 0; salt < 8; salt++) {
        scene s;
        if (!scene_create(&s, 171 + salt)) return;
        double acts[6 * SCENE_BODIES] = {0};
        double sum[6 * SCENE_BODIES] = {0};
        joint_load loads[SCENE_JOINTS];
        place_moving(&s);
        tml__maximal_subtract_rows(s.system, s.system->lambda, acts);
        tml__maximal_joint_loads(s.system, s.system->lambda, loads);
        apply_loads(&s, loads, sum);
        apply_outside(&s, sum);
        for (int i = 0; i < 6 * s.system->node_count; i++) {
            CHECK_NEAR(sum[i], -acts[i], 4e-13);  // sums of a dozen numbers up to 100
        }
        scene_destroy(&s);
    }
}

// ---- rows of coordinates

TEST(couplings_and_limits_are_functions_of_coordinates)
{
    scene s;
    if (!scene_create(&s, 185)) return;
    const maximal_system* q = s.system;
    const tml_model* m = s.model;
    int active = 0;
    tml__maximal_place(s.system, q->x, NULL);
    tml__maximal_rows(s.system);
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        double expected = c->offset;
        for (int t = 0; t < c->term_count; t++) {
            const tml_coupling_term* term = &c->terms[t];
            const double value = tml__maximal_coordinate(q, term->joint.index, term->axis);
            for (int d = 0; d < term->degree; d++) {
                expected += term->coefficient[d] * pow(value, d + 1);
            }
        }
        CHECK_NEAR(q->C[q->first_coupling + i], expected, 4e-15 * (1.0 + fabs(expected)));
    }
    for (int i = 0; i < q->limit_count; i++) {
        const limit_row* limit = &q->limits[i];
        const double value = tml__maximal_coordinate(q, limit->joint, limit->axis);
        const double bound = q->sides[i] == LIMIT_LOWER ? -0.5 : 0.5;  // of scene_fill_axes
        if (q->sides[i] == LIMIT_OFF) {
            CHECK(q->C[limit->row] == 0.0);
            continue;
        }
        active++;
        if (limit->side == LIMIT_OFF) {
            CHECK_NEAR(q->C[limit->row], value - bound, 1e-15);
            continue;
        }
        // of an angle of a ball it is r sin(angle - bound), r at most 1: joint_coordinate has r
        const double turn = sin(value - bound);
        CHECK(fabs(q->C[limit->row]) <= fabs(turn) + 1e-15);
        CHECK(q->C[limit->row] * turn >= 0.0);
    }
    CHECK(active > 0);
    scene_destroy(&s);
}

// ---- readout

TEST(coordinate_rates_are_the_time_derivatives_of_coordinates)
{
    scene s;
    if (!scene_create(&s, 181)) return;
    maximal_system* q = s.system;
    place_moving(&s);
    rigid moving[SCENE_BODIES];
    memcpy(moving, q->bodies, sizeof moving);
    for (int j = 0; j < s.model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (!s.model->joints[j].axis[k].is_free) continue;
            const double rate = tml__maximal_coordinate_rate(q, j, (tml_axis)k);
            double quotient[2];
            for (int half = 0; half < 2; half++) {
                const double e = half ? 0x1p-11 : 0x1p-10;
                double value[2];
                for (int side = 0; side < 2; side++) {
                    double x[SCENE_BODIES * POSE_WIDTH];
                    for (int n = 0; n < q->node_count; n++) {
                        const rigid* b = &moving[s.model->node_body[n]];
                        double motion[6];
                        v3_store(motion, b->v);
                        v3_store(motion + 3, b->omega);
                        tml__maximal_displace(&x[n * POSE_WIDTH], &q->x[n * POSE_WIDTH], motion,
                                              side == 0 ? e : -e);
                    }
                    tml__maximal_place(q, x, NULL);
                    value[side] = tml__maximal_coordinate(q, j, (tml_axis)k);
                }
                quotient[half] = (value[0] - value[1]) / (2.0 * e);
            }
            place_moving(&s);
            slope one = {0};
            slope_add(&one, rate, quotient[0], quotient[1]);
            // values around 1, over 0x1p-10; spins of 3 rad/s to the fifth power and gimbal lock
            CHECK_SLOPE(tml_axis_name((tml_axis)k), &one, 2e-12, 1e-8);
        }
    }
    scene_destroy(&s);
}

TEST(row_names_tell_joint_and_axis)
{
    scene s;
    if (!scene_create(&s, 182)) return;
    const maximal_system* q = s.system;
    char text[128];
    for (int j = 0; j < s.model->all.joint_count; j++) {
        for (int i = 0; i < q->rows[j].count; i++) {
            tml__maximal_row_name(q, q->first_row[j] + i, text, sizeof text);
            CHECK_CONTAINS(text, s.model->all.joints[j].name);
            CHECK_CONTAINS(text, tml_axis_name(q->rows[j].row[i].axis));
            CHECK_CONTAINS(text, (int)q->rows[j].row[i].axis < 3 ? "gap along" : "turn about");
        }
    }
    tml__maximal_row_name(q, q->first_coupling + 1, text, sizeof text);
    CHECK_TEXT(text, "coupling 'coupling1'");
    tml__maximal_row_name(q, q->first_limit, text, sizeof text);
    CHECK_CONTAINS(text, "limit of");
    scene_destroy(&s);
}
