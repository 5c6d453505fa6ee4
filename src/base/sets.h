// base/sets.h - disjoint sets of the numbers 0 to count - 1, as a list of parents. The smallest member of a
// set is its root, so that the order of sets depends on nothing but what is in them.
#ifndef TML_BASE_SETS_H
#define TML_BASE_SETS_H

// Every number a set of its own.
static inline void sets_clear(int* parent, int count)
{
    for (int i = 0; i < count; i++) parent[i] = i;
}

static inline int sets_root(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// The sets of a and b become one; a number below 0 is in none.
static inline void sets_join(int* parent, int a, int b)
{
    if (a < 0 || b < 0) return;
    const int i = sets_root(parent, a);
    const int k = sets_root(parent, b);
    if (i < k) parent[k] = i;
    if (k < i) parent[i] = k;
}

// Sets are numbered in the order of their roots, and parents become these numbers. Answers how many there are.
static inline int sets_number(int* parent, int count)
{
    int sets = 0;
    for (int i = 0; i < count; i++)
        sets_root(parent, i);  // each hangs on its root or a smaller one
    for (int i = 0; i < count; i++) {
        const int up = parent[i];
        // a root comes before what hangs on it, so that its number is known where it is asked for
        parent[i] = up == i ? sets++ : parent[up];
    }
    return sets;
}

#endif
