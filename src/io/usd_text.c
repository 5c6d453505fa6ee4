// io/usd_text.c - USD text into elements: prims within prims, each a list of properties.
#include "io/usd_text.h"

#include <stdio.h>
#include <string.h>

typedef struct scan {
    const char* at;
    const char* end;
    const char* file;
    unsigned line;
    int elements;
    pool* memory;
    tml_status status;
    message* why;
} scan;

static void refuse(scan* s, tml_status status, const char* what)
{
    if (s->status != TML_OK) return;
    s->status = status;
    tml__fail(s->why, status, "%.300s:%u: %s", s->file, s->line, what);
}

// ---- characters

static bool starts(const scan* s, const char* word)
{
    const size_t n = strlen(word);
    return (size_t)(s->end - s->at) >= n && memcmp(s->at, word, n) == 0;
}

static bool is_over(const scan* s) { return s->at >= s->end || s->status != TML_OK; }

static void step(scan* s, size_t count)
{
    for (; count > 0 && s->at < s->end; count--) s->line += *s->at++ == '\n';
}

static void skip_blank(scan* s)
{
    while (!is_over(s)) {
        if (*s->at == '#') {
            while (!is_over(s) && *s->at != '\n') step(s, 1);
        } else if (strchr(" \t\r\n;", *s->at) != NULL && *s->at != '\0') {
            step(s, 1);
        } else {
            return;
        }
    }
}

// Behind a text in quotation marks, which may be three; its inside from *from to *to.
static void skip_text(scan* s, const char** from, const char** to)
{
    char mark[4] = {*s->at, '\0', '\0', '\0'};
    if (starts(s, "\"\"\"") || starts(s, "'''")) mark[1] = mark[2] = mark[0];
    step(s, strlen(mark));
    *from = s->at;
    while (!is_over(s) && !starts(s, mark)) step(s, *s->at == '\\' ? 2 : 1);
    *to = s->at;
    if (is_over(s)) refuse(s, TML_BAD_FILE, "a text does not end");
    step(s, strlen(mark));
}

static bool is_open(char c) { return c == '(' || c == '[' || c == '{'; }
static bool is_close(char c) { return c == ')' || c == ']' || c == '}'; }

// Behind a bracket and all that is in it.
static void skip_bracket(scan* s)
{
    int depth = 0;
    const char* from;
    const char* to;
    do {
        skip_blank(s);
        if (is_over(s)) break;
        if (*s->at == '"' || *s->at == '\'') {
            skip_text(s, &from, &to);
            continue;
        }
        depth += is_open(*s->at) ? 1 : is_close(*s->at) ? -1 : 0;
        step(s, 1);
    } while (depth > 0 && !is_over(s));
    if (depth > 0) refuse(s, TML_BAD_FILE, "a bracket does not close");
}

static const char* keep(scan* s, const char* from, const char* to)
{
    char* text = tml__pool_take(s->memory, (size_t)(to - from) + 1, 1);
    if (text == NULL) {
        refuse(s, TML_NO_MEMORY, "out of memory");
        return "";
    }
    if (to > from) memcpy(text, from, (size_t)(to - from));
    return text;
}

// A word of a name, a type or a number: up to a blank, a bracket, or a mark.
static const char* read_word(scan* s)
{
    skip_blank(s);
    const char* from = s->at;
    while (!is_over(s) && strchr(" \t\r\n=(){}\",;#<>@'", *s->at) == NULL && *s->at != '\0') {
        step(s, 1);
    }
    if (s->at == from) refuse(s, TML_BAD_FILE, "a name is missing");
    return keep(s, from, s->at);
}

// A value as words: brackets and commas become blanks, texts lose their marks.
static const char* read_value(scan* s)
{
    skip_blank(s);
    const char* from = s->at;
    const unsigned line = s->line;
    if (!is_over(s) && is_open(*s->at)) {
        skip_bracket(s);
    } else if (!is_over(s) && (*s->at == '"' || *s->at == '\'')) {
        const char* a;
        const char* b;
        skip_text(s, &a, &b);
        return keep(s, a, b);
    } else {
        while (!is_over(s) && *s->at != '\n' && *s->at != '(' && *s->at != ';' && *s->at != '#' &&
               *s->at != ')' && *s->at != '}') {
            step(s, 1);
        }
    }
    if (line == s->line && s->at == from) refuse(s, TML_BAD_FILE, "a value is missing");
    const char* kept = keep(s, from, s->at);
    if (s->status != TML_OK) return kept;
    char* to = tml__pool_take(s->memory, strlen(kept) + 1, 1);
    if (to == NULL) {
        refuse(s, TML_NO_MEMORY, "out of memory");
        return kept;
    }
    size_t n = 0;
    bool is_note = false;
    for (const char* p = kept; *p != '\0'; p++) {
        is_note = *p == '\n' ? false : is_note || *p == '#';
        const bool is_mark = is_note || strchr("()[]{},\"'<>@\r\n\t", *p) != NULL;
        if (!is_mark) {
            to[n++] = *p;
        } else if (n > 0 && to[n - 1] != ' ') {
            to[n++] = ' ';
        }
    }
    while (n > 0 && to[n - 1] == ' ') n--;
    to[n] = '\0';
    return to;
}

