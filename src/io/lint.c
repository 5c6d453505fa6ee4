// io/lint.c - the one list of what a model uses and we do not simulate.
#include "io/lint.h"

#include <stdio.h>
#include <string.h>

static lint_entry* find(const lint_list* list, const char* feature, const char* what)
{
    for (int i = 0; i < list->count; i++) {
        lint_entry* e = &list->entries[i];
        if (strcmp(e->feature, feature) == 0 && strcmp(e->what, what) == 0) return e;
    }
    return NULL;
}

static bool grow(lint_list* list)
{
    if (list->count < list->capacity) return true;
    const int capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
    lint_entry* wide = tml__pool_take(&list->memory, (size_t)capacity, sizeof *wide);
    if (wide == NULL) return false;
    if (list->count > 0) memcpy(wide, list->entries, (size_t)list->count * sizeof *wide);
    list->entries = wide;
    list->capacity = capacity;
    return true;
}

bool tml__lint_add(lint_list* list, const char* feature, const char* what, const char* file,
                   unsigned line, const char* element)
{
    lint_entry* same = find(list, feature, what);
    if (same != NULL) {
        same->count++;
        return true;
    }
    if (!grow(list)) return false;
    lint_entry* e = &list->entries[list->count];
    *e = (lint_entry){
        .feature = tml__pool_text(&list->memory, feature),
        .what = tml__pool_text(&list->memory, what),
        .file = tml__pool_text(&list->memory, file),
        .line = line,
        .element = tml__pool_text(&list->memory, element),
        .count = 1,
    };
    if (!e->feature || !e->what || !e->file || !e->element) return false;
    list->count++;
    return true;
}

void tml__lint_destroy(lint_list* list)
{
    tml__pool_destroy(&list->memory);
    *list = (lint_list){0};
}

const char* tml__lint_sentence(lint_list* list, int index)
{
    enum {
        CHARS = 1024
    };
    if (index < 0 || index >= list->count) return NULL;
    lint_entry* e = &list->entries[index];
    if (e->sentence != NULL) return e->sentence;

    char which[200] = "";
    if (e->count > 1 && e->element[0] != '\0') {
        snprintf(which, sizeof which, " (%d times, first '%.120s')", e->count, e->element);
    } else if (e->count > 1) {
        snprintf(which, sizeof which, " (%d times)", e->count);
    } else if (e->element[0] != '\0') {
        snprintf(which, sizeof which, " ('%.120s')", e->element);
    }
    char text[CHARS];
    snprintf(text, sizeof text, "%.300s:%u: %.160s%s: %.300s", e->file, e->line, e->feature, which,
             e->what);
    for (char* p = text; *p != '\0'; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f) *p = '?';
    }
    e->sentence = tml__pool_text(&list->memory, text);
    return e->sentence;
}
