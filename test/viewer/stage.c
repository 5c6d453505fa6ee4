// The stage behind the viewer, without sockets: playing, stepping, scrubbing, switching, pushing,
// bounded memory, and the words of its commands.
#include "scenes/scenes.h"
#include "test/check.h"
#include "test_paths.h"
#include "viewer/commands.h"
#include "viewer/describe.h"
#include "viewer/frames.h"

#include <trammel/trammel.h>

#define PATH TEST_BINARY_DIR "/viewer_stage.csv"

enum {
    PLENTY = 64 << 20
};

typedef struct live {
    tml_scene* scene;
    tml_model* model;
    stage stage;
} live;

static live open_scene(const char* name, size_t budget)
{
    live l = {.scene = tml_scene_create()};
    CHECK(scenes_fill(l.scene, scenes_find(name)) == TML_OK);
    CHECK(tml_scene_build(l.scene, &l.model) == TML_OK);
    CHECK(stage_open_live(&l.stage, l.model, &tml_scene_settings(l.scene)->sim, budget) == TML_OK);
    return l;
}

static void close_scene(live* l)
{
    stage_close(&l->stage);
    tml_model_destroy(l->model);
    tml_scene_destroy(l->scene);
}

static command_answer say(stage* s, const char* words)
{
    command_request request = {0};
    return command_apply(s, words, strlen(words), &request);
}

static double time_shown(const stage* s) { return s->frames[s->shown]->time; }

TEST(frames_hold_what_the_simulation_says)
{
    live l = open_scene("four-bar", PLENTY);
    stage* s = &l.stage;
    CHECK(say(s, "step 25") == ANSWER_NONE);
    CHECK(s->frame_count == 26 && s->shown == 25);

    const stage_frame* f = s->frames[25];
    CHECK(f->time == tml_sim_time(s->sim));
    CHECK(f->values[0] == (float)tml_sim_energy(s->sim).kinetic);
    CHECK(f->values[STAGE_GAP] == (float)tml_sim_gap(s->sim));
    const tml_pose pose = tml_sim_pose(s->sim, (tml_body){1});
    CHECK(f->values[STAGE_POSES + 7] == (float)pose.p.x);
    CHECK(f->values[STAGE_POSES + 7 + 6] == (float)pose.q.z);
    const tml_load load = tml_sim_joint_load(s->sim, (tml_joint){2});
    CHECK(f->values[s->loads_at + 12 + 2] == (float)load.force.z);
    double q[TML_AXES];
    tml_sim_joint_coordinates(s->sim, (tml_joint){2}, q);
    CHECK(f->values[s->coordinates_at + s->coordinate_first[2]] == (float)q[0]);
    close_scene(&l);
}

TEST(time_can_be_walked_back_and_goes_on_from_the_newest_state)
{
    live l = open_scene("pendulum", PLENTY);
    stage* s = &l.stage;
    const double h = s->settings.step;

    say(s, "step 10");
    say(s, "back 4");
    CHECK_NEAR(time_shown(s), 6 * h, 1e-15);
    say(s, "back 100");
    CHECK(time_shown(s) == 0.0);
    CHECK(say(s, "seek 0.055") == ANSWER_NONE);
    CHECK_NEAR(time_shown(s), h * floor(0.055 / h), 1e-12);
    say(s, "seek 1e9");
    CHECK_NEAR(time_shown(s), 10 * h, 1e-15);
    say(s, "seek 0");
    say(s, "step 12");  // ten of them from the history
    CHECK(s->frame_count == 13);
    CHECK_NEAR(time_shown(s), 12 * h, 1e-15);

    // the same as without any of it
    live straight = open_scene("pendulum", PLENTY);
    say(&straight.stage, "step 12");
    CHECK(stage_hash(s) == stage_hash(&straight.stage));
    close_scene(&straight);
    close_scene(&l);
}

