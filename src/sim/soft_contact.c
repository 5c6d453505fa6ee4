// sim/soft_contact.c - rows of contacts of deformables, their compliance matrix and forces.
#include "sim/soft_contact.h"

#include "base/memory.h"
#include "model/collision.h"
#include "sim/soft_points.h"
#include "solve/lcp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS_PER_CONTACT = 3,
    ROOM_BESIDE = 32,  // contacts beyond one a point, where points touch several things
    ROOM_MOST = 500,   // unless asked for
    LEMKE_ROWS = 60    // the last resort is for small islands
};

// A scalar row between a vertex and a body.
typedef struct soft_row {
    int contact;
    int point;
    int body;       // index of the body; the world, too
    int body_node;  // -1: does not move
    vec3 d;         // what a unit push does to the vertex; the opposite to the body
    vec3 arm;       // from the body's centre of mass, where the step starts
    vec3 turn;      // how far a turn of the body moves its point along d, for W
} soft_row;

struct soft_touch {
    pool memory;
    collision* shapes;
    tml_shape_def* kinds;  // per deformable: a point
    lcp* solver;
    soft_points points;
    placement* places;  // of bodies, the world, points
    double* reach;      // how far each may move in a step
    int capacity;
    double margin, slop, tolerance;

    soft_kept_set now;   // of the accepted step
    soft_kept_set next;  // of the one in progress

    // the step in progress
    int count;
    contact* found;
    vec3* vertex_start;  // per contact
    vec3* turned;        // per contact: how its body has turned since, rotation vector
    int row_count;
    bool has_forces;
    bool* is_chosen;  // per contact: may push in this step
    int chosen_count;
    int* chosen;  // rows of these, in order: W, b, after and the problem of forces are theirs
    lcp_row* chosen_laws;
    unsigned char* chosen_labels;
    soft_row* rows;
    lcp_row* laws;
    unsigned char* labels;
    double* gap;     // per row, m: at the start; zero for friction
    double* seen;    // per row, m: at the end
    double* force;   // per row, N, on average
    double* stop;    // per row, N s: impulses at the end
    double* b;       // per chosen row
    double* guess;   //
    double* after;   //
    double* moved;   //
    double* W;       // chosen rows by chosen rows, of as many as there is room for; m/N
    double* push;    // 3 a node
    double* wrench;  // 6 a body's node
    double* column;  // SOFT_BATCH of free width
    double* bodies;  // SOFT_BATCH of 6 a body's node
};

// ---- creation

static tml_status no_memory(message* why) { return tml__fail(why, TML_NO_MEMORY, "out of memory"); }

static tml_status take_rows(const sim_soft* f, soft_touch* t)
{
    pool* p = &t->memory;
    const size_t contacts = (size_t)t->capacity;
    const size_t rows = ROWS_PER_CONTACT * contacts;
    const size_t places = (size_t)tml__world(f->model) + 1 + (size_t)t->points.count;
    t->places = tml__pool_take(p, places, sizeof *t->places);
    t->reach = tml__pool_take(p, places, sizeof *t->reach);
    t->found = tml__pool_take(p, contacts, sizeof *t->found);
    t->vertex_start = tml__pool_take(p, contacts, sizeof *t->vertex_start);
    t->turned = tml__pool_take(p, contacts, sizeof *t->turned);
    t->rows = tml__pool_take(p, rows, sizeof *t->rows);
    t->laws = tml__pool_take(p, rows, sizeof *t->laws);
    t->labels = tml__pool_take(p, rows, 1);
    t->is_chosen = tml__pool_take(p, contacts, sizeof *t->is_chosen);
    t->chosen = tml__pool_take(p, rows, sizeof *t->chosen);
    t->chosen_laws = tml__pool_take(p, rows, sizeof *t->chosen_laws);
    t->chosen_labels = tml__pool_take(p, rows, 1);
    t->now.list = tml__pool_take(p, contacts, sizeof *t->now.list);
    t->next.list = tml__pool_take(p, contacts, sizeof *t->next.list);
    t->now.capacity = t->next.capacity = t->capacity;
    double** numbers[] = {&t->gap,   &t->seen,  &t->force, &t->b,
                          &t->guess, &t->after, &t->moved, &t->stop};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = tml__pool_take(p, rows, sizeof(double));
        if (*numbers[i] == NULL) return TML_NO_MEMORY;
    }
    t->W = tml__pool_take(p, rows * rows, sizeof(double));
    t->push = tml__pool_take(p, (size_t)f->width, sizeof(double));
    t->column = tml__pool_take(p, SOFT_BATCH * (size_t)f->free_width, sizeof(double));
    t->bodies = tml__pool_take(p, SOFT_BATCH * 6 * (size_t)f->system->node_count, sizeof(double));
    t->wrench = tml__pool_take(p, 6 * (size_t)f->system->node_count, sizeof(double));
    return t->places && t->reach && t->found && t->vertex_start && t->turned && t->rows &&
                   t->laws && t->labels && t->W && t->push && t->column && t->bodies && t->wrench &&
                   t->is_chosen && t->chosen && t->chosen_laws && t->chosen_labels && t->now.list &&
                   t->next.list
               ? TML_OK
               : TML_NO_MEMORY;
}