// ---- elements

static void set(scan* s, xml* e, const char* name, const char* value)
{
    for (xml_attribute* a = e->attributes; a != NULL; a = a->next) {
        if (strcmp(a->name, name) != 0) continue;
        a->value = value;
        return;
    }
    xml_attribute* a = tml__pool_take(s->memory, 1, sizeof *a);
    if (a == NULL) {
        refuse(s, TML_NO_MEMORY, "out of memory");
        return;
    }
    *a = (xml_attribute){name, value, e->attributes};
    e->attributes = a;
}

static bool is_change(const char* word)
{
    static const char* const words[] = {"prepend", "append",  "add",     "delete",
                                        "reorder", "uniform", "varying", "custom"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], word) == 0) return true;
    }
    return false;
}

// ( key = value ... ) of a prim or of the file.
static void read_metadata(scan* s, xml* e)
{
    skip_blank(s);
    if (is_over(s) || *s->at != '(') return;
    step(s, 1);
    for (skip_blank(s); !is_over(s) && *s->at != ')'; skip_blank(s)) {
        if (*s->at == '"' || *s->at == '\'') {  // a note
            const char* from;
            const char* to;
            skip_text(s, &from, &to);
            continue;
        }
        const char* key = read_word(s);
        while (s->status == TML_OK && is_change(key)) key = read_word(s);
        skip_blank(s);
        if (is_over(s) || *s->at != '=') {
            // "dictionary name = ..." has a type before its name
            if (s->status == TML_OK) continue;
            return;
        }
        step(s, 1);
        set(s, e, key, read_value(s));
    }
    step(s, 1);
}

static xml* open_prim(scan* s, xml* parent, const char* type, const char* name)
{
    if (++s->elements > XML_MAX_ELEMENTS) refuse(s, TML_BAD_FILE, "too many prims");
    int depth = 0;
    for (const xml* p = parent; p != NULL; p = p->parent) depth++;
    if (depth > XML_MAX_DEPTH) refuse(s, TML_BAD_FILE, "prims are nested too deeply");
    xml* e = tml__pool_take(s->memory, 1, sizeof *e);
    if (e == NULL) refuse(s, TML_NO_MEMORY, "out of memory");
    if (s->status != TML_OK) return NULL;
    *e = (xml){.name = type, .text = "", .file = s->file, .line = s->line};
    const char* above = parent != NULL ? tml__xml_attribute(parent, "path") : NULL;
    const size_t length = (above != NULL ? strlen(above) : 0) + strlen(name) + 2;
    char* path = tml__pool_take(s->memory, length, 1);
    if (path == NULL) {
        refuse(s, TML_NO_MEMORY, "out of memory");
        return NULL;
    }
    if (parent != NULL) snprintf(path, length, "%s/%s", above != NULL ? above : "", name);
    set(s, e, "name", name);
    set(s, e, "path", path);
    if (parent != NULL) tml__xml_append(parent, e);
    return e;
}

static void read_content(scan* s, xml* e);

static void read_prim(scan* s, xml* parent)
{
    const char* type = "prim";
    skip_blank(s);
    if (!is_over(s) && *s->at != '"') type = read_word(s);
    skip_blank(s);
    if (is_over(s) || *s->at != '"') {
        refuse(s, TML_BAD_FILE, "a prim needs its name in quotation marks");
        return;
    }
    const char* from;
    const char* to;
    skip_text(s, &from, &to);
    xml* e = open_prim(s, parent, type, keep(s, from, to));
    if (e == NULL) return;
    read_metadata(s, e);
    skip_blank(s);
    if (is_over(s) || *s->at != '{') {
        refuse(s, TML_BAD_FILE, "a prim needs its content between braces");
        return;
    }
    step(s, 1);
    read_content(s, e);
}

// [custom] [uniform] type name [= value] [(metadata)]
static void read_property(scan* s, xml* e)
{
    const char* word = read_word(s);
    bool is_removal = false;
    while (s->status == TML_OK && is_change(word)) {
        is_removal = is_removal || strcmp(word, "delete") == 0 || strcmp(word, "reorder") == 0;
        word = read_word(s);
    }
    const char* name = read_word(s);  // `word` was its type
    skip_blank(s);
    if (!is_over(s) && *s->at == '=') {
        step(s, 1);
        const char* value = read_value(s);
        if (s->status == TML_OK && !is_removal) set(s, e, name, value);
        skip_blank(s);
    }
    if (!is_over(s) && *s->at == '(') skip_bracket(s);
}

