// io/robot_joint.c - several movements of one link as one joint.
//
// A joint of ours slides along axes fixed in its base and then turns about up to three axes of one
// frame, in the order of its letters. A run of movements is such a joint when its slides come first,
// all its axes are parallel or perpendicular to each other, and the axes of its hinges meet in a point.
// Letters are given so that no coordinate changes its sign: three perpendicular axes d1, d2, d3 are
// x, y, z when they are right-handed, and x, z, y when they are not.
//
// The coordinate of a movement is that of the file, also where the file says that the pose it gives
// belongs to a coordinate other than zero (`ref` of MJCF): the base frame of a slide starts that
// much earlier, the frame of a hinge is turned by as much, on the base's side of the first hinge or
// the follower's side of the last. A hinge in between has to start from zero.
#include "io/robot.h"

#include <string.h>

// Axes of files are written with many digits or are multiples of 90 degrees: 1e-10 rad, or m, tells
// those that were meant to be perpendicular, or to meet, from those that were not.
static const double meets = 1e-10;

typedef struct layout {
    int direction_count;
    vec3 direction[3];
    int of[6];  // the direction of each movement
    int slide_count, hinge_count;
    int letter[3];  // of each direction
    mat3 A;         // columns: the axes x, y, z in the link frame
    vec3 point;     // link frame
} layout;

// The index of a direction in the list, added when it is new; -1 when it is oblique to one of them
// or opposite, which would change the sign of a coordinate.
static int find_direction(layout* l, vec3 axis)
{
    for (int i = 0; i < l->direction_count; i++) {
        const double c = v3_dot(axis, l->direction[i]);
        const double s = v3_norm(v3_cross(axis, l->direction[i]));
        if (s <= meets && c > 0.0) return i;
        if (fabs(c) > meets) return -1;
    }
    if (l->direction_count == 3) return -1;
    l->direction[l->direction_count] = axis;
    return l->direction_count++;
}

// A frame whose axes are the directions, x first.
static void make_frame(layout* l)
{
    const vec3 x = l->direction[0];
    if (l->direction_count == 1) {
        // any two axes that complete it: away from the coordinate axis nearest to x
        int least = 0;
        for (int k = 1; k < 3; k++) {
            if (fabs(v3_at(x, k)) < fabs(v3_at(x, least))) least = k;
        }
        l->direction[1] = v3_cross(v3_unit(least), x);
    }
    // exactly perpendicular: what `meets` forgives is removed from the second
    vec3 y = v3_axpy(l->direction[1], -v3_dot(l->direction[1], x), x);
    y = v3_scale(1.0 / v3_norm(y), y);
    vec3 z = v3_cross(x, y);
    l->letter[0] = 0;
    l->letter[1] = 1;
    l->letter[2] = 2;
    if (l->direction_count == 3 && v3_dot(z, l->direction[2]) < 0.0) {
        l->letter[1] = 2;
        l->letter[2] = 1;
        const vec3 third = v3_neg(z);
        z = y;
        y = third;
    }
    l->A = m3_columns(x, y, z);
}

// The point where the hinges meet: along each axis of the frame, where the hinges about the other
// axes stand. False when they disagree.
static bool find_point(const robot* r, int first, int count, layout* l)
{
    const vec3 start = r->movements[first + count - 1].point;
    l->point = start;
    for (int k = 0; k < 3; k++) {
        const vec3 axis = m3_column(l->A, k);
        bool is_known = false;
        double at = 0.0;
        for (int i = l->slide_count; i < count; i++) {
            if (l->letter[l->of[i]] == k) continue;
            const double here = v3_dot(axis, v3_sub(r->movements[first + i].point, start));
            if (is_known && fabs(here - at) > meets) return false;
            if (!is_known) at = here;
            is_known = true;
        }
        if (l->hinge_count > 1) l->point = v3_axpy(l->point, at, axis);
    }
    return true;
}

// A reference between others cannot be moved into either frame.
static bool can_start(const robot* r, int first, int count, const layout* l)
{
    for (int i = l->slide_count; i < count; i++) {
        const bool is_last = i == count - 1;
        const bool is_first = i == l->slide_count && l->slide_count == 0;
        if (!is_last && !is_first && r->movements[first + i].reference != 0.0) return false;
    }
    return true;
}

