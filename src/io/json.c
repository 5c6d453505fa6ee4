// io/json.c - the JSON reader: one pass over the text, one small node per value.
//
// Strings are decoded where they stand (an escape is never shorter than what it means), so a
// document costs its text plus 32 bytes a value. Nodes come from the pool in batches.
#include "io/json.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    NODE_BATCH = 1024
};

typedef struct parser {
    char* p;           // the next byte
    const char* end;   // the zero byte behind the text
    const char* line;  // where the current line starts
    unsigned line_number;
    int depth;
    json* nodes;  // unused nodes of the last batch
    int node_count;
    int value_count;  // of all nodes taken
    pool* memory;
    json_error* error;
    tml_status status;
} parser;

static unsigned column_of(const parser* s, const char* p)
{
    const size_t column = (size_t)(p - s->line) + 1;
    const size_t largest = (1u << 28) - 1;
    return (unsigned)(column < largest ? column : largest);
}

// Remember the first error and answer NULL, so that a failing line reads `return refuse(...)`.
static json* refuse(parser* s, const char* at, const char* what)
{
    if (s->status != TML_OK) return NULL;

    s->status = TML_BAD_FILE;
    s->error->line = s->line_number;
    s->error->column = column_of(s, at);
    snprintf(s->error->text, sizeof s->error->text, "%s", what);
    return NULL;
}

// The same where something else was expected: says what was found instead.
static json* refuse_found(parser* s, const char* expected)
{
    char what[120];
    const unsigned char c = (unsigned char)*s->p;

    if (s->p == s->end) {
        snprintf(what, sizeof what, "expected %s, but the text ends here", expected);
    } else if (c > ' ' && c < 0x7f) {
        snprintf(what, sizeof what, "expected %s, not '%c'", expected, c);
    } else {
        snprintf(what, sizeof what, "expected %s, not the byte 0x%02x", expected, c);
    }
    return refuse(s, s->p, what);
}

static void skip_space(parser* s)
{
    for (;; s->p++) {
        if (*s->p == '\n') {
            s->line_number++;
            s->line = s->p + 1;
        } else if (*s->p != ' ' && *s->p != '\t' && *s->p != '\r') {
            return;
        }
    }
}

static json* new_value(parser* s, json_kind kind)
{
    if (s->node_count == 0) {
        if (s->value_count >= JSON_MAX_VALUES) {
            return refuse(s, s->p, "more than 67108864 values");
        }
        s->value_count += NODE_BATCH;
        s->nodes = tml__pool_take(s->memory, NODE_BATCH, sizeof *s->nodes);
        if (s->nodes == NULL) {
            if (s->status == TML_OK) s->status = TML_NO_MEMORY;
            return NULL;
        }
        s->node_count = NODE_BATCH;
    }
    json* value = s->nodes++;
    s->node_count--;
    value->kind = kind & 0xf;
    value->line = s->line_number;
    value->column = column_of(s, s->p) & 0xfffffff;
    return value;
}

// ---- strings

// Four hexadecimal digits; -1 when they are not.
static int read_hex(const char* p)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    int value = 0;
    for (int i = 0; i < 4; i++) {
        const char* digit = p[i] != '\0' ? strchr(digits, p[i]) : NULL;
        if (digit == NULL) return -1;
        value = 16 * value + (int)((digit - digits) % 16);
    }
    return value;
}

static char* put_utf8(char* out, unsigned code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xf0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3f));
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

// \uXXXX, or two of them for one character beyond the first 65536. s->p is at the first digit.
static char* read_unicode(parser* s, char* out)
{
    int code = read_hex(s->p);
    if (code < 0) {
        refuse(s, s->p, "\\u needs four hexadecimal digits");
        return NULL;
    }
    s->p += 4;
    if (code >= 0xd800 && code < 0xdc00) {
        const int low = s->p[0] == '\\' && s->p[1] == 'u' ? read_hex(s->p + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff) {
            refuse(s, s->p, "the first half of a surrogate pair lacks its second");
            return NULL;
        }
        s->p += 6;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
        refuse(s, s->p, "the second half of a surrogate pair stands alone");
        return NULL;
    }
    if (code == 0) {
        refuse(s, s->p, "\\u0000 is not allowed in a string");
        return NULL;
    }
    return put_utf8(out, (unsigned)code);
}

