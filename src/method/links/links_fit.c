// method/links/links_fit.c - which models are links, and what their first joint may hang on.
#include "base/request.h"
#include "force/axis.h"
#include "method/links/links.h"
#include "method/links/prescribed.h"

static bool is_moving(const tml_model* m, int body) { return m->bodies[body].node >= 0; }

// Does a joint hold a point without give and leave all turns to forces?
static bool is_point(const tml_model* m, const joint_data* j)
{
    if (!is_moving(m, j->base) && !is_moving(m, j->follower)) return false;
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &j->axis[k];
        const bool is_held = k < 3 && !a->is_free && a->compliance == 0.0;
        const bool is_loose = k >= 3 && a->is_free && a->actuation != TML_POSITION;
        if (!is_held && !is_loose) return false;
    }
    return true;
}

// Are its turns free, and does nothing act along them?
static bool turns_freely(const joint_data* j)
{
    for (int k = 3; k < TML_AXES; k++) {
        const axis_data* a = &j->axis[k];
        if (!a->is_free || a->actuation != TML_PASSIVE || tml__axis_is_forced(a) ||
            a->spin_damping > 0.0 || a->has_limits) {
            return false;
        }
    }
    return true;
}

// A joint that holds a point of its follower where it drives that to, with no give and free turns.
static bool is_drawn(const joint_data* j)
{
    bool is_driven = false;
    for (int k = 0; k < 3; k++) {
        const axis_data* a = &j->axis[k];
        if (a->compliance > 0.0 || a->has_limits || a->spin_damping > 0.0 || tml__axis_is_forced(a))
            return false;
        if (a->is_free && a->actuation != TML_POSITION) return false;
        is_driven = is_driven || a->is_free;
    }
    return is_driven && turns_freely(j);
}

bool tml__links_hold_points(const tml_model* m)
{
    // bodies welded to the world may close loops that the count of joints does not know
    if (m->node_count == 0 || m->node_count < m->all.body_count || m->all.coupling_count > 0 ||
        m->all.nonholonomic_count > 0) {
        return false;
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!is_point(m, &m->joints[j])) return false;
    }
    return true;
}

// Joints of bodies that are led are not those of links. Points that are drawn are for links that hang on something
// whose motion is known; how many joints hang on what moves so is counted.
static bool has_only_balls(const tml_model* m, const bool* is_led, int* moored)
{
    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_data* j = &m->joints[i];
        if (is_led[j->base] && is_led[j->follower] && is_moving(m, j->follower)) continue;
        const bool draws = is_drawn(j) && is_led[j->base] && !is_led[j->follower];
        const bool is_ball = is_point(m, j) && turns_freely(j);
        const bool is_on_led = (is_led[j->base] && is_moving(m, j->base)) ||
                               (is_led[j->follower] && is_moving(m, j->follower));
        if (!draws && !is_ball) return false;
        *moored += draws || is_on_led;
    }
    return true;
}

// Does each spring pull at one link at most, and for the rest at what stands still or is led?
static bool springs_fit(const tml_model* m, const bool* is_led)
{
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* s = &m->springs[i];
        int link = -1;
        if (s->point_count == 0) return false;  // ends on a deformable
        for (int p = 0; p < s->point_count; p++) {
            if (is_led[s->body[p]]) continue;
            if (link >= 0 && s->body[p] != link) return false;
            link = s->body[p];
        }
    }
    return true;
}

bool tml__links_fit(const tml_model* m, const tml_allocator* allocator, links_extras* out)
{
    *out = (links_extras){.has_springs = m->all.spring_count > 0,
                          .has_damping = m->all.rayleigh_mass > 0.0};
    if (m->node_count == 0 || m->all.coupling_count > 0 || m->all.nonholonomic_count > 0 ||
        m->all.wrench_count > 0) {
        return false;
    }
    // bodies welded to the world may close loops that the count of joints does not know
    if (m->node_count < m->all.body_count) return false;
    bool* is_led = tml__allocate(allocator, (size_t)m->all.body_count + 1, sizeof *is_led);
    if (is_led == NULL) return false;
    tml__find_led(m, is_led);
    int moored = 0;
    for (int b = 0; b < m->all.body_count; b++) out->links += !is_led[b];
    const bool fits = out->links > 0 && tml__links_led_fit(m, is_led) &&
                      has_only_balls(m, is_led, &moored) && springs_fit(m, is_led);
    tml__release(allocator, is_led);
    out->is_moored = moored > 0;
    return fits;
}
