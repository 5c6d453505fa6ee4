// sim/sensor.c - what sensors say of the accepted state, from what anybody may ask about it.
#include "sim/sensor.h"

#include "force/axis.h"
#include "geom/sight.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "model/sensor.h"

#include <trammel/contact.h>
#include <trammel/state.h>

#include <math.h>
#include <string.h>

// ---- the velocities before the last step

static twist node_motion(const double* x, const double* v)
{
    const quat q = {x[3], x[4], x[5], x[6]};
    const quat w = {v[3], v[4], v[5], v[6]};
    return (twist){v3_scale(2.0 / q_dot(q, q), q_G(q, w)), v3_load(v)};
}

size_t tml__sensors_width(const tml_model* m)
{
    for (int i = 0; i < m->all.sensor_count; i++) {
        if (tml__sensor_accelerates(m->all.sensors[i].kind)) return 6 * (size_t)m->node_count + 1;
    }
    return 0;
}

void tml__sensors_note(tml_sim* sim)
{
    const int nodes = sim->model->node_count;
    if (tml__sensors_width(sim->model) == 0) return;
    for (int n = 0; n < nodes; n++) {
        const twist u =
            node_motion(&sim->past_q[0][n * POSE_WIDTH], &sim->past_v[0][n * POSE_WIDTH]);
        v3_store(&sim->before[6 * n], u.v);
        v3_store(&sim->before[6 * n + 3], u.omega);
    }
    sim->before[6 * nodes] = 1.0;
}

void tml__sensors_forget(tml_sim* sim)
{
    if (sim->before != NULL && tml__sensors_width(sim->model) > 0) {
        sim->before[6 * sim->model->node_count] = 0.0;
    }
}

// ---- frames

// A frame, how it moves, and how that has changed over the last step.
typedef struct moving_frame {
    pose at;
    vec3 velocity, omega;
    vec3 acceleration, alpha;
} moving_frame;

// Of the centre of mass and of the turn: means over the last step.
static void find_acceleration(const tml_sim* sim, int node, vec3* linear, vec3* angular)
{
    const int nodes = sim->model->node_count;
    *linear = *angular = v3_zero();
    if (tml__sensors_width(sim->model) == 0 || !(sim->before[6 * nodes] > 0.0)) return;
    const twist now =
        node_motion(&sim->past_q[0][node * POSE_WIDTH], &sim->past_v[0][node * POSE_WIDTH]);
    const double rate = 1.0 / sim->settings.step;
    *linear = v3_scale(rate, v3_sub(now.v, v3_load(&sim->before[6 * node])));
    *angular = v3_scale(rate, v3_sub(now.omega, v3_load(&sim->before[6 * node + 3])));
}

static moving_frame frame_of(const tml_sim* sim, tml_body body, const tml_pose* local)
{
    const pose in = {local->p, local->q};
    moving_frame f = {.at = in};
    if (body.index < 0) return f;
    const tml_pose of = tml_sim_pose(sim, body);
    const tml_velocity u = tml_sim_velocity(sim, body);
    const body_data* b = &sim->model->bodies[body.index];
    f.at = pose_mul((pose){of.p, of.q}, in);
    f.omega = u.angular;
    f.velocity = v3_add(u.linear, v3_cross(u.angular, v3_sub(f.at.p, of.p)));
    if (b->node < 0) return f;
    vec3 linear;
    find_acceleration(sim, b->node, &linear, &f.alpha);
    const vec3 r = v3_sub(f.at.p, v3_add(of.p, q_rotate(of.q, b->com)));
    f.acceleration =
        v3_add(v3_add(linear, v3_cross(f.alpha, r)), v3_cross(f.omega, v3_cross(f.omega, r)));
    return f;
}

static vec3 within(const moving_frame* f, vec3 world) { return q_rotate(q_conj(f->at.q), world); }

// ---- loads

