// app/terminal.h - what the tool prints, without the bytes that steer terminals.
//
// A scene may come from a stranger, and its names are printed. ESC and its like in them would move the
// cursor, change the title or type for the user, so everything that is printed passes here: a control
// character other than the end of a line or a tab becomes \xNN.
#ifndef TRAMMEL_APP_TERMINAL_H
#define TRAMMEL_APP_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

// Before anything is printed: stdout and stderr are filtered from here on.
// False without memory for that.
bool terminal_guard(void);

// The stream of errors as it was, for lines that are drawn over; no name may go there.
FILE* terminal_raw(void);

#endif
