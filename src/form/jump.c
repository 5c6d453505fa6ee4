// form/jump.c - is a change of velocities a jump to another branch?
#include "form/jump.h"

#include "math/scalar.h"

static const double jump_over_expected = 4.0;

double tml__jump_radius(const body_data* data)
{
    double trace = 0.0;
    for (int k = 0; k < 3; k++) trace += data->inertia.m[k][k];
    return sqrt(0.5 * trace / data->mass);
}

double tml__jump_size(const body_data* data, vec3 v, vec3 omega)
{
    return v3_norm(v) + tml__jump_radius(data) * v3_norm(omega);
}

void tml__jump_add(jump_sizes* s, const body_data* data, const jump_body* b)
{
    const vec3 dv = v3_sub(b->v_end, b->v);
    const vec3 domega = v3_sub(b->omega_end, b->omega);
    s->speed = tml__larger(s->speed, tml__jump_size(data, b->v_end, b->omega_end));
    s->change = tml__larger(s->change, tml__jump_size(data, dv, domega));
    s->jump = tml__larger(s->jump, tml__jump_size(data, b->dv, b->domega));
    s->spin = tml__larger(s->spin, v3_norm(b->omega_end));
    s->radius = tml__larger(s->radius, tml__jump_radius(data));
}

double tml__jump_fastest_row(const maximal_system* s, const double* rates, double radius)
{
    double fastest = 0.0;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            const double arm = s->rows[j].row[r].kind == ROW_GAP ? 1.0 : radius;
            fastest = tml__larger(fastest, arm * rates[s->first_row[j] + r]);
        }
    }
    for (int row = s->first_coupling; row < s->row_count; row++) {
        fastest = tml__larger(fastest, radius * rates[row]);
    }
    return fastest;
}

// What forces alone do within the step, m/s.
static double pushed(maximal_system* s, double h)
{
    const tml_model* m = s->model;
    double most = 0.0;
    tml__maximal_forces(s);
    for (int n = 0; n < s->node_count; n++) {
        const int i = m->node_body[n];
        const body_data* data = &m->bodies[i];
        const vec3 dv = v3_scale(h / data->mass, s->force[i]);
        const double radius = tml__jump_radius(data);
        const double turned = v3_norm(s->torque[i]) * h / (data->mass * radius);
        most = tml__larger(most, v3_norm(dv) + turned);
    }
    return most;
}

bool tml__jump_is(const jump_sizes* sizes, maximal_system* s, const jump_step* step)
{
    const double h = step->h;
    const double turn = h * sizes->spin;
    // accelerations may happen to vanish; the error of second order does not
    const double change = sizes->change + turn * turn * sizes->speed + step->tolerance / h;
    double expected = jump_over_expected * change;
    if (!(sizes->jump > expected)) return false;
    if (step->is_half) expected += jump_over_expected * pushed(s, h);
    return sizes->jump > expected &&
           tml__jump_fastest_row(s, step->rates, sizes->radius) <= expected;
}
