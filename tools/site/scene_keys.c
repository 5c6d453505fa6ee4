// scene_keys.c - asks the reader of scenes what it takes: every key of every element, the kind of value, and
// the value that counts where the key is left out. Reads the scenes that are named and prints one line a key:
//
//   element, type of the element, key, what it takes, default, "needed" or nothing      (by tabs)
//
// The linker puts the functions below in the place of those that the reader calls (--wrap, see
// CMakeLists.txt); each notes what it was asked for and goes on to the real one. So this page cannot say
// anything else than the reader does, and the reader knows nothing of it.
#include "io/scene_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LISTS = 600,
    NOTES = 8000,
    WORDS = 400
};

// The keys that an object may have.
typedef struct key_list {
    const json* object;
    char element[40], type[40];
    const char* const* keys;
} key_list;

typedef struct note {
    const json* object;
    char key[40];
    char takes[WORDS], otherwise[WORDS];
    bool is_needed;
} note;

static key_list lists[LISTS];
static note notes[NOTES];
static int list_count, note_count;

// "shape 3 of body 'rod'" is a shape; what holds a control is named by how it is written.
static void name_element(const char* kind, const char* const* keys, char out[40])
{
    if (strncmp(kind, "the ", 4) == 0) kind += 4;
    const bool is_pair = strncmp(kind, "collision pair", 14) == 0;
    const int length = is_pair ? 14 : (int)strcspn(kind, " ");
    snprintf(out, 40, "%.*s", length < 39 ? length : 39, kind);
    const bool is_table = strcmp(keys[0], "table") == 0 && keys[1] != NULL;
    if (is_table || strcmp(keys[0], "recording") == 0 || strcmp(keys[0], "sine") == 0) {
        snprintf(out, 40, "control by %s", keys[0]);
    }
}

static void add_list(const json* object, const char* kind, const char* const* keys)
{
    if (list_count == LISTS) {
        fprintf(stderr, "scene_keys: more elements than there is room for\n");
        exit(1);
    }
    key_list* l = &lists[list_count++];
    const json* type = tml__json_find(object, "type");
    l->object = object;
    l->keys = keys;
    name_element(kind, keys, l->element);
    snprintf(l->type, sizeof l->type, "%.39s",
             type != NULL && type->kind == JSON_TEXT ? type->text : "");
}

static note* add_note(const element* e, const char* key)
{
    if (note_count == NOTES) {
        fprintf(stderr, "scene_keys: more keys than there is room for\n");
        exit(1);
    }
    note* n = &notes[note_count++];
    *n = (note){.object = e->object};
    snprintf(n->key, sizeof n->key, "%s", key);
    return n;
}

// ---- in the place of the reader's own

element __real_tml__open(reader* r, const json* value, const char* kind, int index,
                         const char* const* keys);
element __wrap_tml__open(reader* r, const json* value, const char* kind, int index,
                         const char* const* keys);
element __wrap_tml__open(reader* r, const json* value, const char* kind, int index,
                         const char* const* keys)
{
    if (keys != NULL) add_list(value, kind, keys);
    return __real_tml__open(r, value, kind, index, keys);
}

void __real_tml__check_keys(const element* e, const char* const* keys);
void __wrap_tml__check_keys(const element* e, const char* const* keys);
void __wrap_tml__check_keys(const element* e, const char* const* keys)
{
    add_list(e->object, e->label, keys);
    __real_tml__check_keys(e, keys);
}

const json* __real_tml__need(const element* e, const char* key);
const json* __wrap_tml__need(const element* e, const char* key);
const json* __wrap_tml__need(const element* e, const char* key)
{
    add_note(e, key)->is_needed = true;
    return __real_tml__need(e, key);
}

void __real_tml__read_number(const element* e, const char* key, number_range range, double* out);
void __wrap_tml__read_number(const element* e, const char* key, number_range range, double* out);
void __wrap_tml__read_number(const element* e, const char* key, number_range range, double* out)
{
    static const char* const ranges[] = {[ANY_NUMBER] = "number",
                                         [NOT_NEGATIVE] = "number, 0 or more",
                                         [POSITIVE] = "number above 0"};
    note* n = add_note(e, key);
    snprintf(n->takes, WORDS, "%s", ranges[range]);
    // what the key itself could not say is no default but its absence
    const bool is_value = *out >= 0.0 || range == ANY_NUMBER;
    if (is_value && !(range == POSITIVE && *out <= 0.0)) snprintf(n->otherwise, WORDS, "%g", *out);
    __real_tml__read_number(e, key, range, out);
}

