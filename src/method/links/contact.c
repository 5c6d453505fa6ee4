// method/links/contact.c - forces of contacts on links, their derivatives, and links that answer with both.
#include "method/links/contact.h"

#include "base/request.h"
#include "linalg/lanes.h"
#include "math/small.h"
#include "method/links/net.h"
#include "method/links/prescribed.h"
#include "method/links/springs.h"

#include <string.h>

// ---- memory

enum {
    REQUESTS = 12
};

static int list_requests(const link_system* l, links_touch* t, request list[REQUESTS])
{
    const size_t contacts = (size_t)t->capacity;
    const size_t room = contacts + (l->springs != NULL ? (size_t)l->springs->link_count : 0);
    const request all[REQUESTS] = {
        {&t->contacts, contacts, sizeof *t->contacts},
        {&t->list, contacts, sizeof(int)},
        {&t->answers, l->net != NULL ? room : 0, sizeof *t->answers},
        {&t->held, HELD_ROWS * (size_t)l->row_count * LANES, sizeof(double)},
        {&t->ports, l->is_chain ? TOUCHED_ROWS * room : 0, sizeof(double)},
        {&t->links, room, sizeof *t->links},
        {&t->of_place, (size_t)l->row_count * LANES, sizeof(int)},
        {&t->in_row, (size_t)l->row_count, 1},
        {&t->in_item, (size_t)l->item_count, 1},
        {&t->by_item, l->is_chain ? room : 0, sizeof(int)},
        {&t->first_of, l->is_chain ? (size_t)l->item_count + 1 : 0, sizeof(int)},
        {&t->item_corners, l->is_chain ? (size_t)l->item_count : 0, sizeof(int)},
    };
    memcpy(list, all, sizeof all);
    return REQUESTS;
}

static void destroy(const link_system* l, links_touch* t)
{
    request list[REQUESTS];
    if (t == NULL) return;
    tml__release_all(&l->allocator, list, list_requests(l, t, list));
    tml__release(&l->allocator, t);
}

tml_status tml__links_touch_create(link_system* l, int capacity)
{
    request list[REQUESTS];
    links_touch* t = tml__allocate(&l->allocator, 1, sizeof *t);
    if (t == NULL) return TML_NO_MEMORY;
    t->capacity = capacity;
    if (tml__take_all(&l->allocator, list, list_requests(l, t, list)) != TML_OK) {
        destroy(l, t);
        return TML_NO_MEMORY;
    }
    destroy(l, l->touch);
    l->touch = t;
    return TML_OK;
}

void tml__links_touch_destroy(link_system* l)
{
    destroy(l, l->touch);
    l->touch = NULL;
}

// ---- the contacts of a step

// What is eliminated together: a block of segments, or a row.
static int item_of(const link_system* l, int place)
{
    return l->is_chain ? place / LANES / l->length : place / LANES;
}

static void forget(const link_system* l, links_touch* t)
{
    for (int i = 0; i < t->link_count; i++) {
        const int place = t->links[i].place;
        t->of_place[place] = 0;
        t->in_row[place / LANES] = 0;
        t->in_item[item_of(l, place)] = 0;
    }
    t->contact_count = t->link_count = 0;
}

static touched_link* add_link(const link_system* l, links_touch* t, int place, vec3 x)
{
    if (t->of_place[place] == 0) {
        t->links[t->link_count] = (touched_link){.place = place, .x = x, .answered = -1};
        t->of_place[place] = ++t->link_count;
        t->in_row[place / LANES] = 1;
        t->in_item[item_of(l, place)] = 1;
    }
    return &t->links[t->of_place[place] - 1];
}

// Contacts come in the order of the colliders: those of a link with several bodies are apart.
static void list_contacts(links_touch* t)
{
    int total = 0;
    for (int i = 0; i < t->link_count; i++) {
        t->links[i].first = total;
        total += t->links[i].count;
        t->links[i].count = 0;
    }
    for (int i = 0; i < t->contact_count; i++) {
        const int place = t->contacts[i].place;
        if (place < 0) continue;
        touched_link* link = &t->links[t->of_place[place] - 1];
        t->list[link->first + link->count++] = i;
    }
}

