// viewer/describe.c - bodies, shapes, joints, methods and the clock as JSON.
#include "viewer/describe.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void flat_pose(const tml_pose* pose, double out[7])
{
    const double list[7] = {pose->p.x, pose->p.y, pose->p.z, pose->q.w,
                            pose->q.x, pose->q.y, pose->q.z};
    memcpy(out, list, sizeof list);
}

// ---- shapes: each distinct one once

typedef struct shape_table {
    const tml_shape_def** list;
    int count, capacity;
    int* slots;  // hash table of indices, -1: free
    size_t slot_count;
    bool is_broken;
} shape_table;

static size_t hash_shape(const tml_shape_def* s)
{
    const double size[3] = {s->size.x, s->size.y, s->size.z};
    const unsigned char* p = (const unsigned char*)size;
    unsigned long long h =
        (unsigned long long)s->kind * 31 + s->color[0] + 7u * s->color[1] + 61u * s->color[2];
    for (size_t i = 0; i < sizeof size; i++) h = (h ^ p[i]) * 1099511628211u;
    return (size_t)h;
}

static bool looks_alike(const tml_shape_def* a, const tml_shape_def* b)
{
    return a->kind == b->kind && a->size.x == b->size.x && a->size.y == b->size.y &&
           a->size.z == b->size.z && memcmp(a->color, b->color, sizeof a->color) == 0 &&
           a->vertices == b->vertices && a->heights == b->heights;
}

static bool grow_table(shape_table* t)
{
    const int capacity = t->capacity > 0 ? 2 * t->capacity : 64;
    const tml_shape_def** list = realloc(t->list, (size_t)capacity * sizeof *list);
    if (list == NULL) return false;
    t->list = list;
    const size_t slot_count = 4 * (size_t)capacity;
    int* slots = realloc(t->slots, slot_count * sizeof *slots);
    if (slots == NULL) return false;
    t->slots = slots;
    t->slot_count = slot_count;
    t->capacity = capacity;
    for (size_t i = 0; i < t->slot_count; i++) slots[i] = -1;
    for (int k = 0; k < t->count; k++) {
        size_t at = hash_shape(t->list[k]) % t->slot_count;
        while (slots[at] >= 0) at = (at + 1) % t->slot_count;
        slots[at] = k;
    }
    return true;
}

// The index of a shape in the table; new ones are added.
static int shape_index(shape_table* t, const tml_shape_def* s)
{
    if (t->count == t->capacity && !grow_table(t)) t->is_broken = true;
    if (t->is_broken) return 0;
    size_t at = hash_shape(s) % t->slot_count;
    for (; t->slots[at] >= 0; at = (at + 1) % t->slot_count) {
        if (looks_alike(t->list[t->slots[at]], s)) return t->slots[at];
    }
    t->slots[at] = t->count;
    t->list[t->count] = s;
    return t->count++;
}

static const tml_shape_def* shapes_of(const tml_model* model, int body, int* count)
{
    if (body < 0) return tml_model_world_shapes(model, count);
    const tml_body_def* def = tml_model_body(model, (tml_body){body});
    *count = def->shape_count;
    return def->shapes;
}

typedef void (*put_part)(text* out, shape_table* t, int body, const tml_shape_def* s, long long i);

static void put_part_body(text* out, shape_table* t, int body, const tml_shape_def* s, long long i)
{
    (void)t;
    (void)s;
    text_comma(out, i);
    text_format(out, "%d", body);
}

static void put_part_shape(text* out, shape_table* t, int body, const tml_shape_def* s, long long i)
{
    (void)body;
    text_comma(out, i);
    text_format(out, "%d", shape_index(t, s));
}

static void put_part_pose(text* out, shape_table* t, int body, const tml_shape_def* s, long long i)
{
    double pose[7];
    (void)t;
    (void)body;
    flat_pose(&s->pose, pose);
    text_pose(out, pose, i);
}

static void put_parts(const tml_model* model, shape_table* t, put_part put, text* out)
{
    long long i = 0;
    for (int b = -1; b < tml_model_body_count(model); b++) {
        int count = 0;
        const tml_shape_def* shapes = shapes_of(model, b, &count);
        for (int k = 0; k < count; k++) {
            if (!shapes[k].hidden) put(out, t, b, &shapes[k], i++);
        }
    }
}

