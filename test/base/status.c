// test/base/status.c - names of statuses, the version and the sentence an object keeps.
#include "base/message.h"
#include "test/check.h"

#include <trammel/base.h>

TEST(every_status_has_its_name)
{
    CHECK_TEXT(tml_status_name(TML_OK), "TML_OK");
    CHECK_TEXT(tml_status_name(TML_BAD_ARGUMENT), "TML_BAD_ARGUMENT");
    CHECK_TEXT(tml_status_name(TML_NO_MEMORY), "TML_NO_MEMORY");
    CHECK_TEXT(tml_status_name(TML_NOT_CONVERGED), "TML_NOT_CONVERGED");
    CHECK_TEXT(tml_status_name(TML_SINGULAR), "TML_SINGULAR");
    CHECK_TEXT(tml_status_name((tml_status)1234), "unknown status");
}

TEST(version_agrees_with_the_header)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", TML_VERSION_MAJOR, TML_VERSION_MINOR,
             TML_VERSION_PATCH);
    CHECK_TEXT(tml_version(), expected);
}

TEST(fail_writes_the_sentence_and_hands_the_status_back)
{
    message m = {{0}};
    CHECK(tml__fail(&m, TML_SINGULAR, "joint '%s' row %d", "knee", 3) == TML_SINGULAR);
    CHECK_TEXT(m.text, "joint 'knee' row 3");
    CHECK(tml__fail(NULL, TML_NO_MEMORY, "nobody listens") == TML_NO_MEMORY);
}

// A name of any length must not run over the end.
TEST(fail_cuts_long_sentences)
{
    char name[2000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    message m;
    tml__fail(&m, TML_BAD_FILE, "%s", name);
    CHECK(strlen(m.text) == sizeof m.text - 1);
}