// Links of a chain by blocks, in the order they have.
static void list_links(const link_system* l, links_touch* t)
{
    if (!l->is_chain) return;
    memset(t->first_of, 0, ((size_t)l->item_count + 1) * sizeof *t->first_of);
    memset(t->item_corners, 0, (size_t)l->item_count * sizeof *t->item_corners);
    for (int i = 0; i < t->link_count; i++) t->first_of[item_of(l, t->links[i].place)]++;
    int total = 0;
    for (int item = 0; item <= l->item_count; item++) {
        total += t->first_of[item];
        t->first_of[item] = total;
    }
    for (int i = t->link_count - 1; i >= 0; i--) {
        t->by_item[--t->first_of[item_of(l, t->links[i].place)]] = i;
    }
}

static int place_of(const link_system* l, int body)
{
    const int node = l->s->model->bodies[body].node;
    return node >= 0 ? l->place_of[node] : -1;
}

void tml__links_touch_pose(link_system* l, const contact* from, int count, double stiffness,
                           const rigid* bodies)
{
    links_touch* t = l->touch;
    forget(l, t);
    t->stiffness = stiffness;
    for (int i = 0; l->led != NULL && i < l->led->count; i++) {
        l->led->list[i].start = bodies[l->led->list[i].body];
    }
    for (int i = 0; i < count; i++) {
        const contact* k = &from[i];
        const bool is_a = place_of(l, k->body_a) >= 0;
        const int body = is_a ? k->body_a : k->body_b;
        const int other = is_a ? k->body_b : k->body_a;
        const rigid* b = &bodies[body];
        const int place = place_of(l, body);
        t->contacts[t->contact_count++] = (link_contact){
            .place = place,
            .led = l->led != NULL ? l->led->of_body[other] : 0,
            .is_a = is_a,
            .from = k,
            .x0 = b->c,
            .R0 = b->R,
            .normal = is_a ? k->normal : v3_neg(k->normal),
            .arm = v3_sub(k->point, b->c),
            .gap = k->gap,
        };
        if (place >= 0) add_link(l, t, place, b->c)->count++;
    }
    list_contacts(t);
    list_links(l, t);
}

void tml__links_touch_springs(link_system* l, const double* q)
{
    links_touch* t = l->touch;
    if (l->springs == NULL) return;
    if (t->capacity == 0) forget(l, t);
    for (int i = 0; i < l->springs->link_count; i++) {
        const int place = l->springs->links[i].place;
        const vec3 x = v3_load(&q[(size_t)l->node[place] * POSE_WIDTH]);
        add_link(l, t, place, x)->sprung = i + 1;
    }
    list_links(l, t);
}

// ---- where a link is

typedef struct link_pose {
    vec3 shift;  // since this part of the step began
    mat3 R, R_end;
} link_pose;

static mat3 get33(const double* lane, int row)
{
    mat3 a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = lane[(row + k) * LANES];
    return a;
}

static vec3 get3(const double* lane, int row)
{
    return v3(lane[row * LANES], lane[(row + 1) * LANES], lane[(row + 2) * LANES]);
}

// How far the start of a chain's segment has moved: links count from there.
static vec3 offset_at(const link_system* l, int place)
{
    if (!l->is_chain) return v3_zero();
    const int segment = place / LANES / l->length * LANES + place % LANES;
    return v3_load(&l->offset[3 * segment]);
}

static link_pose pose_of(const link_system* l, int place)
{
    const double* lane = tml__links_lane(l, place);
    return (link_pose){v3_add(get3(lane, LINK_MOVE), offset_at(l, place)), get33(lane, LINK_R),
                       get33(lane, LINK_END)};
}

// ---- one contact at the iterate

static void move_feature(const link_system* l, contact_feature* f, const link_contact* c,
                         const mat3* turn, vec3 to)
{
    tml__feature_move(f, c->is_a, c->x0, turn, to);
    if (c->led == 0) return;
    const led_body* other = &l->led->list[c->led - 1];
    const mat3 led = m3_mul_bt(other->to.R, other->start.R);
    tml__feature_move(f, !c->is_a, other->start.c, &led, other->to.c);
}

