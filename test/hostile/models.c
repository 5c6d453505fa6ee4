// What a model from a stranger may try, and the line that answers it: entities, nesting, numbers that
// are none, huge counts, names of files outside, files that include themselves, truncation anywhere.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; mkdir, symlink

#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FOLDER TEST_BINARY_DIR "/hostile_models"

typedef struct attack {
    const char* name;
    tml_status status;
    const char* says;
    const char* text;
} attack;

static const attack attacks[] = {
    {"billion laughs", TML_BAD_FILE, ":2: a document type declaration (DOCTYPE) is not accepted",
     "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">"
     "<!ENTITY c \"&b;&b;&b;&b;\">]>\n<mujoco model=\"&c;\"/>"},
    {"external entity", TML_BAD_FILE, "DOCTYPE",
     "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><robot name=\"&e;\"/>"},
    {"external subset", TML_BAD_FILE, "DOCTYPE",
     "<!DOCTYPE robot SYSTEM \"http://example.org/x.dtd\"><robot/>"},
    {"undeclared entity", TML_BAD_FILE, "not well-formed", "<robot name=\"&nope;\"/>"},
    {"not closed", TML_BAD_FILE, "not well-formed", "<mujoco><worldbody></mujoco>"},
    {"only a start", TML_BAD_FILE, "not well-formed", "<"},
    {"another root", TML_BAD_FILE, "the root element is 'html'", "<html/>"},
    {"nothing in it", TML_BAD_ARGUMENT, "nothing that can move", "<mujoco/>"},
    {"NaN mass", TML_BAD_ARGUMENT, ":1: mass of 'inertial' must be 1 finite number, not \"nan\"",
     "<mujoco><worldbody><body><freejoint/><inertial pos=\"0 0 0\" mass=\"nan\" "
     "diaginertia=\"1 1 1\"/></body></worldbody></mujoco>"},
    {"infinite position", TML_BAD_ARGUMENT, "pos of 'body' must be 3 finite numbers",
     "<mujoco><worldbody><body pos=\"0 inf 0\"/></worldbody></mujoco>"},
    {"overflow", TML_BAD_ARGUMENT, "not \"1e999 0 0\"",
     "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"fixed\">"
     "<parent link=\"a\"/><child link=\"b\"/><origin xyz=\"1e999 0 0\"/></joint></robot>"},
    {"numbers with units", TML_BAD_ARGUMENT, "not \"1kg\"",
     "<robot name=\"r\"><link name=\"a\"><inertial><mass "
     "value=\"1kg\"/></inertial></link></robot>"},
    {"negative mass", TML_BAD_ARGUMENT, "mass must not be negative",
     "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"-1\"/></inertial></link></robot>"},
    {"too few numbers", TML_BAD_ARGUMENT, "must be 3 finite numbers, not \"0 0\"",
     "<mujoco><worldbody><body pos=\"0 0\"/></worldbody></mujoco>"},
    {"huge replica", TML_BAD_ARGUMENT, "count of 'replicate' must be 0 to",
     "<mujoco><worldbody><replicate count=\"1e9\"><body/></replicate></worldbody></mujoco>"},
    {"replicas of replicas", TML_BAD_FILE, "more than a million elements",
     "<mujoco><worldbody><replicate count=\"1000\"><replicate count=\"1000\"><replicate "
     "count=\"1000\"><body/></replicate></replicate></replicate></worldbody></mujoco>"},
    {"unknown class", TML_BAD_ARGUMENT, "there is no default class 'nope'",
     "<mujoco><worldbody><body childclass=\"nope\"/></worldbody></mujoco>"},
    {"zero axis", TML_BAD_ARGUMENT, "has no usable length (0)",
     "<mujoco><worldbody><body><joint axis=\"0 0 0\"/></body></worldbody></mujoco>"},
    {"zero quaternion", TML_BAD_ARGUMENT, "has no usable length (0)",
     "<mujoco><worldbody><body quat=\"0 0 0 0\"/></worldbody></mujoco>"},
    {"negative size", TML_BAD_ARGUMENT, "needs 1 positive size, but number 1 is -1",
     "<mujoco><worldbody><body><geom size=\"-1\"/></body></worldbody></mujoco>"},
    {"same name twice", TML_BAD_ARGUMENT, "the name 'a' is taken",
     "<mujoco><worldbody><body name=\"a\"/><body name=\"a\"/></worldbody></mujoco>"},
    {"include without a file", TML_BAD_FILE, "cannot name 'x.xml'",
     "<mujoco><include file=\"x.xml\"/></mujoco>"},
    {"joint between nobody", TML_BAD_ARGUMENT, "there is no link 'b'",
     "<robot name=\"r\"><link name=\"a\"/><joint name=\"j\" type=\"fixed\"><parent link=\"a\"/>"
     "<child link=\"b\"/></joint></robot>"},
    {"two parents", TML_BAD_ARGUMENT, "is the child of two joints",
     "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"i\" "
     "type=\"fixed\"><parent "
     "link=\"a\"/><child link=\"b\"/></joint><joint name=\"j\" type=\"fixed\"><parent link=\"a\"/>"
     "<child link=\"b\"/></joint></robot>"},
    {"a ring", TML_BAD_ARGUMENT, "its joints form a ring",
     "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"i\" "
     "type=\"fixed\"><parent "
     "link=\"a\"/><child link=\"b\"/></joint><joint name=\"j\" type=\"fixed\"><parent link=\"b\"/>"
     "<child link=\"a\"/></joint></robot>"},
    {"limits the wrong way", TML_BAD_ARGUMENT, "limits must be lower <= upper",
     "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" "
     "type=\"revolute\"><parent "
     "link=\"a\"/><child link=\"b\"/><limit lower=\"1\" upper=\"-1\"/></joint></robot>"},
    {"mimics itself", TML_BAD_ARGUMENT, "is no other joint",
     "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" "
     "type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><mimic "
     "joint=\"j\"/></joint></robot>"},
    {"pose relative to itself", TML_BAD_ARGUMENT, "is relative to itself",
     "<sdf><model name=\"m\"><link name=\"a\"><pose relative_to=\"a\">0 0 0 0 0 0</pose></link>"
     "</model></sdf>"},
    {"no model", TML_BAD_ARGUMENT, "there is no model in it", "<sdf/>"},
    {"a free joint inside", TML_BAD_ARGUMENT, "only children of the world can be free",
     "<mujoco><worldbody><body><body><freejoint/></body></body></worldbody></mujoco>"},
    {"keyframe of another size", TML_BAD_ARGUMENT, "qpos of 'key' must be at most 1 finite numbers",
     "<mujoco><worldbody><body><joint/><geom size=\"1\"/></body></worldbody><keyframe><key "
     "qpos=\"1 2\"/></keyframe></mujoco>"},
};

