// Recordings read back: the same bits from CSV and NPZ, the animation of a GLB, and files that are
// cut, changed or made to deceive.
#include "base/memory.h"
#include "io/json.h"
#include "test/io/scene_text.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <stdint.h>
#include <unistd.h>

#define STEM TEST_BINARY_DIR "/io_recording"

enum {
    ROWS = 25,
    ALL_COLUMNS = TML_RECORD_POSE | TML_RECORD_VELOCITY | TML_RECORD_JOINTS | TML_RECORD_ENERGY |
                  TML_RECORD_GAP
};

static const char* const double_pendulum =
    "{'trammel': 1, 'bodies': [{'name': 'rod, \\\"a\\\"', 'mass': 1, 'inertia': [0.01, 0.08, 0.08],"
    " 'position': [0.5, 0, 0], 'shapes': [{'type': 'capsule', 'radius': 0.05, 'length': 0.9}]},"
    " {'name': 'b', 'mass': 1, 'inertia': [0.01, 0.08, 0.08], 'position': [1.5, 0, 0]}],"
    " 'joints': [{'name': 'pin', 'type': 'revolute', 'base': 'world', 'follower': 'rod, \\\"a\\\"',"
    " 'axis': [0, 1, 0]}, {'name': 'elbow', 'type': 'spherical', 'base': 'rod, \\\"a\\\"',"
    " 'follower': 'b', 'position': [1, 0, 0]}]}";

// Record the same run in several formats at once; the expected values stay in memory.
typedef struct truth {
    double t[ROWS];
    tml_pose b[ROWS];
    double elbow_z[ROWS];
} truth;

static truth record(const char* const* paths, int count)
{
    truth seen = {0};
    tml_scene* scene = scene_from(double_pendulum);
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_recorder* recorders[4] = {NULL};

    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_sim_create(model, &tml_scene_settings(scene)->sim, &sim) == TML_OK);
    for (int i = 0; i < count; i++) {
        CHECK(tml_recorder_create(sim, paths[i], ALL_COLUMNS, NULL, 0, &recorders[i]) == TML_OK);
    }
    for (int k = 0; k < ROWS; k++) {
        if (k > 0) CHECK(tml_sim_step(sim, NULL) == TML_OK);
        seen.t[k] = tml_sim_time(sim);
        seen.b[k] = tml_sim_pose(sim, (tml_body){1});
        seen.elbow_z[k] = tml_sim_joint_load(sim, (tml_joint){1}).force.z;
        for (int i = 0; i < count; i++) CHECK(tml_recorder_write(recorders[i], sim) == TML_OK);
    }
    for (int i = 0; i < count; i++) CHECK(tml_recorder_close(recorders[i]) == TML_OK);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return seen;
}

static tml_recording* read_back(const char* path)
{
    char why[1200] = "";
    tml_recording* r = NULL;
    CHECK(tml_recording_read_file(path, why, sizeof why, &r) == TML_OK);
    CHECK_TEXT(why, "");
    return r;
}

static const double* column(const tml_recording* r, const char* name)
{
    const int index = tml_recording_find(r, name);
    CHECK(index >= 0);
    return tml_recording_column(r, index);
}

TEST(both_formats_read_back_with_the_bits_that_were_recorded)
{
    static const char* const paths[] = {STEM ".csv", STEM ".npz"};
    const truth seen = record(paths, 2);

    for (int i = 0; i < 2; i++) {
        tml_recording* r = read_back(paths[i]);
        if (r == NULL) return;
        // 1 time, 2 bodies of 13, joints of 6 loads and 1 and 3 coordinates, 3 energies, the gap
        CHECK(tml_recording_column_count(r) == 1 + 26 + 8 + 12 + 3 + 1);
        CHECK(tml_recording_row_count(r) == ROWS);
        CHECK(tml_recording_find(r, "rod, \"a\".px") == 1);
        CHECK(tml_recording_find(r, "nothing") == -1);
        CHECK(tml_recording_column(r, -1) == NULL && tml_recording_column(r, 1000) == NULL);
        CHECK_TEXT(tml_recording_column_name(r, 1000), "");
        CHECK(memcmp(column(r, "t"), seen.t, sizeof seen.t) == 0);
        CHECK(memcmp(column(r, "elbow.fz"), seen.elbow_z, sizeof seen.elbow_z) == 0);
        for (int k = 0; k < ROWS; k++) {
            CHECK(column(r, "b.px")[k] == seen.b[k].p.x);
            CHECK(column(r, "b.qz")[k] == seen.b[k].q.z);
        }
        tml_recording_destroy(r);
        remove(paths[i]);
    }
}

