// method/links/springs.c - springs of links: their lists, their forces over a step, and at a state.
#include "method/links/springs.h"

#include "base/request.h"
#include "linalg/lanes.h"
#include "method/affine/equations.h"
#include "method/links/prescribed.h"
#include "method/maximal.h"

#include <string.h>

// ---- memory

enum {
    REQUESTS = 11
};

static void list_requests(const tml_model* m, links_springs* s, request list[REQUESTS])
{
    size_t total = 0;
    size_t most = 0;
    for (int i = 0; i < m->all.spring_count; i++) {
        const size_t points = (size_t)m->springs[i].point_count;
        total += points;
        if (points > most) most = points;
    }
    const size_t springs = (size_t)m->all.spring_count;
    const request all[REQUESTS] = {
        {&s->list, springs, sizeof *s->list},
        {&s->points, total, sizeof *s->points},
        {&s->links, springs, sizeof *s->links},
        {&s->own_body, most, sizeof(int)},
        {&s->ends, most, sizeof *s->ends},
        {&s->at.r, most, sizeof(vec3)},
        {&s->at.u, most, sizeof(vec3)},
        {&s->at.g, most, sizeof(vec3)},
        {&s->at.e, most, sizeof(vec3)},
        {&s->at.inverse, most, sizeof(double)},
        {&s->wrenches, 6 * (size_t)m->node_count, sizeof(double)},
    };
    memcpy(list, all, sizeof all);
}

// The link that a spring pulls at, -1: none.
static int place_of(const link_system* l, const spring_data* spring)
{
    for (int p = 0; p < spring->point_count; p++) {
        const int node = l->s->model->bodies[spring->body[p]].node;
        if (node >= 0 && l->place_of[node] >= 0) return l->place_of[node];
    }
    return -1;
}

// Springs by the places of their links. `next`: per place and one more, room.
static void list_springs(const link_system* l, links_springs* s, int* next)
{
    const tml_model* m = l->s->model;
    const int places = l->row_count * LANES;
    path_point* path = s->points;
    for (int i = 0; i < s->count; i++) {
        const int place = place_of(l, &m->springs[i]);
        next[place >= 0 ? place : places]++;
    }
    int first = 0;
    for (int place = 0; place <= places; place++) {
        const int count = next[place];
        next[place] = first;
        if (count > 0 && place < places) {
            s->links[s->link_count++] = (sprung_link){place, first, count};
        }
        first += count;
    }
    for (int i = 0; i < s->count; i++) {
        const int place = place_of(l, &m->springs[i]);
        s->list[next[place >= 0 ? place : places]++] = (link_spring){i, path};
        path += m->springs[i].point_count;
    }
}

tml_status tml__links_springs_create(link_system* l)
{
    const tml_model* m = l->s->model;
    request list[REQUESTS];
    links_springs* s = tml__allocate(&l->allocator, 1, sizeof *s);
    int* next = tml__allocate(&l->allocator, (size_t)l->row_count * LANES + 1, sizeof(int));
    l->springs = s;
    if (s != NULL) list_requests(m, s, list);
    const bool has_room =
        s != NULL && next != NULL && tml__take_all(&l->allocator, list, REQUESTS) == TML_OK;
    if (has_room) {
        s->count = m->all.spring_count;
        list_springs(l, s, next);
        for (int i = 0; i < s->count; i++) {
            for (int p = 0; p < m->springs[i].point_count; p++) s->own_body[p] = p;
        }
    }
    tml__release(&l->allocator, next);
    return has_room ? TML_OK : TML_NO_MEMORY;  // what was taken goes with the links
}

void tml__links_springs_destroy(link_system* l)
{
    request list[REQUESTS];
    if (l->springs == NULL) return;
    list_requests(l->s->model, l->springs, list);
    tml__release_all(&l->allocator, list, REQUESTS);
    tml__release(&l->allocator, l->springs);
    l->springs = NULL;
}

// ---- over a part of a step

// A point of what the step cannot move: led, or standing still.
static void place_led(const link_system* l, int body, vec3 point, path_point* out)
{
    const body_data* b = &l->s->model->bodies[body];
    const int led = l->led != NULL ? l->led->of_body[body] - 1 : -1;
    const mat3 still = q_matrix(b->q);
    const mat3 from = led >= 0 ? l->led->list[led].from.R : still;
    const mat3 to = led >= 0 ? l->led->list[led].to.R : still;
    out->r_end = m3_apply(to, point);
    out->r = v3_scale(0.5, v3_add(m3_apply(from, point), out->r_end));
    out->x = v3_add(led >= 0 ? l->led->list[led].from.c : b->c, m3_apply(from, point));
    out->x_end = v3_add(led >= 0 ? l->led->list[led].to.c : b->c, out->r_end);
}

