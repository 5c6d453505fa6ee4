// diff/start.c - the first state of a run and the extrapolated start, linearised.
//
// The start integrates y' = f(y), y = (c, q, v, omega), by the midpoint rule with 2, 4, 6, ...
// substeps and extrapolates; with the number of columns that the step used the result is a fixed
// sum of the columns (Lagrange's weights at substep zero in the squared substep). So the derivative
// is that of midpoint rules, one linearised evaluation of f each, then of the projections.
#include "diff/start.h"

#include <string.h>

static void add(int count, double scale, const double* x, double* to)
{
    for (int i = 0; i < count; i++) to[i] += scale * x[i];
}

void tml__linear_velocities(const maximal_system* s, double* velocity)
{
    for (int n = 0; n < s->node_count; n++) {
        const rigid* b = &s->bodies[s->model->node_body[n]];
        v3_store(&velocity[6 * n], b->v);
        v3_store(&velocity[6 * n + 3], b->omega);
    }
}

tml_status tml__linear_settled(const instant* i, const double* q, const double* v, double* velocity)
{
    maximal_system* s = i->sim->system;
    double change = 0.0;

    tml__instant_targets(i);
    memcpy(i->work->v, v, (size_t)i->sim->width * sizeof *v);
    const tml_status status = tml__maximal_project_velocity(s, q, i->work->v, &change);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &i->sim->why);
    tml__maximal_place(s, q, i->work->v);
    tml__linear_velocities(s, velocity);
    return TML_OK;
}

tml_status tml__linear_restart(const instant* i, const double* q, const double* v)
{
    linear_work* w = i->work;
    const int n = i->sim->width;
    const int nodes = i->sim->model->node_count;
    double* dq = i->x->next;
    double* dv = dq + n;

    if (i->way == PARTIAL_FORWARD) {
        tml__flat_to_pose(i->way, q, nodes, dq, w->pose);
        tml__rate_to_velocity(i->way, q, v, nodes, dq, dv, w->raw);
        const tml_status status =
            tml__linear_settle(i, q, v, w->pose, w->raw, w->acceleration_d, NULL);
        tml__linear_velocities(i->sim->system, w->velocity);
        tml__velocity_to_rate(i->way, q, w->velocity, nodes, dq, w->acceleration_d, dv);
        return status;
    }
    tml_status status = tml__linear_settled(i, q, v, w->velocity);
    if (status != TML_OK) return status;
    clear(w->pose, 6 * nodes);
    clear(w->raw, 6 * nodes);
    clear(w->acceleration_d, 6 * nodes);
    tml__velocity_to_rate(i->way, q, w->velocity, nodes, dq, w->acceleration_d, dv);
    clear(dv, n);
    status = tml__linear_settle(i, q, v, w->pose, w->raw, w->acceleration_d, NULL);
    tml__rate_to_velocity(i->way, q, v, nodes, dq, dv, w->raw);
    tml__flat_to_pose(i->way, q, nodes, dq, w->pose);
    return status;
}

// ---- one evaluation of f, linearised at y

static void split_y(const tml_sim* sim, const double* y, double* q, double* v)
{
    tml__start_unpack(sim, y, q, v);
}