TEST(the_clock_runs_at_its_speed_and_simulates_what_is_missing)
{
    live l = open_scene("pendulum", PLENTY);
    stage* s = &l.stage;
    stage_advance(s, 1.0, 10.0);
    CHECK(s->frame_count == 1);  // paused
    say(s, "play");
    say(s, "speed 2");
    for (int k = 0; k < 10; k++) stage_advance(s, 0.05, 10.0);
    CHECK_NEAR(s->cursor, 1.0, 1e-9);
    CHECK(s->head >= 1.0 - 1e-9 && s->head < 1.0 + 2.0 * s->settings.step);
    say(s, "pause");
    stage_advance(s, 1.0, 10.0);
    CHECK_NEAR(s->cursor, 1.0, 1e-9);

    // in the past it replays, without a step
    const int frames = s->frame_count;
    say(s, "seek 0.2");
    say(s, "play");
    stage_advance(s, 0.1, 10.0);
    CHECK_NEAR(s->cursor, 0.4, 1e-9);
    CHECK(s->frame_count == frames);
    close_scene(&l);
}

TEST(a_full_history_is_thinned_evenly_and_says_so)
{
    live l = open_scene("pendulum", PLENTY);
    stage* s = &l.stage;
    s->budget = 64 * (sizeof(stage_frame) + (size_t)s->width * sizeof(float));
    for (int k = 0; k < 300; k++) say(s, "step 1");
    CHECK(s->frame_count <= 64);
    CHECK(s->stride >= 8);
    for (int i = 1; i < s->frame_count; i++) {
        // even, to the round-off of 2000 steps
        CHECK_NEAR(s->frames[i]->time - s->frames[i - 1]->time, s->stride * s->settings.step, 1e-9);
    }
    CHECK(s->frames[0]->time == 0.0);
    text t = {0};
    describe_state(s, &t);
    char stride[40];
    snprintf(stride, sizeof stride, "\"stride\":%d", s->stride);
    CHECK_CONTAINS(t.data, stride);
    text_free(&t);
    close_scene(&l);
}

TEST(the_method_is_switched_where_the_simulation_stands)
{
    live l = open_scene("double-pendulum", PLENTY);
    stage* s = &l.stage;
    say(s, "step 20");
    const float x = s->frames[20]->values[STAGE_POSES];
    CHECK(say(s, "method quaternion bdf3 0.002") == ANSWER_NONE);
    CHECK_TEXT(s->message, "");
    CHECK(s->settings.integrator == TML_TIME_BDF3 && s->settings.step == 0.002);
    CHECK((float)tml_sim_pose(s->sim, (tml_body){0}).p.x == x);
    say(s, "step 5");
    CHECK(s->frame_count == 26);
    CHECK_NEAR(s->frames[25]->time - s->frames[20]->time, 0.01, 1e-12);

    // what does not pair is refused with a sentence, and nothing changes
    const unsigned long long before = stage_hash(s);
    CHECK(say(s, "method quaternion variational 0.01") == ANSWER_NONE);
    CHECK_CONTAINS(s->message, "variational");
    CHECK(stage_hash(s) == before && s->settings.integrator == TML_TIME_BDF3);
    close_scene(&l);
}

TEST(a_ghost_runs_beside_from_the_same_start)
{
    live l = open_scene("double-pendulum", PLENTY);
    stage* s = &l.stage;
    const int bodies = tml_model_body_count(l.model);
    CHECK(say(s, "ghost quaternion bdf1") == ANSWER_NONE);
    CHECK(s->frame_count == 1 && s->width == s->ghost_at + 7 * bodies);
    for (int k = 0; k < 6; k++) say(s, "step 50");
    const float* v = s->frames[300]->values;
    const tml_vec3 ghost = tml_sim_pose(s->ghost, (tml_body){1}).p;
    CHECK(v[s->ghost_at + 7] == (float)ghost.x);
    CHECK(fabsf(v[s->ghost_at + 7] - v[STAGE_POSES + 7]) > 1e-4f);  // another method differs
    CHECK(say(s, "ghost none") == ANSWER_NONE);
    CHECK(s->width == s->ghost_at && s->ghost == NULL);
    close_scene(&l);
}