// The way that a point of what the link touches goes in this part of the step.
static vec3 led_way(const link_system* l, const link_contact* c, vec3 point)
{
    if (c->led == 0) return v3_zero();
    const led_body* other = &l->led->list[c->led - 1];
    const vec3 turn = v3_scale(0.5, affine_tau(m3_mul_bt(other->to.R, other->from.R)));
    return v3_add(v3_sub(other->to.c, other->from.c), v3_cross(turn, v3_sub(point, other->from.c)));
}

// What is apart by no more than this, m, pushes not yet but stands already in the derivative: a chain that is
// laid on a sheave, or parts from it by rounding, would fall through in the first iteration.
static const double just_apart = 1e-6;

// What a contact does: between these its force has corners.
enum {
    OPEN = 0,
    CLOSED = 1,
    SLIDES = 2,  // and the same, two bits further, along the second tangent
    SLIDES_BACK = 4,
};

// Force and torque, and how they change by a shift or turn of the end (columns).
typedef struct contact_forces {
    vec3 force, torque;
    vec3 force_by[6], torque_by[6];
} contact_forces;

// Gap, normal and point of a contact at the iterate, and their derivatives by the link's own motion.
typedef struct contact_end {
    double gap_by[6];
    vec3 normal_by[6], point_by[6];
} contact_end;

static vec3 column_of(double slope[CONTACT_ROWS][TWIST_COLUMNS], int row, int column)
{
    return v3(slope[row][column], slope[row + 1][column], slope[row + 2][column]);
}

// Twists are about the world's origin: a turn w about the centre of mass c is w and the shift c x w.
static tml_status find_end(const contact* now, const link_contact* c, vec3 x, contact_end* out)
{
    double slope[CONTACT_ROWS][TWIST_COLUMNS];
    const tml_status status = tml__contact_slope_of(now, c->is_a, slope);
    if (status != TML_OK) return status;
    const int first = c->is_a ? 0 : 6;
    const double side = c->is_a ? 1.0 : -1.0;
    for (int k = 0; k < 3; k++) {
        out->gap_by[k] = slope[0][first + 3 + k];
        out->normal_by[k] = v3_scale(side, column_of(slope, 1, first + 3 + k));
        out->point_by[k] = column_of(slope, 4, first + 3 + k);
    }
    for (int k = 0; k < 3; k++) {
        const vec3 shift = v3_cross(x, v3_unit(k));
        out->gap_by[3 + k] = slope[0][first + k];
        out->normal_by[3 + k] = v3_scale(side, column_of(slope, 1, first + k));
        out->point_by[3 + k] = column_of(slope, 4, first + k);
        for (int i = 0; i < 3; i++) {
            const double part = v3_at(shift, i);
            out->gap_by[3 + k] += part * out->gap_by[i];
            out->normal_by[3 + k] = v3_axpy(out->normal_by[3 + k], part, out->normal_by[i]);
            out->point_by[3 + k] = v3_axpy(out->point_by[3 + k], part, out->point_by[i]);
        }
    }
    return TML_OK;
}

static void push_normally(const link_contact* c, double stiffness, const contact_end* end,
                          contact_forces* out)
{
    const double f = -stiffness * c->gap_end;
    const vec3 sum = v3_add(c->normal, c->normal_end);
    const double size = v3_norm(sum);
    const vec3 n = v3_scale(1.0 / size, sum);
    const vec3 arm = v3_scale(0.5, v3_add(c->arm, c->arm_end));
    out->force = v3_scale(f, n);
    out->torque = v3_cross(arm, out->force);
    for (int k = 0; k < 6; k++) {
        const vec3 across = v3_axpy(end->normal_by[k], -v3_dot(n, end->normal_by[k]), n);
        const vec3 bent = v3_axpy(v3_scale(-stiffness * end->gap_by[k], n), f / size, across);
        const vec3 moved = k < 3 ? v3_sub(end->point_by[k], v3_unit(k)) : end->point_by[k];
        out->force_by[k] = bent;
        out->torque_by[k] = v3_add(v3_cross(arm, bent), v3_scale(0.5, v3_cross(moved, out->force)));
    }
}

