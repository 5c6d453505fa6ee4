// method/partials_force.c - how springs and wrenches follow their numbers and the points where they act.
#include "method/partials_product.h"

#include <math.h>

// All points of a spring feel a change of its tension.
static void emit_tension(const product* p, const spring_data* spring, double* input, double slope)
{
    const spring_state* state = &p->s->spring;
    for (int i = 0; i < spring->point_count; i++) {
        const vec3 f = v3_scale(-slope, state->g[i]);
        emit_wrench(p, input, spring->body[i], f, v3_cross(state->r[i], f));
    }
}

static void spring_numbers(const product* p, const spring_data* spring, double* in)
{
    const spring_state* state = &p->s->spring;
    const double x = state->length - spring->rest_length;
    const double lag = spring->rayleigh * state->rate;
    const double by_stiffness = spring->law == TML_SPRING_LINEAR      ? x + lag
                                : spring->law == TML_SPRING_QUADRATIC ? (x + 2.0 * lag) * fabs(x)
                                                                      : 0.0;
    emit_tension(p, spring, &in[0], by_stiffness);
    emit_tension(p, spring, &in[1], state->rate);
    emit_tension(p, spring, &in[2], state->dT_drest);
}

// Point k of a spring shifts in its body. Its block has what a shift of the whole body does; what is
// left out there is that the arm of the torque and the velocity of the point change too.
static void spring_point(const product* p, const spring_data* spring, const lift* lifts, int k,
                         double* in)
{
    const spring_state* state = &p->s->spring;
    const rigid* body = &p->s->bodies[spring->body[k]];

    for (int c = 0; c < 3; c++) {
        const vec3 shift = m3_column(body->R, c);
        const vec3 arm = v3_cross(shift, tml__spring_force(state, k));
        const double faster = v3_dot(state->g[k], v3_cross(body->omega, shift));
        for (int i = 0; i < spring->point_count; i++) {
            double block[36];
            tml__spring_block(spring, state, p->s->bodies, lifts, i, k, block);
            double w[6];
            for (int r = 0; r < 6; r++) {
                w[r] = block[6 * r] * shift.x + block[6 * r + 1] * shift.y +
                       block[6 * r + 2] * shift.z;
            }
            emit_wrench(p, &in[c], spring->body[i], v3_load(w), v3_load(w + 3));
        }
        emit_wrench(p, &in[c], spring->body[k], v3_zero(), arm);
        emit_tension(p, spring, &in[c], state->dT_drate * faster);
    }
}

void tml__force_parameters(const product* p, const parameter_set* in)
{
    maximal_system* s = p->s;
    const tml_model* m = s->model;

    for (int b = 0; b <= m->all.body_count; b++) s->lifts[b] = no_lift;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        double* points = &in->point[3 * tml__first_spring_point(s, i)];
        tml__spring_eval(spring, s->bodies, s->t, &s->spring);
        spring_numbers(p, spring, &in->spring[SPRING_PARAMETERS * i]);
        for (int k = 0; k < spring->point_count && (in->wants & WANT_POINTS) != 0; k++) {
            spring_point(p, spring, s->lifts, k, &points[3 * k]);
        }
    }
    double* points = &in->point[3 * tml__first_wrench_point(s)];
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        vec3 f;
        for (int k = 0; k < 3; k++) {
            v3_set(&f, k, s->load * tml__control_eval(&w->force[k], s->t).value);
        }
        for (int k = 0; k < 3; k++) {
            const vec3 shift = m3_column(s->bodies[w->body].R, k);
            emit_wrench(p, &points[3 * i + k], w->body, v3_zero(), v3_cross(shift, f));
        }
    }
}
