// method/generalized/columns.c - forces along columns as numbers.
#include "method/generalized/columns.h"

tml_status tml__gen_columns_create(const gen_motion* m, const tml_allocator* allocator,
                                   gen_columns* out)
{
    const maximal_system* s = m->s;
    const size_t axes = (size_t)s->model->all.joint_count * TML_AXES;
    *out = (gen_columns){0};
    if (allocator != NULL) out->allocator = *allocator;
    out->list = tml__allocate(allocator, (size_t)s->forced_count, sizeof *out->list);
    out->is_apart = tml__allocate(allocator, axes, sizeof *out->is_apart);
    if (out->list == NULL || out->is_apart == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < s->forced_count; i++) {
        const joint_axis_id id = s->forced[i];
        if (m->forced_column[i] < 0 || tml__joint_has_base_torque(&s->model->joints[id.joint])) {
            continue;
        }
        out->list[out->count++] = (gen_column_push){.id = id, .column = m->forced_column[i]};
        out->is_apart[id.joint * TML_AXES + (int)id.axis] = true;
    }
    return TML_OK;
}

void tml__gen_columns_release(gen_columns* c)
{
    tml__release(&c->allocator, c->list);
    tml__release(&c->allocator, c->is_apart);
}

void tml__gen_columns_look(const gen_motion* m, gen_columns* c)
{
    const maximal_system* s = m->s;
    for (int i = 0; i < c->count; i++) {
        gen_column_push* p = &c->list[i];
        const joint_data* j = &s->model->joints[p->id.joint];
        const int at = p->id.joint * TML_AXES + (int)p->id.axis;
        const coordinate_rigid q =
            tml__coordinate_rigid(j, p->id.axis, s->hints[at], &s->frames[p->id.joint]);
        p->value = q.value;
        p->rate = rigid_rate(&q.g, &s->bodies[j->follower], &s->bodies[j->base]);
        p->f = tml__axis_force(&j->axis[p->id.axis], p->value, p->rate, &s->targets.axis[at],
                               &s->targets.servo[at]);
    }
}

static void emit(partial_direction way, double* input, double* output, double slope)
{
    if (way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

// tau loses Q: slopes are those of -Q.
static void by_parameters(const maximal_system* s, const gen_column_push* p, partial_direction way,
                          double* in, double* tau)
{
    const axis_data* a = &s->model->joints[p->id.joint].axis[p->id.axis];
    const drive* servo = &s->targets.servo[p->id.joint * TML_AXES + (int)p->id.axis];
    emit(way, &in[AXIS_STIFFNESS], tau, p->value - a->rest);
    emit(way, &in[AXIS_DAMPING], tau, p->rate);
    emit(way, &in[AXIS_REST], tau, -a->stiffness);
    if (a->actuation == TML_FORCE) emit(way, &in[AXIS_TARGET], tau, -1.0);
    if (!a->has_servo) return;
    emit(way, &in[AXIS_SERVO_STIFFNESS], tau, p->value - servo->value);
    emit(way, &in[AXIS_SERVO_DAMPING], tau, p->rate - servo->rate);
}

void tml__gen_columns_product(const gen_motion* m, const gen_columns* c, partial_direction way,
                              const gen_column_change* x, const parameter_set* in,
                              const double* pulled, double* d_tau)
{
    for (int i = 0; i < c->count; i++) {
        const gen_column_push* p = &c->list[i];
        double mine = way == PARTIAL_BACKWARD ? pulled[p->column] : 0.0;
        if (x->positions != NULL) emit(way, &x->positions[p->column], &mine, -p->f.dQ_ds);
        if (x->rates != NULL) emit(way, &x->rates[p->column], &mine, -p->f.dQ_drate);
        if (in != NULL && (in->wants & WANT_AXES) != 0) {
            const int axis = p->id.joint * TML_AXES + (int)p->id.axis;
            by_parameters(m->s, p, way, &in->axis[AXIS_PARAMETERS * axis], &mine);
        }
        if (way == PARTIAL_FORWARD) d_tau[p->column] += mine;
    }
}
