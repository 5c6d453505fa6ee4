// Reading scenes: what every key becomes. Broken scenes are in test/hostile.
#include "math/quat.h"
#include "test/io/scene_text.h"

#include <trammel/shape.h>

#define ONE_BODY "{'trammel': 1, 'bodies': [{'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]%s}]}"

static int is_vec(tml_vec3 a, double x, double y, double z)
{
    return fabs(a.x - x) <= 0.0 && fabs(a.y - y) <= 0.0 && fabs(a.z - z) <= 0.0;
}

TEST(the_smallest_scene_has_the_defaults_of_the_format)
{
    tml_scene* scene = scene_from("{'trammel': 1, 'bodies': [{'mass': 2, 'inertia': [1, 2, 3]}]}");
    const definitions* all = scene_all(scene);
    CHECK(all->body_count == 1 && all->joint_count == 0);
    CHECK_TEXT(all->bodies[0].name, "body0");
    CHECK(is_vec(all->gravity, 0.0, 0.0, -9.81));
    CHECK(is_vec(all->bodies[0].pose.p, 0.0, 0.0, 0.0));
    CHECK(all->bodies[0].pose.q.w == 1.0);

    const tml_run_settings* s = tml_scene_settings(scene);
    CHECK(s->sim.formulation == TML_FORM_QUATERNION && s->sim.integrator == TML_TIME_BDF2);
    CHECK(s->has_integrator == 0);
    CHECK_NEAR(s->sim.step, 0.01, 0.0);
    CHECK_NEAR(s->duration, 10.0, 0.0);
    CHECK_NEAR(s->sim.tolerance, 1e-10, 0.0);
    CHECK(s->sim.max_iterations == 30 && s->sim.threads == 1 && s->sim.solver == TML_SOLVER_AUTO);
    CHECK(s->sim.implicit.start == TML_START_ACCURATE);
    tml_scene_destroy(scene);
}

TEST(every_key_of_a_body_is_kept)
{
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    const definitions* all = scene_all(scene);
    const tml_body_def* rod = &all->bodies[0];
    CHECK_TEXT(all->name, "every key that is simulated, \"quoted\" \xc3\xa9\xf0\x9f\x98\x80");
    CHECK_NEAR(all->gravity.x, 0.1, 0.0);
    CHECK_TEXT(rod->name, "rod");
    CHECK_NEAR(rod->mass, 1.0, 0.0);
    CHECK_NEAR(rod->inertia[1], 0.083, 0.0);
    CHECK_NEAR(rod->inertia[5], 0.0, 0.0);
    CHECK(is_vec(rod->pose.p, 0.5, 0.0, 0.0));
    CHECK(is_vec(rod->velocity.linear, 0.0, 0.25, 0.0));
    CHECK(is_vec(rod->velocity.angular, 0.0, 0.0, 0.5));
    CHECK(is_vec(rod->com, 0.01, 0.0, 0.0));
    CHECK_NEAR(rod->pose.q.w, sqrt(0.5), 1e-15);  // made unit
    CHECK(all->bodies[4].is_fixed && !rod->is_fixed);
    CHECK_NEAR(all->bodies[1].inertia[4], -0.02, 0.0);
    CHECK_TEXT(all->bodies[5].name, "body5");
    CHECK_NEAR(all->bodies[5].pose.p.x, 1.0 / 3.0, 0.0);

    const tml_shape_def* box = &rod->shapes[0];
    CHECK(rod->shape_count == 1 && box->kind == TML_SHAPE_BOX);
    CHECK(is_vec(box->size, 1.0, 0.1, 0.1) && is_vec(box->pose.p, 0.0, 0.0, 0.1));
    CHECK_NEAR(box->pose.q.x, 0.8, 1e-16);
    CHECK(box->color[0] == 0xc8 && box->color[1] == 0x96 && box->color[2] == 0x3e);
    CHECK_NEAR(box->density, 5.0, 0.0);
    CHECK_NEAR(box->friction, 0.25, 0.0);
    CHECK_NEAR(box->restitution, 0.5, 0.0);
    CHECK(box->collide == 0);
    CHECK(all->world_shape_count == 3 && all->world_shapes[0].kind == TML_SHAPE_PLANE);
    const tml_shape_def* grid = &all->world_shapes[1];
    CHECK(grid->kind == TML_SHAPE_HEIGHTFIELD && grid->rows == 2 && grid->columns == 3);
    CHECK(grid->size.x == 4.0 && grid->size.y == 3.0 && grid->heights[3] == -0.25);
    const tml_shape_def* mesh = &all->world_shapes[2];
    CHECK(mesh->kind == TML_SHAPE_MESH && mesh->vertex_count == 4 && mesh->triangle_count == 4);
    CHECK(mesh->vertices[3].z == 1.5 && mesh->triangles[4] == 1);
    CHECK(all->exclude_count == 2 && all->excludes[1].a.index == -1);
    CHECK(all->pair_count == 2 && all->pairs[0].friction == 0.25);
    CHECK(all->pairs[0].restitution < 0.0 && all->pairs[1].restitution == 0.75);
    CHECK_NEAR(all->world_shapes[0].friction, 0.9, 0.0);
    tml_scene_destroy(scene);
}