static void describe_shapes(const tml_model* model, const mesh_list* meshes, text* out)
{
    shape_table t = {0};

    text_put(out, ",\"parts\":{\"body\":[");
    put_parts(model, &t, put_part_body, out);
    text_put(out, "],\"shape\":[");
    put_parts(model, &t, put_part_shape, out);
    text_put(out, "],\"pose\":[");
    put_parts(model, &t, put_part_pose, out);
    text_put(out, "]},\"shapes\":[");
    for (int i = 0; i < t.count; i++) {
        const tml_shape_def* s = t.list[i];
        text_comma(out, i);
        text_format(out, "{\"kind\":\"%s\",\"size\":[%.9g,%.9g,%.9g],\"color\":\"#%02x%02x%02x\"",
                    tml_shape_kind_name(s->kind), s->size.x, s->size.y, s->size.z, s->color[0],
                    s->color[1], s->color[2]);
        const int mesh = meshes_find(meshes, s);
        if (mesh >= 0) text_format(out, ",\"mesh\":%d", mesh);
        text_put(out, "}");
    }
    text_put(out, "]");
    meshes_describe(model, meshes, out);
    if (t.is_broken) out->is_broken = true;
    free(t.list);
    free(t.slots);
}

// ---- bodies and joints

static void describe_bodies(const tml_model* model, text* out)
{
    const int count = tml_model_body_count(model);

    text_put(out, ",\"bodies\":{\"names\":[");
    for (int i = 0; i < count; i++) {
        text_comma(out, i);
        text_string(out, tml_model_body_name(model, (tml_body){i}));
    }
    text_put(out, "],\"mass\":[");
    for (int i = 0; i < count; i++) {
        text_comma(out, i);
        text_number(out, tml_model_body(model, (tml_body){i})->mass);
    }
    text_put(out, "],\"fixed\":[");
    for (int i = 0; i < count; i++) {
        text_comma(out, i);
        text_put(out, tml_model_body(model, (tml_body){i})->is_fixed ? "1" : "0");
    }
    text_put(out, "],\"com\":[");
    for (int i = 0; i < count; i++) {
        const tml_vec3 c = tml_model_body(model, (tml_body){i})->com;
        text_comma(out, i);
        text_format(out, "%.9g,%.9g,%.9g", c.x, c.y, c.z);
    }
    text_put(out, "],\"inertia\":[");
    for (int i = 0; i < count; i++) {
        const double* inertia = tml_model_body(model, (tml_body){i})->inertia;
        for (int k = 0; k < 6; k++) {
            text_comma(out, i + k);
            text_number(out, inertia[k]);
        }
    }
    text_put(out, "]}");
    text_format(out, ",\"movingMass\":%.9g", tml_model_summarise(model).mass);
}

static void describe_frames(const tml_model* model, bool is_base, text* out)
{
    text_put(out, is_base ? "],\"frameBase\":[" : "],\"frameFollower\":[");
    for (int j = 0; j < tml_model_joint_count(model); j++) {
        tml_pose base;
        tml_pose follower;
        double pose[7];
        if (tml_model_joint_frames(model, (tml_joint){j}, &base, &follower) != TML_OK) return;
        flat_pose(is_base ? &base : &follower, pose);
        text_pose(out, pose, j);
    }
}

static void describe_joints(const stage* s, text* out)
{
    const tml_model* model = s->model;
    const int count = tml_model_joint_count(model);

    text_put(out, ",\"joints\":{\"names\":[");
    for (int j = 0; j < count; j++) {
        text_comma(out, j);
        text_string(out, tml_model_joint_name(model, (tml_joint){j}));
    }
    text_put(out, "],\"base\":[");
    for (int j = 0; j < count; j++) {
        text_comma(out, j);
        text_format(out, "%d", tml_model_joint(model, (tml_joint){j}).base.index);
    }
    text_put(out, "],\"follower\":[");
    for (int j = 0; j < count; j++) {
        text_comma(out, j);
        text_format(out, "%d", tml_model_joint(model, (tml_joint){j}).follower.index);
    }
    text_put(out, "],\"axes\":[");
    for (int j = 0; j < count; j++) {
        tml_axis axes[TML_AXES];
        const int free_count = tml_model_joint_axes(model, (tml_joint){j}, axes);
        text_comma(out, j);
        text_put(out, "[");
        for (int k = 0; k < free_count; k++) {
            text_comma(out, k);
            text_string(out, tml_axis_name(axes[k]));
        }
        text_put(out, "]");
    }
    text_put(out, "],\"kinds\":[");
    for (int j = 0; j < count; j++) {
        text_comma(out, j);
        text_string(out, tml_joint_kind_name(tml_model_joint(model, (tml_joint){j}).kind));
    }
    text_put(out, "],\"coordinateFirst\":[");
    for (int j = 0; j < count; j++) {
        text_comma(out, j);
        text_format(out, "%d", s->coordinate_first[j]);
    }
    describe_frames(model, true, out);
    describe_frames(model, false, out);
    text_format(out, "]},\"coordinateCount\":%d", s->coordinate_first[count]);
}

