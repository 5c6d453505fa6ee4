// bench/scenes/sparse_route.h - the Newton matrix of a step, solved by sparse LU instead.
//
// Two forms of the same linear system, with the independent rows only, because LU needs full rank:
//    6 unknowns a body: K and C of linalg/kkt.h as they are
//   14 unknowns a body: c, q, v, w as the paper has them, with F1 to F5 of [QRBD (12)], scaled as in
//      Sec. 6.1: F1, F2 times h, F3, F4 times h^2, unknowns v, w in 1/h and multipliers in 1/h^2
// Both must give the motion that the library's own solver gives; the benchmark compares them.
#ifndef TRAMMEL_BENCH_SPARSE_ROUTE_H
#define TRAMMEL_BENCH_SPARSE_ROUTE_H

#include "bench/scenes/feedforward.h"
#include "linalg/kkt_internal.h"
#include "sim/sim_internal.h"

#include <string.h>

// ---- a list of entries; the same places come in the same order at every state

typedef struct entry_list {
    int size;  // of the matrix
    int count, capacity;
    int* row;
    int* column;
    double* value;
} entry_list;

static inline void add_entry(entry_list* e, int row, int column, double value)
{
    if (e->count == e->capacity) {
        const int grown = e->capacity > 0 ? 2 * e->capacity : 4096;
        e->row = realloc(e->row, (size_t)grown * sizeof *e->row);
        e->column = realloc(e->column, (size_t)grown * sizeof *e->column);
        e->value = realloc(e->value, (size_t)grown * sizeof *e->value);
        if (e->row == NULL || e->column == NULL || e->value == NULL) leave("bench", "no memory");
        e->capacity = grown;
    }
    e->row[e->count] = row;
    e->column[e->count] = column;
    e->value[e->count++] = value;
}

static inline void destroy_entries(entry_list* e)
{
    free(e->row);
    free(e->column);
    free(e->value);
}

// ---- which rows count

// For each row its place among the independent ones at the initial poses, -1 where it is redundant.
static inline int* independent_rows(const tml_model* model, const maximal_system* s, int* count)
{
    int* place = claim((size_t)s->row_count, sizeof *place);
    tml_doctor* doctor = NULL;

    if (tml_doctor_create(model, &doctor) != TML_OK) leave("doctor", "no report");
    for (int i = 0; i < tml_doctor_redundant_count(doctor); i++) {
        const tml_row_id id = tml_doctor_redundant(doctor, i)->row;
        const int j = id.joint.index;
        if (j < 0) {
            place[s->first_coupling + id.coupling] = -1;
            continue;
        }
        for (int r = 0; r < s->rows[j].count; r++) {
            if (s->rows[j].row[r].axis == id.axis) place[s->first_row[j] + r] = -1;
        }
    }
    tml_doctor_destroy(doctor);
    *count = 0;
    for (int i = 0; i < s->row_count; i++) {
        if (place[i] == 0) place[i] = (*count)++;
    }
    return place;
}

// ---- 6 unknowns a body

// A row and what it pushes, with what it gives way by.
static inline void list_row(const kkt* k, int i, int at, double compliance, entry_list* e)
{
    for (int j = k->row_start[i]; j < k->row_start[i + 1]; j++) {
        for (int d = 0; d < 6; d++) {
            const double entry = k->values.row[6 * j + d];
            add_entry(e, at, 6 * k->row_node[j] + d, entry);
            add_entry(e, 6 * k->row_node[j] + d, at, -entry);
        }
    }
    add_entry(e, at, at, compliance);
}

static inline void list_six(const kkt* k, const int* place, int rows, entry_list* e)
{
    const kkt_values* v = &k->values;

    e->size = 6 * k->node_count + rows;
    for (int n = 0; n < k->node_count; n++) {
        for (int i = 0; i < 36; i++) {
            add_entry(e, 6 * n + i / 6, 6 * n + i % 6, v->node[36 * n + i]);
        }
    }
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        for (int i = 0; i < 36; i++) {
            add_entry(e, 6 * a + i / 6, 6 * b + i % 6, v->pair[72 * p + i]);
            add_entry(e, 6 * b + i / 6, 6 * a + i % 6, v->pair[72 * p + 36 + i]);
        }
    }
    for (int i = 0; i < k->row_count; i++) {
        if (place[i] < 0) continue;
        list_row(k, i, 6 * k->node_count + place[i], v->compliance[i], e);
    }
}

