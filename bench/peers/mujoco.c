// bench/peers/mujoco.c - MuJoCo: joint coordinates, or free bodies held by soft equalities.
//
//     choice[0]   integrator of MuJoCo
//     choice[1]   1: free bodies, every joint a `connect` (a hinge is two), solref 2 steps
//     choice[2]   solver of MuJoCo
//
// The model is written as MJCF. Debian's tinyxml2 refuses XML nested deeper than 100 elements, so that
// long chains in joint coordinates do not load. Sizes are 32-bit: large models cannot be created.
#include "bench/peers/engines.h"
#include "math/quat.h"

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- errors: MuJoCo would end the program

static jmp_buf* landing;  // MuJoCo's own hook is one for the process
static char reason[PEER_WHY];

static void complain(const char* text)
{
    snprintf(reason, sizeof reason, "%s", text);
    if (landing != NULL) longjmp(*landing, 1);
    fprintf(stderr, "mujoco: %s\n", text);
    exit(1);
}

static void ignore(const char* text) { snprintf(reason, sizeof reason, "%s", text); }

typedef struct mujoco_run {
    mjModel* model;
    mjData* data;
    int body_count;
    int* id;         // MuJoCo's number of a body
    mjtNum* slopes;  // of PEER_TRANSITION
    char why[PEER_WHY];
} mujoco_run;

// ---- text

typedef struct writer {
    char* text;
    size_t length, room;
} writer;

static void put(writer* w, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer* w, const char* format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (w->length + (size_t)length + 1 > w->room) {
        w->room = 2 * w->room + 4096;
        char* more = realloc(w->text, w->room);
        if (more == NULL) abort();
        w->text = more;
    }
    memcpy(w->text + w->length, line, (size_t)length + 1);
    w->length += (size_t)length;
}

static void put_vec(writer* w, const char* name, vec3 a)
{
    put(w, " %s=\"%.17g %.17g %.17g\"", name, a.x, a.y, a.z);
}

static void put_quat(writer* w, quat q)
{
    put(w, " quat=\"%.17g %.17g %.17g %.17g\"", q.w, q.x, q.y, q.z);
}

// ---- parts

static void put_geom(writer* w, const tml_shape_def* s, double friction)
{
    if (!s->collide) return;
    put(w, "<geom");
    switch ((int)s->kind) {
    // a point is a ball of a micrometre
    case TML_SHAPE_SPHERE: put(w, " type=\"sphere\" size=\"%.17g\"", fmax(s->size.x, 1e-6)); break;
    case TML_SHAPE_CAPSULE:
        put(w, " type=\"capsule\" size=\"%.17g %.17g\"", s->size.x, 0.5 * s->size.z);
        break;
    case TML_SHAPE_CYLINDER:
        put(w, " type=\"cylinder\" size=\"%.17g %.17g\"", s->size.x, 0.5 * s->size.z);
        break;
    case TML_SHAPE_PLANE: put(w, " type=\"plane\" size=\"0 0 1\""); break;
    default:
        put(w, " type=\"box\"");
        put_vec(w, "size", v3_scale(0.5, s->size));
        break;
    }
    put_vec(w, "pos", s->pose.p);
    put_quat(w, s->pose.q);
    put(w, " friction=\"%.17g 0 0\" condim=\"3\"/>\n", friction);
}

static vec3 local_point(tml_pose at, vec3 p) { return q_rotate(q_conj(at.q), v3_sub(p, at.p)); }
static vec3 local_axis(tml_pose at, vec3 a) { return q_rotate(q_conj(at.q), a); }