// dy (START_WIDTH a node) and df of the same layout.
static tml_status slope_product(const instant* i, const double* y, double* dy, double* df)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    const int nodes = sim->model->node_count;
    const bool is_forward = i->way == PARTIAL_FORWARD;
    tml_status status = TML_OK;

    split_y(sim, y, w->q, w->dx7);
    clear(w->pose, 6 * nodes);
    clear(w->velocity, 6 * nodes);
    clear(w->lambda_d, sim->system->row_count);
    clear(w->acceleration_d, 6 * nodes);
    for (int pass = 0; pass < 2; pass++) {
        // what comes first depends on the way: poses and velocities, or accelerations
        const bool is_inputs = (pass == 0) == is_forward;
        for (int n = 0; n < nodes; n++) {
            double* d = &dy[START_WIDTH * n];
            double* f = &df[START_WIDTH * n];
            const double* at = &y[START_WIDTH * n];
            const quat q = {at[3], at[4], at[5], at[6]};
            if (is_inputs) {
                double phi[12];
                const double scale = 2.0 / q_dot(q, q);
                for (int k = 0; k < 4; k++) {
                    const vec3 g = q_G(q, (quat){k == 0, k == 1, k == 2, k == 3});
                    for (int r = 0; r < 3; r++) phi[4 * r + k] = scale * v3_at(g, r);
                }
                tml__carry(i->way, phi, 4, 3, d + 3, &w->pose[6 * n + 3]);
                for (int k = 0; k < 3; k++) {
                    double* const in[3] = {&d[k], &d[7 + k], &d[10 + k]};
                    double* const to[3] = {&w->pose[6 * n + k], &w->velocity[6 * n + k],
                                           &w->velocity[6 * n + 3 + k]};
                    for (int m = 0; m < 3; m++) {
                        if (is_forward) {
                            *to[m] += *in[m];
                        } else {
                            *in[m] += *to[m];
                        }
                    }
                }
            } else {
                for (int k = 0; k < 6; k++) {
                    if (is_forward) {
                        f[7 + k] = w->acceleration_d[6 * n + k];
                    } else {
                        w->acceleration_d[6 * n + k] = f[7 + k];
                    }
                }
            }
        }
        if (pass == 0) {
            status = tml__linear_accelerate(i, w->q, w->dx7, w->pose, w->velocity,
                                            w->acceleration_d, w->lambda_d);
            if (status != TML_OK) return status;
        }
    }
    return status;
}

// c' = v and q' = G(q)^T omega / 2, the part of f without forces.
static void kinematic_product(const instant* i, const double* y, double* dy, double* df)
{
    const bool is_forward = i->way == PARTIAL_FORWARD;

    for (int n = 0; n < i->sim->model->node_count; n++) {
        const double* at = &y[START_WIDTH * n];
        double* d = &dy[START_WIDTH * n];
        double* f = &df[START_WIDTH * n];
        const quat q = {at[3], at[4], at[5], at[6]};
        const vec3 omega = v3_load(at + 10);
        double by_q[16];
        double by_omega[12];

        for (int k = 0; k < 7; k++) {
            const quat turned =
                q_scale(0.5, k < 4 ? q_Gt((quat){k == 0, k == 1, k == 2, k == 3}, omega)
                                   : q_Gt(q, v3_unit(k - 4)));
            const double column[4] = {turned.w, turned.x, turned.y, turned.z};
            for (int r = 0; r < 4; r++) {
                if (k < 4) {
                    by_q[4 * r + k] = column[r];
                } else {
                    by_omega[3 * r + k - 4] = column[r];
                }
            }
        }
        if (is_forward) clear(f, 7);
        tml__carry(i->way, by_q, 4, 4, d + 3, f + 3);
        tml__carry(i->way, by_omega, 3, 4, d + 10, f + 3);
        for (int k = 0; k < 3; k++) {
            if (is_forward) {
                f[k] = d[7 + k];
            } else {
                d[7 + k] += f[k];
            }
        }
    }
}

// Forwards df = J dy; backwards dy += J^T df.
static tml_status evaluation(const instant* step, double t, const double* y, double* dy, double* df)
{
    instant i = *step;
    i.dt = t - step->sim->time;
    const tml_status status = slope_product(&i, y, dy, df);
    if (status == TML_OK) kinematic_product(&i, y, dy, df);
    return status;
}

// ---- the extrapolated step

// The points at which f was evaluated, piece by piece: y at the start, then those of every column.
typedef struct start_path {
    int width;  // numbers in y
    int count;
    double* y;                          // count + 1 of them: the last is the end
    int first[TRACE_PIECES + 1];        // of each piece
    double *f0, *f, *before, *now, *d;  // scratch, one y each
    double *d_before, *d_now, *d_f, *d_f0;
    double* memory;
} start_path;

static int evaluations(int columns) { return 1 + columns * columns; }  // 1 + sum (2 k + 1)

