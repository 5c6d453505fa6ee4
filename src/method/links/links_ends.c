// method/links/links_ends.c - a chain of reduced segments: their ends solved one after the other, and which blocks
// take part in an iteration. The segments themselves are eliminated in links_chain.c.          [notes 5 9.3 9.9]
#include "method/links/contact.h"
#include "method/links/links_lanes.h"

#include <string.h>

// ---- between the segments, one after the other

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

static const double* ends_of(const link_system* l, int segment)
{
    return l->ends + (size_t)(segment / LANES) * END_ROWS * LANES + segment % LANES;
}

static vec3 offset_of(const links_call* call, int segment)
{
    return call->mode == LINKS_STEP ? v3_load(&call->l->offset[3 * segment]) : v3_zero();
}

// How far the start of a segment is from the end of the one before it. Positions are sums from the root, and
// there is no gap, but where links touch (below).
static vec3 gap_beyond(const links_call* call, int segment)
{
    const link_system* l = call->l;
    if (call->mode != LINKS_STEP || !links_are_touched(l)) return v3_zero();
    const vec3 end = v3_add(v3_load(&l->offset[3 * segment]), v3_load(&l->span[3 * segment]));
    return v3_sub(v3_load(&l->offset[3 * segment + 3]), end);
}

// What the anchor does beside the motion that is looked for: a step has it where it goes from the start.
static vec3 anchor_rate(const links_call* call)
{
    if (call->mode == LINKS_PROJECT) return call->l->anchor.rate;
    return call->mode == LINKS_FORCES ? call->l->anchor.acceleration : v3_zero();
}

// From the tip: what hangs on the first joint of each segment, S and z; and how the force of the
// next segment's first joint follows from its own.
void tml__chain_solve_ends(const links_call* call)
{
    link_system* l = call->l;
    mat3 S = m3_zero();
    vec3 z = v3_zero();

    for (int k = l->segment_count - 1; k >= 0; k--) {
        const double* ends = ends_of(l, k);
        const vec3 offset = offset_of(call, k);
        double* kept = &l->thomas[12 * k];  // of the joint beyond this segment
        const mat3 own = get33(ends, END_S);
        const vec3 moved = v3_sub(get3(ends, END_Z), offset);
        if (k == l->segment_count - 1) {
            memset(kept, 0, 12 * sizeof *kept);
            S = own;
            z = moved;
            continue;
        }
        const mat3 T = m3_inverse(m3_sub(S, get33(ends, END_T)));
        const mat3 L = m3_mul(T, get33(ends, END_B));
        const vec3 end = v3_sub(v3_sub(get3(ends, END_Y), offset), gap_beyond(call, k));
        const vec3 y = m3_apply(T, v3_sub(end, z));
        const mat3 Q = get33(ends, END_Q);
        memcpy(kept, L.m, sizeof L.m);
        v3_store(kept + 9, y);
        S = m3_add(own, m3_mul(Q, L));
        z = v3_add(moved, m3_apply(Q, y));
    }

    // an anchor moves as it is led; a floating chain has no first joint, and moves by z
    const vec3 ahead = v3_sub(z, anchor_rate(call));
    vec3 f = l->joint[0] >= 0 ? v3_neg(m3_apply(m3_inverse(S), ahead)) : v3_zero();
    if (l->joint[0] < 0 && call->mode == LINKS_STEP) l->root_move = v3_add(l->root_move, z);
    for (int k = 0; k < l->segment_count; k++) {
        const double* kept = &l->thomas[12 * k];
        mat3 L;
        v3_store(&l->head_change[3 * k], f);
        memcpy(L.m, kept, sizeof L.m);
        f = v3_add(v3_load(kept + 9), m3_apply(L, f));
    }
}

// ---- iterations

// Positions from the root.                                                          [notes 9.4]
static void find_offsets(link_system* l)
{
    vec3 at = l->root_move;
    for (int k = 0; k < l->segment_count; k++) {
        v3_store(&l->offset[3 * k], at);
        at = v3_add(at, v3_load(&l->span[3 * k]));
    }
}

