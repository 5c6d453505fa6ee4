// bench/peers/ode.c - ODE, in double precision: bodies with constraints between them.
//
//     choice[0]   iterations of the quick step; 20 is ODE's default; 0: the direct step
//
// ERP is ODE's default, CFM is 1e-10, or 1e-6 where bodies touch, as a user would set it for stiff joints.
#include "bench/peers/engines.h"

#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CONTACTS = 8,       // of a pair
    DIRECT_MOST = 1000  // the direct step is cubic: two seconds a step at a thousand bodies
};

typedef struct ode_run {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID* bodies;
    int body_count;
    int iterations;
    double step;
    double friction;
} ode_run;

static void destroy(void* self)
{
    ode_run* r = self;
    dJointGroupDestroy(r->contacts);
    dSpaceDestroy(r->space);
    dWorldDestroy(r->world);
    free(r->bodies);
    free(r);
    dCloseODE();
}

// ---- building

static dGeomID geom_of(dSpaceID space, const tml_shape_def* s)
{
    switch ((int)s->kind) {
    case TML_SHAPE_SPHERE: return dCreateSphere(space, s->size.x);
    case TML_SHAPE_CAPSULE: return dCreateCapsule(space, s->size.x, s->size.z);
    case TML_SHAPE_BOX: return dCreateBox(space, s->size.x, s->size.y, s->size.z);
    case TML_SHAPE_CYLINDER: return dCreateCylinder(space, s->size.x, s->size.z);
    case TML_SHAPE_PLANE: return dCreatePlane(space, 0.0, 0.0, 1.0, s->pose.p.z);
    default: return NULL;
    }
}

static void add_geom(ode_run* r, const tml_shape_def* s, dBodyID body)
{
    const dQuaternion q = {s->pose.q.w, s->pose.q.x, s->pose.q.y, s->pose.q.z};
    dGeomID g = s->collide ? geom_of(r->space, s) : NULL;
    if (g == NULL || s->kind == TML_SHAPE_PLANE) return;
    if (body == NULL) {
        dGeomSetPosition(g, s->pose.p.x, s->pose.p.y, s->pose.p.z);
        dGeomSetQuaternion(g, q);
        return;
    }
    dGeomSetBody(g, body);
    dGeomSetOffsetPosition(g, s->pose.p.x, s->pose.p.y, s->pose.p.z);
    dGeomSetOffsetQuaternion(g, q);
}

static void add_body(ode_run* r, const peer_scene* s, int i)
{
    const peer_body* b = &s->bodies[i];
    const dQuaternion q = {b->pose.q.w, b->pose.q.x, b->pose.q.y, b->pose.q.z};
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0.0, 0.0, 0.0, b->inertia.x, b->inertia.y, b->inertia.z, 0.0,
                       0.0, 0.0);
    r->bodies[i] = dBodyCreate(r->world);
    dBodySetMass(r->bodies[i], &mass);
    dBodySetPosition(r->bodies[i], b->pose.p.x, b->pose.p.y, b->pose.p.z);
    dBodySetQuaternion(r->bodies[i], q);
    for (int k = 0; k < b->shape_count && s->has_contact; k++) {
        add_geom(r, &s->shapes[b->shape_first + k], r->bodies[i]);
    }
}

static void add_joint(ode_run* r, const peer_joint* j)
{
    const tml_vec3 p = j->point;
    const tml_vec3* a = j->axis;
    dBodyID base = j->base < 0 ? NULL : r->bodies[j->base];
    dBodyID follower = j->follower < 0 ? NULL : r->bodies[j->follower];
    dJointID to = NULL;

    if (j->kind == PEER_BALL) {
        to = dJointCreateBall(r->world, NULL);
        dJointAttach(to, base, follower);
        dJointSetBallAnchor(to, p.x, p.y, p.z);
    } else if (j->kind == PEER_HINGE && j->axis_count == 1) {
        to = dJointCreateHinge(r->world, NULL);
        dJointAttach(to, base, follower);
        dJointSetHingeAnchor(to, p.x, p.y, p.z);
        dJointSetHingeAxis(to, a->x, a->y, a->z);
    } else if (j->kind == PEER_HINGE) {
        to = dJointCreateUniversal(r->world, NULL);
        dJointAttach(to, base, follower);
        dJointSetUniversalAnchor(to, p.x, p.y, p.z);
        dJointSetUniversalAxis1(to, a[0].x, a[0].y, a[0].z);
        dJointSetUniversalAxis2(to, a[1].x, a[1].y, a[1].z);
    } else if (j->kind == PEER_SLIDE) {
        to = dJointCreateSlider(r->world, NULL);
        dJointAttach(to, base, follower);
        dJointSetSliderAxis(to, a->x, a->y, a->z);
    } else {
        to = dJointCreateFixed(r->world, NULL);
        dJointAttach(to, base, follower);
        dJointSetFixed(to);
    }
}

