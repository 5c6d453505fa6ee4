// method/generalized/step_contact.c - contacts of a step, row by row: forces that bend with the poses, and what
// rows that hold ask for.
#include "method/generalized/step_contact.h"

#include <string.h>

// ---- points of reference

// A motion about the tree's origin, about the world's.
static twist to_world(twist a, vec3 origin)
{
    return (twist){a.omega, v3_sub(a.v, v3_cross(a.omega, origin))};
}

// A wrench, or a gradient by such a motion, the other way.
static wrench to_origin(wrench f, vec3 origin)
{
    return (wrench){v3_sub(f.moment, v3_cross(origin, f.force)), f.force};
}

static twist body_twist(const gen_step_product* s, const twist* list, int body)
{
    const gen_tree* t = s->motion->tree;
    const int at = t->index[body];
    return at >= 0 ? to_world(list[at], t->origin[at]) : tw_zero();
}

// Of body a against body b.
twist tml__step_relative(const gen_step_product* s, const twist* list, const contact* k)
{
    return tw_axpy(body_twist(s, list, k->body_a), -1.0, body_twist(s, list, k->body_b));
}

// f on body a, -f on body b; `list` in the trees' own origins.
void tml__step_push_pair(const gen_step_product* s, const contact* k, double scale, wrench f,
                         wrench* list)
{
    const gen_tree* t = s->motion->tree;
    for (int side = 0; side < 2; side++) {
        const int at = t->index[side == 0 ? k->body_a : k->body_b];
        const double sign = side == 0 ? scale : -scale;
        if (at < 0) continue;
        const wrench own = to_origin(f, t->origin[at]);
        list[at].moment = v3_axpy(list[at].moment, sign, own.moment);
        list[at].force = v3_axpy(list[at].force, sign, own.force);
    }
}

// ---- contacts, row by row

int tml__step_contact_of(const gen_step_product* s, int row, int* r)
{
    const gen_touch* c = s->touch;
    // contacts stand in the order of their rows
    int low = 0;
    int high = c->contact_count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (c->contact_row[middle] <= row) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if (c->contact_count == 0 || row < c->contact_row[low]) return -1;
    *r = row - c->contact_row[low];
    return low;
}

// A limit may close the room it has. The touch has gone on to the room at the end of the step.
static bool closes_room(const gen_step_product* s, int k)
{
    const gen_touch* c = s->touch;
    const int row = s->border.row[k];
    if (gen_touch_is_dry(c, row)) return false;
    const double moved = s->record.h * tml__gen_rows_rate(c->rows, row, s->record.rates_after);
    return c->gap[row] - moved > 0.0;
}

// Shapes stay with the frame of their body: where its centre of mass moves in it, they move back.
static vec3 shape_shift(const gen_step_product* s, int body, const double* com)
{
    const int at = s->motion->tree->index[body];
    if (com == NULL || at < 0) return v3_zero();
    return v3_neg(m3_apply(s->motion->tree->R[at], v3_load(&com[3 * body])));
}

void tml__step_spread(const gen_step_product* s, const contact* k, const double* com,
                      double z[TWIST_COLUMNS])
{
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        const twist Z = body_twist(s, s->inverse->walk->Z, body);
        v3_store(z + 6 * side, Z.omega);
        v3_store(z + 6 * side + 3, v3_add(Z.v, shape_shift(s, body, com)));
    }
}

void tml__step_gather(const gen_step_product* s, const contact* k, const double z[TWIST_COLUMNS],
                      double* com)
{
    const gen_tree* t = s->motion->tree;
    wrench* g_Z = s->inverse->walk->g_Z;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        const int at = t->index[body];
        if (at < 0) continue;
        const wrench g = {v3_load(z + 6 * side), v3_load(z + 6 * side + 3)};
        g_Z[at] = wr_add(g_Z[at], to_origin(g, t->origin[at]));
        if (com == NULL) continue;
        double* mine = &com[3 * body];
        v3_store(mine, v3_sub(v3_load(mine), m3_apply_t(t->R[at], g.force)));
    }
}

void tml__step_friction(const gen_step_product* s, partial_direction way, double* contact_in,
                        double* r)
{
    const gen_touch* c = s->touch;
    const gen_rows* rows = c->rows;
    for (int i = 0; i < c->contact_count; i++) {
        const contact* k = &s->record.contacts[i];
        const int at = c->contact_row[i];
        if (s->used[at] != LCP_HELD) continue;
        for (int row = at + 1; row <= at + c->friction_rows[i]; row++) {
            const bool is_bound = s->used[row] == LCP_UPPER || s->used[row] == LCP_LOWER;
            if (!is_bound) continue;
            const double f = s->used[row] == LCP_UPPER ? c->f[at] : -c->f[at];
            double d = 0.0;
            const int bodies[2] = {k->body_a, k->body_b};
            const int world = s->motion->s->model->all.body_count;
            for (int b = 0; b < 2 && way == PARTIAL_FORWARD; b++) {
                if (bodies[b] < world) d += contact_in[2 * bodies[b]];
            }
            for (size_t e = rows->start[row]; e < rows->start[row + 1]; e++) {
                if (way == PARTIAL_FORWARD) {
                    r[rows->column[e]] += f * d * rows->j[e];
                } else {
                    d += f * rows->j[e] * r[rows->column[e]];
                }
            }
            for (int b = 0; b < 2 && way == PARTIAL_BACKWARD; b++) {
                if (bodies[b] < world) contact_in[2 * bodies[b]] += d;
            }
        }
    }
}