// Which joint coordinates have limits: the joint, which of its free axes, and the two ends.
static void describe_limits(const tml_model* model, text* out)
{
    int written = 0;

    text_put(out, ",\"limits\":[");
    for (int j = 0; j < tml_model_joint_count(model); j++) {
        tml_axis axes[TML_AXES];
        const int count = tml_model_joint_axes(model, (tml_joint){j}, axes);
        const tml_joint_def def = tml_model_joint(model, (tml_joint){j});
        for (int k = 0; k < count; k++) {
            const tml_joint_axis* a = &def.axis_of[axes[k]];
            if (!a->has_limits) continue;
            text_comma(out, written++);
            text_format(out, "{\"joint\":%d,\"axis\":%d,\"low\":", j, k);
            text_number(out, a->lower);
            text_put(out, ",\"high\":");
            text_number(out, a->upper);
            text_put(out, "}");
        }
    }
    text_put(out, "]");
}

// ---- springs, tendons and wrenches

static const char* spring_look(const tml_spring_def* s)
{
    if (s->muscle.force > 0.0) return "muscle";
    if (s->point_count > 2 || s->force.kind != TML_CONTROL_NONE) return "tendon";
    const bool pulls = s->stiffness > 0.0 || s->table_count > 0;
    return pulls || s->damping <= 0.0 ? "spring" : "damper";
}

// Points on deformables are not drawn: such a spring is left out.
static bool is_on_bodies(const tml_spring_def* s)
{
    for (int k = 0; k < s->point_count; k++) {
        if (s->points[k].body.index < TML_WORLD.index) return false;
    }
    return true;
}

static void describe_spring(const tml_spring_def* s, text* out)
{
    text_put(out, "{\"name\":");
    text_string(out, s->name);
    text_format(out, ",\"look\":\"%s\",\"stiffness\":%.9g,\"damping\":%.9g,\"rest\":%.9g",
                spring_look(s), s->stiffness, s->damping, s->rest_length);
    text_put(out, ",\"bodies\":[");
    for (int k = 0; k < s->point_count; k++) {
        text_comma(out, k);
        text_format(out, "%d", s->points[k].body.index);
    }
    text_put(out, "],\"points\":[");
    for (int k = 0; k < s->point_count; k++) {
        const tml_vec3 p = s->points[k].position;
        text_comma(out, k);
        text_format(out, "%.9g,%.9g,%.9g", p.x, p.y, p.z);
    }
    text_put(out, "]}");
}

static void describe_forces(const tml_model* model, text* out)
{
    int written = 0;

    text_put(out, ",\"springs\":[");
    for (int i = 0; i < tml_model_spring_count(model); i++) {
        const tml_spring_def* s = tml_model_spring(model, i);
        if (!is_on_bodies(s)) continue;
        text_comma(out, written++);
        describe_spring(s, out);
    }
    text_put(out, "],\"wrenches\":[");
    for (int i = 0; i < tml_model_wrench_count(model); i++) {
        const tml_wrench_def* w = tml_model_wrench(model, i);
        text_comma(out, i);
        text_put(out, "{\"name\":");
        text_string(out, w->name);
        text_format(out, ",\"body\":%d,\"point\":[%.9g,%.9g,%.9g]}", w->body.index, w->point.x,
                    w->point.y, w->point.z);
    }
    text_put(out, "]");
}