static double weight_of(int k, int columns)
{
    double weight = 1.0;
    const double n = (double)((k + 1) * (k + 1));
    for (int j = 0; j < columns; j++) {
        const double other = (double)((j + 1) * (j + 1));
        if (j != k) weight *= n / (n - other);
    }
    return weight;
}

static tml_status create_path(const instant* step, start_path* p)
{
    const step_trace* trace = step->trace;
    *p = (start_path){.width = START_WIDTH * step->sim->model->node_count};
    for (int k = 0; k < trace->pieces; k++) {
        p->first[k] = p->count;
        p->count += evaluations(trace->columns[k]);
    }
    p->first[trace->pieces] = p->count;
    const size_t all = (size_t)(p->count + 1 + 9) * (size_t)p->width;
    p->memory = tml__allocate(&step->work->allocator, all, sizeof(double));
    if (p->memory == NULL) return tml__fail(&step->sim->why, TML_NO_MEMORY, "out of memory");
    p->y = p->memory;
    double** const scratch[] = {&p->f0,       &p->f,     &p->before, &p->now, &p->d,
                                &p->d_before, &p->d_now, &p->d_f,    &p->d_f0};
    double* at = p->memory + (size_t)(p->count + 1) * (size_t)p->width;
    for (int k = 0; k < 9; k++, at += p->width) *scratch[k] = at;
    return TML_OK;
}

static double* y_at(const start_path* p, int index)
{
    return p->y + (size_t)index * (size_t)p->width;
}

// Run one piece again, keeping where f was evaluated; the first of the next piece is its end.
static tml_status repeat_piece(const instant* step, start_path* p, int piece, double t, double h)
{
    tml_sim* sim = step->sim;
    const size_t bytes = (size_t)p->width * sizeof(double);
    const int columns = step->trace->columns[piece];
    const double* y0 = y_at(p, p->first[piece]);
    double* end = y_at(p, p->first[piece + 1]);
    int at = p->first[piece] + 1;

    tml_status status = tml__start_derivative(sim, t, y0, step->controls, p->f0);
    clear(p->d, p->width);
    for (int k = 0; k < columns && status == TML_OK; k++) {
        const int substeps = 2 * (k + 1);
        const double d = h / substeps;
        memcpy(p->before, y0, bytes);
        memcpy(p->now, y0, bytes);
        add(p->width, d, p->f0, p->now);
        for (int n = 1; n < substeps && status == TML_OK; n++) {
            memcpy(y_at(p, at++), p->now, bytes);
            status = tml__start_derivative(sim, t + n * d, p->now, step->controls, p->f);
            add(p->width, 2.0 * d, p->f, p->before);
            double* swap = p->before;
            p->before = p->now;
            p->now = swap;
        }
        add(p->width, weight_of(k, columns), p->now, p->d);
    }
    memcpy(end, p->d, bytes);
    return status;
}

// The change of a piece's end by that of its start, dy in place.
static tml_status piece_forward(const instant* step, start_path* p, int piece, double t, double h,
                                double* dy)
{
    const size_t bytes = (size_t)p->width * sizeof(double);
    const int columns = step->trace->columns[piece];
    int at = p->first[piece] + 1;

    tml_status status = evaluation(step, t, y_at(p, p->first[piece]), dy, p->d_f0);
    clear(p->d, p->width);
    for (int k = 0; k < columns && status == TML_OK; k++) {
        const int substeps = 2 * (k + 1);
        const double d = h / substeps;
        memcpy(p->d_before, dy, bytes);
        memcpy(p->d_now, dy, bytes);
        add(p->width, d, p->d_f0, p->d_now);
        for (int n = 1; n < substeps && status == TML_OK; n++) {
            status = evaluation(step, t + n * d, y_at(p, at++), p->d_now, p->d_f);
            add(p->width, 2.0 * d, p->d_f, p->d_before);
            double* swap = p->d_before;
            p->d_before = p->d_now;
            p->d_now = swap;
        }
        add(p->width, weight_of(k, columns), p->d_now, p->d);
    }
    memcpy(dy, p->d, bytes);
    return status;
}

