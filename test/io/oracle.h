// test/io/oracle.h - a model read by us against the numbers that MuJoCo computed for it.
//
// What is compared, at two poses: mass, centre of mass and inertia of every body as the file gives
// them; the pose of every body; the mass matrix and the bias forces. The last two are worked out here
// from the *built* model (its masses and joint frames, joints merged, welded links joined) with
// textbook spatial algebra, so they also check the lowering.
//
//   S_k   motion of coordinate k, (omega, v at the world's origin)
//   M     sum over bodies of S^T I S
//   bias  sum over bodies of S . (I A + V x* I V), A the acceleration with none of the coordinates'
//         own and -g at the root
#ifndef TRAMMEL_TEST_IO_ORACLE_H
#define TRAMMEL_TEST_IO_ORACLE_H

#include "base/memory.h"
#include "io/file.h"
#include "io/json.h"
#include "io/robot.h"
#include "io/scene_internal.h"
#include "joint/tree.h"
#include "math/pose.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORACLE_DOFS = 1024
};

// Worst differences, each relative to the largest number of its kind.
typedef struct oracle_report {
    bool leaves_loops_out;  // asked for: the tree of the file alone
    char message[512];      // "" when the model was loaded
    int bodies, joints;
    char lint[1024];  // what is not simulated, or taken otherwise
    int compared;     // quantities that were
    double mass, inertia, pose, matrix, bias;
    double moments;   // of inertia about the oracle's own principal axes, relative
    double products;  // of inertia about them, which it has as zero, kg m^2
    int equalities;   // connects, welds and relations of joints or tendons that were compared
    double equality;  // worst difference of how far they are open, m or rad
} oracle_report;

typedef struct oracle_case {
    robot r;
    reader into;
    lint_list lint;
    tml_model* model;
    joint_tree tree;
    int dofs;
    twist* S;      // per dof of the oracle
    int* body_of;  // per dof: the body that it moves
    int* group;    // per dof: dofs of one group act together
} oracle_case;

static inline double json_number(const json* list, int index)
{
    const json* item = list != NULL ? list->first : NULL;
    while (item != NULL && index-- > 0) item = item->next;
    return item != NULL ? item->number : (double)NAN;
}

static inline int json_numbers(const json* list, double* out, int most)
{
    int count = 0;
    for (const json* i = list != NULL ? list->first : NULL; i != NULL && count < most;
         i = i->next) {
        out[count++] = i->number;
    }
    return count;
}

static inline void oracle_close(oracle_case* c)
{
    tml__tree_destroy(&c->tree);
    tml_model_destroy(c->model);
    tml_spec_destroy(c->into.spec);
    tml__release(NULL, c->into.body_lines.lines);
    tml__release(NULL, c->into.joint_lines.lines);
    tml__pool_destroy(&c->into.scratch);
    tml__lint_destroy(&c->lint);
    tml__robot_destroy(&c->r);
    free(c->S);
    free(c->body_of);
    free(c->group);
}

// The oracle took names apart byte by byte, as signed numbers: a byte b from 128 on became the
// character U+FF00 + b, which JSON writes as three bytes, EF 1011xxyy 10zzzzzz.
static inline const char* oracle_name(const json* value, char out[256])
{
    int length = 0;
    for (const char* p = value->text; *p != '\0' && length < 255; p++) {
        const bool is_byte = (unsigned char)*p == 0xef && p[1] != '\0' && p[2] != '\0';
        out[length++] = is_byte ? (char)((p[1] & 3) << 6 | (p[2] & 63)) : *p;
        if (is_byte) p += 2;
    }
    out[length] = '\0';
    return out;
}

// The movement of an oracle's joint: by name, else by place.
static inline int oracle_movement(const robot* r, const json* joint, int index)
{
    char bytes[256];
    const char* name = oracle_name(tml__json_find(joint, "name"), bytes);
    const int m = name[0] != '\0' ? tml__robot_find_movement(r, name) : index;
    return m < r->movement_count ? m : -1;
}

