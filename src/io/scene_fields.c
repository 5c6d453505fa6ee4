// io/scene_fields.c - the values of a scene, each with its type, length and range.
#include "base/memory.h"
#include "io/path.h"
#include "io/scene_internal.h"
#include "math/quat.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tml__refuse(reader* r, const json* at, tml_status status, const char* format, ...)
{
    if (r->status != TML_OK) return;

    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    tml__one_line(what);
    r->status = at != NULL ? tml__fail(&r->why, status, "%.200s:%u: %s", r->file, at->line, what)
                           : tml__fail(&r->why, status, "%.200s: %s", r->file, what);
}

void tml__take_refusal(reader* r, const json* at)
{
    const tml_status status = tml_spec_status(r->spec);
    if (status != TML_OK) tml__refuse(r, at, status, "%s", tml_spec_message(r->spec));
}

void* tml__take(reader* r, int count, size_t size)
{
    void* memory = r->status == TML_OK ? tml__pool_take(&r->scratch, (size_t)count, size) : NULL;
    if (memory == NULL) tml__refuse(r, NULL, TML_NO_MEMORY, "out of memory");
    return memory;
}

// ---- unknown keys

// How many letters must change, be added, dropped or swapped with a neighbour to make one word of
// the other; words longer than the table are never near.
static int distance(const char* a, const char* b)
{
    enum {
        LONGEST = 31
    };
    int row[3][LONGEST + 2];  // the current row of the table and the two before it
    const int n = (int)strlen(a);
    const int m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;

    for (int j = 0; j <= m; j++) row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int* now = row[i % 3];
        const int* last = row[(i + 2) % 3];
        const int* before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (is_swap && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char* tml__nearest(const char* word, const char* const* words)
{
    // one letter may be wrong in a short word and two in a longer one
    const size_t length = strlen(word);
    int best = length < 3 ? 1 : length < 6 ? 2 : 3;
    const char* nearest = NULL;
    for (; *words != NULL; words++) {
        const int d = distance(word, *words);
        if (d < best) {
            best = d;
            nearest = *words;
        }
    }
    return nearest;
}

void tml__check_keys(const element* e, const char* const* keys)
{
    if (e->object == NULL) return;
    for (const json* member = e->object->first; member != NULL; member = member->next) {
        int i = 0;
        while (keys[i] != NULL && strcmp(keys[i], member->key) != 0) i++;
        if (keys[i] != NULL) continue;

        const char* nearest = tml__nearest(member->key, keys);
        tml__refuse(e->r, member, TML_BAD_ARGUMENT, "unknown key '%.60s' in %s%s%s%s", member->key,
                    e->label, nearest != NULL ? "; did you mean '" : "",
                    nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    }
}

element tml__open(reader* r, const json* value, const char* kind, int index,
                  const char* const* keys)
{
    element e = {.r = r, .object = value};
    const json* name = tml__json_find(value, "name");
    const char* text = name != NULL && name->kind == JSON_TEXT ? name->text : NULL;

    if (text != NULL) {
        snprintf(e.label, sizeof e.label, "%s '%.100s'", kind, text);
    } else if (index >= 0) {
        snprintf(e.label, sizeof e.label, "%s %d", kind, index);
    } else {
        snprintf(e.label, sizeof e.label, "%s", kind);
    }
    if (value->kind != JSON_OBJECT) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be an object, not %s", e.label,
                    tml__json_kind_name(value));
        e.object = NULL;
    }
    if (keys != NULL) tml__check_keys(&e, keys);
    return e;
}

// ---- single values

const json* tml__find(const element* e, const char* key)
{
    return e->object != NULL && e->r->status == TML_OK ? tml__json_find(e->object, key) : NULL;
}

const json* tml__need(const element* e, const char* key)
{
    const json* value = tml__find(e, key);
    if (value == NULL && e->object != NULL) {
        tml__refuse(e->r, e->object, TML_BAD_ARGUMENT, "%s needs '%s'", e->label, key);
    }
    return value;
}

// What messages call a key of an element: "mass of body 'rod'".
typedef struct phrase {
    char text[220];
} phrase;

static phrase of(const element* e, const char* key)
{
    phrase p;
    snprintf(p.text, sizeof p.text, "%s of %s", key, e->label);
    return p;
}

bool tml__is_list(reader* r, const json* value, const char* what)
{
    if (value->kind == JSON_ARRAY) return true;
    tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be a list, not %s", what,
                tml__json_kind_name(value));
    return false;
}

// Most values are what they should be, and then nobody needs to know what messages call them.
static bool is_number(const json* value, number_range range)
{
    if (value->kind != JSON_NUMBER) return false;
    switch (range) {
    case ANY_NUMBER: return true;
    case NOT_NEGATIVE: return value->number >= 0.0;
    case POSITIVE: return value->number > 0.0;
    }
    return false;
}

