// viewer/commands.c - one line of words per command; nothing in it is trusted.
#include "viewer/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MOST = SERIES_MOST + 2
};

typedef struct line {
    char text[COMMAND_MOST + 1];
    int count;
    const char* words[WORDS_MOST];
} line;

static bool split(line* l, const char* words, size_t length)
{
    if (length > COMMAND_MOST || memchr(words, '\0', length) != NULL) return false;
    memcpy(l->text, words, length);
    l->text[length] = '\0';
    l->count = 0;
    for (char* p = l->text; *p != '\0';) {
        while (*p == ' ') *p++ = '\0';
        if (*p == '\0') break;
        if (l->count == WORDS_MOST) return false;
        l->words[l->count++] = p;
        while (*p != ' ' && *p != '\0') p++;
    }
    return l->count > 0;
}

static bool is_word(const line* l, int i, const char* word)
{
    return i < l->count && strcmp(l->words[i], word) == 0;
}

// A finite number and nothing else.
static bool number(const line* l, int i, double* out)
{
    char* end = NULL;
    if (i >= l->count) return false;
    *out = strtod(l->words[i], &end);
    return end != l->words[i] && *end == '\0' && isfinite(*out);
}

static bool whole(const line* l, int i, double low, double high, int* out)
{
    double x = 0.0;
    if (!number(l, i, &x) || !(x >= low && x <= high) || floor(x) != x) return false;
    *out = (int)x;
    return true;
}

// ---- commands with arguments

static command_answer read_seek(stage* s, const line* l)
{
    double t = 0.0;
    if (!number(l, 1, &t)) return ANSWER_BAD;
    stage_seek(s, t);
    return ANSWER_NONE;
}

static command_answer read_speed(stage* s, const line* l)
{
    double x = 0.0;
    if (!number(l, 1, &x)) return ANSWER_BAD;
    stage_set_speed(s, x);
    return ANSWER_NONE;
}

static command_answer read_step(stage* s, const line* l, int sign)
{
    int count = 1;
    if (l->count > 1 && !whole(l, 1, 1, 1000, &count)) return ANSWER_BAD;
    stage_step(s, sign * count);
    return ANSWER_NONE;
}

static bool pair(const line* l, int i, tml_formulation* f, tml_integrator* t)
{
    return i + 1 < l->count && tml_formulation_find(l->words[i], f) == 1 &&
           tml_integrator_find(l->words[i + 1], t) == 1;
}

static command_answer read_method(stage* s, const line* l)
{
    tml_formulation formulation;
    tml_integrator integrator;
    double step = 0.0;
    const bool is_good =
        pair(l, 1, &formulation, &integrator) && number(l, 3, &step) && step >= 1e-6 && step <= 1.0;
    if (!is_good) return ANSWER_BAD;
    stage_set_method(s, formulation, integrator, step);
    return ANSWER_NONE;
}

static command_answer read_ghost(stage* s, const line* l)
{
    tml_formulation formulation = TML_FORM_QUATERNION;
    tml_integrator integrator = TML_TIME_BDF2;
    const bool is_off = is_word(l, 1, "none");
    if (!is_off && !pair(l, 1, &formulation, &integrator)) return ANSWER_BAD;
    stage_set_ghost(s, !is_off, formulation, integrator);
    return ANSWER_NONE;
}

static command_answer read_push(stage* s, const line* l)
{
    stage_push push = {.body = -1};
    double x[9];
    if (!whole(l, 1, 0, 1e9, &push.body)) return ANSWER_BAD;
    for (int i = 0; i < 9; i++) {
        if (!number(l, 2 + i, &x[i]) || fabs(x[i]) > 1e12) return ANSWER_BAD;
    }
    push.point = (tml_vec3){x[0], x[1], x[2]};
    push.force = (tml_vec3){x[3], x[4], x[5]};
    push.torque = (tml_vec3){x[6], x[7], x[8]};
    stage_set_push(s, &push);
    return ANSWER_NONE;
}

typedef void (*set_number)(stage* s, int index, bool is_driven, double value);

static command_answer read_control(stage* s, const line* l, set_number set)
{
    int index = 0;
    double value = 0.0;
    if (!whole(l, 1, 0, 1e9, &index)) return ANSWER_BAD;
    const bool is_driven = !is_word(l, 2, "auto");
    if (is_driven && !number(l, 2, &value)) return ANSWER_BAD;
    set(s, index, is_driven, value);
    return ANSWER_NONE;
}

static command_answer read_series(const stage* s, const line* l, command_request* out)
{
    int id = 0;
    if (!whole(l, 1, 0, 2e9, &id)) return ANSWER_BAD;
    out->id = (unsigned)id;
    out->count = l->count - 2;
    if (out->count < 1 || out->count > SERIES_MOST) return ANSWER_BAD;
    for (int i = 0; i < out->count; i++) {
        if (!whole(l, 2 + i, -1, s->width - 1, &out->offsets[i])) return ANSWER_BAD;
    }
    return ANSWER_SERIES;
}

static command_answer read_ack(const line* l, command_request* out)
{
    double seq = 0.0;
    if (!number(l, 1, &seq) || !(seq >= 0.0 && seq <= 4294967295.0)) return ANSWER_BAD;
    out->id = (unsigned)seq;
    return ANSWER_ACK;
}

command_answer command_apply(stage* s, const char* words, size_t length, command_request* out)
{
    static const stage_push none = {.body = -1};
    line l;

    if (!split(&l, words, length)) return ANSWER_BAD;
    if (is_word(&l, 0, "ack")) return read_ack(&l, out);
    if (is_word(&l, 0, "series")) return read_series(s, &l, out);
    if (is_word(&l, 0, "seek")) return read_seek(s, &l);
    if (is_word(&l, 0, "speed")) return read_speed(s, &l);
    if (is_word(&l, 0, "step")) return read_step(s, &l, 1);
    if (is_word(&l, 0, "back")) return read_step(s, &l, -1);
    if (is_word(&l, 0, "method")) return read_method(s, &l);
    if (is_word(&l, 0, "ghost")) return read_ghost(s, &l);
    if (is_word(&l, 0, "push")) return read_push(s, &l);
    if (is_word(&l, 0, "control")) return read_control(s, &l, stage_set_control);
    if (is_word(&l, 0, "input")) return read_control(s, &l, stage_set_input);
    if (l.count != 1) return ANSWER_BAD;
    if (is_word(&l, 0, "hash")) return ANSWER_HASH;
    if (is_word(&l, 0, "play")) {
        stage_play(s, true);
    } else if (is_word(&l, 0, "pause")) {
        stage_play(s, false);
    } else if (is_word(&l, 0, "restart")) {
        stage_restart(s);
    } else if (is_word(&l, 0, "release")) {
        stage_set_push(s, &none);
    } else {
        return ANSWER_BAD;
    }
    return ANSWER_NONE;
}
