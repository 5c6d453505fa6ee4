// io/usd_text.h - the text form of USD (.usda) as a tree of elements, so that it is asked as XML is.
//
// A prim is an element: its name is that of its type ("Xform"; "over" and typeless prims: "prim"), its attributes are
// its properties by their names, with what stands in their values as words between blanks. Besides these: `name`; `path`;
// `apiSchemas`; `references`, of the prims that are put where the reference stands; `active`. The root has the metadata of the file.
#ifndef TML_IO_USD_TEXT_H
#define TML_IO_USD_TEXT_H

#include "io/xml.h"

// Whether a text begins as one.
bool tml__usd_is_text(const char* text, size_t length);

// TML_BAD_FILE or TML_NO_MEMORY with "FILE:LINE: ...".
tml_status tml__usd_read(const char* text, size_t length, const char* file, pool* memory,
                         xml** root, message* why);

// The prim of a path ("/World/arm"), NULL: none.
const xml* tml__usd_find(const xml* root, const char* path);

#endif