TEST(choosing_a_ghost_keeps_the_history)
{
    live l = open_scene("double-pendulum", PLENTY);
    stage* s = &l.stage;
    const int bodies = tml_model_body_count(l.model);
    say(s, "step 7");
    const float before = s->frames[3]->values[STAGE_POSES + 7];
    const double head = s->head;
    CHECK(say(s, "ghost quaternion bdf1") == ANSWER_NONE);
    CHECK(s->frame_count == 8 && s->head == head && s->width == s->ghost_at + 7 * bodies);
    CHECK(s->frames[3]->values[STAGE_POSES + 7] == before);
    CHECK(s->frames[3]->values[s->ghost_at + 7] == before);  // it stands where the body was
    say(s, "step 300");
    const float* v = s->frames[307]->values;
    CHECK(fabs(tml_sim_time(s->ghost) - s->head) < 1e-9);
    CHECK(fabsf(v[s->ghost_at + 7] - v[STAGE_POSES + 7]) > 1e-4f);
    const unsigned long long hash = stage_hash(s);
    CHECK(say(s, "ghost none") == ANSWER_NONE);
    CHECK(s->frame_count == 308 && s->width == s->ghost_at && stage_hash(s) != hash);
    CHECK(s->frames[3]->values[STAGE_POSES + 7] == before);
    close_scene(&l);
}

// A sine of 2 N at 1 Hz: at a quarter of a second it is at its peak.
TEST(frames_hold_the_wrenches_of_the_scene)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    body.mass = 1.0;
    for (int k = 0; k < 3; k++) body.inertia[k] = 1.0;
    const tml_body ball = tml_spec_add_body(spec, &body);
    tml_wrench_def wrench = tml_wrench_def_default();
    wrench.body = ball;
    wrench.force[1] = tml_control_sine(0.0, 2.0, 1.0, 0.0);
    wrench.torque[2] = tml_control_constant(-3.0);
    CHECK(tml_spec_add_wrench(spec, &wrench) == TML_OK);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK(tml_model_wrench_count(model) == 1 && tml_model_wrench(model, 1) == NULL);

    stage s;
    tml_sim_settings settings = tml_sim_settings_default();
    settings.step = 0.05;
    CHECK(stage_open_live(&s, model, &settings, PLENTY) == TML_OK);
    CHECK(say(&s, "step 5") == ANSWER_NONE);
    const float* v = s.frames[5]->values + s.wrenches_at;
    CHECK(fabsf(v[1] - 2.0f) < 1e-6f);  // a float of a sine
    CHECK(v[0] == 0.0f && v[5] == -3.0f);
    stage_close(&s);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

// A servo on a hinge without gravity: held at another target it ends there.
TEST(an_input_of_the_page_moves_the_target_of_a_servo)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    body.mass = 1.0;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.1;
    tml_joint_def joint = tml_joint_def_default();
    joint.kind = TML_JOINT_REVOLUTE;
    joint.base = TML_WORLD;
    joint.follower = tml_spec_add_body(spec, &body);
    joint.axis = (tml_vec3){0.0, 0.0, 1.0};
    joint.axis_of[TML_AXIS_RX].has_servo = 1;
    joint.axis_of[TML_AXIS_RX].servo_target = tml_control_constant(0.0);
    joint.axis_of[TML_AXIS_RX].servo_stiffness = 50.0;
    joint.axis_of[TML_AXIS_RX].servo_damping = 5.0;
    tml_spec_add_joint(spec, &joint);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    stage s;
    tml_sim_settings settings = tml_sim_settings_default();
    settings.step = 0.01;
    CHECK(stage_open_live(&s, model, &settings, PLENTY) == TML_OK);
    CHECK(say(&s, "input 1 0.5") == ANSWER_NONE);  // there is none of that number
    CHECK(say(&s, "input 0 nan") == ANSWER_BAD);
    CHECK(say(&s, "input 0 0.7") == ANSWER_NONE);
    say(&s, "step 400");
    const float* q = s.frames[s.shown]->values + s.coordinates_at;
    CHECK(fabsf(q[0] - 0.7f) < 1e-4f);  // e^-40 of the way is left after 4 s, floats hold 7 digits
    CHECK(say(&s, "input 0 auto") == ANSWER_NONE);
    say(&s, "step 400");
    CHECK(fabsf(s.frames[s.shown]->values[s.coordinates_at]) < 1e-4f);
    stage_close(&s);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