static tml_status create_shapes(const sim_soft* f, soft_touch* t, const int* deformable,
                                message* why)
{
    const tml_model* m = f->model;
    const size_t count = (size_t)m->all.deformable_count;
    t->kinds = tml__pool_take(&t->memory, count, sizeof *t->kinds);
    if (t->kinds == NULL) return no_memory(why);
    for (int i = 0; i < m->all.deformable_count; i++) {
        t->kinds[i] = tml_shape_def_default();
        t->kinds[i].size = v3(m->all.deformables[i].thickness, 0.0, 0.0);  // a sphere
        t->kinds[i].friction = m->all.deformables[i].friction;
    }
    const collision_points points = {t->points.count, deformable, t->kinds};
    return tml__soft_collision(m, &points, &f->system->allocator, why, &t->shapes);
}

tml_status tml__soft_touch_create(sim_soft* f, const tml_sim_settings* settings, message* why)
{
    const tml_allocator* allocator = &f->system->allocator;
    soft_touch* t = tml__allocate(allocator, 1, sizeof *t);
    if (t == NULL) return no_memory(why);
    f->touch = t;
    t->memory.allocator = allocator;
    int* deformable = NULL;
    if (tml__points_list(f, &t->memory, &t->points, &deformable) != TML_OK) return no_memory(why);
    const int usual = t->points.count + ROOM_BESIDE;
    t->capacity = usual < ROOM_MOST ? usual : ROOM_MOST;
    if (settings->contact.max_contacts > 0) t->capacity = settings->contact.max_contacts;
    t->margin = settings->contact.margin > 0.0 ? settings->contact.margin : 0.02;
    t->slop = 1e-4 * t->margin;
    t->tolerance = settings->tolerance;
    if (take_rows(f, t) != TML_OK) return no_memory(why);
    const int rows = ROWS_PER_CONTACT * t->capacity;
    const int lemke = rows < LEMKE_ROWS ? rows : LEMKE_ROWS;
    tml_status status = tml__lcp_create(rows, lemke, allocator, why, &t->solver);
    if (status == TML_OK) status = create_shapes(f, t, deformable, why);
    return status;
}

void tml__soft_touch_destroy(sim_soft* f)
{
    if (f->touch == NULL) return;
    tml__collision_destroy(f->touch->shapes);
    tml__lcp_destroy(f->touch->solver);
    tml__pool_destroy(&f->touch->memory);
    tml__release(&f->system->allocator, f->touch);
    f->touch = NULL;
}

// ---- where a step starts

static double way_of(const soft_touch* t, vec3 v, double h)
{
    const double way = h * v3_norm(v) - 0.5 * t->margin;
    return way > 0.0 ? way : 0.0;
}

static void place(sim_soft* f, const double* q, const double* v, double h)
{
    soft_touch* t = f->touch;
    const int world = tml__world(f->model);
    tml__maximal_place(f->system, q, v);
    for (int i = 0; i <= world; i++) {
        const rigid* b = &f->system->bodies[i];
        t->places[i] = (placement){b->c, b->R};
        t->reach[i] = i < world ? way_of(t, b->v, h) : 0.0;
    }
    for (int k = 0; k < t->points.count; k++) {
        t->places[world + 1 + k] =
            (placement){tml__points_place(&t->points, k, q + f->first), m3_identity()};
        t->reach[world + 1 + k] = way_of(t, tml__points_sum(&t->points, k, v + f->first), h);
    }
    tml__collision_set_reach(t->shapes, t->reach, NULL);
}

