// io/file.h - a whole file in memory.
#ifndef TML_IO_FILE_H
#define TML_IO_FILE_H

#include "base/message.h"

#include <stddef.h>

// Read a file or pipe to its end, at most `most` bytes, with a zero byte behind the last. The text is
// released with tml__release. TML_BAD_FILE or TML_NO_MEMORY with "PATH: cannot be read: ...".
tml_status tml__file_read(const char* path, size_t most, char** text, size_t* length, message* why);

#endif