// Give every movement the value it has in qpos.
static inline void oracle_place(robot* r, const json* root, const json* at)
{
    static double q[ORACLE_DOFS];
    json_numbers(tml__json_find(at, "qpos"), q, ORACLE_DOFS);
    int index = 0;
    const json* joints = tml__json_find(root, "joints");
    for (const json* j = joints->first; j != NULL; j = j->next, index++) {
        const int m = oracle_movement(r, j, index);
        const int adr = (int)tml__json_find(j, "qposadr")->number;
        if (m < 0) continue;
        movement* to = &r->movements[m];
        if (to->kind == MOVE_BALL) {
            to->place.q = (quat){q[adr], q[adr + 1], q[adr + 2], q[adr + 3]};
        } else if (to->kind == MOVE_FREE) {
            to->place.p = v3_load(&q[adr]);
            to->place.q = (quat){q[adr + 3], q[adr + 4], q[adr + 5], q[adr + 6]};
        } else {
            to->value = q[adr];
        }
    }
}

// Read the model, place it, build it.
static inline bool oracle_open(oracle_case* c, const char* file, const json* root, const json* at,
                               oracle_report* report)
{
    // the oracle knows the tree only: joints of the type that the file gives
    static const tml_load_options options = {.closures = "", .as_written = true};
    char* text = NULL;
    size_t length = 0;
    message why;
    *c = (oracle_case){.r = {.file = file}, .into = {.file = file}};
    c->r.lint = &c->lint;
    c->into.spec = tml_spec_create();
    c->into.settings = tml__run_settings_default();
    if (tml__file_read(file, XML_MAX_BYTES, &text, &length, &why) != TML_OK) {
        snprintf(report->message, sizeof report->message, "%.500s", why.text);
        return false;
    }
    tml__robot_read(&c->r, text, length, file, &options);
    tml__release(NULL, text);
    if (report->leaves_loops_out) c->r.closure_count = 0;
    if (c->r.status == TML_OK && at != NULL) oracle_place(&c->r, root, at);
    if (c->r.status == TML_OK) tml__robot_lower(&c->r, &c->into);
    const char* text_of_error = c->r.status != TML_OK ? c->r.why.text : c->into.why.text;
    bool is_good = c->r.status == TML_OK && c->into.status == TML_OK;
    if (is_good && tml_spec_build(c->into.spec, &c->model) != TML_OK) {
        text_of_error = tml_spec_message(c->into.spec);
        is_good = false;
    }
    if (!is_good) snprintf(report->message, sizeof report->message, "%.500s", text_of_error);
    if (is_good) tml__tree_create(c->model, NULL, NULL, &c->tree);
    report->bodies = is_good ? tml_model_body_count(c->model) : 0;
    report->joints = is_good ? tml_model_joint_count(c->model) : 0;
    report->lint[0] = '\0';
    for (int i = 0; i < c->lint.count; i++) {
        const size_t used = strlen(report->lint);
        snprintf(report->lint + used, sizeof report->lint - used, "%s%s", i > 0 ? "; " : "",
                 c->lint.entries[i].feature);
    }
    return is_good;
}

// ---- bodies

static inline void oracle_worst(double* worst, double difference, double scale)
{
    *worst = tml__larger(*worst, difference / scale);
}

static inline int oracle_link(const robot* r, const json* body, int index)
{
    char bytes[256];
    const char* name = oracle_name(tml__json_find(body, "name"), bytes);
    return name[0] != '\0' ? tml__robot_find_link(r, name) : index;
}

