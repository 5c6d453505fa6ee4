// base/team.h - threads that wait for work: a loop over items, of which each thread takes some at a time.
//
// Which thread does an item never shows: items write to places of their own, and sums are made by
// the caller, in order. A team belongs to one caller at a time.
#ifndef TML_BASE_TEAM_H
#define TML_BASE_TEAM_H

#include <trammel/base.h>

typedef struct team team;

// What is done to one item; `thread` counts from 0, the caller.
typedef void team_work(void* context, int item, int thread);

// A team of so many threads, the caller one of them. With one thread, or where the system gives no
// more, *out may be NULL or smaller: work is done all the same. TML_NO_MEMORY without memory.
tml_status tml__team_create(int threads, const tml_allocator* allocator, team** out);
void tml__team_destroy(team* t);  // NULL is fine

int tml__team_size(const team* t);  // 1 for NULL

// Do all of first .. first + count - 1, and return when they are done.
void tml__team_run(team* t, int first, int count, team_work* work, void* context);

#endif
