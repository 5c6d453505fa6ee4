// io/file.h - whole files, in and out of memory.
#ifndef TML_IO_FILE_H
#define TML_IO_FILE_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Read a plain text to its end, at most `most` bytes, with a zero byte behind the last. The text is
// released with tml__release. TML_BAD_FILE or TML_NO_MEMORY with "PATH: cannot be read: ...", before
// anything is read where it is no plain file or says that it is larger, and as soon as a byte of zero shows
// that it is no text.
tml_status tml__file_read(const char* path, size_t most, char** text, size_t* length, message* why);

// The same for readers that refuse a byte of zero and know its line: what follows it is not read.
tml_status tml__file_read_to_zero(const char* path, size_t most, char** text, size_t* length,
                                  message* why);

tml_status tml__file_read_bytes(const char* path, size_t most, char** bytes, size_t* length,
                                message* why);  // the same for what is no text

bool tml__file_is_there(const char* path);  // whatever it is

// The same checks for a file that is read otherwise; `size` may be NULL.
FILE* tml__file_open(const char* path, size_t most, size_t* size, tml_status* status, message* why);

// A file of these bytes, in the place of what stood there; the error, as errno has it, or 0.
int tml__write_bytes(const char* path, const char* bytes, size_t length);

#endif
