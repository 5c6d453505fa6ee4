// method/generalized/points.c - putting a simulation in joint coordinates at a point.
//
//   phi    rotation vector of a ball's motion, in the frame of its outer marker
//   T      its right Jacobian: exp(phi + dphi) = exp(phi) exp(T dphi); 1 for slides and turns
#include "diff/points.h"

#include "method/generalized/method.h"

#include <math.h>

// Angles are read on the branch of the tree's own numbers, however far the way there.
static void remember_angles(tml_sim* sim, const gen_tree* t, const double* numbers)
{
    maximal_system* s = sim->system;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const gen_body* b = &t->bodies[t->column_body[link->column]];
        if (b->joint < 0 || link->kind == LINK_BALL) continue;
        for (int k = 0; k < link->count; k++) {
            const int axis = (link->kind == LINK_TURN ? 3 : 0) + link->letter[k];
            s->hints[b->joint * TML_AXES + axis] = numbers[link->number + k];
        }
    }
}

tml_status tml__sim_go(tml_sim* sim, const double* point, const double* motion)
{
    if (sim->settings.formulation != TML_FORM_GENERALIZED) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "states of formulation '%s' cannot be put at a point in this version",
                         tml_formulation_name(sim->settings.formulation));
    }
    gen_tree* t = tml__generalized_motion(sim)->tree;
    const generalized_kept now = tml__generalized_parts_of(sim, sim->own);
    tml__gen_move(t, point, motion, 1.0, now.numbers);
    for (int k = 0; k < t->column_count; k++) {
        now.rates[k] = point[t->number_count + k] + motion[t->column_count + k];
    }
    tml__gen_place(t, now.numbers, now.rates);
    tml__gen_flatten(t, sim->past_q[0], sim->past_v[0]);
    remember_angles(sim, t, now.numbers);
    sim->version++;
    tml__sim_forget_answers(sim);
    return TML_OK;
}

void tml__chart_reach(const tml_sim* sim, double* reach)
{
    const gen_tree* t = tml__generalized_motion(sim)->tree;
    for (int k = 0; k < 2 * t->column_count; k++) reach[k] = (double)INFINITY;
    for (int i = 0; i < t->link_count; i++) {
        if (t->links[i].kind != LINK_BALL) continue;
        for (int k = 0; k < 3; k++) reach[t->links[i].column + k] = 1.8;
    }
}

// Of one ball: T^-1 is how a rotation vector follows what turns the frame it ends in, which is that of
// the frame it starts from with the sign of phi changed.
static mat3 inverse_of(const double* phi)
{
    const vec3 back = v3_neg(v3_load(phi));
    return m3_columns(tml__q_log_rate(back, v3_unit(0)), tml__q_log_rate(back, v3_unit(1)),
                      tml__q_log_rate(back, v3_unit(2)));
}

void tml__chart_inverse(const tml_sim* sim, const double* motion, double* x)
{
    const gen_tree* t = tml__generalized_motion(sim)->tree;
    for (int i = 0; i < t->link_count; i++) {
        const int at = t->links[i].column;
        if (t->links[i].kind != LINK_BALL) continue;
        v3_store(&x[at], m3_apply(inverse_of(&motion[at]), v3_load(&x[at])));
    }
}

void tml__chart_transposed(const tml_sim* sim, const double* motion, double* x)
{
    const gen_tree* t = tml__generalized_motion(sim)->tree;
    for (int i = 0; i < t->link_count; i++) {
        const int at = t->links[i].column;
        if (t->links[i].kind != LINK_BALL) continue;
        const mat3 T = m3_inverse(inverse_of(&motion[at]));
        v3_store(&x[at], m3_apply_t(T, v3_load(&x[at])));
    }
}