// The gradient by a piece's start from that by its end, dy in place.
static tml_status piece_backward(const instant* step, start_path* p, int piece, double t, double h,
                                 double* dy)
{
    const size_t bytes = (size_t)p->width * sizeof(double);
    const int columns = step->trace->columns[piece];
    int at = p->first[piece + 1];
    tml_status status = TML_OK;

    clear(p->d, p->width);  // by the start
    clear(p->d_f0, p->width);
    for (int k = columns - 1; k >= 0 && status == TML_OK; k--) {
        const int substeps = 2 * (k + 1);
        const double d = h / substeps;
        clear(p->d_before, p->width);
        clear(p->d_now, p->width);
        add(p->width, weight_of(k, columns), dy, p->d_now);
        for (int n = substeps - 1; n >= 1 && status == TML_OK; n--) {
            // after = before + 2 d f(now); before = now; now = after
            clear(p->d_f, p->width);
            add(p->width, 2.0 * d, p->d_now, p->d_f);
            double* swap = p->d_before;
            p->d_before = p->d_now;
            p->d_now = swap;
            status = evaluation(step, t + n * d, y_at(p, --at), p->d_now, p->d_f);
        }
        add(p->width, 1.0, p->d_before, p->d);
        add(p->width, 1.0, p->d_now, p->d);
        add(p->width, d, p->d_now, p->d_f0);
    }
    if (status == TML_OK) {
        status = evaluation(step, t, y_at(p, p->first[piece]), p->d, p->d_f0);
    }
    memcpy(dy, p->d, bytes);
    return status;
}

// ---- packing and unpacking changes

// dy by the flat changes of the state that the step starts from.
static void pack_product(const instant* i, double* dq, double* dv, double* dy)
{
    const tml_sim* sim = i->sim;
    linear_work* w = i->work;
    const int nodes = sim->model->node_count;
    const bool is_forward = i->way == PARTIAL_FORWARD;

    clear(w->velocity, 6 * nodes);
    if (is_forward) {
        tml__rate_to_velocity(i->way, step_q(sim), step_v(sim), nodes, dq, dv, w->velocity);
    }
    for (int n = 0; n < nodes; n++) {
        for (int k = 0; k < 7; k++) {
            if (is_forward) {
                dy[START_WIDTH * n + k] = dq[POSE_WIDTH * n + k];
            } else {
                dq[POSE_WIDTH * n + k] += dy[START_WIDTH * n + k];
            }
        }
        for (int k = 0; k < 6; k++) {
            if (is_forward) {
                dy[START_WIDTH * n + 7 + k] = w->velocity[6 * n + k];
            } else {
                w->velocity[6 * n + k] = dy[START_WIDTH * n + 7 + k];
            }
        }
    }
    if (!is_forward) {
        tml__rate_to_velocity(i->way, step_q(sim), step_v(sim), nodes, dq, dv, w->velocity);
    }
}

// Poses and velocities of the integrated end by dy.
static void end_product(const instant* i, const double* y, double* dy, double* pose, double* raw)
{
    const bool is_forward = i->way == PARTIAL_FORWARD;

    for (int n = 0; n < i->sim->model->node_count; n++) {
        const double* at = &y[START_WIDTH * n];
        double* d = &dy[START_WIDTH * n];
        const quat q = {at[3], at[4], at[5], at[6]};
        const double scale = 2.0 / q_dot(q, q);
        double phi[12];

        for (int k = 0; k < 4; k++) {
            const vec3 g = q_G(q, (quat){k == 0, k == 1, k == 2, k == 3});
            for (int r = 0; r < 3; r++) phi[4 * r + k] = scale * v3_at(g, r);
        }
        if (is_forward) {
            clear(&pose[6 * n], 6);
            v3_store(&pose[6 * n], v3_load(d));
            memcpy(&raw[6 * n], d + 7, 6 * sizeof *raw);
        } else {
            clear(d, START_WIDTH);
            v3_store(d, v3_load(&pose[6 * n]));
            memcpy(d + 7, &raw[6 * n], 6 * sizeof *raw);
        }
        tml__carry(i->way, phi, 4, 3, d + 3, &pose[6 * n + 3]);
    }
}

