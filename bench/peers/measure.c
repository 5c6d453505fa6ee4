// bench/peers/measure.c - one yardstick for every engine: time, energy, joint gaps, overlaps.
#include "base/clock.h"
#include "bench/peers/peer.h"
#include "geom/collision.h"
#include "math/quat.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- energy

double peer_energy(const peer_scene* s, const peer_state* states)
{
    double sum = 0.0;
    for (int i = 0; i < s->body_count; i++) {
        const peer_body* b = &s->bodies[i];
        const vec3 v = states[i].velocity.linear;
        const vec3 w = q_rotate(q_conj(states[i].pose.q), states[i].velocity.angular);
        const vec3 spin = {b->inertia.x * w.x, b->inertia.y * w.y, b->inertia.z * w.z};
        sum += 0.5 * b->mass * v3_dot(v, v) + 0.5 * v3_dot(w, spin);
        sum -= b->mass * v3_dot(s->gravity, states[i].pose.p);
    }
    return sum;
}

// ---- gaps and overlaps

typedef struct joint_points {
    vec3 base, follower;  // each in its body
    vec3 axis;            // of a slide, in its base
} joint_points;

struct peer_yardstick {
    const peer_scene* scene;  // borrowed
    joint_points* joints;
    collision* shapes;  // NULL where nothing touches
    placement* placements;
    contact* contacts;
    int room;
};

static vec3 to_body(const peer_scene* s, int body, vec3 world)
{
    if (body < 0) return world;
    const tml_pose at = s->bodies[body].pose;
    return q_rotate(q_conj(at.q), v3_sub(world, at.p));
}

static vec3 to_world(const peer_state* states, int body, vec3 local)
{
    if (body < 0) return local;
    return v3_add(states[body].pose.p, q_rotate(states[body].pose.q, local));
}

static void keep_joints(peer_yardstick* y)
{
    const peer_scene* s = y->scene;
    for (int j = 0; j < s->joint_count; j++) {
        const peer_joint* joint = &s->joints[j];
        const quat base = joint->base < 0 ? q_identity() : s->bodies[joint->base].pose.q;
        y->joints[j].base = to_body(s, joint->base, joint->point);
        y->joints[j].follower = to_body(s, joint->follower, joint->point);
        y->joints[j].axis = q_rotate(q_conj(base), joint->axis[0]);
    }
}

// Colliders of all bodies, then of the world, which is one more body that stands still.
static int keep_shapes(peer_yardstick* y)
{
    const peer_scene* s = y->scene;
    const tml_allocator heap = {0};
    message why = {""};
    collider_def* list = calloc((size_t)s->shape_count + 1, sizeof *list);
    int* apart = calloc(2 * (size_t)s->joint_count + 1, sizeof *apart);
    tml_status status = TML_NO_MEMORY;
    int count = 0;
    int exclude = 0;

    if (list == NULL || apart == NULL) goto done;
    for (int i = 0; i <= s->body_count; i++) {
        const bool is_world = i == s->body_count;
        const int first = is_world ? s->world_first : s->bodies[i].shape_first;
        const int own = is_world ? s->world_count : s->bodies[i].shape_count;
        for (int k = 0; k < own; k++) {
            list[count++] = (collider_def){.body = i,
                                           .is_fixed = is_world,
                                           .shape_index = k,
                                           .body_name = "body",
                                           .shape = &s->shapes[first + k]};
        }
    }
    for (int j = 0; j < s->joint_count; j++) {
        if (s->joints[j].base < 0 || s->joints[j].follower < 0) continue;
        apart[2 * exclude] = s->joints[j].base;
        apart[2 * exclude + 1] = s->joints[j].follower;
        exclude++;
    }
    const collision_def def = {
        .collider_count = count, .colliders = list, .exclude_count = exclude, .exclude = apart};
    status = tml__collision_create(&def, &heap, &why, &y->shapes);
done:
    free(list);
    free(apart);
    return status == TML_OK;
}

void peer_yardstick_destroy(peer_yardstick* y)
{
    if (y == NULL) return;
    tml__collision_destroy(y->shapes);
    free(y->joints);
    free(y->placements);
    free(y->contacts);
    free(y);
}

