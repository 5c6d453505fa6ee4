// app/interrupts.h - Ctrl-C, SIGTERM and a terminal that closes: asked of between steps, so that what was done is kept.
#ifndef TRAMMEL_APP_INTERRUPTS_H
#define TRAMMEL_APP_INTERRUPTS_H

#include <stdbool.h>

// From now on the first of them only sets what `interrupts_came` says; a second one ends the process. Under nohup
// SIGHUP stays ignored.
void interrupts_listen(void);
bool interrupts_came(void);

#endif