static inline void compare_bodies(const oracle_case* c, const json* root, const json* at,
                                  oracle_report* out)
{
    const json* place = tml__json_find(at, "xpos")->first;
    const json* turn = tml__json_find(at, "xquat_wxyz")->first;
    int index = 0;
    for (const json* b = tml__json_find(root, "bodies")->first; b != NULL;
         b = b->next, place = place->next, turn = turn->next, index++) {
        const int of = oracle_link(&c->r, b, index);
        if (of < 0) {
            out->mass = (double)NAN;
            continue;
        }
        const robot_link* l = &c->r.links[of];
        double x[4];
        const double mass = tml__json_find(b, "mass")->number;
        oracle_worst(&out->mass, l->own_mass - mass, mass > 0.0 ? mass : 1.0);
        json_numbers(tml__json_find(b, "ipos"), x, 3);
        if (mass > 0.0) oracle_worst(&out->mass, v3_max(v3_sub(l->own_com, v3_load(x))), 1.0);

        double d[3];
        json_numbers(tml__json_find(b, "inertia"), d, 3);
        json_numbers(tml__json_find(b, "iquat_wxyz"), x, 4);
        const mat3 R = q_matrix(q_normalize((quat){x[0], x[1], x[2], x[3]}));
        const mat3 J = m3_mul_bt(m3_mul(R, m3_diagonal(d[0], d[1], d[2])), R);
        const mat3 off = m3_sub(J, l->own_inertia);
        const mat3 principal = m3_mul(m3_transpose(R), m3_mul(l->own_inertia, R));
        for (int k = 0; k < 3; k++) {
            oracle_worst(&out->moments, principal.m[k][k] - d[k], d[0] > 0.0 ? d[0] : 1.0);
            oracle_worst(&out->products, principal.m[k][(k + 1) % 3], 1.0);
        }
        for (int k = 0; k < 9; k++) {
            oracle_worst(&out->inertia, off.m[k / 3][k % 3], d[0] > 0.0 ? d[0] : 1.0);
        }
        // where the built model has it
        const pose body = l->into >= 0 && l->body.index >= 0
                              ? tml_model_body(c->model, l->body)->pose
                              : pose_identity();
        if (l->into == LINK_GONE) continue;
        const pose world = pose_mul(body, l->offset);
        json_numbers(place, x, 3);
        const vec3 p = v3_load(x);
        oracle_worst(&out->pose, v3_max(v3_sub(world.p, p)), 1.0 + v3_max(p));
        json_numbers(turn, x, 4);
        const quat q = {x[0], x[1], x[2], x[3]};
        const quat dq = q_mul(q_conj(q), world.q);
        oracle_worst(&out->pose, v3_max(q_vec(dq)), 1.0);
    }
    out->compared += 3;
}

// ---- motions

static inline twist about(vec3 axis, vec3 point) { return (twist){axis, v3_cross(point, axis)}; }

static inline twist t_cross(twist a, twist b)
{
    return (twist){v3_cross(a.omega, b.omega),
                   v3_add(v3_cross(a.omega, b.v), v3_cross(a.v, b.omega))};
}

static inline twist t_axpy(twist a, double s, twist b)
{
    return (twist){v3_axpy(a.omega, s, b.omega), v3_axpy(a.v, s, b.v)};
}

// Which of the tree's coordinates a scalar movement is.
static inline twist tree_motion(const oracle_case* c, const movement* m)
{
    const joint_data* j = &c->model->joints[m->joint.index];
    const int body = j->follower;
    int index = c->tree.first[body];
    for (int k = 0; k < 3; k++) {
        if ((int)m->letter == k) return c->tree.motion[index];
        if (j->axis[k].is_free) index++;
    }
    for (int n = 0; n < j->turn_count; n++) {
        if ((int)m->letter == TML_AXIS_RX + j->turn[n]) return c->tree.motion[index + n];
    }
    const double none = (double)NAN;
    return (twist){{none, none, none}, {none, none, none}};
}

