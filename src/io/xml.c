// io/xml.c - the one file that knows expat: its events become a tree of ours.
//
// Names come with their prefixes as they stand, declared or not. A document type declaration stops
// the parser at once, before anything in it is read, so entities can neither grow nor name files. What
// the parser takes for itself is counted: one element cannot make it take more than PARSER_BYTES.
#include "io/xml.h"

#include "base/memory.h"
#include "io/number.h"

#include <stdio.h>
#include <string.h>

// ---- the tree

const char* tml__xml_attribute(const xml* e, const char* name)
{
    for (const xml_attribute* a = e->attributes; a != NULL; a = a->next) {
        if (strcmp(a->name, name) == 0) return a->value;
    }
    return NULL;
}

bool tml__xml_is(const xml* e, const char* name) { return strcmp(e->name, name) == 0; }

static xml* first_named(xml* e, const char* name)
{
    while (e != NULL && !tml__xml_is(e, name)) e = e->next;
    if (e != NULL) e->is_used = true;
    return e;
}

xml* tml__xml_child(const xml* e, const char* name) { return first_named(e->first, name); }
xml* tml__xml_next(const xml* e, const char* name) { return first_named(e->next, name); }

void tml__xml_append(xml* parent, xml* child)
{
    child->parent = parent;
    child->next = NULL;
    if (parent->last != NULL) {
        parent->last->next = child;
    } else {
        parent->first = child;
    }
    parent->last = child;
}

xml* tml__xml_copy(pool* memory, const xml* e)
{
    xml* copy = tml__pool_copy(memory, e, 1, sizeof *e);
    if (copy == NULL) return NULL;
    copy->first = copy->last = copy->next = NULL;
    for (const xml* child = e->first; child != NULL; child = child->next) {
        xml* one = tml__xml_copy(memory, child);
        if (one == NULL) return NULL;
        tml__xml_append(copy, one);
    }
    return copy;
}

// ---- numbers

enum {
    DIGITS = 512
};  // longer numbers are refused; 17 digits say everything

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Take digits from *p into out; how many there were.
static int take_digits(const char** p, char* out, int* used)
{
    int count = 0;
    for (; is_digit(**p) && *used < DIGITS - 8; (*p)++, count++) out[(*used)++] = **p;
    return count;
}

bool tml__xml_number(const char* text, double* out, const char** stop)
{
    char json[DIGITS];
    int used = 0;
    const char* p = text;

    *stop = text;
    if (*p == '-') json[used++] = '-';
    if (*p == '-' || *p == '+') p++;
    while (*p == '0' && is_digit(p[1])) p++;
    int digits = take_digits(&p, json, &used);
    if (digits == 0) json[used++] = '0';
    if (*p == '.') {
        p++;
        json[used++] = '.';
        const int behind = take_digits(&p, json, &used);
        if (behind == 0) json[used++] = '0';
        digits += behind;
    }
    if (digits == 0) return false;
    if (*p == 'e' || *p == 'E') {
        p++;
        json[used++] = 'e';
        if (*p == '-' || *p == '+') json[used++] = *p++;
        if (take_digits(&p, json, &used) == 0) return false;
    }
    if (is_digit(*p)) return false;  // longer than we keep
    json[used] = '\0';

    const char* end = NULL;
    const bool is_number = tml__number_read(json, out, &end) == NUMBER_OK && *end == '\0';
    if (is_number) *stop = p;
    return is_number;
}

// ---- parsing

#ifdef TRAMMEL_XML

#include <expat.h>

// ---- what the parser takes for itself

#define PARSER_BYTES ((size_t)64 << 20)
#define PIECE_BYTES  ((size_t)4 << 20)

// Expat hands its memory functions no context, so each parse tells its own here while it lasts.
typedef struct feed {
    const tml_allocator* allocator;
    size_t bytes;  // taken and not yet given back
    bool is_full;  // something was refused for being more than PARSER_BYTES
} feed;

static _Thread_local feed* feeding;

enum {
    SIZE_ROOM = 16  // before each block: its size, which realloc must know
};

static void* take_memory(size_t bytes)
{
    if (bytes > PARSER_BYTES - feeding->bytes) {
        feeding->is_full = true;
        return NULL;
    }
    unsigned char* block = tml__allocate(feeding->allocator, 1, bytes + SIZE_ROOM);
    if (block == NULL) return NULL;
    memcpy(block, &bytes, sizeof bytes);
    feeding->bytes += bytes;
    return block + SIZE_ROOM;
}