// What stands behind a backslash. Answers where the text goes on, NULL when it is no escape.
static char* read_escape(parser* s, char* out)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";

    s->p++;
    const char c = *s->p;
    if (c == 'u') {
        s->p++;
        return read_unicode(s, out);
    }
    const char* letter = c != '\0' ? strchr(letters, c) : NULL;
    if (letter == NULL) {
        refuse(s, s->p, "a backslash must be followed by one of \" \\ / b f n r t u");
        return NULL;
    }
    s->p++;
    *out++ = meanings[letter - letters];
    return out;
}

// The zero byte behind the text stops every look-ahead.
int tml__utf8_length(const char* text)
{
    const unsigned char* p = (const unsigned char*)text;
    const int length = p[0] < 0x80   ? 1
                       : p[0] < 0xc2 ? 0
                       : p[0] < 0xe0 ? 2
                       : p[0] < 0xf0 ? 3
                       : p[0] < 0xf5 ? 4
                                     : 0;
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
    }
    const bool is_bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
                        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
    return is_bad ? 0 : length;
}

// The string at s->p, which is a quotation mark; NULL when it is broken.
static const char* read_string(parser* s)
{
    char* const start = ++s->p;
    char* out = start;

    while (*s->p != '"') {
        const unsigned char c = (unsigned char)*s->p;
        if (c == '\\') {
            out = read_escape(s, out);
            if (out == NULL) return NULL;
            continue;
        }
        if (c < ' ') {
            const bool is_end = s->p == s->end || c == '\n' || c == '\r';
            refuse(s, s->p,
                   is_end ? "the string is not closed on its line"
                          : "control characters must be escaped in a string");
            return NULL;
        }
        const int length = tml__utf8_length(s->p);
        if (length == 0) {
            refuse(s, s->p, "this is not valid UTF-8");
            return NULL;
        }
        for (int i = 0; i < length; i++) *out++ = *s->p++;
    }
    s->p++;
    *out = '\0';
    return start;
}

// ---- values

static json* read_value(parser* s);

static json* read_number(parser* s)
{
    json* value = new_value(s, JSON_NUMBER);
    if (value == NULL) return NULL;

    const char* stop = NULL;
    switch (tml__number_read(s->p, &value->number, &stop)) {
    case NUMBER_OK: s->p += stop - s->p; return value;
    case NUMBER_MALFORMED: return refuse(s, s->p, "this is not a number as JSON writes them");
    case NUMBER_HUGE: return refuse(s, s->p, "this number is too large for a double");
    }
    return NULL;
}

static json* read_word(parser* s)
{
    static const struct {
        const char* word;
        size_t length;
        json_kind kind;
        bool is_true;
    } words[] = {{"true", 4, JSON_BOOL, true},
                 {"false", 5, JSON_BOOL, false},
                 {"null", 4, JSON_NULL, false}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncmp(s->p, words[i].word, words[i].length) != 0) continue;
        json* value = new_value(s, words[i].kind);
        if (value == NULL) return NULL;
        value->is_true = words[i].is_true;
        s->p += words[i].length;
        return value;
    }
    const bool is_nan = strncmp(s->p, "NaN", 3) == 0 || strncmp(s->p, "nan", 3) == 0 ||
                        strncmp(s->p, "Inf", 3) == 0 || strncmp(s->p, "inf", 3) == 0;
    return is_nan ? refuse(s, s->p, "NaN and Infinity are not JSON numbers")
                  : refuse_found(s, "a value");
}

static json* read_array(parser* s)
{
    json* array = new_value(s, JSON_ARRAY);
    const json** last = array != NULL ? &array->first : NULL;
    if (last == NULL) return NULL;

    s->p++;
    skip_space(s);
    if (*s->p == ']') {
        s->p++;
        return array;
    }
    for (;;) {
        json* value = read_value(s);
        if (value == NULL) return NULL;
        *last = value;
        last = &value->next;

        skip_space(s);
        if (*s->p == ']') break;
        if (*s->p != ',') return refuse_found(s, "',' or ']'");
        s->p++;
        skip_space(s);
        if (*s->p == ']') return refuse(s, s->p, "there is a comma too many before the ']'");
    }
    s->p++;
    return array;
}

