// Running out of memory anywhere while a scene is read, built and written: a status, and no leak.
//
// The allocator of the C library is replaced in this program, so that one chosen allocation fails.
#include "test/io/scene_text.h"
#include "test_paths.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define HAS_OWN_ALLOCATOR 0
#endif
#endif
#if CHECK_IS_SANITIZED || !defined(__GLIBC__)
#define HAS_OWN_ALLOCATOR 0
#endif
#ifndef HAS_OWN_ALLOCATOR
#define HAS_OWN_ALLOCATOR 1
#endif

#if HAS_OWN_ALLOCATOR

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t bytes);
void __libc_free(void* memory);

static long until_failure = -1;  // allocations that still succeed; negative: all of them
static long live;                // blocks that nobody has freed yet

static int fails(void) { return until_failure >= 0 && until_failure-- == 0; }

static void* count_block(void* memory)
{
    live += memory != NULL;
    return memory;
}

void* malloc(size_t bytes) { return fails() ? NULL : count_block(__libc_malloc(bytes)); }

void* calloc(size_t count, size_t size)
{
    return fails() ? NULL : count_block(__libc_calloc(count, size));
}

void* realloc(void* memory, size_t bytes)
{
    if (fails()) return NULL;
    void* moved = __libc_realloc(memory, bytes);
    live += memory == NULL && moved != NULL;
    return moved;
}

void free(void* memory)
{
    live -= memory != NULL;
    __libc_free(memory);
}

// Read, build and write; the first status that is not TML_OK.
static tml_status use_scene(const char* text, size_t length)
{
    tml_scene* scene = tml_scene_create();
    if (scene == NULL) return TML_NO_MEMORY;

    tml_model* model = NULL;
    char* written = NULL;
    size_t written_length = 0;
    tml_status status = tml_scene_read_text(scene, text, length, "memory.json");
    if (status == TML_OK) status = tml_scene_build(scene, &model);
    if (status == TML_OK) status = tml_scene_write_text(scene, &written, &written_length);
    CHECK(status == TML_OK || strstr(tml_scene_message(scene), "out of memory") != NULL);
    tml_text_free(written);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return status;
}

// Fail each allocation in turn, until none is left that could.
static void fail_each(const char* path)
{
    static char text[1 << 16];
    FILE* file = fopen(path, "rb");
    const size_t length = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    if (file != NULL) fclose(file);
    CHECK(length > 1000);

    use_scene(text, length);  // what a library keeps from its first use is no leak
    long count = 0;
    int has_failed = 1;
    while (has_failed && check_failures == 0) {
        const long before = live;
        until_failure = count;
        const tml_status status = use_scene(text, length);
        has_failed = until_failure < 0;
        until_failure = -1;
        CHECK(live == before);
        // nothing goes on without what it could not have: a model would lose a part unnoticed
        CHECK(status == (has_failed ? TML_NO_MEMORY : TML_OK));
        count++;
    }
    printf("%ld allocations\n", count - 1);
    CHECK(count > 20);
}

TEST(any_allocation_may_fail_while_a_scene_is_read_built_and_written) { fail_each(EVERYTHING); }

TEST(any_allocation_may_fail_while_a_model_is_read_built_and_written)
{
    fail_each(TEST_SOURCE_DIR "/fuzz/corpus/mjcf/joints.xml");
    fail_each(TEST_SOURCE_DIR "/fuzz/corpus/urdf/robot.urdf");
    fail_each(TEST_SOURCE_DIR "/fuzz/corpus/sdf/model.sdf");
}

#else

TEST(any_allocation_may_fail_while_a_scene_is_read_built_and_written)
{
    SKIP("the sanitizer or the C library brings its own allocator");
}

TEST(any_allocation_may_fail_while_a_model_is_read_built_and_written)
{
    SKIP("the sanitizer or the C library brings its own allocator");
}

#endif