// The oracle counts the turning of balls and free bodies about axes of the body, and the sliding of
// free bodies along those of the world.
static inline bool list_motions(oracle_case* c, const json* root)
{
    c->S = calloc(ORACLE_DOFS, sizeof *c->S);
    c->body_of = calloc(ORACLE_DOFS, sizeof(int));
    c->group = calloc(ORACLE_DOFS, sizeof(int));
    int index = 0;
    for (const json* e = tml__json_find(root, "joints")->first; e != NULL; e = e->next, index++) {
        int at = oracle_movement(&c->r, e, index);
        if (at < 0) return false;
        while (c->r.movements[at].moved_to >= 0) at = c->r.movements[at].moved_to;
        const movement* m = &c->r.movements[at];
        const int dof = (int)tml__json_find(e, "dofadr")->number;
        const robot_link* l = &c->r.links[m->link];
        const int body = m->kind != MOVE_FREE && m->joint.index < 0 ? -1
                         : m->kind == MOVE_FREE                     ? l->body.index
                                                : c->model->joints[m->joint.index].follower;
        if (body < 0) return false;
        const mat3 R = q_matrix(l->world.q);
        const int slides = m->kind == MOVE_FREE ? 3 : 0;
        const int count = m->kind == MOVE_FREE ? 6 : m->kind == MOVE_BALL ? 3 : 1;
        const vec3 point = m->kind == MOVE_BALL ? pose_apply(l->world, m->point) : l->world.p;
        for (int k = 0; k < count; k++) {
            c->body_of[dof + k] = body;
            c->group[dof + k] = k < slides ? dof : dof + slides;
            if (count == 1)
                c->S[dof] = tree_motion(c, m);
            else
                c->S[dof + k] = k < slides ? (twist){{0, 0, 0}, v3_unit(k)}
                                           : about(m3_column(R, k - slides), point);
        }
        if (dof + count > c->dofs) c->dofs = dof + count;
    }
    return true;
}

// The dofs between a body and the root, nearest to the root first.
static inline int path_to(const oracle_case* c, int body, int* out)
{
    int chain[ORACLE_DOFS];
    int depth = 0;
    for (int b = body; b >= 0 && c->model->bodies[b].node >= 0; b = c->tree.parent[b]) {
        chain[depth++] = b;
    }
    int count = 0;
    while (depth-- > 0) {
        for (int k = 0; k < c->dofs; k++) {
            if (c->body_of[k] == chain[depth]) out[count++] = k;
        }
    }
    return count;
}

// Momentum of a body that moves by t: (moment about the world's origin, force).
static inline twist momentum(const body_data* b, twist t)
{
    const mat3 R = q_matrix(b->q);
    const mat3 J = m3_mul_bt(m3_mul(R, b->inertia), R);
    const vec3 v = v3_add(t.v, v3_cross(t.omega, b->c));
    const vec3 p = v3_scale(b->mass, v);
    return (twist){v3_add(m3_apply(J, t.omega), v3_cross(b->c, p)), p};
}

static inline double t_dot(twist a, twist b) { return v3_dot(a.omega, b.omega) + v3_dot(a.v, b.v); }

// The velocity of what moves by these dofs, and its acceleration while no rate changes.
static inline twist oracle_motion(const oracle_case* c, int count, const int* dofs,
                                  const double* rate, twist* V)
{
    twist A = {{0, 0, 0}, {0, 0, 0}};
    *V = A;
    for (int i = 0; i < count;) {
        twist own = {{0, 0, 0}, {0, 0, 0}};
        const int group = c->group[dofs[i]];
        for (; i < count && c->group[dofs[i]] == group; i++) {
            own = t_axpy(own, rate[dofs[i]], c->S[dofs[i]]);
        }
        A = t_axpy(A, 1.0, t_cross(*V, own));
        *V = t_axpy(*V, 1.0, own);
    }
    return A;
}

static inline twist oracle_acceleration(const oracle_case* c, int body, const double* rate)
{
    int dofs[ORACLE_DOFS];
    twist V;
    const int count = path_to(c, body, dofs);
    return oracle_motion(c, count, dofs, rate, &V);
}