static void add_row(soft_touch* t, const soft_row* row, double gap, lcp_row law)
{
    t->rows[t->row_count] = *row;
    t->gap[t->row_count] = gap;
    t->laws[t->row_count++] = law;
}

static void add_rows(sim_soft* f, int i)
{
    soft_touch* t = f->touch;
    const contact* k = &t->found[i];
    const int world = tml__world(f->model);
    const bool is_a = k->body_a > world;
    const int point = (is_a ? k->body_a : k->body_b) - world - 1;
    const int body = is_a ? k->body_b : k->body_a;
    const rigid* b = &f->system->bodies[body];
    const double sign = is_a ? 1.0 : -1.0;  // the normal points to body a
    soft_row row = {.contact = i,
                    .point = point,
                    .body = body,
                    .body_node = f->model->bodies[body].node,
                    .d = v3_scale(sign, k->normal),
                    .arm = v3_sub(k->point, b->c)};
    const int normal = t->row_count;
    t->vertex_start[i] = t->places[world + 1 + point].p;
    add_row(t, &row, k->gap, (lcp_row){.kind = LCP_UNILATERAL});
    for (int n = 0; n < 2 && k->friction > 0.0; n++) {
        row.d = v3_scale(sign, k->tangent[n]);
        const lcp_row law = {.kind = LCP_FRICTION, .normal = normal, .mu = k->friction};
        add_row(t, &row, 0.0, law);
    }
}

tml_status tml__soft_touch_begin(sim_soft* f, const double* q, const double* v, double h,
                                 int* count, message* why)
{
    soft_touch* t = f->touch;
    place(f, q, v, h);
    t->count = t->row_count = 0;
    const tml_status status = tml__collision_detect(t->shapes, t->places, t->margin, t->capacity,
                                                    t->found, &t->count, why);
    if (status != TML_OK) t->count = 0;
    for (int i = 0; i < t->count; i++) add_rows(f, i);
    *count = t->count;
    return status;
}

void tml__soft_touch_end(sim_soft* f)
{
    if (f->touch != NULL) f->touch->count = f->touch->row_count = 0;
}

// ---- what is kept

void tml__soft_touch_keep_none(sim_soft* f)
{
    if (f == NULL || f->touch == NULL) return;
    soft_kept_set* next = &f->touch->next;
    memset(next->list, 0, (size_t)next->capacity * sizeof *next->list);
    next->count = 0;
}

// The contact of an earlier part of the step that this one goes on with; NULL: there is none.
static soft_kept* find_kept(soft_kept_set* set, int64_t before, int spot, const soft_row* row)
{
    for (int64_t i = 0; i < before; i++) {
        soft_kept* k = &set->list[i];
        // the same side of the same body
        if (k->spot == spot && k->body == row->body && v3_dot(k->normal, row->d) > 0.7) {
            return k;
        }
    }
    return NULL;
}

tml_status tml__soft_touch_keep_part(sim_soft* f, double share, message* why)
{
    soft_touch* t = f->touch;
    const int64_t before = t->next.count;
    soft_kept* to = NULL;
    for (int i = 0; i < t->row_count; i++) {
        const soft_row* row = &t->rows[i];
        if (t->laws[i].kind == LCP_UNILATERAL) {
            const contact* k = &t->found[row->contact];
            const int spot = t->points.spot[row->point];
            to = find_kept(&t->next, before, spot, row);
            if (to == NULL && t->next.count == t->next.capacity) {
                return tml__fail(
                    why, TML_TOO_MANY_CONTACTS,
                    "the parts of a step have more than the %d contacts of deformables "
                    "there is room for (max_contacts)",
                    t->capacity);
            }
            if (to == NULL) to = &t->next.list[t->next.count++];
            *to = (soft_kept){.point = k->point,
                              .normal = row->d,
                              .force = to->force,
                              .arm = row->arm,
                              .gap = k->gap,
                              .body = row->body,
                              .spot = spot};
        }
        to->force = v3_axpy(to->force, share * t->force[i], row->d);
    }
    return TML_OK;
}

