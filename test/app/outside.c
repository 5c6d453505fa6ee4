// A scene or model may name files below its own folder, and elsewhere only where it is allowed.
#include "test/app/tool.h"

static const char tetrahedron[] = "solid x\n"
                                  "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\n"
                                  "vertex 1 0 0\nendloop\nendfacet\n"
                                  "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                                  "vertex 0 0 1\nendloop\nendfacet\n"
                                  "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\n"
                                  "vertex 0 1 0\nendloop\nendfacet\n"
                                  "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\n"
                                  "vertex 0 0 1\nendloop\nendfacet\nendsolid\n";

static char here[3000];

static void enter(void)
{
    enter_folder("app_outside");
    CHECK(getcwd(here, sizeof here) != NULL);
    mkdir("own", 0777);
    mkdir("own/parts", 0777);
    mkdir("other", 0777);
    mkdir("otherwise", 0777);
    write_text("own/parts/in.stl", tetrahedron);
    write_text("other/out.stl", tetrahedron);
    write_text("otherwise/out.stl", tetrahedron);
    write_text("other/out.csv", "t,x\n0,0\n1,0\n");
    write_text("other/out.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    write_text("other/out.ele", "1 4 0\n1 1 2 3 4\n");
    remove("own/link.stl");
    remove("own/pair.ele");
    CHECK(symlink("../other/out.stl", "own/link.stl") == 0);
    write_text("own/pair.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    CHECK(symlink("../other/out.ele", "own/pair.ele") == 0);
}

static void put_mesh(const char* file)
{
    char text[4000];
    snprintf(text, sizeof text,
             "{\"trammel\": 1, \"bodies\": [\n{\"name\": \"a\", \"shapes\": [{\"type\": \"mesh\", "
             "\"density\": 1000, \"file\": \"%s\"}]}]}",
             file);
    write_text("own/s.json", text);
}

static void check(const char* line, int code, const char* says)
{
    const tool_result* r = tool(line);
    if (r->code != code) printf("%s: %d %s\n", line, r->code, r->err);
    CHECK(r->code == code);
    if (code != 0) {
        CHECK(is_one_error_line(r->err));
        CHECK_CONTAINS(r->err, says);
        CHECK_CONTAINS(r->err, "--allow-outside DIR lets files below DIR be read");
    }
}

TEST(scenes_read_meshes_below_their_own_folder_alone)
{
    char path[3100];
    char line[3200];
    enter();
    put_mesh("parts/in.stl");
    check("info own/s.json", 0, "");
    CHECK(chdir("own") == 0);
    check("info s.json", 0, "");
    CHECK(chdir("..") == 0);

    snprintf(path, sizeof path, "%s/own/parts/in.stl", here);
    const char* const bad[] = {"../other/out.stl", "parts/../../other/out.stl", "link.stl"};
    for (int i = 0; i < 3; i++) {
        put_mesh(bad[i]);
        check("info own/s.json", 2, "own/s.json:2: file of shape 0 of body 'a'");
        check("info own/s.json", 2, "leads out of the model's folder");
        check("info own/s.json --allow-outside other", 0, "");
        check("info own/s.json --allow-outside nowhere,other", 0, "");
        // a name that begins like the folder is another folder
        check("info own/s.json --allow-outside othe", 2, "leads out");
        check("info own/s.json --allow-outside otherwise", 2, "leads out");
    }
    put_mesh(path);
    check("info own/s.json", 2, "not an absolute one");
    snprintf(line, sizeof line, "info own/s.json --allow-outside %s/own/parts", here);
    check(line, 0, "");
    put_mesh("/etc/passwd");
    check("info own/s.json", 2, "not an absolute one");
}

TEST(scenes_read_recordings_and_tetrahedra_below_their_own_folder_alone)
{
    enter();
    write_text("own/s.json",
               "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, "
               "1]}], \"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"base\": \"world\", "
               "\"follower\": \"a\", \"actuation\": \"force\", \"control\": {\"recording\": "
               "\"../other/out.csv\", \"column\": \"x\"}}]}");
    check("info own/s.json", 2, "leads out");
    check("info own/s.json --allow-outside other", 0, "");
    static const char* const files[] = {"../other/out.node", "../other/out.ele", "pair.node"};
    for (int i = 0; i < 3; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "{\"trammel\": 1, \"bodies\": [], \"deformables\": [{\"name\": \"d\", \"file\": "
                 "\"%s\", \"young\": 1e5, \"poisson\": 0.3, \"density\": 1000}]}",
                 files[i]);
        write_text("own/s.json", text);
        check("info own/s.json", 2, "leads out");
        check("info own/s.json --allow-outside other", 0, "");
    }
}

TEST(models_read_what_is_allowed)
{
    enter();
    write_text(
        "other/part.xml",
        "<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>");
    write_text("own/m.xml", "<mujoco>\n<include file=\"../other/part.xml\"/></mujoco>");
    check("info own/m.xml", 2, "own/m.xml:2: '../other/part.xml' leads out of the model's folder");
    check("info own/m.xml --allow-outside other", 0, "");

    write_text("own/m.urdf",
               "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
               "iyy=\"1\" izz=\"1\"/></inertial><visual><geometry><mesh "
               "filename=\"../other/out.stl\"/></geometry></visual></link></robot>");
    CHECK(tool("convert own/m.urdf out.json --floating")->code == 0);
    CHECK_CONTAINS(tool("convert own/m.urdf out.json --floating")->err, "--allow-outside");
    const tool_result* r = tool("convert own/m.urdf out.json --floating --allow-outside other");
    CHECK(r->code == 0);
    CHECK_TEXT(r->err, "");
}
