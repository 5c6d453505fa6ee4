// test/method/quaternion/accelerate.c - accelerations and velocities that the rows allow.
//
// Along a path with the computed velocities and accelerations every row must keep its second (and,
// after a projection, its first) time derivative at zero, with targets that move.
#include "test/difference.h"
#include "test/method/quaternion/scene.h"

enum {
    STATE = SCENE_BODIES * POSE_WIDTH,
    MOTIONS = SCENE_BODIES * 6,
    MAX_ROWS = 128
};

static const double instant = 0.37;

// Rates that belong to velocities v and omega anywhere.
static void any_velocity(scene* s, double* v)
{
    for (int n = 0; n < s->system->node_count; n++) {
        tml__maximal_store_velocity(&s->system->x[n * POSE_WIDTH], random_vec3(&s->random, 1.0),
                                    random_vec3(&s->random, 1.0), &v[n * POSE_WIDTH]);
    }
}

// All rows at the time `dt` away, on a path with these velocities and accelerations.
static void rows_after(scene* s, const rigid* start, const double* acceleration, double dt,
                       double* C)
{
    maximal_system* q = s->system;
    double x[STATE];
    for (int n = 0; n < q->node_count; n++) {
        const rigid* b = &start[s->model->node_body[n]];
        double motion[6];
        for (int k = 0; k < 3; k++) {
            const double* a = &acceleration[6 * n];
            motion[k] = dt * v3_at(b->v, k) + 0.5 * dt * dt * a[k];
            motion[3 + k] = dt * v3_at(b->omega, k) + 0.5 * dt * dt * a[3 + k];
        }
        tml__maximal_displace(&x[n * POSE_WIDTH], &q->x[n * POSE_WIDTH], motion, 1.0);
    }
    tml__maximal_time(q, instant + dt, NULL);
    tml__maximal_place(q, x, NULL);
    tml__maximal_rows(q);
    memcpy(C, q->C, (size_t)q->row_count * sizeof *C);
}

static bool acts(const maximal_system* q, int row)
{
    if (row >= q->first_limit) return q->sides[row - q->first_limit] != LIMIT_OFF;
    if (row >= q->first_coupling) {
        return q->model->all.couplings[row - q->first_coupling].compliance == 0.0;
    }
    int j = 0;
    while (q->first_row[j + 1] <= row) j++;
    const joint_row* r = &q->rows[j].row[row - q->first_row[j]];
    return q->model->joints[j].axis[r->axis].compliance == 0.0;
}

// First and second derivatives of the acting rows against zero.
static void check_rows_stay(scene* s, const double* acceleration, double step, slope* first,
                            slope* second)
{
    maximal_system* q = s->system;
    double C[5][MAX_ROWS];
    rigid start[SCENE_BODIES + 1];
    memcpy(start, q->bodies, sizeof start);
    for (int i = 0; i < 5; i++) rows_after(s, start, acceleration, 0.5 * (i - 2) * step, C[i]);
    for (int row = 0; row < q->row_count; row++) {
        if (!acts(q, row)) continue;
        const double e = step;
        slope_add(first, 0.0, (C[4][row] - C[0][row]) / (2.0 * e), (C[3][row] - C[1][row]) / e);
        slope_add(second, 0.0, (C[4][row] - 2.0 * C[2][row] + C[0][row]) / (e * e),
                  (C[3][row] - 2.0 * C[2][row] + C[1][row]) * 4.0 / (e * e));
    }
    tml__maximal_time(q, instant, NULL);
}

