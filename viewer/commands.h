// viewer/commands.h - the words of a viewer, checked and carried out.
#ifndef TRAMMEL_VIEWER_COMMANDS_H
#define TRAMMEL_VIEWER_COMMANDS_H

#include "viewer/stage.h"

enum {
    COMMAND_MOST = 1024,  // bytes of one command
    SERIES_MOST = 48,     // lists of numbers in one answer
    SERIES_POINTS = 1500,
};

typedef enum command_answer {
    ANSWER_NONE,
    ANSWER_ACK,     // a frame was seen
    ANSWER_SERIES,  // the numbers asked for should be sent
    ANSWER_HASH,
    ANSWER_BAD,  // not a command: whoever sends it is not our page
} command_answer;

typedef struct command_request {
    unsigned id;  // of the series, or the frame that was seen
    int count;
    int offsets[SERIES_MOST];
} command_request;

// Carry out one command, `length` bytes that need not end with a zero.
command_answer command_apply(stage* s, const char* words, size_t length, command_request* out);

#endif