void __real_tml__read_integer(const element* e, const char* key, int least, int most, int* out);
void __wrap_tml__read_integer(const element* e, const char* key, int least, int most, int* out);
void __wrap_tml__read_integer(const element* e, const char* key, int least, int most, int* out)
{
    note* n = add_note(e, key);
    snprintf(n->takes, WORDS, "whole number from %d to %d", least, most);
    if (*out >= least && *out <= most) snprintf(n->otherwise, WORDS, "%d", *out);
    __real_tml__read_integer(e, key, least, most, out);
}

void __real_tml__read_bool(const element* e, const char* key, bool* out);
void __wrap_tml__read_bool(const element* e, const char* key, bool* out);
void __wrap_tml__read_bool(const element* e, const char* key, bool* out)
{
    note* n = add_note(e, key);
    snprintf(n->takes, WORDS, "true or false");
    snprintf(n->otherwise, WORDS, "%s", *out ? "true" : "false");
    __real_tml__read_bool(e, key, out);
}

void __real_tml__read_vector(const element* e, const char* key, tml_vec3* out);
void __wrap_tml__read_vector(const element* e, const char* key, tml_vec3* out);
void __wrap_tml__read_vector(const element* e, const char* key, tml_vec3* out)
{
    note* n = add_note(e, key);
    snprintf(n->takes, WORDS, "[x, y, z]");
    snprintf(n->otherwise, WORDS, "[%g, %g, %g]", out->x, out->y, out->z);
    __real_tml__read_vector(e, key, out);
}

void __real_tml__read_orientation(const element* e, const char* key, tml_quat* out);
void __wrap_tml__read_orientation(const element* e, const char* key, tml_quat* out);
void __wrap_tml__read_orientation(const element* e, const char* key, tml_quat* out)
{
    note* n = add_note(e, key);
    snprintf(n->takes, WORDS, "unit quaternion [w, x, y, z]");
    snprintf(n->otherwise, WORDS, "[%g, %g, %g, %g]", out->w, out->x, out->y, out->z);
    __real_tml__read_orientation(e, key, out);
}

const char* __real_tml__read_text(const element* e, const char* key);
const char* __wrap_tml__read_text(const element* e, const char* key);
const char* __wrap_tml__read_text(const element* e, const char* key)
{
    snprintf(add_note(e, key)->takes, WORDS, "text");
    return __real_tml__read_text(e, key);
}

const char* __real_tml__read_name(const element* e);
const char* __wrap_tml__read_name(const element* e);
const char* __wrap_tml__read_name(const element* e)
{
    snprintf(add_note(e, "name")->takes, WORDS, "text");
    return __real_tml__read_name(e);
}

const char* __real_tml__read_path(const element* e, const char* key);
const char* __wrap_tml__read_path(const element* e, const char* key);
const char* __wrap_tml__read_path(const element* e, const char* key)
{
    snprintf(add_note(e, key)->takes, WORDS, "a file beside the scene");
    return __real_tml__read_path(e, key);
}

int __real_tml__read_word(const element* e, const char* key, const char* const* words);
int __wrap_tml__read_word(const element* e, const char* key, const char* const* words);
int __wrap_tml__read_word(const element* e, const char* key, const char* const* words)
{
    note* n = add_note(e, key);
    size_t used = 0;
    for (int i = 0; words[i] != NULL && used < WORDS - 40; i++) {
        used += (size_t)snprintf(n->takes + used, WORDS - used, "%s\"%s\"", i > 0 ? ", " : "",
                                 words[i]);
    }
    return __real_tml__read_word(e, key, words);
}

// ---- what was noted

static const key_list* list_of(const json* object)
{
    for (int i = list_count - 1; i >= 0; i--) {
        if (lists[i].object == object) return &lists[i];
    }
    return NULL;
}

static void print_all(void)
{
    for (int i = 0; i < list_count; i++) {
        for (const char* const* key = lists[i].keys; *key != NULL; key++) {
            printf("%s\t%s\t%s\t\t\t\n", lists[i].element, lists[i].type, *key);
        }
    }
    for (int i = 0; i < note_count; i++) {
        const note* n = &notes[i];
        const key_list* l = list_of(n->object);
        if (l == NULL) continue;
        printf("%s\t%s\t%s\t%s\t%s\t%s\n", l->element, l->type, n->key, n->takes, n->otherwise,
               n->is_needed ? "needed" : "");
    }
}

int main(int count, char** words)
{
    for (int i = 1; i < count; i++) {
        tml_scene* scene = tml_scene_create();
        list_count = note_count = 0;
        if (tml_scene_read_file(scene, words[i]) != TML_OK) {
            fprintf(stderr, "scene_keys: %s\n", tml_scene_message(scene));
            return 1;
        }
        print_all();
        tml_scene_destroy(scene);
    }
    return 0;
}