// ---- the animation

typedef struct bytes {
    unsigned char* data;
    size_t length;
} bytes;

static bytes load(const char* path)
{
    bytes b = {0};
    FILE* file = fopen(path, "rb");
    CHECK(file != NULL);
    if (file == NULL) return b;
    fseek(file, 0, SEEK_END);
    b.length = (size_t)ftell(file);
    rewind(file);
    b.data = malloc(b.length + 1);
    CHECK(fread(b.data, 1, b.length, file) == b.length);
    fclose(file);
    return b;
}

static const json* item(const json* list, int index)
{
    const json* i = list->first;
    while (i != NULL && index-- > 0) i = i->next;
    return i;
}

static double number(const json* object, const char* key)
{
    const json* found = tml__json_find(object, key);
    return found != NULL ? found->number : 0.0;
}

static uint32_t u32(const unsigned char* p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

// The animated positions of the last body, found the way a viewer finds them.
TEST(an_animation_holds_the_poses_that_were_recorded)
{
    static const char* const paths[] = {STEM ".glb"};
    const truth seen = record(paths, 1);
    const bytes file = load(paths[0]);
    const uint32_t json_length = u32(file.data + 12);
    char* text = tml__allocate(NULL, json_length + 1, 1);
    json_document document;
    json_error error;

    CHECK(memcmp(file.data, "glTF", 4) == 0 && u32(file.data + 8) == file.length);
    memcpy(text, file.data + 20, json_length);
    CHECK(tml__json_read(text, json_length, &document, &error) == TML_OK);
    const json* root = document.root;
    const json* animation = item(tml__json_find(root, "animations"), 0);
    const json* channels = tml__json_find(animation, "channels");
    CHECK(tml__json_count(channels) == 4);  // two bodies
    for (int k = 2; k < 4; k++) {
        const json* channel = item(channels, k);
        const json* target = tml__json_find(channel, "target");
        const json* node = item(tml__json_find(root, "nodes"), (int)number(target, "node"));
        CHECK_TEXT(tml__json_find(node, "name")->text, "b");
        const json* sampler =
            item(tml__json_find(animation, "samplers"), (int)number(channel, "sampler"));
        const json* accessor =
            item(tml__json_find(root, "accessors"), (int)number(sampler, "output"));
        const json* view =
            item(tml__json_find(root, "bufferViews"), (int)number(accessor, "bufferView"));
        CHECK((int)number(accessor, "count") == ROWS);
        const unsigned char* data = file.data + 20 + json_length + 8 +
                                    (size_t)number(view, "byteOffset") +
                                    (size_t)number(accessor, "byteOffset");
        for (int row = 0; row < ROWS; row++) {
            float x[4];
            memcpy(x, data + (size_t)row * (k == 2 ? 12 : 16), k == 2 ? 12 : 16);
            const tml_pose pose = seen.b[row];
            // floats: exactly the rounded double
            CHECK(x[0] == (float)(k == 2 ? pose.p.x : pose.q.x));
            CHECK(x[2] == (float)(k == 2 ? pose.p.z : pose.q.z));
            if (k == 3) CHECK(x[3] == (float)pose.q.w);
        }
    }
    tml__json_destroy(&document);
    free(file.data);
    remove(paths[0]);
}

// ---- hostile files

static void store(const char* path, const void* data, size_t length)
{
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fwrite(data, 1, length, file);
    fclose(file);
}

static tml_status read_status(const char* path, char* why, size_t capacity)
{
    tml_recording* r = NULL;
    const tml_status status = tml_recording_read_file(path, why, capacity, &r);
    CHECK((status == TML_OK) == (r != NULL));
    CHECK(status == TML_OK || why[0] != '\0');
    tml_recording_destroy(r);
    return status;
}

TEST(a_file_cut_in_a_line_gives_the_lines_before_it)
{
    static const char text[] = "t,a.px\n0,1\n1,2\n2,3.25";
    store(STEM ".csv", text, sizeof text - 1);
    tml_recording* r = read_back(STEM ".csv");
    if (r == NULL) return;
    CHECK(tml_recording_row_count(r) == 2);
    CHECK(column(r, "a.px")[1] == 2.0);
    tml_recording_destroy(r);
    remove(STEM ".csv");
}

// Spreadsheets put a byte order mark in front of what they save.
TEST(a_table_behind_a_byte_order_mark_is_read)
{
    const char* path = STEM "_mark.csv";
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs("\xef\xbb\xbft,a.px\r\n0,1\r\n1,2\r\n", file);
    fclose(file);
    tml_recording* r = read_back(path);
    CHECK(r != NULL);
    if (r == NULL) return;
    CHECK(tml_recording_row_count(r) == 2);
    CHECK_TEXT(tml_recording_column_name(r, 0), "t");
    CHECK_NEAR(column(r, "a.px")[1], 2.0, 0.0);
    tml_recording_destroy(r);
    remove(path);
}

TEST(what_is_no_recording_is_refused_with_its_line)
{
    static const struct {
        const char* text;
        const char* why;
    } cases[] = {
        {"", ":1: there is no line of column names"},
        {"t,a", ":1: there is no line of column names"},
        {"x,y\n1,2\n", "the first column is not 't'"},
        {"t,a\n1\n", ":2: the line has fewer than the 2 cells"},
        {"t,a\n1,2\n1,2,3\n", ":3: the line has more than the 2 cells"},
        {"t,a\n1,2x\n", ":2: '2x' in column 'a' is no number"},
        {"t,a\n1,\n", ":2: '' in column 'a' is no number"},
        {"t,a,a\n1,2,3\n", "column 'a' is there twice"},
        {"t,\"a\n1,2\n", "does not end"},
        {"t,a\n1,1e999\n", "is no number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[1200] = "";
        store(STEM ".csv", cases[i].text, strlen(cases[i].text));
        CHECK(read_status(STEM ".csv", why, sizeof why) == TML_BAD_FILE);
        CHECK_CONTAINS(why, cases[i].why);
    }
    char why[1200] = "";
    CHECK(read_status(STEM ".txt", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, ".csv or .npz");
    CHECK(read_status(TEST_BINARY_DIR "/no/such.csv", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "No such file");
    remove(STEM ".csv");
}

// Every prefix, and many single bytes changed: an answer, never a crash. The sanitizers watch.
TEST(damaged_archives_are_answered_never_believed)
{
    static const char* const paths[] = {STEM ".npz"};
    (void)record(paths, 1);
    bytes file = load(paths[0]);
    char why[1200] = "";
    int refused = 0;
    int tried = 0;

    for (size_t length = 0; length < file.length; length += 1 + file.length / 150) {
        store(STEM ".cut.npz", file.data, length);
        CHECK(read_status(STEM ".cut.npz", why, sizeof why) == TML_BAD_FILE);
    }
    // the directory is at the end and the first entries at the beginning
    for (size_t i = 0; i < file.length; i += i < 400 || i + 6000 > file.length ? 7 : 997) {
        const unsigned char before = file.data[i];
        file.data[i] ^= (unsigned char)(1u << (i % 8) | 0x41);
        store(STEM ".cut.npz", file.data, file.length);
        refused += read_status(STEM ".cut.npz", why, sizeof why) != TML_OK;
        file.data[i] = before;
        tried++;
    }
    // a few bytes, such as dates and versions, mean nothing to a reader
    CHECK(refused > tried / 2);
    free(file.data);
    remove(STEM ".cut.npz");
    remove(paths[0]);
}

// ---- contacts

TEST(contacts_beside_a_recording_are_read_with_it)
{
    static const char table[] = "t,a.px\n0,1\n";
    static const char contacts[] = "t,a,b,px,py,pz,nx,ny,nz,gap,fx,fy,fz\n"
                                   "0,\"a, \"\"b\"\"\",world,1,2,3,0,0,1,-1e-9,4,5,6.5\n";
    char why[1200] = "";
    store(STEM ".csv", table, sizeof table - 1);
    store(STEM ".contacts.csv", contacts, sizeof contacts - 1);
    tml_recording* r = read_back(STEM ".csv");
    if (r == NULL) return;
    CHECK(tml_recording_contact_count(r) == 1);
    const tml_recorded_contact* c = tml_recording_contacts(r);
    CHECK_TEXT(c->a, "a, \"b\"");
    CHECK_TEXT(c->b, "world");
    CHECK(c->time == 0.0 && c->position.y == 2.0 && c->normal.z == 1.0);
    CHECK(c->gap == -1e-9 && c->force.z == 6.5);
    tml_recording_destroy(r);

    store(STEM ".contacts.csv", contacts, sizeof contacts - 6);
    r = read_back(STEM ".csv");  // a line that a crash cut
    CHECK(r != NULL && tml_recording_contact_count(r) == 0);
    tml_recording_destroy(r);
    store(STEM ".contacts.csv", "t,a,b\n", 6);
    CHECK(read_status(STEM ".csv", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "contacts.csv:1: the first line is not");
    remove(STEM ".contacts.csv");
    remove(STEM ".csv");
}