// Where links touch, positions that are sums from the root would be of no use: a thousandth of a radian in
// each of ten thousand links is metres at a sheave that feels tenths of millimetres. There every segment
// keeps a place of its own, which the linear equations move, and what they leave between segments is a gap
// that the next iteration closes, as in a net. At the end of a step it is below rounding, and poses are
// rebuilt from the root as ever.
static double move_segments(link_system* l, int item)
{
    double largest = 0.0;
    const int end = (item + 1) * LANES < l->segment_count ? (item + 1) * LANES : l->segment_count;
    for (int k = item * LANES; k < end; k++) {
        if (k == 0 && l->joint[0] >= 0) continue;  // an anchor is where it is
        const double* ends = ends_of(l, k);
        const vec3 f = v3_load(&l->head_change[3 * k]);
        const vec3 g = k + 1 < l->segment_count ? v3_load(&l->head_change[3 * k + 3]) : v3_zero();
        const vec3 offset = v3_load(&l->offset[3 * k]);
        const vec3 by = v3_add(m3_apply(get33(ends, END_S), f), m3_apply(get33(ends, END_Q), g));
        const vec3 moved = v3_add(v3_sub(get3(ends, END_Z), offset), by);
        v3_store(&l->offset[3 * k], v3_add(offset, moved));
        largest = tml__larger(largest, v3_max(moved));
    }
    return largest;
}

// Where velocities lead: the first link of each segment by its own.
static void set_offsets(const links_call* call, int item)
{
    link_system* l = call->l;
    const int end = (item + 1) * LANES < l->segment_count ? (item + 1) * LANES : l->segment_count;
    for (int k = item * LANES; k < end; k++) {
        const double* lane = tml__links_lane(l, k / LANES * l->length * LANES + k % LANES);
        const vec3 way = v3_scale(call->stage.h, get3(lane, LINK_V));
        const vec3 offset = k > 0 ? v3_sub(way, get3(lane, LINK_MOVE)) : l->root_move;
        v3_store(&l->offset[3 * k], offset);
    }
}

static bool is_touched(const link_system* l, int item)
{
    return links_are_touched(l) && l->touch->in_item[item] != 0;
}

// A block that turns by less than this, rad, for all that its ends' forces have changed, rests: a
// millionth of a millionth is below what is left of a link that has settled, 1e-14 rad, times a
// hundred for forces that grow within the block.
static const double still = 1e-12;

// By how much the forces at the ends of eight segments change.
static double change_at_ends(const link_system* l, int item)
{
    const double* change = l->head_change + (size_t)3 * LANES * (size_t)item;
    double largest = 0.0;
    for (int i = 0; i < 3 * (LANES + 1); i++) largest = tml__larger(largest, change[i]);
    return largest;
}

static bool is_at_rest(link_system* l, int item)
{
    if (!(l->largest[item] <= links_quadratic) || is_touched(l, item)) return false;
    l->pending[item] += change_at_ends(l, item);
    // each link feels two forces, and a force has three entries
    return 4.0 * l->steepness[item] * l->pending[item] <= still;
}

// c = c + A f for eight lanes, f three numbers of each.
static void carry_product(double* c, const double* A, const double* f)
{
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < LANES; i++) {
            c[k / 3 * LANES + i] += A[k * LANES + i] * f[3 * i + k % 3];
        }
    }
}

// What the ends answer after the forces there have changed, as far as that is linear.
static void carry(link_system* l, int item)
{
    double* ends = l->ends + (size_t)item * END_ROWS * LANES;
    const double* f = l->head_change + (size_t)3 * LANES * (size_t)item;
    carry_product(ROW(ends, END_Z), ROW(ends, END_S), f);
    carry_product(ROW(ends, END_Z), ROW(ends, END_Q), f + 3);
    carry_product(ROW(ends, END_Y), ROW(ends, END_B), f);
    carry_product(ROW(ends, END_Y), ROW(ends, END_T), f + 3);
}

// A block that rests still shares its first joints with the one before.
static void show_heads(link_system* l, int item)
{
    double* force = ROW(state_of(l, item * l->length), LINK_FORCE);
    const double* heads = l->head_next + (size_t)3 * LANES * (size_t)item;
    for (int i = 0; i < 3 * LANES; i++) force[i] = heads[3 * (i % LANES) + i / LANES];
}

// The same of blocks in places of their own that have just been resolved: nothing is left.
static void settle(link_system* l, int item)
{
    double* ends = l->ends + (size_t)item * END_ROWS * LANES;
    const double* offset = l->offset + (size_t)3 * LANES * (size_t)item;
    for (int i = 0; i < 3 * LANES; i++) {
        const double at = offset[3 * (i % LANES) + i / LANES];
        ends[END_Z * LANES + i] = ends[END_Y * LANES + i] = at;
    }
    l->pending[item] = 0.0;
}