void tml__soft_touch_keep(sim_soft* f)
{
    message unused = {{0}};  // one part never has more than there is room for
    tml__soft_touch_keep_none(f);
    (void)tml__soft_touch_keep_part(f, 1.0, &unused);
}

void tml__soft_touch_accept(sim_soft* f)
{
    if (f == NULL || f->touch == NULL) return;
    const soft_kept_set before = f->touch->now;
    f->touch->now = f->touch->next;
    f->touch->next = before;
}

soft_kept_set* tml__soft_touch_kept(const sim_soft* f)
{
    return f != NULL && f->touch != NULL ? &f->touch->now : NULL;
}

// A wrench to add to: that of others, or none.
static double* begin_wrench(sim_soft* f, const double* other)
{
    const size_t bytes = 6 * (size_t)f->system->node_count * sizeof(double);
    double* wrench = f->touch->wrench;
    if (other != NULL)
        memcpy(wrench, other, bytes);
    else
        memset(wrench, 0, bytes);
    return wrench;
}

const double* tml__soft_touch_felt(sim_soft* f, const double* other)
{
    const soft_kept_set* now = tml__soft_touch_kept(f);
    if (now == NULL || now->count == 0) return other;
    double* wrench = begin_wrench(f, other);
    for (int64_t i = 0; i < now->count; i++) {
        const soft_kept* k = &now->list[i];
        const int node = f->model->bodies[k->body].node;
        if (node < 0) continue;
        double* to = &wrench[6 * node];
        v3_store(to, v3_sub(v3_load(to), k->force));
        v3_store(to + 3, v3_sub(v3_load(to + 3), v3_cross(k->arm, k->force)));
    }
    if (f->by.count == 0) return wrench;
    memset(f->touch->push, 0, (size_t)f->width * sizeof(double));
    for (int64_t i = 0; i < now->count; i++) {
        const int point = tml__points_find(&f->touch->points, now->list[i].spot);
        if (point >= 0)
            tml__points_spread(&f->touch->points, point, now->list[i].force, f->touch->push);
    }
    tml__soft_feel(f, f->touch->push, wrench);
    return wrench;
}

bool tml__soft_touch_has_changed(const sim_soft* f)
{
    const soft_touch* t = f->touch;
    for (int i = 0; i < t->row_count; i++) {
        if (t->laws[i].kind != LCP_UNILATERAL) continue;
        const bool did_touch = t->gap[i] <= t->slop;
        if (!did_touch && t->force[i] > 0.0) return true;
        if (did_touch && t->seen[i] > t->slop) return true;
    }
    return false;
}

// ---- within a stage

// to += scale times a number a row along the rows, on the nodes.
static void spread(const soft_touch* t, const double* along, double scale, double* to)
{
    for (int i = 0; i < t->row_count; i++) {
        tml__points_spread(&t->points, t->rows[i].point, v3_scale(scale * along[i], t->rows[i].d),
                           to);
    }
}

// The same on the bodies.
static void spread_bodies(const soft_touch* t, const double* along, double scale, double* to)
{
    for (int i = 0; i < t->row_count; i++) {
        const soft_row* row = &t->rows[i];
        if (row->body_node < 0 || along[i] == 0.0) continue;
        const vec3 g = v3_scale(-scale * along[i], row->d);
        double* at = &to[6 * row->body_node];
        v3_store(at, v3_add(v3_load(at), g));
        v3_store(at + 3, v3_add(v3_load(at + 3), v3_cross(row->arm, g)));
    }
}

int tml__soft_touch_rows(const sim_soft* f) { return f->touch != NULL ? f->touch->row_count : 0; }

void tml__soft_touch_clear(sim_soft* f)
{
    soft_touch* t = f->touch;
    t->has_forces = false;
    memset(t->force, 0, (size_t)t->row_count * sizeof *t->force);
    memset(t->push, 0, (size_t)f->width * sizeof *t->push);
    memset(t->labels, LCP_UNKNOWN, (size_t)t->row_count);
    memset(t->is_chosen, 0, (size_t)t->count * sizeof *t->is_chosen);
    t->chosen_count = 0;
    tml__nodal_set_push(f->nodes, t->push);
}

