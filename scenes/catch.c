// scenes/catch.c - a net of jointed links catches a soft figure, and its ends are turned.  [MABD Fig 18]
//
// The net hangs like a hammock between two bars that are driven: they wait until the figure lies in it,
// then turn against each other. All joints are exact; the figure is neo-Hookean and touches with
// friction.
#include "scenes/builders.h"
#include "scenes/touching.h"

#include <stdio.h>

enum {
    ROWS = 7,     // points of the net across, along y
    COLUMNS = 9,  // and from bar to bar
    SIZE_X = 10,  // cells around the figure, which lies on its back along x
    SIZE_Y = 8,
    SIZE_Z = 3,
    MOST = (SIZE_X + 1) * (SIZE_Y + 1) * (SIZE_Z + 1),
    CELLS = SIZE_X * SIZE_Y * SIZE_Z
};

static const double pitch = 0.08;  // m, between points of the net
static const double ball = 0.012;
static const double rod = 0.01;
static const double height = 1.0;  // of the lowest point
static const double cell = 0.035;  // m, of the figure

static const tml_vec3 origin = {0.0, 0.0, 0.0};

// ---- the net

// From bar to bar rods climb by a constant turn each; (c, s) is that of a rod, without sines.
static void find_arc(tml_vec3 point[COLUMNS])
{
    const double t = 0.06;  // the tangent of half a rod's turn
    const double c = (1.0 - t * t) / (1.0 + t * t);
    const double s = 2.0 * t / (1.0 + t * t);
    const int middle = COLUMNS / 2;
    // the first rod beside the lowest point climbs by half a turn
    double along = 1.0;
    double up = t;
    point[middle] = vec(0.0, 0.0, height);
    for (int k = 1; k <= middle; k++) {
        const double length = length_of(vec(along, 0.0, up));
        const tml_vec3 step = vec(pitch * along / length, 0.0, pitch * up / length);
        point[middle + k] = sum(point[middle + k - 1], step);
        point[middle - k] = vec(-point[middle + k].x, 0.0, point[middle + k].z);
        const double turned = c * along - s * up;
        up = s * along + c * up;
        along = turned;
    }
}

static tml_shape_def of_net(tml_shape_def shape)
{
    shape = rough(shape, 0.5, 0.0);
    shape.group = 1;  // links of the net do not touch each other
    return shape;
}

static void add_rod(tml_spec* spec, int number, const tml_body ends[2], const tml_vec3 points[2])
{
    char name[48];
    const tml_vec3 along = unit_of(minus(points[1], points[0]));
    const double length = pitch - 2.0 * ball;
    const tml_shape_def shape =
        of_net(shape_capsule(rod, length - 2.0 * rod, origin, turn_z_along(along), COLOR_BRASS));
    snprintf(name, sizeof name, "rod.%d", number);
    const tml_body body =
        add_resting_body(spec, name, shape, 1000.0, middle_of(points[0], points[1]));
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "joint.%d", 2 * number + k);
        add_joint(spec, name, TML_JOINT_SPHERICAL, ends[k], body,
                  sum(points[k], scaled_by(k == 0 ? ball : -ball, along)), vec(1.0, 0.0, 0.0));
    }
}

// A bar at an end of the net, driven about x through its middle.
static void add_bar(tml_spec* spec, const char* name, tml_body first, int column, tml_vec3 at)
{
    static const double times[4] = {0.0, 0.6, 1.8, 2.4};
    const double turn = column == 0 ? 0.5 : -0.5;
    const double angles[4] = {0.0, 0.0, turn, turn};
    char joint_name[48];
    const tml_shape_def shape =
        of_net(shape_box(vec(0.03, pitch * ROWS, 0.03), origin, COLOR_DARK));
    const tml_vec3 middle = sum(at, vec(0.0, 0.0, ball + 0.015));
    const tml_body bar = add_resting_body(spec, name, shape, 2000.0, middle);
    snprintf(joint_name, sizeof joint_name, "%s.drive", name);
    // links do not stretch: one bar gives way along x, on a spring, when the net is wound up
    const tml_joint_kind kind = column == 0 ? TML_JOINT_REVOLUTE : TML_JOINT_CYLINDRICAL;
    tml_joint_def drive = joint_of(joint_name, kind, TML_WORLD, bar, middle, vec(1.0, 0.0, 0.0));
    if (column != 0) {
        drive.axis_of[TML_AXIS_TX].stiffness = 400.0;
        drive.axis_of[TML_AXIS_TX].damping = 40.0;
    }
    drive.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
    drive.axis_of[TML_AXIS_RX].control =
        (tml_control){.kind = TML_CONTROL_TABLE, .count = 4, .times = times, .samples = angles};
    tml_spec_add_joint(spec, &drive);
    for (int i = 0; i < ROWS; i++) {
        snprintf(joint_name, sizeof joint_name, "%s.pin.%d", name, i);
        add_joint(spec, joint_name, TML_JOINT_SPHERICAL, bar,
                  (tml_body){first.index + i * COLUMNS + column},
                  vec(at.x, pitch * (i - (ROWS - 1) / 2), at.z + ball), vec(1.0, 0.0, 0.0));
    }
}

