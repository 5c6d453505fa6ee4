// io/xml.h - a bounded XML reader that knows where every element stood.
//
// The tree is plain data of ours: nothing behind this header knows which library parsed the text.
// There is no DTD, so there are no entities but the five of XML itself, and nothing is ever fetched.
// Depth, size and number of elements are bounded. Names keep their prefix ("drake:joint"):
// namespaces mean nothing to the formats that we read.
#ifndef TML_IO_XML_H
#define TML_IO_XML_H

#include "base/message.h"
#include "base/pool.h"

#include <stdbool.h>

enum {
    XML_MAX_DEPTH = 128,
    XML_MAX_ELEMENTS = 1 << 20,
    XML_MAX_ATTRIBUTES = 128,  // of one element
};
#define XML_MAX_BYTES ((size_t)64 << 20)

typedef struct xml_attribute {
    const char* name;
    const char* value;
    struct xml_attribute* next;
} xml_attribute;

// One element. Its children are a list: `first`, then `next`.
typedef struct xml {
    const char* name;
    const char* text;  // what stands inside an element without children, trimmed; "" when nothing
    const char* file;  // as messages name it
    struct xml* parent;
    struct xml* first;
    struct xml* last;
    struct xml* next;
    xml_attribute* attributes;
    unsigned line;  // from 1
    bool is_used;   // set by readers, so that what nobody looked at can be reported
} xml;

// Read a text into a tree whose every byte belongs to `memory`. TML_BAD_FILE or TML_NO_MEMORY with
// "FILE:LINE: ...". TML_UNSUPPORTED in a build without the XML library.
tml_status tml__xml_read(const char* text, size_t length, const char* file, pool* memory,
                         xml** root, message* why);

const char* tml__xml_attribute(const xml* e, const char* name);  // NULL when it has none
xml* tml__xml_child(const xml* e, const char* name);             // the first of that name, or NULL
xml* tml__xml_next(const xml* e, const char* name);              // the next sibling of that name
bool tml__xml_is(const xml* e, const char* name);                // whether this is its name

// A copy of an element with its children, in the same memory; NULL without any.
xml* tml__xml_copy(pool* memory, const xml* e);
void tml__xml_append(xml* parent, xml* child);

// Read the number at `text` the way XML formats write them: "+1", ".5", "1.", "007". *stop is the
// first byte behind it. False for what is not a finite number.
bool tml__xml_number(const char* text, double* out, const char** stop);

#endif
