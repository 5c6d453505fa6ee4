// wasm/player.c - the playground's Worker: a scene from a text, and the viewer's stage on it.
//
// What the server does over a socket, as calls: the same words come in, the same packets go out. The page's half
// is wasm/playground/. Files that scenes and robots name are in the module's own file system, where the page puts
// those that a user drops.
#include "wasm/player.h"

#include "scenes/scenes.h"
#include "viewer/commands.h"
#include "viewer/describe.h"
#include "viewer/packets.h"

#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A scene on show.
typedef struct show {
    tml_scene* scene;
    tml_model* model;
    stage stage;
    mesh_list meshes;
    text description;             // describe_model
    char message[STAGE_MESSAGE];  // why it could not be opened
} show;

// What the page has seen last.
typedef struct seen {
    int index, count;
    double time;
    unsigned version;
} seen;

// A Worker is one player.
static struct {
    show on;
    seen last;
    text answer;  // of the last call that answers with bytes
    unsigned serial;
} player;

static void show_close(show* p)
{
    if (p->stage.model != NULL) stage_close(&p->stage);
    tml_model_destroy(p->model);
    tml_scene_destroy(p->scene);
    meshes_free(&p->meshes);
    text_free(&p->description);
}

static tml_status refuse(show* p, tml_status status, const char* why)
{
    snprintf(p->message, sizeof p->message, "%s",
             why != NULL && why[0] != '\0' ? why : tml_status_name(status));
    return status;
}

// Robot models often leave loops open by millimetres: the tool closes them too (app/load.c).
static tml_status close_loops(show* p)
{
    char why[512] = "";
    tml_spec* spec = tml_scene_spec(p->scene);
    const tml_assemble_settings settings = tml_assemble_settings_default();
    const size_t bodies = (size_t)tml_model_body_count(p->model);
    tml_pose* poses = calloc(bodies + 1, sizeof *poses);
    tml_assemble_report report;
    if (poses == NULL) return refuse(p, TML_NO_MEMORY, NULL);
    tml_status status = tml_model_assemble(p->model, &settings, poses, &report, why, sizeof why);
    if (status == TML_OK) {
        status = tml_spec_set_poses(spec, poses);
        if (status != TML_OK) snprintf(why, sizeof why, "%s", tml_spec_message(spec));
    }
    free(poses);
    if (status != TML_OK) return refuse(p, status, why);
    tml_model_destroy(p->model);
    p->model = NULL;
    status = tml_scene_build(p->scene, &p->model);
    return status == TML_OK ? TML_OK : refuse(p, status, tml_scene_message(p->scene));
}

static tml_status load(show* p, const char* path)
{
    p->scene = tml_scene_create();
    if (p->scene == NULL) return refuse(p, TML_NO_MEMORY, NULL);
    tml_status status = tml_scene_read_file(p->scene, path);
    if (status == TML_OK) status = tml_scene_build(p->scene, &p->model);
    if (status != TML_OK) return refuse(p, status, tml_scene_message(p->scene));
    const double tolerance = tml_scene_settings(p->scene)->sim.tolerance;
    const bool is_open = tml_model_summarise(p->model).max_gap > tolerance;
    return is_open && tml_scene_is_model(p->scene) ? close_loops(p) : TML_OK;
}

static void note_features(show* p, text* out)
{
    const int count = tml_scene_lint_count(p->scene);
    if (count > 0) text_format(out, "%d not simulated, or taken otherwise than written", count);
    for (int i = 0; i < count; i++) text_format(out, "\n%s", tml_scene_lint(p->scene, i));
}

// ---- what the Worker calls

static tml_status show_open(show* p, const char* path, size_t budget)
{
    tml_status status = load(p, path);
    if (status != TML_OK) return status;
    status = stage_open_live(&p->stage, p->model, &tml_scene_settings(p->scene)->sim, budget);
    if (status != TML_OK) return refuse(p, status, p->stage.message);
    text note = {0};
    note_features(p, &note);
    meshes_collect(p->model, mesh_limits_view, &p->meshes);
    describe_model(&p->stage, note.data != NULL ? note.data : "", &p->meshes, &p->description);
    const bool is_broken = note.is_broken || p->meshes.is_broken || p->description.is_broken;
    text_free(&note);
    return is_broken ? refuse(p, TML_NO_MEMORY, NULL) : TML_OK;
}