// The restitution of a bouncing row: e J u, by e.
static void restitution_product(const gen_step_product* s, partial_direction way, const contact* k,
                                double speed, double* contact_in, double* g)
{
    const int world = s->motion->s->model->all.body_count;
    const int bodies[2] = {k->body_a, k->body_b};
    for (int b = 0; b < 2 && contact_in != NULL; b++) {
        if (bodies[b] >= world) continue;
        double* mine = &contact_in[2 * bodies[b] + 1];
        if (way == PARTIAL_FORWARD) {
            *g += speed * *mine;
        } else {
            *mine += speed * *g;
        }
    }
}

// What one row that holds asks for, by displacements and velocities of its bodies.
static double row_forward(const gen_step_product* s, int i, int r, const double* z,
                          double* contact_in)
{
    const contact_bend* b = &s->bends[i];
    const contact* k = b->k;
    const touch_offset offset = s->touch->offset_of[i];
    const wrench w = tml__contact_wrench(b, r);
    const wrench dw = tml__contact_bent(b, r, z);
    double g = sv_dot(tml__step_relative(s, s->v_after, k), dw) +
               sv_dot(tml__step_relative(s, s->after->V, k), w);
    if (r == 0 && offset == OFFSET_GAP) g += contact_bend_along(b->gap, z) / s->record.h;
    if (r == 0 && offset == OFFSET_BOUNCE) {
        const twist v = tml__step_relative(s, s->motion->tree->velocity, k);
        g += k->restitution *
             (sv_dot(v, dw) + sv_dot(tml__step_relative(s, s->inverse->walk->V, k), w));
        restitution_product(s, PARTIAL_FORWARD, k, sv_dot(v, w), contact_in, &g);
    }
    return g;
}

static void row_backward(const gen_step_product* s, int i, int r, double g, double* z,
                         double* contact_in)
{
    const contact_bend* b = &s->bends[i];
    const contact* k = b->k;
    const touch_offset offset = s->touch->offset_of[i];
    const wrench w = tml__contact_wrench(b, r);
    twist by_w = tw_axpy(tw_zero(), g, tml__step_relative(s, s->v_after, k));
    tml__step_push_pair(s, k, g, w, s->after->g_V);
    if (r == 0 && offset == OFFSET_GAP) {
        for (int n = 0; n < TWIST_COLUMNS; n++) z[n] += g * b->gap[n] / s->record.h;
    }
    if (r == 0 && offset == OFFSET_BOUNCE) {
        const twist v = tml__step_relative(s, s->motion->tree->velocity, k);
        by_w = tw_axpy(by_w, g * k->restitution, v);
        tml__step_push_pair(s, k, g * k->restitution, w, s->inverse->walk->g_V);
        restitution_product(s, PARTIAL_BACKWARD, k, sv_dot(v, w), contact_in, &g);
    }
    tml__contact_bent_transposed(b, r, by_w, z);
}

// The same of a row that is no contact's: C/h + J u.
static void held_row(const gen_step_product* s, partial_direction way, int k)
{
    const int row = s->border.row[k];
    if (gen_touch_is_dry(s->touch, row)) return;  // it stands along one column, and asks for rest
    double sign = 1.0;
    const int at = tml__step_row_of(s, row, &sign);
    const bool is_open = row < s->touch->equal_count || closes_room(s, k);
    const double scale = is_open ? sign / s->record.h : 0.0;
    if (way == PARTIAL_FORWARD) {
        s->g[k] = scale * s->row_value[at] + sign * s->row_rate[at];
    } else {
        s->row_value[at] += scale * s->g[k];
        s->row_rate[at] += sign * s->g[k];
    }
}