// What carries the body pushes it with, about the frame's origin, in the axes of the frame.
static void find_load(const tml_sim* sim, const tml_sensor_def* s, const moving_frame* f,
                      vec3* force, vec3* torque)
{
    const tml_joint joint = {tml__sensor_carrier(&sim->model->all, s->body.index)};
    const tml_load load = tml_sim_joint_load(sim, joint);
    const joint_entry* entry = &sim->model->all.joints[joint.index];
    tml_pose base = {.q = {1.0, 0.0, 0.0, 0.0}};
    tml_pose in_base;
    tml_pose in_follower;
    tml_model_joint_frames(sim->model, joint, &in_base, &in_follower);
    if (entry->base.index >= 0) base = tml_sim_pose(sim, entry->base);
    const tml_pose of = tml_sim_pose(sim, s->body);
    const quat axes = q_mul(base.q, in_base.q);
    const vec3 point = v3_add(of.p, q_rotate(of.q, in_follower.p));
    const vec3 F = q_rotate(axes, load.force);
    const vec3 M = q_rotate(axes, load.moment);
    *force = within(f, F);
    *torque = within(f, v3_add(M, v3_cross(v3_sub(point, f->at.p), F)));
}

static bool is_inside(const tml_shape_def* zone, pose at, vec3 point)
{
    const vec3 p = pose_apply(pose_inverse(at), point);
    const vec3 s = zone->size;
    const double h = 0.5 * s.z;
    const double across = sqrt(p.x * p.x + p.y * p.y);
    switch ((int)zone->kind) {
    case TML_SHAPE_SPHERE: return v3_norm(p) <= s.x;
    case TML_SHAPE_ELLIPSOID: return v3_norm(v3(p.x / s.x, p.y / s.y, p.z / s.z)) <= 1.0;
    case TML_SHAPE_BOX: return fabs(p.x) <= 0.5 * s.x && fabs(p.y) <= 0.5 * s.y && fabs(p.z) <= h;
    case TML_SHAPE_CYLINDER: return across <= s.x && fabs(p.z) <= h;
    case TML_SHAPE_CAPSULE: return v3_norm(v3(p.x, p.y, fmax(0.0, fabs(p.z) - h))) <= s.x;
    default: return false;
    }
}

static tml_shape_def zone_of(const tml_sensor_def* s)
{
    tml_shape_def zone = tml_shape_def_default();
    zone.kind = s->zone;
    zone.size = s->zone_size;
    return zone;
}

// The normal forces that push the body where the line of the push, drawn outwards, meets the zone.
static double touch(const tml_sim* sim, const tml_sensor_def* s, const moving_frame* f)
{
    const tml_shape_def zone = zone_of(s);
    double sum = 0.0;
    for (int i = 0; i < tml_sim_contact_count(sim); i++) {
        const tml_contact c = tml_sim_contact(sim, i);
        if (c.deformable >= 0) continue;
        const bool is_a = c.a.index == s->body.index;
        if (!is_a && c.b.index != s->body.index) continue;
        const vec3 outwards = is_a ? v3_neg(c.normal) : c.normal;
        const bool is_met =
            is_inside(&zone, f->at, c.point) || tml__sight(&zone, f->at, c.point, outwards) >= 0.0;
        if (is_met) sum += v3_dot(c.force, c.normal);
    }
    return sum;
}

static double nearest(const tml_shape_def* shapes, int count, pose of, vec3 from, vec3 along,
                      double best)
{
    for (int i = 0; i < count; i++) {
        const pose at = pose_mul(of, (pose){shapes[i].pose.p, shapes[i].pose.q});
        const double t = tml__sight(&shapes[i], at, from, along);
        if (t >= 0.0 && (best < 0.0 || t < best)) best = t;
    }
    return best;
}

static double range(const tml_sim* sim, const tml_sensor_def* s, const moving_frame* f)
{
    const definitions* all = &sim->model->all;
    const vec3 along = q_column(f->at.q, 2);
    double best = -1.0;
    if (s->body.index >= 0) {
        best = nearest(all->world_shapes, all->world_shape_count, pose_identity(), f->at.p, along,
                       best);
    }
    for (int i = 0; i < all->body_count; i++) {
        if (i == s->body.index) continue;
        const tml_pose of = tml_sim_pose(sim, (tml_body){i});
        best = nearest(all->bodies[i].shapes, all->bodies[i].shape_count, (pose){of.p, of.q},
                       f->at.p, along, best);
    }
    return best;
}

