// io/xml.c - the one file that knows libxml2: its events become a tree of ours.
//
// The old event interface (SAX1) is used on purpose: it hands names over with their prefixes as they
// stand, declared or not. A document type declaration stops the parser at once, before anything in
// it is read, so entities can neither grow nor name files.
#include "io/xml.h"

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

#include <libxml/SAX2.h>
#include <libxml/parser.h>

typedef struct parser {
    xmlParserCtxt* context;
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

static void stop(parser* p, tml_status status, const char* what)
{
    if (p->status != TML_OK) return;
    const int line = xmlSAX2GetLineNumber(p->context);
    p->status = tml__fail(p->why, status, "%.200s:%d: %s", p->file, line > 0 ? line : 1, what);
    xmlStopParser(p->context);
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

static void take_attributes(parser* p, xml* e, const xmlChar** list)
{
    xml_attribute** end = &e->attributes;
    int count = 0;
    for (; list != NULL && list[0] != NULL && p->status == TML_OK; list += 2) {
        xml_attribute* a = tml__pool_take(p->memory, 1, sizeof *a);
        if (a == NULL || ++count > XML_MAX_ATTRIBUTES) {
            stop(p, a == NULL ? TML_NO_MEMORY : TML_BAD_FILE,
                 a == NULL ? "out of memory" : "an element has more than 128 attributes");
            return;
        }
        const char* value = list[1] != NULL ? (const char*)list[1] : "";
        a->name = keep_text(p, (const char*)list[0], strlen((const char*)list[0]));
        a->value = keep_text(p, value, strlen(value));
        *end = a;
        end = &a->next;
    }
}

static void start_element(void* user, const xmlChar* name, const xmlChar** attributes)
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
    const int line = xmlSAX2GetLineNumber(p->context);
    e->name = keep_text(p, (const char*)name, strlen((const char*)name));
    e->text = "";
    e->file = p->file;
    e->line = line > 0 ? (unsigned)line : 1;
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

static void end_element(void* user, const xmlChar* name)
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

static void characters(void* user, const xmlChar* text, int length)
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

static void refuse_dtd(void* user, const xmlChar* name, const xmlChar* external,
                       const xmlChar* system)
{
    (void)name;
    (void)external;
    (void)system;
    stop(user, TML_BAD_FILE,
         "a document type declaration (DOCTYPE) is not accepted: models need no entities");
}

static xmlEntityPtr find_entity(void* user, const xmlChar* name)
{
    (void)user;
    return xmlGetPredefinedEntity(name);
}

// The library's own complaints; ours come first where both have one.
static void keep_error(parser* p)
{
    const xmlError* error = xmlCtxtGetLastError(p->context);
    if (p->status != TML_OK) return;
    if (p->context->errNo == XML_ERR_NO_MEMORY) {
        p->status = tml__fail(p->why, TML_NO_MEMORY, "%.200s: out of memory", p->file);
        return;
    }
    char what[240];
    snprintf(what, sizeof what, "it is not well-formed XML: %s",
             error != NULL && error->message != NULL ? error->message : "it ends too early");
    for (char* c = what; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = ' ';
    }
    size_t length = strlen(what);
    while (length > 0 && what[length - 1] == ' ') what[--length] = '\0';
    p->status = tml__fail(p->why, TML_BAD_FILE, "%.200s:%d: %s", p->file,
                          error != NULL && error->line > 0 ? error->line : 1, what);
}

static void say_nothing(void* user, const char* format, ...)
{
    (void)user;
    (void)format;
}

tml_status tml__xml_read(const char* text, size_t length, const char* file, pool* memory,
                         xml** root, message* why)
{
    *root = NULL;
    if (length > XML_MAX_BYTES) {
        return tml__fail(why, TML_BAD_FILE, "%.200s: the text is larger than 64 MiB", file);
    }
    xmlParserCtxt* context = xmlCreatePushParserCtxt(NULL, NULL, NULL, 0, NULL);
    if (context == NULL) return tml__fail(why, TML_NO_MEMORY, "%.200s: out of memory", file);

    parser p = {.context = context, .file = file, .memory = memory, .status = TML_OK, .why = why};
    p.file = keep_text(&p, file, strlen(file));
    memset(context->sax, 0, sizeof *context->sax);
    context->sax->internalSubset = refuse_dtd;
    context->sax->startElement = start_element;
    context->sax->endElement = end_element;
    context->sax->characters = characters;
    context->sax->cdataBlock = characters;
    context->sax->getEntity = find_entity;
    context->sax->error = say_nothing;
    context->sax->warning = say_nothing;
    context->sax->initialized = 1;
    context->userData = &p;
    xmlCtxtUseOptions(context,
                      XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_SAX1);

    xmlParseChunk(context, text, (int)length, 1);
    if (!context->wellFormed || p.root == NULL || p.open != NULL) keep_error(&p);
    xmlDoc* document = context->myDoc;
    xmlFreeParserCtxt(context);
    if (document != NULL) xmlFreeDoc(document);
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
