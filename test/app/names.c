// Names that would steer a terminal are printed as what they are.
#include "test/app/tool.h"

// U+009B does what ESC [ does, CR overwrites a line, DEL deletes: XML has room for these in a name.
#define EVIL "&#x9b;2J&#13;&#x7f;&#x9d;0;t"

static const char model[] =
    "<mujoco model=\"" EVIL "\"><worldbody><geom name=\"floor" EVIL
    "\" type=\"plane\" pos=\"0 0 -9\" size=\"1 1 1\"/>"
    "<body name=\"a" EVIL "\" pos=\"1 0 0\"><joint name=\"p" EVIL "\" axis=\"0 1 0\"/>"
    "<geom size=\".1\"/><body name=\"b" EVIL "\" pos=\"1 0 0\"><joint name=\"q" EVIL
    "\" axis=\"0 1 0\"/><geom size=\".1\"/></body></body></worldbody><equality>"
    "<connect body1=\"b" EVIL "\" anchor=\"0 0 0\"/><connect body1=\"b" EVIL
    "\" anchor=\"0 .1 0\"/></equality><actuator><motor name=\"m" EVIL "\" joint=\"q" EVIL
    "\"/></actuator></mujoco>";

static int is_clean(const char* text)
{
    for (const unsigned char* p = (const unsigned char*)text; *p != '\0'; p++) {
        if ((*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f) return 0;
        if (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) return 0;
    }
    return 1;
}

static void enter(void)
{
    enter_folder("app_names");
    write_text("evil.xml", model);
}

static void check(const char* line)
{
    const tool_result* r = tool(line);
    if (!is_clean(r->out) || !is_clean(r->err)) printf("%s: %s%s\n", line, r->out, r->err);
    CHECK(is_clean(r->out));
    CHECK(is_clean(r->err));
    CHECK(strlen(r->out) + strlen(r->err) > 10);
}

TEST(no_command_prints_what_steers_a_terminal)
{
    static const char* const lines[] = {
        "info evil.xml",
        "info evil.xml --json",
        "info evil.xml --all",
        "explain evil.xml",
        "run evil.xml --duration 0.1 --out evil.csv",
        "run evil.xml --duration 0.1 --json",
        "compare evil.xml --duration 0.02",
        "compare evil.xml --duration 0.02 --json",
        "statics evil.xml",
        "statics evil.xml --json",
        "assemble evil.xml -",
        "convert evil.xml -",
        "convert evil.xml evil.urdf",
        "plot evil.csv --columns nothing",
        "plot evil.csv --columns *",
        "report evil.csv",
        "run none\x1b[2J.json",
        "\x1b[2J",
        "run evil.xml --\x1b[2J",
        "scene \x1b[2J",
    };
    enter();
    CHECK(tool("run evil.xml --duration 0.1 --out evil.csv")->code == 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) check(lines[i]);
    CHECK_CONTAINS(tool("info evil.xml --all")->out, "a\\x9b2J\\x0d\\x7f");
}

TEST(what_is_refused_steers_no_terminal)
{
    enter();
    write_text("bad.xml",
               "<mujoco><worldbody><body name=\"a&#x9b;31m\x7f\"><freejoint/><geom "
               "size=\"1\"/></body></worldbody><bad\xc3\x9bx name=\"&#x9b;\"/></mujoco>");
    check("info bad.xml");
    write_text("bad.urdf", "<robot name=\"r\"><link name=\"a&#x7f;\"/><joint name=\"j&#x9b;\" "
                           "type=\"&#x9b;\"><parent link=\"a&#x9b;\"/></joint></robot>");
    check("info bad.urdf");
    write_text("bad.csv", "t,\x1b[2Ja.px,\xc2\x9bx\n0,1,2\n1,2,3\n");
    check("plot bad.csv --columns a");
    check("plot bad.csv --columns *");
    check("plot bad.csv");
    write_text("worse.csv", "t,\x1b[2Ja.px\n0,\x1b[2J\n");
    check("plot worse.csv");
    write_text("bad.json", "{\"trammel\": 1, \"name\": \"\\u001b[2J\", \"\\u001b[2J\": 1}");
    check("info bad.json");
    write_text("bad.json", "{\"trammel\": 1, \"bodies\": [{\"name\": \"\\u009b31m\", \"mass\": 1, "
                           "\"inertia\": [1, 1, 1]}]}");
    check("info bad.json");
    CHECK_CONTAINS(tool("info bad.json")->err, "holds a control character");
}

TEST(names_come_back_whole_from_json)
{
    int count = 0;
    enter();
    const tool_result* r = tool("statics evil.xml --json --no-contact");
    if (r->code == 2) r = tool("statics evil.xml --json");
    CHECK(is_json(r->out, &count));
    CHECK_CONTAINS(r->out, "\\u009b2J");
    CHECK_CONTAINS(r->out, "\\u007f");
}

TEST(what_is_printed_reaches_the_file_or_is_an_error)
{
    enter();
    const tool_result* r = answer_of(TOOL, "info evil.xml", (streams){"/dev/null", "/dev/full"});
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "standard output: No space left on device");
}