void tml__soft_touch_push(const sim_soft* f, double c_q, double* residual)
{
    const soft_touch* t = f->touch;
    if (t->has_forces) spread_bodies(t, t->force, -c_q, residual);
}

// How much a row breaks its law, m.
static double break_of(const soft_touch* t, int i)
{
    const double w = t->seen[i];
    if (!t->has_forces) return t->laws[i].kind == LCP_UNILATERAL ? -w : 0.0;
    switch ((lcp_label)t->labels[i]) {
    case LCP_HELD: return fabs(w);
    case LCP_UNKNOWN:
    case LCP_OFF: return t->laws[i].kind == LCP_UNILATERAL ? -w : 0.0;
    case LCP_LOWER: return -w;
    case LCP_UPPER: return w;
    }
    return 0.0;
}

// How far the body of a contact has turned since the start of the step.
static void see_turns(sim_soft* f)
{
    soft_touch* t = f->touch;
    for (int i = 0; i < t->row_count; i++) {
        const soft_row* r = &t->rows[i];
        if (t->laws[i].kind != LCP_UNILATERAL) continue;
        t->turned[r->contact] = v3_zero();
        if (r->body_node < 0) continue;
        const mat3 turn = m3_mul_bt(f->system->bodies[r->body].R, t->places[r->body].R);
        t->turned[r->contact] = tml__q_log(tml__q_from_matrix(turn));
    }
}

// A body moves by dc and turns by phi: at a contact that is dc + phi x arm, so that what is round and
// turns on the spot neither comes nearer nor goes away, and what rolls goes as far as it rolls.
double tml__soft_touch_see(sim_soft* f, int* row)
{
    soft_touch* t = f->touch;
    double worst = 0.0;
    *row = -1;
    see_turns(f);
    for (int i = 0; i < t->row_count; i++) {
        const soft_row* r = &t->rows[i];
        const vec3 shift = v3_sub(f->system->bodies[r->body].c, t->places[r->body].p);
        const vec3 carried = v3_add(shift, v3_cross(t->turned[r->contact], r->arm));
        const vec3 moved =
            v3_sub(tml__points_place(&t->points, r->point, f->x), t->vertex_start[r->contact]);
        t->seen[i] = t->gap[i] + v3_dot(r->d, v3_sub(moved, carried));
        const double v = break_of(t, i);
        if (!(v > worst)) continue;
        worst = v;
        *row = i;
    }
    return worst;
}

// ---- forces

// Rows of the chosen contacts, in order.
static void list_chosen(soft_touch* t)
{
    int normal = 0;
    t->chosen_count = 0;
    for (int i = 0; i < t->row_count; i++) {
        if (!t->is_chosen[t->rows[i].contact]) continue;
        if (t->laws[i].kind == LCP_UNILATERAL) normal = t->chosen_count;
        t->chosen_laws[t->chosen_count] = t->laws[i];
        t->chosen_laws[t->chosen_count].normal = normal;
        t->chosen[t->chosen_count++] = i;
    }
}

// Most contacts that were found never push. Where one of the others is inside by more than `enough`, all
// that stand inside or almost are chosen, too. True: there are more of them now.
static bool choose(soft_touch* t, double enough)
{
    const double almost = 0.1 * t->margin;
    bool is_asked = false;
    for (int i = 0; i < t->row_count; i++) {
        const bool is_new = t->laws[i].kind == LCP_UNILATERAL && !t->is_chosen[t->rows[i].contact];
        is_asked |= is_new && t->seen[i] < -enough;
    }
    for (int i = 0; i < t->row_count && is_asked; i++) {
        if (t->laws[i].kind != LCP_UNILATERAL) continue;
        t->is_chosen[t->rows[i].contact] |= t->seen[i] < almost;
    }
    if (is_asked) list_chosen(t);
    return is_asked;
}

