// io/robot_lend.c - mass for parts that have none, without changing any motion.
//
// Points on the axis of a hinge belong to both of its parts at all times; so does the centre of a
// universal or spherical joint. Mass that lies there may be counted to either side: kinetic energy
// and weight are the same functions of the configuration. A massless part between two others so
// takes a thin rod along each hinge's axis, and a point mass at each centre, from the neighbour
// behind it. When these do not lie on one line the part is a proper rigid body, and the mass
// matrix of the mechanism is what it was. Only the loads that its own joints report change: they now
// carry what moved over.
//
// The world may lend anything. Other parts lend an eighth of their mass, or less where they would no
// longer be sound.
#include "io/robot.h"

bool tml__solid_is_sound(const solid* s)
{
    vec3 moments;
    mat3 axes;
    if (!(s->mass > 0.0)) return false;
    tml__m3_eigen(s->inertia, &moments, &axes);
    // what model/check.c asks, and moments that are no mere rounding of each other
    return moments.x > 1e-9 * moments.z && moments.z <= (moments.x + moments.y) * (1.0 + 1e-6);
}

// Add a rod of this mass, centred at `at`, whose second moment along the unit axis is `second`; both
// negative to take it away.
static solid with_rod(solid s, double mass, vec3 at, vec3 axis, double second)
{
    const double sum = s.mass + mass;
    const mat3 own = m3_scale(-second, m3_skew_skew(axis, axis));
    if (!(sum > 0.0)) return (solid){0.0, s.com, m3_zero()};

    const vec3 com = v3_scale(1.0 / sum, v3_add(v3_scale(s.mass, s.com), v3_scale(mass, at)));
    const vec3 d = v3_sub(s.com, com);
    const vec3 e = v3_sub(at, com);
    const mat3 moved =
        m3_add(m3_scale(s.mass, m3_skew_skew(d, d)), m3_scale(mass, m3_skew_skew(e, e)));
    return (solid){sum, com, m3_sub(m3_add(s.inertia, own), moved)};
}

// Mean square distance of the mass from the centre of mass.
static double spread(const solid* s)
{
    return (s->inertia.m[0][0] + s->inertia.m[1][1] + s->inertia.m[2][2]) / (2.0 * s->mass);
}

// What a joint shares: its point, and its axis when it is a hinge; false when it shares no point.
static bool shared(const tml_joint_def* def, vec3* point, vec3* axis, bool* is_line)
{
    const bool is_custom = def->kind == TML_JOINT_CUSTOM;
    const char* slides = is_custom ? def->free_translation : tml_joint_kind_slides(def->kind);
    const char* turns = is_custom ? def->free_rotation : tml_joint_kind_turns(def->kind);
    if (slides[0] != '\0' || turns[0] == '\0') return false;
    *point = def->follower_position;
    *is_line = turns[1] == '\0';
    *axis = def->follower_axes[turns[0] - 'x'];
    return true;
}

// The average part, as what the world lends from.
static solid average(const part* parts, int part_count)
{
    solid sum = {0};
    int count = 0;
    double area = 0.0;
    for (int i = 0; i < part_count; i++) {
        if (!tml__solid_is_sound(&parts[i].own)) continue;
        sum.mass += parts[i].own.mass;
        area += spread(&parts[i].own);
        count++;
    }
    const double mass = count > 0 ? sum.mass / count : 1.0;
    const double second = mass * (count > 0 ? area / count : 1e-2) * 2.0 / 3.0;
    return (solid){mass, v3_zero(), m3_diagonal(second, second, second)};
}

// Move what the joint shares from one part (NULL: the world) to another; false when nothing can be.
static bool lend(part* from, part* to, const tml_joint_def* def, const solid* world)
{
    vec3 point;
    vec3 axis;
    bool is_line = false;
    if (!shared(def, &point, &axis, &is_line)) return false;
    const pose back_to = pose_inverse(to->world);
    const solid* purse = from != NULL ? &from->own : world;

    double mass = purse->mass / 8.0;
    const double square = is_line ? spread(purse) / 3.0 : 0.0;
    for (int k = 0; k < 30; k++, mass /= 2.0) {
        if (from != NULL) {
            const pose back = pose_inverse(from->world);
            const solid left = with_rod(from->own, -mass, pose_apply(back, point),
                                        q_rotate(back.q, axis), -mass * square);
            if (!tml__solid_is_sound(&left)) continue;
            from->own = left;
        }
        to->own = with_rod(to->own, mass, pose_apply(back_to, point), q_rotate(back_to.q, axis),
                           mass * square);
        return true;
    }
    return false;
}

// Borrow over every joint of part i whose other side can lend.
static bool borrow(part* parts, int i, const part_joint* joints, int joint_count,
                   const solid* world)
{
    bool has_some = false;
    for (int j = 0; j < joint_count; j++) {
        const bool is_base = joints[j].base == i;
        if (!is_base && joints[j].follower != i) continue;
        const int other = is_base ? joints[j].follower : joints[j].base;
        if (other >= 0 && !tml__solid_is_sound(&parts[other].own)) continue;
        if (lend(other >= 0 ? &parts[other] : NULL, &parts[i], &joints[j].def, world)) {
            has_some = true;
        }
    }
    return has_some && tml__solid_is_sound(&parts[i].own);
}

int tml__parts_lend(part* parts, int part_count, const part_joint* joints, int joint_count)
{
    const solid world = average(parts, part_count);
    bool has_changed = true;
    int poor = -1;
    // a part that has just become sound may lend to the next
    while (has_changed) {
        has_changed = false;
        poor = -1;
        for (int i = 0; i < part_count; i++) {
            if (tml__solid_is_sound(&parts[i].own)) continue;
            if (borrow(parts, i, joints, joint_count, &world)) {
                has_changed = true;
            } else if (poor < 0) {
                poor = i;
            }
        }
    }
    return poor;
}
