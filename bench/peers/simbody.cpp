// bench/peers/simbody.cpp - Simbody: joint coordinates, loops closed by its own constraints, no contact
// here.
//
//     choice[0]   0: semi-explicit Euler, fixed step; 1: Runge-Kutta-Merson, error-controlled
//     number      accuracy of the latter; a step is then one reporting interval
#include "bench/peers/engines.h"

#include <Simbody.h>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using namespace SimTK;

Vec3 vec(tml_vec3 a) { return {a.x, a.y, a.z}; }
tml_vec3 vec(const Vec3& a) { return {a[0], a[1], a[2]}; }

Transform transform(tml_pose a)
{
    return {Rotation(Quaternion(a.q.w, a.q.x, a.q.y, a.q.z)), vec(a.p)};
}

struct simbody_run {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBodyIndex> bodies;
    std::unique_ptr<Integrator> integrator;
    double step = 0.0;
    long done = 0;
    char why[PEER_WHY] = "";
};

// A frame at the joint's point in which `axis` is x or z; axes of the world where it has none.
Transform joint_frame(const peer_joint& j, CoordinateAxis along)
{
    if (j.axis_count == 0) return {Rotation(), vec(j.point)};
    if (j.axis_count == 2) {
        return {Rotation(UnitVec3(vec(j.axis[0])), XAxis, vec(j.axis[1]), YAxis), vec(j.point)};
    }
    return {Rotation(UnitVec3(vec(j.axis[0])), along), vec(j.point)};
}

MobilizedBody add_body(simbody_run& r, const peer_scene* s, int i)
{
    const peer_body& b = s->bodies[i];
    const Body::Rigid body(MassProperties(b.mass, Vec3(0), Inertia(vec(b.inertia))));
    const Transform at = transform(b.pose);
    MobilizedBody parent = r.matter.Ground();
    Transform from;
    if (b.parent >= 0) {
        parent = r.matter.updMobilizedBody(r.bodies[b.parent]);
        from = transform(s->bodies[b.parent].pose);
    }
    if (b.joint < 0) return MobilizedBody::Free(parent, at, body, Transform());
    const peer_joint& j = s->joints[b.joint];
    const Transform F =
        joint_frame(j, j.kind == PEER_SLIDE ? CoordinateAxis(XAxis) : CoordinateAxis(ZAxis));
    const Transform in_parent = ~from * F;
    const Transform in_body = ~at * F;
    switch (j.kind) {
    case PEER_BALL: return MobilizedBody::Ball(parent, in_parent, body, in_body);
    case PEER_SLIDE: return MobilizedBody::Slider(parent, in_parent, body, in_body);
    case PEER_HINGE:
        if (j.axis_count == 2) return MobilizedBody::Universal(parent, in_parent, body, in_body);
        return MobilizedBody::Pin(parent, in_parent, body, in_body);
    case PEER_MIXED:  // never given to it
    case PEER_WELD: break;
    }
    return MobilizedBody::Weld(parent, in_parent, body, in_body);
}

void close_loop(simbody_run& r, const peer_scene* s, const peer_joint& j, const Vec3& point)
{
    const int ends[2] = {j.base, j.follower};
    MobilizedBody body[2];
    Vec3 at[2];
    for (int k = 0; k < 2; k++) {
        const bool is_world = ends[k] < 0;
        body[k] = is_world ? r.matter.Ground() : r.matter.updMobilizedBody(r.bodies[ends[k]]);
        at[k] = is_world ? point : ~transform(s->bodies[ends[k]].pose) * point;
    }
    Constraint::Ball(body[0], at[0], body[1], at[1]);
}

void build(simbody_run& r, const peer_engine* self, const peer_scene* s, double step)
{
    Force::UniformGravity(r.forces, r.matter, vec(s->gravity));
    r.bodies.resize(s->body_count);
    for (int k = 0; k < s->body_count; k++) {
        const int i = s->order[k];
        r.bodies[i] = add_body(r, s, i).getMobilizedBodyIndex();
    }
    for (int j = 0; j < s->joint_count; j++) {
        const peer_joint& joint = s->joints[j];
        if (!joint.closes_loop) continue;
        close_loop(r, s, joint, vec(joint.point));
        if (joint.kind == PEER_HINGE) {
            close_loop(r, s, joint, vec(joint.point) + 0.5 * vec(joint.axis[0]));
        }
    }
    r.step = step;
    if (self->choice[0] == 0) {
        r.integrator = std::make_unique<SemiExplicitEulerIntegrator>(r.system, step);
    } else {
        r.integrator = std::make_unique<RungeKuttaMersonIntegrator>(r.system);
        r.integrator->setAccuracy(self->number);
    }
    State state = r.system.realizeTopology();
    r.system.realizeModel(state);
    r.integrator->initialize(state);
}

void* create(const peer_engine* self, const peer_scene* s, double step, char* why)
{
    if (s->has_contact) {
        std::snprintf(why, PEER_WHY, "no contact in this adapter");
        return nullptr;
    }
    auto r = std::make_unique<simbody_run>();
    try {
        build(*r, self, s, step);
    } catch (const std::exception& e) {
        std::snprintf(why, PEER_WHY, "%s", e.what());
        return nullptr;
    }
    return r.release();
}

int step(void* self)
{
    auto* r = static_cast<simbody_run*>(self);
    const double to = r->step * static_cast<double>(++r->done);
    try {
        while (r->integrator->getTime() < to) r->integrator->stepTo(to);
    } catch (const std::exception& e) {
        std::snprintf(r->why, sizeof r->why, "%s", e.what());
        for (char* c = r->why; *c != '\0'; c++) {
            if (*c == '\n') *c = ' ';
        }
        return 0;
    }
    return 1;
}

void read(void* self, peer_state* states)
{
    auto* r = static_cast<simbody_run*>(self);
    const State& state = r->integrator->getState();
    r->system.realize(state, Stage::Velocity);
    for (std::size_t i = 0; i < r->bodies.size(); i++) {
        const MobilizedBody& b = r->matter.getMobilizedBody(r->bodies[i]);
        const Quaternion q = b.getBodyRotation(state).convertRotationToQuaternion();
        states[i].pose = {vec(b.getBodyOriginLocation(state)), {q[0], q[1], q[2], q[3]}};
        states[i].velocity = {vec(b.getBodyOriginVelocity(state)),
                              vec(b.getBodyAngularVelocity(state))};
    }
}

const char* why_of(const void* self) { return static_cast<const simbody_run*>(self)->why; }
void destroy(void* self) { delete static_cast<simbody_run*>(self); }

}  // namespace

extern "C" const peer_engine peer_simbody[] = {
    {"simbody euler", "Simbody", create, step, read, why_of, nullptr, destroy, {0, 0, 0, 0}, 0.0},
    {"simbody merson 1e-4",
     "Simbody",
     create,
     step,
     read,
     why_of,
     nullptr,
     destroy,
     {1, 0, 0, 0},
     1e-4},
    peer_engine{},
};