TEST(a_push_moves_the_body_and_letting_go_ends_it)
{
    live l = open_scene("pendulum", PLENTY);
    live still = open_scene("pendulum", PLENTY);
    CHECK(say(&l.stage, "push 0 0 0 0 0 50 0 0 0 0") == ANSWER_NONE);
    say(&l.stage, "step 10");
    say(&still.stage, "step 10");
    const float pushed = l.stage.frames[10]->values[STAGE_POSES + 1];
    const float fell = still.stage.frames[10]->values[STAGE_POSES + 1];
    CHECK(pushed > fell + 0.01f);
    CHECK(say(&l.stage, "release") == ANSWER_NONE);
    CHECK(l.stage.push.body == -1);
    CHECK(say(&l.stage, "push 5 0 0 0 0 0 50 0 0 0") == ANSWER_NONE);
    CHECK_CONTAINS(l.stage.message, "no body 5");
    close_scene(&still);
    close_scene(&l);
}

TEST(a_slider_leads_its_axis_to_its_value_and_auto_gives_it_back)
{
    live l = open_scene("robot-arm", PLENTY);
    stage* s = &l.stage;
    CHECK(tml_model_control_count(l.model) > 1);
    const double start = tml_model_control_value(l.model, 0, 0.0);
    char words[80];
    snprintf(words, sizeof words, "control 0 %.6f", start + 0.3);
    CHECK(say(s, words) == ANSWER_NONE);
    const int steps = (int)(1.2 / s->settings.step);
    for (int k = 0; k < steps; k++) say(s, "step 1");
    CHECK(!s->has_failed);
    CHECK_NEAR(s->given[0], start + 0.3, 1e-3);  // ten time constants
    // the other axes follow the scene
    CHECK_NEAR(s->given[1], tml_model_control_value(l.model, 1, tml_sim_time(s->sim)), 1e-12);
    CHECK(say(s, "control 0 auto") == ANSWER_NONE);
    CHECK(s->driven_count == 0);
    close_scene(&l);
}

TEST(words_that_are_no_command_are_recognised)
{
    static const char* const bad[] = {
        "",
        " ",
        "dance",
        "seek",
        "seek x",
        "seek nan",
        "seek inf",
        "step 0",
        "step 1e9",
        "step 1.5",
        "back -1",
        "speed",
        "speed fast",
        "play now",
        "method",
        "method a b 1",
        "method quaternion bdf2 0",
        "method quaternion bdf2 -1",
        "method quaternion bdf2 2",
        "ghost",
        "ghost quaternion",
        "push",
        "push 0 1 2 3",
        "push -1 0 0 0 0 0 0 0 0 0",
        "push 0 0 0 0 nan 0 0 0 0 0",
        "push 0 0 0 0 1e300 0 0 0 0 0",
        "control",
        "control x 1",
        "control 0",
        "series",
        "series 1",
        "series 1 99999999",
        "series 1 -2",
        "ack",
        "ack -1",
        "ack 5000000000",
        "hash me",
    };
    live l = open_scene("pendulum", PLENTY);
    const unsigned long long before = stage_hash(&l.stage);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const command_answer answer = say(&l.stage, bad[i]);
        CHECK(answer == ANSWER_BAD);
        if (answer != ANSWER_BAD) printf("'%s'\n", bad[i]);
    }
    static char big[COMMAND_MOST + 10];
    memset(big, '1', sizeof big);
    command_request request;
    CHECK(command_apply(&l.stage, big, sizeof big, &request) == ANSWER_BAD);
    CHECK(command_apply(&l.stage, "play\0me", 7, &request) == ANSWER_BAD);
    CHECK(stage_hash(&l.stage) == before && !l.stage.is_playing);
    close_scene(&l);
}

TEST(series_are_the_numbers_of_the_frames)
{
    live l = open_scene("pendulum", PLENTY);
    stage* s = &l.stage;
    for (int k = 0; k < 50; k++) say(s, "step 1");
    const int offsets[2] = {STAGE_POSES + 2, -1};
    float out[3 * 60];
    CHECK(stage_series(s, offsets, 2, 60, out) == 51);
    for (int i = 0; i < 51; i++) {
        CHECK(out[i] == (float)s->frames[i]->time);
        CHECK(out[51 + i] == s->frames[i]->values[STAGE_POSES + 2]);
        CHECK(out[102 + i] == s->frames[i]->values[0] + s->frames[i]->values[1]);
    }
    CHECK(stage_series(s, offsets, 2, 10, out) <= 10);
    close_scene(&l);
}