// What unit forces on `count` chosen rows do to all of them, c_q A^-1 J^T: columns of W.
static tml_status find_columns(sim_soft* f, int first, int count, double c_q, soft_respond respond)
{
    soft_touch* t = f->touch;
    const size_t width = (size_t)f->free_width;
    const size_t body_width = 6 * (size_t)f->system->node_count;
    const size_t ld = ROWS_PER_CONTACT * (size_t)t->capacity;
    memset(t->column, 0, (size_t)count * width * sizeof(double));
    memset(t->bodies, 0, (size_t)count * body_width * sizeof(double));
    for (int j = 0; j < count; j++) {
        const soft_row* row = &t->rows[t->chosen[first + j]];
        const vec3 g = v3_scale(c_q, row->d);
        double* bodies = &t->bodies[(size_t)j * body_width];
        tml__points_push(f, &t->points, row->point, g, &t->column[(size_t)j * width], bodies);
        if (row->body_node < 0) continue;
        double* to = &bodies[6 * (size_t)row->body_node];
        v3_store(to, v3_sub(v3_load(to), g));
        v3_store(to + 3, v3_sub(v3_load(to + 3), v3_cross(row->arm, g)));
    }
    const tml_status status = respond(f, count, t->column, t->bodies);
    for (int j = 0; j < count && status == TML_OK; j++) {
        const double* z = &t->column[(size_t)j * width];
        const double* dx = &t->bodies[(size_t)j * body_width];
        for (int i = 0; i < t->chosen_count; i++) {
            const soft_row* row = &t->rows[t->chosen[i]];
            double moved = v3_dot(row->d, tml__points_moved(f, &t->points, row->point, z, dx));
            if (row->body_node >= 0) {
                const double* u = &dx[6 * row->body_node];
                moved -= v3_dot(row->d, v3_load(u)) + v3_dot(row->turn, v3_load(u + 3));
            }
            t->W[(size_t)i * ld + (size_t)(first + j)] = moved;
        }
    }
    return status;
}

static tml_status find_matrix(sim_soft* f, double c_q, soft_respond respond)
{
    soft_touch* t = f->touch;
    const size_t ld = ROWS_PER_CONTACT * (size_t)t->capacity;
    for (int i = 0; i < t->chosen_count; i++) {
        // a turn w changes the rotation vector by L(phi) w, and L(phi)^T = L(-phi)
        soft_row* row = &t->rows[t->chosen[i]];
        row->turn = tml__q_log_rate(v3_neg(t->turned[row->contact]), v3_cross(row->arm, row->d));
    }
    for (int first = 0; first < t->chosen_count; first += SOFT_BATCH) {
        const int left = t->chosen_count - first;
        const tml_status status =
            find_columns(f, first, left < SOFT_BATCH ? left : SOFT_BATCH, c_q, respond);
        if (status != TML_OK) return status;
    }
    for (int i = 0; i < t->chosen_count; i++) {
        for (int j = 0; j < i; j++) {
            double* low = &t->W[(size_t)i * ld + (size_t)j];
            double* high = &t->W[(size_t)j * ld + (size_t)i];
            *low = *high = 0.5 * (*low + *high);
        }
    }
    return TML_OK;
}

// Where the chosen rows would stand without their forces, what these are, and how each begins.
static void pose_forces(soft_touch* t)
{
    const size_t ld = ROWS_PER_CONTACT * (size_t)t->capacity;
    for (int i = 0; i < t->chosen_count; i++) t->guess[i] = t->force[t->chosen[i]];
    for (int i = 0; i < t->chosen_count; i++) {
        double sum = 0.0;
        for (int j = 0; j < t->chosen_count; j++) {
            sum += t->W[(size_t)i * ld + (size_t)j] * t->guess[j];
        }
        t->b[i] = t->seen[t->chosen[i]] - sum;
    }
    for (int i = 0; i < t->chosen_count; i++) {
        const lcp_row* law = &t->chosen_laws[i];
        const int normal = law->kind == LCP_FRICTION ? law->normal : i;
        t->chosen_labels[i] = t->labels[t->chosen[i]];
        if (t->chosen_labels[i] != LCP_UNKNOWN) continue;
        t->chosen_labels[i] = t->b[normal] < 0.0 ? LCP_HELD : LCP_OFF;
    }
}