// Where the bodies of a recording go, so that a picture can be framed before it is played.
static void describe_bounds(const stage* s, text* out)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

    if (s->sim != NULL) return;
    for (int i = 0; i < s->frame_count; i++) {
        const float* v = s->frames[i]->values + STAGE_POSES;
        for (int b = 0; b < tml_model_body_count(s->model); b++) {
            for (int k = 0; k < 3; k++) {
                const double x = (double)v[7 * b + k];
                if (x < low[k]) low[k] = x;
                if (x > high[k]) high[k] = x;
            }
        }
    }
    if (!(low[0] <= high[0])) return;
    text_format(out, ",\"bounds\":[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g]", low[0], low[1], low[2], high[0],
                high[1], high[2]);
}

// ---- deformables: how many points each has in a frame, and the triangles over them

static void describe_deformables(const tml_model* model, text* out)
{
    text_put(out, ",\"deformables\":[");
    for (int i = 0; i < tml_model_deformable_count(model); i++) {
        const tml_skin skin = tml_model_skin(model, i);
        text_comma(out, i);
        text_put(out, "{\"name\":");
        text_string(out, tml_model_deformable(model, i)->name);
        text_format(out, ",\"points\":%d,\"triangles\":[", skin.point_count);
        for (int k = 0; k < 3 * skin.triangle_count; k++) {
            text_comma(out, k);
            text_format(out, "%d", skin.triangles[k]);
        }
        text_put(out, "]}");
    }
    text_put(out, "]");
}

// ---- methods and actuators

static void describe_pairs(text* out)
{
    int written = 0;

    text_put(out, ",\"pairs\":[");
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        const tml_formulation formulation = (tml_formulation)f;
        int count = 0;
        for (int i = 0; i < TML_INTEGRATORS; i++) {
            if (!tml_pairing_exists(formulation, (tml_integrator)i)) continue;
            if (count++ == 0) {
                text_comma(out, written++);
                text_format(out, "{\"formulation\":\"%s\",\"default\":\"%s\",\"integrators\":[",
                            tml_formulation_name(formulation),
                            tml_integrator_name(tml_formulation_default_integrator(formulation)));
            }
            text_comma(out, count - 1);
            text_string(out, tml_integrator_name((tml_integrator)i));
        }
        if (count > 0) text_put(out, "]}");
    }
    text_put(out, "]");
}

// What a control itself runs through; empty (low above high) where it does not move.
static void control_sweep(const tml_control* c, double* low, double* high)
{
    *low = 1.0;
    *high = -1.0;
    if (c->kind == TML_CONTROL_SINE) {
        *low = c->value - fabs(c->amplitude);
        *high = c->value + fabs(c->amplitude);
    }
    for (int i = 0; i < c->count; i++) {
        if (i == 0 || c->samples[i] < *low) *low = c->samples[i];
        if (i == 0 || c->samples[i] > *high) *high = c->samples[i];
    }
}

// A range for a slider: the limits of the axis, twice what its control runs through, or a plain
// range around where it is.
static void control_range(const tml_joint_axis* a, bool is_turn, double value, double* low,
                          double* high)
{
    const double reach = a->actuation == TML_FORCE ? 10.0 : is_turn ? 3.14159265 : 0.2;

    control_sweep(&a->control, low, high);
    const double half = 0.5 * (*high - *low);
    const double middle = half > 0.0 ? 0.5 * (*low + *high) : value;
    *low = middle - (half > 0.0 ? 2.0 * half : reach);
    *high = middle + (half > 0.0 ? 2.0 * half : reach);
    if (a->has_limits && a->actuation == TML_POSITION) {
        *low = a->lower;
        *high = a->upper;
    }
}

// Which of all joint coordinates a position actuator holds; -1 for forces.
static int held_coordinate(const stage* s, tml_joint joint, tml_axis axis, tml_actuation actuation)
{
    tml_axis axes[TML_AXES];
    const int count = tml_model_joint_axes(s->model, joint, axes);
    for (int k = 0; k < count && actuation == TML_POSITION; k++) {
        if (axes[k] == axis) return s->coordinate_first[joint.index] + k;
    }
    return -1;
}

