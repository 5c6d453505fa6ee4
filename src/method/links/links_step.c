// method/links/links_step.c - one step of links: prediction, Newton, what is accepted. [notes 9.4]
#include "linalg/lanes.h"
#include "method/links/contact.h"
#include "method/links/net.h"
#include "method/links/prescribed.h"
#include "method/links/springs.h"

// A link may turn by 2.5 rad in a step: see method/affine/step.c. 1 + 2 cos(2.5)
static const double least_trace = -0.60228723;

// What is left of the equations times the motion is energy too: of a kilometre of links a tenth of a
// microradian can show. Where it is more than the rounding of the sums, Newton goes on once, and a step is
// refused where much of it stays; both are shares of the kinetic energy and the work of a step.
static const double rounding = 1e-12;
static const double refused = 1e-9;

enum {
    EXTRA_ITERATIONS = 2  // before a step is refused
};

// What a caller lets act, in the order in which links are met; mostly it stands so.
static void sort_pushes(const link_system* l)
{
    hand_push* all = l->s->pushes;
    for (int i = 0; i < l->s->push_count; i++) {
        hand_push one = all[i];
        int at = i;
        one.place = l->place_of[l->s->model->bodies[one.body].node];
        for (; at > 0 && all[at - 1].place > one.place; at--) all[at] = all[at - 1];
        all[at] = one;
    }
}

static links_call call_of(link_system* l, links_mode mode, const affine_stage* stage)
{
    sort_pushes(l);
    return (links_call){
        .l = l,
        .mode = mode,
        .stage = *stage,
        .gravity = l->s->model->all.gravity,
        .scratch = l->scratch,
        .heads = l->head_force,
        .push_count = l->s->push_count,
        .pushes = l->s->pushes,
        .wrenches = l->s->touching,
    };
}

static tml_status iterate(links_call* call, double* update)
{
    if (call->l->net != NULL) return tml__net_iterate(call, update);
    return call->l->is_chain ? tml__chain_iterate(call, update) : tml__tree_iterate(call, update);
}

// Forces of contacts have corners: where one was passed the next update may be as large as the last. Below
// this, m or rad, it may be passed to and fro.
static const double at_corner = 1e-8;

static bool is_settled(const link_system* l, double update)
{
    const bool has_turned = links_are_touched(l) && l->touch->corners > 0;
    if (has_turned && update > at_corner) return false;
    return l->net != NULL ? tml__net_is_settled(l->net, update) : update <= links_quadratic;
}

// After so many iterations a link that is still held back to a radian has not settled in the twenty that a step is
// given: none of some thousand in coils and nets that whip did. Smaller steps are taken at once then. Where links
// touch, corners take longer.
enum {
    LAST_HOPE = 8,
    LAST_HOPE_TOUCHED = 10,
};
static const double held_back = 1.0;
static const double held_back_touched = 0.3;

// A chain that touches and would turn a link by more than this, rad, is taken for lost: forces at its joints are beyond
// all bounds by then. `pulley` takes 6069 iterations for its 500 steps so, 7196 where it goes on.
static const double lost_touched = 2.0;

static bool is_hopeless(const link_system* l, const affine_report* report)
{
    const bool has_contacts = links_are_touched(l) && l->touch->contact_count > 0;
    if (has_contacts && l->is_chain) return report->update > lost_touched;
    if (has_contacts && l->net != NULL)
        return report->iterations >= LAST_HOPE_TOUCHED && report->update > held_back_touched;
    return report->iterations >= LAST_HOPE && report->update > held_back && !has_contacts;
}

static tml_status newton(links_call* call, const newton_settings* settings, affine_report* report)
{
    do {
        if (report->iterations == settings->max_iterations) return TML_NOT_CONVERGED;
        const tml_status status = iterate(call, &report->update);
        report->iterations++;
        report->bodies += call->l->last_bodies;
        if (status != TML_OK) return status;
        if (is_hopeless(call->l, report)) return TML_NOT_CONVERGED;
    } while (!is_settled(call->l, report->update));
    return TML_OK;
}

