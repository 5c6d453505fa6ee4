// test/io/mcap.c - recordings as MCAP: the frame of the file (tools/check_mcap reads what is in it).
#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <stdint.h>
#include <sys/stat.h>
#include <zlib.h>

static const char scene_text[] =
    "{\"trammel\": 1, \"bodies\": [{\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.01, 0.083, "
    "0.083], \"position\": [0.5, 0, 0]}], \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", "
    "\"base\": \"world\", \"follower\": \"rod\", \"axis\": [0, 1, 0]}]}";

enum {
    STEPS = 250,
    MOST = 1 << 20
};

static size_t record(const char* path, unsigned char* out)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_recorder* recorder = NULL;
    char why[300];
    CHECK(tml_scene_read_text(scene, scene_text, strlen(scene_text), "scene") == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_sim_create(model, &tml_scene_settings(scene)->sim, &sim) == TML_OK);
    CHECK(tml_recorder_create(sim, path, tml_record_usual(path), why, sizeof why, &recorder) ==
          TML_OK);
    CHECK(tml_recorder_write(recorder, sim) == TML_OK);
    for (int k = 0; k < STEPS; k++) {
        CHECK(tml_sim_step(sim, NULL) == TML_OK);
        CHECK(tml_recorder_write(recorder, sim) == TML_OK);
    }
    CHECK(tml_recorder_finish(recorder) == TML_OK);
    CHECK(tml_recorder_states(recorder) == STEPS + 1);
    CHECK(tml_recorder_close(recorder) == TML_OK);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    FILE* file = fopen(path, "rb");
    CHECK(file != NULL);
    const size_t length = file != NULL ? fread(out, 1, MOST, file) : 0;
    if (file != NULL) fclose(file);
    return length;
}

static uint64_t u64(const unsigned char* at)
{
    uint64_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

// By the specification of the format: the footer is the last record but for the magic.
TEST(the_footer_leads_to_a_summary_whose_checksum_is_right)
{
    static unsigned char bytes[MOST];
    static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
    mkdir(TEST_BINARY_DIR "/test/io_mcap.files", 0777);
    const size_t length = record(TEST_BINARY_DIR "/test/io_mcap.files/a.mcap", bytes);
    CHECK(length > 1000);
    CHECK(memcmp(bytes, magic, 8) == 0 && memcmp(bytes + length - 8, magic, 8) == 0);
    const unsigned char* footer = bytes + length - 8 - 29;
    uint32_t crc;
    CHECK(footer[0] == 0x02 && u64(footer + 1) == 20);
    const uint64_t summary = u64(footer + 9);
    memcpy(&crc, footer + 25, sizeof crc);
    CHECK(summary > 0 && summary < length);
    CHECK(bytes[summary] == 0x03 && bytes[u64(footer + 17)] == 0x0e);
    CHECK(crc == crc32(0, bytes + summary, (uInt)(footer + 25 - (bytes + summary))));
    // chunks end with whole seconds of the run: the records are walked through
    int chunks = 0;
    for (size_t at = 8; at < summary; at += 9 + (size_t)u64(bytes + at + 1)) {
        chunks += bytes[at] == 0x06;
    }
    CHECK(chunks == 3);
}

TEST(equal_recordings_are_equal_files)
{
    static unsigned char a[MOST];
    static unsigned char b[MOST];
    const size_t length = record(TEST_BINARY_DIR "/test/io_mcap.files/a.mcap", a);
    CHECK(record(TEST_BINARY_DIR "/test/io_mcap.files/b.mcap", b) == length);
    CHECK(memcmp(a, b, length) == 0);
}