// M a + omega x J omega - forces - C^T lambda, at the placed bodies.
static double imbalance(const scene* s, const double* acceleration, const double* lambda)
{
    const maximal_system* q = s->system;
    double residual[MOTIONS] = {0};
    double largest = 0.0;
    tml__maximal_subtract_rows(q, lambda, residual);
    for (int n = 0; n < q->node_count; n++) {
        const int b = s->model->node_body[n];
        const rigid* body = &q->bodies[b];
        const mat3 J = m3_mul_bt(m3_mul(body->R, s->model->bodies[b].inertia), body->R);
        const vec3 gyro = v3_cross(body->omega, m3_apply(J, body->omega));
        const vec3 spin = v3_add(m3_apply(J, v3_load(&acceleration[6 * n + 3])), gyro);
        const vec3 push = v3_scale(s->model->bodies[b].mass, v3_load(&acceleration[6 * n]));
        largest = fmax(largest, v3_max(v3_add(push, v3_load(&residual[6 * n]))));
        largest = fmax(largest, v3_max(v3_add(spin, v3_load(&residual[6 * n + 3]))));
    }
    return largest;
}

// A row that gives way is a spring: C + compliance lambda = 0.
static void check_compliant(const maximal_system* q, const double* lambda)
{
    for (int j = 0; j < q->model->all.joint_count; j++) {
        for (int i = 0; i < q->rows[j].count; i++) {
            const int row = q->first_row[j] + i;
            const double E = q->model->joints[j].axis[q->rows[j].row[i].axis].compliance;
            if (E > 0.0) CHECK_NEAR(E * lambda[row], -q->C[row], 1e-14);  // rounding
        }
    }
    for (int i = 0; i < q->model->all.coupling_count; i++) {
        const int row = q->first_coupling + i;
        const double E = q->model->all.couplings[i].compliance;
        if (E > 0.0) CHECK_NEAR(E * lambda[row], -q->C[row], 1e-14);
    }
}

static double largest_of(const double* a, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i]));
    return largest;
}

// Couplings and limits may tie axes that rows hold already; such a scene has no unique answer.
static bool accelerate(scene* s, const double* v, double* acceleration, double* lambda)
{
    CHECK(s->system->row_count <= MAX_ROWS);
    return tml__maximal_accelerate(s->system, s->system->x, v, acceleration, lambda) == TML_OK &&
           largest_of(acceleration, 6 * s->system->node_count) < 1e4;
}

TEST(accelerations_keep_the_rows_and_balance_the_forces)
{
    int count = 0;
    for (uint64_t salt = 0; salt < 30; salt++) {
        scene s;
        double v[STATE];
        double acceleration[MOTIONS];
        double lambda[MAX_ROWS];
        if (!scene_create(&s, 201 + salt)) return;
        any_velocity(&s, v);
        if (accelerate(&s, v, acceleration, lambda)) {
            slope first = {0};
            slope second = {0};
            const double size = 1.0 + largest_of(acceleration, 6 * s.system->node_count);
            const double forces = 1.0 + largest_of(lambda, s.system->row_count);
            count++;
            // forces of the size of the largest multiplier, through some fifty rows of the matrix
            CHECK_NEAR(imbalance(&s, acceleration, lambda), 0.0, 1e-12 * forces);
            check_compliant(s.system, lambda);
            // the larger the accelerations, the shorter the time in which they do as much
            check_rows_stay(&s, acceleration, 0x1p-8 / sqrt(size), &first, &second);
            // fifty rows around 1, rounded, over step^2 / 4; what extrapolation leaves is smaller
            // than what it removes by another factor (step times a rate of up to 25 / s)^2
            CHECK_SLOPE("second derivative of the rows", &second, 1e-8 * size,
                        0.01 * sqrt(second.coarse));
        }
        scene_destroy(&s);
    }
    CHECK(count >= 10);
}

// ---- velocities

// The velocities of all nodes as six numbers each.
static void read_velocity(const scene* s, double* out)
{
    for (int n = 0; n < s->system->node_count; n++) {
        const rigid* b = &s->system->bodies[s->model->node_body[n]];
        v3_store(&out[6 * n], b->v);
        v3_store(&out[6 * n + 3], b->omega);
    }
}