static tml_status read_text(const char* text, size_t length, char* why, size_t room)
{
    tml_scene* scene = tml_scene_create();
    const tml_status status = tml_scene_read_text(scene, text, length, "attack");
    snprintf(why, room, "%s", tml_scene_message(scene));
    tml_scene_destroy(scene);
    return status;
}

TEST(every_attack_is_answered_with_its_line_and_reason)
{
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        const attack* a = &attacks[i];
        char why[1200];
        const tml_status status = read_text(a->text, strlen(a->text), why, sizeof why);
        if (status != a->status || strstr(why, a->says) == NULL) {
            printf("%s: %s, \"%s\" lacks \"%s\"\n", a->name, tml_status_name(status), why, a->says);
        }
        CHECK(status == a->status);
        CHECK_CONTAINS(why, a->says);
        CHECK(strchr(why, '\n') == NULL);
    }
}

TEST(deep_nesting_is_refused)
{
    enum {
        DEPTH = 100000
    };
    char* text = malloc((size_t)DEPTH * 7 + 100);
    CHECK(text != NULL);
    if (text == NULL) return;
    char* p = text + sprintf(text, "<mujoco><worldbody>");
    for (int i = 0; i < DEPTH; i++) p += sprintf(p, "<body>");
    char why[1200];
    CHECK(read_text(text, (size_t)(p - text), why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "nested more than 128 deep");
    free(text);
}

// 300 000 attributes took the parser before this one 75 s; ten million took memory without bound.
TEST(an_element_of_attributes_without_end_is_refused_at_once)
{
    static const struct {
        int count;
        const char* says;
    } bombs[] = {
        {129, "attack:2: an element has more than 128 attributes"},
        {300000, "attack:2: an element has more than 128 attributes"},
        {3000000, "attack:2: one element needs more than 64 MiB to be read"},
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        char* text = malloc((size_t)bombs[i].count * 16 + 100);
        CHECK(text != NULL);
        if (text == NULL) return;
        char* p = text + sprintf(text, "<mujoco>\n<worldbody");
        for (int k = 0; k < bombs[i].count; k++) p += sprintf(p, " a%d=\"\"", k);
        p += sprintf(p, "/></mujoco>");
        char why[1200];
        const clock_t start = clock();
        CHECK(read_text(text, (size_t)(p - text), why, sizeof why) == TML_BAD_FILE);
        CHECK_CONTAINS(why, bombs[i].says);
        // a second, and ten times that where every instruction is watched
        CHECK((double)(clock() - start) / CLOCKS_PER_SEC < (CHECK_IS_SANITIZED ? 10.0 : 1.0));
        free(text);
    }
}

// Every value of a model asks the classes of defaults: they were gone through from end to end, 60 000 of them 120 000
// times (more than 100 s).
TEST(classes_of_defaults_are_not_gone_through_for_every_value)
{
    enum {
        MANY = 60000
    };
    static const struct {
        const char *head, *each, *tail, *says;
    } bombs[] = {
        {"<mujoco><default>", NULL, "</default>", NULL},  // numbered classes
        {"<mujoco>", "<default/>", "", "the model has 60000 <default> elements, at most 256"},
        {"<mujoco><default>", "<geom/>", "</default>",
         "a class of defaults has 60000 elements, at most 256"},
    };
    char* text = malloc((size_t)MANY * 64 + 2000 * 64 + 1000);
    CHECK(text != NULL);
    if (text == NULL) return;
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        char* p = text + sprintf(text, "%s", bombs[i].head);
        for (int k = 0; k < MANY; k++) {
            p += bombs[i].each == NULL
                     ? sprintf(p, "<default class=\"c%d\"><geom size=\".1\"/></default>", k)
                     : sprintf(p, "%s", bombs[i].each);
        }
        p += sprintf(p, "%s<worldbody>", bombs[i].tail);
        for (int k = 0; k < 2000; k++) {
            p += sprintf(p, "<body><joint/><geom class=\"c%d\"/></body>", 30 * k);
        }
        p += sprintf(p, "</worldbody></mujoco>");
        char why[1200];
        const clock_t start = clock();
        const tml_status status = read_text(text, (size_t)(p - text), why, sizeof why);
        CHECK(status == (bombs[i].says == NULL ? TML_OK : TML_BAD_ARGUMENT));
        if (bombs[i].says != NULL) CHECK_CONTAINS(why, bombs[i].says);
        CHECK((double)(clock() - start) / CLOCKS_PER_SEC < (CHECK_IS_SANITIZED ? 10.0 : 1.0));
    }
    free(text);
}

