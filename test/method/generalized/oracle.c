// test/method/generalized/oracle.c - mass matrices and bias forces of public robots against the numbers
// that MuJoCo computed for them.
//
// The rates u of the tree and q' of the oracle differ where a body flies or turns about three axes, so
// they are compared through u = B q': every motion of a coordinate of the oracle is written over the
// columns of its body. The oracle's bias is what moves the robot with q'' = 0, u' = B' q'; that u' is
// found body by body from the accelerations of test/io/oracle.h. Needs ../shared/models; skipped
// without it.
#include "test/io/oracle.h"

#include "method/generalized/dynamics.h"
#include "test/check.h"
#include "test/io/model_list.h"
#include "test_paths.h"

#define MODELS TEST_SOURCE_DIR "/../shared/models/"

typedef struct differences {
    double matrix, bias;  // relative to the largest of their kind
    int compared;
} differences;

typedef struct subject {
    oracle_case c;
    maximal_system* system;
    gen_tree* tree;
    double* B;  // columns by dofs
    double* u;  // per column: rates, and how they change when those of the oracle do not
    double* a;
    double numbers[7 * ORACLE_DOFS];
    double rates[ORACLE_DOFS];
} subject;

// The poses of the built model, as they are.
static void read_numbers(subject* s)
{
    const tml_model* m = s->c.model;
    double x[7 * ORACLE_DOFS];
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        v3_store(&x[7 * n], b->c);
        x[7 * n + 3] = b->q.w;
        x[7 * n + 4] = b->q.x;
        x[7 * n + 5] = b->q.y;
        x[7 * n + 6] = b->q.z;
    }
    tml__maximal_time(s->system, 0.0, NULL);
    tml__maximal_place(s->system, x, NULL);
    tml__gen_read(s->tree, s->system, s->numbers, s->rates);
    tml__gen_place(s->tree, s->numbers, NULL);
}

// A motion about the world's origin, about the point that the tree uses for a body.
static twist about_tree(const gen_tree* t, int at, twist x)
{
    return (twist){x.omega, v3_add(x.v, v3_cross(x.omega, t->origin[at]))};
}

static double size_of(twist x) { return tml__larger(v3_max(x.omega), v3_max(x.v)); }

// x over the columns of a body, sum_k out_k S_k = x: each column in turn takes what the earlier ones
// left (Gram and Schmidt), twice, so that only rounding is left. False when something else is.
static bool over_columns(const gen_tree* t, int at, twist x, double* out)
{
    const gen_body* b = &t->bodies[at];
    const double scale = 1.0 + size_of(x);
    twist basis[TML_AXES];
    double R[TML_AXES][TML_AXES] = {{0.0}};
    for (int k = 0; k < b->column_count; k++) {
        basis[k] = t->S[b->column + k];
        for (int pass = 0; pass < 2; pass++) {
            for (int n = 0; n < k; n++) {
                const double shared = t_dot(basis[n], basis[k]);
                R[n][k] += shared;
                basis[k] = t_axpy(basis[k], -shared, basis[n]);
            }
        }
        R[k][k] = sqrt(t_dot(basis[k], basis[k]));
        basis[k] = t_axpy((twist){{0, 0, 0}, {0, 0, 0}}, 1.0 / R[k][k], basis[k]);
        out[k] = 0.0;
    }
    for (int pass = 0; pass < 2; pass++) {
        double y[TML_AXES];
        twist rest = x;
        for (int k = 0; k < b->column_count; k++) rest = t_axpy(rest, -out[k], t->S[b->column + k]);
        for (int k = 0; k < b->column_count; k++) {
            y[k] = t_dot(basis[k], rest);
            rest = t_axpy(rest, -y[k], basis[k]);
        }
        if (size_of(rest) > 1e-9 * scale) return false;
        for (int k = b->column_count - 1; k >= 0; k--) {
            for (int n = k + 1; n < b->column_count; n++) y[k] -= R[k][n] * y[n];
            y[k] /= R[k][k];
        }
        for (int k = 0; k < b->column_count; k++) out[k] += y[k];
    }
    return true;
}

