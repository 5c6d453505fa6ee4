// sweep/file.c - the rows that a file lacks, by the threads of this process and of the others.
//
// All ranks see the same list of missing rows and share one counter that says how much of it is taken. No
// rank waits for another while there are rows.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "base/memory.h"
#include "sweep/store.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Rows that follow each other.
typedef struct stretch {
    long long first, count;
    long long before;  // rows of the list in front of it
} stretch;

typedef struct job {
    tml_sweep* s;
    const tml_sweep_options* o;
    store file;
    tml_sweep_report* report;
    int workers;  // of all ranks
    stretch* list;
    int list_count, list_room;
    long long listed;      // rows of the list
    long long taken;       // of it, as far as this rank knows
    long long begin, end;  // places of the list that this rank has taken and not handed out
    long long counter;     // without ranks
    int at;                // the stretch where `begin` is
    double started, told;  // s
} job;

static const double between_tales = 0.1;  // s

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

tml_sweep_options tml_sweep_options_default(void) { return (tml_sweep_options){.threads = 1}; }

// ---- what is missing

static tml_status add_stretch(job* j, long long first, long long count)
{
    if (j->list_count == j->list_room) {
        const int room = j->list_room > 0 ? 2 * j->list_room : 64;
        stretch* list = realloc(j->list, (size_t)room * sizeof *list);
        if (list == NULL) return tml__fail(&j->s->why, TML_NO_MEMORY, "out of memory");
        j->list = list;
        j->list_room = room;
    }
    j->list[j->list_count++] = (stretch){first, count, j->listed};
    j->listed += count;
    return TML_OK;
}

typedef tml_status (*status_work)(job* j, long long first, const unsigned char* status, int count);

static tml_status list_missing(job* j, long long first, const unsigned char* status, int count)
{
    for (int i = 0; i < count;) {
        int end = i;
        while (end < count && status[end] == TML_ROW_MISSING) end++;
        if (end > i) {
            const tml_status added = add_stretch(j, first + i, end - i);
            if (added != TML_OK) return added;
        }
        i = end > i ? end : i + 1;
    }
    return TML_OK;
}

static tml_status count_rows(job* j, long long first, const unsigned char* status, int count)
{
    tml_sweep_report* r = j->report;
    (void)first;
    for (int i = 0; i < count; i++) {
        r->done += status[i] == TML_ROW_DONE;
        r->failed += status[i] == TML_ROW_FAILED;
        r->missing += status[i] == TML_ROW_MISSING;
    }
    return TML_OK;
}

static tml_status for_statuses(job* j, long long first, long long count, status_work work)
{
    enum {
        SOME = 1 << 16
    };
    unsigned char* status = malloc(SOME);
    tml_status result =
        status != NULL ? TML_OK : tml__fail(&j->s->why, TML_NO_MEMORY, "out of memory");
    for (long long done = 0; done < count && result == TML_OK; done += SOME) {
        const int part = count - done < SOME ? (int)(count - done) : SOME;
        result = tml__store_statuses(&j->file, first + done, part, status);
        if (result == TML_OK) result = work(j, first + done, status, part);
    }
    free(status);
    return result;
}

// ---- taking and handing over

static tml_status fail_ranks(job* j, int error)
{
    return tml__fail(&j->s->why, TML_BAD_FILE, "the other processes: %s", strerror(error));
}

static tml_status count_on(job* j, long long amount, long long* before)
{
    if (j->o->ranks != NULL) {
        const int error = j->o->ranks->take(j->o->ranks->self, amount, before);
        return error == 0 ? TML_OK : fail_ranks(j, error);
    }
    *before = j->counter;
    j->counter += amount;
    return TML_OK;
}

// Whoever asks next, anywhere, hears that there is no more.
static void empty_list(job* j)
{
    long long before;
    (void)count_on(j, j->listed, &before);
}

static tml_status tell(job* j)
{
    const double t = now();
    if (j->o->progress == NULL || t - j->told < between_tales) return TML_OK;
    j->told = t;
    tml_sweep_report so_far = *j->report;
    so_far.computed = j->taken < j->listed ? j->taken : j->listed;
    if (j->o->progress(j->o->self, &so_far, t - j->started) == 0) return TML_OK;
    empty_list(j);
    return tml__fail(&j->s->why, TML_CANCELLED, "stopped");
}

static tml_status take(void* self, double a_row, long long* first, int* count)
{
    job* j = self;
    *count = 0;
    tml_status status = tell(j);
    if (status != TML_OK) return status;
    if (j->begin == j->end) {
        const int amount = tml__rows_to_take(j->s, j->listed - j->taken, j->workers, a_row);
        if (amount == 0) return TML_OK;
        status = count_on(j, amount, &j->begin);
        if (status != TML_OK) return status;
        if (j->begin > j->listed) j->begin = j->listed;
        j->end = j->begin + amount < j->listed ? j->begin + amount : j->listed;
        j->taken = j->end;
    }
    if (j->begin == j->end) return TML_OK;
    while (j->begin - j->list[j->at].before >= j->list[j->at].count) j->at++;
    const stretch* in = &j->list[j->at];
    const long long skip = j->begin - in->before;
    const long long most = in->count - skip;
    *first = in->first + skip;
    *count = (int)(j->end - j->begin < most ? j->end - j->begin : most);
    j->begin += *count;
    return TML_OK;
}

static tml_status put(void* self, long long first, int count, const tml_row* rows,
                      const double* numbers)
{
    job* j = self;
    const tml_status status = tml__store_put(&j->file, first, count, rows, numbers);
    return status != TML_OK ? status : tell(j);
}

