// test/form/generalized/oracle.c - mass matrices and bias forces of public robots against the numbers
// that MuJoCo computed for them.
//
// Robots whose joints are hinges and slides, so that a column of the tree is a coordinate of the
// oracle up to its sign; which one is found by body and motion. Needs ../shared/models; skipped
// without it.
#include "test/io/oracle.h"

#include "form/generalized/dynamics.h"
#include "test/check.h"
#include "test_paths.h"

#define MODELS TEST_SOURCE_DIR "/../shared/models/"

static const char* const robots[][3] = {
    {"urdf", "atlas", "atlas_minimal_contact"},
    {"urdf", "atlas", "atlas_convex_hull"},
    {"mjcf", "gymnasium", "half_cheetah"},
    {"mjcf", "dm_control_suite", "cheetah"},
    {"mjcf", "dm_control_suite", "walker"},
    {"mjcf", "gymnasium", "hopper"},
    {"mjcf", "gymnasium", "swimmer"},
    {"mjcf", "franka_emika_panda", "panda"},
    {"mjcf", "kuka_iiwa_14", "iiwa14"},
    {"mjcf", "universal_robots_ur5e", "ur5e"},
    {"mjcf", "iit_softfoot", "softfoot"},
    {"urdf", "cassie_v2", "cassie_v2"},
    {"urdf", "kangaroo_like_2legs", "robot"},
    {"urdf", "simple_humanoid", "simple_humanoid"},
    {"urdf", "solo12", "solo12"},
};

typedef struct differences {
    double matrix, bias;  // relative to the largest of their kind
} differences;

typedef struct subject {
    oracle_case c;
    maximal_system* system;
    gen_tree* tree;
    int column[ORACLE_DOFS];
    double sign[ORACLE_DOFS];
    double numbers[ORACLE_DOFS];
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

// A column's motion about the world's origin.
static twist motion_of(const gen_tree* t, int k)
{
    const vec3 o = t->origin[t->column_body[k]];
    return (twist){t->S[k].omega, v3_sub(t->S[k].v, v3_cross(t->S[k].omega, o))};
}

static double distance_of(twist a, twist b, double sign)
{
    const double turn = v3_max(v3_axpy(a.omega, -sign, b.omega));
    return tml__larger(turn, v3_max(v3_axpy(a.v, -sign, b.v)));
}

static bool match_columns(subject* s)
{
    const gen_tree* t = s->tree;
    for (int d = 0; d < s->c.dofs; d++) {
        s->column[d] = -1;
        for (int k = 0; k < t->column_count; k++) {
            if (t->bodies[t->column_body[k]].body != s->c.body_of[d]) continue;
            for (int n = 0; n < 2; n++) {
                const double sign = n == 0 ? 1.0 : -1.0;
                if (distance_of(motion_of(t, k), s->c.S[d], sign) > 1e-9) continue;
                s->column[d] = k;
                s->sign[d] = sign;
            }
        }
        if (s->column[d] < 0) return false;
    }
    return t->column_count == s->c.dofs;
}

static double mass_at(const gen_tree* t, int i, int j)
{
    if (j > i) return mass_at(t, j, i);
    for (int k = i; k >= 0; k = t->column_parent[k]) {
        if (k == j) return gen_mass_row(t, i)[t->depth[j]];
    }
    return 0.0;
}

static void compare_matrix(const subject* s, const json* root, const json* at, differences* out)
{
    double armature[ORACLE_DOFS];
    double list[ORACLE_DOFS];
    double scale = 0.0;
    const int n = s->c.dofs;
    json_numbers(tml__json_find(root, "dof_armature"), armature, ORACLE_DOFS);
    for (int k = 0; k < n; k++) {
        scale = tml__larger(scale, mass_at(s->tree, s->column[k], s->column[k]) + armature[k]);
    }
    const json* row = tml__json_find(at, "M");
    row = row != NULL ? row->first : NULL;
    for (int i = 0; row != NULL && i < n; i++, row = row->next) {
        json_numbers(row, list, n);
        list[i] -= armature[i];
        for (int k = 0; k < n; k++) {
            const double ours =
                s->sign[i] * s->sign[k] * mass_at(s->tree, s->column[i], s->column[k]);
            out->matrix = tml__larger(out->matrix, (ours - list[k]) / scale);
        }
    }
}

static void compare_bias(const subject* s, const json* at, differences* out)
{
    double list[ORACLE_DOFS];
    double tau[ORACLE_DOFS];
    double scale = 1.0;
    json_numbers(tml__json_find(at, "qfrc_bias"), list, s->c.dofs);
    tml__gen_inverse(s->tree, NULL, tau);
    for (int d = 0; d < s->c.dofs; d++) scale = tml__larger(scale, list[d]);
    for (int d = 0; d < s->c.dofs; d++) {
        out->bias = tml__larger(out->bias, (s->sign[d] * tau[s->column[d]] - list[d]) / scale);
    }
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
    oracle_report report = {.message = ""};
    message why;
    double rate[ORACLE_DOFS];
    s = (subject){0};
    CHECK(oracle_open(&s.c, file, root, at, &report));
    if (report.message[0] != '\0') printf("%s\n", report.message);
    CHECK(tml__maximal_create(s.c.model, KKT_NONE, &heap, &why, &s.system) == TML_OK);
    CHECK(tml__gen_create(s.c.model, true, &heap, &why, &s.tree) == TML_OK);
    read_numbers(&s);
    const bool is_matched = list_motions(&s.c, root) && match_columns(&s);
    CHECK(is_matched);
    if (is_matched) {
        json_numbers(tml__json_find(at, "qvel"), rate, ORACLE_DOFS);
        for (int d = 0; d < s.c.dofs; d++) s.rates[s.column[d]] = s.sign[d] * rate[d];
        tml__gen_place(s.tree, s.numbers, s.rates);
        apply_gravity(&s);
        tml__gen_mass(s.tree, NULL);
        compare_matrix(&s, root, at, out);
        compare_bias(&s, at, out);
    }
    tml__gen_destroy(s.tree);
    tml__maximal_destroy(s.system);
    oracle_close(&s.c);
}

TEST(mass_matrices_and_bias_forces_of_public_robots)
{
    FILE* readme = fopen(MODELS "README.md", "rb");
    if (readme == NULL) SKIP("../shared/models is not there");
    fclose(readme);
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        char model[300];
        char oracle[300];
        char* text = NULL;
        size_t length = 0;
        message why;
        json_document document = {0};
        json_error error;
        differences worst = {0.0, 0.0};
        const char* const* r = robots[i];
        const char* ending = strcmp(r[0], "mjcf") == 0 ? "xml" : r[0];
        snprintf(model, sizeof model, MODELS "%s/%s/%s.%s", r[0], r[1], r[2], ending);
        snprintf(oracle, sizeof oracle, MODELS "oracle/%s/%s--%s.json", r[0], r[1], r[2]);
        CHECK(tml__file_read(oracle, JSON_MAX_BYTES, &text, &length, &why) == TML_OK);
        CHECK(tml__json_read(text, length, &document, &error) == TML_OK);
        compare_at(model, document.root, tml__json_find(document.root, "at_q0"), &worst);
        compare_at(model, document.root, tml__json_find(document.root, "at_q1"), &worst);
        printf("%-24s %-24s mass matrix %.1e, bias forces %.1e\n", r[1], r[2], worst.matrix,
               worst.bias);
        // the oracle has 12 digits
        CHECK(worst.matrix < 1e-9);
        CHECK(worst.bias < 1e-9);
        tml__json_destroy(&document);
    }
}