static size_t size_of(const unsigned char* block)
{
    size_t bytes = 0;
    memcpy(&bytes, block - SIZE_ROOM, sizeof bytes);
    return bytes;
}

static void give_back(void* memory)
{
    unsigned char* block = memory;
    if (block == NULL) return;
    feeding->bytes -= size_of(block);
    tml__release(feeding->allocator, block - SIZE_ROOM);
}

static void* take_more(void* memory, size_t bytes)
{
    void* wide = take_memory(bytes);
    if (wide == NULL || memory == NULL) return wide;
    const size_t before = size_of(memory);
    memcpy(wide, memory, before < bytes ? before : bytes);
    give_back(memory);
    return wide;
}

// ---- events

typedef struct parser {
    XML_Parser expat;
    const char* file;
    pool* memory;
    xml* root;
    xml* open;  // the innermost element that is not closed yet
    int depth;
    int elements;
    char* text;  // of the innermost element
    size_t text_length, text_capacity;
    tml_status status;
    message* why;
} parser;

static unsigned line_of(const parser* p)
{
    const XML_Size line = XML_GetCurrentLineNumber(p->expat);
    return line > 0 ? (unsigned)line : 1;
}

static void stop(parser* p, tml_status status, const char* what)
{
    if (p->status != TML_OK) return;
    p->status = tml__fail(p->why, status, "%.200s:%u: %s", p->file, line_of(p), what);
    XML_StopParser(p->expat, XML_FALSE);
}

static const char* keep_text(parser* p, const char* text, size_t length)
{
    char* copy = tml__pool_take(p->memory, length + 1, 1);
    if (copy == NULL) {
        stop(p, TML_NO_MEMORY, "out of memory");
        return "";
    }
    if (length > 0) memcpy(copy, text, length);
    return copy;
}

static void take_attributes(parser* p, xml* e, const XML_Char** list)
{
    xml_attribute** end = &e->attributes;
    int count = 0;
    for (; list[0] != NULL && p->status == TML_OK; list += 2) {
        if (++count > XML_MAX_ATTRIBUTES) {
            stop(p, TML_BAD_FILE, "an element has more than 128 attributes");
            return;
        }
        xml_attribute* a = tml__pool_take(p->memory, 1, sizeof *a);
        if (a == NULL) {
            stop(p, TML_NO_MEMORY, "out of memory");
            return;
        }
        a->name = keep_text(p, list[0], strlen(list[0]));
        a->value = keep_text(p, list[1], strlen(list[1]));
        *end = a;
        end = &a->next;
    }
}