// The way of the point that touched where this part of the step began, beyond that of what it touches.
static vec3 way_of(const link_contact* c, const link_pose* at, vec3 led)
{
    const vec3 turn = v3_scale(0.5, affine_tau(m3_mul_bt(at->R_end, at->R)));
    return v3_sub(v3_add(at->shift, v3_cross(turn, c->arm)), led);
}

// Along the tangents where the step began, against the way of the point that touched where this part of
// it did, beyond that of what it touches (`led`).
static void push_along(link_contact* c, unsigned char before, double stiffness, const link_pose* at,
                       vec3 led, const contact_end* end, contact_forces* out)
{
    const mat3 Q = m3_mul_bt(at->R_end, at->R);
    const mat3 lever = affine_lever(Q);
    const vec3 way = way_of(c, at, led);
    const double bound = -c->from->friction * stiffness * c->gap_end;
    for (int n = 0; n < 2; n++) {
        const vec3 axis = c->from->tangent[n];
        const vec3 twist = v3_cross(c->arm, axis);
        double f = -stiffness * v3_dot(axis, way);
        const double sign = f > 0.0 ? 1.0 : -1.0;
        const int back = (sign > 0.0 ? SLIDES_BACK : SLIDES) << (2 * n);
        const bool slides = !(fabs(f) <= bound) && (before & back) == 0;
        if (slides) f = sign * bound;
        if (slides)
            c->kind = (unsigned char)(c->kind | (sign > 0.0 ? SLIDES : SLIDES_BACK) << (2 * n));
        out->force = v3_axpy(out->force, f, axis);
        out->torque = v3_axpy(out->torque, f, twist);
        // what sticks is a spring; what slides follows the normal force
        const vec3 by_turn = v3_scale(0.5, m3_apply_t(lever, twist));
        for (int k = 0; k < 6; k++) {
            const double moved = k < 3 ? v3_at(axis, k) : v3_at(by_turn, k - 3);
            const double by = slides ? -sign * c->from->friction * stiffness * end->gap_by[k]
                                     : -stiffness * moved;
            out->force_by[k] = v3_axpy(out->force_by[k], by, axis);
            out->torque_by[k] = v3_axpy(out->torque_by[k], by, twist);
        }
    }
}

// Where a part of a step begins velocities lead straight on, off the sheave that a link runs around: a chain at 2 m/s
// by 0.7 mm, and with all its contacts open it would whip. What pushed, and would go on to along the normal it had,
// is kept for the first iteration, though it may pull there.
static bool is_kept(const link_system* l, const touched_link* link, const link_contact* c,
                    const link_pose* at)
{
    if (!l->touch->is_start || !(c->gap < 0.0)) return false;
    const vec3 led = led_way(l, c, v3_add(link->x, c->arm));
    return c->gap + v3_dot(c->normal, way_of(c, at, led)) <= 0.0;
}

static tml_status evaluate_contact(const link_system* l, const touched_link* link, link_contact* c,
                                   const link_pose* at, contact_forces* out)
{
    const double stiffness = l->touch->stiffness;
    const vec3 x = v3_add(link->x, at->shift);
    const mat3 turn = m3_mul_bt(at->R_end, c->R0);
    contact now = {.feature = c->from->feature};
    contact_end end;
    *out = (contact_forces){.force = v3_zero()};
    move_feature(l, &now.feature, c, &turn, x);
    // a rod that lies along a limb turns a little, and the lines through both meet far from either
    tml__feature_end(&now.feature, c->from->normal);
    tml_status status = tml__feature_value(&now.feature, c->from->normal, &now);
    if (status != TML_OK) return TML_NOT_CONVERGED;
    c->gap_end = now.gap;
    c->normal_end = c->is_a ? now.normal : v3_neg(now.normal);
    c->arm_end = v3_sub(now.point, x);
    const unsigned char before = c->kind;
    c->force = v3_zero();
    c->kind = OPEN;
    const bool stays = isfinite(now.gap) && is_kept(l, link, c, at);
    if (!stays && !(now.gap <= (l->touch->is_loose || link->is_loose ? 0.0 : just_apart)))
        return isfinite(now.gap) ? TML_OK : TML_NOT_CONVERGED;
    if (now.gap > 0.0 && !stays) c->gap_end = 0.0;
    status = find_end(&now, c, x, &end);
    if (status != TML_OK) return TML_NOT_CONVERGED;
    push_normally(c, stiffness, &end, out);
    c->kind = now.gap > 0.0 && !stays ? OPEN : CLOSED;
    if (c->from->friction > 0.0 && !(c->gap_end > 0.0)) {
        const vec3 led = led_way(l, c, v3_add(link->x, c->arm));
        push_along(c, before, stiffness, at, led, &end, out);
    }
    c->force = out->force;
    return TML_OK;
}