static void add_hammock(tml_spec* spec)
{
    tml_vec3 arc[COLUMNS];
    tml_vec3 point[ROWS * COLUMNS];
    tml_body first = {0};
    int number = 0;
    find_arc(arc);
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        char name[48];
        point[k] = sum(arc[k % COLUMNS], vec(0.0, pitch * (k / COLUMNS - (ROWS - 1) / 2), 0.0));
        snprintf(name, sizeof name, "ball.%d", k);
        const tml_body body = add_resting_body(
            spec, name, of_net(shape_sphere(ball, origin, COLOR_STEEL)), 1000.0, point[k]);
        if (k == 0) first = body;
    }
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        const int next[2] = {k % COLUMNS + 1 < COLUMNS ? k + 1 : -1,
                             k + COLUMNS < ROWS * COLUMNS ? k + COLUMNS : -1};
        for (int way = 0; way < 2; way++) {
            if (next[way] < 0) continue;
            const tml_body ends[2] = {{first.index + k}, {first.index + next[way]}};
            const tml_vec3 points[2] = {point[k], point[next[way]]};
            add_rod(spec, number++, ends, points);
        }
    }
    add_bar(spec, "left", first, 0, arc[0]);
    add_bar(spec, "right", first, COLUMNS - 1, arc[COLUMNS - 1]);
}

// ---- the figure

// Trunk, head, two arms and two legs, in cells.
static int is_inside(int x, int y, int z)
{
    if (x < 0 || x >= SIZE_X || y < 0 || y >= SIZE_Y || z < 0 || z >= SIZE_Z) return 0;
    if (x < 3) return y == 2 || y == 5;       // legs
    if (x < 8 && y >= 2 && y <= 5) return 1;  // trunk
    if (x == 6) return 1;                     // arms
    return x >= 8 && y >= 3 && y <= 4;        // head
}

typedef struct figure_mesh {
    int vertex_count, tetrahedron_count;
    tml_vec3 vertices[MOST];
    int tetrahedra[24 * CELLS];
    int number[MOST];  // per point of the grid: its vertex and one, 0: none
} figure_mesh;

static int vertex_at(figure_mesh* m, int x, int y, int z, tml_vec3 at)
{
    int* number = &m->number[(x * (SIZE_Y + 1) + y) * (SIZE_Z + 1) + z];
    if (*number == 0) {
        m->vertices[m->vertex_count] = sum(at, vec(cell * x, cell * y, cell * z));
        *number = ++m->vertex_count;
    }
    return *number - 1;
}

// Six tetrahedra a cell, around its long diagonal.
static void add_cell(figure_mesh* m, int x, int y, int z, tml_vec3 at)
{
    static const int way[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    int corner[8];
    for (int k = 0; k < 8; k++) {
        corner[k] = vertex_at(m, x + (k >> 2), y + ((k >> 1) & 1), z + (k & 1), at);
    }
    for (int k = 0; k < 6; k++) {
        int* t = &m->tetrahedra[4 * m->tetrahedron_count++];
        t[0] = corner[0];
        t[1] = corner[way[k][0]];
        t[2] = corner[way[k][1]];
        t[3] = corner[7];
    }
}

static void add_figure(tml_spec* spec, tml_vec3 at)
{
    figure_mesh mesh = {0};
    for (int k = 0; k < CELLS; k++) {
        const int x = k / (SIZE_Y * SIZE_Z);
        const int y = k / SIZE_Z % SIZE_Y;
        const int z = k % SIZE_Z;
        if (is_inside(x, y, z)) add_cell(&mesh, x, y, z, at);
    }
    tml_deformable_def def = tml_deformable_def_default();
    def.name = "figure";
    def.vertex_count = mesh.vertex_count;
    def.vertices = mesh.vertices;
    def.tetrahedron_count = mesh.tetrahedron_count;
    def.tetrahedra = mesh.tetrahedra;
    def.material = TML_MATERIAL_NEO_HOOKEAN;
    def.young = 4e4;
    def.poisson = 0.4;
    def.density = 300.0;
    def.friction = 0.5;
    def.thickness = 0.5 * cell;  // spheres around neighbours meet: no rod slips between them
    tml_spec_add_deformable(spec, &def);
}

void scene_net_catch(tml_spec* spec, tml_run_settings* settings)
{
    add_hammock(spec);
    add_figure(spec, vec(-0.5 * SIZE_X * cell + 0.01, -0.5 * SIZE_Y * cell, height + 0.1));
    settings->sim.formulation = TML_FORM_AFFINE;
    settings->sim.integrator = TML_TIME_ENERGY_DAMPED;
    settings->sim.contact.is_on = 1;
    run_for(settings, 0.01, 2.4);
}