static void start_element(void* user, const XML_Char* name, const XML_Char** attributes)
{
    parser* p = user;
    if (p->status != TML_OK) return;
    if (++p->depth > XML_MAX_DEPTH) {
        stop(p, TML_BAD_FILE, "elements are nested more than 128 deep");
        return;
    }
    if (++p->elements > XML_MAX_ELEMENTS) {
        stop(p, TML_BAD_FILE, "there are more than a million elements");
        return;
    }
    xml* e = tml__pool_take(p->memory, 1, sizeof *e);
    if (e == NULL) {
        stop(p, TML_NO_MEMORY, "out of memory");
        return;
    }
    e->name = keep_text(p, name, strlen(name));
    e->text = "";
    e->file = p->file;
    e->line = line_of(p);
    take_attributes(p, e, attributes);
    if (p->open != NULL) {
        tml__xml_append(p->open, e);
    } else {
        p->root = e;
    }
    p->open = e;
    p->text_length = 0;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void end_element(void* user, const XML_Char* name)
{
    (void)name;
    parser* p = user;
    if (p->status != TML_OK || p->open == NULL) return;
    if (p->open->first == NULL) {
        const char* start = p->text;
        size_t length = p->text_length;
        while (length > 0 && is_space(start[length - 1])) length--;
        while (length > 0 && is_space(*start)) {
            start++;
            length--;
        }
        if (length > 0) p->open->text = keep_text(p, start, length);
    }
    p->text_length = 0;
    p->open = p->open->parent;
    p->depth--;
}

static void characters(void* user, const XML_Char* text, int length)
{
    parser* p = user;
    const size_t more = length > 0 ? (size_t)length : 0;
    if (p->status != TML_OK) return;
    if (p->text_length + more > p->text_capacity) {
        const size_t capacity = 2 * (p->text_length + more) + 256;
        char* wide = tml__pool_take(p->memory, capacity, 1);
        if (wide == NULL) {
            stop(p, TML_NO_MEMORY, "out of memory");
            return;
        }
        if (p->text_length > 0) memcpy(wide, p->text, p->text_length);
        p->text = wide;
        p->text_capacity = capacity;
    }
    if (more > 0) memcpy(p->text + p->text_length, text, more);
    p->text_length += more;
}

static void refuse_dtd(void* user, const XML_Char* name, const XML_Char* system,
                       const XML_Char* external, int has_subset)
{
    (void)name;
    (void)system;
    (void)external;
    (void)has_subset;
    stop(user, TML_BAD_FILE,
         "a document type declaration (DOCTYPE) is not accepted: models need no entities");
}

// The library's own complaints; ours come first where both have one.
static void keep_error(parser* p)
{
    const enum XML_Error error = XML_GetErrorCode(p->expat);
    if (p->status != TML_OK) return;
    if (feeding->is_full) {
        p->status = tml__fail(p->why, TML_BAD_FILE,
                              "%.200s:%u: one element needs more than %zu MiB to be read", p->file,
                              line_of(p), PARSER_BYTES >> 20);
    } else if (error == XML_ERROR_NO_MEMORY) {
        p->status = tml__fail(p->why, TML_NO_MEMORY, "%.200s: out of memory", p->file);
    } else {
        const char* what = error != XML_ERROR_NONE ? XML_ErrorString(error) : "it ends too early";
        p->status = tml__fail(p->why, TML_BAD_FILE, "%.200s:%u: it is not well-formed XML: %s",
                              p->file, line_of(p), what);
    }
}

static void parse(parser* p, const char* text, size_t length)
{
    XML_SetUserData(p->expat, p);
    XML_SetElementHandler(p->expat, start_element, end_element);
    XML_SetCharacterDataHandler(p->expat, characters);
    XML_SetStartDoctypeDeclHandler(p->expat, refuse_dtd);
    // In pieces, which the parser copies; large ones, as a tag that goes on in the next piece may be
    // looked at from its start again.
    enum XML_Status status = XML_STATUS_OK;
    for (size_t at = 0; status == XML_STATUS_OK && at <= length; at += PIECE_BYTES) {
        const size_t left = length - at;
        const bool is_last = left < PIECE_BYTES;
        status = XML_Parse(p->expat, text + at, (int)(is_last ? left : PIECE_BYTES), is_last);
    }
    if (status != XML_STATUS_OK || p->root == NULL || p->open != NULL) keep_error(p);
}

tml_status tml__xml_read(const char* text, size_t length, const char* file, pool* memory,
                         xml** root, message* why)
{
    static const XML_Memory_Handling_Suite suite = {take_memory, take_more, give_back};
    feed mine = {.allocator = memory->allocator};
    parser p = {.memory = memory, .status = TML_OK, .why = why};

    *root = NULL;
    if (length > XML_MAX_BYTES) {
        return tml__fail(why, TML_BAD_FILE, "%.200s: the text is larger than 64 MiB", file);
    }
    p.file = tml__pool_text(memory, file);
    feeding = &mine;
    if (p.file != NULL) p.expat = XML_ParserCreate_MM(NULL, &suite, NULL);
    if (p.expat != NULL) {
        parse(&p, text, length);
        XML_ParserFree(p.expat);
    } else {
        p.status = tml__fail(why, TML_NO_MEMORY, "%.200s: out of memory", file);
    }
    feeding = NULL;
    *root = p.status == TML_OK ? p.root : NULL;
    return p.status;
}

#else

tml_status tml__xml_read(const char* text, size_t length, const char* file, pool* memory,
                         xml** root, message* why)
{
    (void)text;
    (void)length;
    (void)memory;
    *root = NULL;
    return tml__fail(why, TML_UNSUPPORTED,
                     "%.200s: this build reads no XML (it was configured with TRAMMEL_XML=OFF)",
                     file);
}

#endif