peer_yardstick* peer_yardstick_create(const peer_scene* scene)
{
    peer_yardstick* y = calloc(1, sizeof *y);
    if (y == NULL) return NULL;
    y->scene = scene;
    y->room = 64 * scene->body_count + 64;
    y->joints = calloc((size_t)scene->joint_count + 1, sizeof *y->joints);
    if (scene->has_contact) {
        y->placements = calloc((size_t)scene->body_count + 1, sizeof *y->placements);
        y->contacts = calloc((size_t)y->room, sizeof *y->contacts);
    }
    const bool has_room = !scene->has_contact || (y->placements != NULL && y->contacts != NULL);
    if (y->joints == NULL || !has_room || (scene->has_contact && !keep_shapes(y))) {
        peer_yardstick_destroy(y);
        return NULL;
    }
    keep_joints(y);
    return y;
}

double peer_gap(const peer_yardstick* y, const peer_state* states)
{
    double largest = 0.0;
    for (int j = 0; j < y->scene->joint_count; j++) {
        const peer_joint* joint = &y->scene->joints[j];
        const joint_points* p = &y->joints[j];
        vec3 d = v3_sub(to_world(states, joint->follower, p->follower),
                        to_world(states, joint->base, p->base));
        if (joint->kind == PEER_SLIDE) {
            const quat base = joint->base < 0 ? q_identity() : states[joint->base].pose.q;
            const vec3 axis = q_rotate(base, p->axis);
            d = v3_axpy(d, -v3_dot(d, axis), axis);
        }
        const double length = v3_norm(d);
        if (!(length <= largest)) largest = length;
    }
    return largest;
}

double peer_overlap(peer_yardstick* y, const peer_state* states, int* touching)
{
    const int n = y->scene->body_count;
    message why = {""};
    double deepest = 0.0;
    int count = 0;

    *touching = 0;
    if (y->shapes == NULL) return 0.0;
    for (int i = 0; i < n; i++) {
        y->placements[i] = (placement){states[i].pose.p, q_matrix(states[i].pose.q)};
    }
    y->placements[n] = (placement){v3_zero(), m3_identity()};
    const tml_status status =
        tml__collision_detect(y->shapes, y->placements, 1e-3, y->room, y->contacts, &count, &why);
    if (status != TML_OK) return -1.0;
    for (int i = 0; i < count; i++) {
        if (-y->contacts[i].gap > deepest) deepest = -y->contacts[i].gap;
    }
    *touching = count;
    return deepest;
}

// ---- a run

const char* peer_verdict_name(peer_verdict verdict)
{
    static const char* const names[] = {"ran",          "cut",     "blew up", "torn",
                                        "gains energy", "stopped", "refused"};
    return names[verdict];
}