// ---- back onto the rows, and a state made of poses and velocities

// The state vector by closed poses and raw velocities (6 a node each): velocities are projected,
// then the multipliers follow. `q` is the closed pose, `v` the flat rates before the projection.
// scratch: work->acceleration_d, impulse
typedef struct finish {
    double *pose, *raw;  // 6 a node
    double* settled;     // 6 a node, scratch
    double* rates;       // flat rates after the projection
} finish;

static tml_status finish_product(const instant* i, const double* q, const double* v,
                                 const finish* f, double* state)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    double* dq = state;
    double* dv = state + n;
    double* dlambda = state + 2 * n;

    tml_status status = tml__linear_settled(i, q, v, f->settled);
    memcpy(f->rates, w->v, (size_t)n * sizeof *f->rates);
    if (status != TML_OK) return status;
    if (i->way == PARTIAL_FORWARD) {
        tml__pose_to_flat(i->way, q, nodes, f->pose, dq);
        status = tml__linear_settle(i, q, v, f->pose, f->raw, w->velocity, NULL);
        if (status != TML_OK) return status;
        tml__velocity_to_rate(i->way, q, f->settled, nodes, dq, w->velocity, dv);
        if (w->leaves_multipliers) return TML_OK;
        return tml__linear_accelerate(i, q, f->rates, f->pose, w->velocity, w->acceleration_d,
                                      dlambda);
    }
    clear(f->pose, 6 * nodes);
    clear(f->raw, 6 * nodes);
    clear(w->velocity, 6 * nodes);
    clear(w->acceleration_d, 6 * nodes);
    if (!w->leaves_multipliers) {
        status = tml__linear_accelerate(i, q, f->rates, f->pose, w->velocity, w->acceleration_d,
                                        dlambda);
    }
    if (status != TML_OK) return status;
    tml__velocity_to_rate(i->way, q, f->settled, nodes, dq, w->velocity, dv);
    status = tml__linear_settle(i, q, v, f->pose, f->raw, w->velocity, NULL);
    tml__pose_to_flat(i->way, q, nodes, f->pose, dq);
    return status;
}

static const closing_wish no_wish = {NULL, NULL};

// ---- the accurate start

static tml_status settle_product(const instant* i, start_path* p, double* dy)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    const double* y = y_at(p, p->count);
    const double* q = i->trace->x[0];
    const finish f = {.pose = w->pose, .raw = w->raw, .settled = p->f, .rates = w->k_q[0]};
    double* rates = w->k_v[0];

    for (int n = 0; n < sim->model->node_count; n++) {
        const double* from = &y[START_WIDTH * n];
        tml__maximal_store_velocity(&q[POSE_WIDTH * n], v3_load(from + 7), v3_load(from + 10),
                                    &rates[POSE_WIDTH * n]);
    }
    if (i->way == PARTIAL_FORWARD) {
        end_product(i, y, dy, p->d_f, w->raw);
        tml__start_unpack(sim, y, w->k_q[0], w->dk_q[1]);
        const tml_status status = tml__linear_close(i, w->k_q[0], q, no_wish, p->d_f, w->pose);
        return status == TML_OK ? finish_product(i, q, rates, &f, i->x->next) : status;
    }
    tml_status status = finish_product(i, q, rates, &f, i->x->next);
    if (status != TML_OK) return status;
    clear(p->d_f, 6 * sim->model->node_count);
    tml__start_unpack(sim, y, w->k_q[0], w->dk_q[1]);
    status = tml__linear_close(i, w->k_q[0], q, no_wish, p->d_f, w->pose);
    end_product(i, y, dy, p->d_f, w->raw);
    return status;
}