// ---- all contacts of a link, and all links

static tml_status evaluate_link(const link_system* l, touched_link* link)
{
    const link_pose at = pose_of(l, link->place);
    link->answered = -1;
    memset(link->wrench, 0, sizeof link->wrench);
    memset(link->slope, 0, sizeof link->slope);
    for (int i = 0; i < link->count; i++) {
        contact_forces by;
        link_contact* c = &l->touch->contacts[l->touch->list[link->first + i]];
        const unsigned char before = c->kind;
        const tml_status status = evaluate_contact(l, link, c, &at, &by);
        c->has_turned = c->kind != before;
        if (status != TML_OK) return status;
        for (int k = 0; k < 3; k++) {
            link->wrench[k] += v3_at(by.force, k);
            link->wrench[3 + k] += v3_at(by.torque, k);
            for (int column = 0; column < 6; column++) {
                link->slope[6 * k + column] -= v3_at(by.force_by[column], k);
                link->slope[6 * (3 + k) + column] -= v3_at(by.torque_by[column], k);
            }
        }
    }
    if (link->sprung > 0) {
        const sprung_pose pose = {link->x, at.shift, at.R, at.R_end};
        tml__links_springs_pull(l, link->sprung - 1, &pose, link->wrench, link->slope);
    }
    return TML_OK;
}

enum {
    STRETCH = 64  // links that a thread looks at in one go
};

static void evaluate_stretch(void* context, int item, int thread)
{
    (void)thread;
    const link_system* l = context;
    links_touch* t = l->touch;
    const int last = (item + 1) * STRETCH < t->link_count ? (item + 1) * STRETCH : t->link_count;
    for (int i = item * STRETCH; i < last; i++) {
        // a link without an answer makes the iteration one without an end
        if (evaluate_link(l, &t->links[i]) != TML_OK) t->links[i].wrench[0] = (double)NAN;
    }
}

tml_status tml__links_touch_evaluate(link_system* l)
{
    links_touch* t = l->touch;
    tml__team_run(l->team, 0, (t->link_count + STRETCH - 1) / STRETCH, evaluate_stretch, l);
    for (int i = 0; i < t->link_count; i++) {
        if (!isfinite(t->links[i].wrench[0])) return TML_NOT_CONVERGED;
    }
    t->corners = 0;
    for (int i = 0; i < t->contact_count; i++) t->corners += t->contacts[i].has_turned;
    return TML_OK;
}

// Below this, m or rad, Newton follows what is just apart as it parts: with it in the derivative it would creep
// away, by a third an iteration. Before that a chain without it may whip off its sheaves.
static const double nearly_there = 1e-3;

int tml__links_touch_item(link_system* l, int item)
{
    links_touch* t = l->touch;
    int corners = 0;
    const bool is_loose = !t->is_start && l->largest[item] <= nearly_there;
    for (int i = t->first_of[item]; i < t->first_of[item + 1]; i++) {
        touched_link* link = &t->links[t->by_item[i]];
        link->is_loose = is_loose;
        if (evaluate_link(l, link) != TML_OK) l->largest[item] = (double)NAN;
        for (int k = 0; k < link->count; k++) {
            corners += t->contacts[t->list[link->first + k]].has_turned;
        }
    }
    t->item_corners[item] = corners;
    return corners;
}

void tml__links_touch_count(link_system* l)
{
    l->touch->corners = 0;
    for (int item = 0; item < l->item_count; item++) {
        l->touch->corners += l->touch->item_corners[item];
    }
}

