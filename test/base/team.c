// test/base/team.c - threads that share a loop.
#include "base/team.h"

#include "test/check.h"

#include <string.h>

enum {
    ITEMS = 1000
};

typedef struct tally {
    int done[ITEMS];
    int by[ITEMS];
} tally;

static void count_item(void* context, int item, int thread)
{
    tally* t = context;
    t->done[item]++;
    t->by[item] = thread;
}

// Every item once, whatever the number of threads, again and again, and in stretches of any length.
TEST(every_item_is_done_once)
{
    static tally t;
    for (int threads = 1; threads <= 4; threads++) {
        team* all = NULL;
        CHECK(tml__team_create(threads, NULL, &all) == TML_OK);
        CHECK(tml__team_size(all) >= 1 && tml__team_size(all) <= threads);
        memset(&t, 0, sizeof t);
        for (int loop = 0; loop < 300; loop++) {
            const int first = loop % 7;
            const int count = loop % 3 == 0 ? loop % 5 : ITEMS - first;
            tml__team_run(all, first, count, count_item, &t);
            for (int i = 0; i < ITEMS; i++) {
                const int expected = i >= first && i < first + count ? 1 : 0;
                if (t.done[i] != expected) CHECK(t.done[i] == expected);
                t.done[i] = 0;
                CHECK(t.by[i] >= 0 && t.by[i] < threads);
            }
        }
        tml__team_destroy(all);
    }
    tml__team_destroy(NULL);
    CHECK(tml__team_size(NULL) == 1);
}