// Adds to M and bias, and to `size` what the terms of each bias are in magnitude.
static inline void add_body(const oracle_case* c, int body, const double* rate, double* M,
                            double* bias, double* size)
{
    int dofs[ORACLE_DOFS];
    const int count = path_to(c, body, dofs);
    const body_data* b = &c->model->bodies[body];
    twist V;
    twist A = oracle_motion(c, count, dofs, rate, &V);
    A.v = v3_sub(A.v, c->model->all.gravity);
    const twist p = momentum(b, V);
    twist f = momentum(b, A);
    f.omega = v3_add(f.omega, v3_add(v3_cross(V.omega, p.omega), v3_cross(V.v, p.v)));
    f.v = v3_add(f.v, v3_cross(V.omega, p.v));
    for (int i = 0; i < count; i++) {
        const twist h = momentum(b, c->S[dofs[i]]);
        bias[dofs[i]] += t_dot(c->S[dofs[i]], f);
        size[dofs[i]] += v3_norm(c->S[dofs[i]].omega) * v3_norm(f.omega) +
                         v3_norm(c->S[dofs[i]].v) * v3_norm(f.v);
        for (int k = 0; k < count && M != NULL; k++) {
            M[dofs[i] * c->dofs + dofs[k]] += t_dot(c->S[dofs[k]], h);
        }
    }
}

static inline void compare_dynamics(oracle_case* c, const json* root, const json* at,
                                    oracle_report* out)
{
    if (!list_motions(c, root)) {
        out->matrix = out->bias = (double)NAN;
        return;
    }
    const int n = c->dofs;
    const json* expected = tml__json_find(at, "M");
    double* M = calloc((size_t)n * (size_t)n + 1, sizeof *M);
    double* bias = calloc((size_t)n + 1, sizeof *bias);
    double* size = calloc((size_t)n + 1, sizeof *size);
    double* list = calloc((size_t)n + 1, sizeof *list);
    json_numbers(tml__json_find(at, "qvel"), list, n);
    for (int b = 0; b < tml_model_body_count(c->model); b++) {
        add_body(c, b, list, expected != NULL ? M : NULL, bias, size);
    }
    double scale = 0.0;
    json_numbers(tml__json_find(at, "qfrc_bias"), list, n);
    // forces that balance leave a bias that is rounding alone: its terms are the measure
    for (int i = 0; i < n; i++) scale = tml__larger(scale, size[i]);
    for (int i = 0; i < n; i++)
        oracle_worst(&out->bias, bias[i] - list[i], scale > 0 ? scale : 1.0);

    double armature[ORACLE_DOFS];
    json_numbers(tml__json_find(root, "dof_armature"), armature, ORACLE_DOFS);
    scale = 0.0;
    for (int i = 0; i < n * n && expected != NULL; i++) scale = tml__larger(scale, M[i]);
    // the oracle has the armature in its 12 digits
    for (int i = 0; i < n; i++) scale = tml__larger(scale, M[i * n + i] + armature[i]);
    const json* row = expected != NULL ? expected->first : NULL;
    for (int i = 0; row != NULL && i < n; i++, row = row->next) {
        json_numbers(row, list, n);
        list[i] -= armature[i];
        for (int k = 0; k < n; k++) oracle_worst(&out->matrix, M[i * n + k] - list[k], scale);
    }
    out->compared += expected != NULL ? 2 : 1;
    free(M);
    free(bias);
    free(size);
    free(list);
}

// ---- equalities: how far each is open, by the joints of the built model

typedef struct equality {
    unsigned line;
    int closure, tie;  // one of them, the other -1
} equality;

// As the file has them, which is how MuJoCo counts their rows.
static inline int list_equalities(const oracle_case* c, equality* out, int most)
{
    int count = 0;
    for (int i = 0; i < c->r.closure_count && count < most; i++) {
        out[count++] = (equality){c->r.closures[i].at->line, i, -1};
    }
    for (int i = 0; i < c->r.tie_count && count < most; i++) {
        // springs on tendons are no equalities
        if (c->r.ties[i].compliance > 0.0) continue;
        out[count++] = (equality){c->r.ties[i].at->line, -1, i};
    }
    for (int i = 1; i < count; i++) {
        for (int k = i; k > 0 && out[k].line < out[k - 1].line; k--) {
            const equality swap = out[k];
            out[k] = out[k - 1];
            out[k - 1] = swap;
        }
    }
    return count;
}