double tml__links_touch_work(const link_system* l)
{
    double sum = 0.0;
    for (int i = 0; i < l->touch->link_count; i++) {
        const touched_link* link = &l->touch->links[i];
        const link_pose at = pose_of(l, link->place);
        const affine_body b = {.R = at.R, .R_end = at.R_end};
        sum += v3_dot(v3_load(link->wrench), at.shift) +
               v3_dot(v3_load(link->wrench + 3), tml__affine_cayley(&b));
    }
    return sum;
}

static double stored_at(double gap) { return gap < 0.0 ? gap * gap : 0.0; }

double tml__links_touch_stored(const link_system* l)
{
    const links_touch* t = l->touch;
    double sum = 0.0;
    for (int i = 0; i < t->contact_count; i++) {
        const link_contact* c = &t->contacts[i];
        if (c->place >= 0) sum += stored_at(c->gap_end) - stored_at(c->gap);
    }
    return 0.5 * t->stiffness * sum;
}

void tml__links_touch_go_on(link_system* l)
{
    links_touch* t = l->touch;
    for (int i = 0; i < t->link_count; i++) {
        touched_link* link = &t->links[i];
        link->x = v3_add(link->x, pose_of(l, link->place).shift);
        for (int k = 0; k < link->count; k++) {
            link_contact* c = &t->contacts[t->list[link->first + k]];
            c->normal = c->normal_end;
            c->arm = c->arm_end;
            c->gap = c->gap_end;
        }
    }
}

// ---- how a touched link answers to forces at its joints

static void put33(double* lane, int row, const mat3* a)
{
    for (int k = 0; k < 9; k++) lane[(row + k) * LANES] = a->m[k / 3][k % 3];
}

static void put3(double* lane, int row, vec3 a)
{
    for (int k = 0; k < 3; k++) lane[(row + k) * LANES] = v3_at(a, k);
}

typedef struct answer {
    mat3 shift, turn;  // by a force at a joint, columns
} answer;

static void solve_for(const six* m, vec3 force, vec3 torque, vec3* shift, vec3* turn)
{
    double x[6];
    v3_store(x, force);
    v3_store(x + 3, torque);
    tml__lu_solve(6, m->matrix, 6, m->pivot, x);
    *shift = v3_load(x);
    *turn = v3_load(x + 3);
}

// Right-hand sides side by side: forces at both joints along the axes, and what is left of the equations.
typedef double six_sides[6][LANES];

static void set_side(six_sides b, int column, vec3 force, vec3 torque)
{
    for (int i = 0; i < 3; i++) {
        b[i][column] = v3_at(force, i);
        b[3 + i][column] = v3_at(torque, i);
    }
}

// Each by the operations of tml__lu_solve.
static void solve_sides(const six* m, six_sides b)
{
    for (int k = 0; k < 6; k++) {
        double* row = b[m->pivot[k]];
        for (int c = 0; c < LANES; c++) {
            const double entry = row[c];
            row[c] = b[k][c];
            b[k][c] = entry;
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            for (int c = 0; c < LANES; c++) b[i][c] -= m->matrix[6 * i + j] * b[j][c];
        }
    }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++) {
            for (int c = 0; c < LANES; c++) b[i][c] -= m->matrix[6 * i + j] * b[j][c];
        }
        for (int c = 0; c < LANES; c++) b[i][c] /= m->matrix[7 * i];
    }
}

static answer answer_in(six_sides b, int first)
{
    answer out;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out.shift.m[i][k] = b[i][first + k];
            out.turn.m[i][k] = b[3 + i][first + k];
        }
    }
    return out;
}

static answer answer_to(const six* m, vec3 arm)
{
    answer out;
    for (int k = 0; k < 3; k++) {
        vec3 shift, turn;
        solve_for(m, v3_unit(k), v3_cross(arm, v3_unit(k)), &shift, &turn);
        for (int i = 0; i < 3; i++) {
            out.shift.m[i][k] = v3_at(shift, i);
            out.turn.m[i][k] = v3_at(turn, i);
        }
    }
    return out;
}

