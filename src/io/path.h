// io/path.h - paths that must not leave a folder.
#ifndef TML_IO_PATH_H
#define TML_IO_PATH_H

#include "base/message.h"

#include <stdbool.h>

enum {
    PATH_CHARS = 1024
};

// The folder of a path: "." when it names none.
void tml__path_folder(const char* path, char out[PATH_CHARS]);

// FOLDER/NAME. False when that is too long.
bool tml__path_join(const char* folder, const char* name, char out[PATH_CHARS]);

// The file `name` as seen from `folder`, which must lie below `root` once links and dots are
// resolved. TML_BAD_FILE with the sentence: an absolute name, one that leaves the root (by "..", by
// a symbolic link), one that does not exist.
tml_status tml__path_below(const char* root, const char* folder, const char* name,
                           char out[PATH_CHARS], message* why);

// The same, or below one of the folders of a list ("DIR,DIR"; NULL: none), by any name. The sentence says how
// that is asked for.
tml_status tml__path_allowed(const char* root, const char* folder, const char* name,
                             const char* outside, char out[PATH_CHARS], message* why);

#endif