TEST(shapes_with_a_density_give_mass_centre_and_inertia)
{
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    const tml_body_def* weighed = &scene_all(scene)->bodies[2];
    tml_mass_properties expected;
    CHECK(tml_shapes_mass(weighed->shapes, 2, &expected) == TML_OK);
    CHECK_NEAR(weighed->mass, expected.mass, 0.0);
    CHECK_NEAR(weighed->com.z, expected.com.z, 0.0);
    CHECK(weighed->com.z > 0.01);
    for (int k = 0; k < 6; k++) CHECK_NEAR(weighed->inertia[k], expected.inertia[k], 0.0);
    tml_scene_destroy(scene);
}

// A uniform box of 3 kg: m (b^2 + c^2)/12. The point and the plane weigh nothing.
TEST(a_mass_without_densities_is_spread_evenly_over_the_shapes)
{
    tml_scene* scene =
        scene_from("{'trammel': 1, 'bodies': [{'mass': 3, 'com': [0, 0, 0.5], 'shapes': ["
                   " {'type': 'box', 'size': [1, 2, 3], 'position': [0, 0, 0.5]},"
                   " {'type': 'sphere', 'radius': 0}, {'type': 'plane'}]}]}");
    const tml_body_def* b = &scene_all(scene)->bodies[0];
    CHECK_NEAR(b->mass, 3.0, 0.0);
    CHECK_NEAR(b->com.z, 0.5, 1e-15);
    CHECK_NEAR(b->inertia[0], 3.0 * 13.0 / 12.0, 1e-14);
    CHECK_NEAR(b->inertia[1], 3.0 * 10.0 / 12.0, 1e-14);
    CHECK_NEAR(b->inertia[2], 3.0 * 5.0 / 12.0, 1e-14);
    tml_scene_destroy(scene);
}

// Two equal spheres 2 m apart, one three times as dense: the centre lies a quarter from it.
TEST(densities_beside_a_mass_are_scaled_to_give_it)
{
    tml_scene* scene =
        scene_from("{'trammel': 1, 'bodies': [{'mass': 8, 'shapes': ["
                   " {'type': 'sphere', 'radius': 0.5, 'density': 3, 'position': [-1, 0, 0]},"
                   " {'type': 'sphere', 'radius': 0.5, 'density': 1, 'position': [1, 0, 0]}]}]}");
    const tml_body_def* b = &scene_all(scene)->bodies[0];
    CHECK_NEAR(b->mass, 8.0, 0.0);
    CHECK_NEAR(b->com.x, -0.5, 1e-15);
    // 2/5 m r^2 of both, and 6 kg at 0.5 m, 2 kg at 1.5 m
    CHECK_NEAR(b->inertia[1], 0.4 * 8.0 * 0.25 + 6.0 * 0.25 + 2.0 * 2.25, 1e-14);
    tml_scene_destroy(scene);
}