static const char sample[] =
    "<mujoco><compiler angle=\"radian\"/><default><default class=\"c\"><joint damping=\"1\"/>"
    "</default></default><worldbody><body name=\"a\" pos=\"0 0 1\"><freejoint/><geom size=\".1\"/>"
    "<site name=\"s\"/><body name=\"b\" childclass=\"c\"><joint name=\"j\" axis=\"1 0 0\" "
    "range=\"-1 1\"/><geom type=\"capsule\" size=\".1\" fromto=\"0 0 0 1 0 0\"/><site name=\"t\" "
    "pos=\"1 0 0\"/></body></body></worldbody><tendon><spatial stiffness=\"1\"><site site=\"s\"/>"
    "<site site=\"t\"/></spatial></tendon><equality><connect body1=\"a\" body2=\"b\" anchor=\"0 0 "
    "0\"/></equality><actuator><position joint=\"j\" kp=\"2\"/></actuator></mujoco>";

TEST(a_model_cut_off_anywhere_is_refused)
{
    char why[1200];
    CHECK(read_text(sample, strlen(sample), why, sizeof why) == TML_OK);
    for (size_t length = 1; length < strlen(sample); length++) {
        CHECK(read_text(sample, length, why, sizeof why) == TML_BAD_FILE);
    }
}

// Any byte changed to any of a few others: read or refused, never a crash; the sanitizers watch.
TEST(a_changed_byte_is_read_or_refused)
{
    static const char bytes[] = "<>\"&= 0-e\x80";
    char text[sizeof sample];
    char why[1200];
    for (size_t i = 0; i < sizeof sample - 1; i++) {
        for (size_t k = 0; k < sizeof bytes - 1; k++) {
            memcpy(text, sample, sizeof sample);
            text[i] = bytes[k];
            const tml_status status = read_text(text, sizeof sample - 1, why, sizeof why);
            CHECK(status == TML_OK || why[0] != '\0');
        }
    }
}

