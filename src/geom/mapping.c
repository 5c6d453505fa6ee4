// geom/mapping.c - points that follow points and frames.
#include "geom/mapping.h"

#include <math.h>
#include <string.h>

enum {
    PLACE_OF_FRAME = 7,
    MOTION_OF_FRAME = 6
};

int tml__mapping_places(const mapping* m)
{
    return m->input_count * (m->kind == MAPPING_FRAMES ? PLACE_OF_FRAME : 3);
}

int tml__mapping_motions(const mapping* m)
{
    return m->input_count * (m->kind == MAPPING_FRAMES ? MOTION_OF_FRAME : 3);
}

// From the frame's origin to the point, world axes.
static vec3 lever_of(const mapping_term* t, const double* q)
{
    const double* pose = &q[PLACE_OF_FRAME * t->input];
    return q_rotate((quat){pose[3], pose[4], pose[5], pose[6]}, t->point);
}

static vec3 place_of(const mapping* m, const mapping_term* t, const double* q)
{
    if (m->kind == MAPPING_POINTS) return v3_load(&q[3 * t->input]);
    return v3_add(v3_load(&q[PLACE_OF_FRAME * t->input]), lever_of(t, q));
}

static vec3 turning_of(const mapping_term* t, const double* v)
{
    return v3_load(&v[MOTION_OF_FRAME * t->input + 3]);
}

static vec3 velocity_of(const mapping* m, const mapping_term* t, const double* q, const double* v)
{
    if (m->kind == MAPPING_POINTS) return v3_load(&v[3 * t->input]);
    return v3_add(v3_load(&v[MOTION_OF_FRAME * t->input]),
                  v3_cross(turning_of(t, v), lever_of(t, q)));
}

static void add(double* to, vec3 a) { v3_store(to, v3_add(v3_load(to), a)); }

void tml__mapping_apply(const mapping* m, const double* q, double* x)
{
    for (int i = 0; i < m->output_count; i++) {
        vec3 sum = v3_zero();
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            sum = v3_axpy(sum, m->terms[k].weight, place_of(m, &m->terms[k], q));
        }
        v3_store(&x[3 * i], sum);
    }
}

void tml__mapping_push(const mapping* m, const double* q, const double* v, double* out)
{
    for (int i = 0; i < m->output_count; i++) {
        vec3 sum = v3_zero();
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            sum = v3_axpy(sum, m->terms[k].weight, velocity_of(m, &m->terms[k], q, v));
        }
        v3_store(&out[3 * i], sum);
    }
}

void tml__mapping_pull(const mapping* m, const double* q, const double* f, double* out)
{
    memset(out, 0, (size_t)tml__mapping_motions(m) * sizeof(double));
    for (int i = 0; i < m->output_count; i++) {
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            const mapping_term* t = &m->terms[k];
            const vec3 force = v3_scale(t->weight, v3_load(&f[3 * i]));
            if (m->kind == MAPPING_POINTS) {
                add(&out[3 * t->input], force);
                continue;
            }
            add(&out[MOTION_OF_FRAME * t->input], force);
            add(&out[MOTION_OF_FRAME * t->input + 3], v3_cross(lever_of(t, q), force));
        }
    }
}

// omega x (omega x r)
void tml__mapping_bias(const mapping* m, const double* q, const double* v, double* out)
{
    memset(out, 0, 3 * (size_t)m->output_count * sizeof(double));
    for (int i = 0; i < m->output_count && m->kind == MAPPING_FRAMES; i++) {
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            const mapping_term* t = &m->terms[k];
            const vec3 omega = turning_of(t, v);
            add(&out[3 * i], v3_scale(t->weight, v3_cross(omega, v3_cross(omega, lever_of(t, q)))));
        }
    }
}

// The torque r x f turns with r: (dphi x r) x f.
void tml__mapping_bend(const mapping* m, const double* q, const double* f, const double* u,
                       double* out)
{
    memset(out, 0, (size_t)tml__mapping_motions(m) * sizeof(double));
    for (int i = 0; i < m->output_count && m->kind == MAPPING_FRAMES; i++) {
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            const mapping_term* t = &m->terms[k];
            const vec3 force = v3_scale(t->weight, v3_load(&f[3 * i]));
            const vec3 turned = v3_cross(turning_of(t, u), lever_of(t, q));
            add(&out[MOTION_OF_FRAME * t->input + 3], v3_cross(turned, force));
        }
    }
}

bool tml__barycentric(const vec3 corner[4], vec3 x, double weight[4])
{
    vec3 edge[3];
    for (int k = 0; k < 3; k++) edge[k] = v3_sub(corner[k + 1], corner[0]);
    const vec3 d = v3_sub(x, corner[0]);
    const double volume = v3_dot(v3_cross(edge[0], edge[1]), edge[2]);
    const double size = v3_norm(edge[0]) * v3_norm(edge[1]) * v3_norm(edge[2]);
    if (!(fabs(volume) > 1e-12 * size)) return false;
    weight[1] = v3_dot(v3_cross(d, edge[1]), edge[2]) / volume;
    weight[2] = v3_dot(v3_cross(edge[0], d), edge[2]) / volume;
    weight[3] = v3_dot(v3_cross(edge[0], edge[1]), d) / volume;
    weight[0] = 1.0 - weight[1] - weight[2] - weight[3];
    return true;
}
