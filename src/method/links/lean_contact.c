// method/links/lean_contact.c - steps of links that touch something that stands still or is led, nothing kept for each row.
#include "sim/lean_contact.h"

#include "base/memory.h"
#include "joint/lead.h"
#include "method/links/method.h"
#include "sim/lean.h"
#include "solve/lcp.h"

#include <math.h>

// Shapes of one group do not touch each other: what is left to touch is the world and what is led.
static bool is_one_group(const tml_model* m, const bool* is_led)
{
    int group = 0;
    for (int b = 0; b < m->all.body_count; b++) {
        const tml_body_def* body = &m->all.bodies[b];
        if (is_led[b]) continue;
        for (int s = 0; s < body->shape_count; s++) {
            const tml_shape_def* shape = &body->shapes[s];
            if (!shape->collide) continue;
            if (shape->group == 0 || (group != 0 && shape->group != group)) return false;
            group = shape->group;
        }
    }
    return true;
}

bool tml__lean_can_touch(const tml_sim* sim)
{
    const tml_model* m = sim->model;
    const tml_allocator* allocator = &sim->settings.allocator;
    if (!(sim->settings.contact.stiffness > 0.0)) return false;
    bool* is_led = tml__allocate(allocator, (size_t)m->all.body_count + 1, sizeof *is_led);
    if (is_led == NULL) return false;
    tml__find_led(m, is_led);
    const bool is_one = is_one_group(m, is_led);
    tml__release(allocator, is_led);
    return is_one;
}

// ---- bodies where the accepted state has them

tml_status tml__lean_touch_create(tml_sim* sim)
{
    const size_t bodies = (size_t)sim->model->all.body_count + 1;
    sim->placed_links = tml__allocate(&sim->settings.allocator, bodies, sizeof *sim->placed_links);
    if (sim->placed_links != NULL) return TML_OK;
    return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
}

void tml__lean_touch_destroy(tml_sim* sim)
{
    tml__release(&sim->settings.allocator, sim->placed_links);
    sim->placed_links = NULL;
}

const rigid* tml__lean_place(tml_sim* sim)
{
    const tml_model* m = sim->model;
    for (int b = 0; b < m->all.body_count; b++) {
        const size_t at = (size_t)m->bodies[b].node * POSE_WIDTH;
        tml__maximal_load_body(&step_q(sim)[at], &step_v(sim)[at], &sim->placed_links[b]);
    }
    const body_data* world = &m->bodies[tml__world(m)];
    sim->placed_links[tml__world(m)] =
        (rigid){.c = world->c, .q = world->q, .R = q_matrix(world->q)};
    return sim->placed_links;
}

// ---- the forces that contacts begin with

tml_status tml__lean_touch_begin(tml_sim* sim)
{
    sim_contacts* c = sim->contacts;
    if (sim->placed_links == NULL) return TML_OK;
    tml__contacts_clear_next(c);
    const rigid* bodies = tml__lean_place(sim);
    const tml_status status = tml__contacts_detect(c, bodies, &sim->why);
    if (status != TML_OK) return status;
    for (int i = 0; i < c->found_count; i++) {
        const double depth = fmax(-c->found[i].gap, 0.0);
        const double force = sim->settings.contact.stiffness * depth;
        const unsigned char label = depth > 0.0 ? LCP_HELD : LCP_OFF;
        tml__contacts_keep(c, i, v3_scale(force, c->found[i].normal), bodies, &label, 1);
    }
    tml__contacts_accept(c);  // what they store is part of the energy from the start
    sim->system->touching = c->now.wrenches;
    return TML_OK;
}

// ---- a step

// True: one of them pushes.
static bool keep(tml_sim* sim)
{
    sim_contacts* c = sim->contacts;
    bool has_pushed = false;
    const double stiffness = sim->settings.contact.stiffness;
    for (int i = 0; i < c->found_count; i++) {
        const vec3 force = sim->form->led_force(sim, i);
        const double depth = sim->form->led_depth(sim, i);
        const unsigned char label = v3_dot(force, force) > 0.0 ? LCP_HELD : LCP_OFF;
        has_pushed = has_pushed || label == LCP_HELD;
        tml__contacts_keep(c, i, force, sim->placed_links, &label, 1);
        // what the next step will find stored where it starts
        c->next.list[c->next.count - 1].push = stiffness * depth;
        sim->report.max_penetration = fmax(sim->report.max_penetration, depth);
    }
    return has_pushed;
}

tml_status tml__lean_touch_advance(tml_sim* sim)
{
    sim_contacts* c = sim->contacts;
    tml__contacts_clear_next(c);
    tml_status status = tml__contacts_detect(c, tml__lean_place(sim), &sim->why);
    if (status != TML_OK) return status;
    tml__contacts_note_fast(c, &sim->report);
    sim->form->lead(sim, c->found, c->found_count);
    status = tml__step_once(sim, sim->ask);
    if (status != TML_OK) return status;
    const bool has_pushed = keep(sim);
    if (sim->trace != NULL) sim->trace->has_touched = has_pushed;
    return TML_OK;
}