// How a force moves a point: shift + turn x r, columns.
static mat3 motion_by(const answer* by, vec3 r)
{
    mat3 out;
    for (int k = 0; k < 3; k++) {
        const vec3 moved = v3_add(m3_column(by->shift, k), v3_cross(m3_column(by->turn, k), r));
        for (int i = 0; i < 3; i++) out.m[i][k] = v3_at(moved, i);
    }
    return out;
}

static bool factor(const touched_link* link, const double* body, six* out)
{
    const mat3 K = get33(body, TOUCH_K);
    memcpy(out->matrix, link->slope, sizeof out->matrix);
    for (int i = 0; i < 3; i++) {
        out->matrix[7 * i] += body[TOUCH_INERTIA * LANES];
        for (int j = 0; j < 3; j++) out->matrix[6 * (3 + i) + 3 + j] += K.m[i][j];
    }
    return tml__lu_factor(6, out->matrix, 6, out->pivot) == TML_OK;
}

static void answer_place(const link_system* l, const touched_link* link, const double* type,
                         const double* body, double* ports)
{
    const mat3 R = get33(body, TOUCH_R);
    const mat3 A = get33(body, TOUCH_A);
    const vec3 inner = get3(type, LINK_INNER);
    const vec3 outer = get3(type, LINK_OUTER);
    const vec3 offset = offset_at(l, link->place);
    const double inertia = body[TOUCH_INERTIA * LANES];
    six m;
    six_sides sides = {{0.0}};
    if (!factor(link, body, &m)) {
        for (int k = 0; k < TOUCHED_ROWS; k++) ports[k * LANES] = (double)NAN;
        return;
    }
    // what is left of the equations, where the link really is: MOVE is beyond the segment's start
    const vec3 left = v3_scale(inertia, v3_add(get3(body, TOUCH_EX), offset));
    const vec3 arms[2] = {m3_apply(A, inner), m3_apply(A, outer)};
    for (int k = 0; k < 6; k++) {
        set_side(sides, k, v3_unit(k % 3), v3_cross(arms[k / 3], v3_unit(k % 3)));
    }
    set_side(sides, 6, v3_sub(v3_load(link->wrench), left),
             v3_sub(v3_load(link->wrench + 3), get3(body, TOUCH_EW)));
    solve_sides(&m, sides);
    const answer by_inner = answer_in(sides, 0);
    const answer by_outer = answer_in(sides, 3);
    const vec3 turn = v3(sides[3][6], sides[4][6], sides[5][6]);
    const vec3 shift = v3_add(v3(sides[0][6], sides[1][6], sides[2][6]), offset);
    const vec3 r_inner = m3_apply(R, inner);
    const vec3 r_outer = m3_apply(R, outer);
    const mat3 aa = motion_by(&by_inner, r_inner);
    const mat3 ac = motion_by(&by_outer, r_inner);
    const mat3 ca = motion_by(&by_inner, r_outer);
    const mat3 cc = motion_by(&by_outer, r_outer);
    put33(ports, TOUCHED_AA, &aa);
    put33(ports, TOUCHED_AC, &ac);
    put33(ports, TOUCHED_CA, &ca);
    put33(ports, TOUCHED_CC, &cc);
    put33(ports, TOUCHED_NA, &by_inner.turn);
    put33(ports, TOUCHED_NC, &by_outer.turn);
    put3(ports, TOUCHED_UA, v3_add(shift, v3_cross(turn, r_inner)));
    put3(ports, TOUCHED_UC, v3_add(shift, v3_cross(turn, r_outer)));
    put3(ports, TOUCHED_KE, v3_neg(turn));
}

void tml__links_touch_answer(const link_system* l, int row, const double* body, double* ports)
{
    const links_touch* t = l->touch;
    const double* type = l->types + (size_t)l->row_type[row] * LINK_CONSTANTS * LANES;
    for (int i = 0; i < LANES; i++) {
        const int link = t->of_place[row * LANES + i];
        if (link == 0) continue;
        double* kept = t->ports + (size_t)TOUCHED_ROWS * (size_t)(link - 1);
        touched_link* to = &t->links[link - 1];
        // a block is reduced, and then resolved from the same state
        if (to->answered == t->evaluation) {
            for (int k = 0; k < TOUCHED_ROWS; k++) ports[k * LANES + i] = kept[k];
            continue;
        }
        answer_place(l, to, type + i, body + i, ports + i);
        for (int k = 0; k < TOUCHED_ROWS; k++) kept[k] = ports[k * LANES + i];
        to->answered = t->evaluation;
    }
}