static void describe_controls(const stage* s, text* out)
{
    const tml_model* model = s->model;

    text_put(out, ",\"controls\":[");
    for (int i = 0; i < tml_model_control_count(model); i++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        char label[400];
        double low;
        double high;
        if (tml_model_control(model, i, &joint, &axis, &actuation) != TML_OK) break;
        const double value = tml_model_control_value(model, i, 0.0);
        const bool is_turn = (int)axis >= 3;
        const tml_joint_def def = tml_model_joint(model, joint);
        control_range(&def.axis_of[axis], is_turn, value, &low, &high);
        snprintf(label, sizeof label, "%.300s %s, %s", tml_model_joint_name(model, joint),
                 tml_axis_name(axis),
                 actuation == TML_POSITION ? (is_turn ? "rad" : "m") : (is_turn ? "N m" : "N"));
        text_comma(out, i);
        text_put(out, "{\"label\":");
        text_string(out, label);
        text_format(out, ",\"value\":%.9g,\"low\":%.9g,\"high\":%.9g,\"coordinate\":%d}", value,
                    low, high, held_coordinate(s, joint, axis, actuation));
    }
    text_put(out, "]");
}

// A range for the slider of an input, and its unit.
static const char* input_range(const stage* s, const tml_input* input, double value, double* low,
                               double* high)
{
    double reach = fmax(10.0, 2.0 * fabs(value));
    const char* unit = input->kind == TML_INPUT_TORQUE ? "N m" : "N";

    *low = value - reach;
    *high = value + reach;
    if (input->kind == TML_INPUT_ACTIVATION) {
        *low = 0.0;
        *high = 1.0;
        return "";
    }
    if (input->kind == TML_INPUT_SERVO) {
        const tml_joint_def def = tml_model_joint(s->model, (tml_joint){input->index});
        const bool is_turn = input->component >= (int)TML_AXIS_RX;
        unit = is_turn ? "rad" : "m";
        control_range(&def.axis_of[input->component], is_turn, value, low, high);
        if (def.axis_of[input->component].has_limits) {
            *low = def.axis_of[input->component].lower;
            *high = def.axis_of[input->component].upper;
        }
    }
    return unit;
}