// Show the scene or robot in this file of the module's, with so much history. Where the status is not 0,
// player_message says why, and nothing is on show.
EMSCRIPTEN_KEEPALIVE int player_open(const char* path, double megabytes)
{
    show_close(&player.on);
    player.on = (show){0};
    player.last = (seen){.index = -1};
    return (int)show_open(&player.on, path, (size_t)(megabytes * 1048576.0));
}

EMSCRIPTEN_KEEPALIVE const char* player_message(void) { return player.on.message; }

EMSCRIPTEN_KEEPALIVE const char* player_model(void) { return player.on.description.data; }

static text* answer_anew(void)
{
    text_free(&player.answer);
    return &player.answer;
}

EMSCRIPTEN_KEEPALIVE const char* player_state(void)
{
    describe_state(&player.on.stage, answer_anew());
    return player.answer.data;
}

EMSCRIPTEN_KEEPALIVE int player_size(void) { return (int)player.answer.length; }

// What player_command has left, where it answered 1.
EMSCRIPTEN_KEEPALIVE const char* player_series(void)
{
    return player.answer.is_broken ? NULL : player.answer.data;
}

static const char* packet(void) { return player.answer.is_broken ? NULL : player.answer.data; }

EMSCRIPTEN_KEEPALIVE const char* player_mesh(int number)
{
    const mesh_list* meshes = &player.on.meshes;
    text* out = answer_anew();
    if (number < 0 || number >= meshes->count || !meshes->entries[number].is_drawn) return NULL;
    meshes_pack(meshes->entries[number].shape, out);
    return packet();
}

// Let time pass; whether there is something new to show.
EMSCRIPTEN_KEEPALIVE int player_turn(double elapsed, double allowed)
{
    stage* s = &player.on.stage;
    const seen last = player.last;
    // after a pause of the whole page the clock does not jump
    if (elapsed > 0.0) stage_advance(s, elapsed < 0.25 ? elapsed : 0.25, allowed);
    player.last = (seen){s->shown, s->frame_count, s->frames[s->shown]->time, s->version};
    return last.index != player.last.index || last.count != player.last.count ||
           last.time != player.last.time || last.version != player.last.version;
}

EMSCRIPTEN_KEEPALIVE const char* player_frame(void)
{
    packet_frame(&player.on.stage, ++player.serial, answer_anew());
    return packet();
}

// One line of words: 0 done, 1 there is a packet (numbers that were asked for), -1 no such command.
EMSCRIPTEN_KEEPALIVE int player_command(const char* words)
{
    command_request request;
    switch (command_apply(&player.on.stage, words, strlen(words), &request)) {
    case ANSWER_SERIES: packet_series(&player.on.stage, &request, answer_anew()); return 1;
    case ANSWER_BAD: return -1;
    case ANSWER_NONE:
    case ANSWER_ACK:
    case ANSWER_HASH: break;
    }
    return 0;
}

// A number for every bit that was shown, as 16 digits: equal to the server's for equal runs.
EMSCRIPTEN_KEEPALIVE const char* player_hash(void)
{
    text_format(answer_anew(), "%016llx", stage_hash(&player.on.stage));
    return player.answer.data;
}

// ---- the built-in scenes

// [["pendulum", "what it is"], ...]: without those of thousands of bodies
EMSCRIPTEN_KEEPALIVE const char* player_scenes(void)
{
    text* out = answer_anew();
    text_put(out, "[");
    for (int i = 0; i < scenes_small_count(); i++) {
        const scene_entry* entry = scenes_at(i);
        text_comma(out, i);
        text_put(out, "[");
        text_string(out, entry->name);
        text_put(out, ",");
        text_string(out, entry->description);
        text_put(out, "]");
    }
    text_put(out, "]");
    return out->data;
}

// The text of one, as `trammel scene NAME` prints it; NULL where there is none.
EMSCRIPTEN_KEEPALIVE const char* player_scene(const char* name)
{
    text* out = answer_anew();
    const scene_entry* entry = scenes_find(name);
    if (entry == NULL) return NULL;
    if (scenes_text(entry) != NULL) return scenes_text(entry);
    tml_scene* scene = tml_scene_create();
    char* words = NULL;
    size_t length = 0;
    if (scene != NULL && scenes_fill(scene, entry) == TML_OK &&
        tml_scene_write_text(scene, &words, &length) == TML_OK) {
        text_put_bytes(out, words, length);
        tml_text_free(words);
    }
    tml_scene_destroy(scene);
    return out->data;
}