// ---- all ranks together

static tml_status add_up(job* j, double* values, int count)
{
    if (j->o->ranks == NULL) return TML_OK;
    const int error = j->o->ranks->add(j->o->ranks->self, values, count);
    return error == 0 ? TML_OK : fail_ranks(j, error);
}

// The worst that happened anywhere, here too, so that no rank waits for one that has left.
static tml_status agree(job* j, tml_status status)
{
    double failed = status != TML_OK;
    const tml_status added = add_up(j, &failed, 1);
    if (status != TML_OK || added != TML_OK) return status != TML_OK ? status : added;
    if (failed == 0.0) return TML_OK;
    return tml__fail(&j->s->why, TML_CANCELLED, "another process failed");
}

static bool is_first_rank(const job* j) { return j->o->ranks == NULL || j->o->ranks->rank == 0; }

static tml_status run_missing(job* j)
{
    tml_sweep_report* report = j->report;
    const row_source source = {j, take, put};
    run_totals totals = {0};

    tml_status status = for_statuses(j, j->o->first, report->wanted, list_missing);
    // everybody has read before anybody writes
    status = agree(j, status);
    if (status != TML_OK) return status;
    report->found = report->wanted - j->listed;
    j->started = now();
    status = tml__run_rows(j->s, j->o->threads, &source, &j->s->why, &totals);
    if (status != TML_OK) empty_list(j);
    double sums[3] = {(double)totals.computed, totals.busy, now() - j->started};
    const tml_status added = add_up(j, sums, 3);
    const int ranks = j->o->ranks != NULL ? j->o->ranks->count : 1;
    report->computed = (long long)sums[0];
    report->seconds = sums[2] / ranks;
    report->busy = report->seconds > 0.0 ? sums[1] / (report->seconds * j->workers) : 0.0;
    return agree(j, status != TML_OK ? status : added);
}

// Count what is there; the first rank gives the file its name when nothing is missing.
static tml_status finish(job* j)
{
    tml_sweep_report* r = j->report;
    tml_sweep_report whole = {0};
    tml_status status = for_statuses(j, j->o->first, r->wanted, count_rows);
    j->report = &whole;
    if (status == TML_OK) status = for_statuses(j, 0, r->rows, count_rows);
    j->report = r;
    const tml_status closed = tml__store_close(&j->file);
    if (status == TML_OK) status = closed;
    status = agree(j, status);
    if (status != TML_OK || whole.missing > 0) return status;
    if (is_first_rank(j)) status = tml__store_finish(&j->file);
    status = agree(j, status);
    r->is_complete = status == TML_OK;
    return status;
}

// The file is whole already: nothing to do but to count.
static tml_status count_complete(job* j)
{
    j->file.ranks = NULL;
    char* part = j->file.part;
    union {
        const char* given;
        char* name;
    } path = {.given = j->file.path};
    j->file.part = path.name;
    tml_status status = tml__store_open(&j->file);
    if (status == TML_OK) status = for_statuses(j, j->o->first, j->report->wanted, count_rows);
    (void)tml__store_close(&j->file);
    j->file.part = part;
    j->report->found = j->report->wanted;
    j->report->is_complete = 1;
    return agree(j, status);
}

static tml_status run_job(job* j)
{
    bool is_complete = false;
    tml_status status = TML_OK;
    if (is_first_rank(j)) status = tml__store_prepare(&j->file, &is_complete);
    double flags[2] = {is_complete, j->o->threads};
    const tml_status added = add_up(j, flags, 2);
    status = agree(j, status != TML_OK ? status : added);
    if (status != TML_OK) return status;
    j->workers = (int)flags[1];
    j->report->workers = j->workers;
    if (flags[0] != 0.0) return count_complete(j);
    status = agree(j, tml__store_open(&j->file));
    if (status != TML_OK) {
        (void)tml__store_close(&j->file);
        return status;
    }
    status = run_missing(j);
    // what is there counts, however the run ended
    const message why = j->s->why;
    const tml_status ended = finish(j);
    if (status != TML_OK) j->s->why = why;
    return status != TML_OK ? status : ended;
}

tml_status tml_sweep_run_file(tml_sweep* s, const char* path, const tml_sweep_options* options,
                              tml_sweep_report* report)
{
    tml_sweep_report ignored;
    layout l = {.count = 0};
    if (s == NULL || path == NULL || options == NULL || s->rows == 0 || options->threads < 1 ||
        options->first < 0 || options->first >= s->rows || options->count < 0 ||
        options->count > s->rows - options->first) {
        return TML_BAD_ARGUMENT;
    }
    job j = {.s = s, .o = options, .report = report != NULL ? report : &ignored};
    const long long rest = s->rows - options->first;
    *j.report =
        (tml_sweep_report){.rows = s->rows, .wanted = options->count > 0 ? options->count : rest};
    char* part = malloc(strlen(path) + sizeof ".part");
    tml_status status = part != NULL ? TML_OK : tml__fail(&s->why, TML_NO_MEMORY, "out of memory");
    if (status == TML_OK) {
        memcpy(part, path, strlen(path));
        memcpy(part + strlen(path), ".part", sizeof ".part");
        status = tml__layout_create(s, options->scene, options->sweep, &s->why, &l);
    }
    if (status == TML_OK) {
        j.file = (store){.s = s,
                         .l = &l,
                         .ranks = options->ranks,
                         .path = path,
                         .part = part,
                         .file = -1,
                         .why = &s->why};
        status = run_job(&j);
    }
    tml__layout_destroy(&l);
    free(j.list);
    free(part);
    return status;
}
