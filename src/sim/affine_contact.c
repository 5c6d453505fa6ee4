// sim/affine_contact.c - what affine steps know of contacts that give way, and of bodies that are led.
#include "base/request.h"
#include "method/affine/points.h"
#include "method/links/contact.h"
#include "method/links/prescribed.h"
#include "sim/flex.h"
#include "sim/links.h"
#include "sim/links_contact.h"
#include "sim/step_affine.h"

static affine_work* work_of(const tml_sim* sim) { return sim->work; }

// Links that answer by all of their 6 x 6 matrix, because they touch something or springs pull at them, are for chains,
// and for nets that take the dual; to be moored to what moves is for chains.
bool tml__affine_links_take(const tml_sim* sim, const links_extras* extras)
{
    const tml_solver solver = sim->settings.solver;
    bool is_chain = false;
    if (sim->settings.contact.is_on && !tml__lean_can_touch(sim)) return false;
    if (!sim->settings.contact.is_on && !extras->has_springs && !extras->is_moored) return true;
    if (sim->model->loops > 0 || solver == TML_SOLVER_DUAL || solver == TML_SOLVER_CG) {
        return !extras->is_moored;
    }
    return (solver == TML_SOLVER_AUTO || solver == TML_SOLVER_CHAIN) &&
           tml__links_is_chain(sim->model, &sim->settings.allocator, &is_chain) == TML_OK &&
           is_chain;
}

// ---- room

// Room for compliant contacts.
enum {
    TOUCH_REQUESTS = 6
};

static void list_touch(const tml_sim* sim, affine_touch* t, size_t contacts,
                       request list[TOUCH_REQUESTS])
{
    const size_t nodes = (size_t)sim->model->node_count;
    const size_t rows = (size_t)sim->system->row_count;
    const size_t coupled = 2 * contacts < nodes ? 2 * contacts : nodes;
    const request all[TOUCH_REQUESTS] = {
        {&t->contacts, contacts, sizeof *t->contacts},
        {&t->couplings, 3 * contacts, sizeof *t->couplings},
        {&t->krylov, (AFFINE_KRYLOV + 1) * 6 * coupled, sizeof(double)},
        {&t->side, 6 * nodes + rows, sizeof(double)},
        {&t->slot, nodes, sizeof(int)},
        {&t->coupled, coupled, sizeof(int)},
    };
    for (int i = 0; i < TOUCH_REQUESTS; i++) list[i] = all[i];
}

static void release(tml_sim* sim, affine_touch* t)
{
    request list[TOUCH_REQUESTS];
    list_touch(sim, t, 0, list);
    tml__release_all(&sim->settings.allocator, list, TOUCH_REQUESTS);
}

tml_status tml__affine_reserve(tml_sim* sim, int max_contacts)
{
    affine_work* work = sim->work;
    affine_touch larger = {0};
    request list[TOUCH_REQUESTS];
    if (work->links != NULL) {
        const tml_status status = tml__links_touch_create(work->links, max_contacts);
        return status == TML_OK ? TML_OK : tml__fail(&sim->why, status, "out of memory");
    }
    if (sim->contacts->is_led == NULL) return TML_OK;
    list_touch(sim, &larger, (size_t)max_contacts, list);
    if (tml__take_all(&sim->settings.allocator, list, TOUCH_REQUESTS) != TML_OK) {
        release(sim, &larger);
        return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    }
    affine_points* points = NULL;
    const bool takes_points = work->has_points && tml__points_fit(work->system);
    if (takes_points &&
        tml__points_create(work->system, max_contacts, &sim->why, &points) != TML_OK) {
        release(sim, &larger);
        return TML_NO_MEMORY;
    }
    tml__affine_release_touch(sim);
    work->touch = larger;
    work->system->touch = larger;
    work->system->contact_count = 0;
    work->system->points = points;
    return TML_OK;
}

void tml__affine_release_touch(tml_sim* sim)
{
    affine_work* work = sim->work;
    release(sim, &work->touch);
    if (work->system == NULL) return;
    tml__points_destroy(work->system->points);
    work->system->points = NULL;
}

// ---- bodies that are led

// Bodies that are led, and what a chain is moored to, at the instant that was aimed at.
static void place_led(tml_sim* sim, bool is_end)
{
    link_system* l = work_of(sim)->links;
    const double t = sim->system->t;
    if (l->led != NULL) tml__links_led_place(l->led, t, tml__lean_given(sim), is_end);
    if (!l->is_moored) return;
    const point_motion at =
        tml__links_led_point(sim->model, l->led, l->joint[0], t, tml__lean_given(sim), is_end);
    if (!is_end) l->anchor.from = at.x;
    if (is_end) l->anchor.to = at.x;
    if (is_end) l->anchor.rate = at.v;
}

// The same, where the step has them `dt` after the accepted state.
void tml__affine_lead_bodies(tml_sim* sim, double dt, const double* controls, bool is_end)
{
    const link_system* l = work_of(sim)->links;
    if (l->led == NULL && !l->is_moored) return;
    tml__sim_time(sim, dt, controls);
    place_led(sim, is_end);
}

double tml__affine_start_led(tml_sim* sim, double* q, double* v)
{
    const link_system* l = work_of(sim)->links;
    if (l->led == NULL && !l->is_moored) return 0.0;
    tml__sim_aim(sim);
    place_led(sim, true);
    if (l->led == NULL) return 0.0;
    const double change = tml__links_led_change(l->led, q, v);
    tml__links_led_store(l->led, q, v);
    return change;
}

// ---- contacts

// Compliant contacts are part of the step's own equations.
void tml__affine_lead(tml_sim* sim, const contact* contacts, int count)
{
    link_system* l = work_of(sim)->links;
    if (l != NULL) {
        tml__links_touch_pose(l, contacts, count, sim->settings.contact.stiffness,
                              sim->placed_links);
        return;
    }
    tml__affine_soft_pose(work_of(sim)->system, contacts, count, sim->settings.contact.stiffness);
}

vec3 tml__affine_led_force(const tml_sim* sim, int i)
{
    if (work_of(sim)->links != NULL) {
        const link_contact* k = &work_of(sim)->links->touch->contacts[i];
        return k->is_a ? k->force : v3_neg(k->force);
    }
    const affine_contact* c = &work_of(sim)->system->touch.contacts[i];
    return c->is_a ? c->force : v3_neg(c->force);
}

// The normal has turned since the step began: the force along the old one tells a little less.
double tml__affine_led_depth(const tml_sim* sim, int i)
{
    const double gap = work_of(sim)->links->touch->contacts[i].gap_end;
    return gap < 0.0 ? -gap : 0.0;
}
