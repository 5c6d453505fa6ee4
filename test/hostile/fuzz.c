// Valid scenes with a few bytes changed: the reader must never crash, and must always say why it
// refuses. TEST_SEED in the environment chooses another sequence.
#include "test/check.h"
#include "test_paths.h"

#include <trammel/scene.h>

#include <stdint.h>

enum {
    ROUNDS = 20000
};

#define EVERYTHING TEST_SOURCE_DIR "/test/io/everything.json"

// The scene with every key is long, so most of its changes break the syntax; short ones reach the
// checks behind it more often.
static const char* const texts[] = {
    "{\"trammel\": 1, \"name\": \"p\", \"gravity\": [0, 0, -9.81],\n"
    " \"bodies\": [{\"name\": \"rod\", \"mass\": 1.5, \"inertia\": [0.1, 0.2, 0.25]}],\n"
    " \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\", "
    "\"follower\": \"rod\", \"axis\": [0, 1, 0], \"limits\": {\"rx\": [-1, 1]}}],\n"
    " \"simulation\": {\"step\": 0.01, \"integrator\": \"bdf2\", \"duration\": 10}}",

    "{\"trammel\":1,\"bodies\":[{\"name\":\"a\",\"shapes\":[{\"type\":\"box\",\"size\":[1,2,3],"
    "\"density\":100,\"color\":\"#ffffff\"}]}],\"joints\":[{\"free\":{\"rotation\":\"xz\"},"
    "\"base\":\"a\",\"follower\":\"world\",\"actuation\":\"force\",\"control\":{\"rx\":1,"
    "\"rz\":{\"sine\":{\"amplitude\":1,\"frequency\":2}}}}]}",

    "{\"trammel\":1,\"bodies\":[],\"generate\":[{\"type\":\"chain\",\"links\":4,\"link\":"
    "{\"length\":1,\"radius\":0.1,\"mass\":1}}],\"forces\":[{\"type\":\"spring\",\"a\":[\"chain."
    "1\","
    "[0,0,0]],\"b\":[\"world\",[0,0,1]],\"stiffness\":5}],\"couplings\":[{\"terms\":"
    "[[\"chain.0.rx\",[1,2]],[\"chain.1.ry\",3]]}]}",
};
enum {
    TEXTS = sizeof texts / sizeof *texts,
    ORIGINALS = TEXTS + 1
};

static uint64_t next_random(uint64_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int below(uint64_t* state, size_t n) { return (int)(next_random(state) % n); }

static char* read_whole(const char* path, size_t* length)
{
    FILE* file = fopen(path, "rb");
    char* text = calloc(1 << 16, 1);
    *length = file != NULL ? fread(text, 1, (1 << 16) - 1, file) : 0;
    if (file != NULL) fclose(file);
    CHECK(*length > 0);
    return text;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

// Put another value in the place of the next number behind `at`.
static size_t replace_number(char* text, size_t length, size_t at, uint64_t* state)
{
    static const char* const values[] = {"0",  "-1",   "1e308", "-1e-320", "null", "true",
                                         "[]", "{}",   "\"x\"", "1e9",     "0.5",  "[1,2,3]",
                                         "2",  "1e22", "-0",    "false"};
    const char* value = values[below(state, sizeof values / sizeof *values)];
    while (at < length && !is_digit(text[at])) at++;
    size_t end = at;
    while (end < length && (is_digit(text[end]) || strchr(".eE+-", text[end]) != NULL)) end++;

    const size_t size = strlen(value);
    memmove(text + at + size, text + end, length - end);
    memcpy(text + at, value, size);
    return length - (end - at) + size;
}

// A digit or a letter becomes another one, so that the text stays JSON.
static void replace_letter(char* text, size_t length, size_t at, uint64_t* state)
{
    while (at < length && !is_digit(text[at]) && !(text[at] >= 'a' && text[at] <= 'z')) at++;
    if (at == length) return;
    text[at] = (char)(is_digit(text[at]) ? '0' + below(state, 10) : 'a' + below(state, 26));
}

// Change the text in place; it has room for more. Answers its new length.
static size_t mutate(char* text, size_t length, uint64_t* state)
{
    // bytes that mean something to JSON or to numbers do more harm than random ones
    static const char telling[] = "{}[]\",:-+.eE0123456789\\ntrufalsx \n\x80\xff";
    const size_t at = (size_t)below(state, length);
    const size_t span = 1 + (size_t)below(state, 12);
    const size_t run = at + span <= length ? span : length - at;

    switch (below(state, 12)) {
    case 0: text[at] = (char)(text[at] ^ 1 << below(state, 8)); return length;
    case 1: text[at] = telling[below(state, sizeof telling - 1)]; return length;
    case 2:  // delete
        memmove(text + at, text + at + run, length - at - run);
        return length - run;
    case 3:  // duplicate
        memmove(text + at + run, text + at, length - at);
        return length + run;
    case 4: {  // overwrite with a piece from elsewhere
        const size_t from = (size_t)below(state, length - run + 1);
        memmove(text + at, text + from, run);
        return length;
    }
    case 5: return at + 1;  // cut off
    case 6:
    case 7:
    case 8: replace_letter(text, length, at, state); return length;
    default: return replace_number(text, length, at, state);
    }
}

TEST(changed_scenes_never_crash_and_always_say_why)
{
    const char* given = getenv("TEST_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : 20240229;
    if (seed == 0) seed = 1;
    printf("seed %llu\n", (unsigned long long)seed);

    size_t lengths[ORIGINALS];
    char* everything = read_whole(EVERYTHING, &lengths[TEXTS]);
    const char* originals[ORIGINALS] = {texts[0], texts[1], texts[2], everything};
    for (int i = 0; i < TEXTS; i++) lengths[i] = strlen(texts[i]);

    for (int i = 0; i < ORIGINALS; i++) {
        tml_scene* scene = tml_scene_create();
        const tml_status status = tml_scene_read_text(scene, originals[i], lengths[i], "original");
        CHECK(status == TML_OK);
        if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
        tml_scene_destroy(scene);
    }

    int accepted = 0;
    int broken = 0;  // not JSON any more
    int refused = 0;
    char* text = malloc(1 << 17);
    for (int round = 0; round < ROUNDS; round++) {
        const int original = below(&seed, ORIGINALS);
        size_t length = lengths[original];
        memcpy(text, originals[original], length);
        const int changes = 1 + below(&seed, 3);
        for (int k = 0; k < changes && length > 0; k++) length = mutate(text, length, &seed);

        tml_scene* scene = tml_scene_create();
        const tml_status status = tml_scene_read_text(scene, text, length, "fuzz");
        const char* message = tml_scene_message(scene);
        if (status == TML_OK) {
            tml_model* model = NULL;
            CHECK(tml_scene_build(scene, &model) == TML_OK);
            tml_model_destroy(model);
            accepted++;
        } else {
            CHECK(strncmp(message, "fuzz:", 5) == 0 && strlen(message) > 8);
            CHECK(strchr(message, '\n') == NULL);
            CHECK(tml_spec_status(tml_scene_spec(scene)) == TML_OK);
            refused++;
            broken += status == TML_BAD_FILE;
        }
        tml_scene_destroy(scene);
        if (check_failures > 0) {
            printf("round %d: %s\n%.*s\n", round, message, (int)length, text);
            break;
        }
    }
    printf("%d accepted, %d refused, %d of them as no JSON\n", accepted, refused, broken);
    CHECK(accepted > 500 && refused > 5000);
    free(text);
    free(everything);
}