// Better forces, by the matrix at hand and by where the rows stand.
static tml_status find_forces(sim_soft* f)
{
    soft_touch* t = f->touch;
    message unused = {{0}};
    lcp_report report;
    pose_forces(t);
    const lcp_problem problem = {.count = t->chosen_count,
                                 .A = t->W,
                                 .ld = (ptrdiff_t)ROWS_PER_CONTACT * t->capacity,
                                 .b = t->b,
                                 .rows = t->chosen_laws,
                                 .guess = t->has_forces ? t->guess : NULL};
    const tml_status status = tml__lcp_solve(t->solver, &problem, t->chosen_labels, t->after,
                                             t->moved, NULL, &report, &unused);
    if (status != TML_OK) return status;
    for (int i = 0; i < t->chosen_count; i++) {
        t->force[t->chosen[i]] = t->after[i];
        t->labels[t->chosen[i]] = t->chosen_labels[i];
    }
    t->has_forces = true;
    memset(t->push, 0, (size_t)f->width * sizeof *t->push);
    spread(t, t->force, f->progress->kick, t->push);
    return TML_OK;
}

enum {
    PASSES = 40
};

// The matrix serves again as long as a pass leaves at most this much of what was broken,
static const double good_pass = 0.1;
// and a pass need not be solved better than it can matter.
static const double share_of_break = 1e-3;

tml_status tml__soft_touch_correct(sim_soft* f, const soft_again* again)
{
    soft_touch* t = f->touch;
    const double enough = 10.0 * again->tolerance;
    double before = 0.0;  // what the last pass started from
    double solved = again->tolerance;
    int row = -1;
    tml_status status = TML_OK;

    for (int pass = 0; pass < PASSES && status == TML_OK; pass++) {
        const double worst = tml__soft_touch_see(f, &row);
        const bool is_met = worst <= enough;
        if (is_met && solved <= again->tolerance) return TML_OK;
        const bool has_more = choose(t, enough);
        if (!is_met && (has_more || !(worst <= good_pass * before))) {
            status = again->factor(again->self);
            if (status == TML_OK) status = find_matrix(f, again->beta, again->respond);
        }
        if (!is_met && status == TML_OK) status = find_forces(f);
        if (status != TML_OK) break;
        f->bad_break = before = worst;
        solved = is_met ? again->tolerance : fmax(again->tolerance, share_of_break * worst);
        status = again->solve(again->self, solved);
        if (status != TML_OK) return status;
    }
    f->bad_row = row;
    return status == TML_OK ? TML_NOT_CONVERGED : status;
}

// ---- impulses at the end

void tml__soft_touch_take(const sim_soft* f, double h, double* momentum)
{
    spread(f->touch, f->touch->force, -h, momentum);
}

// Rates of the rows of contacts that are closed, which an impulse may change: these are chosen, their
// rates go to t->b. True: one of them approaches faster than what the tolerance leaves.
static bool find_rates(sim_soft* f, const double* v, double still)
{
    soft_touch* t = f->touch;
    bool approaches = false;
    for (int i = 0; i < t->row_count; i++) {
        if (t->laws[i].kind != LCP_UNILATERAL) continue;
        t->is_chosen[t->rows[i].contact] = t->seen[i] <= t->slop;
    }
    list_chosen(t);
    for (int i = 0; i < t->chosen_count; i++) {
        const soft_row* row = &t->rows[t->chosen[i]];
        const rigid* b = &f->system->bodies[row->body];
        const vec3 carried = v3_add(b->v, v3_cross(b->omega, row->arm));
        const vec3 u = tml__points_sum(&t->points, row->point, v + f->first);
        t->b[i] = v3_dot(row->d, v3_sub(u, carried));
        t->chosen_labels[i] = LCP_UNKNOWN;
        approaches |= t->chosen_laws[i].kind == LCP_UNILATERAL && t->b[i] < -still;
    }
    return approaches;
}

// What impulses change velocities by: mass matrix, joints and all.
static tml_status factor_masses(sim_soft* f, const double* q, const double* v)
{
    const nodal_scales only_mass = {.mass = 1.0};
    maximal_system* s = f->system;
    tml__maximal_place(s, q, v);
    tml__maximal_rows(s);
    const tml_status status = s->node_count > 0 ? tml__maximal_factor_position(s) : TML_OK;
    if (status != TML_OK || f->by.count > 0) return status;  // carriers have factored theirs
    return tml__nodal_factor(f->nodes, only_mass, f->x);
}