static void place_own(const sprung_pose* at, vec3 point, path_point* out)
{
    const vec3 r = m3_apply(at->R, point);
    out->r_end = m3_apply(at->R_end, point);
    out->r = v3_scale(0.5, v3_add(r, out->r_end));
    out->x = v3_add(at->x, r);
    out->x_end = v3_add(v3_add(at->x, at->shift), out->r_end);
}

static void take_off(double slope[36], int row, int column, const mat3* by)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) slope[6 * (row + i) + column + k] -= by->m[i][k];
    }
}

static void add_spring(const link_system* l, int place, const link_spring* own,
                       const sprung_pose* at, double wrench[6], double slope[36])
{
    const tml_model* m = l->s->model;
    const int body = m->node_body[l->node[place]];
    const spring_data* spring = &m->springs[own->spring];
    const int n = spring->point_count;
    path_point* path = own->path;
    for (int p = 0; p < n; p++) {
        if (spring->body[p] == body)
            place_own(at, spring->point[p], &path[p]);
        else
            place_led(l, spring->body[p], spring->point[p], &path[p]);
    }
    const affine_stage* stage = &l->springs->stage;
    const spring_mean T = tml__affine_spring_tension(spring, stage, l->springs->time, 0.0, path);
    for (int p = 0; p < n; p++) {
        if (spring->body[p] != body) continue;
        const vec3 f = v3_scale(-T.force, tml__affine_spring_pull(path, n, p));
        const vec3 torque = v3_cross(path[p].r, f);
        for (int k = 0; k < 3; k++) wrench[k] += v3_at(f, k);
        for (int k = 0; k < 3; k++) wrench[3 + k] += v3_at(torque, k);
        for (int q = 0; q < n; q++) {
            if (spring->body[q] != body) continue;
            const spring_block by = tml__affine_spring_block(path, n, T, p, q);
            const mat3 turn = m3_add(by.torque_turn, m3_scale(stage->phi, by.arm_turn));
            take_off(slope, 0, 0, &by.force_shift);
            take_off(slope, 0, 3, &by.force_turn);
            take_off(slope, 3, 0, &by.torque_shift);
            take_off(slope, 3, 3, &turn);
        }
    }
}

void tml__links_springs_pull(const link_system* l, int sprung, const sprung_pose* at,
                             double wrench[6], double slope[36])
{
    const sprung_link* link = &l->springs->links[sprung];
    for (int i = 0; i < link->count; i++) {
        add_spring(l, link->place, &l->springs->list[link->first + i], at, wrench, slope);
    }
}

// ---- at a state

// A spring between bodies of its own, one a point, as a flat state has them.
static spring_data stand(link_system* l, int spring, const double* q, const double* v)
{
    const tml_model* m = l->s->model;
    spring_data out = m->springs[spring];
    for (int p = 0; p < out.point_count; p++) {
        const body_data* b = &m->bodies[out.body[p]];
        const size_t at = (size_t)(b->node >= 0 ? b->node : 0) * POSE_WIDTH;
        rigid* end = &l->springs->ends[p];
        if (b->node >= 0)
            tml__maximal_load_body(&q[at], &v[at], end);
        else
            *end = (rigid){.c = b->c, .q = b->q, .R = q_matrix(b->q)};
    }
    out.body = l->springs->own_body;
    return out;
}

const double* tml__links_springs_push(link_system* l, const double* q, const double* v, double time,
                                      const double* others)
{
    const tml_model* m = l->s->model;
    links_springs* s = l->springs;
    const size_t bytes = 6 * (size_t)m->node_count * sizeof(double);
    if (others != NULL)
        memcpy(s->wrenches, others, bytes);
    else
        memset(s->wrenches, 0, bytes);
    for (int i = 0; i < s->count; i++) {
        const spring_data spring = stand(l, i, q, v);
        tml__spring_eval(&spring, s->ends, time, &s->at);
        for (int p = 0; p < spring.point_count; p++) {
            const int node = m->bodies[m->springs[i].body[p]].node;
            if (node < 0) continue;
            const vec3 f = tml__spring_force(&s->at, p);
            double* w = &s->wrenches[6 * (size_t)node];
            v3_store(w, v3_add(v3_load(w), f));
            v3_store(w + 3, v3_add(v3_load(w + 3), v3_cross(s->at.r[p], f)));
        }
    }
    return s->wrenches;
}

double tml__links_springs_energy(link_system* l, const double* q, const double* v)
{
    double sum = 0.0;
    for (int i = 0; i < l->springs->count; i++) {
        const spring_data spring = stand(l, i, q, v);
        sum += tml__spring_energy(&spring, l->springs->ends);
    }
    return sum;
}