tml_status tml__linear_accurate(const instant* step)
{
    tml_sim* sim = step->sim;
    const int pieces = step->trace->pieces;
    const double h = step_h(sim) / pieces;
    start_path p;

    tml_status status = create_path(step, &p);
    if (status != TML_OK) return status;
    tml__start_pack(sim, step_q(sim), step_v(sim), p.y);
    for (int k = 0; k < pieces && status == TML_OK; k++) {
        status = repeat_piece(step, &p, k, sim->time + h * k, h);
    }
    double* past = step->x->past[0];
    double* dy = p.f0;  // free from here on
    if (status == TML_OK && step->way == PARTIAL_FORWARD) {
        pack_product(step, past, past + sim->width, dy);
        for (int k = 0; k < pieces && status == TML_OK; k++) {
            status = piece_forward(step, &p, k, sim->time + h * k, h, dy);
        }
        if (status == TML_OK) status = settle_product(step, &p, dy);
    } else if (status == TML_OK) {
        status = settle_product(step, &p, dy);
        for (int k = pieces - 1; k >= 0 && status == TML_OK; k--) {
            status = piece_backward(step, &p, k, sim->time + h * k, h, dy);
        }
        if (status == TML_OK) pack_product(step, past, past + sim->width, dy);
    }
    tml__release(&step->work->allocator, p.memory);
    return status;
}

// ---- the first state

void tml__linear_begin_body(const instant* i, int n, double* given, double* pose, double* closed,
                            double* raw)
{
    const tml_model* m = i->sim->model;
    const int b = m->node_body[n];
    const body_data* body = &m->bodies[b];
    const mat3 R = q_matrix(body->q);
    const vec3 r = m3_apply(R, body->com);
    double* com = &i->x->inputs.com[3 * b];

    for (int k = 0; k < 3; k++) {
        const vec3 unit = v3_unit(k);
        const vec3 turned = v3_cross(unit, r);  // of the arm, by a turn about k
        const vec3 shifted = m3_column(R, k);   // of the arm, by the com along k
        const vec3 spun = v3_cross(unit, r);    // of the velocity, by a spin about k
        const vec3 carried = v3_cross(body->omega, shifted);
        const vec3 swung = v3_cross(body->omega, turned);
        for (int c = 0; c < 3; c++) {
            const double M[1] = {1.0};
            const double t[1] = {v3_at(turned, c)};
            const double s[1] = {v3_at(shifted, c)};
            const double w[1] = {v3_at(spun, c)};
            const double a[1] = {v3_at(carried, c)};
            const double g[1] = {v3_at(swung, c)};
            if (pose != NULL) {
                if (c == k) tml__carry(i->way, M, 1, 1, &given[k], &pose[c]);
                if (c == k) tml__carry(i->way, M, 1, 1, &given[3 + k], &pose[3 + c]);
                tml__carry(i->way, t, 1, 1, &given[3 + k], &pose[c]);
                tml__carry(i->way, s, 1, 1, &com[k], &pose[c]);
            } else {
                if (c == k) tml__carry(i->way, M, 1, 1, &given[6 + k], &raw[c]);
                if (c == k) tml__carry(i->way, M, 1, 1, &given[9 + k], &raw[3 + c]);
                tml__carry(i->way, w, 1, 1, &given[9 + k], &raw[c]);
                tml__carry(i->way, a, 1, 1, &com[k], &raw[c]);
                tml__carry(i->way, g, 1, 1, &closed[3 + k], &raw[c]);
            }
        }
    }
}

static double* given_to(const instant* i, int n)
{
    return &i->x->inputs.initial[INITIAL_NUMBERS * i->sim->model->node_body[n]];
}

// Where joints were closed from before the run began: not known, or of no use where rows are redundant
// (diff/instant.c).
static bool is_closed_again(const instant* i)
{
    return i->x->inputs.given != NULL && !i->sim->system->may_be_redundant;
}

