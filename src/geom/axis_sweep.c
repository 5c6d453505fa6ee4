// geom/axis_sweep.c - sorting along an axis, comparing, and pairs in the order of their numbers.
#include "geom/axis_sweep.h"

#include "base/request.h"
#include "math/lanes.h"

#include <stdint.h>
#include <string.h>

enum {
    PAIRS_PER_BOX = 16,
    TESTS_PER_BOX = 1024,  // more of them cost more than a walk down a tree
    ABREAST = 4            // boxes that are compared at once
};

// Numbers of boxes side by side, and what is true of them.
typedef double lanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t lane_bits __attribute__((vector_size(32)));

typedef struct pair {
    int low, high;  // numbers of boxes
} pair;

struct axis_sweep {
    tml_allocator allocator;
    int capacity;
    int axis;
    int count;
    int* number;  // of the boxes that were added
    aabb* added;  //
    int* place;   // per number: where it was added; -1: it was not
    int kept;     // numbers in the order of the last time
    int* order;   //
    double*
        begin;    // along the axis, sorted, as all that follows: of the boxes grown by the margin,
    double* end;  //
    double* low[2];  // and along the two other axes; there is room for ABREAST more but of ends
    double* high[2];
    int pair_count;
    pair* pairs;   // as they were found
    int* start;    // per number, and the end: into `partner`
    int* partner;  //
};

// ---- life

enum {
    REQUESTS = 13
};

// clang-format off
static int list_requests(axis_sweep* s, request list[REQUESTS])
{
    const size_t n = (size_t)s->capacity;
    const request all[] = {
        {&s->number,  n, sizeof *s->number},
        {&s->added,   n, sizeof *s->added},
        {&s->place,   n, sizeof *s->place},
        {&s->order,   n, sizeof *s->order},
        {&s->begin,   n + ABREAST, sizeof *s->begin},
        {&s->end,     n, sizeof *s->end},
        {&s->low[0],  n + ABREAST, sizeof(double)},
        {&s->low[1],  n + ABREAST, sizeof(double)},
        {&s->high[0], n + ABREAST, sizeof(double)},
        {&s->high[1], n + ABREAST, sizeof(double)},
        {&s->pairs,   PAIRS_PER_BOX * n, sizeof *s->pairs},
        {&s->start,   n + 1, sizeof *s->start},
        {&s->partner, PAIRS_PER_BOX * n, sizeof *s->partner},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

tml_status tml__axis_sweep_create(int capacity, const tml_allocator* allocator, axis_sweep** out)
{
    *out = NULL;
    axis_sweep* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return TML_NO_MEMORY;
    if (allocator != NULL) s->allocator = *allocator;
    s->capacity = capacity;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    const tml_status status = tml__take_all(&s->allocator, list, count);
    if (status != TML_OK) {
        tml__axis_sweep_destroy(s);
        return status;
    }
    *out = s;
    return TML_OK;
}

void tml__axis_sweep_destroy(axis_sweep* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    tml__release_all(&allocator, list, count);
    tml__release(&allocator, s);
}

// ---- sorting

void tml__axis_sweep_begin(axis_sweep* s)
{
    for (int i = 0; i < s->capacity; i++) s->place[i] = -1;
    s->count = 0;
}

void tml__axis_sweep_add(axis_sweep* s, int number, const aabb* box)
{
    s->place[number] = s->count;
    s->number[s->count] = number;
    s->added[s->count++] = *box;
}

// The axis along which the middles of the boxes spread most.
static int widest_axis(const axis_sweep* s)
{
    vec3 sum = v3_zero();
    vec3 squares = v3_zero();
    for (int i = 0; i < s->count; i++) {
        const vec3 c = v3_add(s->added[i].low, s->added[i].high);
        sum = v3_add(sum, c);
        squares = v3_add(squares, v3(c.x * c.x, c.y * c.y, c.z * c.z));
    }
    int best = 0;
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const double spread = v3_at(squares, k) * s->count - v3_at(sum, k) * v3_at(sum, k);
        if (spread > most) {
            most = spread;
            best = k;
        }
    }
    return best;
}

// Numbers that are there now, those of the last time in their old order.
static void take_up_order(axis_sweep* s)
{
    int kept = 0;
    for (int i = 0; i < s->kept; i++) {
        if (s->place[s->order[i]] >= 0) s->order[kept++] = s->order[i];
    }
    if (kept != s->count) {
        for (int i = 0; i < s->count; i++) s->order[i] = s->number[i];
    }
    s->kept = s->count;
}

// What hardly changes is sorted by the last pass alone; the others are for what was thrown about.
static void sort_by_begin(axis_sweep* s)
{
    for (int i = 0; i < s->count; i++) {
        s->begin[i] = v3_at(s->added[s->place[s->order[i]]].low, s->axis);
    }
    for (int step = s->count / 2; step > 0; step /= 2) {
        for (int i = step; i < s->count; i++) {
            const double x = s->begin[i];
            const int number = s->order[i];
            int j = i;
            for (; j >= step && s->begin[j - step] > x; j -= step) {
                s->begin[j] = s->begin[j - step];
                s->order[j] = s->order[j - step];
            }
            s->begin[j] = x;
            s->order[j] = number;
        }
    }
}

// ---- finding

// Boxes grown by the whole margin on both sides (rounding of the sums must lose no pair), in their order.
static void spread_out(axis_sweep* s, double margin)
{
    const int across[2] = {(s->axis + 1) % 3, (s->axis + 2) % 3};
    for (int i = 0; i < s->count; i++) {
        const aabb wide = aabb_grown(s->added[s->place[s->order[i]]], margin);
        s->begin[i] = v3_at(wide.low, s->axis);
        s->end[i] = v3_at(wide.high, s->axis);
        for (int k = 0; k < 2; k++) {
            s->low[k][i] = v3_at(wide.low, across[k]);
            s->high[k][i] = v3_at(wide.high, across[k]);
        }
    }
    // behind all others: no number begins before any end, not even before one without bound
    for (int k = 0; k < ABREAST; k++) s->begin[s->count + k] = (double)NAN;
}

// Boxes j to j + ABREAST - 1 that begin before box i ends and overlap with it across the axis; it is one in
// twenty. False: there are none.
KERNEL bool overlaps(const axis_sweep* s, int i, int j, lane_bits* which)
{
    const lanes begin = *(const lanes*)(s->begin + j);
    const lanes low_0 = *(const lanes*)(s->low[0] + j);
    const lanes low_1 = *(const lanes*)(s->low[1] + j);
    const lanes high_0 = *(const lanes*)(s->high[0] + j);
    const lanes high_1 = *(const lanes*)(s->high[1] + j);
    const lane_bits is_over = (low_0 <= s->high[0][i]) & (s->low[0][i] <= high_0) &
                              (low_1 <= s->high[1][i]) & (s->low[1][i] <= high_1) &
                              (begin <= s->end[i]);
    *which = is_over;
    return (is_over[0] | is_over[1] | is_over[2] | is_over[3]) != 0;
}

static void keep_pairs(axis_sweep* s, int i, int j, const lane_bits* which)
{
    const int mine = s->order[i];
    for (int k = 0; k < ABREAST; k++) {
        if ((*which)[k] == 0) continue;
        const int other = s->order[j + k];
        s->pairs[s->pair_count++] =
            (pair){mine < other ? mine : other, mine < other ? other : mine};
    }
}

// Compare every box with those behind it as long as they begin before it ends. False: there is no room for what
// is found, or too much to compare.
KERNEL bool compare_all(axis_sweep* s)
{
    const int room = PAIRS_PER_BOX * s->capacity;
    const long long most = (long long)TESTS_PER_BOX * (s->count + TESTS_PER_BOX);
    long long tests = 0;
    for (int i = 0; i < s->count; i++) {
        const double end = s->end[i];
        int j = i + 1;
        for (; s->begin[j] <= end; j += ABREAST) {
            lane_bits which;
            if (!overlaps(s, i, j, &which)) continue;
            if (s->pair_count + ABREAST > room) return false;
            keep_pairs(s, i, j, &which);
        }
        tests += j - i;
        if (tests > most) return false;
    }
    return true;
}

static bool compare_plain(axis_sweep* s) { return compare_all(s); }

#if defined(__x86_64__)
FOR_AVX2 static bool compare_avx2(axis_sweep* s) { return compare_all(s); }
#endif

static bool compare(axis_sweep* s)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return compare_avx2(s);
#endif
    return compare_plain(s);
}

