// sweep/run.c - rows on threads: each takes some, makes them, hands them over, until there are no more.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "base/memory.h"
#include "sweep/sweep.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum {
    MOST_THREADS = 1024
};

typedef struct crew {
    tml_sweep* s;
    const row_source* source;
    pthread_mutex_t lock;  // of everything below, and of the source
    tml_status status;
    bool is_over;
    message why;
    run_totals totals;
} crew;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void give_up(crew* c, tml_status status, const message* why)
{
    if (c->status == TML_OK) {
        c->status = status;
        if (why != NULL) c->why = *why;
    }
    c->is_over = true;
}

typedef struct batch {
    tml_row rows[ROWS_AT_ONCE];
    double* numbers;
    long long first;
    int count;
} batch;

static bool take_batch(crew* c, batch* b, double a_row)
{
    pthread_mutex_lock(&c->lock);
    b->count = 0;
    if (!c->is_over) {
        const tml_status status = c->source->take(c->source->self, a_row, &b->first, &b->count);
        if (status != TML_OK) give_up(c, status, NULL);
    }
    const bool has_some = b->count > 0 && !c->is_over;
    pthread_mutex_unlock(&c->lock);
    return has_some;
}

static bool put_rows(crew* c, const batch* b, int from, int to, double busy)
{
    const tml_sweep* s = c->s;
    pthread_mutex_lock(&c->lock);
    const tml_status status =
        c->source->put(c->source->self, b->first + from, to - from, &b->rows[from],
                       &b->numbers[(size_t)from * (size_t)s->number_count]);
    if (status != TML_OK) give_up(c, status, NULL);
    c->totals.computed += to - from;
    c->totals.busy += busy;
    for (int i = from; i < to && s->def.failure == TML_FAILURE_STOP; i++) {
        message why;
        if (b->rows[i].status != TML_ROW_FAILED) continue;
        tml__fail(&why, b->rows[i].why, "row %lld: %s", b->first + i, b->rows[i].reason);
        give_up(c, b->rows[i].why, &why);
        break;
    }
    const bool goes_on = !c->is_over;
    pthread_mutex_unlock(&c->lock);
    return goes_on;
}

static void fail_worker(crew* c, tml_status status, const message* why)
{
    pthread_mutex_lock(&c->lock);
    give_up(c, status, why);
    pthread_mutex_unlock(&c->lock);
}

// All rows of a batch, handed over together, or earlier where they take long. What one row takes
// in *a_row.
static bool do_batch(crew* c, worker* w, batch* b, double* a_row)
{
    const size_t width = (size_t)c->s->number_count;
    double began = now();
    int from = 0;
    for (int i = 0; i < b->count; i++) {
        message why;
        const tml_status status =
            tml__worker_run(w, b->first + i, &b->rows[i], &b->numbers[(size_t)i * width], &why);
        if (status != TML_OK) {
            fail_worker(c, status, &why);
            return false;
        }
        const double seconds = now() - began;
        *a_row = seconds / (i + 1 - from);
        if (seconds < LONG_ROW && i + 1 < b->count) continue;
        if (!put_rows(c, b, from, i + 1, seconds)) return false;
        from = i + 1;
        began = now();
    }
    return true;
}

static void* serve(void* argument)
{
    crew* c = argument;
    worker* w = NULL;
    message why;
    double a_row = 0.0;
    batch* b = tml__allocate(&c->s->settings.allocator, 1, sizeof *b);
    if (b != NULL) {
        b->numbers =
            tml__allocate(&c->s->settings.allocator,
                          (size_t)c->s->at_once * (size_t)c->s->number_count, sizeof(double));
    }
    tml_status status =
        b != NULL && b->numbers != NULL ? TML_OK : tml__fail(&why, TML_NO_MEMORY, "out of memory");
    if (status == TML_OK) status = tml__worker_create(c->s, &why, &w);
    if (status != TML_OK) fail_worker(c, status, &why);
    while (status == TML_OK && take_batch(c, b, a_row) && do_batch(c, w, b, &a_row)) continue;
    tml__worker_destroy(w);
    if (b != NULL) tml__release(&c->s->settings.allocator, b->numbers);
    tml__release(&c->s->settings.allocator, b);
    return NULL;
}

tml_status tml__run_rows(tml_sweep* s, int threads, const row_source* source, message* why,
                         run_totals* totals)
{
    pthread_t thread[MOST_THREADS];
    crew c = {.s = s, .source = source, .status = TML_OK};
    int helpers = 0;

    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (pthread_mutex_init(&c.lock, NULL) != 0) {
        return tml__fail(why, TML_NO_MEMORY, "no lock: out of memory");
    }
    // where the system gives no more threads, those that are do the work
    while (helpers < threads - 1 && pthread_create(&thread[helpers], NULL, serve, &c) == 0) {
        helpers++;
    }
    serve(&c);
    for (int i = 0; i < helpers; i++) pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&c.lock);
    c.totals.threads = helpers + 1;
    *totals = c.totals;
    if (c.status != TML_OK && c.why.text[0] != '\0') *why = c.why;
    return c.status;
}

int tml__rows_to_take(const tml_sweep* s, long long left, long long workers, double a_row)
{
    const long long share = left / (8 * workers);
    if (left < 1) return 0;
    if (share < 1 || a_row > LONG_ROW) return 1;
    return share > s->at_once ? s->at_once : (int)share;
}

// ---- into memory

typedef struct table {
    const tml_sweep* s;
    long long first, count, next;
    int threads;
    tml_row* rows;
    double* numbers;
} table;

static tml_status take_next(void* self, double a_row, long long* first, int* count)
{
    table* t = self;
    const long long left = t->first + t->count - t->next;
    *first = t->next;
    *count = tml__rows_to_take(t->s, left, t->threads, a_row);
    t->next += *count;
    return TML_OK;
}

static tml_status put_next(void* self, long long first, int count, const tml_row* rows,
                           const double* numbers)
{
    table* t = self;
    const size_t at = (size_t)(first - t->first);
    const size_t width = (size_t)t->s->number_count;
    memcpy(&t->rows[at], rows, (size_t)count * sizeof *rows);
    memcpy(&t->numbers[at * width], numbers, (size_t)count * width * sizeof(double));
    return TML_OK;
}

tml_status tml_sweep_run(tml_sweep* s, long long first, long long count, int threads, tml_row* rows,
                         double* numbers)
{
    if (s == NULL || rows == NULL || numbers == NULL || threads < 1 || first < 0 || count < 0 ||
        first > s->rows || count > s->rows - first) {
        return TML_BAD_ARGUMENT;
    }
    table t = {s, first, count, first, threads, rows, numbers};
    const row_source source = {&t, take_next, put_next};
    run_totals totals;
    memset(rows, 0, (size_t)count * sizeof *rows);
    return tml__run_rows(s, threads, &source, &s->why, &totals);
}

tml_status tml_sweep_replay(tml_sweep* s, long long row, tml_problem_watch watch, void* self)
{
    worker* w = NULL;
    if (s == NULL || watch == NULL || row < 0 || row >= s->rows) return TML_BAD_ARGUMENT;
    tml_status status = tml__worker_create(s, &s->why, &w);
    if (status == TML_OK) {
        status = tml__worker_watch(w, row, watch, self, &s->why);
        // the row's model is about to go: what was recorded of it is finished first
        const tml_status ended = watch(self, NULL);
        if (status == TML_OK) status = ended;
    }
    tml__worker_destroy(w);
    return status;
}