// Bodies before closing, and how they were to move: by what was given and by the centre of mass.
static void wish_body(const instant* i, int n, double* pose, double* change)
{
    const tml_model* m = i->sim->model;
    const int b = m->node_body[n];
    const double* q = &i->x->inputs.given[POSE_WIDTH * n];
    const mat3 R = q_matrix((quat){q[3], q[4], q[5], q[6]});
    const vec3 r = m3_apply(R, m->bodies[b].com);
    const vec3 phi = v3_load(&i->x->inputs.wanted[6 * n + 3]);
    double* given = given_to(i, n);
    const mat3 unit = m3_identity();
    const mat3 by_turn = m3_scale(-1.0, m3_skew(r));  // phi x r
    const mat3 by_com = m3_mul(m3_skew(phi), R);

    tml__carry(i->way, &unit.m[0][0], 3, 3, given, change);
    tml__carry(i->way, &unit.m[0][0], 3, 3, given + 3, change + 3);
    tml__carry(i->way, &by_turn.m[0][0], 3, 3, given + 3, change);
    tml__carry(i->way, &by_com.m[0][0], 3, 3, &i->x->inputs.com[3 * b], change);
    tml__carry(i->way, &R.m[0][0], 3, 3, &i->x->inputs.com[3 * b], pose);
}

// f->pose by what is given, or gradients back.
static tml_status close_given(const instant* i, const finish* f)
{
    linear_work* w = i->work;
    const int nodes = i->sim->model->node_count;
    const double* q = step_q(i->sim);
    const bool is_again = is_closed_again(i);
    const bool is_forward = i->way == PARTIAL_FORWARD;
    const closing_wish wish = {i->x->inputs.wanted, w->velocity};

    clear(w->impulse, 6 * nodes);
    clear(w->velocity, 6 * nodes);
    for (int turn = 0; turn < 2; turn++) {
        if ((turn == 0) != is_forward) {
            const tml_status status =
                tml__linear_close(i, is_again ? i->x->inputs.given : q, q,
                                  is_again ? wish : no_wish, w->impulse, f->pose);
            if (status != TML_OK) return status;
            continue;
        }
        for (int n = 0; n < nodes; n++) {
            if (is_again) {
                wish_body(i, n, &w->impulse[6 * n], &w->velocity[6 * n]);
            } else {
                tml__linear_begin_body(i, n, given_to(i, n), &w->impulse[6 * n], NULL, NULL);
            }
        }
    }
    return TML_OK;
}

static tml_status begin_forward(const instant* i, const double* v, const finish* f, double* state)
{
    const int nodes = i->sim->model->node_count;

    const tml_status status = close_given(i, f);
    if (status != TML_OK) return status;
    clear(f->raw, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        tml__linear_begin_body(i, n, given_to(i, n), NULL, &f->pose[6 * n], &f->raw[6 * n]);
    }
    return finish_product(i, step_q(i->sim), v, f, state);
}

static tml_status begin_backward(const instant* i, const double* v, const finish* f, double* state)
{
    const int nodes = i->sim->model->node_count;

    const tml_status status = finish_product(i, step_q(i->sim), v, f, state);
    if (status != TML_OK) return status;
    for (int n = 0; n < nodes; n++) {
        tml__linear_begin_body(i, n, given_to(i, n), NULL, &f->pose[6 * n], &f->raw[6 * n]);
    }
    return close_given(i, f);
}

tml_status tml__linear_begin(tml_sim* sim, linear_work* work, partial_direction way,
                             const run_inputs* in, double* state)
{
    const step_numbers x = {.inputs = *in, .next = state};
    const instant i = {.sim = sim, .work = work, .way = way, .x = &x};
    const tml_model* m = sim->model;
    const finish f = {
        .pose = work->pose, .raw = work->raw, .settled = work->dk_q[0], .rates = work->k_q[0]};
    double* v = work->k_v[0];

    sim->why.text[0] = '\0';
    memcpy(sim->system->sides, sim->sides, (size_t)sim->system->limit_count * sizeof *sim->sides);
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        tml__maximal_store_velocity(&step_q(sim)[POSE_WIDTH * n], b->v, b->omega,
                                    &v[POSE_WIDTH * n]);
    }
    return way == PARTIAL_FORWARD ? begin_forward(&i, v, &f, state)
                                  : begin_backward(&i, v, &f, state);
}