TEST(every_key_of_a_joint_is_kept)
{
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    const definitions* all = scene_all(scene);

    const tml_joint_def pin = tml__joint_expand(&all->joints[0]);
    CHECK(pin.kind == TML_JOINT_REVOLUTE && pin.base.index == -1 && pin.follower.index == 0);
    CHECK(is_vec(pin.axis, 0.0, 1.0, 0.0));
    const tml_joint_axis* rx = &pin.axis_of[TML_AXIS_RX];
    CHECK(rx->actuation == TML_POSITION && rx->control.kind == TML_CONTROL_SINE);
    CHECK_NEAR(rx->control.value, 0.5, 0.0);
    CHECK_NEAR(rx->control.amplitude, -0.5, 0.0);
    CHECK_NEAR(rx->control.frequency, 2.0, 0.0);
    CHECK_NEAR(rx->control.phase, 1.5, 0.0);
    for (int k = 0; k < TML_AXES; k++) {
        CHECK_NEAR(pin.axis_of[k].compliance, 1e-9, 0.0);  // every axis has a row
        CHECK_NEAR(pin.axis_of[k].weight, 2.0, 0.0);
    }

    const tml_joint_def hip = tml__joint_expand(&all->joints[1]);
    CHECK(hip.kind == TML_JOINT_UNIVERSAL && hip.has_axes && hip.collide);
    CHECK(is_vec(hip.axes[2], 1.0, 0.0, 0.0));
    const tml_joint_axis* a = hip.axis_of;
    CHECK(a[TML_AXIS_RX].actuation == TML_FORCE && a[TML_AXIS_RY].actuation == TML_PASSIVE);
    CHECK(a[TML_AXIS_RX].control.kind == TML_CONTROL_CUBIC && a[TML_AXIS_RX].control.count == 3);
    CHECK_NEAR(a[TML_AXIS_RX].control.times[1], 0.5, 0.0);
    CHECK_NEAR(a[TML_AXIS_RX].control.samples[2], -1.0, 0.0);
    CHECK(a[TML_AXIS_RY].has_servo && a[TML_AXIS_RY].servo_target.kind == TML_CONTROL_TABLE);
    CHECK_NEAR(a[TML_AXIS_RY].servo_stiffness, 100.0, 0.0);
    CHECK_NEAR(a[TML_AXIS_RY].servo_damping, 5.0, 0.0);
    CHECK(a[TML_AXIS_RX].has_limits && !a[TML_AXIS_RY].has_limits);
    CHECK_NEAR(a[TML_AXIS_RX].upper, 1.5, 0.0);
    CHECK_NEAR(a[TML_AXIS_RX].stiffness, 4.0, 0.0);
    CHECK_NEAR(a[TML_AXIS_RY].stiffness, 0.0, 0.0);
    CHECK_NEAR(a[TML_AXIS_RX].damping, 0.5, 0.0);
    CHECK_NEAR(a[TML_AXIS_RY].damping, 0.5, 0.0);
    CHECK_NEAR(a[TML_AXIS_TX].damping, 0.0, 0.0);
    CHECK_NEAR(a[TML_AXIS_RY].rest, -0.25, 0.0);
    CHECK_NEAR(a[TML_AXIS_TX].compliance, 1e-6, 0.0);
    CHECK_NEAR(a[TML_AXIS_RZ].compliance, 1e-7, 0.0);
    CHECK_NEAR(a[TML_AXIS_TX].weight, 3.0, 0.0);
    CHECK_NEAR(a[TML_AXIS_TY].weight, 1.0, 0.0);
    tml_scene_destroy(scene);
}

TEST(free_axes_and_follower_frames_are_kept)
{
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    const definitions* all = scene_all(scene);

    const tml_joint_def custom = tml__joint_expand(&all->joints[2]);
    CHECK(custom.kind == TML_JOINT_CUSTOM);
    CHECK_TEXT(custom.free_translation, "xy");
    CHECK_TEXT(custom.free_rotation, "zx");
    CHECK(custom.has_follower_frame && !custom.has_follower_axes);
    CHECK(is_vec(custom.follower_position, 0.0, 0.0, 1.25));
    CHECK(is_vec(custom.follower_axis, 0.0, 0.0, 2.0));

    // what the follower's frame leaves out comes from the base's
    const tml_joint_def slide = tml__joint_expand(&all->joints[3]);
    CHECK(slide.has_follower_axes && is_vec(slide.follower_position, 0.0, 0.0, 0.0));
    CHECK(slide.axis_of[TML_AXIS_TX].actuation == TML_FORCE);
    CHECK(slide.axis_of[TML_AXIS_TX].control.kind == TML_CONTROL_CONSTANT);
    CHECK_NEAR(slide.axis_of[TML_AXIS_TX].control.value, 3.5, 0.0);

    const tml_joint_def ball = tml__joint_expand(&all->joints[4]);
    CHECK_TEXT(ball.name, "joint4");
    CHECK(ball.axis_of[TML_AXIS_RX].actuation == TML_POSITION);
    CHECK(ball.axis_of[TML_AXIS_RY].actuation == TML_FORCE);
    CHECK(ball.axis_of[TML_AXIS_RY].control.kind == TML_CONTROL_NONE);
    CHECK(ball.axis_of[TML_AXIS_RZ].actuation == TML_PASSIVE);
    tml_scene_destroy(scene);
}

