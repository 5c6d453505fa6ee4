// bench/peers/bullet.cpp - Bullet, in double precision: bodies with constraints between them (sequential
// impulses), and btMultiBody, its articulated bodies in joint coordinates.
//
//     choice[0]   1: btMultiBody
//     choice[1]   iterations of the constraint solver; 10 is Bullet's default
//     choice[2]   1: the RK4 flag of btMultiBody
#include "bench/peers/engines.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

btVector3 vec(tml_vec3 a) { return {a.x, a.y, a.z}; }
btQuaternion quat(tml_quat a) { return {a.x, a.y, a.z, a.w}; }
btTransform transform(tml_pose a) { return btTransform(quat(a.q), vec(a.p)); }
tml_vec3 vec(const btVector3& a) { return {a.x(), a.y(), a.z()}; }
tml_quat quat(const btQuaternion& a) { return {a.w(), a.x(), a.y(), a.z()}; }

// Where a body of the description lives in the articulated ones; link -1 is the base.
struct place {
    btMultiBody* body;
    int link;
};

struct bullet_run {
    double step = 0.0;
    int body_count = 0;
    bool is_articulated = false;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;  // of the description first, then the world's
    std::vector<std::unique_ptr<btTypedConstraint>> constraints;
    std::vector<std::unique_ptr<btMultiBody>> trees;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> loops;
    std::vector<place> places;
    btRigidBody* anchor = nullptr;  // what joints to the world hold on to

    ~bullet_run()
    {
        for (auto& c : constraints) world.removeConstraint(c.get());
        for (auto& c : loops) world.removeMultiBodyConstraint(c.get());
        for (auto& c : colliders) world.removeCollisionObject(c.get());
        for (auto& t : trees) world.removeMultiBody(t.get());
        for (auto& b : bodies) world.removeRigidBody(b.get());
    }
};

// ---- shapes

btCollisionShape* keep(bullet_run& r, btCollisionShape* shape)
{
    r.shapes.emplace_back(shape);
    return shape;
}

btCollisionShape* shape_of(bullet_run& r, const tml_shape_def& s)
{
    switch (s.kind) {
    case TML_SHAPE_SPHERE: return keep(r, new btSphereShape(s.size.x));
    case TML_SHAPE_CAPSULE: return keep(r, new btCapsuleShapeZ(s.size.x, s.size.z));
    case TML_SHAPE_BOX: return keep(r, new btBoxShape(0.5 * vec(s.size)));
    case TML_SHAPE_CYLINDER:
        return keep(r, new btCylinderShapeZ(btVector3(s.size.x, s.size.x, 0.5 * s.size.z)));
    case TML_SHAPE_PLANE: return keep(r, new btStaticPlaneShape(btVector3(0, 0, 1), 0));
    default: return nullptr;
    }
}

// All shapes of a body; a small ball where there are none, which touches nothing.
btCollisionShape* shapes_of(bullet_run& r, const peer_scene* s, const peer_body& b)
{
    if (!s->has_contact || b.shape_count == 0) return keep(r, new btSphereShape(0.01));
    auto* all = new btCompoundShape();
    keep(r, all);
    for (int k = 0; k < b.shape_count; k++) {
        const tml_shape_def& def = s->shapes[b.shape_first + k];
        btCollisionShape* one = def.collide ? shape_of(r, def) : nullptr;
        if (one != nullptr) all->addChildShape(transform(def.pose), one);
    }
    return all;
}

btRigidBody* add_rigid(bullet_run& r, const peer_scene* s, double mass, const btVector3& inertia,
                       btCollisionShape* shape, const btTransform& at)
{
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    info.m_friction = std::sqrt(s->friction);  // Bullet multiplies those of the two bodies
    r.bodies.emplace_back(new btRigidBody(info));
    btRigidBody* b = r.bodies.back().get();
    b->setActivationState(DISABLE_DEACTIVATION);
    return b;
}