// ---- least norm

// I + C^T Q C of linalg/least_norm.c as sparse LU takes it: its saddle matrix, with all rows. LU of the
// independent rows says nothing about how redundant ones share the load; this is what asking costs.
static inline void list_least_norm(const kkt* k, entry_list* e)
{
    const double stiffness = 1e8;  // Q |C_i|^2

    e->size = 6 * k->node_count + k->row_count;
    for (int i = 0; i < 6 * k->node_count; i++) add_entry(e, i, i, 1.0);
    for (int i = 0; i < k->row_count; i++) {
        double square = 0.0;
        for (int j = 6 * k->row_start[i]; j < 6 * k->row_start[i + 1]; j++) {
            square += k->values.row[j] * k->values.row[j];
        }
        list_row(k, i, 6 * k->node_count + i, square / stiffness, e);
    }
}

// ---- 14 unknowns a body

enum {
    WIDE = 14,
    WIDE_Q = 3,  // unknowns c 0, q 3, v 7, w 10
    WIDE_V = 7,
    WIDE_W = 10,
    WIDE_FORCE = 7,  // equations F1 0, F2 3, F3 7, F4 10, F5 13
    WIDE_UNIT = 13
};

// How a body stands in the step that the matrix belongs to.
typedef struct wide_body {
    quat q, w, rate;  // rate is w', the change of w over the stage
    mat3 J;
} wide_body;

static inline quat quat_at(const double* p) { return (quat){p[0], p[1], p[2], p[3]}; }
static inline quat quat_axis(int k) { return (quat){k == 0, k == 1, k == 2, k == 3}; }

static inline wide_body wide_body_of(const tml_sim* sim, int n, double c)
{
    const maximal_system* s = sim->system;
    const quat q = quat_at(&s->x[n * POSE_WIDTH + 3]);
    const quat q_hat = quat_at(&sim->q_hat[n * POSE_WIDTH + 3]);
    const quat w_hat = quat_at(&sim->v_hat[n * POSE_WIDTH + 3]);
    const quat rate = q_scale(1.0 / (c * c), q_sub(q, q_hat));

    return (wide_body){.q = q,
                       .w = q_add(w_hat, q_scale(c, rate)),
                       .rate = rate,
                       .J = s->model->bodies[s->model->node_body[n]].inertia};
}

// The change of F4 = 2 R(q) J H(q) w' + 4 G(q) H(w)^T J H(q) w along dq, dw, with w' following w
// over the stage of length c.                                                           [QRBD (10)]
static inline vec3 wide_torque(const wide_body* b, quat dq, quat dw, double c)
{
    const quat drate = q_scale(1.0 / c, dw);
    const vec3 a = m3_apply(b->J, q_H(b->q, b->rate));
    const vec3 da = m3_apply(b->J, v3_add(q_H(dq, b->rate), q_H(b->q, drate)));
    const vec3 m = m3_apply(b->J, q_H(b->q, b->w));
    const vec3 dm = m3_apply(b->J, v3_add(q_H(dq, b->w), q_H(b->q, dw)));
    // R a = G(q) H(q)^T a
    const vec3 turned =
        v3_add(v3_add(q_G(dq, q_Ht(b->q, a)), q_G(b->q, q_Ht(dq, a))), q_G(b->q, q_Ht(b->q, da)));
    const vec3 swung =
        v3_add(v3_add(q_G(dq, q_Ht(b->w, m)), q_G(b->q, q_Ht(dw, m))), q_G(b->q, q_Ht(b->w, dm)));

    return v3_axpy(v3_scale(2.0, turned), 4.0, swung);
}