static bool match_columns(subject* s)
{
    const gen_tree* t = s->tree;
    const int n = s->c.dofs;
    if (t->column_count != n) return false;
    s->B = calloc((size_t)n * (size_t)n + 1, sizeof *s->B);
    for (int d = 0; d < n; d++) {
        const int at = t->index[s->c.body_of[d]];
        double x[TML_AXES];
        if (!over_columns(t, at, about_tree(t, at, s->c.S[d]), x)) return false;
        for (int k = 0; k < t->bodies[at].column_count; k++) {
            s->B[(t->bodies[at].column + k) * n + d] = x[k];
        }
    }
    return true;
}

// Rates of the columns, and u' = B' q': what each body's acceleration leaves over that of its parent
// and its own drift.
static bool match_motion(subject* s, const double* rate)
{
    const gen_tree* t = s->tree;
    const int n = s->c.dofs;
    twist* A = calloc((size_t)t->body_count + 1, sizeof *A);
    bool is_matched = true;
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < n; d++) s->u[k] += s->B[k * n + d] * rate[d];
    }
    tml__gen_place(s->tree, s->numbers, s->u);
    for (int at = 0; at < t->body_count && is_matched; at++) {
        const gen_body* b = &t->bodies[at];
        A[at] = about_tree(t, at, oracle_acceleration(&s->c, b->body, rate));
        twist own = t_axpy(A[at], -1.0, t->drift[at]);
        if (b->parent >= 0) own = t_axpy(own, -1.0, A[b->parent]);
        if (b->column_count > 0) is_matched = over_columns(t, at, own, &s->a[b->column]);
    }
    free(A);
    return is_matched;
}

static double mass_at(const gen_tree* t, int i, int j)
{
    if (j > i) return mass_at(t, j, i);
    for (int k = i; k >= 0; k = t->column_parent[k]) {
        if (k == j) return gen_mass_row(t, i)[t->depth[j]];
    }
    return 0.0;
}

// B^T H B against M, rotors included.
static void compare_matrix(const subject* s, const json* at, differences* out)
{
    double list[ORACLE_DOFS];
    double scale = 0.0;
    const int n = s->c.dofs;
    const json* row = tml__json_find(at, "M");
    if (row == NULL) return;
    double* HB = calloc((size_t)n * (size_t)n + 1, sizeof *HB);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            const double H = mass_at(s->tree, i, k);
            for (int d = 0; H != 0.0 && d < n; d++) HB[i * n + d] += H * s->B[k * n + d];
        }
    }
    int i = 0;
    for (row = row->first; row != NULL && i < n; i++, row = row->next) {
        json_numbers(row, list, n);
        scale = tml__larger(scale, list[i]);
    }
    i = 0;
    for (row = tml__json_find(at, "M")->first; row != NULL && i < n; i++, row = row->next) {
        json_numbers(row, list, n);
        for (int d = 0; d < n; d++) {
            double ours = 0.0;
            for (int k = 0; k < n; k++) ours += s->B[k * n + i] * HB[k * n + d];
            out->matrix = tml__larger(out->matrix, (ours - list[d]) / scale);
        }
    }
    out->compared++;
    free(HB);
}

// Relative to the terms of the biases: forces that balance leave a bias that is rounding alone.
static void compare_bias(const subject* s, const json* at, const double* rate, differences* out)
{
    double list[ORACLE_DOFS];
    double tau[ORACLE_DOFS];
    double sum[ORACLE_DOFS] = {0.0};
    double size[ORACLE_DOFS] = {0.0};
    const int n = s->c.dofs;
    double scale = 1.0;
    for (int b = 0; b < tml_model_body_count(s->c.model); b++) {
        add_body(&s->c, b, rate, NULL, sum, size);
    }
    json_numbers(tml__json_find(at, "qfrc_bias"), list, n);
    tml__gen_inverse(s->tree, s->a, tau);
    for (int d = 0; d < n; d++) scale = tml__larger(scale, size[d]);
    for (int d = 0; d < n; d++) {
        double ours = 0.0;
        for (int k = 0; k < n; k++) ours += s->B[k * n + d] * tau[k];
        out->bias = tml__larger(out->bias, (ours - list[d]) / scale);
    }
    out->compared++;
}