// The key at s->p and the colon behind it; NULL when something is wrong with either.
static const char* read_key(parser* s, const json* object, int count)
{
    if (*s->p == '}') {
        refuse(s, s->p, "there is a comma too many before the '}'");
        return NULL;
    }
    if (*s->p != '"') {
        refuse_found(s, "a key in quotation marks");
        return NULL;
    }
    const char* at = s->p;
    const char* key = read_string(s);
    if (key == NULL) return NULL;

    // a plain search: the number of keys is bounded
    if (count >= JSON_MAX_KEYS) {
        refuse(s, at, "an object may have at most 256 keys");
        return NULL;
    }
    for (const json* other = object->first; other != NULL; other = other->next) {
        if (strcmp(other->key, key) != 0) continue;
        char what[120];
        snprintf(what, sizeof what, "the key '%.60s' stands twice in one object", key);
        refuse(s, at, what);
        return NULL;
    }
    skip_space(s);
    if (*s->p != ':') {
        refuse_found(s, "':' after the key");
        return NULL;
    }
    s->p++;
    return key;
}

static json* read_object(parser* s)
{
    json* object = new_value(s, JSON_OBJECT);
    const json** last = object != NULL ? &object->first : NULL;
    if (last == NULL) return NULL;

    s->p++;
    skip_space(s);
    if (*s->p == '}') {
        s->p++;
        return object;
    }
    for (int count = 0;; count++) {
        const char* key = read_key(s, object, count);
        if (key == NULL) return NULL;
        json* value = read_value(s);
        if (value == NULL) return NULL;
        value->key = key;
        *last = value;
        last = &value->next;

        skip_space(s);
        if (*s->p == '}') break;
        if (*s->p != ',') return refuse_found(s, "',' or '}'");
        s->p++;
        skip_space(s);
    }
    s->p++;
    return object;
}

static json* read_text(parser* s)
{
    json* value = new_value(s, JSON_TEXT);
    if (value == NULL) return NULL;
    value->text = read_string(s);
    return value->text != NULL ? value : NULL;
}

static json* read_value(parser* s)
{
    skip_space(s);
    const char c = *s->p;
    if (c == '"') return read_text(s);
    if (c == '-' || (c >= '0' && c <= '9')) return read_number(s);
    if (c != '[' && c != '{') return read_word(s);

    if (s->depth == JSON_MAX_DEPTH) return refuse(s, s->p, "nested more than 64 levels deep");
    s->depth++;
    json* value = c == '[' ? read_array(s) : read_object(s);
    s->depth--;
    return value;
}

tml_status tml__json_read(char* text, size_t length, json_document* document, json_error* error)
{
    *document = (json_document){.text = text};
    *error = (json_error){.line = 1, .column = 1};
    parser s = {.p = text,
                .end = text + length,
                .line = text,
                .line_number = 1,
                .memory = &document->memory,
                .error = error,
                .status = TML_OK};

    if (length > JSON_MAX_BYTES) {
        refuse(&s, text, "the text is larger than 1 GiB");
        return s.status;
    }
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) s.p += 3;

    skip_space(&s);
    if (s.p == s.end) refuse(&s, s.p, "there is nothing here but space");
    const json* root = s.status == TML_OK ? read_value(&s) : NULL;
    if (root != NULL) {
        skip_space(&s);
        if (s.p != s.end) refuse_found(&s, "nothing more after the closing bracket");
    }
    if (s.status == TML_OK) document->root = root;
    return s.status;
}

tml_status tml__json_open(const char* path, size_t most, json_document* document, message* why)
{
    char* text = NULL;
    size_t length = 0;
    json_error error;
    *document = (json_document){0};  // also where the file cannot be read
    tml_status status = tml__file_read_to_zero(path, most, &text, &length, why);
    if (status != TML_OK) return status;
    status = tml__json_read(text, length, document, &error);
    if (status == TML_BAD_FILE) {
        return tml__fail(why, status, "%.300s:%u: %s (column %u)", path, error.line, error.text,
                         error.column);
    }
    return status == TML_OK ? TML_OK : tml__fail(why, status, "%.300s: out of memory", path);
}

void tml__json_destroy(json_document* document)
{
    tml__pool_destroy(&document->memory);
    tml__release(NULL, document->text);
    *document = (json_document){0};
}

// ---- asking

const json* tml__json_find(const json* object, const char* key)
{
    if (object == NULL || object->kind != JSON_OBJECT) return NULL;
    for (const json* member = object->first; member != NULL; member = member->next) {
        if (strcmp(member->key, key) == 0) return member;
    }
    return NULL;
}

int tml__json_count(const json* value)
{
    int count = 0;
    if (value->kind != JSON_ARRAY && value->kind != JSON_OBJECT) return 0;
    for (const json* member = value->first; member != NULL; member = member->next) count++;
    return count;
}

const char* tml__json_kind_name(const json* value)
{
    static const char* const names[] = {"null",     "true or false", "a number",
                                        "a string", "a list",        "an object"};
    return names[value->kind];
}
