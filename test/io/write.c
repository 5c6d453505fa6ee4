// Writing scenes: what is written reads back as the same definitions.
#include "test/io/scene_text.h"
#include "test_paths.h"

#include <stdio.h>

static int same_bits(const double* a, const double* b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static int same_control(const tml_control* a, const tml_control* b)
{
    // no control and a constant zero do the same
    const int a_kind = a->kind == TML_CONTROL_NONE ? TML_CONTROL_CONSTANT : (int)a->kind;
    const int b_kind = b->kind == TML_CONTROL_NONE ? TML_CONTROL_CONSTANT : (int)b->kind;
    const double x[4] = {a->value, a->amplitude, a->frequency, a->phase};
    const double y[4] = {b->value, b->amplitude, b->frequency, b->phase};
    return a_kind == b_kind && same_bits(x, y, 4) && a->count == b->count &&
           (a->count == 0 || (same_bits(a->times, b->times, a->count) &&
                              same_bits(a->samples, b->samples, a->count)));
}

static int same_axis(const tml_joint_axis* a, const tml_joint_axis* b)
{
    const double x[] = {a->lower,           a->upper,         a->stiffness,  a->damping, a->rest,
                        a->servo_stiffness, a->servo_damping, a->compliance, a->weight};
    const double y[] = {b->lower,           b->upper,         b->stiffness,  b->damping, b->rest,
                        b->servo_stiffness, b->servo_damping, b->compliance, b->weight};
    return a->actuation == b->actuation && a->has_limits == b->has_limits &&
           a->has_servo == b->has_servo && same_bits(x, y, 9) &&
           same_control(&a->control, &b->control) &&
           same_control(&a->servo_target, &b->servo_target);
}

static void check_bodies(const definitions* a, const definitions* b)
{
    CHECK(a->body_count == b->body_count && a->world_shape_count == b->world_shape_count);
    for (int i = 0; i < a->body_count; i++) {
        const tml_body_def* x = &a->bodies[i];
        const tml_body_def* y = &b->bodies[i];
        CHECK_TEXT(y->name, x->name);
        CHECK(same_bits(&x->mass, &y->mass, 1) && same_bits(x->inertia, y->inertia, 6));
        CHECK(memcmp(&x->com, &y->com, sizeof x->com) == 0);
        CHECK(memcmp(&x->pose, &y->pose, sizeof x->pose) == 0);
        CHECK(memcmp(&x->velocity, &y->velocity, sizeof x->velocity) == 0);
        CHECK(x->is_fixed == y->is_fixed && x->shape_count == y->shape_count);
        for (int k = 0; k < x->shape_count; k++) {
            const tml_shape_def* s = &x->shapes[k];
            const tml_shape_def* t = &y->shapes[k];
            CHECK(s->kind == t->kind && s->collide == t->collide);
            CHECK(memcmp(&s->size, &t->size, sizeof s->size) == 0);
            CHECK(memcmp(&s->pose, &t->pose, sizeof s->pose) == 0);
            CHECK(same_bits(&s->density, &t->density, 1));
            CHECK(same_bits(&s->friction, &t->friction, 1));
            CHECK(same_bits(&s->restitution, &t->restitution, 1));
            CHECK(memcmp(s->color, t->color, 3) == 0);
        }
    }
}

static void check_world(const definitions* a, const definitions* b)
{
    for (int k = 0; k < a->world_shape_count; k++) {
        const tml_shape_def* s = &a->world_shapes[k];
        const tml_shape_def* t = &b->world_shapes[k];
        CHECK(s->kind == t->kind && memcmp(&s->size, &t->size, sizeof s->size) == 0);
        CHECK(s->vertex_count == t->vertex_count && s->triangle_count == t->triangle_count);
        CHECK(s->rows == t->rows && s->columns == t->columns);
        CHECK(s->vertex_count == 0 ||
              memcmp(s->vertices, t->vertices, (size_t)s->vertex_count * sizeof *s->vertices) == 0);
        CHECK(s->triangle_count == 0 ||
              memcmp(s->triangles, t->triangles, 12 * (size_t)s->triangle_count) == 0);
        CHECK(s->rows == 0 || same_bits(s->heights, t->heights, s->rows * s->columns));
    }
    CHECK(a->exclude_count == b->exclude_count && a->pair_count == b->pair_count);
    for (int k = 0; k < a->exclude_count; k++) {
        CHECK(a->excludes[k].a.index == b->excludes[k].a.index);
        CHECK(a->excludes[k].b.index == b->excludes[k].b.index);
    }
    for (int k = 0; k < a->pair_count; k++) {
        const tml_pair_def* p = &a->pairs[k];
        const tml_pair_def* q = &b->pairs[k];
        CHECK(p->a.index == q->a.index && p->b.index == q->b.index);
        CHECK(same_bits(&p->friction, &q->friction, 1));
        CHECK(same_bits(&p->restitution, &q->restitution, 1));
    }
}

static void check_joints(const definitions* a, const definitions* b)
{
    CHECK(a->joint_count == b->joint_count);
    for (int i = 0; i < a->joint_count; i++) {
        const tml_joint_def x = tml__joint_expand(&a->joints[i]);
        const tml_joint_def y = tml__joint_expand(&b->joints[i]);
        CHECK_TEXT(y.name, x.name);
        CHECK(x.kind == y.kind && x.collide == y.collide);
        CHECK(x.base.index == y.base.index && x.follower.index == y.follower.index);
        CHECK_TEXT(y.free_translation, x.free_translation);
        CHECK_TEXT(y.free_rotation, x.free_rotation);
        CHECK(memcmp(&x.position, &y.position, sizeof x.position) == 0);
        CHECK(memcmp(&x.axis, &y.axis, sizeof x.axis) == 0 && x.has_axes == y.has_axes);
        CHECK(memcmp(x.axes, y.axes, sizeof x.axes) == 0);
        CHECK(x.has_follower_frame == y.has_follower_frame);
        CHECK(x.has_follower_axes == y.has_follower_axes);
        CHECK(memcmp(&x.follower_position, &y.follower_position, sizeof x.position) == 0);
        CHECK(memcmp(&x.follower_axis, &y.follower_axis, sizeof x.axis) == 0);
        CHECK(memcmp(x.follower_axes, y.follower_axes, sizeof x.axes) == 0);
        for (int k = 0; k < TML_AXES; k++) CHECK(same_axis(&x.axis_of[k], &y.axis_of[k]));
    }
}

static void check_couplings(const definitions* a, const definitions* b)
{
    CHECK(a->coupling_count == b->coupling_count);
    for (int i = 0; i < a->coupling_count; i++) {
        const tml_coupling_def* x = &a->couplings[i];
        const tml_coupling_def* y = &b->couplings[i];
        CHECK_TEXT(y->name, x->name);
        CHECK(x->term_count == y->term_count && same_bits(&x->offset, &y->offset, 1));
        CHECK(same_bits(&x->compliance, &y->compliance, 1) && same_bits(&x->weight, &y->weight, 1));
        for (int k = 0; k < x->term_count; k++) {
            CHECK(x->terms[k].joint.index == y->terms[k].joint.index);
            CHECK(x->terms[k].axis == y->terms[k].axis && x->terms[k].degree == y->terms[k].degree);
            CHECK(same_bits(x->terms[k].coefficient, y->terms[k].coefficient, x->terms[k].degree));
        }
    }
}

static void check_springs(const definitions* a, const definitions* b)
{
    CHECK(a->spring_count == b->spring_count);
    for (int i = 0; i < a->spring_count; i++) {
        const tml_spring_def* x = &a->springs[i];
        const tml_spring_def* y = &b->springs[i];
        const double u[3] = {x->stiffness, x->damping, x->rest_length};
        const double v[3] = {y->stiffness, y->damping, y->rest_length};
        CHECK_TEXT(y->name, x->name);
        CHECK(same_bits(u, v, 3) && x->law == y->law && x->point_count == y->point_count);
        for (int k = 0; k < x->point_count; k++) {
            CHECK(x->points[k].body.index == y->points[k].body.index);
            CHECK(memcmp(&x->points[k].position, &y->points[k].position, sizeof(tml_vec3)) == 0);
        }
        CHECK(x->table_count == y->table_count);
        CHECK(same_bits(x->table_extensions, y->table_extensions, x->table_count));
        CHECK(same_bits(x->table_forces, y->table_forces, x->table_count));
        CHECK(same_control(&x->force, &y->force));
    }
}

static void check_forces(const definitions* a, const definitions* b)
{
    check_springs(a, b);
    CHECK(a->wrench_count == b->wrench_count && a->drag_count == b->drag_count);
    for (int i = 0; i < a->wrench_count; i++) {
        const tml_wrench_def* x = &a->wrenches[i];
        const tml_wrench_def* y = &b->wrenches[i];
        CHECK_TEXT(y->name, x->name);
        CHECK(x->body.index == y->body.index && memcmp(&x->point, &y->point, sizeof x->point) == 0);
        for (int k = 0; k < 3; k++) CHECK(same_control(&x->force[k], &y->force[k]));
        for (int k = 0; k < 3; k++) CHECK(same_control(&x->torque[k], &y->torque[k]));
    }
    for (int i = 0; i < a->drag_count; i++) {
        const tml_drag_def* x = &a->drags[i];
        const tml_drag_def* y = &b->drags[i];
        CHECK_TEXT(y->name, x->name);
        CHECK(x->body.index == y->body.index && same_bits(&x->linear, &y->linear, 1));
        CHECK(same_bits(&x->angular, &y->angular, 1));
        CHECK(memcmp(&x->wind, &y->wind, sizeof x->wind) == 0);
    }
}

static void check_settings(const tml_run_settings* a, const tml_run_settings* b)
{
    const double x[] = {a->sim.step, a->sim.tolerance, a->sim.implicit.baumgarte, a->duration};
    const double y[] = {b->sim.step, b->sim.tolerance, b->sim.implicit.baumgarte, b->duration};
    CHECK(same_bits(x, y, 4));
    CHECK(a->sim.formulation == b->sim.formulation && a->sim.integrator == b->sim.integrator);
    CHECK(a->sim.solver == b->sim.solver && a->sim.implicit.start == b->sim.implicit.start);
    CHECK(a->sim.max_iterations == b->sim.max_iterations && a->sim.threads == b->sim.threads);
}

static tml_scene* read_back(const char* text, size_t length)
{
    tml_scene* scene = tml_scene_create();
    const tml_status status = tml_scene_read_text(scene, text, length, "written.json");
    if (status != TML_OK) printf("%s\n%s", tml_scene_message(scene), text);
    CHECK(status == TML_OK);
    return scene;
}

// read -> write -> read -> write: the same definitions, bit by bit, and the same text.
static void check_round_trip(tml_scene* first)
{
    char* text = NULL;
    char* again = NULL;
    size_t length = 0;
    size_t again_length = 0;
    CHECK(tml_scene_write_text(first, &text, &length) == TML_OK);
    CHECK(strlen(text) == length);
    tml_scene* second = read_back(text, length);

    const definitions* a = scene_all(first);
    const definitions* b = scene_all(second);
    CHECK_TEXT(b->name, a->name);
    CHECK(memcmp(&a->gravity, &b->gravity, sizeof a->gravity) == 0);
    check_bodies(a, b);
    check_world(a, b);
    check_joints(a, b);
    check_couplings(a, b);
    check_forces(a, b);
    check_settings(tml_scene_settings(first), tml_scene_settings(second));

    CHECK(tml_scene_write_text(second, &again, &again_length) == TML_OK);
    CHECK(again_length == length);
    CHECK_TEXT(again, text);
    tml_text_free(text);
    tml_text_free(again);
    tml_scene_destroy(second);
}

TEST(a_scene_with_every_key_survives_writing_and_reading)
{
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    check_round_trip(scene);
    tml_scene_destroy(scene);
}

TEST(a_small_scene_is_written_short)
{
    tml_scene* scene = scene_from(
        "{'trammel': 1, 'name': 'p', 'bodies': [{'name': 'rod', 'mass': 1, 'inertia': [0.01, "
        "0.083, "
        "0.083], 'position': [0.5, 0, 0]}], 'joints': [{'name': 'pin', 'type': 'revolute', 'base': "
        "'world', 'follower': 'rod', 'axis': [0, 1, 0]}]}");
    char* text = NULL;
    size_t length = 0;
    CHECK(tml_scene_write_text(scene, &text, &length) == TML_OK);
    CHECK_TEXT(text,
               "{\n"
               "  \"trammel\": 1,\n"
               "  \"name\": \"p\",\n"
               "  \"gravity\": [0, 0, -9.81],\n"
               "  \"bodies\": [\n"
               "    {\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.01, 0.083, 0.083], "
               "\"position\": [0.5, 0, 0], \"orientation\": [1, 0, 0, 0]}\n"
               "  ],\n"
               "  \"joints\": [\n"
               "    {\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\", \"follower\": "
               "\"rod\", \"position\": [0, 0, 0], \"axis\": [0, 1, 0]}\n"
               "  ],\n"
               "  \"simulation\": {\"formulation\": \"quaternion\", \"integrator\": \"bdf2\", "
               "\"step\": 0.01, \"duration\": 10, \"tolerance\": 1e-10, \"max_iterations\": 30, "
               "\"solver\": \"auto\"}\n"
               "}\n");
    tml_text_free(text);
    tml_scene_destroy(scene);
}

// What a program may say and a file cannot say in the same words.
TEST(definitions_made_by_a_program_survive_writing_and_reading)
{
    tml_scene* scene = tml_scene_create();
    tml_spec* spec = tml_scene_spec(scene);
    tml_body_def body = tml_body_def_default();
    body.name = "odd \"name\"\\ with, all: sorts\x01";
    body.pose.p = (tml_vec3){-0.0, 1.0 / 3.0, 1e-310};
    tml_spec_set_name(spec, "");
    const tml_body b = tml_spec_add_body(spec, &body);

    tml_joint_def joint = tml_joint_def_default();
    joint.kind = TML_JOINT_REVOLUTE;
    joint.follower = b;
    joint.axis = (tml_vec3){0.0, 0.0, 1.0};
    joint.has_follower_frame = 1;  // with world axes, unlike the base
    joint.axis_of[TML_AXIS_RX].has_limits = 1;
    joint.axis_of[TML_AXIS_RX].lower = -HUGE_VAL;
    joint.axis_of[TML_AXIS_RX].upper = 1.0;
    joint.axis_of[TML_AXIS_RX].weight = 7.0;  // no row there: it says nothing
    tml_spec_add_joint(spec, &joint);
    CHECK(tml_spec_status(spec) == TML_OK);

    char* text = NULL;
    size_t length = 0;
    CHECK(tml_scene_write_text(scene, &text, &length) == TML_OK);
    tml_scene* again = tml_scene_create();
    CHECK(tml_scene_read_text(again, text, length, "written.json") == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(again), "holds a control character");
    tml_text_free(text);
    tml_scene_destroy(again);

    // without the control character it comes back whole
    tml_scene* clean = tml_scene_create();
    body.name = "odd \"name\"\\ with, all: sorts";
    tml_spec_add_body(tml_scene_spec(clean), &body);
    tml_spec_add_joint(tml_scene_spec(clean), &joint);
    CHECK(tml_scene_write_text(clean, &text, &length) == TML_OK);
    again = read_back(text, length);
    const tml_joint_def j = tml__joint_expand(&scene_all(again)->joints[0]);
    CHECK_TEXT(scene_all(again)->bodies[0].name, body.name);
    CHECK(memcmp(&scene_all(again)->bodies[0].pose, &body.pose, sizeof body.pose) == 0);
    CHECK(j.has_follower_axes && fabs(j.follower_axes[0].x - 1.0) <= 0.0);
    CHECK(j.axis_of[TML_AXIS_RX].lower < -1e308 && j.axis_of[TML_AXIS_RX].upper <= 1.0);
    check_round_trip(again);
    tml_text_free(text);
    tml_scene_destroy(again);
    tml_scene_destroy(clean);
    tml_scene_destroy(scene);
}

TEST(numbers_that_are_not_finite_and_names_that_are_not_utf8_are_not_written)
{
    char* text = NULL;
    size_t length = 0;
    tml_scene* scene = tml_scene_create();
    tml_body_def body = tml_body_def_default();
    tml_spec_add_body(tml_scene_spec(scene), &body);
    tml_scene_settings(scene)->duration = HUGE_VAL;
    CHECK(tml_scene_write_text(scene, &text, &length) == TML_BAD_ARGUMENT);
    CHECK(text == NULL);
    CHECK_CONTAINS(tml_scene_message(scene), "not finite");
    tml_scene_settings(scene)->duration = 1.0;
    CHECK(tml_scene_write_text(scene, &text, &length) == TML_OK);
    tml_text_free(text);

    tml_spec_set_name(tml_scene_spec(scene), "caf\xe9");
    CHECK(tml_scene_write_text(scene, &text, &length) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "not valid UTF-8");
    tml_scene_destroy(scene);
}

TEST(a_scene_written_to_a_file_is_there_and_a_bad_path_is_an_error_that_says_why)
{
    const char* path = TEST_BINARY_DIR "/io_write.scene.json";
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, EVERYTHING) == TML_OK);
    CHECK(tml_scene_write_file(scene, path) == TML_OK);
    tml_scene* again = tml_scene_create();
    CHECK(tml_scene_read_file(again, path) == TML_OK);
    check_bodies(scene_all(scene), scene_all(again));
    remove(path);

    CHECK(tml_scene_write_file(scene, TEST_BINARY_DIR "/no/such/folder/x.json") == TML_BAD_FILE);
    CHECK_CONTAINS(tml_scene_message(scene), "/no/such/folder/x.json: cannot be written: No such");
    FILE* full = fopen("/dev/full", "wb");
    if (full != NULL) {
        fclose(full);
        CHECK(tml_scene_write_file(scene, "/dev/full") == TML_BAD_FILE);
        CHECK_CONTAINS(tml_scene_message(scene), "No space left");
    }
    tml_scene_destroy(again);
    tml_scene_destroy(scene);
}