// Contacts do the work that they lose of what they have stored, but for third powers of the motion; where these
// are more than a damped step takes away, a shorter one is taken. Led bodies do work of their own, and
// with springs the work on touched links is theirs, too.
static bool wins(const link_system* l, double gained, double scale)
{
    if (!links_are_touched(l) || l->springs != NULL) return false;
    if (l->led != NULL && l->led->count > 0) return false;
    return !(gained + tml__links_touch_stored(l) <= refused * scale);
}

// Velocities at the end; whether a link turned too far or energy appeared.
static tml_status close(links_call* call, affine_report* report)
{
    link_system* l = call->l;
    links_sums all = {.trace = 3.0};
    call->is_reduced = false;  // links are straightened
    if (l->touch != NULL) l->touch->evaluation++;
    tml__links_run(call, l->is_chain ? l->kernels.close_chain : l->kernels.close_tree, 0,
                   l->item_count);
    for (int item = 0; item < l->item_count; item++) {
        const links_sums* sums = &l->sums[item];
        all.before += sums->before;
        all.after += sums->after;
        all.work += sums->work;
        all.work_size += sums->work_size;
        all.trace = tml__smaller(all.trace, sums->trace);
    }
    const double touched = links_are_touched(l) ? tml__links_touch_work(l) : 0.0;
    const double pushed = tml__links_push_work(l) + tml__links_anchor_work(l) + touched;
    all.work += pushed;
    all.work_size += fabs(pushed);
    const double scale = 1e-3 + all.before + all.work_size;
    report->has_turned = !(all.trace > least_trace);
    report->gain = (all.after - (all.before + all.work)) / scale;
    report->has_gained = !(report->gain <= refused);
    report->has_won = wins(l, report->gain * scale + touched, scale);
    return report->has_turned ? TML_NOT_CONVERGED : TML_OK;
}

tml_status tml__links_step(link_system* l, const affine_stage* stage,
                           const newton_settings* settings, affine_report* report)
{
    links_call call = call_of(l, LINKS_STEP, stage);
    if (l->springs != NULL) l->springs->stage = *stage;
    *report = (affine_report){0};
    tml_status status = TML_OK;
    if (l->net != NULL)
        status = tml__net_start(&call);
    else if (l->is_chain)
        status = tml__chain_start(&call);
    else
        tml__tree_start(&call);
    if (status == TML_OK) status = newton(&call, settings, report);
    if (status == TML_OK) status = close(&call, report);
    // only nets leave gaps
    report->gap = l->net != NULL && status == TML_OK ? tml__net_gap(&call) : 0.0;
    bool is_open = !(report->gap <= settings->tolerance);
    bool shows = l->net == NULL && report->gain > rounding;
    for (int extra = 0; status == TML_OK && (report->has_gained || is_open || shows); extra++) {
        if (extra == EXTRA_ITERATIONS) return TML_NOT_CONVERGED;
        shows = false;
        if (l->is_chain) tml__chain_wake(&call);
        status = iterate(&call, &report->update);
        report->iterations++;
        report->bodies += l->last_bodies;
        if (status == TML_OK) status = close(&call, report);
        if (l->net != NULL) report->gap = tml__net_gap(&call);
        is_open = !(report->gap <= settings->tolerance);
    }
    if (status == TML_OK && report->has_won) {
        report->has_gained = true;
        return TML_NOT_CONVERGED;
    }
    if (status != TML_OK || stage->theta != 0.5) return status;

    double change = 0.0;
    links_call project = call_of(l, LINKS_PROJECT, stage);
    return iterate(&project, &change);
}

tml_status tml__links_project(link_system* l, double* change)
{
    const affine_stage none = {.h = 1.0, .theta = 1.0, .beta = 1.0, .phi = 0.5};
    links_call call = call_of(l, LINKS_PROJECT, &none);

    tml__links_rest(l);
    const tml_status status = iterate(&call, change);
    if (status == TML_OK) tml__links_go_on(l);
    return status;
}

tml_status tml__links_forces(link_system* l)
{
    const affine_stage none = {.h = 1.0, .theta = 1.0, .beta = 1.0, .phi = 0.5};
    links_call call = call_of(l, LINKS_FORCES, &none);
    double change = 0.0;

    tml__links_forget_forces(l);
    return iterate(&call, &change);
}