static void put_joint(writer* w, const peer_scene* s, int i)
{
    const peer_body* b = &s->bodies[i];
    if (b->joint < 0) {
        put(w, "<freejoint/>\n");
        return;
    }
    const peer_joint* j = &s->joints[b->joint];
    if (j->kind == PEER_BALL) {
        put(w, "<joint type=\"ball\"");
        put_vec(w, "pos", local_point(b->pose, j->point));
        put(w, "/>\n");
    }
    for (int k = 0; k < j->slide_count; k++) {
        put(w, "<joint name=\"s%d_%d\" type=\"slide\"", i, k);
        put_vec(w, "axis", local_axis(b->pose, j->slide[k]));
        put(w, "/>\n");
    }
    for (int k = 0; k < j->axis_count; k++) {
        const int which = b->reversed ? j->axis_count - 1 - k : k;
        put(w, "<joint name=\"j%d_%d\" type=\"%s\"", i, k,
            j->kind == PEER_SLIDE ? "slide" : "hinge");
        put_vec(w, "pos", local_point(b->pose, j->point));
        put_vec(w, "axis", local_axis(b->pose, j->axis[which]));
        put(w, "/>\n");
    }
}

static void open_body(writer* w, const peer_scene* s, int i, int is_free)
{
    const peer_body* b = &s->bodies[i];
    tml_pose at = b->pose;
    if (!is_free && b->parent >= 0) {
        const tml_pose from = s->bodies[b->parent].pose;
        at.p = local_point(from, b->pose.p);
        at.q = q_mul(q_conj(from.q), b->pose.q);
    }
    put(w, "<body name=\"b%d\"", i);
    put_vec(w, "pos", at.p);
    put_quat(w, at.q);
    put(w, ">\n<inertial pos=\"0 0 0\" mass=\"%.17g\"", b->mass);
    put_vec(w, "diaginertia", b->inertia);
    put(w, "/>\n");
    if (is_free) {
        put(w, "<freejoint/>\n");
    } else {
        put_joint(w, s, i);
    }
    for (int k = 0; k < b->shape_count && s->has_contact; k++) {
        put_geom(w, &s->shapes[b->shape_first + k], s->friction);
    }
}

// Bodies nested along the tree. Children are those later in the order that name the body.
static void put_trees(writer* w, const peer_scene* s)
{
    const size_t room = (size_t)s->body_count + 1;
    int* first = malloc(room * sizeof *first);
    int* next = malloc(room * sizeof *next);
    int* stack = malloc(room * sizeof *stack);
    int depth = 0;
    if (first == NULL || next == NULL || stack == NULL) abort();
    for (int i = 0; i <= s->body_count; i++) first[i] = -1;
    for (int i = s->body_count - 1; i >= 0; i--) {
        const int parent = s->bodies[i].parent < 0 ? s->body_count : s->bodies[i].parent;
        next[i] = first[parent];
        first[parent] = i;
    }
    for (int root = first[s->body_count]; root >= 0; root = next[root]) {
        stack[depth++] = root;
        open_body(w, s, root, 0);
        while (depth > 0) {
            const int child = first[stack[depth - 1]];
            if (child >= 0) {
                first[stack[depth - 1]] = next[child];
                stack[depth++] = child;
                open_body(w, s, child, 0);
            } else {
                put(w, "</body>\n");
                depth--;
            }
        }
    }
    free(first);
    free(next);
    free(stack);
}

static void put_connect(writer* w, const peer_scene* s, const peer_joint* j, vec3 point)
{
    const int one = j->base < 0 ? j->follower : j->base;
    const int two = j->base < 0 ? j->base : j->follower;
    put(w, "<connect body1=\"b%d\"", one);
    if (two >= 0) put(w, " body2=\"b%d\"", two);
    put_vec(w, "anchor", local_point(s->bodies[one].pose, point));
    put(w, "/>\n");
}

static void put_equalities(writer* w, const peer_scene* s, int all)
{
    put(w, "<equality>\n");
    for (int j = 0; j < s->joint_count; j++) {
        const peer_joint* joint = &s->joints[j];
        if (!all && !joint->closes_loop) continue;
        put_connect(w, s, joint, joint->point);
        if (joint->kind == PEER_HINGE) {
            put_connect(w, s, joint, v3_axpy(joint->point, 0.5, joint->axis[0]));
        }
    }
    put(w, "</equality>\n<contact>\n");
    for (int j = 0; j < s->joint_count && s->has_contact; j++) {
        const peer_joint* joint = &s->joints[j];
        if (joint->base < 0 || joint->follower < 0) continue;
        put(w, "<exclude body1=\"b%d\" body2=\"b%d\"/>\n", joint->base, joint->follower);
    }
    put(w, "</contact>\n");
}

