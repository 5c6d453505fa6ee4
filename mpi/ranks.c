// mpi/ranks.c - the processes of an MPI job as the tool sees them: a counter, a file, sums.
//
// The counter is a window of rank 0 that the others reach by one-sided operations: none waits for another's
// rows. On one host that is shared memory. Between hosts rank 0's library must be given a turn for it, so a thread of
// its own asks it for messages a few times a millisecond while rank 0 computes. One thread at a time calls MPI: OpenMPI 4 has no
// one-sided operations over TCP for more.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/ranks.h"

#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct mpi_ranks {
    MPI_Comm all;
    MPI_Win window;
    long long* counter;  // on rank 0
    bool has_window;
    MPI_File file;
    bool has_file;
    pthread_mutex_t lock;  // of every call
    pthread_t server;
    bool has_server;
    atomic_bool is_over;
} mpi_ranks;

static mpi_ranks only;

static int as_error(int code)
{
    int kind = MPI_SUCCESS;
    if (code == MPI_SUCCESS) return 0;
    MPI_Error_class(code, &kind);
    switch (kind) {
    case MPI_ERR_NO_SPACE: return ENOSPC;
    case MPI_ERR_NO_MEM: return ENOMEM;
    case MPI_ERR_NO_SUCH_FILE: return ENOENT;
    case MPI_ERR_ACCESS: return EACCES;
    case MPI_ERR_READ_ONLY: return EROFS;
    case MPI_ERR_QUOTA: return EDQUOT;
    default: return EIO;
    }
}

// ---- the counter

static void* give_turns(void* self)
{
    mpi_ranks* m = self;
    const struct timespec pause = {0, 200000};
    while (!atomic_load(&m->is_over)) {
        int is_there;
        // whoever has the lock is in MPI, which gives turns by itself
        if (pthread_mutex_trylock(&m->lock) == 0) {
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, m->all, &is_there, MPI_STATUS_IGNORE);
            pthread_mutex_unlock(&m->lock);
        }
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static int take(void* self, long long amount, long long* before)
{
    mpi_ranks* m = self;
    pthread_mutex_lock(&m->lock);
    int code = MPI_Fetch_and_op(&amount, before, MPI_LONG_LONG, 0, 0, MPI_SUM, m->window);
    if (code == MPI_SUCCESS) code = MPI_Win_flush(0, m->window);
    pthread_mutex_unlock(&m->lock);
    return as_error(code);
}

static int make_window(mpi_ranks* m, int rank)
{
    const MPI_Aint bytes = rank == 0 ? (MPI_Aint)sizeof *m->counter : 0;
    int code = MPI_Win_allocate(bytes, (int)sizeof *m->counter, MPI_INFO_NULL, m->all, &m->counter,
                                &m->window);
    if (code != MPI_SUCCESS) return code;
    m->has_window = true;
    MPI_Win_set_errhandler(m->window, MPI_ERRORS_RETURN);
    return MPI_Win_lock_all(MPI_MODE_NOCHECK, m->window);
}

// ---- the file

static int open_file(void* self, const char* path)
{
    mpi_ranks* m = self;
    int rank = 0;
    pthread_mutex_lock(&m->lock);
    MPI_Comm_rank(m->all, &rank);
    const int code = MPI_File_open(m->all, path, MPI_MODE_RDWR, MPI_INFO_NULL, &m->file);
    m->has_file = code == MPI_SUCCESS;
    if (m->has_file) MPI_File_set_atomicity(m->file, 0);
    // from 0 on: an exchange that everybody sees before anybody takes
    if (rank == 0) {
        const long long zero = 0;
        long long before;
        MPI_Fetch_and_op(&zero, &before, MPI_LONG_LONG, 0, 0, MPI_REPLACE, m->window);
        MPI_Win_flush(0, m->window);
    }
    MPI_Barrier(m->all);
    pthread_mutex_unlock(&m->lock);
    return as_error(code);
}

static int read_file(void* self, long long offset, void* bytes, size_t length)
{
    mpi_ranks* m = self;
    MPI_Status status;
    int got = 0;
    if (length > INT_MAX) return EINVAL;
    pthread_mutex_lock(&m->lock);
    const int code =
        MPI_File_read_at(m->file, (MPI_Offset)offset, bytes, (int)length, MPI_BYTE, &status);
    if (code == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &got);
    pthread_mutex_unlock(&m->lock);
    if (code != MPI_SUCCESS) return as_error(code);
    return (size_t)got == length ? 0 : EIO;
}

static int write_file(void* self, long long offset, const void* bytes, size_t length)
{
    mpi_ranks* m = self;
    MPI_Status status;
    int put = 0;
    if (length > INT_MAX) return EINVAL;
    pthread_mutex_lock(&m->lock);
    const int code =
        MPI_File_write_at(m->file, (MPI_Offset)offset, bytes, (int)length, MPI_BYTE, &status);
    if (code == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &put);
    pthread_mutex_unlock(&m->lock);
    if (code != MPI_SUCCESS) return as_error(code);
    return (size_t)put == length ? 0 : ENOSPC;
}

static int close_file(void* self)
{
    mpi_ranks* m = self;
    int code = MPI_SUCCESS;
    pthread_mutex_lock(&m->lock);
    if (m->has_file) code = MPI_File_close(&m->file);
    m->has_file = false;
    MPI_Barrier(m->all);
    pthread_mutex_unlock(&m->lock);
    return as_error(code);
}

// ---- together

static int wait_all(void* self)
{
    mpi_ranks* m = self;
    pthread_mutex_lock(&m->lock);
    const int code = MPI_Barrier(m->all);
    pthread_mutex_unlock(&m->lock);
    return as_error(code);
}

// In the order of the ranks, whatever the network: the same bits every time.
static int add(void* self, double* values, int count)
{
    mpi_ranks* m = self;
    int ranks = 0;
    MPI_Comm_size(m->all, &ranks);
    double* each = malloc((size_t)ranks * (size_t)count * sizeof *each);
    if (each == NULL) MPI_Abort(m->all, 1);  // the others would wait for ever
    pthread_mutex_lock(&m->lock);
    const int code = MPI_Allgather(values, count, MPI_DOUBLE, each, count, MPI_DOUBLE, m->all);
    pthread_mutex_unlock(&m->lock);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        values[i] = 0.0;
        for (int r = 0; r < ranks; r++) values[i] += each[r * count + i];
    }
    free(each);
    return as_error(code);
}