static void sort_few(int* list, int count)
{
    for (int i = 1; i < count; i++) {
        const int x = list[i];
        int j = i;
        for (; j > 0 && list[j - 1] > x; j--) list[j] = list[j - 1];
        list[j] = x;
    }
}

// Pairs by their lower numbers, then by the higher ones.
static void list_partners(axis_sweep* s)
{
    memset(s->start, 0, ((size_t)s->capacity + 1) * sizeof *s->start);
    for (int k = 0; k < s->pair_count; k++) s->start[s->pairs[k].low + 1]++;
    for (int i = 0; i < s->capacity; i++) s->start[i + 1] += s->start[i];
    // each list is filled from its end, so that starts come out as they were
    for (int k = 0; k < s->pair_count; k++) s->start[s->pairs[k].low]++;
    for (int k = s->pair_count - 1; k >= 0; k--) {
        s->partner[--s->start[s->pairs[k].low]] = s->pairs[k].high;
    }
    for (int i = 0; i < s->capacity; i++) {
        sort_few(s->partner + s->start[i], s->start[i + 1] - s->start[i]);
    }
}

bool tml__axis_sweep_find(axis_sweep* s, double margin)
{
    s->axis = widest_axis(s);
    take_up_order(s);
    sort_by_begin(s);
    spread_out(s, margin);
    s->pair_count = 0;
    if (!compare(s)) return false;
    list_partners(s);
    return true;
}

int tml__axis_sweep_partners(const axis_sweep* s, int number, const int** list)
{
    *list = s->partner + s->start[number];
    return s->start[number + 1] - s->start[number];
}