static void put_motors(writer* w, const peer_scene* s)
{
    put(w, "<actuator>\n");
    for (int i = 0; i < s->body_count; i++) {
        if (s->bodies[i].joint < 0) continue;
        const peer_joint* j = &s->joints[s->bodies[i].joint];
        for (int k = 0; k < j->slide_count; k++) put(w, "<motor joint=\"s%d_%d\"/>\n", i, k);
        for (int k = 0; k < j->axis_count; k++) put(w, "<motor joint=\"j%d_%d\"/>\n", i, k);
    }
    put(w, "</actuator>\n");
}

static void put_scene(writer* w, const peer_engine* self, const peer_scene* s, double step)
{
    static const char* const integrators[] = {"Euler", "RK4", "implicit"};
    static const char* const solvers[] = {"PGS", "CG", "Newton"};
    const int is_free = self->choice[1];
    // a square of the rows must stay below 2 GB: with more than 6 contacts a body 200 pairs do not load
    const int contacts = s->has_contact ? 6 * s->body_count + 100 : 10;
    const long rows = 6L * s->joint_count + (s->has_contact ? 4L * contacts : 0) + 100;

    put(w, "<mujoco>\n<compiler boundmass=\"0\" boundinertia=\"0\" angle=\"radian\"/>\n");
    put(w, "<size njmax=\"%ld\" nconmax=\"%d\"/>\n", rows, contacts);
    put(w,
        "<option timestep=\"%.17g\" integrator=\"%s\" solver=\"%s\" iterations=\"100\" "
        "tolerance=\"1e-10\"",
        step, integrators[self->choice[0]], solvers[self->choice[2]]);
    put_vec(w, "gravity", s->gravity);
    put(w, "/>\n<default><equality solref=\"%.17g 1\" solimp=\"0.9999 0.9999 0.001\"/></default>\n",
        2.0 * step);
    put(w, "<worldbody>\n");
    for (int k = 0; k < s->world_count && s->has_contact; k++) {
        put_geom(w, &s->shapes[s->world_first + k], s->friction);
    }
    if (is_free) {
        for (int i = 0; i < s->body_count; i++) {
            open_body(w, s, i, 1);
            put(w, "</body>\n");
        }
    } else {
        put_trees(w, s);
    }
    put(w, "</worldbody>\n");
    put_equalities(w, s, is_free);
    if (s->has_motors && !is_free) put_motors(w, s);
    put(w, "</mujoco>\n");
}

// ---- the interface

static void destroy(void* self)
{
    mujoco_run* r = self;
    if (r->data != NULL) mj_deleteData(r->data);
    if (r->model != NULL) mj_deleteModel(r->model);
    free(r->id);
    free(r->slopes);
    free(r);
}

// The text goes through MuJoCo's own file system in memory.
static mjModel* load(const char* text, size_t length, char* why)
{
    mjVFS* files = malloc(sizeof *files);
    mjModel* model = NULL;
    if (files == NULL) return NULL;
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "scene.xml", (int)length + 1) == 0) {
        const int at = mj_findFileVFS(files, "scene.xml");
        memcpy(files->filedata[at], text, length + 1);
        model = mj_loadXML("scene.xml", files, why, PEER_WHY);
    }
    mj_deleteVFS(files);
    free(files);
    return model;
}