static bool lay_out(const robot* r, int first, int count, layout* l)
{
    *l = (layout){0};
    if (count > 6) return false;
    for (int i = 0; i < count; i++) {
        const movement* m = &r->movements[first + i];
        const bool is_hinge = m->kind == MOVE_HINGE;
        if (!is_hinge && (m->kind != MOVE_SLIDE || l->hinge_count > 0)) return false;
        l->of[i] = find_direction(l, m->axis);
        if (l->of[i] < 0) return false;
        // the same direction twice for the same kind is two coordinates on one axis
        for (int k = is_hinge ? l->slide_count : 0; k < i; k++) {
            if (l->of[k] == l->of[i]) return false;
        }
        if (is_hinge)
            l->hinge_count++;
        else
            l->slide_count++;
    }
    make_frame(l);
    return find_point(r, first, count, l) && can_start(r, first, count, l);
}

int tml__robot_run(const robot* r, int first, int count)
{
    layout l;
    int n = 1;
    while (n < count && lay_out(r, first, n + 1, &l)) n++;
    return n;
}

// ---- the joint

static void set_kind(tml_joint_def* def, const char* slides, const char* turns)
{
    // three hinges are no ball: each has a damper of its own
    for (int k = 0; k < TML_JOINT_KINDS && strlen(turns) < 3; k++) {
        const tml_joint_kind kind = (tml_joint_kind)k;
        if (strcmp(tml_joint_kind_slides(kind), slides) == 0 &&
            strcmp(tml_joint_kind_turns(kind), turns) == 0) {
            def->kind = kind;
            return;
        }
    }
    def->kind = TML_JOINT_CUSTOM;
    memcpy(def->free_translation, slides, strlen(slides) + 1);
    memcpy(def->free_rotation, turns, strlen(turns) + 1);
}

static void set_frames(tml_joint_def* def, vec3 point_B, mat3 B, vec3 point_F, mat3 F)
{
    def->position = point_B;
    def->has_axes = 1;
    def->has_follower_frame = 1;
    def->follower_position = point_F;
    def->has_follower_axes = 1;
    for (int k = 0; k < 3; k++) {
        def->axes[k] = m3_column(B, k);
        def->follower_axes[k] = m3_column(F, k);
    }
}

static void make_ball(robot* r, int first, pose before, pose after, tml_joint_def* out)
{
    movement* m = &r->movements[first];
    out->kind = TML_JOINT_SPHERICAL;
    set_frames(out, pose_apply(before, m->point), q_matrix(before.q), pose_apply(after, m->point),
               q_matrix(after.q));
    for (int k = TML_AXIS_RX; k <= TML_AXIS_RZ; k++) out->axis_of[k] = m->drive;
    m->letter = TML_AXIS_RX;
}

void tml__robot_joint(robot* r, int first, int count, pose before, pose after, tml_joint_def* out)
{
    *out = tml_joint_def_default();
    if (r->movements[first].kind == MOVE_BALL) {
        make_ball(r, first, before, after, out);
        return;
    }
    layout l;
    if (!lay_out(r, first, count, &l)) return;  // a run is always laid out before

    char slides[4] = "";
    char turns[4] = "";
    bool is_free[3] = {false, false, false};
    vec3 point_B = pose_apply(before, l.point);
    quat q_B = q_identity();
    quat q_F = q_identity();
    for (int i = 0; i < count; i++) {
        movement* m = &r->movements[first + i];
        const int letter = l.letter[l.of[i]];
        if (m->kind == MOVE_SLIDE) {
            is_free[letter] = true;
            m->letter = (tml_axis)letter;
            point_B = v3_axpy(point_B, -m->reference, q_rotate(before.q, m->axis));
        } else {
            turns[strlen(turns)] = "xyz"[letter];
            m->letter = (tml_axis)(TML_AXIS_RX + letter);
            if (i == count - 1)
                q_F = q_about(letter, m->reference);
            else if (m->reference != 0.0)
                q_B = q_about(letter, -m->reference);
        }
        out->axis_of[m->letter] = m->drive;
    }
    for (int k = 0; k < 3; k++) {
        if (is_free[k]) slides[strlen(slides)] = "xyz"[k];
    }
    set_kind(out, slides, turns);
    set_frames(out, point_B, m3_mul(m3_mul(q_matrix(before.q), l.A), q_matrix(q_B)),
               pose_apply(after, l.point), m3_mul(m3_mul(q_matrix(after.q), l.A), q_matrix(q_F)));
}
