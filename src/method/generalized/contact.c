// method/generalized/contact.c - rows of contacts and limits, their complementarity problem, and the
// shift out of overlaps.
#include "method/generalized/contact.h"

#include "base/request.h"
#include "method/generalized/local.h"
#include "method/generalized/stiff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS_PER_CONTACT = ROWS_TOGETHER,
    LEMKE_ROWS = 60  // the last resort is for small islands
};

// ---- memory

enum {
    REQUESTS = 29
};

// clang-format off
static int list_requests(gen_touch* c, request list[REQUESTS])
{
    const size_t rows = c->rows != NULL ? (size_t)c->rows->capacity : 0;
    const size_t limits = (size_t)c->motion->s->limit_count;
    const size_t contacts = (size_t)c->max_contacts;
    const size_t columns = (size_t)c->motion->tree->column_count;
    const size_t bodies = (size_t)c->motion->tree->body_count;
    const request all[] = {
        {&c->limit_index,    limits, sizeof *c->limit_index},
        {&c->limit_side_of,  limits, sizeof *c->limit_side_of},
        {&c->contact_row,    contacts, sizeof *c->contact_row},
        {&c->friction_rows,  contacts, sizeof *c->friction_rows},
        {&c->offset_of,      contacts, sizeof *c->offset_of},
        {&c->waiting,        contacts, sizeof *c->waiting},
        {&c->waiting_spot,   contacts, sizeof *c->waiting_spot},
        {&c->kinds,          rows, sizeof *c->kinds},
        {&c->b,              rows, sizeof *c->b},
        {&c->guess,          rows, sizeof *c->guess},
        {&c->f,              rows, sizeof *c->f},
        {&c->w,              rows, sizeof *c->w},
        {&c->labels,         rows, sizeof *c->labels},
        {&c->is_independent, rows, sizeof *c->is_independent},
        {&c->rates_start,    columns, sizeof *c->rates_start},
        {&c->pushed,         columns, sizeof *c->pushed},
        {&c->rates_try,      columns, sizeof *c->rates_try},
        {&c->motions,        2 * bodies, sizeof *c->motions},
        {&c->shift,          columns, sizeof *c->shift},
        {&c->kinds_shift,    rows, sizeof *c->kinds_shift},
        {&c->gap,            rows, sizeof *c->gap},
        {&c->f_shift,        rows, sizeof *c->f_shift},
        {&c->w_shift,        rows, sizeof *c->w_shift},
        {&c->labels_shift,   rows, sizeof *c->labels_shift},
        {&c->parting,        rows, sizeof *c->parting},
        {&c->parting_kinds,  rows, sizeof *c->parting_kinds},
        {&c->parting_gap,    rows, sizeof *c->parting_gap},
        {&c->parting_f,      rows, sizeof *c->parting_f},
        {&c->parting_labels, rows, sizeof *c->parting_labels},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

static tml_status take(gen_touch* c)
{
    request list[REQUESTS];
    const int count = list_requests(c, list);
    return tml__take_all(&c->allocator, list, count);
}

void tml__gen_touch_destroy(gen_touch* c)
{
    if (c == NULL) return;
    const tml_allocator allocator = c->allocator;
    request list[REQUESTS];
    const int count = list_requests(c, list);
    tml__release_all(&allocator, list, count);
    tml__lcp_destroy(c->solver);
    tml__gen_rows_destroy(c->rows);
    tml__release(&allocator, c);
}

tml_status tml__gen_touch_create(gen_motion* m, const gen_touch_settings* settings,
                                 const tml_allocator* allocator, message* why, gen_touch** out)
{
    *out = NULL;
    gen_touch* c = tml__allocate(allocator, 1, sizeof *c);
    if (c == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    c->motion = m;
    c->allocator = *allocator;
    c->max_contacts = settings->max_contacts;
    c->stiffness = settings->stiffness;
    c->slop = 1e-4 * settings->margin;
    c->sweeps = settings->sweeps;

    tml_status status = tml__gen_rows_create(
        m->tree, m->s, ROWS_PER_CONTACT * settings->max_contacts + m->s->model->dry_count,
        m->is_implicit, allocator, why, &c->rows);
    if (status == TML_OK) {
        status = take(c);
        if (status != TML_OK) tml__fail(why, status, "out of memory");
    }
    if (status == TML_OK) {
        const lcp_room room = {.rows = c->rows->capacity,
                               .columns = m->tree->column_count,
                               .lemke_rows = LEMKE_ROWS,
                               .entries = c->rows->entry_limit,
                               .is_swept = c->sweeps > 0};
        status = tml__lcp_create_lifted(&room, allocator, why, &c->solver);
    }
    if (status != TML_OK) {
        tml__gen_touch_destroy(c);
        return status;
    }
    *out = c;
    return TML_OK;
}

// ---- rows

static double row_rate(const gen_touch* c, int i, const double* rates)
{
    return tml__gen_rows_rate(c->rows, i, rates);
}

// A limit that this step may reach, as a row that pushes inwards. `near`: what is so close that
// pushes of others may close it.
static void add_limit(gen_touch* c, int i, double h, const double* rates)
{
    static const double near = 0.05;  // m or rad
    const maximal_system* s = c->motion->s;
    const limit_row* limit = &s->limits[i];
    const joint_data* j = &s->model->joints[limit->joint];
    const double hint = tml__maximal_hint(s, limit->joint, limit->of);
    const coordinate_rigid q = tml__coordinate_rigid(j, limit->of, hint, &s->frames[limit->joint]);
    const limit_room both = tml__maximal_limit_room(s, i);
    const bool is_lower = both.lower <= both.upper;
    const double sign = is_lower ? 1.0 : -1.0;
    const double room = is_lower ? both.lower : both.upper;
    if (room == HUGE_VAL) return;
    const rigid_gradient g = {v3_scale(sign, q.g.n), v3_scale(sign, q.g.t_F),
                              v3_scale(sign, q.g.t_B)};

    const int at = c->rows->count;
    tml__gen_rows_append(c->rows, limit->row, j->follower, j->base, &g, 0.0);
    const double before = row_rate(c, at, c->rates_start);
    const double after = row_rate(c, at, rates);
    const double slowest = before < after ? before : after;
    if (room > near && room + 2.0 * h * slowest > 0.0) {
        c->rows->count = at;
        return;
    }
    c->kinds[at] = (lcp_row){.kind = LCP_UNILATERAL};
    c->b[at] = after + (room > 0.0 ? room / h : 0.0);
    c->gap[at] = room;
    c->limit_index[c->limit_count] = i;
    c->limit_side_of[c->limit_count++] = is_lower ? LIMIT_LOWER : LIMIT_UPPER;
}

// Dry friction of an axis: what stops it within the step, as far as it can.
static void add_dry(gen_touch* c, const joint_data* j, int joint, int k, double h,
                    const double* rates)
{
    const maximal_system* s = c->motion->s;
    const double hint = s->hints[joint * TML_AXES + k];
    const coordinate_rigid q = tml__coordinate_rigid(j, (tml_axis)k, hint, &s->frames[joint]);
    const rigid_gradient g = {q.g.n, q.g.t_F, q.g.t_B};
    const double most = h * j->axis[k].friction;
    const int at = c->rows->count;
    tml__gen_rows_append(c->rows, -1, j->follower, j->base, &g, 0.0);
    c->kinds[at] = (lcp_row){.kind = LCP_BOX, .lower = -most, .upper = most};
    c->b[at] = row_rate(c, at, rates);
    c->gap[at] = 0.0;
    c->dry_count++;
}

static void add_dry_rows(gen_touch* c, double h, const double* rates)
{
    const tml_model* m = c->motion->s->model;
    c->dry_count = 0;
    for (int j = 0; j < m->all.joint_count && m->dry_count > 0; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (axis_is_dry(a)) add_dry(c, &m->joints[j], j, k, h, rates);
        }
    }
}

// Does a contact bounce in this step? It must be met within the step, and faster than forces alone
// make it in two: what only rests does not.
static bool bounces(const contact* k, double before, double after, double h)
{
    return k->restitution > 0.0 && k->gap + h * after <= 0.0 &&
           -before > 2.0 * fabs(after - before);
}

// How much of its gap a contact may close. Up to the slop everything touches: what is left of a gap
// there is rounding and the turning of earlier steps, which differs from contact to contact. Rows that
// depend on each other (corners of a face, boxes that lie on two others) would contradict each other
// by it, and forces without bound would be needed to obey them all.
static double closing(const gen_touch* c, const contact* k)
{
    if (c->stiffness > 0.0) return k->gap;
    // what overlaps by more is parted by the shift, which adds no velocity
    return k->gap > c->slop ? k->gap : 0.0;
}

static void add_contact(gen_touch* c, const contact* k, int i, double h, double margin,
                        const double* rates)
{
    const int at = c->rows->count;
    const double give = c->stiffness > 0.0 ? 1.0 / c->stiffness : 0.0;
    c->contact_row[i] = at;
    c->friction_rows[i] = k->friction > 0.0 ? 2 : 0;
    const contact_push push = {.follower = k->body_a,
                               .base = k->body_b,
                               .count = 1 + c->friction_rows[i],
                               .ways = {k->normal, k->tangent[0], k->tangent[1]},
                               .point = k->point,
                               .give = give};
    contact_rates is;
    tml__gen_rows_append_contact(c->rows, &push, c->rates_start, rates, &is);
    const double before = is.before;
    const double after = is.after[0];
    double offset = closing(c, k) / h;
    c->offset_of[i] = give > 0.0 || k->gap > c->slop ? OFFSET_GAP : OFFSET_NONE;
    if (bounces(k, before, after, h)) {
        offset = k->restitution * before;
        c->offset_of[i] = OFFSET_BOUNCE;
    }
    if (-before * h > margin) c->fast_contacts++;
    c->kinds[at] = (lcp_row){.kind = LCP_UNILATERAL};
    c->b[at] = after + offset;
    c->gap[at] = k->gap;
    for (int t = 0; t < c->friction_rows[i]; t++) {
        c->gap[at + 1 + t] = 0.0;
        c->kinds[at + 1 + t] = (lcp_row){.kind = LCP_FRICTION, .normal = at, .mu = k->friction};
        c->b[at + 1 + t] = is.after[1 + t];
    }
}

// Rows that nothing moves, or that others imply, carry nothing.
static void switch_off(gen_touch* c, int row)
{
    c->kinds[row] = (lcp_row){.kind = LCP_BOX};
    c->labels[row] = LCP_LOWER;
}

static void choose_equal_rows(gen_touch* c)
{
    tml__gen_rows_factor(c->rows, c->equal_count);
    for (int i = 0; i < c->equal_count; i++) {
        c->kinds[i] = (lcp_row){.kind = LCP_FREE};
        c->labels[i] = LCP_HELD;
    }
    for (int k = c->rows->rank; k < c->equal_count; k++) switch_off(c, c->rows->order[k]);
}

static void label_contact(gen_touch* c, const gen_touch_past* past, int i)
{
    static const double parting = 1e-9;  // m/s
    const int at = c->contact_row[i];
    const bool is_new = past->labels[3 * i] == LCP_UNKNOWN;
    // what touches and does not part holds, whoever pushes it
    const unsigned char guess = c->b[at] < parting ? LCP_HELD : LCP_OFF;
    for (int k = 0; k <= c->friction_rows[i]; k++) {
        c->labels[at + k] = is_new ? guess : past->labels[3 * i + k];
    }
}

static void quiet_rows(gen_touch* c, int first)
{
    for (int row = first; row < c->rows->count; row++) {
        const bool is_friction = c->kinds[row].kind == LCP_FRICTION;
        if (is_friction && c->kinds[c->kinds[row].normal].kind == LCP_BOX) {
            // nobody knows how hard a contact is pressed whose normal moves nothing
            switch_off(c, row);
        } else if (c->rows->scale[row] != 0.0) {
            continue;
        } else if (!is_friction) {
            switch_off(c, row);
        } else {
            // a mechanism in a plane does not feel friction across it; rounding must not choose a force
            c->kinds[row].mu = 0.0;
            c->b[row] = 0.0;
        }
    }
}

// What slides goes on sliding, what stands still sticks.
static void label_dry(gen_touch* c, int row)
{
    static const double still = 1e-9;  // m/s or rad/s
    const double before = row_rate(c, row, c->rates_start);
    c->labels[row] = before > still ? LCP_LOWER : before < -still ? LCP_UPPER : LCP_HELD;
}

static void label_rows(gen_touch* c, const gen_touch_past* past)
{
    for (int i = 0; i < c->limit_count; i++) {
        const bool did_push = past->sides[c->limit_index[i]] == c->limit_side_of[i];
        c->labels[c->equal_count + i] = did_push ? LCP_HELD : LCP_OFF;
    }
    for (int i = 0; i < c->dry_count; i++) label_dry(c, c->equal_count + c->limit_count + i);
    for (int i = 0; i < c->contact_count; i++) {
        if (c->contact_row[i] >= 0) label_contact(c, past, i);
    }
    quiet_rows(c, c->equal_count);
}

// The impulses of the step before. A limit's row pushes inwards, its multiplier along the coordinate.
static void guess_impulses(gen_touch* c, const gen_touch_past* past, double h)
{
    for (int i = 0; i < c->equal_count; i++) {
        const int row = c->rows->row[i];
        c->guess[i] = row >= 0 ? h * past->multipliers[row] : 0.0;
    }
    for (int i = 0; i < c->limit_count; i++) {
        const int row = c->equal_count + i;
        const double sign = c->limit_side_of[i] == LIMIT_LOWER ? 1.0 : -1.0;
        c->guess[row] = sign * h * past->multipliers[c->rows->row[row]];
        if (c->guess[row] < 0.0) c->guess[row] = 0.0;
    }
    for (int i = 0; i < c->dry_count; i++) c->guess[c->equal_count + c->limit_count + i] = 0.0;
    for (int i = 0; i < c->contact_count; i++) {
        for (int k = 0; k <= c->friction_rows[i] && c->contact_row[i] >= 0; k++) {
            c->guess[c->contact_row[i] + k] = past->impulses[3 * i + k];
        }
    }
}

// Heaps are worth it; what is solved exactly keeps all its rows.
static bool leaves_out(const gen_touch* c, int count)
{
    static const int few = 100;
    return c->sweeps > 0 && count > few;
}

// A contact that this step does not meet, as far as is known.
static void leave_out(gen_touch* c, int i, const gen_spot* spot)
{
    c->contact_row[i] = -1;
    c->friction_rows[i] = 0;
    c->offset_of[i] = OFFSET_NONE;
    c->waiting[c->left_out] = i;
    c->waiting_spot[c->left_out++] = *spot;
}

static void pose_contacts(gen_touch* c, const contact* contacts, int count, double h, double margin,
                          const gen_touch_past* past, const double* rates)
{
    const gen_tree* t = c->motion->tree;
    const bool is_choosy = leaves_out(c, count);
    twist* start = c->motions;
    twist* free = c->motions + t->body_count;
    c->contact_count = count;
    c->fast_contacts = 0;
    c->left_out = 0;
    if (is_choosy) {
        tml__gen_motions(t, c->rates_start, start);
        tml__gen_motions(t, rates, free);
    }
    for (int i = 0; i < count; i++) {
        contact_fetch(contacts, i, count);
        const bool did_push = past->labels[3 * i] == LCP_HELD;
        if (is_choosy && !did_push) {
            const gen_spot spot = tml__gen_spot_of(t, &contacts[i]);
            if (!tml__gen_may_meet(t, &spot, start, free, h, c->slop)) {
                leave_out(c, i, &spot);
                continue;
            }
        }
        add_contact(c, &contacts[i], i, h, margin, rates);
    }
}

static void pose_rows(gen_touch* c, const contact* contacts, int count, double h, double margin,
                      const gen_touch_past* past, const double* rates)
{
    const maximal_system* s = c->motion->s;
    gen_rows* r = c->rows;

    tml__gen_rows_collect(r, true);
    if (c->motion->is_implicit) tml__gen_append_stiff(c->motion, r, h, c->rates_start);
    c->equal_count = r->count;
    c->limit_count = 0;
    for (int i = 0; i < r->count; i++) {
        c->b[i] = row_rate(c, i, rates) + r->offset[i];
        if (r->row[i] >= 0) c->b[i] += s->C[r->row[i]] / h;
        c->gap[i] = 0.0;
    }
    for (int i = 0; i < s->limit_count; i++) add_limit(c, i, h, rates);
    add_dry_rows(c, h, rates);
    pose_contacts(c, contacts, count, h, margin, past, rates);
    tml__gen_rows_lift(r, 1.0 / (h * h));
}

// ---- solving

// The sentence for a problem that no method solved: which contact or row is worst.
static tml_status describe(const gen_touch* c, const contact* contacts, tml_status status,
                           message* why)
{
    const definitions* all = &c->motion->s->model->all;
    const int row = c->report.worst_row;
    for (int i = 0; i < c->contact_count; i++) {
        if (c->contact_row[i] < 0) continue;
        if (row < c->contact_row[i] || row > c->contact_row[i] + c->friction_rows[i]) continue;
        const int a = contacts[i].body_a;
        const int b = contacts[i].body_b;
        return tml__fail(why, status,
                         "no contact forces were found: residual %.2g, worst between '%s' and '%s' "
                         "(%s)",
                         c->report.residual, a < all->body_count ? all->bodies[a].name : "world",
                         b < all->body_count ? all->bodies[b].name : "world",
                         row == c->contact_row[i] ? "normal" : "friction");
    }
    char name[256] = "no row";
    if (row >= 0 && row < c->rows->count && c->rows->row[row] >= 0) {
        tml__maximal_row_name(c->motion->s, c->rows->row[row], name, sizeof name);
    }
    return tml__fail(why, status, "no contact forces were found: residual %.2g, worst in %s",
                     c->report.residual, name);
}

static lcp_lifted lifted_of(const gen_rows* r)
{
    return (lcp_lifted){.columns = r->tree->column_count,
                        .start = r->start,
                        .column = r->column,
                        .y = r->y,
                        .give = r->compliance,
                        .is_together = true,
                        .place = r->place,
                        .places = r->places};
}

// The problem of the shift: friction and whatever carries nothing stay out of it.
static void pose_shift(gen_touch* c)
{
    c->parting_count = 0;
    for (int row = 0; row < c->rows->count; row++) {
        const lcp_kind kind = c->kinds[row].kind;
        c->kinds_shift[row] = (lcp_row){.kind = LCP_BOX};
        c->labels_shift[row] = LCP_LOWER;
        c->f_shift[row] = 0.0;
        if (kind == LCP_FREE && c->rows->row[row] >= 0) {  // a spring does not hold
            c->kinds_shift[row].kind = LCP_FREE;
            c->labels_shift[row] = LCP_HELD;
        } else if (kind == LCP_UNILATERAL) {
            c->kinds_shift[row].kind = LCP_UNILATERAL;
            c->labels_shift[row] = c->gap[row] < 0.0 ? LCP_HELD : LCP_OFF;
        } else {
            continue;
        }
        const int k = c->parting_count++;
        c->parting[k] = row;
        c->parting_kinds[k] = c->kinds_shift[row];
        c->parting_gap[k] = c->gap[row];
        c->parting_labels[k] = c->labels_shift[row];
    }
}

// What overlaps is parted by the smallest move, in the metric of the mass matrix, that leaves every
// gap of the end of the step open and every row closed. Velocities do not see it.
static tml_status find_shift(gen_touch* c, double h, const double* rates)
{
    gen_rows* r = c->rows;
    bool is_needed = false;
    for (int row = c->equal_count; row < r->count; row++) {
        if (c->kinds[row].kind != LCP_UNILATERAL) continue;
        c->gap[row] += h * row_rate(c, row, rates);
        is_needed |= c->gap[row] < -c->slop && r->give[row] == 0.0;
    }
    if (!is_needed) return TML_OK;

    pose_shift(c);
    lcp_lifted lifted = lifted_of(r);
    lifted.pick = c->parting;
    lifted.checked = r->count;  // the impulses were found with them
    const lcp_problem problem = {.count = c->parting_count,
                                 .lifted = &lifted,
                                 .b = c->parting_gap,
                                 .rows = c->parting_kinds,
                                 .sweeps = c->sweeps};
    lcp_report report;
    message ignored;
    const tml_status status = tml__lcp_solve(c->solver, &problem, c->parting_labels, c->parting_f,
                                             c->w_shift, NULL, &report, &ignored);
    if (status != TML_OK) return status;
    for (int k = 0; k < c->parting_count; k++) {
        c->labels_shift[c->parting[k]] = c->parting_labels[k];
        c->f_shift[c->parting[k]] = c->parting_f[k];
    }
    tml__gen_rows_push(r, c->f_shift, c->shift);
    return TML_OK;
}

// Of the energy that impulses move: rows are exact here, and only rounding of the sums is no work.
#define ROUNDING 1e-12

// What the impulses win beyond rounding, into c->w_shift: per row the sum over its island. Work is
// f . (J u+ + J u_free) / 2 with J u+ - J u_free = A f = w - b; `rates` are those without impulses. A
// couples no islands, so that the work of each is its own.
static void judge_islands(gen_touch* c, const lcp_problem* problem, const double* rates)
{
    double* gain = c->w_shift;  // the shift comes later
    for (int i = 0; i < c->rows->count; i++) {
        const double change = c->f[i] * (c->w[i] - c->b[i]);
        gain[i] = c->f[i] * row_rate(c, i, rates) + 0.5 * change - ROUNDING * fabs(change);
    }
    tml__lcp_sum_islands(c->solver, problem, gain);
}

static bool has_bounces(const gen_touch* c)
{
    for (int i = 0; i < c->contact_count; i++) {
        if (c->offset_of[i] == OFFSET_BOUNCE) return true;
    }
    return false;
}

// Newton's restitution may win energy where contacts of different restitution, friction and joints meet
// in one step. Without it the laws alone keep the work of an island from being positive: f . w <= 0, and
// offsets are not negative. Islands beside it keep theirs. Answers whether any was dropped.
static bool drop_bounces(gen_touch* c, const lcp_problem* problem, const contact* contacts,
                         double h, const double* rates)
{
    if (!has_bounces(c)) return false;
    judge_islands(c, problem, rates);
    bool has_dropped = false;
    for (int i = 0; i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        if (c->offset_of[i] != OFFSET_BOUNCE || !(c->w_shift[at] > 0.0)) continue;
        const contact* k = &contacts[i];
        c->b[at] += closing(c, k) / h - k->restitution * row_rate(c, at, c->rates_start);
        c->offset_of[i] = k->gap > c->slop ? OFFSET_GAP : OFFSET_NONE;
        has_dropped = true;
    }
    return has_dropped;
}

static tml_status find_impulses(gen_touch* c, const contact* contacts, double h,
                                const double* rates, message* why)
{
    const lcp_lifted lifted = lifted_of(c->rows);
    const lcp_problem problem = {.count = c->rows->count,
                                 .lifted = &lifted,
                                 .b = c->b,
                                 .rows = c->kinds,
                                 .guess = c->guess,
                                 .sweeps = c->sweeps};
    tml_status status = tml__lcp_solve(c->solver, &problem, c->labels, c->f, c->w,
                                       c->is_independent, &c->report, why);
    if (status == TML_OK && drop_bounces(c, &problem, contacts, h, rates)) {
        status = tml__lcp_solve(c->solver, &problem, c->labels, c->f, c->w, c->is_independent,
                                &c->report, why);
    }
    return status;
}

// Where the impulses take the bodies, in c->rates_try and as the later motions.
static void try_impulses(gen_touch* c, const double* rates)
{
    const gen_tree* t = c->motion->tree;
    memcpy(c->rates_try, c->pushed, (size_t)t->column_count * sizeof *rates);
    tml__gen_solve_inner(t, c->rates_try);
    for (int k = 0; k < t->column_count; k++) c->rates_try[k] += rates[k];
    if (c->left_out == 0) return;
    tml__gen_motions(t, c->rates_try, c->motions + t->body_count);
}

// How fast a contact that was left out is driven in, as w of its row would tell; >= 0: it is not met.
static double missed(const gen_touch* c, const gen_spot* k, double h)
{
    const gen_tree* t = c->motion->tree;
    return tml__gen_opening(t, c->motions + t->body_count, k) + k->gap / h;
}

// Rows of the contacts that were left out and are met; how many contacts.
static int pose_missed(gen_touch* c, const contact* contacts, double h, double margin,
                       const gen_touch_past* past, const double* rates)
{
    const int first = c->rows->count;
    int left = 0;
    for (int k = 0; k < c->left_out; k++) {
        const int i = c->waiting[k];
        if (missed(c, &c->waiting_spot[k], h) >= 0.0) {
            c->waiting[left] = i;
            c->waiting_spot[left++] = c->waiting_spot[k];
        } else {
            add_contact(c, &contacts[i], i, h, margin, rates);
        }
    }
    const int count = c->left_out - left;
    c->left_out = left;
    if (count == 0) return 0;
    tml__gen_rows_lift_from(c->rows, first, 1.0 / (h * h));
    for (int i = 0; i < c->contact_count; i++) {
        if (c->contact_row[i] >= first) label_contact(c, past, i);
    }
    quiet_rows(c, first);
    memcpy(c->guess, c->f, (size_t)first * sizeof *c->f);
    memset(c->guess + first, 0, (size_t)(c->rows->count - first) * sizeof *c->guess);
    return count;
}

// What is still missed is told as a row that breaks its law by so much.
static void tell_missed(gen_touch* c, double h)
{
    double scale = 0.0;
    double worst = 0.0;
    for (int i = 0; i < c->rows->count; i++) scale = fmax(scale, fabs(c->b[i]));
    for (int k = 0; k < c->left_out; k++) worst = fmax(worst, -missed(c, &c->waiting_spot[k], h));
    if (scale > 0.0) c->report.residual = fmax(c->report.residual, worst / scale);
}

// Impulses of the contacts that were posed, and the rates that they lead to in c->rates_try; then once more
// around those that they drive together. What a swept step still misses is an overlap that the next one
// parts.
static tml_status find_all_impulses(gen_touch* c, const contact* contacts, double h, double margin,
                                    const gen_touch_past* past, const double* rates, message* why)
{
    static const int rounds = 3;  // what is met later still is little
    tml_status status = find_impulses(c, contacts, h, rates, why);
    if (status != TML_OK) return status;
    memset(c->pushed, 0, (size_t)c->motion->tree->column_count * sizeof *c->pushed);
    tml__gen_rows_spread(c->rows, c->f, c->pushed);
    try_impulses(c, rates);
    for (int k = 0; k < rounds && c->left_out > 0; k++) {
        const int first = c->rows->count;
        if (pose_missed(c, contacts, h, margin, past, rates) == 0) return TML_OK;
        status = tml__gen_solve_locally(c, first, (c->sweeps + 1) / 2, why);
        if (status != TML_OK) return status;
        try_impulses(c, rates);
    }
    if (c->left_out > 0) tell_missed(c, h);
    return TML_OK;
}

static void keep_impulses(gen_touch* c, double* impulse)
{
    maximal_system* s = c->motion->s;
    for (int i = 0; i < c->equal_count; i++) {
        if (c->rows->row[i] >= 0) impulse[c->rows->row[i]] += c->f[i];
    }
    for (int i = 0; i < c->limit_count; i++) {
        const int row = c->equal_count + i;
        if (!(c->f[row] > 0.0)) continue;
        // a multiplier is positive when it pushes the coordinate up
        const double sign = c->limit_side_of[i] == LIMIT_LOWER ? 1.0 : -1.0;
        s->sides[c->limit_index[i]] = c->limit_side_of[i];
        impulse[c->rows->row[row]] += sign * c->f[row];
    }
}

tml_status tml__gen_touch_impulse(gen_touch* c, const contact* contacts, int count, double h,
                                  double margin, const gen_touch_past* past, const double* numbers,
                                  double* rates, double* impulse, message* why)
{
    gen_motion* m = c->motion;
    const size_t bytes = (size_t)m->tree->column_count * sizeof(double);

    memcpy(c->rates_start, rates, bytes);
    memset(c->shift, 0, bytes);
    for (int i = 0; i < m->s->limit_count; i++) m->s->sides[i] = LIMIT_OFF;
    tml_status status = tml__gen_free_rates(m, h, numbers, rates);
    if (status != TML_OK) return tml__gen_describe_failure(m, status, why);

    pose_rows(c, contacts, count, h, margin, past, rates);
    choose_equal_rows(c);
    label_rows(c, past);
    guess_impulses(c, past, h);
    status = find_all_impulses(c, contacts, h, margin, past, rates, why);
    if (status == TML_NOT_CONVERGED) return describe(c, contacts, status, why);
    if (status != TML_OK) return status;
    memcpy(rates, c->rates_try, bytes);
    keep_impulses(c, impulse);
    status = find_shift(c, h, rates);
    if (status != TML_NOT_CONVERGED) return status;
    // joints hold bodies in each other: they stay there, and the report has the depth (max_penetration)
    memset(c->shift, 0, bytes);
    *why = (message){0};
    return TML_OK;
}

vec3 tml__gen_touch_force(const gen_touch* c, const contact* contacts, int i)
{
    const int at = c->contact_row[i];
    if (at < 0 || c->f[at] == 0.0) return v3_zero();  // friction is bounded by the normal force
    vec3 force = v3_scale(c->f[at], contacts[i].normal);
    for (int t = 0; t < c->friction_rows[i]; t++) {
        force = v3_axpy(force, c->f[at + 1 + t], contacts[i].tangent[t]);
    }
    return force;
}