// ---- joints and paths

static double on_axis(const tml_sim* sim, const tml_sensor_def* s)
{
    tml_axis axes[TML_AXES];
    double q[TML_AXES] = {0.0};
    double rates[TML_AXES] = {0.0};
    const int count = tml_model_joint_axes(sim->model, s->joint, axes);
    const axis_data* a = &sim->model->joints[s->joint.index].axis[s->axis];
    tml_sim_joint_coordinates(sim, s->joint, q);
    tml_sim_joint_rates(sim, s->joint, rates);
    for (int k = 0; k < count; k++) {
        if (axes[k] != s->axis) continue;
        if (s->kind == TML_SENSOR_COORDINATE) return q[k];
        if (s->kind == TML_SENSOR_RATE) return rates[k];
        drive control = {0};
        if (a->control_index >= 0) control.value = sim->controls[a->control_index];
        const drive servo = tml__control_eval(&a->servo_target, sim->time);
        return tml__axis_drive(a, q[k], rates[k], &control, &servo);
    }
    return 0.0;
}

static double path(const tml_sim* sim, const tml_sensor_def* s)
{
    const tml_spring_def* spring = &sim->model->all.springs[s->spring];
    double sum = 0.0;
    moving_frame last = {.at = pose_identity()};
    for (int i = 0; i < spring->point_count; i++) {
        const tml_pose local = {.p = spring->points[i].position, .q = {1.0, 0.0, 0.0, 0.0}};
        const moving_frame here = frame_of(sim, spring->points[i].body, &local);
        const vec3 d = v3_sub(here.at.p, last.at.p);
        const double length = v3_norm(d);
        const double rate =
            length > 0.0 ? v3_dot(d, v3_sub(here.velocity, last.velocity)) / length : 0.0;
        if (i > 0) sum += s->kind == TML_SENSOR_LENGTH ? length : rate;
        last = here;
    }
    return sum;
}

// ---- subtrees

static bool hangs_on(const definitions* all, int body, int root)
{
    for (int k = 0; k <= all->body_count && body >= 0; k++) {
        if (body == root) return true;
        const int joint = tml__sensor_carrier(all, body);
        if (joint < 0) return false;
        body = all->joints[joint].base.index;
    }
    return false;
}

static vec3 subtree(const tml_sim* sim, const tml_sensor_def* s)
{
    const definitions* all = &sim->model->all;
    double mass = 0.0;
    vec3 moment = v3_zero();
    vec3 momentum = v3_zero();
    vec3 spin = v3_zero();  // about the world's origin
    for (int i = 0; i < all->body_count; i++) {
        if (!hangs_on(all, i, s->body.index)) continue;
        const body_data* b = &sim->model->bodies[i];
        const tml_pose of = tml_sim_pose(sim, (tml_body){i});
        const tml_velocity u = tml_sim_velocity(sim, (tml_body){i});
        const vec3 arm = q_rotate(of.q, b->com);
        const vec3 c = v3_add(of.p, arm);
        const vec3 p = v3_scale(b->mass, v3_add(u.linear, v3_cross(u.angular, arm)));
        const vec3 omega = q_rotate(q_conj(of.q), u.angular);
        mass += b->mass;
        moment = v3_axpy(moment, b->mass, c);
        momentum = v3_add(momentum, p);
        spin = v3_add(spin, v3_add(v3_cross(c, p), q_rotate(of.q, m3_apply(b->inertia, omega))));
    }
    if (!(mass > 0.0)) return v3_zero();
    const vec3 com = v3_scale(1.0 / mass, moment);
    if (s->kind == TML_SENSOR_SUBTREE_COM) return com;
    if (s->kind == TML_SENSOR_SUBTREE_LINEAR_VELOCITY) return v3_scale(1.0 / mass, momentum);
    return v3_sub(spin, v3_cross(com, momentum));
}

// ---- all of them

