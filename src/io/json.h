// io/json.h - a bounded JSON reader that knows where every value stood.
//
// Strict RFC 8259: no comments, no trailing commas, no NaN, nothing after the value, strings in
// valid UTF-8. Beyond it: no key twice in an object, no \u0000 (strings end with a zero byte),
// numbers must fit a double, nesting and sizes are bounded. A byte order mark is skipped.
#ifndef TML_IO_JSON_H
#define TML_IO_JSON_H

#include "base/message.h"
#include "base/pool.h"

#include <stdbool.h>

enum {
    JSON_MAX_DEPTH = 64,
    JSON_MAX_KEYS = 256,        // of one object
    JSON_MAX_VALUES = 1 << 26,  // of a text, 32 bytes each
};
#define JSON_MAX_BYTES ((size_t)1 << 30)

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT,
} json_kind;

// One value. The members of an array or object are a list: `first`, then `next`.
typedef struct json {
    union {
        bool is_true;
        double number;
        const char* text;
        const struct json* first;
    };
    const struct json* next;  // in the same array or object
    const char* key;          // of a member of an object
    unsigned line;            // from 1
    unsigned kind : 4;        // json_kind
    unsigned column : 28;     // from 1, in bytes
} json;

typedef struct json_document {
    const json* root;
    char* text;  // owned; the strings of the values point into it
    pool memory;
} json_document;

// Where and why a text is not JSON.
typedef struct json_error {
    unsigned line;
    unsigned column;
    char text[160];
} json_error;

// Read a text of `length` bytes that has a zero byte behind it. The text came from tml__allocate,
// now belongs to the document and is changed, also when this fails.
// TML_BAD_FILE with the error filled, or TML_NO_MEMORY.
tml_status tml__json_read(char* text, size_t length, json_document* document, json_error* error);

// The whole file as a document, at most `most` bytes; `why` says "PATH:LINE: ..." where it is not one.
tml_status tml__json_open(const char* path, size_t most, json_document* document, message* why);
void tml__json_destroy(json_document* document);

const json* tml__json_find(const json* object, const char* key);  // NULL when it has none
int tml__json_count(const json* value);                           // members
const char* tml__json_kind_name(const json* value);               // "a number"

// How many bytes the UTF-8 character at `text` has; 0 when it is not one (too long, a surrogate,
// beyond U+10FFFF or cut off).
int tml__utf8_length(const char* text);

#endif
