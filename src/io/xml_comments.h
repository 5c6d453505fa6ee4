// io/xml_comments.h - comments that XML forbids and people write.
#ifndef TML_IO_XML_COMMENTS_H
#define TML_IO_XML_COMMENTS_H

#include <stddef.h>

// Blanks what stands in comments, lines kept: a "--" there is no reason to refuse a model.
void tml__xml_blank_comments(char* text, size_t length);

#endif
