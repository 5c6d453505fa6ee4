// test/sim/soft_world.h - a world with all that deformables can be: carried by a hinged body, tied by
// springs, with a surface of its own, particles beside it, and a floor to fall on.
#ifndef TRAMMEL_TEST_SIM_SOFT_WORLD_H
#define TRAMMEL_TEST_SIM_SOFT_WORLD_H

#include <trammel/trammel.h>

static inline void soft_world_springs(tml_spec* spec, tml_body door, int cube, int grains)
{
    const tml_point inside[2] = {{door, {0.1, 0.0, 0.1}},
                                 {tml_deformable_handle(cube), {1.31, 0.12, 0.23}}};
    const tml_point between[3] = {{tml_deformable_handle(cube), {1.4, 0.4, 0.4}},
                                  {TML_WORLD, {1.0, 1.0, 1.0}},
                                  {tml_deformable_handle(grains), {2.0, 0.0, 0.05}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = inside;
    spring.stiffness = 50.0;
    spring.damping = 0.2;
    tml_spec_add_spring(spec, &spring);
    spring.point_count = 3;
    spring.points = between;
    tml_spec_add_spring(spec, &spring);
}

static inline void build_soft_world(tml_spec* spec, tml_run_settings* run)
{
    static const int tetrahedra[24] = {0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7,
                                       0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7};
    static const tml_vec3 surface[3] = {{1.1, 0.1, 0.1}, {1.3, 0.1, 0.1}, {1.1, 0.3, 0.1}};
    static const int triangle[3] = {0, 1, 2};
    tml_vec3 corners[8];
    for (int k = 0; k < 8; k++) {
        corners[k] = (tml_vec3){1.0 + 0.4 * (k >> 2), 0.4 * ((k >> 1) & 1), 0.4 * (k & 1)};
    }
    tml_body_def body = tml_body_def_default();
    body.name = "door";
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.pose.p = (tml_vec3){0.5, 0.0, 0.2};
    const tml_body door = tml_spec_add_body(spec, &body);
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.base = TML_WORLD;
    hinge.follower = door;
    hinge.axis = (tml_vec3){0.0, 1.0, 0.0};
    tml_spec_add_joint(spec, &hinge);

    const tml_attachment held[4] = {{.vertex = 0, .body = door},
                                    {.vertex = 1, .body = door},
                                    {.vertex = 2, .body = door},
                                    {.vertex = 3, .body = door}};
    tml_deformable_def cube = tml_deformable_def_default();
    cube.name = "cube";
    cube.vertex_count = 8;
    cube.vertices = corners;
    cube.tetrahedron_count = 6;
    cube.tetrahedra = tetrahedra;
    cube.young = 1e5;
    cube.is_consistent = 1;
    cube.material = TML_MATERIAL_NEO_HOOKEAN;
    cube.attachment_count = 4;
    cube.attachments = held;
    cube.surface_vertex_count = 3;
    cube.surface_vertices = surface;
    cube.surface_triangle_count = 1;
    cube.surface_triangles = triangle;
    const int soft = tml_spec_add_deformable(spec, &cube);

    static const tml_vec3 places[2] = {{2.0, 0.0, 0.05}, {2.2, 0.0, 0.01}};
    tml_deformable_def grains = tml_deformable_def_default();
    grains.name = "grains";
    grains.vertex_count = 2;
    grains.vertices = places;
    grains.vertex_mass = 0.3;
    const int loose = tml_spec_add_deformable(spec, &grains);
    soft_world_springs(spec, door, soft, loose);

    tml_shape_def plane = tml_shape_def_default();
    plane.kind = TML_SHAPE_PLANE;
    tml_spec_add_world_shape(spec, &plane);
    run->sim.step = 0.005;
    run->sim.contact.is_on = 1;
}

#endif
