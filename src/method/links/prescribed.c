// method/links/prescribed.c - bodies that joints lead: which they are, and where.
#include "method/links/prescribed.h"

#include "base/request.h"
#include "force/axis.h"
#include "method/maximal.h"

// ---- which

static bool is_moving(const tml_model* m, int body) { return m->bodies[body].node >= 0; }

// Nothing about the joint asks what its coordinates are.
static bool is_stiff(const joint_data* j)
{
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &j->axis[k];
        if (a->compliance > 0.0 || a->has_limits || a->spin_damping > 0.0 || tml__axis_is_forced(a))
            return false;
    }
    return true;
}

bool tml__links_led_fit(const tml_model* m, const bool* is_led)
{
    int bodies = 0;
    int joints = 0;
    for (int b = 0; b < m->all.body_count; b++) bodies += is_moving(m, b) && is_led[b];
    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_data* j = &m->joints[i];
        const bool has_led = (is_moving(m, j->base) && is_led[j->base]) ||
                             (is_moving(m, j->follower) && is_led[j->follower]);
        // links may hang on what is led
        if (!has_led || is_led[j->base] != is_led[j->follower]) continue;
        // to what is led from what is led: as many of them as led bodies are a forest
        if (!is_moving(m, j->follower)) return false;
        if (!tml__joint_leads(j) || !is_stiff(j)) return false;
        joints++;
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        if (is_led[m->all.drags[i].body.index]) return false;  // would be part of its load
    }
    return bodies == joints;
}

// ---- creation

static tml_status take(const tml_model* m, const tml_allocator* allocator, links_led* l)
{
    const request list[] = {
        {&l->list, (size_t)l->count, sizeof *l->list},
        {&l->load, (size_t)l->count, sizeof *l->load},
        {&l->of_body, (size_t)m->all.body_count + 1, sizeof(int)},
    };
    return tml__take_all(allocator, list, 3);
}

// Joints in the order of the file may lead from bodies that come later: there and back until all are listed.
static void list_bodies(links_led* l, const bool* is_led)
{
    const tml_model* m = l->model;
    const int last = m->all.joint_count - 1;
    int count = 0;
    bool is_back = false;
    for (bool has_grown = true; has_grown; is_back = !is_back) {
        has_grown = false;
        for (int k = 0; k <= last && count < l->count; k++) {
            const int i = is_back ? last - k : k;
            const joint_data* j = &m->joints[i];
            const bool is_ready = !is_moving(m, j->base) || l->of_body[j->base] != 0;
            if (!is_moving(m, j->follower) || !is_led[j->follower] || !is_ready) continue;
            if (l->of_body[j->follower] != 0) continue;
            l->list[count] = (led_body){.body = j->follower, .joint = i};
            l->of_body[j->follower] = ++count;
            has_grown = true;
        }
    }
}

tml_status tml__links_led_create(const tml_model* m, const tml_allocator* allocator,
                                 links_led** out)
{
    *out = NULL;
    bool* is_led = tml__allocate(allocator, (size_t)m->all.body_count + 1, sizeof *is_led);
    if (is_led == NULL) return TML_NO_MEMORY;
    tml__find_led(m, is_led);
    int count = 0;
    for (int b = 0; b < m->all.body_count; b++) count += is_moving(m, b) && is_led[b];
    tml_status status = TML_OK;
    links_led* l = count > 0 ? tml__allocate(allocator, 1, sizeof *l) : NULL;
    if (count > 0 && l == NULL) status = TML_NO_MEMORY;
    if (l != NULL) {
        l->model = m;
        l->count = count;
        status = take(m, allocator, l);
        if (status == TML_OK) list_bodies(l, is_led);
    }
    tml__release(allocator, is_led);
    if (status != TML_OK) {
        tml__links_led_destroy(l, allocator);
        return status;
    }
    *out = l;
    return TML_OK;
}

void tml__links_led_destroy(links_led* l, const tml_allocator* allocator)
{
    if (l == NULL) return;
    tml__release(allocator, l->list);
    tml__release(allocator, l->load);
    tml__release(allocator, l->of_body);
    tml__release(allocator, l);
}

// ---- where

// A body whose motion is known.
static rigid known(const tml_model* m, const links_led* l, int body, bool is_end)
{
    const body_data* ground = &m->bodies[body];
    if (!links_is_led(l, body)) {
        return (rigid){.c = ground->c, .q = ground->q, .R = q_matrix(ground->q)};
    }
    const led_body* led = &l->list[l->of_body[body] - 1];
    return is_end ? led->to : led->from;
}

void tml__links_led_place(links_led* l, double t, const drive* given, bool is_end)
{
    const tml_model* m = l->model;
    for (int i = 0; i < l->count; i++) {
        led_body* b = &l->list[i];
        const joint_data* j = &m->joints[b->joint];
        const rigid B = known(m, l, j->base, is_end);
        drive axis[TML_AXES];
        tml__joint_drives(j, t, given, axis);
        tml__joint_lead(j, axis, &B, is_end ? &b->to : &b->from);
    }
}

point_motion tml__links_led_point(const tml_model* m, const links_led* l, int joint, double t,
                                  const drive* given, bool is_end)
{
    const joint_data* j = &m->joints[joint];
    drive axis[TML_AXES];
    if (links_is_led(l, j->follower)) {  // a ball, its base the link
        const rigid F = known(m, l, j->follower, is_end);
        const vec3 arm = m3_apply(F.R, j->point_F);
        return (point_motion){.x = v3_add(F.c, arm), .v = v3_add(F.v, v3_cross(F.omega, arm))};
    }
    const rigid B = known(m, l, j->base, is_end);
    tml__joint_drives(j, t, given, axis);
    return tml__joint_lead_point(j, axis, &B, NULL);
}

void tml__links_led_store(const links_led* l, double* q, double* v)
{
    for (int i = 0; i < l->count; i++) {
        const rigid* to = &l->list[i].to;
        const size_t at = (size_t)l->model->bodies[l->list[i].body].node * POSE_WIDTH;
        const double side = to->q.w < 0.0 ? -1.0 : 1.0;  // the sign that links have
        v3_store(&q[at], to->c);
        q[at + 3] = side * to->q.w;
        q[at + 4] = side * to->q.x;
        q[at + 5] = side * to->q.y;
        q[at + 6] = side * to->q.z;
        tml__maximal_store_velocity(&q[at], to->v, to->omega, &v[at]);
    }
}

double tml__links_led_change(const links_led* l, const double* q, const double* v)
{
    double largest = 0.0;
    for (int i = 0; i < l->count; i++) {
        const rigid* to = &l->list[i].to;
        const size_t at = (size_t)l->model->bodies[l->list[i].body].node * POSE_WIDTH;
        rigid was;
        tml__maximal_load_body(&q[at], &v[at], &was);
        largest = tml__larger(largest, v3_max(v3_sub(to->v, was.v)));
        largest = tml__larger(largest, v3_max(v3_sub(to->omega, was.omega)));
    }
    return largest;
}