// Gravity alone: the oracle's bias has no springs, dampers or motors in it.
static void apply_gravity(const subject* s)
{
    vec3 force[ORACLE_DOFS];
    vec3 torque[ORACLE_DOFS];
    for (int b = 0; b < s->c.model->all.body_count; b++) {
        force[b] = v3_scale(s->c.model->bodies[b].mass, s->c.model->all.gravity);
        torque[b] = v3_zero();
    }
    tml__gen_apply(s->tree, force, torque);
}

static void compare_at(const char* file, const json* root, const json* at, differences* out)
{
    static subject s;
    const tml_allocator heap = {0};
    // a loop could take the place of a free flight in the spanning tree
    oracle_report report = {.leaves_loops_out = true, .message = ""};
    message why;
    double rate[ORACLE_DOFS];
    s = (subject){0};
    CHECK(oracle_open(&s.c, file, root, at, &report));
    if (report.message[0] != '\0') printf("%s\n", report.message);
    CHECK(tml__maximal_create(s.c.model, KKT_NONE, &heap, &why, &s.system) == TML_OK);
    CHECK(tml__gen_create(s.c.model, true, &heap, &why, &s.tree) == TML_OK);
    read_numbers(&s);
    s.u = calloc((size_t)s.tree->column_count + 1, sizeof *s.u);
    s.a = calloc((size_t)s.tree->column_count + 1, sizeof *s.a);
    json_numbers(tml__json_find(at, "qvel"), rate, ORACLE_DOFS);
    const bool is_matched = list_motions(&s.c, root) && match_columns(&s) && match_motion(&s, rate);
    CHECK(is_matched);
    if (is_matched) {
        apply_gravity(&s);
        tml__gen_mass(s.tree, NULL);
        compare_matrix(&s, at, out);
        compare_bias(&s, at, rate, out);
    }
    free(s.B);
    free(s.u);
    free(s.a);
    tml__gen_destroy(s.tree);
    tml__maximal_destroy(s.system);
    oracle_close(&s.c);
}

TEST(mass_matrices_and_bias_forces_of_every_public_robot)
{
    FILE* readme = fopen(MODELS "README.md", "rb");
    int robots = 0;
    if (readme == NULL) SKIP("../shared/models is not there");
    fclose(readme);
    for (int i = 0; i < ENTRIES; i++) {
        char model[300];
        char oracle[300];
        char* text = NULL;
        size_t length = 0;
        message why;
        json_document document = {0};
        json_error error;
        differences worst = {0.0, 0.0, 0};
        const model_entry* e = &entries[i];
        const char* ending = strcmp(e->kind, "mjcf") == 0 ? "xml" : e->kind;
        snprintf(model, sizeof model, MODELS "%s/%s/%s.%s", e->kind, e->folder, e->file, ending);
        snprintf(oracle, sizeof oracle, MODELS "oracle/%s/%s--%s.json", e->kind, e->folder,
                 e->file);
        if (tml__file_read(oracle, JSON_MAX_BYTES, &text, &length, &why) != TML_OK) continue;
        CHECK(tml__json_read(text, length, &document, &error) == TML_OK);
        compare_at(model, document.root, tml__json_find(document.root, "at_q0"), &worst);
        compare_at(model, document.root, tml__json_find(document.root, "at_q1"), &worst);
        printf("%-24s %-28s mass matrix %.1e, bias forces %.1e\n", e->folder, e->file, worst.matrix,
               worst.bias);
        // the oracle has 12 digits
        CHECK(worst.matrix < 1e-9);
        CHECK(worst.bias < 1e-9);
        robots += worst.compared > 0;
        tml__json_destroy(&document);
    }
    printf("%d robots\n", robots);
}