static bool are_numbers(const json* value, int count)
{
    if (value->kind != JSON_ARRAY) return false;
    const json* item = value->first;
    for (; item != NULL && count > 0; item = item->next, count--) {
        if (item->kind != JSON_NUMBER) return false;
    }
    return item == NULL && count == 0;
}

double tml__number(reader* r, const json* value, const char* what, number_range range)
{
    if (value->kind != JSON_NUMBER) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be a number, not %s", what,
                    tml__json_kind_name(value));
        return 0.0;
    }
    const double x = value->number;
    if (range == NOT_NEGATIVE && x < 0.0) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must not be negative, but is %g", what, x);
    }
    if (range == POSITIVE && !(x > 0.0)) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be positive, but is %g", what, x);
    }
    return x;
}

void tml__read_number(const element* e, const char* key, number_range range, double* out)
{
    const json* value = tml__find(e, key);
    if (value == NULL) return;
    *out =
        is_number(value, range) ? value->number : tml__number(e->r, value, of(e, key).text, range);
}

void tml__read_integer(const element* e, const char* key, int least, int most, int* out)
{
    const json* value = tml__find(e, key);
    if (value == NULL) return;

    const double x = tml__number(e->r, value, of(e, key).text, ANY_NUMBER);
    if (e->r->status != TML_OK) return;
    // the comparison comes first: a number outside must not be converted
    if (!(x >= least && x <= most) || x != (double)(int)x) {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT,
                    "%s must be a whole number from %d to %d, but is %g", of(e, key).text, least,
                    most, x);
        return;
    }
    *out = (int)x;
}

void tml__read_bool(const element* e, const char* key, bool* out)
{
    const json* value = tml__find(e, key);
    if (value == NULL) return;
    if (value->kind != JSON_BOOL) {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT, "%s must be true or false, not %s",
                    of(e, key).text, tml__json_kind_name(value));
        return;
    }
    *out = value->is_true;
}

void tml__numbers(reader* r, const json* value, const char* what, int count, double* out)
{
    if (!tml__is_list(r, value, what)) return;
    const int given = tml__json_count(value);
    if (given != count) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be %d numbers, not %d", what, count,
                    given);
        return;
    }
    for (const json* item = value->first; item != NULL; item = item->next) {
        *out++ = tml__number(r, item, what, ANY_NUMBER);
    }
}

static void read_numbers(const element* e, const json* value, const char* key, int count,
                         double* out)
{
    const bool is_good = are_numbers(value, count);
    tml__numbers(e->r, value, is_good ? key : of(e, key).text, count, out);
}

void tml__read_vector(const element* e, const char* key, tml_vec3* out)
{
    const json* value = tml__find(e, key);
    double x[3] = {0.0, 0.0, 0.0};
    if (value == NULL) return;
    read_numbers(e, value, key, 3, x);
    *out = v3_load(x);
}

// Quaternions written by hand have few digits, so they are made unit; what is far from unit is a
// mistake. A quaternion that is unit to round-off keeps its bits, so that a written scene reads back
// the same.
void tml__read_orientation(const element* e, const char* key, tml_quat* out)
{
    const json* value = tml__find(e, key);
    double x[4] = {1.0, 0.0, 0.0, 0.0};
    if (value == NULL) return;
    read_numbers(e, value, key, 4, x);

    const quat q = {x[0], x[1], x[2], x[3]};
    const double squared = q_dot(q, q);
    if (!(fabs(sqrt(squared) - 1.0) <= 1e-3)) {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT,
                    "%s must be a unit quaternion (w, x, y, z), but its length is %g",
                    of(e, key).text, sqrt(squared));
        return;
    }
    *out = fabs(squared - 1.0) <= 2e-15 ? q : q_normalize(q);
}

// ---- texts and names

const char* tml__text(reader* r, const json* value, const char* what)
{
    if (value->kind == JSON_TEXT) return value->text;
    tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be a string, not %s", what,
                tml__json_kind_name(value));
    return NULL;
}

const char* tml__read_text(const element* e, const char* key)
{
    const json* value = tml__find(e, key);
    if (value == NULL) return NULL;
    return value->kind == JSON_TEXT ? value->text : tml__text(e->r, value, of(e, key).text);
}

// Names end up in column heads and messages, so they are one line and not empty.
const char* tml__read_name(const element* e)
{
    const char* name = tml__read_text(e, "name");
    if (name == NULL) return NULL;

    const json* value = tml__find(e, "name");
    if (name[0] == '\0') {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT, "the name of %s is empty", e->label);
    }
    for (const char* p = name; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        const unsigned char next = (unsigned char)p[1];
        // U+0080 to U+009F are two bytes
        const bool is_control = c < ' ' || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
        if (!is_control) continue;
        tml__refuse(e->r, value, TML_BAD_ARGUMENT, "the name of %s holds a control character",
                    e->label);
        break;
    }
    return name;
}

