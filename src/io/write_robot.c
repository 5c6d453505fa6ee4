// io/write_robot.c - a scene as a tree with loops, for the writers of MJCF and URDF.
#include "io/write_robot.h"

#include "model/catalogue.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tml__tree_refuse(robot_writer* t, const char* format, ...)
{
    if (t->w.status != TML_OK) return;
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    t->w.status = tml__fail(&t->w.why, TML_UNSUPPORTED, "%s", what);
}

void tml__tree_lint(robot_writer* t, const char* feature, const char* what)
{
    if (!tml__lint_add(t->lint, feature, what, t->file, 1, "") && t->w.status == TML_OK) {
        t->w.status = tml__fail(&t->w.why, TML_NO_MEMORY, "out of memory");
    }
}

// ---- joints as chains

// The angles of M = R_i(a) R_j(b) R_k(c), with only as many turns as the joint has. The letters that
// it lacks follow in the order of x, y, z; e is +1 where the three are an even permutation.
static void read_angles(mat3 M, const char* turns, double angle[3])
{
    int letter[3] = {-1, -1, -1};
    int count = 0;
    for (; turns[count] != '\0'; count++) letter[count] = turns[count] - 'x';
    for (int k = 0, n = count; k < 3; k++) {
        if (strchr(turns, "xyz"[k]) == NULL && n < 3) letter[n++] = k;
    }
    const int i = letter[0];
    const int j = letter[1];
    const int k = letter[2];
    const double e = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
    angle[0] = angle[1] = angle[2] = 0.0;
    if (count == 1) {
        angle[0] = tml__atan2(e * M.m[k][j], M.m[j][j]);
    } else if (count == 2) {
        angle[0] = tml__atan2(e * M.m[k][j], M.m[j][j]);
        angle[1] = tml__atan2(e * M.m[i][k], M.m[i][i]);
    } else if (count == 3) {
        angle[0] = tml__atan2(-e * M.m[j][k], M.m[k][k]);
        angle[1] = tml__asin(e * M.m[i][k]);
        angle[2] = tml__atan2(-e * M.m[i][j], M.m[i][i]);
    }
}

static pose body_pose(const robot_writer* t, int body)
{
    return body < 0 ? pose_identity() : t->all->bodies[body].pose;
}

static void make_chain(robot_writer* t, int index)
{
    const tml_joint_def* def = &t->joints[index];
    const joint_freedom freedom = tml__joint_freedom(def);
    joint_chain* c = &t->chains[index];
    vec3 a[3];
    vec3 b[3];
    message why;
    tml__joint_axes(def, 0, a, &why);
    tml__joint_axes(def, 1, b, &why);
    const pose base = {def->position, tml__q_from_matrix(m3_columns(a[0], a[1], a[2]))};
    const pose follower = {def->has_follower_frame ? def->follower_position : def->position,
                           tml__q_from_matrix(m3_columns(b[0], b[1], b[2]))};
    c->base = pose_mul(pose_inverse(body_pose(t, def->base.index)), base);
    c->follower = pose_mul(pose_inverse(body_pose(t, def->follower.index)), follower);

    const vec3 d = q_rotate(q_conj(base.q), v3_sub(follower.p, base.p));
    double angle[3];
    read_angles(q_matrix(q_mul(q_conj(base.q), follower.q)), freedom.turns, angle);
    for (int k = 0; k < 3; k++) {
        if (strchr(freedom.slides, "xyz"[k]) == NULL) continue;
        c->axis[c->count] = (tml_axis)k;
        c->value[c->count++] = v3_at(d, k);
    }
    for (int n = 0; freedom.turns[n] != '\0'; n++) {
        c->axis[c->count] = (tml_axis)(TML_AXIS_RX + freedom.turns[n] - 'x');
        c->value[c->count++] = angle[n];
    }
}

// ---- the tree

static bool is_held(const robot_writer* t, int body, const bool* is_placed)
{
    return body < 0 || t->all->bodies[body].is_fixed || is_placed[body];
}

// Hang whatever can be on what is placed, until nothing more can.
static void hang(robot_writer* t, bool* is_placed)
{
    bool has_grown = true;
    while (has_grown) {
        has_grown = false;
        for (int j = 0; j < t->all->joint_count; j++) {
            const int follower = t->joints[j].follower.index;
            const int base = t->joints[j].base.index;
            if (t->chains[j].is_tree || !is_held(t, base, is_placed)) continue;
            if (is_held(t, follower, is_placed)) continue;
            t->chains[j].is_tree = true;
            t->parent_joint[follower] = j;
            is_placed[follower] = true;
            has_grown = true;
        }
    }
}

