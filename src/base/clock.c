// base/clock.c - the thread's processor time where the system has it.
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

double tml__clock(void)
{
    struct timespec now = {0, 0};
#ifdef CLOCK_THREAD_CPUTIME_ID
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