void add_world(bullet_run& r, const peer_scene* s)
{
    r.anchor = add_rigid(r, s, 0.0, {0, 0, 0}, keep(r, new btSphereShape(0.01)),
                         btTransform::getIdentity());
    r.world.addRigidBody(r.anchor, 0, 0);
    for (int k = 0; k < s->world_count && s->has_contact; k++) {
        const tml_shape_def& def = s->shapes[s->world_first + k];
        btCollisionShape* shape = def.collide ? shape_of(r, def) : nullptr;
        if (shape == nullptr) continue;
        r.world.addRigidBody(add_rigid(r, s, 0.0, {0, 0, 0}, shape, transform(def.pose)),
                             btBroadphaseProxy::StaticFilter,
                             btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
    }
}

// ---- bodies with constraints

btTransform frame(const btTransform& body, tml_vec3 point, tml_vec3 axis)
{
    const btVector3 x = vec(axis).normalized();
    const btVector3 e = std::fabs(x.x()) < 0.7 ? btVector3(1, 0, 0) : btVector3(0, 1, 0);
    const btVector3 y = e.cross(x).normalized();
    const btVector3 z = x.cross(y);
    const btMatrix3x3 R(x.x(), y.x(), z.x(), x.y(), y.y(), z.y(), x.z(), y.z(), z.z());
    return body.inverse() * btTransform(R, vec(point));
}

btTypedConstraint* constraint_of(btRigidBody& a, btRigidBody& b, const peer_joint& j)
{
    const btTransform at = a.getWorldTransform().inverse();
    const btTransform bt = b.getWorldTransform().inverse();
    const btVector3 p = vec(j.point);
    if (j.kind == PEER_BALL) return new btPoint2PointConstraint(a, b, at * p, bt * p);
    if (j.kind == PEER_HINGE && j.axis_count == 1) {
        const btVector3 x = vec(j.axis[0]);
        return new btHingeConstraint(a, b, at * p, bt * p, at.getBasis() * x, bt.getBasis() * x);
    }
    if (j.kind == PEER_HINGE) {
        return new btUniversalConstraint(a, b, p, vec(j.axis[0]), vec(j.axis[1]));
    }
    const btTransform fa =
        frame(a.getWorldTransform(), j.point, j.axis_count ? j.axis[0] : tml_vec3{1, 0, 0});
    const btTransform fb =
        frame(b.getWorldTransform(), j.point, j.axis_count ? j.axis[0] : tml_vec3{1, 0, 0});
    if (j.kind == PEER_WELD) return new btFixedConstraint(a, b, fa, fb);
    auto* slide = new btSliderConstraint(a, b, fa, fb, true);
    slide->setLowerLinLimit(1.0);  // lower above upper: free
    slide->setUpperLinLimit(-1.0);
    slide->setLowerAngLimit(0.0);
    slide->setUpperAngLimit(0.0);
    return slide;
}

void build_rigid(bullet_run& r, const peer_scene* s)
{
    for (int i = 0; i < s->body_count; i++) {
        const peer_body& b = s->bodies[i];
        btRigidBody* body =
            add_rigid(r, s, b.mass, vec(b.inertia), shapes_of(r, s, b), transform(b.pose));
        if (s->has_contact) {
            r.world.addRigidBody(body);
        } else {
            r.world.addRigidBody(body, 0, 0);
        }
    }
    add_world(r, s);
    for (int j = 0; j < s->joint_count; j++) {
        const peer_joint& joint = s->joints[j];
        btRigidBody* a = joint.base < 0 ? r.anchor : r.bodies[joint.base].get();
        btRigidBody* b = joint.follower < 0 ? r.anchor : r.bodies[joint.follower].get();
        r.constraints.emplace_back(constraint_of(*a, *b, joint));
        r.world.addConstraint(r.constraints.back().get(), true);
    }
}

// ---- btMultiBody

// Which tree each body belongs to, and how many links that tree has.
struct forest {
    std::vector<int> root;   // per body
    std::vector<int> links;  // per root
};

// Links of a joint with two axes: one between, almost without mass.
int links_of(const peer_scene* s, int body)
{
    const int j = s->bodies[body].joint;
    return j >= 0 && s->joints[j].axis_count == 2 ? 2 : 1;
}

forest plant(const peer_scene* s)
{
    forest f{std::vector<int>(s->body_count), std::vector<int>(s->body_count, 0)};
    for (int k = 0; k < s->body_count; k++) {
        const int i = s->order[k];
        const peer_body& b = s->bodies[i];
        f.root[i] = b.parent < 0 ? i : f.root[b.parent];
        if (b.joint >= 0) f.links[f.root[i]] += links_of(s, i);
    }
    return f;
}

// Where the parent of a link stands and which link it is.
struct parent_of {
    btTransform at;
    int link;
};

void add_link(btMultiBody* tree, int link, const parent_of& parent, const peer_joint& j, int axis,
              double mass, const btVector3& inertia, const btTransform& at)
{
    const btQuaternion turn = at.getRotation().inverse() * parent.at.getRotation();
    const btVector3 to_pivot = parent.at.inverse() * vec(j.point);
    const btVector3 to_com = at.inverse().getBasis() * (at.getOrigin() - vec(j.point));
    const btVector3 along = at.inverse().getBasis() * vec(j.axis[axis]);
    switch (j.kind) {
    case PEER_BALL:
        tree->setupSpherical(link, mass, inertia, parent.link, turn, to_pivot, to_com, true);
        break;
    case PEER_HINGE:
        tree->setupRevolute(link, mass, inertia, parent.link, turn, along, to_pivot, to_com, true);
        break;
    case PEER_SLIDE:
        tree->setupPrismatic(link, mass, inertia, parent.link, turn, along, to_pivot, to_com, true);
        break;
    case PEER_MIXED:  // never given to it
    case PEER_WELD:
        tree->setupFixed(link, mass, inertia, parent.link, turn, to_pivot, to_com);
        break;
    }
}

void add_collider(bullet_run& r, const peer_scene* s, int body)
{
    const place at = r.places[body];
    auto* c = new btMultiBodyLinkCollider(at.body, at.link);
    r.colliders.emplace_back(c);
    c->setCollisionShape(shapes_of(r, s, s->bodies[body]));
    c->setWorldTransform(transform(s->bodies[body].pose));
    c->setFriction(std::sqrt(s->friction));
    c->setActivationState(DISABLE_DEACTIVATION);
    r.world.addCollisionObject(c, s->has_contact ? btBroadphaseProxy::DefaultFilter : 0,
                               s->has_contact ? btBroadphaseProxy::AllFilter : 0);
    if (at.link < 0) {
        at.body->setBaseCollider(c);
    } else {
        at.body->getLink(at.link).m_collider = c;
    }
}

btMultiBody* add_tree(bullet_run& r, const peer_scene* s, int root, int links)
{
    const peer_body& b = s->bodies[root];
    const bool is_fixed = b.joint >= 0;
    auto* tree = new btMultiBody(links, is_fixed ? 0.0 : b.mass,
                                 is_fixed ? btVector3(0, 0, 0) : vec(b.inertia), is_fixed, false);
    r.trees.emplace_back(tree);
    if (!is_fixed) tree->setBaseWorldTransform(transform(b.pose));
    return tree;
}

void add_body(bullet_run& r, const peer_scene* s, int body, btMultiBody* tree, int* next)
{
    const peer_body& b = s->bodies[body];
    const btTransform at = transform(b.pose);
    if (b.joint < 0) {
        r.places[body] = {tree, -1};
        return;
    }
    const peer_joint& j = s->joints[b.joint];
    parent_of parent = {btTransform::getIdentity(), -1};
    if (b.parent >= 0) parent = {transform(s->bodies[b.parent].pose), r.places[b.parent].link};
    if (links_of(s, body) == 2) {
        const btTransform between(at.getRotation(), vec(j.point));
        const double small = 1e-9 * b.mass;
        add_link(tree, *next, parent, j, 0, small, btVector3(small, small, small), between);
        parent = {between, (*next)++};
    }
    add_link(tree, *next, parent, j, links_of(s, body) - 1, b.mass, vec(b.inertia), at);
    r.places[body] = {tree, (*next)++};
}

void close_loop(bullet_run& r, const peer_scene* s, const peer_joint& j, const btVector3& point)
{
    const int a = j.base < 0 ? j.follower : j.base;
    const int b = j.base < 0 ? j.base : j.follower;
    const place& pa = r.places[a];
    const btVector3 in_a = transform(s->bodies[a].pose).inverse() * point;
    if (b < 0) {
        // no second body is the world; a static one would not be known to the solver
        btRigidBody* world = nullptr;
        r.loops.emplace_back(new btMultiBodyPoint2Point(pa.body, pa.link, world, in_a, point));
    } else {
        const btVector3 in_b = transform(s->bodies[b].pose).inverse() * point;
        r.loops.emplace_back(new btMultiBodyPoint2Point(pa.body, pa.link, r.places[b].body,
                                                        r.places[b].link, in_a, in_b));
    }
    r.loops.back()->finalizeMultiDof();
    r.world.addMultiBodyConstraint(r.loops.back().get());
}

void build_trees(bullet_run& r, const peer_scene* s, bool is_rk4)
{
    const forest f = plant(s);
    std::vector<btMultiBody*> tree(s->body_count, nullptr);
    std::vector<int> next(s->body_count, 0);
    r.places.assign(s->body_count, {nullptr, -1});
    add_world(r, s);
    for (int k = 0; k < s->body_count; k++) {
        const int i = s->order[k];
        const int root = f.root[i];
        if (i == root) tree[root] = add_tree(r, s, root, f.links[root]);
        add_body(r, s, i, tree[root], &next[root]);
    }
    for (auto& t : r.trees) {
        t->finalizeMultiDof();
        t->setLinearDamping(0.0);
        t->setAngularDamping(0.0);
        t->setMaxCoordinateVelocity(1e30);
        t->setHasSelfCollision(true);
        t->useRK4Integration(is_rk4);
        r.world.addMultiBody(t.get());
    }
    for (int i = 0; i < s->body_count; i++) add_collider(r, s, i);
    for (int j = 0; j < s->joint_count; j++) {
        const peer_joint& joint = s->joints[j];
        if (!joint.closes_loop) continue;
        close_loop(r, s, joint, vec(joint.point));
        if (joint.kind == PEER_HINGE) {
            close_loop(r, s, joint, vec(joint.point) + 0.1 * vec(joint.axis[0]));
        }
    }
}

// ---- the interface

void* create(const peer_engine* self, const peer_scene* s, double step, char* why)
{
    for (int i = 0; i < s->body_count && self->choice[0]; i++) {
        const peer_body& b = s->bodies[i];
        if (b.joint < 0 || !b.reversed || s->joints[b.joint].axis_count < 2) continue;
        std::snprintf(why, PEER_WHY, "a joint of two axes from the follower's side");
        return nullptr;
    }
    auto* r = new bullet_run();
    r->step = step;
    r->body_count = s->body_count;
    r->is_articulated = self->choice[0] != 0;
    r->world.setGravity(vec(s->gravity));
    r->world.getSolverInfo().m_numIterations = self->choice[1];
    if (r->is_articulated) {
        build_trees(*r, s, self->choice[2] != 0);
    } else {
        build_rigid(*r, s);
    }
    return r;
}

int step(void* self)
{
    auto* r = static_cast<bullet_run*>(self);
    r->world.stepSimulation(r->step, 0);
    return 1;
}

void read_tree(bullet_run& r, peer_state* states, btMultiBody* tree)
{
    const int n = tree->getNumLinks();
    btAlignedObjectArray<btQuaternion> q;
    btAlignedObjectArray<btVector3> m;
    std::vector<btVector3> omega(n + 1);
    std::vector<btVector3> velocity(n + 1);
    tree->forwardKinematics(q, m);
    tree->compTreeLinkVelocities(omega.data(), velocity.data());
    for (int i = 0; i < r.body_count; i++) {
        const place& at = r.places[i];
        if (at.body != tree) continue;
        const btTransform pose = at.link < 0 ? tree->getBaseWorldTransform()
                                             : tree->getLink(at.link).m_cachedWorldTransform;
        states[i].pose = {vec(pose.getOrigin()), quat(pose.getRotation())};
        states[i].velocity.linear = vec(pose.getBasis() * velocity[at.link + 1]);
        states[i].velocity.angular = vec(pose.getBasis() * omega[at.link + 1]);
    }
}

void read(void* self, peer_state* states)
{
    auto* r = static_cast<bullet_run*>(self);
    for (auto& t : r->trees) read_tree(*r, states, t.get());
    if (r->is_articulated) return;
    for (int i = 0; i < r->body_count; i++) {
        const btRigidBody* b = r->bodies[i].get();
        const btTransform& at = b->getWorldTransform();
        states[i].pose = {vec(at.getOrigin()), quat(at.getRotation())};
        states[i].velocity = {vec(b->getLinearVelocity()), vec(b->getAngularVelocity())};
    }
}

void destroy(void* self) { delete static_cast<bullet_run*>(self); }

peer_engine engine(const char* name, int is_articulated, int iterations, int is_rk4)
{
    return {name,    "Bullet", create,
            step,    read,     nullptr,
            nullptr, destroy,  {is_articulated, iterations, is_rk4, 0},
            0.0};
}

}  // namespace

extern "C" const peer_engine peer_bullet[] = {
    engine("bullet multibody", 1, 10, 0),
    engine("bullet multibody rk4", 1, 10, 1),
    engine("bullet impulses 10", 0, 10, 0),
    engine("bullet impulses 100", 0, 100, 0),
    peer_engine{},
};
