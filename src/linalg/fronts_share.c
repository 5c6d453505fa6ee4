// linalg/fronts_share.c - branches of fronts that threads take side by side.
//
// Fronts are numbered children first and depth first, so that all that a front depends on is a stretch of numbers
// before it. Stretches of at most a thread's share of the work are branches; what is above them the caller does
// when they are done. A front sums up its children in a fixed order whoever factored them, so that the bits do not
// depend on the threads. A thread needs a vector of its own, and branches keep what they leave apart.
#include "base/request.h"
#include "linalg/fronts_internal.h"
#include "math/scalar.h"

// Less work than this is not worth waking a thread for: a tenth of a millisecond.
static const double least_work = 4e6;

// Branches are cut a little smaller than a thread's share: they must be dealt out evenly.
static const double part_of_share = 0.9;

// Per front: the work of the branch that ends with it.
static void weigh(const fronts* f, double* work)
{
    for (int k = 0; k < f->front_count; k++) work[k] = 0.0;
    for (int k = 0; k < f->front_count; k++) {
        const front* at = &f->all[k];
        work[k] += front_flops(at);
        if (at->parent >= 0) work[at->parent] += work[k];
    }
}

// The first front of all that a front depends on.
static int first_of(const fronts* f, int k)
{
    while (f->all[k].child >= 0) {
        int first = f->all[k].child;
        for (int c = first; c >= 0; c = f->all[c].next) {
            if (c < first) first = c;
        }
        k = first;
    }
    return k;
}

// Without room for them branches are only counted.
static int cut(const fronts* f, const double* work, double most, front_branch* out)
{
    int count = 0;
    for (int k = 0; k < f->front_count; k++) {
        const int parent = f->all[k].parent;
        const bool ends = work[k] <= most && (parent < 0 || work[parent] > most);
        if (!ends) continue;
        if (out != NULL) out[count] = (front_branch){first_of(f, k), k + 1, 0};
        count++;
    }
    return count;
}

// The largest first, each to whoever has least; `load`: per thread. Changes `work` of branches that are dealt.
static void deal(fronts* f, double* work, double* load, int threads)
{
    for (int t = 0; t < threads; t++) load[t] = 0.0;
    for (int n = 0; n < f->branch_count; n++) {
        int next = -1;
        int to = 0;
        for (int b = 0; b < f->branch_count; b++) {
            const double own = work[f->branches[b].last - 1];
            if (own > 0.0 && (next < 0 || own > work[f->branches[next].last - 1])) next = b;
        }
        for (int t = 1; t < threads; t++) {
            if (load[t] < load[to]) to = t;
        }
        f->branches[next].thread = to;
        load[to] += work[f->branches[next].last - 1];
        work[f->branches[next].last - 1] = 0.0;
    }
    for (int t = 0; t < threads; t++) f->statistics.shared += load[t];
}

static tml_status place_apart(fronts* f, int* alive)
{
    size_t end = 0;
    for (int b = 0; b < f->branch_count; b++) {
        end = tml__fronts_place_rests(f, &f->branches[b], end, alive);
    }
    end = tml__fronts_place_rests(f, NULL, end, alive);
    double* scratch = tml__allocate(&f->allocator, end + ROOM, sizeof(double));
    if (scratch == NULL) return TML_NO_MEMORY;
    tml__release(&f->allocator, f->scratch);
    f->scratch = scratch;
    return TML_OK;
}

tml_status tml__fronts_share(fronts* f, team* t)
{
    const int threads = tml__team_size(t);
    if (threads < 2 || f->kind != BLOCK_LU || f->statistics.flops < least_work) return TML_OK;
    const size_t fronts_count = (size_t)f->front_count;
    double* work = NULL;
    double* load = NULL;
    int* alive = NULL;
    const request list[] = {{&work, fronts_count, sizeof(double)},
                            {&load, (size_t)threads, sizeof(double)},
                            {&alive, fronts_count + 1, sizeof(int)}};
    const double most = part_of_share * f->statistics.flops / threads;
    tml_status status = tml__take_all(&f->allocator, list, 3);
    if (status == TML_OK) {
        weigh(f, work);
        const int count = cut(f, work, most, NULL);
        const request shared[] = {
            {&f->branches, (size_t)count, sizeof(front_branch)},
            {&f->vectors, (size_t)(threads - 1) * f->vector_size, sizeof(double)}};
        status = tml__take_all(&f->allocator, shared, 2);
        if (status == TML_OK) f->branch_count = cut(f, work, most, f->branches);
    }
    if (status == TML_OK) {
        deal(f, work, load, threads);
        status = place_apart(f, alive);
    }
    if (status == TML_OK) f->team = t;
    tml__release_all(&f->allocator, list, 3);
    return status;
}

void tml__fronts_unshare(fronts* f)
{
    tml__release(&f->allocator, f->branches);
    tml__release(&f->allocator, f->vectors);
}

// ---- factorisation

typedef struct shared_factor {
    fronts* f;
    double shift;
    double* pivot;  // per thread
    int* bad;       // per thread: the position whose pivot failed, or -1
} shared_factor;

enum {
    MOST_SHARES = 256  // threads of a team, at most
};

// All branches of one thread; a front of another thread is not touched.
static void factor_share(void* context, int item, int thread)
{
    const shared_factor* all = context;
    fronts own = *all->f;
    (void)thread;
    own.pivot = 1.0;
    if (item > 0) own.vector = all->f->vectors + (size_t)(item - 1) * own.vector_size;
    all->bad[item] = -1;
    for (int b = 0; b < own.branch_count && all->bad[item] < 0; b++) {
        const front_branch* branch = &own.branches[b];
        if (branch->thread != item) continue;
        all->bad[item] = own.kernels->factor(&own, branch->first, branch->last, all->shift);
    }
    all->pivot[item] = own.pivot;
}

static int factor_branches(fronts* f, double shift)
{
    double pivot[MOST_SHARES];
    int bad[MOST_SHARES];
    shared_factor all = {f, shift, pivot, bad};
    const int threads = tml__team_size(f->team);
    int first_bad = -1;
    tml__team_run(f->team, 0, threads, factor_share, &all);
    for (int t = 0; t < threads; t++) {
        if (pivot[t] < f->pivot) f->pivot = pivot[t];
        if (bad[t] >= 0 && (first_bad < 0 || bad[t] < first_bad)) first_bad = bad[t];
    }
    return first_bad;
}

int tml__fronts_factor_all(fronts* f, double shift)
{
    f->pivot = 1.0;
    f->is_definite = true;
    int bad = f->branch_count > 0 ? factor_branches(f, shift) : -1;
    int first = 0;
    for (int b = 0; b <= f->branch_count && bad < 0; b++) {
        const int last = b < f->branch_count ? f->branches[b].first : f->front_count;
        if (first < last) bad = f->kernels->factor(f, first, last, shift);
        if (b < f->branch_count) first = f->branches[b].last;
    }
    return bad;
}
