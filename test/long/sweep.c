// test/long/sweep.c - sweeps that are killed, and sweeps on two hosts: tools/run_sweeps at a tenth of its size.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "test/check.h"
#include "test_paths.h"

#include <sys/wait.h>

// A tool that leaves with 77 lacks something here, and says what.
TEST(kills_and_hosts_do_not_show)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG=1");
    if (CHECK_IS_SANITIZED) SKIP("OpenMPI keeps memory of its own to the end");
    static const char binaries[] = TEST_BINARY_DIR;
    const char* build = &binaries[strlen(TEST_SOURCE_DIR) + 1];  // as seen from the sources
    char line[4096];
    if (strncmp(TEST_BINARY_DIR, TEST_SOURCE_DIR "/", strlen(TEST_SOURCE_DIR) + 1) != 0) {
        SKIP("the build is outside of the sources");
    }
    snprintf(line, sizeof line, "%s/tools/run_sweeps %s 10000 200", TEST_SOURCE_DIR, build);
    const int status = system(line);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) SKIP("see above");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