static inline double tie_value(const oracle_case* c, const tie* t)
{
    double sum = t->offset;
    for (int i = 0; i < t->term_count; i++) {
        double power = 1.0;
        for (int k = 0; k < t->terms[i].degree; k++) {
            power *= c->r.movements[t->terms[i].movement].value;
            sum += t->terms[i].coefficient[k] * power;
        }
    }
    return sum;
}

// Loops stand behind the joints of the tree, in the order of the file.
static inline double connect_gap(const oracle_case* c, int loop)
{
    const int index = tml_model_joint_count(c->model) - c->r.closure_count + loop;
    const tml_joint_def def = tml_model_joint(c->model, (tml_joint){index});
    return v3_norm(v3_sub(def.position, def.follower_position));
}

// The vector part of the turn between the frames of a weld, times its torquescale.
static inline double weld_turn(const oracle_case* c, int loop)
{
    const int index = tml_model_joint_count(c->model) - c->r.closure_count + loop;
    const tml_joint_def def = tml_model_joint(c->model, (tml_joint){index});
    const char* scale = tml__xml_attribute(c->r.closures[loop].at, "torquescale");
    mat3 B;
    mat3 F;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            B.m[i][k] = v3_at(def.axes[k], i);
            F.m[i][k] = v3_at(def.follower_axes[k], i);
        }
    }
    const quat q = q_mul(q_conj(tml__q_from_matrix(B)), tml__q_from_matrix(F));
    return (scale != NULL ? strtod(scale, NULL) : 1.0) * v3_norm(q_vec(q));
}

static inline void compare_equalities(const oracle_case* c, const json* at, oracle_report* out)
{
    equality list[256];
    double rows[ORACLE_DOFS];
    const int count = list_equalities(c, list, 256);
    const json* residuals = tml__json_find(at, "eq_residual");
    if (residuals == NULL) return;
    const int row_count = json_numbers(residuals, rows, ORACLE_DOFS);
    int row = 0;
    for (int i = 0; i < count; i++) {
        const bool is_tie = list[i].tie >= 0;
        const bool is_weld = !is_tie && c->r.closures[list[i].closure].kind == TML_JOINT_FIXED;
        const int width = is_tie ? 1 : is_weld ? 6 : 3;
        if (row + width > row_count) {
            out->equality = (double)NAN;
            return;
        }
        if (is_tie) {
            oracle_worst(&out->equality, tie_value(c, &c->r.ties[list[i].tie]) - rows[row], 1.0);
        } else {
            oracle_worst(&out->equality,
                         connect_gap(c, list[i].closure) - v3_norm(v3_load(&rows[row])), 1.0);
        }
        if (is_weld) {
            const double turn = weld_turn(c, list[i].closure);
            oracle_worst(&out->equality, turn - v3_norm(v3_load(&rows[row + 3])), 1.0);
        }
        out->equalities++;
        row += width;
    }
    if (row != row_count) out->equality = (double)NAN;
}

// ---- one model

static inline oracle_report oracle_compare(const char* model, const char* oracle)
{
    oracle_report report = {.message = ""};
    char* text = NULL;
    size_t length = 0;
    message why;
    json_document document = {0};
    json_error error;
    if (oracle == NULL || tml__file_read(oracle, JSON_MAX_BYTES, &text, &length, &why) != TML_OK) {
        oracle_case c;
        oracle_open(&c, model, NULL, NULL, &report);
        oracle_close(&c);
        return report;
    }
    if (tml__json_read(text, length, &document, &error) == TML_OK) {
        static const char* const poses[] = {"at_q0", "at_q1"};
        for (int k = 0; k < 2; k++) {
            const json* at = tml__json_find(document.root, poses[k]);
            oracle_case c;
            if (oracle_open(&c, model, document.root, at, &report)) {
                compare_bodies(&c, document.root, at, &report);
                compare_dynamics(&c, document.root, at, &report);
                compare_equalities(&c, at, &report);
            }
            oracle_close(&c);
        }
    } else {
        snprintf(report.message, sizeof report.message, "the oracle is not JSON: %s", error.text);
    }
    tml__json_destroy(&document);
    return report;
}

#endif
