// method/links/links_roll.c - links whose joints are all on one axis, so that no force rolls them about it.
#include "linalg/lanes.h"
#include "method/links/links.h"

// A point is on an axis of its body where it is but for the rounding of the positions it was given with; it is
// moved there then, by a fifth of the tolerance for gaps at most.
static const double roundings = 4.0 * 2.3e-16;
static const double farthest = 2e-11;

vec3 tml__links_point(const tml_model* m, int joint, int body)
{
    const joint_data* j = &m->joints[joint];
    const vec3 point = j->follower == body ? j->point_F : j->point_B;
    const double size = v3_max(m->bodies[body].c) + v3_max(point);
    const double little = tml__smaller(roundings * size, farthest);
    double x[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++) {
        if (fabs(x[k]) <= little) x[k] = 0.0;
    }
    return v3(x[0], x[1], x[2]);
}

// Axes as bits. Which of them go through a point?
static int axes_through(double x, double y, double z)
{
    const bool is_on[3] = {y == 0.0 && z == 0.0, x == 0.0 && z == 0.0, x == 0.0 && y == 0.0};
    return (is_on[0] ? 1 : 0) | (is_on[1] ? 2 : 0) | (is_on[2] ? 4 : 0);
}

// By what all rows of a kind share: principal axes, no air that a roll meets, points.
static int axes_of_type(const link_system* l, int row)
{
    const double* type = l->types + (size_t)l->row_type[row] * LINK_CONSTANTS * LANES;
    int axes = l->traits[l->row_type[row]].is_principal ? 7 : 0;
    for (int i = 0; i < LANES; i++) {
        const double* inner = type + LINK_INNER * LANES + i;
        const double* outer = type + LINK_OUTER * LANES + i;
        if (type[LINK_SPIN * LANES + i] != 0.0) axes = 0;
        axes &= axes_through(inner[0], inner[LANES], inner[2 * LANES]);
        axes &= axes_through(outer[0], outer[LANES], outer[2 * LANES]);
    }
    return axes;
}

void tml__links_find_axes(link_system* l)
{
    const tml_model* m = l->s->model;
    for (int row = 0; row < l->row_count; row++) l->row_axis[row] = axes_of_type(l, row);
    for (int j = 0; j < m->all.joint_count; j++) {
        const int ends[2] = {m->joints[j].base, m->joints[j].follower};
        for (int e = 0; e < 2; e++) {
            const int node = m->bodies[ends[e]].node;
            if (node < 0 || l->place_of[node] < 0) continue;
            const vec3 point = tml__links_point(m, j, ends[e]);
            const int row = l->place_of[node] / LANES;
            // points of a chain are those of its kind of link, which differ by rounding
            if (!l->is_chain) l->row_axis[row] &= axes_through(point.x, point.y, point.z);
        }
    }
    for (int row = 0; row < l->row_count; row++) {
        const int axes = l->row_axis[row];
        l->row_axis[row] = axes & 1 ? 0 : axes & 2 ? 1 : axes & 4 ? 2 : -1;
    }
}