static mujoco_run* build(const char* text, size_t length, const peer_scene* s, char* why)
{
    mujoco_run* volatile r = calloc(1, sizeof *r);
    jmp_buf here;
    if (r == NULL) return NULL;
    r->body_count = s->body_count;
    r->id = calloc((size_t)s->body_count + 1, sizeof(int));
    landing = &here;
    mju_user_error = complain;
    mju_user_warning = ignore;
    if (setjmp(here) == 0) {
        r->model = load(text, length, why);
        if (r->model != NULL) r->data = mj_makeData(r->model);
    } else {
        snprintf(why, PEER_WHY, "%s", reason);
    }
    landing = NULL;
    if (r->data == NULL || r->id == NULL) {
        for (char* c = why; *c != '\0'; c++) {
            if (*c == '\n') *c = ' ';
        }
        destroy(r);
        return NULL;
    }
    for (int i = 0; i < s->body_count; i++) {
        char name[24];
        snprintf(name, sizeof name, "b%d", i);
        r->id[i] = mj_name2id(r->model, mjOBJ_BODY, name);
    }
    return r;
}

static void* create(const peer_engine* self, const peer_scene* s, double step, char* why)
{
    writer w = {0};
    snprintf(why, PEER_WHY, "no memory");
    put_scene(&w, self, s, step);
    mujoco_run* r = build(w.text, w.length, s, why);
    free(w.text);
    return r;
}

static int step(void* self)
{
    mujoco_run* r = self;
    jmp_buf here;
    int went = 0;
    landing = &here;
    if (setjmp(here) == 0) {
        mj_step(r->model, r->data);
        went = 1;
    } else {
        snprintf(r->why, sizeof r->why, "%s", reason);
    }
    landing = NULL;
    return went;
}

static const char* why_of(const void* self) { return ((const mujoco_run*)self)->why; }

// mj_step leaves poses of the state before: place the bodies anew.
static void read(void* self, peer_state* states)
{
    mujoco_run* r = self;
    mj_kinematics(r->model, r->data);
    mj_comPos(r->model, r->data);
    mj_comVel(r->model, r->data);
    for (int i = 0; i < r->body_count; i++) {
        const mjtNum* p = &r->data->xpos[3 * r->id[i]];
        const mjtNum* q = &r->data->xquat[4 * r->id[i]];
        mjtNum v[6];
        mj_objectVelocity(r->model, r->data, mjOBJ_BODY, r->id[i], v, 0);
        states[i].pose = (tml_pose){{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
        states[i].velocity = (tml_velocity){{v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
    }
}

// MuJoCo has no articulated-body recursion: accelerations come from the factored mass matrix.
static int kernel(void* self, peer_kernel which)
{
    mujoco_run* r = self;
    mjModel* m = r->model;
    mjData* d = r->data;
    switch (which) {
    case PEER_INVERSE:
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 1, d->qfrc_inverse);
        return 1;
    case PEER_MASS: mj_crb(m, d); return 1;
    case PEER_FORWARD:
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        mj_crb(m, d);
        mj_factorM(m, d);
        mj_solveM(m, d, d->qacc, d->qfrc_bias, 1);
        return 1;
    case PEER_TRANSITION:
        if (r->slopes == NULL)
            r->slopes =
                malloc((4 * (size_t)m->nv + 2 * (size_t)m->nu) * (size_t)m->nv * sizeof(mjtNum));
        if (r->slopes == NULL) return 0;
        mjd_transitionFD(m, d, 1e-6, 1, r->slopes,
                         m->nu > 0 ? r->slopes + 4 * (size_t)m->nv * (size_t)m->nv : NULL, NULL,
                         NULL);
        snprintf(r->why, sizeof r->why, "%d freedoms, %d controls, %d contacts", m->nv, m->nu,
                 d->ncon);
        return 1;
    }
    return 0;
}

#define MUJOCO(title, integrator, is_free, solver)                                                 \
    {                                                                                              \
        title, "MuJoCo", create, step, read, why_of, kernel, destroy,                              \
            {integrator, is_free, solver, 0}, 0.0                                                  \
    }

const peer_engine peer_mujoco[] = {
    MUJOCO("mujoco euler", 0, 0, 2),
    MUJOCO("mujoco rk4", 1, 0, 2),
    MUJOCO("mujoco cg", 0, 0, 1),
    MUJOCO("mujoco connect newton", 0, 1, 2),
    {0},
};