// ---- joining and leaving

static bool is_one_host(const mpi_ranks* m, int count)
{
    MPI_Comm here;
    int near = 0;
    if (MPI_Comm_split_type(m->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) != MPI_SUCCESS) {
        return false;
    }
    MPI_Comm_size(here, &near);
    MPI_Comm_free(&here);
    return near == count;
}

static int begin(tml_ranks* out, char* why, size_t capacity)
{
    mpi_ranks* m = &only;
    int level = 0;
    // OpenMPI 4 prefers a component for one-sided operations that has none over TCP; what is set stays
    (void)setenv("OMPI_MCA_osc", "^rdma", 0);
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    if (code != MPI_SUCCESS) {
        snprintf(why, capacity, "MPI_Init_thread failed (%d)", code);
        return 1;
    }
    if (level < MPI_THREAD_SERIALIZED || pthread_mutex_init(&m->lock, NULL) != 0) {
        snprintf(why, capacity, "this MPI has no MPI_THREAD_SERIALIZED");
        MPI_Finalize();
        return 1;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &m->all);
    MPI_Comm_set_errhandler(m->all, MPI_ERRORS_RETURN);
    *out = (tml_ranks){.self = m,
                       .take = take,
                       .open = open_file,
                       .read = read_file,
                       .write = write_file,
                       .close = close_file,
                       .wait = wait_all,
                       .add = add};
    MPI_Comm_rank(m->all, &out->rank);
    MPI_Comm_size(m->all, &out->count);
    code = make_window(m, out->rank);
    if (code != MPI_SUCCESS) {
        snprintf(why, capacity, "no window for the counter (%d)", code);
        return 1;
    }
    const bool is_alone = is_one_host(m, out->count);
    if (out->rank == 0 && !is_alone) {
        m->has_server = pthread_create(&m->server, NULL, give_turns, m) == 0;
    }
    return 0;
}

static void end(tml_ranks* ranks, int code)
{
    mpi_ranks* m = &only;
    (void)code;
    // whoever comes here has agreed with the others on how it ended, or never met them
    pthread_mutex_lock(&m->lock);
    MPI_Barrier(m->all);
    pthread_mutex_unlock(&m->lock);
    atomic_store(&m->is_over, true);
    if (m->has_server) pthread_join(m->server, NULL);
    if (m->has_window) {
        MPI_Win_unlock_all(m->window);
        MPI_Win_free(&m->window);
    }
    MPI_Comm_free(&m->all);
    MPI_Finalize();
    ranks->self = NULL;
}

extern const ranks_module trammel_ranks;
TML_API const ranks_module trammel_ranks = {RANKS_VERSION, begin, end};