// A ball that rests on the ground: what the contacts of a frame push is its weight.
TEST(frames_hold_the_contacts_of_a_live_simulation)
{
    static const char words[] =
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"world\", \"shapes\": [{\"type\": "
        "\"plane\"}]}, {\"name\": \"ball\", \"mass\": 2, \"inertia\": [0.2, 0.2, 0.2], "
        "\"position\": [0, 0, 0.5], \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.5}]}], "
        "\"simulation\": {\"formulation\": \"generalized\", \"contact\": true, \"step\": 0.01}}";
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    stage s;
    CHECK(tml_scene_read_text(scene, words, sizeof words - 1, "ball.json") == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(stage_open_live(&s, model, &tml_scene_settings(scene)->sim, PLENTY) == TML_OK);
    CHECK(s.has_contacts);
    say(&s, "step 20");
    const stage_frame* f = s.frames[20];
    double up = 0.0;
    for (int i = 0; i < f->contact_count; i++)
        up += (double)f->values[s.width + STAGE_CONTACT * i + 5];
    CHECK(f->contact_count >= 1);
    CHECK_NEAR(up, 2.0 * 9.81, 1e-4);                                          // floats of 20 N
    CHECK(f->values[s.width + 6] == 0.0f && f->values[s.width + 7] == -1.0f);  // ball on world
    stage_close(&s);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

// ---- recordings

static void store(const char* path, const char* words)
{
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs(words, file);
    fclose(file);
}

TEST(a_recording_plays_with_its_contacts)
{
    store(PATH, "t,rod.px,rod.py,rod.pz,rod.qw,rod.qx,rod.qy,rod.qz,gap\n"
                "0,0.5,0,0,1,0,0,0,0\n0.1,0.6,0,0,1,0,0,0,1e-12\n0.2,0.7,0,0,1,0,0,0,2e-12\n");
    store(TEST_BINARY_DIR "/viewer_stage.contacts.csv",
          "t,a,b,px,py,pz,nx,ny,nz,gap,fx,fy,fz\n"
          "0.1,rod,world,0.6,0,0,0,0,1,0,0,0,5\n0.1,rod,world,0.7,0,0,0,0,1,0,0,0,6\n"
          "0.2,rod,world,0.7,0,0,0,0,1,0,0,0,7\n");
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_recording* recording = NULL;
    stage s;
    CHECK(scenes_fill(scene, scenes_find("pendulum")) == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_recording_read_file(PATH, NULL, 0, &recording) == TML_OK);
    CHECK(stage_open_recording(&s, model, recording, PLENTY) == TML_OK);
    CHECK(s.frame_count == 3 && s.has_gap && !s.has_energy && !s.has_velocity);
    CHECK(s.frames[0]->contact_count == 0 && s.frames[1]->contact_count == 2);
    CHECK(s.frames[2]->contact_count == 1);
    CHECK(s.frames[1]->values[s.width + STAGE_CONTACT] == 0.7f);  // where the second one is
    CHECK(s.frames[2]->values[s.width + 5] == 7.0f);              // what the third one pushes
    CHECK(s.frames[2]->values[s.width + 6] == 0.0f && s.frames[2]->values[s.width + 7] == -1.0f);
    CHECK(s.frames[1]->values[STAGE_POSES] == 0.6f);
    stage_play(&s, true);
    stage_advance(&s, 0.15, 1.0);
    CHECK(s.shown == 1);
    stage_advance(&s, 1.0, 1.0);
    CHECK(s.shown == 2 && !s.is_playing);  // the end
    say(&s, "push 0 0 0 0 1 1 1 1 1 1");   // nothing to push in a recording
    say(&s, "restart");
    CHECK(s.shown == 0);

    text t = {0};
    CHECK(describe_replay(&s, "", 1 << 20, &t) == 3);
    CHECK(!t.is_broken);
    CHECK_CONTAINS(t.data, "\"contacts\":\"");
    text_free(&t);
    stage_close(&s);
    tml_recording_destroy(recording);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    remove(PATH);
    remove(TEST_BINARY_DIR "/viewer_stage.contacts.csv");
}

TEST(names_cannot_break_out_of_the_description)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    stage s;
    tml_body_def def = tml_body_def_default();
    def.name = "<img src=x onerror=alert(1)>\"</script>";
    tml_spec_add_body(spec, &def);
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_sim_settings settings = tml_sim_settings_default();
    CHECK(stage_open_live(&s, model, &settings, PLENTY) == TML_OK);
    text t = {0};
    describe_model(&s, "", &(mesh_list){0}, &t);
    CHECK(strchr(t.data, '<') == NULL);
    CHECK_CONTAINS(t.data, "\\u003cimg src=x onerror=alert(1)\\u003e\\u0022");
    text_free(&t);
    stage_close(&s);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

TEST(meshes_and_height_fields_are_described_by_what_they_are_made_of)
{
    static const tml_vec3 corners[4] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}};
    static const int faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    static const double heights[4] = {0.0, 0.25, 0.5, 0.75};
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    stage s;
    tml_shape_def shape = tml_shape_def_default();
    shape.kind = TML_SHAPE_MESH;
    shape.vertex_count = 4;
    shape.vertices = corners;
    shape.triangle_count = 4;
    shape.triangles = faces;
    tml_body_def def = tml_body_def_default();
    def.name = "stone";
    def.shapes = &shape;
    def.shape_count = 1;
    tml_spec_add_body(spec, &def);
    def.name = "twin";
    tml_spec_add_body(spec, &def);
    tml_shape_def ground = tml_shape_def_default();
    ground.kind = TML_SHAPE_HEIGHTFIELD;
    ground.size = (tml_vec3){2.0, 2.0, 0.0};
    ground.rows = 2;
    ground.columns = 2;
    ground.heights = heights;
    CHECK(tml_spec_add_world_shape(spec, &ground) == TML_OK);
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_sim_settings settings = tml_sim_settings_default();
    CHECK(stage_open_live(&s, model, &settings, PLENTY) == TML_OK);
    mesh_list meshes;
    meshes_collect(model, (mesh_limits){.each = 100, .all = 100}, &meshes);
    CHECK(meshes.count == 2);  // the ground, and the stone of both bodies
    text t = {0};
    describe_model(&s, "", &meshes, &t);
    CHECK_CONTAINS(t.data, "\"meshes\":[{\"triangles\":2,\"drawn\":true,\"body\":\"world\"},"
                           "{\"triangles\":4,\"drawn\":true,\"body\":\"stone\"}]");
    CHECK_CONTAINS(t.data, "\"mesh\":0");
    CHECK_CONTAINS(t.data, "\"mesh\":1");
    text_free(&t);

    static const float stone[] = {0, 0, 1, 1, 0, 0, 0, 1, 0, -1, -1, 0};
    meshes_pack(meshes.entries[1].shape, &t);
    CHECK(t.length == 8 + sizeof stone + sizeof faces);
    CHECK(memcmp(t.data, (const int[]){4, 4}, 8) == 0);
    CHECK(memcmp(t.data + 8, stone, sizeof stone) == 0);
    CHECK(memcmp(t.data + 8 + sizeof stone, faces, sizeof faces) == 0);
    text_free(&t);

    static const float ground_points[] = {-1, -1, 0, 1, -1, 0.25, -1, 1, 0.5, 1, 1, 0.75};
    static const int ground_faces[] = {0, 1, 3, 0, 3, 2};
    meshes_pack(meshes.entries[0].shape, &t);
    CHECK(t.length == 8 + sizeof ground_points + sizeof ground_faces);
    CHECK(memcmp(t.data + 8, ground_points, sizeof ground_points) == 0);
    CHECK(memcmp(t.data + 8 + sizeof ground_points, ground_faces, sizeof ground_faces) == 0);
    text_free(&t);
    meshes_free(&meshes);

    // what is too large is told, and what comes after it may still fit
    meshes_collect(model, (mesh_limits){.each = 100, .all = 3}, &meshes);
    CHECK(meshes.entries[0].is_drawn && !meshes.entries[1].is_drawn);
    meshes_free(&meshes);
    meshes_collect(model, (mesh_limits){.each = 1, .all = 100}, &meshes);
    describe_model(&s, "", &meshes, &t);
    CHECK_CONTAINS(t.data, "{\"triangles\":4,\"drawn\":false,\"body\":\"stone\"}");
    meshes_free(&meshes);
    text_free(&t);
    stage_close(&s);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}
