// method/affine/compliant.c - compliant contacts in affine steps.
#include "base/request.h"
#include "method/affine/flexible.h"
#include "method/affine/points.h"

static affine_work* work_of(const tml_sim* sim) { return sim->work; }

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

// ---- contacts

// Compliant contacts are part of the step's own equations.
void tml__affine_lead(tml_sim* sim, const contact* contacts, int count)
{
    tml__affine_soft_pose(work_of(sim)->system, contacts, count, sim->settings.contact.stiffness);
}

vec3 tml__affine_led_force(const tml_sim* sim, int i)
{
    const affine_contact* c = &work_of(sim)->system->touch.contacts[i];
    return c->is_a ? c->force : v3_neg(c->force);
}
