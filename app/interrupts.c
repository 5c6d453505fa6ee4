// app/interrupts.c - signals that ask a command to end.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/interrupts.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t has_come;

static void come(int signal_number)
{
    (void)signal_number;
    has_come = 1;
}

void interrupts_listen(void)
{
    struct sigaction action = {0};
    struct sigaction before;

    action.sa_handler = come;
    sigemptyset(&action.sa_mask);
    // files are written whole, and a second Ctrl-C ends a step that takes too long
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // a terminal that closes; under nohup nobody is to be told of it
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
}

bool interrupts_came(void) { return has_come != 0; }