static void add_velocities(sim_soft* f, const double* q, double* v)
{
    const soft_touch* t = f->touch;
    const maximal_system* s = f->system;
    for (int i = 0; i < f->free_width; i++) v[f->first + i] += t->column[i];
    for (int n = 0; n < s->node_count; n++) {
        const rigid* b = &s->bodies[s->model->node_body[n]];
        const double* gain = &t->bodies[6 * n];
        tml__maximal_store_velocity(&q[n * POSE_WIDTH], v3_add(b->v, v3_load(gain)),
                                    v3_add(b->omega, v3_load(gain + 3)), &v[n * POSE_WIDTH]);
    }
    tml__soft_carry_velocities(f, q, v);
}

tml_status tml__soft_touch_stop(sim_soft* f, double h, const double* q, double* v, message* why)
{
    soft_touch* t = f->touch;
    const double still = 10.0 * t->tolerance / h;  // m/s: what stages leave
    memset(t->stop, 0, (size_t)t->row_count * sizeof *t->stop);
    tml__maximal_place(f->system, q, v);
    if (!find_rates(f, v, still)) return TML_OK;

    tml_status status = factor_masses(f, q, v);
    memset(t->turned, 0, (size_t)t->count * sizeof *t->turned);
    if (status == TML_OK) status = find_matrix(f, 1.0, tml__soft_respond);
    const lcp_problem problem = {.count = t->chosen_count,
                                 .A = t->W,
                                 .ld = (ptrdiff_t)ROWS_PER_CONTACT * t->capacity,
                                 .b = t->b,
                                 .rows = t->chosen_laws};
    lcp_report report;
    if (status == TML_OK) {
        status = tml__lcp_solve(t->solver, &problem, t->chosen_labels, t->after, t->moved, NULL,
                                &report, why);
    }
    if (status != TML_OK) {
        return tml__fail(why, status,
                         "deformables that touch cannot be stopped at the end of a step");
    }
    for (int i = 0; i < t->chosen_count; i++) t->stop[t->chosen[i]] = t->after[i];
    memset(t->column, 0, (size_t)f->free_width * sizeof(double));
    memset(t->bodies, 0, 6 * (size_t)f->system->node_count * sizeof(double));
    for (int i = 0; i < t->row_count; i++) {
        const soft_row* row = &t->rows[i];
        tml__points_push(f, &t->points, row->point, v3_scale(t->stop[i], row->d), t->column,
                         t->bodies);
    }
    spread_bodies(t, t->stop, 1.0, t->bodies);
    status = tml__soft_respond(f, 1, t->column, t->bodies);
    if (status != TML_OK) return tml__maximal_describe_failure(f->system, status, NULL, why);
    add_velocities(f, q, v);
    for (int i = 0; i < t->row_count; i++) t->force[i] += t->stop[i] / h;
    return TML_OK;
}

const double* tml__soft_touch_wrench(sim_soft* f, const double* other)
{
    if (f == NULL || tml__soft_touch_rows(f) == 0) return other;
    double* wrench = begin_wrench(f, other);
    spread_bodies(f->touch, f->touch->force, 1.0, wrench);
    if (f->by.count == 0) return wrench;
    memset(f->touch->push, 0, (size_t)f->width * sizeof(double));
    spread(f->touch, f->touch->force, 1.0, f->touch->push);
    tml__soft_feel(f, f->touch->push, wrench);
    return wrench;
}

void tml__soft_touch_name(const sim_soft* f, int row, char* text, size_t capacity)
{
    const soft_row* r = &f->touch->rows[row];
    char vertex[200];
    const soft_spot spot = tml__points_spot(f->model, f->touch->points.spot[r->point]);
    if (spot.vertex < 0) {
        snprintf(vertex, sizeof vertex, "point %d of the surface of deformable '%.120s'",
                 spot.point, f->model->all.deformables[spot.deformable].name);
    } else {
        tml__soft_vertex_name(f, f->touch->points.spot[r->point], vertex, sizeof vertex);
    }
    const bool is_world = r->body == tml__world(f->model);
    snprintf(text, capacity, "%s and '%.80s'", vertex,
             is_world ? "world" : f->model->all.bodies[r->body].name);
}
