// base/team.c - a few threads, a generation counter, and a wait that spins a little before it sleeps.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "base/team.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum {
    MOST_THREADS = 256,
    SPINS = 1000,  // some tens of microseconds: about as long as the caller needs between two loops
    YIELDS =
        200,  // and some hundred, in which others may have the core: whom is waited for may need it
    CHUNKS = 8,  // that a thread would take if all were as fast as it
};

// Wait `k` of so many times before going to sleep.
static void wait_a_little(int k)
{
    if (k >= SPINS) {
        sched_yield();
        return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

typedef struct member {
    struct team* of;
    int index;
    pthread_t thread;
} member;

struct team {
    tml_allocator allocator;
    int size;  // threads, the caller included
    pthread_mutex_t lock;
    pthread_cond_t begins, ends;
    atomic_int generation;  // of the work; grows with every loop
    atomic_int left;        // members that have not done theirs
    atomic_bool is_over;
    int first, count, chunk;
    atomic_int next;  // what no one has taken yet
    team_work* work;
    void* context;
    member members[MOST_THREADS];
};

// Some at a time, as long as there are any: items may take long or next to nothing, and a core may have others to
// serve. Who takes which does not show in what they compute.
static void do_share(team* t, int index)
{
    for (;;) {
        const int from = atomic_fetch_add(&t->next, t->chunk);
        if (from >= t->count) return;
        const int to = t->count - from < t->chunk ? t->count : from + t->chunk;
        for (int i = from; i < to; i++) t->work(t->context, t->first + i, index);
    }
}

static void wait_for_work(team* t, int done)
{
    for (int k = 0; k < SPINS + YIELDS; k++) {
        if (atomic_load(&t->generation) != done || atomic_load(&t->is_over)) return;
        wait_a_little(k);
    }
    pthread_mutex_lock(&t->lock);
    while (atomic_load(&t->generation) == done && !atomic_load(&t->is_over)) {
        pthread_cond_wait(&t->begins, &t->lock);
    }
    pthread_mutex_unlock(&t->lock);
}

static void* serve(void* argument)
{
    member* m = argument;
    team* t = m->of;
    int done = 0;
    for (;;) {
        wait_for_work(t, done);
        if (atomic_load(&t->is_over)) return NULL;
        done = atomic_load(&t->generation);
        do_share(t, m->index);
        if (atomic_fetch_sub(&t->left, 1) == 1) {
            pthread_mutex_lock(&t->lock);
            pthread_cond_signal(&t->ends);
            pthread_mutex_unlock(&t->lock);
        }
    }
}

tml_status tml__team_create(int threads, const tml_allocator* allocator, team** out)
{
    *out = NULL;
    if (threads <= 1) return TML_OK;
    team* t = tml__allocate(allocator, 1, sizeof *t);
    if (t == NULL) return TML_NO_MEMORY;
    if (allocator != NULL) t->allocator = *allocator;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->begins, NULL);
    pthread_cond_init(&t->ends, NULL);
    const int most = threads < MOST_THREADS ? threads : MOST_THREADS;
    t->size = 1;
    while (t->size < most) {
        member* m = &t->members[t->size];
        *m = (member){.of = t, .index = t->size};
        if (pthread_create(&m->thread, NULL, serve, m) != 0) break;  // as many as there are
        t->size++;
    }
    *out = t;
    return TML_OK;
}

void tml__team_destroy(team* t)
{
    if (t == NULL) return;
    const tml_allocator allocator = t->allocator;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->is_over, true);
    pthread_cond_broadcast(&t->begins);
    pthread_mutex_unlock(&t->lock);
    for (int k = 1; k < t->size; k++) pthread_join(t->members[k].thread, NULL);
    pthread_cond_destroy(&t->begins);
    pthread_cond_destroy(&t->ends);
    pthread_mutex_destroy(&t->lock);
    tml__release(&allocator, t);
}

int tml__team_size(const team* t) { return t != NULL ? t->size : 1; }

static void wait_for_all(team* t)
{
    for (int k = 0; k < SPINS + YIELDS; k++) {
        if (atomic_load(&t->left) == 0) return;
        wait_a_little(k);
    }
    pthread_mutex_lock(&t->lock);
    while (atomic_load(&t->left) > 0) pthread_cond_wait(&t->ends, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void tml__team_run(team* t, int first, int count, team_work* work, void* context)
{
    if (t == NULL || t->size == 1 || count < t->size) {
        for (int i = 0; i < count; i++) work(context, first + i, 0);
        return;
    }
    t->first = first;
    t->count = count;
    t->chunk = count / (CHUNKS * t->size) + 1;
    atomic_store(&t->next, 0);
    t->work = work;
    t->context = context;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->left, t->size - 1);
    atomic_fetch_add(&t->generation, 1);
    pthread_cond_broadcast(&t->begins);
    pthread_mutex_unlock(&t->lock);
    do_share(t, 0);
    wait_for_all(t);
}
