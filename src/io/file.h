// io/file.h - whole files into memory, and paths that must not leave a folder.
#ifndef TML_IO_FILE_H
#define TML_IO_FILE_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    PATH_CHARS = 1024
};

// Read a file, or a pipe, to its end. *text came from tml__allocate, has a zero byte behind its last
// one and belongs to the caller. TML_BAD_FILE or TML_NO_MEMORY with "FILE: cannot be read: WHY".
tml_status tml__file_read(const char* path, size_t most, char** text, size_t* length, message* why);

// The folder of a path: "." when it names none.
void tml__path_folder(const char* path, char out[PATH_CHARS]);

// FOLDER/NAME. False when that is too long.
bool tml__path_join(const char* folder, const char* name, char out[PATH_CHARS]);

// The file `name` as seen from `folder`, which must lie below `root` once links and dots are
// resolved. TML_BAD_FILE with the sentence: an absolute name, one that leaves the root (by "..", by
// a symbolic link), one that does not exist.
tml_status tml__path_below(const char* root, const char* folder, const char* name,
                           char out[PATH_CHARS], message* why);

#endif
