// method/quaternion/attached.c - stages of the quaternion formulation with deformables attached to the bodies.
#include "method/quaternion/attached.h"

typedef struct quat_bodies {
    maximal_system* system;
    const form_stage* stage;
} quat_bodies;

static void evaluate(void* self, newton_merit* out)
{
    const quat_bodies* b = self;
    tml__quat_residual(b->system, b->stage, out);
}

static void fill(void* self)
{
    const quat_bodies* b = self;
    tml__quat_matrix(b->system, b->stage);
}

static soft_step step_of(const sim_soft* f, quat_bodies* bodies)
{
    const form_stage* stage = bodies->stage;
    return (soft_step){
        .bodies = {bodies, evaluate, fill},
        .nodal = {stage->c_v, stage->c_q, stage->v_hat + f->first, stage->q_hat + f->first},
        .beta = stage->c_q,
        .phi = 1.0,
        .reach = 1.0,
        .kick = 1.0,
        .t = f->system->t};
}

tml_status tml__soft_solve_stage(sim_soft* f, const form_stage* stage,
                                 const newton_settings* settings, newton_report* report)
{
    quat_bodies bodies = {f->system, stage};
    const soft_step step = step_of(f, &bodies);
    return tml__soft_solve(f, &step, settings, report);
}

tml_status tml__soft_fill_stage(sim_soft* f, const form_stage* stage)
{
    quat_bodies bodies = {f->system, stage};
    const soft_step step = step_of(f, &bodies);
    return tml__soft_fill(f, &step);
}
