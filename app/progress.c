// app/progress.c - how far a run is, on stderr when it is a terminal.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/run.h"
#include "app/terminal.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const double between_lines = 0.1;  // s: often enough to look alive
enum {
    BAR_WIDTH = 24
};

double clock_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double peak_megabytes(void)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) != 0) return 0.0;
    return 1e-6 * 1024.0 * (double)used.ru_maxrss;  // kibibytes on Linux
}

progress progress_start(void)
{
    const double now = clock_seconds();
    return (progress){isatty(STDERR_FILENO) == 1, now, now};
}

void progress_show(progress* p, const run* r, long long done)
{
    if (!p->is_on) return;
    const double now = clock_seconds();
    if (now - p->shown < between_lines) return;

    const double share = (double)done / (double)r->step_count;
    const double rate = (double)done / (now - p->start);
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < share * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    char text[RATE_CHARS];
    fprintf(terminal_raw(), "\r%s %3.0f %%  t = %.4g s  %s steps/s  %.0f s left  %.0f MB \033[K",
            bar, 100.0 * share, tml_sim_time(r->sim), rate_text(rate, text),
            rate > 0.0 ? (double)(r->step_count - done) / rate : 0.0, peak_megabytes());
    fflush(terminal_raw());
    p->shown = now;
}

void progress_end(const progress* p)
{
    if (p->is_on) fprintf(terminal_raw(), "\r\033[K");
}