static void describe_inputs(const stage* s, text* out)
{
    static const char* const names[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    static const char* const letters[] = {"x", "y", "z"};

    text_put(out, ",\"inputs\":[");
    for (int i = 0; i < tml_model_input_count(s->model); i++) {
        tml_input input;
        char label[400];
        double low;
        double high;
        if (tml_model_input(s->model, i, &input) != TML_OK) break;
        const double value = tml_model_input_value(s->model, i, 0.0);
        const char* unit = input_range(s, &input, value, &low, &high);
        const char* part = input.kind == TML_INPUT_SERVO        ? names[input.component]
                           : input.kind == TML_INPUT_TENDON     ? "pull"
                           : input.kind == TML_INPUT_ACTIVATION ? "activation"
                                                                : letters[input.component];
        snprintf(label, sizeof label, "%.300s %s%s%s", input.name, part,
                 unit[0] != '\0' ? ", " : "", unit);
        text_comma(out, i);
        text_put(out, "{\"label\":");
        text_string(out, label);
        text_format(out, ",\"value\":%.9g,\"low\":%.9g,\"high\":%.9g,\"coordinate\":-1}", value,
                    low, high);
    }
    text_put(out, "]");
}

static const char* word_of(bool is_true) { return is_true ? "true" : "false"; }

void describe_model(const stage* s, const char* note, const mesh_list* meshes, text* out)
{
    const tml_vec3 g = tml_model_gravity(s->model);

    text_put(out, "{\"name\":");
    text_string(out, tml_model_name(s->model));
    text_put(out, ",\"note\":");
    text_string(out, note);
    text_format(out, ",\"live\":%s,\"detail\":%s,\"gravity\":[%.9g,%.9g,%.9g]",
                word_of(s->sim != NULL), word_of(s->has_detail), g.x, g.y, g.z);
    text_format(out, ",\"has\":{\"velocity\":%s,\"joints\":%s,\"energy\":%s,\"gap\":%s,",
                word_of(s->has_velocity), word_of(s->has_joints), word_of(s->has_energy),
                word_of(s->has_gap));
    text_format(out, "\"contacts\":%s}", word_of(s->has_contacts));
    describe_bodies(s->model, out);
    describe_shapes(s->model, meshes, out);
    describe_joints(s, out);
    describe_limits(s->model, out);
    describe_forces(s->model, out);
    describe_bounds(s, out);
    describe_deformables(s->model, out);
    if (s->sim != NULL) {
        text_format(out,
                    ",\"settings\":{\"formulation\":\"%s\",\"integrator\":\"%s\",\"step\":%.17g}",
                    tml_formulation_name(s->settings.formulation),
                    tml_integrator_name(s->settings.integrator), s->settings.step);
        describe_pairs(out);
    }
    describe_controls(s, out);
    describe_inputs(s, out);
    text_put(out, "}");
}

void describe_state(const stage* s, text* out)
{
    const stage_frame* f = s->frames[s->shown];

    text_format(out,
                "{\"type\":\"state\",\"playing\":%s,\"speed\":%.9g,\"time\":%.17g,\"first\":%.17g,"
                "\"head\":%.17g,\"frames\":%d,\"stride\":%d,\"live\":%s,\"failed\":%s,"
                "\"rate\":%.4g,\"message\":",
                word_of(s->is_playing), s->speed, f->time, s->frames[0]->time,
                s->frames[s->frame_count - 1]->time, s->frame_count, s->stride,
                word_of(s->sim != NULL), word_of(s->has_failed), s->rate);
    text_string(out, s->message);
    if (s->sim != NULL) {
        text_format(out, ",\"formulation\":\"%s\",\"integrator\":\"%s\",\"step\":%.12g",
                    tml_formulation_name(s->settings.formulation),
                    tml_integrator_name(s->settings.integrator), s->settings.step);
    }
    if (s->ghost != NULL) {
        text_format(out, ",\"ghost\":\"%s %s\"",
                    tml_formulation_name(s->ghost_settings.formulation),
                    tml_integrator_name(s->ghost_settings.integrator));
    }
    text_put(out, "}");
}

// ---- a whole recording

static void put_contacts(const stage* s, int every, text* out)
{
    text firsts = {0};
    text values = {0};
    uint32_t count = 0;

    for (int i = 0; i < s->frame_count; i += every) {
        const stage_frame* f = s->frames[i];
        text_put_bytes(&firsts, &count, sizeof count);
        text_put_bytes(&values, f->values + s->width,
                       STAGE_CONTACT * sizeof(float) * (size_t)f->contact_count);
        count += (uint32_t)f->contact_count;
    }
    text_put_bytes(&firsts, &count, sizeof count);
    text_put(out, ",\"contactFirst\":\"");
    text_base64(out, firsts.data, firsts.length);
    text_put(out, "\",\"contacts\":\"");
    text_base64(out, values.data, values.length);
    text_put(out, "\"");
    if (firsts.is_broken || values.is_broken) out->is_broken = true;
    text_free(&firsts);
    text_free(&values);
}

// The triangles that a server would send one by one, in the page.
static void put_meshes(const mesh_list* meshes, text* out)
{
    text_put(out, ",\"meshes\":[");
    for (int i = 0; i < meshes->count; i++) {
        text packed = {0};
        if (meshes->entries[i].is_drawn) meshes_pack(meshes->entries[i].shape, &packed);
        text_comma(out, i);
        text_put(out, "\"");
        text_base64(out, packed.data, packed.length);
        text_put(out, "\"");
        if (packed.is_broken) out->is_broken = true;
        text_free(&packed);
    }
    text_put(out, "]");
}

int describe_replay(const stage* s, const char* note, size_t most, text* out)
{
    const size_t bytes = (size_t)s->width * sizeof(float);
    const size_t fitting = most / bytes > 2 ? most / bytes : 2;
    const int every = (int)(((size_t)s->frame_count + fitting - 1) / fitting);
    text times = {0};
    text values = {0};
    int kept = 0;

    for (int i = 0; i < s->frame_count; i += every) {
        text_put_bytes(&times, &s->frames[i]->time, sizeof(double));
        text_put_bytes(&values, s->frames[i]->values, bytes);
        kept++;
    }
    text_format(out, "{\"width\":%d,\"times\":\"", s->width);
    text_base64(out, times.data, times.length);
    text_put(out, "\",\"frames\":\"");
    text_base64(out, values.data, values.length);
    text_put(out, "\"");
    if (s->has_contacts) put_contacts(s, every, out);
    mesh_list meshes;
    meshes_collect(s->model, mesh_limits_report, &meshes);
    put_meshes(&meshes, out);
    text_put(out, ",\"model\":");
    describe_model(s, note, &meshes, out);
    text_put(out, "}");
    meshes_free(&meshes);
    if (times.is_broken || values.is_broken) out->is_broken = true;
    text_free(&times);
    text_free(&values);
    return kept;
}