static void find_parents(robot_writer* t, bool* is_placed)
{
    const int count = t->all->body_count;
    // bodies that some joint wants to hang come last; the list of children is not in use yet
    int* is_follower = t->first_child;
    for (int j = 0; j < t->all->joint_count; j++) {
        const int follower = t->joints[j].follower.index;
        if (follower >= 0) is_follower[follower] = 1;
    }
    for (int b = 0; b < count; b++) t->parent_joint[b] = t->all->bodies[b].is_fixed ? -2 : -1;
    hang(t, is_placed);
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < count; b++) {
            if (is_held(t, b, is_placed) || (pass == 0 && is_follower[b])) continue;
            is_placed[b] = true;
            hang(t, is_placed);
        }
    }
}

static void list_children(robot_writer* t)
{
    const int count = t->all->body_count;
    for (int b = 0; b <= count; b++) t->first_child[b] = -1;
    for (int b = count - 1; b >= 0; b--) {
        const int joint = t->parent_joint[b];
        const int base = joint >= 0 ? t->joints[joint].base.index : -1;
        int* head = &t->first_child[base >= 0 ? base : count];
        t->next_child[b] = *head;
        *head = b;
    }
}

bool tml__tree_begin(robot_writer* t, tml_scene* scene, const char* file)
{
    *t = (robot_writer){
        .all = &scene->spec->all, .settings = &scene->settings, .lint = &scene->lint, .file = file};
    const size_t bodies = (size_t)t->all->body_count + 1;
    t->chains = tml__pool_take(&t->memory, (size_t)t->all->joint_count + 1, sizeof *t->chains);
    t->parent_joint = tml__pool_take(&t->memory, bodies, sizeof(int));
    t->first_child = tml__pool_take(&t->memory, bodies, sizeof(int));
    t->next_child = tml__pool_take(&t->memory, bodies, sizeof(int));
    bool* is_placed = tml__pool_take(&t->memory, bodies, sizeof(bool));
    t->joints = tml__pool_take(&t->memory, (size_t)t->all->joint_count + 1, sizeof *t->joints);
    if (!tml__tree_mesh_room(t) || !t->joints || !t->chains || !t->parent_joint ||
        !t->first_child || !t->next_child || !is_placed) {
        t->w.status = tml__fail(&t->w.why, TML_NO_MEMORY, "out of memory");
        return false;
    }
    for (int j = 0; j < t->all->joint_count; j++) {
        t->joints[j] = tml__joint_expand(&t->all->joints[j]);
        make_chain(t, j);
    }
    find_parents(t, is_placed);
    list_children(t);
    tml__tree_check(t);
    return t->w.status == TML_OK;
}

void tml__tree_end(robot_writer* t)
{
    free(t->positions.data);
    free(t->rates.data);
    free(t->controls.data);
    tml__pool_destroy(&t->memory);
}

// ---- balls

// A spherical joint with nothing on its axes is a ball, which knows no bad angles.
static bool is_plain_ball(const tml_joint_def* def)
{
    if (def->kind != TML_JOINT_SPHERICAL) return false;
    for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
        const tml_joint_axis* a = &def->axis_of[k];
        if (a->actuation != TML_PASSIVE || a->has_servo || a->has_limits || a->stiffness > 0.0 ||
            a->damping > 0.0) {
            return false;
        }
    }
    return true;
}

static bool is_coupled(const robot_writer* t, int joint)
{
    for (int i = 0; i < t->all->coupling_count; i++) {
        for (int k = 0; k < t->all->couplings[i].term_count; k++) {
            if (t->all->couplings[i].terms[k].joint.index == joint) return true;
        }
    }
    return false;
}

bool tml__tree_is_ball(const robot_writer* t, int joint)
{
    return is_plain_ball(&t->joints[joint]) && !is_coupled(t, joint);
}

// ---- what cannot be said

double tml__tree_constant(robot_writer* t, const tml_control* c, const char* what)
{
    if (c->kind == TML_CONTROL_NONE) return 0.0;
    if (c->kind != TML_CONTROL_CONSTANT) {
        tml__tree_refuse(t, "%s changes with time, which the format cannot say", what);
    }
    return c->value;
}