// What follows of a block of a chain that touches, while it is in the cache: its segments move, its contacts are looked at
// where they come to be, and it is reduced with these. Links that turned by less than the root of rounding leave
// nothing to be found, but where a contact has opened or closed.
static void follow_touched(const links_call* call, int item)
{
    link_system* l = call->l;
    l->largest[item] = tml__larger(l->largest[item], move_segments(l, item));
    const int corners = is_touched(l, item) ? tml__links_touch_item(l, item) : 0;
    if (l->largest[item] <= links_quadratic && corners == 0)
        settle(l, item);
    else
        l->kernels.reduce(call, item);
}

// Resolve a block, and reduce it for the next iteration, as far as either is needed.
static void follow(const links_call* call, int item)
{
    link_system* l = call->l;
    links_call own = *call;
    const bool has_touched = links_are_touched(l);
    l->has_rested[item] = is_at_rest(l, item);
    if (l->has_rested[item]) {
        show_heads(l, item);
        if (has_touched) l->largest[item] = tml__larger(l->largest[item], move_segments(l, item));
        carry(l, item);
        return;
    }
    l->kernels.resolve(&own, item);
    own.heads = l->head_next;
    // what is carried along leaves out how its own links have just moved, less than a link that settled turns
    if (has_touched)
        follow_touched(&own, item);
    else if (l->largest[item] > links_quadratic)
        l->kernels.reduce(&own, item);
    else
        carry(l, item);
}

static void set_out(const links_call* call, int item)
{
    const link_system* l = call->l;
    l->largest[item] = 1.0;  // no block rests yet
    l->kernels.predict_chain(call, item);
    if (links_are_touched(l)) set_offsets(call, item);
    if (is_touched(l, item)) tml__links_touch_item(call->l, item);
    l->kernels.reduce(call, item);
}

static void wake(const links_call* call, int item)
{
    const link_system* l = call->l;
    l->largest[item] = 1.0;
    l->kernels.reduce(call, item);
}

void tml__chain_wake(links_call* call)
{
    call->heads = call->l->head_force;
    tml__links_run(call, wake, 0, call->l->item_count);
}

static void swap_heads(links_call* call)
{
    link_system* l = call->l;
    double* now = l->head_next;
    l->head_next = l->head_force;
    l->head_force = now;
    call->heads = now;
}

static int bodies_of(const link_system* l, int item)
{
    const int left = l->count - item * LANES * l->length;
    return left < LANES * l->length ? left : LANES * l->length;
}

tml_status tml__chain_iterate(links_call* call, double* update)
{
    link_system* l = call->l;
    const bool is_step = call->mode == LINKS_STEP;
    const bool has_touched = is_step && links_are_touched(l);
    if (!is_step) tml__links_run(call, l->kernels.reduce, 0, l->item_count);
    tml__chain_solve_ends(call);
    for (int i = 0; i < 3 * l->segment_count; i++) {
        l->head_next[i] = l->head_force[i] + l->head_change[i];
    }
    tml__links_run(call, is_step ? follow : l->kernels.resolve, 0, l->item_count);
    *update = 0.0;
    l->last_bodies = l->count;
    for (int item = 0; item < l->item_count; item++) {
        *update = tml__larger(*update, l->largest[item]);
        if (is_step && l->has_rested[item]) l->last_bodies -= bodies_of(l, item);
    }
    if (has_touched) {
        l->root_move = v3_load(l->offset);
        tml__links_touch_count(l);
    } else if (is_step) {
        find_offsets(l);
    }
    if (call->mode != LINKS_PROJECT) swap_heads(call);
    return isfinite(*update) ? TML_OK : TML_NOT_CONVERGED;
}

tml_status tml__chain_start(links_call* call)
{
    link_system* l = call->l;
    tml__links_let_go(l);
    l->root_move = l->joint[0] >= 0 ? v3_sub(l->anchor.to, l->anchor.from)
                                    : v3_scale(call->stage.h, get3(tml__links_lane(l, 0), LINK_V));
    if (links_are_touched(l)) l->touch->is_start = true;
    tml__links_run(call, set_out, 0, l->item_count);
    if (!links_are_touched(l)) {
        find_offsets(l);
        return TML_OK;
    }
    l->touch->is_start = false;
    for (int item = 0; item < l->item_count; item++) {
        if (!isfinite(l->largest[item])) return TML_NOT_CONVERGED;
    }
    return TML_OK;
}
