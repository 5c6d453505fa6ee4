// io/mjcf_key.c - where an MJCF model starts: a keyframe, or the pose of the file.
#include "io/mjcf.h"

#include <trammel/scene.h>

#include <string.h>

// The keyframe that the options ask for; NULL when the model starts from its own pose.
static const xml* find_key(mjcf* m)
{
    const char* wanted = m->source->options->keyframe;
    if (wanted != NULL && wanted[0] == '\0') return NULL;
    for (const xml* s = m->root->first; s != NULL; s = s->next) {
        if (!tml__xml_is(s, "keyframe")) continue;
        for (const xml* k = tml__xml_child(s, "key"); k != NULL; k = tml__xml_next(k, "key")) {
            const char* name = tml__xml_attribute(k, "name");
            if (wanted == NULL || (name != NULL && strcmp(name, wanted) == 0)) return k;
        }
    }
    if (wanted != NULL) {
        tml__robot_refuse(m->r, NULL, TML_BAD_ARGUMENT, "there is no keyframe '%.120s'", wanted);
    }
    return NULL;
}

static int coordinates_of(const movement* m)
{
    return m->kind == MOVE_FREE ? 7 : m->kind == MOVE_BALL ? 4 : 1;
}

static quat unit(const double* x) { return q_normalize((quat){x[0], x[1], x[2], x[3]}); }

static void set_values(mjcf* m, const double* q)
{
    for (int i = 0; i < m->r->movement_count; i++) {
        movement* to = &m->r->movements[i];
        if (to->kind == MOVE_FREE) {
            to->place = (pose){v3_load(q), unit(q + 3)};
        } else if (to->kind == MOVE_BALL) {
            to->place.q = unit(q);
        } else {
            to->value = *q;
        }
        q += coordinates_of(to);
    }
}

static int rates_of(const movement* m)
{
    return m->kind == MOVE_FREE ? 6 : m->kind == MOVE_BALL ? 3 : 1;
}

static void set_rates(mjcf* m, const double* v)
{
    m->r->has_rates = true;
    for (int i = 0; i < m->r->movement_count; i++) {
        movement* to = &m->r->movements[i];
        if (to->kind == MOVE_FREE) {
            to->rates = (twist){v3_load(v + 3), v3_load(v)};
        } else if (to->kind == MOVE_BALL) {
            to->rates.omega = v3_load(v);
        } else {
            to->rate = *v;
        }
        v += rates_of(to);
    }
}

// All numbers of an attribute that must have `count` of them; NULL when it is missing or refused.
static const double* read_all(mjcf* m, const xml* e, const char* name, int count)
{
    if (tml__xml_attribute(e, name) == NULL) return NULL;
    double* list = tml__robot_take(m->r, (size_t)count + 1, sizeof *list);
    if (list == NULL) return NULL;
    const int found = tml__attribute_list(m->r, e, name, count, list);
    if (found != count && m->r->status == TML_OK) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT,
                          "%s of a keyframe must be %d numbers, but there are %d", name, count,
                          found);
    }
    return m->r->status == TML_OK ? list : NULL;
}

static int count_actuators(const mjcf* m)
{
    int count = 0;
    for (const xml* s = m->root->first; s != NULL; s = s->next) {
        if (!tml__xml_is(s, "actuator")) continue;
        for (const xml* e = s->first; e != NULL; e = e->next) count++;
    }
    return count;
}

void tml__mjcf_keyframe(mjcf* m)
{
    const xml* key = find_key(m);
    int count = 0;
    if (key == NULL || m->r->status != TML_OK) return;
    for (int i = 0; i < m->r->movement_count; i++) count += coordinates_of(&m->r->movements[i]);
    const double* q = read_all(m, key, "qpos", count);
    if (q != NULL) set_values(m, q);
    if (m->r->status != TML_OK) return;
    m->controls = read_all(m, key, "ctrl", count_actuators(m));
    m->control_count = m->controls != NULL ? count_actuators(m) : 0;
    if (tml__xml_attribute(key, "act") != NULL) {
        tml__robot_lint(m->r, key, "activations of a keyframe", "muscles start relaxed");
    }
    tml__robot_lint(m->r, key, "keyframe", "the model starts there (--keyframe chooses)");
    int rates = 0;
    for (int i = 0; i < m->r->movement_count; i++) rates += rates_of(&m->r->movements[i]);
    const double* v = read_all(m, key, "qvel", rates);
    if (v != NULL) set_rates(m, v);
}
