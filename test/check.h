// test/check.h - the whole test framework.
//
//     TEST(sentence_that_states_what_holds) { CHECK_NEAR(a, b, 1e-15); }
//
// A file of tests is one program. It runs every TEST in it, or only those whose name contains the
// first argument, prints one line per failure and closes with "N passed, N failed, N skipped".
#ifndef TRAMMEL_TEST_CHECK_H
#define TRAMMEL_TEST_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Built with a sanitizer: tests may then look at less of a long table, never by looser bounds.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CHECK_IS_SANITIZED 1
#else
#define CHECK_IS_SANITIZED 0
#endif

typedef struct check_test {
    const char* name;
    void (*run)(void);
    struct check_test* next;
} check_test;

static check_test* check_first;
static check_test** check_last = &check_first;
static int check_failures;  // in the running test
static int check_is_skipped;

// Registered before main, in the order of the file.
#define TEST(test_name)                                                                            \
    static void test_name(void);                                                                   \
    __attribute__((constructor)) static void test_name##_register(void)                            \
    {                                                                                              \
        static check_test entry = {#test_name, test_name, NULL};                                   \
        *check_last = &entry;                                                                      \
        check_last = &entry.next;                                                                  \
    }                                                                                              \
    static void test_name(void)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

// |actual - expected| <= tolerance; a NaN fails.
#define CHECK_NEAR(actual, expected, tolerance)                                                    \
    do {                                                                                           \
        const double check_a = (actual);                                                           \
        const double check_e = (expected);                                                         \
        const double check_t = (tolerance);                                                        \
        if (!(fabs(check_a - check_e) <= check_t)) {                                               \
            printf("%s:%d: %s = %.17g, expected %.17g within %.3g (off by %.3g)\n", __FILE__,      \
                   __LINE__, #actual, check_a, check_e, check_t, fabs(check_a - check_e));         \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

#define CHECK_TEXT(actual, expected)                                                               \
    do {                                                                                           \
        const char* check_a = (actual);                                                            \
        const char* check_e = (expected);                                                          \
        if (check_a == NULL || strcmp(check_a, check_e) != 0) {                                    \
            printf("%s:%d: %s = \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #actual,           \
                   check_a ? check_a : "(null)", check_e);                                         \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

// The text contains a piece.
#define CHECK_CONTAINS(actual, piece)                                                              \
    do {                                                                                           \
        const char* check_a = (actual);                                                            \
        if (check_a == NULL || strstr(check_a, (piece)) == NULL) {                                 \
            printf("%s:%d: %s = \"%s\" lacks \"%s\"\n", __FILE__, __LINE__, #actual,               \
                   check_a ? check_a : "(null)", (piece));                                         \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

// Leave the test, saying what is missing on this machine.
#define SKIP(reason)                                                                               \
    do {                                                                                           \
        printf("skipped: %s: %s\n", __func__, (reason));                                           \
        check_is_skipped = 1;                                                                      \
        return;                                                                                    \
    } while (0)

int main(int argc, char** argv)
{
    const char* filter = argc > 1 ? argv[1] : "";
    int passed = 0;
    int failed = 0;
    int skipped = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (const check_test* t = check_first; t != NULL; t = t->next) {
        if (strstr(t->name, filter) == NULL) continue;
        check_failures = 0;
        check_is_skipped = 0;
        t->run();
        if (check_failures > 0) {
            printf("FAILED %s\n", t->name);
            failed++;
        } else if (check_is_skipped) {
            skipped++;
        } else {
            passed++;
        }
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed > 0;
}

#endif