// What a frame looks like from another, which may move.
static void seen_from(const moving_frame* r, moving_frame* f)
{
    const vec3 d = v3_sub(f->at.p, r->at.p);
    const vec3 velocity = v3_sub(v3_sub(f->velocity, r->velocity), v3_cross(r->omega, d));
    f->velocity = within(r, velocity);
    f->omega = within(r, v3_sub(f->omega, r->omega));
    f->at = (pose){within(r, d), q_mul(q_conj(r->at.q), f->at.q)};
}

static vec3 vector_of(const tml_sim* sim, const tml_sensor_def* s, const moving_frame* f)
{
    vec3 force;
    vec3 torque;
    const vec3 felt = v3_sub(f->acceleration, tml_sim_gravity(sim));
    switch ((int)s->kind) {
    case TML_SENSOR_POSITION: return f->at.p;
    case TML_SENSOR_X_AXIS: return q_column(f->at.q, 0);
    case TML_SENSOR_Y_AXIS: return q_column(f->at.q, 1);
    case TML_SENSOR_Z_AXIS: return q_column(f->at.q, 2);
    case TML_SENSOR_LINEAR_VELOCITY: return f->velocity;
    case TML_SENSOR_ANGULAR_VELOCITY: return f->omega;
    case TML_SENSOR_LINEAR_ACCELERATION: return felt;
    case TML_SENSOR_ANGULAR_ACCELERATION: return f->alpha;
    case TML_SENSOR_VELOCIMETER: return within(f, f->velocity);
    case TML_SENSOR_GYRO: return within(f, f->omega);
    case TML_SENSOR_ACCELEROMETER: return within(f, felt);
    case TML_SENSOR_MAGNETOMETER: return within(f, s->vector);
    case TML_SENSOR_FORCE:
    case TML_SENSOR_TORQUE:
        find_load(sim, s, f, &force, &torque);
        return s->kind == TML_SENSOR_FORCE ? force : torque;
    default: return subtree(sim, s);
    }
}

static double number_of(const tml_sim* sim, const tml_sensor_def* s, const moving_frame* f,
                        const moving_frame* reference)
{
    const tml_shape_def zone = zone_of(s);
    switch ((int)s->kind) {
    case TML_SENSOR_TOUCH: return touch(sim, s, f);
    case TML_SENSOR_RANGE: return range(sim, s, f);
    case TML_SENSOR_INSIDE: return is_inside(&zone, f->at, reference->at.p) ? 1.0 : 0.0;
    case TML_SENSOR_LENGTH:
    case TML_SENSOR_LENGTH_RATE: return path(sim, s);
    case TML_SENSOR_TIME: return tml_sim_time(sim);
    case TML_SENSOR_KINETIC: return tml_sim_energy(sim).kinetic;
    case TML_SENSOR_POTENTIAL: return tml_sim_energy(sim).potential;
    default: return on_axis(sim, s);
    }
}

int tml_sim_sensor(const tml_sim* sim, int index, double out[TML_SENSOR_WIDTH])
{
    if (sim == NULL || out == NULL || sim->is_dead) return 0;
    const tml_sensor_def* s = tml_model_sensor(sim->model, index);
    if (s == NULL) return 0;
    const int width = tml_sensor_width(s->kind);
    moving_frame f = frame_of(sim, s->body, &s->pose);
    moving_frame reference = {.at = pose_identity()};
    if (s->has_reference) reference = frame_of(sim, s->reference, &s->reference_pose);
    const bool is_seen = s->has_reference && s->kind <= TML_SENSOR_ANGULAR_VELOCITY;
    if (is_seen) seen_from(&reference, &f);
    if (width == 1) {
        out[0] = number_of(sim, s, &f, &reference);
    } else if (width == 3) {
        v3_store(out, vector_of(sim, s, &f));
    } else {
        const quat q = f.at.q;
        memcpy(out, (const double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *out);
    }
    for (int k = 0; k < width; k++) {
        out[k] *= s->scale;
        if (s->cutoff > 0.0) out[k] = fmin(fmax(out[k], -s->cutoff), s->cutoff);
    }
    return width;
}
