// base/message.h - the one sentence an object keeps for people.
#ifndef TML_BASE_MESSAGE_H
#define TML_BASE_MESSAGE_H

#include <trammel/base.h>

typedef struct message {
    char text[1024];
} message;

// What an object says that is not there: one that could not be made leaves NULL behind.
#define TML__NO_OBJECT "out of memory"

// Write the sentence and hand the status back, so that a failing line reads
//     return tml__fail(&sim->message, TML_NOT_CONVERGED, "Newton stalled at %.2g", residual);
__attribute__((format(printf, 3, 4))) tml_status tml__fail(message* m, tml_status status,
                                                           const char* format, ...);

// A message is one line, whatever the names in it are made of: control characters become '?'.
void tml__one_line(char* text);

#endif