TEST(every_joint_type_is_read_by_its_name)
{
    for (int i = 0; i < TML_JOINT_KINDS; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{'trammel': 1, 'bodies': [{'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]}], "
                 "'joints': [{'type': '%s', 'base': 'world', 'follower': 'a'}]}",
                 tml_joint_kind_name((tml_joint_kind)i));
        tml_scene* scene = scene_from(text);
        CHECK((int)scene_all(scene)->joints[0].kind == i);
        tml_scene_destroy(scene);
    }
}

TEST(couplings_and_forces_are_kept)
{
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    const definitions* all = scene_all(scene);

    const tml_coupling_def* gear = &all->couplings[0];
    CHECK(all->coupling_count == 2 && gear->term_count == 2);
    CHECK(gear->terms[1].joint.index == 1 && gear->terms[1].axis == TML_AXIS_RX);
    CHECK(gear->terms[1].degree == 1);
    CHECK_NEAR(gear->terms[1].coefficient[0], -1.0, 0.0);
    CHECK_NEAR(gear->offset, 0.125, 0.0);
    CHECK(all->couplings[1].terms[0].degree == 3);
    CHECK_NEAR(all->couplings[1].terms[0].coefficient[2], 0.5, 0.0);
    CHECK_NEAR(all->couplings[1].weight, 4.0, 0.0);

    const tml_spring_def* s = all->springs;
    CHECK(all->spring_count == 5);
    CHECK_NEAR(s[0].rest_length, 0.75, 0.0);
    CHECK(s[0].points[0].body.index == 0 && s[0].points[1].body.index == -1);
    CHECK(s[1].law == TML_SPRING_QUADRATIC && s[1].rest_length < 0.0);
    CHECK(s[2].law == TML_SPRING_TABLE && s[2].table_count == 3);
    CHECK_NEAR(s[2].table_forces[2], 20.0, 0.0);
    CHECK(s[3].point_count == 3 && s[3].force.kind == TML_CONTROL_SINE);
    CHECK_NEAR(s[4].force.value, 12.0, 0.0);

    const tml_wrench_def* w = &all->wrenches[0];
    CHECK(w->body.index == 1 && is_vec(w->point, 0.1, 0.0, 0.0));
    CHECK(w->force[1].kind == TML_CONTROL_SINE && w->torque[2].kind == TML_CONTROL_TABLE);
    CHECK_NEAR(w->force[2].value, 1.0, 0.0);
    CHECK_NEAR(all->drags[0].angular, 0.01, 0.0);
    CHECK(is_vec(all->drags[0].wind, 1.0, 0.0, 0.0));
    tml_scene_destroy(scene);
}

TEST(every_setting_is_kept)
{
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    const tml_run_settings* s = tml_scene_settings(scene);
    CHECK(s->has_integrator && s->sim.integrator == TML_TIME_BDF3);
    CHECK_NEAR(s->sim.step, 0.005, 0.0);
    CHECK_NEAR(s->duration, 2.5, 0.0);
    CHECK_NEAR(s->sim.tolerance, 1e-11, 0.0);
    CHECK(s->sim.max_iterations == 50 && s->sim.solver == TML_SOLVER_KLU);
    CHECK(s->sim.implicit.start == TML_START_SDIRK2);
    CHECK_NEAR(s->sim.implicit.baumgarte, 0.5, 0.0);
    tml_scene_destroy(scene);
}

TEST(a_formulation_without_an_integrator_takes_its_default)
{
    tml_scene* scene = scene_from("{'trammel': 1, 'bodies': [{'mass': 1, 'inertia': [1, 1, 1]}],"
                                  " 'simulation': {'formulation': 'variational'}}");
    const tml_run_settings* s = tml_scene_settings(scene);
    CHECK(s->sim.formulation == TML_FORM_VARIATIONAL && !s->has_integrator);
    CHECK(s->sim.integrator == tml_formulation_default_integrator(TML_FORM_VARIATIONAL));
    tml_scene_destroy(scene);
}

TEST(a_failed_read_leaves_an_empty_scene_that_can_be_read_again)
{
    tml_scene* scene = tml_scene_create();
    const tml_spec* spec = tml_scene_spec(scene);
    CHECK(scene_read(scene, "{'trammel': 1, 'bodies': [{'name': 'a', 'mass': 1, 'inertia': "
                            "[1, 1, 1]}, {'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]}]}") ==
          TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "test.json:1: body 'a': the name is used twice");
    CHECK(scene_all(scene)->body_count == 0);
    CHECK(tml_spec_status(spec) == TML_OK);

    CHECK(scene_read(scene, "{'trammel': 1, 'bodies': [{'mass': 1, 'inertia': [1, 1, 1]}]}") ==
          TML_OK);
    CHECK(tml_scene_spec(scene) == spec && scene_all(scene)->body_count == 1);

    // and once it holds something, another read is refused and changes nothing
    CHECK(scene_read(scene, "{'trammel': 1, 'bodies': [{'mass': 1, 'inertia': [1, 1, 1]}]}") ==
          TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "already holds something");
    CHECK(scene_all(scene)->body_count == 1);
    tml_scene_destroy(scene);
}

TEST(a_model_that_cannot_be_built_names_the_line_of_the_element)
{
    tml_scene* scene = scene_from("{'trammel': 1,\n 'bodies': [\n"
                                  "  {'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]}]}");
    tml_body_def twin = tml_body_def_default();
    twin.name = "a";
    tml_spec_add_body(tml_scene_spec(scene), &twin);

    tml_model* model = NULL;
    CHECK(tml_scene_build(scene, &model) == TML_BAD_ARGUMENT);
    CHECK(model == NULL);
    CHECK_TEXT(tml_scene_message(scene), "test.json:3: body 'a': the name is used twice");
    tml_scene_destroy(scene);
}

TEST(a_read_scene_builds_into_a_model)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_model_body_count(model) == scene_all(scene)->body_count);
    CHECK(tml_model_find_joint(model, "hip.left").index == 1);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

TEST(a_unit_quaternion_keeps_its_bits_and_a_rounded_one_is_made_unit)
{
    char orientation[120];
    char text[300];
    const quat q = q_normalize((quat){0.3, -0.4, 0.5, 0.6});
    snprintf(orientation, sizeof orientation, ", 'orientation': [%.17g, %.17g, %.17g, %.17g]", q.w,
             q.x, q.y, q.z);
    snprintf(text, sizeof text, ONE_BODY, orientation);
    tml_scene* scene = scene_from(text);
    CHECK(memcmp(&scene_all(scene)->bodies[0].pose.q, &q, sizeof q) == 0);
    tml_scene_destroy(scene);

    snprintf(text, sizeof text, ONE_BODY, ", 'orientation': [0.7071, 0.7071, 0, 0]");
    scene = scene_from(text);
    const quat r = scene_all(scene)->bodies[0].pose.q;
    CHECK_NEAR(q_dot(r, r), 1.0, 1e-15);  // rounding of the square root
    tml_scene_destroy(scene);
}

// A mesh is looked for beside the scene; its triangles weigh what the cube weighs.
TEST(a_mesh_file_stands_beside_its_scene)
{
    tml_scene* scene = tml_scene_create();
    const char* text = "{\"trammel\": 1, \"bodies\": [{\"name\": \"cube\", \"shapes\": "
                       "[{\"type\": \"mesh\", \"file\": \"cube.obj\", \"density\": 10}]}]}";
    CHECK(tml_scene_read_text(scene, text, strlen(text), TEST_SOURCE_DIR "/test/io/m.json") ==
          TML_OK);
    const tml_body_def* cube = &tml_scene_spec(scene)->all.bodies[0];
    CHECK(cube->shapes[0].vertex_count == 8 && cube->shapes[0].triangle_count == 12);
    CHECK_NEAR(cube->mass, 80.0, 1e-13);
    CHECK(is_vec(cube->com, 1.0, 0.0, 0.0));
    CHECK_NEAR(cube->inertia[0], 80.0 * 4.0 / 6.0, 1e-13);
    tml_scene_destroy(scene);
}
