// scenes/parts.c - shapes, bodies and joints with the few numbers a scene has to say.
#include "scenes/parts.h"

static const double half_root = 0.70710678118654752440;  // sqrt(1/2)

// ---- vectors

tml_vec3 cross(tml_vec3 a, tml_vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

tml_vec3 sum(tml_vec3 a, tml_vec3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }

static tml_vec3 scaled(double s, tml_vec3 a) { return vec(s * a.x, s * a.y, s * a.z); }

// a + 2 w (u x a) + 2 u x (u x a), with q = (w, u)
tml_vec3 rotate(tml_quat q, tml_vec3 a)
{
    const tml_vec3 u = vec(q.x, q.y, q.z);
    const tml_vec3 t = scaled(2.0, cross(u, a));

    return sum(a, sum(scaled(q.w, t), cross(u, t)));
}

tml_quat turn_none(void) { return (tml_quat){1.0, 0.0, 0.0, 0.0}; }
tml_quat turn_z_to_x(void) { return (tml_quat){half_root, 0.0, half_root, 0.0}; }
tml_quat turn_z_to_y(void) { return (tml_quat){half_root, -half_root, 0.0, 0.0}; }
tml_quat turn_x_to_down(void) { return (tml_quat){half_root, 0.0, half_root, 0.0}; }

// ---- shapes

static tml_shape_def shape(tml_shape_kind kind, tml_vec3 size, tml_vec3 position,
                           tml_quat orientation, int color)
{
    tml_shape_def s = tml_shape_def_default();

    s.kind = kind;
    s.size = size;
    s.pose = (tml_pose){position, orientation};
    s.color[0] = (unsigned char)((color >> 16) & 0xff);
    s.color[1] = (unsigned char)((color >> 8) & 0xff);
    s.color[2] = (unsigned char)(color & 0xff);
    return s;
}

tml_shape_def shape_box(tml_vec3 size, tml_vec3 position, int color)
{
    return shape(TML_SHAPE_BOX, size, position, turn_none(), color);
}

tml_shape_def shape_sphere(double radius, tml_vec3 position, int color)
{
    return shape(TML_SHAPE_SPHERE, vec(radius, 0.0, 0.0), position, turn_none(), color);
}

tml_shape_def shape_cylinder(double radius, double length, tml_vec3 position, tml_quat orientation,
                             int color)
{
    return shape(TML_SHAPE_CYLINDER, vec(radius, 0.0, length), position, orientation, color);
}

tml_shape_def shape_capsule(double radius, double length, tml_vec3 position, tml_quat orientation,
                            int color)
{
    return shape(TML_SHAPE_CAPSULE, vec(radius, 0.0, length), position, orientation, color);
}

// ---- bodies and joints

tml_body_def body_at(const char* name, double mass, tml_vec3 inertia, tml_vec3 position)
{
    tml_body_def body = tml_body_def_default();

    body.name = name;
    body.mass = mass;
    body.inertia[0] = inertia.x;
    body.inertia[1] = inertia.y;
    body.inertia[2] = inertia.z;
    body.inertia[3] = body.inertia[4] = body.inertia[5] = 0.0;
    body.pose.p = position;
    return body;
}

tml_body_def body_of(const char* name, tml_shape_def* shapes, int count, double density,
                     tml_vec3 position)
{
    tml_body_def body = tml_body_def_default();
    tml_mass_properties properties = {0};

    for (int i = 0; i < count; i++) shapes[i].density = density;
    body.name = name;
    body.mass = 0.0;  // refused by the spec, should the shapes have no volume
    if (tml_shapes_mass(shapes, count, &properties) == TML_OK) {
        body.mass = properties.mass;
        body.com = properties.com;
        for (int i = 0; i < 6; i++) body.inertia[i] = properties.inertia[i];
    }
    body.pose.p = position;
    body.shapes = shapes;
    body.shape_count = count;
    return body;
}

tml_velocity spin_about(tml_vec3 point, tml_vec3 omega, tml_vec3 origin)
{
    const tml_vec3 arm = vec(origin.x - point.x, origin.y - point.y, origin.z - point.z);
    return (tml_velocity){cross(omega, arm), omega};
}

tml_joint_def joint_of(const char* name, tml_joint_kind kind, tml_body base, tml_body follower,
                       tml_vec3 position, tml_vec3 axis)
{
    tml_joint_def joint = tml_joint_def_default();

    joint.name = name;
    joint.kind = kind;
    joint.base = base;
    joint.follower = follower;
    joint.position = position;
    joint.axis = axis;
    return joint;
}

void run_for(tml_run_settings* settings, double step, double duration)
{
    settings->sim.step = step;
    settings->duration = duration;
}
