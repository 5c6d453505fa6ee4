// Reading scenes from texts in tests: the parts of a scene that a test does not care about are
// filled in.
#ifndef TRAMMEL_TEST_IO_SCENE_TEXT_H
#define TRAMMEL_TEST_IO_SCENE_TEXT_H

#include "model/spec.h"
#include "test/check.h"
#include "test_paths.h"

#include <trammel/scene.h>

#define EVERYTHING TEST_SOURCE_DIR "/test/io/everything.json"

// Single quotation marks become double ones, so that texts read well in C. The caller frees it.
static inline char* scene_quote(const char* text)
{
    char* copy = malloc(strlen(text) + 1);
    strcpy(copy, text);
    for (char* p = copy; *p != '\0'; p++) {
        if (*p == '\'') *p = '"';
    }
    return copy;
}

// Read a text written with single quotation marks; the scene answers with its message.
static inline tml_status scene_read(tml_scene* scene, const char* text)
{
    char* quoted = scene_quote(text);
    const tml_status status = tml_scene_read_text(scene, quoted, strlen(quoted), "test.json");
    free(quoted);
    return status;
}

// The same where it must succeed.
static inline tml_scene* scene_from(const char* text)
{
    tml_scene* scene = tml_scene_create();
    const tml_status status = scene_read(scene, text);
    if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
    CHECK(status == TML_OK);
    return scene;
}

static inline const definitions* scene_all(tml_scene* scene) { return &tml_scene_spec(scene)->all; }

#endif