static inline void list_inertia(const wide_body* b, double mass, double c, int at, entry_list* e)
{
    for (int i = 0; i < 3; i++) {
        add_entry(e, at + i, at + i, 1.0);
        add_entry(e, at + i, at + WIDE_V + i, -1.0);
        add_entry(e, at + WIDE_FORCE + i, at + WIDE_V + i, mass);
    }
    for (int k = 0; k < 4; k++) {
        const quat none = {0};
        const vec3 by_q = wide_torque(b, quat_axis(k), none, c);
        const vec3 by_w = wide_torque(b, none, quat_axis(k), c);
        add_entry(e, at + WIDE_Q + k, at + WIDE_Q + k, 1.0);
        add_entry(e, at + WIDE_Q + k, at + WIDE_W + k, -1.0);
        add_entry(e, at + WIDE_UNIT, at + WIDE_Q + k, 2.0 * q_dot(b->q, quat_axis(k)));
        for (int i = 0; i < 3; i++) {
            add_entry(e, at + WIDE_FORCE + 3 + i, at + WIDE_Q + k, c * c * v3_at(by_q, i));
            add_entry(e, at + WIDE_FORCE + 3 + i, at + WIDE_W + k, c * v3_at(by_w, i));
        }
    }
}

// Forces that answer to a motion (dc, dphi) of a body, written for (dc, dq): dphi = 2 G(q) dq.
static inline void list_block(const double part[36], int row, const wide_body* moved, int column,
                              entry_list* e)
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) {
            add_entry(e, row + WIDE_FORCE + i, column + k, part[6 * i + k]);
        }
        for (int k = 0; k < 4; k++) {
            const double change =
                2.0 * v3_dot(v3_load(&part[6 * i + 3]), q_G(moved->q, quat_axis(k)));
            add_entry(e, row + WIDE_FORCE + i, column + WIDE_Q + k, change);
        }
    }
}

static inline void list_wide_bodies(const tml_sim* sim, const wide_body* bodies, double c,
                                    entry_list* e)
{
    const maximal_system* s = sim->system;
    const kkt* k = s->matrix;

    for (int n = 0; n < k->node_count; n++) {
        const double mass = s->model->bodies[s->model->node_body[n]].mass;
        const mat3* K = &s->inertia[n].K;
        double rest[36];  // what is not inertia: applied forces and the bending of rows
        memcpy(rest, &k->values.node[36 * n], sizeof rest);
        for (int i = 0; i < 3; i++) {
            rest[7 * i] -= mass;
            for (int j = 0; j < 3; j++) rest[(3 + i) * 6 + 3 + j] -= c * c * K->m[i][j];
        }
        list_inertia(&bodies[n], mass, c, WIDE * n, e);
        list_block(rest, WIDE * n, &bodies[n], WIDE * n, e);
    }
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        list_block(&k->values.pair[72 * p], WIDE * a, &bodies[b], WIDE * b, e);
        list_block(&k->values.pair[72 * p + 36], WIDE * b, &bodies[a], WIDE * a, e);
    }
}

static inline void list_wide_row(const kkt* k, int i, const wide_body* bodies, int at,
                                 entry_list* e)
{
    for (int j = k->row_start[i]; j < k->row_start[i + 1]; j++) {
        const int n = k->row_node[j];
        const double* row = &k->values.row[6 * j];
        for (int d = 0; d < 6; d++) add_entry(e, WIDE * n + WIDE_FORCE + d, at, -row[d]);
        for (int d = 0; d < 3; d++) add_entry(e, at, WIDE * n + d, row[d]);
        for (int d = 0; d < 4; d++) {
            const double change = 2.0 * v3_dot(v3_load(row + 3), q_G(bodies[n].q, quat_axis(d)));
            add_entry(e, at, WIDE * n + WIDE_Q + d, change);
        }
    }
    add_entry(e, at, at, k->values.compliance[i]);
}