// a^T M b
static double mass_product(const scene* s, const double* a, const double* b)
{
    double sum = 0.0;
    for (int n = 0; n < s->system->node_count; n++) {
        const int body = s->model->node_body[n];
        const mat3 R = s->system->bodies[body].R;
        const mat3 J = m3_mul_bt(m3_mul(R, s->model->bodies[body].inertia), R);
        sum += s->model->bodies[body].mass * v3_dot(v3_load(&a[6 * n]), v3_load(&b[6 * n]));
        sum += v3_dot(v3_load(&a[6 * n + 3]), m3_apply(J, v3_load(&b[6 * n + 3])));
    }
    return sum;
}

// One projection: the velocities before and after.
static bool project(scene* s, double* before, double* after, double* change)
{
    double v[STATE];
    any_velocity(s, v);
    tml__maximal_place(s->system, s->system->x, v);
    read_velocity(s, before);
    if (tml__maximal_project_velocity(s->system, s->system->x, v, change) != TML_OK) return false;
    tml__maximal_place(s->system, s->system->x, v);
    read_velocity(s, after);

    double again = 0.0;
    CHECK(tml__maximal_project_velocity(s->system, s->system->x, v, &again) == TML_OK);
    CHECK_NEAR(again, 0.0, 1e-12 * (1.0 + *change));  // what is consistent stays
    tml__maximal_place(s->system, s->system->x, v);
    return *change < 1e3;
}

static void check_nearest(const scene* s, const double* before, const double* after,
                          const double* other)
{
    double allowed[MOTIONS];
    double moved[MOTIONS];
    for (int i = 0; i < 6 * s->system->node_count; i++) {
        allowed[i] = other[i] - after[i];  // two consistent velocities differ by a free motion
        moved[i] = after[i] - before[i];
    }
    const double size =
        sqrt(mass_product(s, allowed, allowed) * mass_product(s, moved, moved)) + 1.0;
    CHECK_NEAR(mass_product(s, allowed, moved), 0.0, 1e-11 * size);  // fifty rows, conditioned 1e2
}

TEST(projected_velocities_keep_the_rows_and_are_the_nearest)
{
    int count = 0;
    for (uint64_t salt = 0; salt < 30; salt++) {
        scene s;
        double before[MOTIONS];
        double after[MOTIONS];
        double other_before[MOTIONS];
        double other[MOTIONS];
        double change;
        const double rest[MOTIONS] = {0};
        if (!scene_create(&s, 241 + salt)) return;
        if (project(&s, other_before, other, &change) && project(&s, before, after, &change)) {
            slope first = {0};
            slope second = {0};
            count++;
            check_nearest(&s, before, after, other);
            check_rows_stay(&s, rest, 0x1p-9, &first, &second);
            // fifty rows around 1, rounded, over 0x1p-9; the rest as above
            CHECK_SLOPE("first derivative of the rows", &first, 1e-11, 0.01 * sqrt(first.coarse));
        }
        scene_destroy(&s);
    }
    CHECK(count >= 10);
}

// Joints alone: couplings and limits need not be within reach.
TEST(projected_positions_close_the_rows)
{
    for (uint64_t salt = 0; salt < 30; salt++) {
        scene s;
        double x[STATE];
        if (!scene_prepare(&s, 281 + salt)) return;
        s.spec->all.coupling_count = 0;
        if (!scene_finish(&s)) return;
        maximal_system* q = s.system;
        for (int i = 0; i < q->limit_count; i++) q->sides[i] = LIMIT_OFF;
        memcpy(x, q->x, (size_t)(q->node_count * POSE_WIDTH) * sizeof *x);
        CHECK(tml__maximal_project_position(q, x, 1e-11) == TML_OK);
        tml__maximal_place(q, x, NULL);
        CHECK_NEAR(tml__maximal_rows(q), 0.0, 1e-11);  // what was asked for
        scene_destroy(&s);
    }
}
