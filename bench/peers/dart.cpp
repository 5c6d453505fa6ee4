// bench/peers/dart.cpp - DART: joint coordinates, loops closed by its own ball constraints, contacts
// found by its ODE detector (the default one knows neither capsules nor planes).
#include "bench/peers/engines.h"

#include <cstdio>
#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <memory>
#include <vector>

namespace {

using namespace dart::dynamics;

enum {
    HINGES_MOST = 1000,  // of one tree: building takes minutes beyond
    BALLS_MOST = 300,
};

Eigen::Vector3d vec(tml_vec3 a) { return {a.x, a.y, a.z}; }
tml_vec3 vec(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

Eigen::Isometry3d transform(tml_pose a)
{
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    T.linear() = Eigen::Quaterniond(a.q.w, a.q.x, a.q.y, a.q.z).normalized().toRotationMatrix();
    T.translation() = vec(a.p);
    return T;
}

struct dart_run {
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    std::vector<SkeletonPtr> trees;
    std::vector<BodyNode*> bodies;
    double nudge = 1e-9;
};

// ---- shapes

ShapePtr shape_of(const tml_shape_def& s)
{
    switch (s.kind) {
    case TML_SHAPE_SPHERE: return std::make_shared<SphereShape>(s.size.x);
    case TML_SHAPE_CAPSULE: return std::make_shared<CapsuleShape>(s.size.x, s.size.z);
    case TML_SHAPE_CYLINDER: return std::make_shared<CylinderShape>(s.size.x, s.size.z);
    case TML_SHAPE_BOX: return std::make_shared<BoxShape>(vec(s.size));
    case TML_SHAPE_PLANE: return std::make_shared<PlaneShape>(Eigen::Vector3d::UnitZ(), 0.0);
    default: return nullptr;
    }
}

void add_shapes(BodyNode* body, const peer_scene* s, int first, int count)
{
    for (int k = 0; k < count && s->has_contact; k++) {
        const tml_shape_def& def = s->shapes[first + k];
        const ShapePtr shape = def.collide ? shape_of(def) : nullptr;
        if (shape == nullptr) continue;
        ShapeNode* node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
        node->setRelativeTransform(transform(def.pose));
        node->getDynamicsAspect()->setFrictionCoeff(s->friction);
        node->getDynamicsAspect()->setRestitutionCoeff(0.0);
    }
}

// ---- bodies

template <class Kind>
BodyNode* add_pair(Skeleton& tree, BodyNode* parent, const typename Kind::Properties& properties)
{
    return tree.createJointAndBodyNodePair<Kind>(parent, properties).second;
}

// The joint's frame, axes of the world, as both bodies see it at the start.
template <class Properties> Properties place(Properties p, const peer_scene* s, int body)
{
    const peer_body& b = s->bodies[body];
    const Eigen::Isometry3d at = transform(b.pose);
    Eigen::Isometry3d joint = at;
    if (b.joint >= 0) {
        joint = Eigen::Isometry3d::Identity();
        joint.translation() = vec(s->joints[b.joint].point);
    }
    const Eigen::Isometry3d parent =
        b.parent < 0 ? Eigen::Isometry3d::Identity() : transform(s->bodies[b.parent].pose);
    p.mName = "j" + std::to_string(body);
    p.mT_ParentBodyToJoint = parent.inverse() * joint;
    p.mT_ChildBodyToJoint = at.inverse() * joint;
    return p;
}

BodyNode* add_body(Skeleton& tree, BodyNode* parent, const peer_scene* s, int body)
{
    const peer_body& b = s->bodies[body];
    if (b.joint < 0)
        return add_pair<FreeJoint>(tree, parent, place(FreeJoint::Properties(), s, body));
    const peer_joint& j = s->joints[b.joint];
    if (j.kind == PEER_BALL) {
        return add_pair<BallJoint>(tree, parent, place(BallJoint::Properties(), s, body));
    }
    if (j.kind == PEER_HINGE && j.axis_count == 1) {
        auto p = place(RevoluteJoint::Properties(), s, body);
        p.mAxis = vec(j.axis[0]);
        return add_pair<RevoluteJoint>(tree, parent, p);
    }
    if (j.kind == PEER_HINGE) {
        auto p = place(UniversalJoint::Properties(), s, body);
        p.mAxis[0] = vec(j.axis[b.reversed ? 1 : 0]);
        p.mAxis[1] = vec(j.axis[b.reversed ? 0 : 1]);
        return add_pair<UniversalJoint>(tree, parent, p);
    }
    if (j.kind == PEER_SLIDE) {
        auto p = place(PrismaticJoint::Properties(), s, body);
        p.mAxis = vec(j.axis[0]);
        return add_pair<PrismaticJoint>(tree, parent, p);
    }
    return add_pair<WeldJoint>(tree, parent, place(WeldJoint::Properties(), s, body));
}

// A root of the world starts a skeleton; the others join that of their parent.
void add_tree_body(dart_run& r, const peer_scene* s, int body)
{
    const peer_body& b = s->bodies[body];
    BodyNode* parent = b.parent < 0 ? nullptr : r.bodies[b.parent];
    if (parent == nullptr) r.trees.push_back(Skeleton::create("tree" + std::to_string(body)));
    SkeletonPtr tree = parent != nullptr ? parent->getSkeleton() : r.trees.back();
    BodyNode* node = add_body(*tree, parent, s, body);
    node->setName("b" + std::to_string(body));
    node->setInertia(Inertia(b.mass, 0, 0, 0, b.inertia.x, b.inertia.y, b.inertia.z, 0, 0, 0));
    add_shapes(node, s, b.shape_first, b.shape_count);
    r.bodies[body] = node;
}

void add_ground(dart_run& r, const peer_scene* s)
{
    if (!s->has_contact || s->world_count == 0) return;
    SkeletonPtr ground = Skeleton::create("ground");
    BodyNode* body = ground->createJointAndBodyNodePair<WeldJoint>().second;
    add_shapes(body, s, s->world_first, s->world_count);
    r.world->addSkeleton(ground);
}

void close_loop(dart_run& r, const peer_joint& j, const Eigen::Vector3d& point)
{
    BodyNode* a = r.bodies[j.base < 0 ? j.follower : j.base];
    BodyNode* b = j.base < 0 ? nullptr : r.bodies[j.follower];
    using dart::constraint::BallJointConstraint;
    auto loop = b != nullptr ? std::make_shared<BallJointConstraint>(a, b, point)
                             : std::make_shared<BallJointConstraint>(a, point);
    r.world->getConstraintSolver()->addConstraint(loop);
}

// ---- the interface

void* create(const peer_engine*, const peer_scene* s, double step, char* why)
{
    int balls = 0;
    for (int j = 0; j < s->joint_count; j++) {
        balls += s->joints[j].kind == PEER_BALL && s->joints[j].base >= 0;
    }
    if (!s->has_contact && (s->body_count > HINGES_MOST || balls > BALLS_MOST)) {
        std::snprintf(why, PEER_WHY, "building takes minutes: not run");
        return nullptr;
    }
    auto r = std::make_unique<dart_run>();
    r->bodies.assign(s->body_count, nullptr);
    r->world->setTimeStep(step);
    r->world->setGravity(vec(s->gravity));
    if (s->has_contact) {
        r->world->getConstraintSolver()->setCollisionDetector(
            dart::collision::OdeCollisionDetector::create());
    }
    for (int k = 0; k < s->body_count; k++) add_tree_body(*r, s, s->order[k]);
    for (auto& tree : r->trees) {
        if (s->has_contact) tree->enableSelfCollisionCheck();
        r->world->addSkeleton(tree);
    }
    add_ground(*r, s);
    for (int j = 0; j < s->joint_count; j++) {
        const peer_joint& joint = s->joints[j];
        if (!joint.closes_loop) continue;
        close_loop(*r, joint, vec(joint.point));
        if (joint.kind == PEER_HINGE) {
            close_loop(*r, joint, vec(joint.point) + 0.5 * vec(joint.axis[0]));
        }
    }
    return r.release();
}

// Its collision detection ends the program where a body is out of all bounds.
bool is_lost(const BodyNode* body)
{
    return !(body->getWorldTransform().translation().norm() < 1e5);
}

int step(void* self)
{
    auto* r = static_cast<dart_run*>(self);
    for (const BodyNode* body : r->bodies) {
        if (is_lost(body)) return 0;
    }
    r->world->step();
    return 1;
}

const char* why_of(const void*) { return "a body is farther away than 100 km"; }

void read(void* self, peer_state* states)
{
    auto* r = static_cast<dart_run*>(self);
    for (std::size_t i = 0; i < r->bodies.size(); i++) {
        const Eigen::Isometry3d at = r->bodies[i]->getWorldTransform();
        const Eigen::Quaterniond q(at.linear());
        states[i].pose = {vec(Eigen::Vector3d(at.translation())), {q.w(), q.x(), q.y(), q.z()}};
        states[i].velocity.linear = vec(Eigen::Vector3d(r->bodies[i]->getCOMLinearVelocity()));
        states[i].velocity.angular = vec(Eigen::Vector3d(r->bodies[i]->getAngularVelocity()));
    }
}

// DART keeps what it knows until positions change: they go to and fro by a nanoradian.
int kernel(void* self, peer_kernel which)
{
    auto* r = static_cast<dart_run*>(self);
    Skeleton& tree = *r->trees.front();
    r->nudge = -r->nudge;
    tree.setPositions((tree.getPositions().array() + r->nudge).matrix());
    switch (which) {
    case PEER_INVERSE: tree.computeInverseDynamics(); return 1;
    case PEER_MASS: tree.getMassMatrix(); return 1;
    case PEER_FORWARD: tree.computeForwardDynamics(); return 1;
    case PEER_TRANSITION: return 0;
    }
    return 0;
}

void destroy(void* self) { delete static_cast<dart_run*>(self); }

}  // namespace

extern "C" const peer_engine peer_dart[] = {
    {"dart", "DART", create, step, read, why_of, kernel, destroy, {0, 0, 0, 0}, 0.0},
    peer_engine{},
};