// ---- and in a net, to forces at any number of them

// Points of the joints of a link, by ports: their places at the end, and the arms of forces.
typedef struct port_arms {
    double side;
    vec3 r, d;
    int joint;
} port_arms;

static port_arms port_at(const net* n, int port, int lane, const mat3* R, const mat3* A)
{
    const double* at = n->port + (size_t)port * PORT_ROWS * LANES + lane;
    const vec3 point = get3(at, PORT_POINT);
    return (port_arms){at[PORT_SIDE * LANES], m3_apply(*R, point), m3_apply(*A, point),
                       n->port_joint[port * LANES + lane]};
}

// What a touched link tells the blocks of its pairs of joints, and what opens its joints.
static void tell_place(const link_system* l, const touched_link* link, const touched_answer* by,
                       const double* body)
{
    net* n = l->net;
    const int row = link->place / LANES;
    const int lane = link->place % LANES;
    const mat3 R = get33(body, TOUCH_R);
    const mat3 A = get33(body, TOUCH_A);
    const int first = n->first_port[row];
    const int count = n->first_port[row + 1] - first;
    const double* x = l->x + 3 * (size_t)link->place;
    const vec3 at = v3_add(v3_load(x), get3(tml__links_lane(l, link->place), LINK_MOVE));
    for (int q = 0; q < count; q++) {
        const port_arms from = port_at(n, first + q, lane, &R, &A);
        if (from.side == 0.0) continue;
        const vec3 moved =
            v3_add(v3_add(at, by->shift), v3_add(from.r, v3_cross(by->turn, from.r)));
        double* change = n->change + 3 * (size_t)from.joint;
        for (int k = 0; k < 3; k++) change[k] -= from.side * v3_at(moved, k);
        if (n->is_kept) continue;
        const answer answered = answer_to(&by->matrix, from.d);
        for (int p = 0; p < count; p++) {
            const port_arms to = port_at(n, first + p, lane, &R, &A);
            double* sum = n->pair[(size_t)LANES * (size_t)(n->first_pair[row] + p * count + q) +
                                  (size_t)lane];
            if (sum == NULL) continue;
            const mat3 W = motion_by(&answered, to.r);
            for (int k = 0; k < 9; k++) sum[k] += to.side * from.side * W.m[k % 3][k / 3];
        }
    }
}

void tml__net_touch_tell(const link_system* l, int row, const double* body)
{
    const links_touch* t = l->touch;
    for (int i = 0; i < LANES; i++) {
        const int number = t->of_place[row * LANES + i];
        if (number == 0) continue;
        const touched_link* link = &t->links[number - 1];
        touched_answer* by = &t->answers[number - 1];
        const double* own = body + i;
        const vec3 left = v3_scale(own[TOUCH_INERTIA * LANES], get3(own, TOUCH_EX));
        if (!factor(link, own, &by->matrix)) {
            by->matrix = (six){.pivot = {0, 1, 2, 3, 4, 5}};  // no answer: no finite motion
        }
        solve_for(&by->matrix, v3_sub(v3_load(link->wrench), left),
                  v3_sub(v3_load(link->wrench + 3), get3(own, TOUCH_EW)), &by->shift, &by->turn);
        tell_place(l, link, by, own);
    }
}

void tml__net_touch_follow(const link_system* l, int row, double* motion)
{
    const links_touch* t = l->touch;
    for (int i = 0; i < LANES; i++) {
        const int number = t->of_place[row * LANES + i];
        if (number == 0) continue;
        const touched_answer* by = &t->answers[number - 1];
        vec3 shift, turn;
        solve_for(&by->matrix, get3(motion + i, 0), get3(motion + i, 3), &shift, &turn);
        put3(motion + i, 0, v3_add(by->shift, shift));
        put3(motion + i, 3, v3_add(by->turn, turn));
    }
}