static void* create(const peer_engine* self, const peer_scene* s, double step, char* why)
{
    if (self->choice[0] == 0 && s->body_count > DIRECT_MOST) {
        snprintf(why, PEER_WHY, "cubic: not run beyond %d bodies", DIRECT_MOST);
        return NULL;
    }
    ode_run* r = calloc(1, sizeof *r);
    dBodyID* bodies = calloc((size_t)s->body_count + 1, sizeof *bodies);
    if (r == NULL || bodies == NULL) {
        free(r);
        free(bodies);
        snprintf(why, PEER_WHY, "no memory");
        return NULL;
    }
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    *r = (ode_run){.world = dWorldCreate(),
                   .space = dHashSpaceCreate(NULL),
                   .contacts = dJointGroupCreate(0),
                   .bodies = bodies,
                   .body_count = s->body_count,
                   .iterations = self->choice[0],
                   .step = step,
                   .friction = s->friction};
    dWorldSetGravity(r->world, s->gravity.x, s->gravity.y, s->gravity.z);
    dWorldSetCFM(r->world, s->has_contact ? 1e-6 : 1e-10);
    if (r->iterations > 0) dWorldSetQuickStepNumIterations(r->world, r->iterations);
    for (int i = 0; i < s->body_count; i++) add_body(r, s, i);
    for (int k = 0; k < s->world_count && s->has_contact; k++) {
        add_geom(r, &s->shapes[s->world_first + k], NULL);
    }
    for (int j = 0; j < s->joint_count; j++) add_joint(r, &s->joints[j]);
    return r;
}

// ---- stepping

static void touch(void* self, dGeomID a, dGeomID b)
{
    ode_run* r = self;
    dBodyID body_a = dGeomGetBody(a);
    dBodyID body_b = dGeomGetBody(b);
    dContactGeom found[CONTACTS];
    if (body_a == body_b) return;
    if (body_a != NULL && body_b != NULL && dAreConnected(body_a, body_b)) return;
    const int count = dCollide(a, b, CONTACTS, found, sizeof *found);
    for (int k = 0; k < count; k++) {
        dContact c = {.geom = found[k]};
        c.surface.mode = dContactApprox1;
        c.surface.mu = r->friction;
        dJointAttach(dJointCreateContact(r->world, r->contacts, &c), body_a, body_b);
    }
}

static int step(void* self)
{
    ode_run* r = self;
    dSpaceCollide(r->space, r, touch);
    const int went =
        r->iterations > 0 ? dWorldQuickStep(r->world, r->step) : dWorldStep(r->world, r->step);
    dJointGroupEmpty(r->contacts);
    return went;
}

static tml_vec3 vec(const dReal* a) { return (tml_vec3){a[0], a[1], a[2]}; }

static void read(void* self, peer_state* states)
{
    const ode_run* r = self;
    for (int i = 0; i < r->body_count; i++) {
        const dReal* q = dBodyGetQuaternion(r->bodies[i]);
        states[i].pose.p = vec(dBodyGetPosition(r->bodies[i]));
        states[i].pose.q = (tml_quat){q[0], q[1], q[2], q[3]};
        states[i].velocity.linear = vec(dBodyGetLinearVel(r->bodies[i]));
        states[i].velocity.angular = vec(dBodyGetAngularVel(r->bodies[i]));
    }
}

#define ODE(title, iterations)                                                                     \
    {                                                                                              \
        title, "ODE", create, step, read, NULL, NULL, destroy, {iterations, 0, 0, 0}, 0.0          \
    }

const peer_engine peer_ode[] = {
    ODE("ode quick 20", 20),
    ODE("ode direct", 0),
    {0},
};