static int by_size(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

// The longest way from a body's centre to one of its joints: half a link.
static double longest_link(const peer_scene* s)
{
    double longest = 0.0;
    for (int j = 0; j < s->joint_count; j++) {
        const int ends[2] = {s->joints[j].base, s->joints[j].follower};
        for (int k = 0; k < 2; k++) {
            if (ends[k] < 0) continue;
            const double arm = v3_norm(v3_sub(s->joints[j].point, s->bodies[ends[k]].pose.p));
            if (arm > longest) longest = arm;
        }
    }
    return 2.0 * longest;
}

typedef struct watch {
    peer_yardstick* yardstick;
    peer_state* states;
    double* times;  // ms, of each step
    double start;   // J
    double link;    // m
} watch;

// What a state says; false: there is no going on.
static bool look(watch* w, const peer_scene* s, const peer_run* run, peer_result* out)
{
    const double gap = peer_gap(w->yardstick, w->states);
    const double change = (peer_energy(s, w->states) - w->start) / run->scale;
    if (!(gap <= out->gap)) out->gap = gap;
    if (!(fabs(change) <= fabs(out->energy))) out->energy = change;
    if (!(change <= out->rise)) out->rise = change;
    if (run->is_piled) {
        out->settled_overlap = peer_overlap(w->yardstick, w->states, &out->touching);
        if (!(out->settled_overlap <= out->overlap)) out->overlap = out->settled_overlap;
    }
    if (!isfinite(change) || !isfinite(gap) || change > 10.0) {
        out->verdict = PEER_BLEW_UP;
        return false;
    }
    return true;
}

static void judge(peer_result* out, double link)
{
    if (out->verdict != PEER_RAN && out->verdict != PEER_CUT) return;
    if (out->gap > link && link > 0.0) {
        out->verdict = PEER_TORN;
    } else if (out->rise > 1.0) {
        out->verdict = PEER_GAINS;
    }
}

static void drive(const peer_engine* e, void* self, const peer_scene* s, const peer_run* run,
                  watch* w, peer_result* out)
{
    const int count = (int)lround(run->duration / run->step);
    const int every = run->sample_steps > 0 ? run->sample_steps : 1;
    double spent = 0.0;
    int done = 0;

    while (done < count && out->verdict == PEER_RAN) {
        const double begin = tml__clock();
        const int went = e->step(self);
        const double seconds = tml__clock() - begin;
        if (!went) {
            const char* why = e->why != NULL ? e->why(self) : NULL;
            out->verdict = PEER_STOPPED;
            snprintf(out->why, sizeof out->why, "%s", why != NULL ? why : "no reason given");
            break;
        }
        w->times[done++] = 1e3 * seconds;
        spent += seconds;
        if (done % every == 0 || done == count) {
            e->read(self, w->states);
            if (!look(w, s, run, out)) break;
        }
        if (spent > run->budget && done < count) out->verdict = PEER_CUT;
    }
    out->reached = done * run->step;
    if (done == 0) return;
    out->mean_ms = 1e3 * spent / done;
    qsort(w->times, (size_t)done, sizeof *w->times, by_size);
    out->step_ms = w->times[done / 2];
}

peer_result peer_measure(const peer_engine* engine, const peer_scene* s, const peer_run* run)
{
    peer_result out = {.verdict = PEER_RAN};
    watch w = {.yardstick = peer_yardstick_create(s), .link = longest_link(s)};
    w.states = calloc((size_t)s->body_count + 1, sizeof *w.states);
    w.times = calloc((size_t)lround(run->duration / run->step) + 1, sizeof *w.times);
    void* self = NULL;

    if (w.yardstick == NULL || w.states == NULL || w.times == NULL) {
        snprintf(out.why, sizeof out.why, "no memory");
    } else {
        self = engine->create(engine, s, run->step, out.why);
    }
    if (self == NULL) {
        out.verdict = PEER_REFUSED;
    } else {
        out.why[0] = '\0';
        engine->read(self, w.states);
        w.start = peer_energy(s, w.states);
        drive(engine, self, s, run, &w, &out);
        judge(&out, w.link);
        engine->destroy(self);
    }
    peer_yardstick_destroy(w.yardstick);
    free(w.states);
    free(w.times);
    return out;
}

// ---- recursions

double peer_time_kernel(const peer_engine* engine, const peer_scene* scene, peer_kernel which,
                        char* why)
{
    enum {
        REPEATS = 25,
        INNER = 40
    };
    double best = -1.0;
    snprintf(why, PEER_WHY, "not offered");
    if (engine->kernel == NULL) return best;
    void* self = engine->create(engine, scene, 1e-3, why);
    if (self == NULL) return best;
    for (int k = 0; k < scene->settle_steps; k++) {
        if (!engine->step(self)) break;
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double begin = tml__clock();
        for (int k = 0; k < INNER; k++) {
            if (!engine->kernel(self, which)) {
                engine->destroy(self);
                return -1.0;
            }
        }
        const double us = 1e6 * (tml__clock() - begin) / INNER;
        if (best < 0.0 || us < best) best = us;
    }
    const char* said = engine->why != NULL ? engine->why(self) : NULL;
    snprintf(why, PEER_WHY, "%s", said != NULL ? said : "");
    engine->destroy(self);
    return best;
}