static inline void list_fourteen(const tml_sim* sim, double c, const int* place, int rows,
                                 entry_list* e)
{
    const kkt* k = sim->system->matrix;
    wide_body* bodies = claim((size_t)k->node_count, sizeof *bodies);

    e->size = WIDE * k->node_count + rows;
    for (int n = 0; n < k->node_count; n++) bodies[n] = wide_body_of(sim, n, c);
    list_wide_bodies(sim, bodies, c, e);
    for (int i = 0; i < k->row_count; i++) {
        if (place[i] >= 0) list_wide_row(k, i, bodies, WIDE * k->node_count + place[i], e);
    }
    free(bodies);
}

// The motion (dc, dphi) of a body from the unknowns of a route.
// `pose` is the flat state of that body.
static inline void route_motion(const double* pose, int width, int n, const double* x,
                                double out[6])
{
    if (width == 6) {
        memcpy(out, &x[6 * n], 6 * sizeof *out);
        return;
    }
    const quat q = quat_at(pose + 3);
    memcpy(out, &x[WIDE * n], 3 * sizeof *out);
    v3_store(out + 3, v3_scale(2.0, q_G(q, quat_at(&x[WIDE * n + WIDE_Q]))));
}

// ---- compressed columns over several states

typedef struct sparse_states {
    int size, nonzeros, count;
    int* column_start;
    int* row;
    double* value;  // nonzeros a state
} sparse_states;

static inline void destroy_states(sparse_states* s)
{
    free(s->column_start);
    free(s->row);
    free(s->value);
}

// Where each entry of the list goes, -1 for places that are zero at every state. Entries are sorted
// by row, then by column, both stably; a repeated place is then the last one of its column.
static inline int* place_entries(const entry_list* lists, int count, sparse_states* out)
{
    const entry_list* e = &lists[0];
    const size_t entries = (size_t)e->count;
    const size_t columns = (size_t)e->size + 1;
    int* position = claim(entries, sizeof *position);
    int* order = claim(entries, sizeof *order);
    int* start = claim(columns, sizeof *start);
    int* by_column = claim(entries, sizeof *by_column);

    for (int i = 0; i < e->count; i++) start[e->row[i] + 1]++;
    for (int i = 0; i < e->size; i++) start[i + 1] += start[i];
    for (int i = 0; i < e->count; i++) order[start[e->row[i]]++] = i;
    memset(start, 0, columns * sizeof *start);
    for (int i = 0; i < e->count; i++) start[e->column[i] + 1]++;
    for (int i = 0; i < e->size; i++) start[i + 1] += start[i];
    for (int i = 0; i < e->count; i++) by_column[start[e->column[order[i]]]++] = order[i];

    out->row = claim(entries, sizeof *out->row);
    out->column_start = claim(columns, sizeof *out->column_start);
    int column = 0;
    for (int i = 0; i < e->count; i++) {
        const int entry = by_column[i];
        double largest = 0.0;
        for (int k = 0; k < count; k++) largest = fmax(largest, fabs(lists[k].value[entry]));
        while (column < e->column[entry]) out->column_start[++column] = out->nonzeros;
        const int is_new = out->nonzeros == out->column_start[column] ||
                           out->row[out->nonzeros - 1] != e->row[entry];
        if (is_new && largest > 0.0) out->row[out->nonzeros++] = e->row[entry];
        position[entry] = is_new && !(largest > 0.0) ? -1 : out->nonzeros - 1;
    }
    while (column < e->size) out->column_start[++column] = out->nonzeros;
    free(order);
    free(start);
    free(by_column);
    return position;
}

static inline sparse_states compress_states(const entry_list* lists, int count)
{
    sparse_states out = {.size = lists[0].size, .count = count};
    int* position = place_entries(lists, count, &out);

    out.value = claim((size_t)out.nonzeros * (size_t)count, sizeof *out.value);
    for (int k = 0; k < count; k++) {
        double* value = &out.value[(size_t)k * (size_t)out.nonzeros];
        for (int i = 0; i < lists[k].count; i++) {
            if (position[i] >= 0) value[position[i]] += lists[k].value[i];
        }
    }
    free(position);
    return out;
}

#endif