static void read_content(scan* s, xml* e)
{
    for (skip_blank(s); !is_over(s) && *s->at != '}'; skip_blank(s)) {
        if (starts(s, "def ") || starts(s, "over ") || starts(s, "class ")) {
            const bool is_class = starts(s, "class ");
            (void)read_word(s);
            read_prim(s, e);
            if (is_class && e->last != NULL) set(s, e->last, "active", "false");
        } else if (starts(s, "variantSet")) {
            (void)read_word(s);
            read_value(s);
        } else {
            read_property(s, e);
        }
    }
    if (is_over(s)) refuse(s, TML_BAD_FILE, "a brace does not close");
    step(s, 1);
}

// ---- references to prims of the same file

static void count_prims(scan* s, const xml* e)
{
    if (++s->elements > XML_MAX_ELEMENTS) refuse(s, TML_BAD_FILE, "too many prims");
    for (const xml* c = e->first; c != NULL && s->status == TML_OK; c = c->next) count_prims(s, c);
}

static void take_missing(scan* s, xml* to, const xml* from)
{
    for (const xml_attribute* a = from->attributes; a != NULL; a = a->next) {
        if (strcmp(a->name, "active") == 0)
            continue;  // what is only referred to is not there itself
        if (tml__xml_attribute(to, a->name) == NULL) set(s, to, a->name, a->value);
    }
    for (const xml* c = from->first; c != NULL && s->status == TML_OK; c = c->next) {
        count_prims(s, c);
        if (s->status != TML_OK) return;
        xml* copy = tml__xml_copy(s->memory, c);
        if (copy == NULL) {
            refuse(s, TML_NO_MEMORY, "out of memory");
            return;
        }
        tml__xml_append(to, copy);
    }
}

// Paths of copies stay those of what they are copies of: nothing asks for them by path.
static void follow(scan* s, const xml* root, xml* e, int depth)
{
    const char* path = tml__xml_attribute(e, "references");
    if (path == NULL) path = tml__xml_attribute(e, "inherits");
    const xml* of = path != NULL && path[0] == '/' ? tml__usd_find(root, path) : NULL;
    bool is_within = false;
    for (const xml* p = e; p != NULL; p = p->parent) is_within = is_within || p == of;
    if (of != NULL && !is_within && depth < XML_MAX_DEPTH) {
        take_missing(s, e, of);
        if (strcmp(e->name, "prim") == 0) e->name = of->name;
    }
    for (xml* c = e->first; c != NULL && s->status == TML_OK; c = c->next) {
        follow(s, root, c, depth + 1);
    }
}

// ---- the file

bool tml__usd_is_text(const char* text, size_t length)
{
    return length >= 5 && memcmp(text, "#usda", 5) == 0;
}

const xml* tml__usd_find(const xml* root, const char* path)
{
    const xml* at = root;
    while (at != NULL && *path == '/') {
        path++;
        const size_t length = strcspn(path, "/. ");
        const xml* found = NULL;
        for (const xml* c = at->first; c != NULL && found == NULL; c = c->next) {
            const char* name = tml__xml_attribute(c, "name");
            if (name != NULL && strlen(name) == length && memcmp(name, path, length) == 0) {
                found = c;
            }
        }
        at = found;
        path += length;
    }
    return at;
}

tml_status tml__usd_read(const char* text, size_t length, const char* file, pool* memory,
                         xml** root, message* why)
{
    scan s = {
        .at = text, .end = text + length, .file = file, .line = 1, .memory = memory, .why = why};
    *root = NULL;
    if (length > XML_MAX_BYTES || memchr(text, '\0', length) != NULL) {
        refuse(&s, TML_BAD_FILE, "the file is too large, or no text");
        return s.status;
    }
    xml* e = open_prim(&s, NULL, "usd", "");
    skip_blank(&s);
    if (e != NULL) read_metadata(&s, e);
    for (skip_blank(&s); !is_over(&s); skip_blank(&s)) {
        if (!starts(&s, "def ") && !starts(&s, "over ") && !starts(&s, "class ")) {
            refuse(&s, TML_BAD_FILE, "a prim is expected: 'def', 'over' or 'class'");
            break;
        }
        const bool is_plain = starts(&s, "def ");
        (void)read_word(&s);
        read_prim(&s, e);
        // what is only there to be referred to
        if (!is_plain && e->last != NULL) set(&s, e->last, "active", "false");
    }
    if (s.status == TML_OK && e != NULL) follow(&s, e, e, 0);
    *root = e;
    return s.status;
}