// "a, b, c" into a buffer, cut at its end.
static void join(const char* const* words, char* out, size_t capacity)
{
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; words[i] != NULL && n < capacity; i++) {
        n += (size_t)snprintf(out + n, capacity - n, "%s%s", i > 0 ? ", " : "", words[i]);
    }
}

int tml__read_word(const element* e, const char* key, const char* const* words)
{
    const char* given = tml__read_text(e, key);
    if (given == NULL) return -1;
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], given) == 0) return i;
    }
    char known[200];
    join(words, known, sizeof known);
    tml__refuse(e->r, tml__find(e, key), TML_BAD_ARGUMENT, "unknown %s '%.40s' of %s; known are %s",
                key, given, e->label, known);
    return -1;
}

// Only the first bodies are searched for a near name: a message need not be perfect.
static const char* nearest_body(const reader* r, const char* name)
{
    enum {
        SEARCHED = 500
    };
    const char* words[SEARCHED + 2] = {"world"};
    const int count = r->spec->all.body_count < SEARCHED ? r->spec->all.body_count : SEARCHED;
    for (int i = 0; i < count; i++) words[i + 1] = r->spec->all.bodies[i].name;
    return tml__nearest(name, words);
}

tml_body tml__body(const element* e, const json* value, const char* key)
{
    if (value->kind != JSON_TEXT) {
        tml__text(e->r, value, of(e, key).text);
        return TML_WORLD;
    }
    const char* name = value->text;
    const tml_body body = tml_spec_find_body(e->r->spec, name);
    if (body.index != -2) return body;

    const char* nearest = nearest_body(e->r, name);
    tml__refuse(e->r, value, TML_BAD_ARGUMENT, "%s: there is no body '%.60s'%s%.60s%s",
                of(e, key).text, name, nearest != NULL ? "; did you mean '" : "",
                nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    return TML_WORLD;
}

// ---- adding to the spec

static void note_line(reader* r, line_list* list, unsigned line)
{
    if (list->count == list->capacity) {
        const int capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        unsigned* lines = tml__allocate(NULL, (size_t)capacity, sizeof *lines);
        if (lines == NULL) {
            tml__refuse(r, NULL, TML_NO_MEMORY, "out of memory");
            return;
        }
        if (list->count > 0) memcpy(lines, list->lines, (size_t)list->count * sizeof *lines);
        tml__release(NULL, list->lines);
        list->lines = lines;
        list->capacity = capacity;
    }
    list->lines[list->count++] = line;
}

tml_body tml__add_body(reader* r, const json* at, const tml_body_def* def)
{
    if (r->status != TML_OK) return TML_WORLD;
    const tml_body body = tml_spec_add_body(r->spec, def);
    tml__take_refusal(r, at);
    note_line(r, &r->body_lines, at->line);
    return body;
}

tml_joint tml__add_joint(reader* r, const json* at, const tml_joint_def* def)
{
    if (r->status != TML_OK) return (tml_joint){-2};
    const tml_joint joint = tml_spec_add_joint(r->spec, def);
    tml__take_refusal(r, at);
    note_line(r, &r->joint_lines, at->line);
    return joint;
}

// ---- files

// Two meshes of tetrahedra stand in two files, X.node and X.ele, of which one is named.
static tml_status check_pair(const element* e, const char* folder, const char* file, message* why)
{
    char path[PATH_CHARS];
    char other[PATH_CHARS];
    const size_t length = strlen(file);
    const bool is_node = length > 5 && strcmp(file + length - 5, ".node") == 0;
    const bool is_ele = length > 4 && strcmp(file + length - 4, ".ele") == 0;
    if ((!is_node && !is_ele) || length >= PATH_CHARS - 2) return TML_OK;
    const int stem = (int)length - (is_node ? 5 : 4);
    snprintf(other, sizeof other, "%.*s%s", stem, file, is_node ? ".ele" : ".node");
    return tml__path_allowed(folder, folder, other, e->r->outside, path, why);
}

const char* tml__read_path(const element* e, const char* key)
{
    char folder[PATH_CHARS];
    char path[PATH_CHARS];
    message why;
    const char* file = tml__read_text(e, key);
    if (file == NULL || e->r->status != TML_OK) return NULL;
    tml__path_folder(e->r->file, folder);
    tml_status status = tml__path_allowed(folder, folder, file, e->r->outside, path, &why);
    if (status == TML_OK) status = check_pair(e, folder, file, &why);
    if (status != TML_OK) {
        tml__refuse(e->r, tml__find(e, key), status, "%s of %s: %s", key, e->label, why.text);
        return NULL;
    }
    // as the scene says it, without "./" where the scene lies here
    const char* shown = strncmp(path, "./", 2) == 0 ? path + 2 : path;
    char* kept = tml__take(e->r, (int)strlen(shown) + 1, 1);
    if (kept != NULL) memcpy(kept, shown, strlen(shown) + 1);
    return kept;
}
