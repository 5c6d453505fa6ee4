// io/generate_net.c - a net of cubes joined by rods, in the xy plane.
//
// Node (i, j), row i and column j, is a cube with its centre at (j pitch, i pitch, 0). Bodies come
// in the order: cubes row by row; rods along x row by row; rods along y row by row. Each rod has
// two joints, at the faces of the cubes it joins; the pins to the world come last.
#include "io/generate.h"
#include "math/quat.h"

static vec3 node_point(const generator* g, int i, int j)
{
    return v3(g->pitch * j, g->pitch * i, 0.0);
}

static tml_body node(const generator* g, int i, int j)
{
    return (tml_body){g->first_body + i * g->columns + j};
}

static void add_cube(reader* r, const generator* g, int i, int j)
{
    const double edge = g->pitch - g->link.length;
    tml_shape_def shape = tml_shape_def_default();
    shape.kind = TML_SHAPE_BOX;
    shape.size = v3(edge, edge, edge);

    tml_body_def def = tml_body_def_default();
    def.mass = g->link.mass;
    for (int k = 0; k < 3; k++) def.inertia[k] = g->link.mass * edge * edge / 6.0;
    def.pose.p = node_point(g, i, j);
    def.shape_count = 1;
    def.shapes = &shape;
    tml__add_generated_body(r, g, i * g->columns + j, &def);
}

// The rod from node (i, j) to its neighbour along x or y, in order.
typedef struct rod {
    int i, j;    // node at its start
    int di, dj;  // step to the node at its end
} rod;

static int rod_count(const generator* g)
{
    return g->rows * (g->columns - 1) + (g->rows - 1) * g->columns;
}

static rod rod_at(const generator* g, int k)
{
    const int along_x = g->rows * (g->columns - 1);
    if (k < along_x) return (rod){k / (g->columns - 1), k % (g->columns - 1), 0, 1};
    return (rod){(k - along_x) / g->columns, (k - along_x) % g->columns, 1, 0};
}

void tml__net_bodies(reader* r, generator* g)
{
    const int nodes = g->rows * g->columns;
    for (int k = 0; k < nodes && r->status == TML_OK; k++) {
        add_cube(r, g, k / g->columns, k % g->columns);
    }
    for (int k = 0; k < rod_count(g) && r->status == TML_OK; k++) {
        const rod a = rod_at(g, k);
        const vec3 from = node_point(g, a.i, a.j);
        const vec3 to = node_point(g, a.i + a.di, a.j + a.dj);
        const quat q = a.di == 1 ? q_about(2, TML_PI / 2.0) : q_identity();
        tml__add_link(r, g, nodes + k, g->link.mass,
                      (tml_pose){v3_scale(0.5, v3_add(from, to)), q});
    }
}

static void add_joint(reader* r, const generator* g, int index, tml_body base, tml_body follower,
                      vec3 position)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_SPHERICAL;
    def.base = base;
    def.follower = follower;
    def.position = position;
    tml__add_generated_joint(r, g, index, &def);
}

static void pin(reader* r, const generator* g, int* index, int i, int j, vec3 off)
{
    if (r->status == TML_OK) {
        add_joint(r, g, (*index)++, TML_WORLD, node(g, i, j), v3_add(node_point(g, i, j), off));
    }
}

// Each corner once, also where the net is one row or one column.
static void pin_corners(reader* r, const generator* g, int* index)
{
    const int row_step = g->rows > 1 ? g->rows - 1 : 1;
    const int column_step = g->columns > 1 ? g->columns - 1 : 1;
    for (int i = 0; i < g->rows; i += row_step) {
        for (int j = 0; j < g->columns; j += column_step) pin(r, g, index, i, j, v3_zero());
    }
}

void tml__net_joints(reader* r, const generator* g)
{
    const double face = 0.5 * (g->pitch - g->link.length);
    int index = 0;
    for (int k = 0; k < rod_count(g) && r->status == TML_OK; k++) {
        const rod a = rod_at(g, k);
        const tml_body body = {g->first_body + g->rows * g->columns + k};
        const vec3 direction = v3(a.dj, a.di, 0.0);
        const vec3 from = v3_axpy(node_point(g, a.i, a.j), face, direction);
        const vec3 to = v3_axpy(node_point(g, a.i + a.di, a.j + a.dj), -face, direction);
        add_joint(r, g, index++, node(g, a.i, a.j), body, from);
        add_joint(r, g, index++, body, node(g, a.i + a.di, a.j + a.dj), to);
    }
    if (g->pins == PINNED_CORNERS) pin_corners(r, g, &index);
    // at the outer faces: pins in the middle of the cubes would be in line with the rods between
    // them, which could then hold the cubes only by forces beyond all bounds
    const vec3 outside = v3(0.0, -face, 0.0);
    for (int j = 0; g->pins == PINNED_EDGE && j < g->columns; j++) {
        pin(r, g, &index, 0, j, outside);
    }
}