void tml__tree_check(robot_writer* t)
{
    const definitions* all = t->all;
    for (int j = 0; j < all->joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (t->joints[j].axis_of[k].compliance > 0.0) {
                tml__tree_refuse(t, "joint '%.120s' has a compliance, which the format cannot say",
                                 t->joints[j].name);
            }
        }
    }
    if (all->wrench_count > 0) {
        tml__tree_refuse(t, "wrench '%.120s' is a force that the format cannot say",
                         all->wrenches[0].name);
    }
    if (all->deformable_count > 0) {
        tml__tree_refuse(t, "deformables are more than the format can say");
    }
    if (all->rayleigh_mass > 0.0 || all->rayleigh_stiffness > 0.0) {
        tml__tree_refuse(t, "rayleigh damping is a force that the format cannot say");
    }
    if (all->nonholonomic_count > 0) {
        tml__tree_refuse(t, "nonholonomic '%.120s' ties velocities, which the format cannot say",
                         all->nonholonomics[0].name);
    }
    if (all->drag_count > 0) {
        tml__tree_refuse(t, "drag '%.120s' is a force that the format cannot say",
                         all->drags[0].name);
    }
}

// ---- pieces of XML

const char* tml__tree_body_name(const robot_writer* t, int body)
{
    return body < 0 ? "world" : t->all->bodies[body].name;
}

void tml__xml_text(writer* w, const char* text)
{
    for (const char* p = text; *p != '\0'; p++) {
        const char one[2] = {*p, '\0'};
        const unsigned char c = (unsigned char)*p;
        if (*p == '&')
            tml__put(w, "&amp;");
        else if (*p == '<')
            tml__put(w, "&lt;");
        else if (*p == '"')
            tml__put(w, "&quot;");
        else if (c < ' ')
            tml__put(w, "?");  // XML has no way to write it
        else
            tml__put(w, one);
    }
}

void tml__xml_attribute_text(writer* w, const char* name, const char* text)
{
    tml__put(w, " ");
    tml__put(w, name);
    tml__put(w, "=\"");
    tml__xml_text(w, text);
    tml__put(w, "\"");
}

void tml__xml_attribute_numbers(writer* w, const char* name, const double* x, int count)
{
    tml__put(w, " ");
    tml__put(w, name);
    tml__put(w, "=\"");
    for (int i = 0; i < count; i++) {
        if (i > 0) tml__put(w, " ");
        tml__put_number(w, x[i]);
    }
    tml__put(w, "\"");
}

void tml__xml_attribute_number(writer* w, const char* name, double x)
{
    tml__xml_attribute_numbers(w, name, &x, 1);
}

void tml__xml_attribute_vector(writer* w, const char* name, vec3 a)
{
    tml__xml_attribute_numbers(w, name, (const double[]){a.x, a.y, a.z}, 3);
}

void tml__xml_coordinate_name(robot_writer* t, writer* w, int joint, int index)
{
    const char* name = t->joints[joint].name;
    const joint_chain* c = &t->chains[joint];
    int parts = 1;
    for (const char* p = name; *p != '\0'; p++) parts += *p == '+';
    if (c->count == 1 || parts != c->count) {
        tml__xml_text(w, name);
        if (c->count > 1) {
            tml__put(w, ".");
            tml__put(w, tml_axis_name(c->axis[index]));
        }
        return;
    }
    while (index-- > 0) name = strchr(name, '+') + 1;
    char part[256];
    snprintf(part, sizeof part, "%.*s", (int)strcspn(name, "+"), name);
    tml__xml_text(w, part);
}

// ---- into a text

typedef void (*robot_format)(robot_writer* t);

static robot_format format_of(const char* path)
{
    const char* dot = strrchr(path, '.');
    if (dot == NULL || strchr(dot, '/') != NULL) return NULL;
    if (strcmp(dot, ".xml") == 0 || strcmp(dot, ".mjcf") == 0) return tml__write_mjcf;
    if (strcmp(dot, ".urdf") == 0) return tml__write_urdf;
    return NULL;
}

bool tml__is_robot_path(const char* path) { return format_of(path) != NULL; }

tml_status tml__write_robot(tml_scene* scene, const char* path, char** text, size_t* length)
{
    robot_writer t;
    if (scene->spec->status != TML_OK) {
        return tml__fail(&scene->why, scene->spec->status, "%s", scene->spec->why.text);
    }
    if (tml__tree_begin(&t, scene, path)) format_of(path)(&t);
    if (t.w.status == TML_OK) tml__tree_write_meshes(&t);
    const tml_status status = t.w.status;
    if (status == TML_OK) {
        *text = t.w.data;
        *length = t.w.length;
    } else {
        tml__fail(&scene->why, status, "%.200s: %.600s", path, t.w.why.text);
        free(t.w.data);
    }
    tml__tree_end(&t);
    return status;
}