// All contacts: forces bend with the poses, and rows ask for other things.
void tml__step_contacts_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_touch* c = s->touch;
    for (int i = 0; i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        if (s->used[at] != LCP_HELD) continue;
        double z[TWIST_COLUMNS];
        tml__step_spread(s, s->bends[i].k, x->com, z);
        for (int r = 0; r <= c->friction_rows[i]; r++) {
            const double f = -c->f[at + r] / s->record.h;
            tml__step_push_pair(s, s->bends[i].k, f, tml__contact_bent(&s->bends[i], r, z),
                                s->inverse->dW);
        }
    }
    for (int k = 0; k < s->border.count; k++) {
        int r = 0;
        double z[TWIST_COLUMNS];
        const int i = tml__step_contact_of(s, s->border.row[k], &r);
        s->g[k] = 0.0;
        if (i >= 0) {
            tml__step_spread(s, s->bends[i].k, x->com, z);
            s->g[k] = row_forward(s, i, r, z, x->contact);
        } else if (s->record.held != NULL) {
            held_row(s, PARTIAL_FORWARD, k);
        } else if (closes_room(s, k)) {  // it stands along one column
            const double* J = s->border.J + (size_t)k * s->border.n;
            for (size_t j = 0; j < s->border.n; j++) s->g[k] += J[j] * x->positions[j];
            s->g[k] /= s->record.h;
        }
    }
}

void tml__step_contacts_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_touch* c = s->touch;
    for (int i = 0; i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        if (s->used[at] != LCP_HELD) continue;
        double z[TWIST_COLUMNS] = {0};
        const twist Y = tml__step_relative(s, s->inverse->Y, s->bends[i].k);
        for (int r = 0; r <= c->friction_rows[i]; r++) {
            const double f = -c->f[at + r] / s->record.h;
            tml__contact_bent_transposed(&s->bends[i], r, tw_axpy(tw_zero(), f, Y), z);
        }
        tml__step_gather(s, s->bends[i].k, z, x->com);
    }
    for (int k = 0; k < s->border.count; k++) {
        int r = 0;
        double z[TWIST_COLUMNS] = {0};
        const int i = tml__step_contact_of(s, s->border.row[k], &r);
        if (i >= 0) {
            row_backward(s, i, r, s->g[k], z, x->contact);
            tml__step_gather(s, s->bends[i].k, z, x->com);
        } else if (s->record.held != NULL) {
            held_row(s, PARTIAL_BACKWARD, k);
        } else if (closes_room(s, k)) {
            const double* J = s->border.J + (size_t)k * s->border.n;
            const double g = s->g[k] / s->record.h;
            for (size_t j = 0; j < s->border.n; j++) x->positions[j] += g * J[j];
        }
    }
}

// ---- gaps that a shift closes: gap + h J u+

void tml__step_gaps_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->parted;
    const double h = s->record.h;
    for (int k = 0; k < b->count; k++) {
        const double* J = b->J + (size_t)k * b->n;
        int r = 0;
        const int i = tml__step_contact_of(s, b->row[k], &r);
        double sum = 0.0;
        s->e[k] = 0.0;
        if (b->row[k] < s->touch->equal_count) continue;  // it stays closed
        for (size_t j = 0; j < b->n; j++) sum += h * J[j] * x->rates_after[j];
        if (i >= 0) {
            const contact_bend* bend = &s->bends[i];
            double z[TWIST_COLUMNS];
            tml__step_spread(s, bend->k, x->com, z);
            sum += contact_bend_along(bend->gap, z);
            sum += h * sv_dot(tml__step_relative(s, s->v_after, bend->k),
                              tml__contact_bent(bend, 0, z));
            sum += h * sv_dot(tml__step_relative(s, s->after->V, bend->k),
                              tml__contact_wrench(bend, 0));
        } else if (s->record.held != NULL) {
            double sign = 1.0;
            const int at = tml__step_row_of(s, b->row[k], &sign);
            sum += sign * (s->row_value[at] + h * s->row_rate[at]);
        } else {
            for (size_t j = 0; j < b->n; j++) sum += J[j] * x->positions[j];
        }
        s->e[k] = sum;
    }
}

void tml__step_gaps_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->parted;
    for (int k = 0; k < b->count; k++) {
        const double* J = b->J + (size_t)k * b->n;
        const double g = s->e[k];
        int r = 0;
        const int i = tml__step_contact_of(s, b->row[k], &r);
        if (b->row[k] < s->touch->equal_count) continue;
        if (i < 0 && s->record.held != NULL) {
            double sign = 1.0;
            const int at = tml__step_row_of(s, b->row[k], &sign);
            s->row_value[at] += sign * g;
            s->row_rate[at] += sign * s->record.h * g;
            continue;
        }
        if (i < 0) {
            for (size_t j = 0; j < b->n; j++) x->positions[j] += g * J[j];
            continue;
        }
        const contact_bend* bend = &s->bends[i];
        const double gh = g * s->record.h;
        double z[TWIST_COLUMNS];
        for (int n = 0; n < TWIST_COLUMNS; n++) z[n] = g * bend->gap[n];
        const twist by_w = tw_axpy(tw_zero(), gh, tml__step_relative(s, s->v_after, bend->k));
        tml__contact_bent_transposed(bend, 0, by_w, z);
        tml__step_push_pair(s, bend->k, gh, tml__contact_wrench(bend, 0), s->after->g_V);
        tml__step_gather(s, bend->k, z, x->com);
    }
}