// ---- files

static void put(const char* name, const char* text)
{
    char path[600];
    snprintf(path, sizeof path, FOLDER "/model/%s", name);
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs(text, file);
    fclose(file);
}

static tml_status read_model(const char* name, char* why, size_t room)
{
    char path[600];
    snprintf(path, sizeof path, FOLDER "/model/%s", name);
    tml_scene* scene = tml_scene_create();
    const tml_status status = tml_scene_read_file(scene, path);
    snprintf(why, room, "%s", tml_scene_message(scene));
    tml_scene_destroy(scene);
    return status;
}

TEST(includes_stay_below_the_folder_of_the_model)
{
    char why[1200];
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/model", 0777);
    mkdir(FOLDER "/model/parts", 0777);
    FILE* outside = fopen(FOLDER "/outside.xml", "wb");
    CHECK(outside != NULL);
    if (outside != NULL) {
        fputs("<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>",
              outside);
        fclose(outside);
    }
    unlink(FOLDER "/model/link.xml");
    CHECK(symlink("../outside.xml", FOLDER "/model/link.xml") == 0);
    put("parts/inner.xml",
        "<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>");
    put("good.xml", "<mujoco><include file=\"parts/inner.xml\"/></mujoco>");
    put("up.xml", "<mujoco>\n<include file=\"../outside.xml\"/></mujoco>");
    put("absolute.xml", "<mujoco>\n<include file=\"/etc/passwd\"/></mujoco>");
    put("symlink.xml", "<mujoco>\n<include file=\"link.xml\"/></mujoco>");
    put("missing.xml", "<mujoco>\n<include file=\"nope.xml\"/></mujoco>");
    put("self.xml", "<mujoco>\n<include file=\"self.xml\"/></mujoco>");
    put("ping.xml", "<mujoco>\n<include file=\"pong.xml\"/></mujoco>");
    put("pong.xml", "<mujoco>\n<include file=\"ping.xml\"/></mujoco>");

    CHECK(read_model("good.xml", why, sizeof why) == TML_OK);
    CHECK(read_model("up.xml", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "up.xml:2: '../outside.xml' leads out of the model's folder");
    CHECK(read_model("absolute.xml", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "must be a path inside the model's folder, not an absolute one");
    CHECK(read_model("symlink.xml", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "leads out of the model's folder");
    CHECK(read_model("missing.xml", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "missing.xml:2: 'nope.xml' cannot be found");
    CHECK(read_model("self.xml", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "'self.xml' includes itself");
    CHECK(read_model("ping.xml", why, sizeof why) == TML_BAD_FILE);
    CHECK_CONTAINS(why, "includes itself");
}

TEST(files_of_closures_are_refused_with_their_line)
{
    static const struct {
        const char* text;
        const char* says;
    } cases[] = {
        {"closed_loop: [[\"a\", \"nope\"]]\n", "m.yaml:1: there is no link or joint 'nope'"},
        {"closed_loop: [[\"a\"]]\n", "m.yaml:1: closed_loop is a list of pairs"},
        {"closed_loop: [[\"a\", \"b\"]\n", "a list is not closed"},
        {"\nclosed: [1]\n", "m.yaml:2: the keys are"},
        {"type: [[[1]]]\n", "nested too deep"},
        {"closed_loop: [[\"a\", \"b\"]]\ntype: [\"5d\"]\n",
         "m.yaml:2: the type of a loop is 2d, 3d or 6d"},
        {"name_mot: ['x']\n", "there is no joint 'x' that moves"},
        {"joint_name: ['j']\n", "must have the same length"},
        {"closed_loop [a]\n", "a key and a colon are expected"},
        {"closed_loop: [[\"a\", \"b]]\n", "a word or a list"},
    };
    char why[1200];
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/model", 0777);
    put("m.urdf",
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/>"
        "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link><joint name=\"j\" "
        "type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put("m.yaml", cases[i].text);
        CHECK(read_model("m.urdf", why, sizeof why) != TML_OK);
        CHECK_CONTAINS(why, cases[i].says);
    }
    put("m.yaml", "# nothing\n");
    CHECK(read_model("m.urdf", why, sizeof why) == TML_OK);
}
