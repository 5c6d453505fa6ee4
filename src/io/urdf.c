// io/urdf.c - URDF: links and joints by name, any order, into a robot whose parents come first.
//
// The root is welded to the world unless the options say that it floats; a parent named `world` that
// no link declares is the world. Beside the usual joints: `mimic`, Dojo's `loop_joint`, and of
// Drake's extensions ball and universal joints, frames and torsional springs.
#include "io/urdf.h"

#include "io/robot.h"
#include "model/names.h"

#include <trammel/scene.h>

#include <stdio.h>
#include <string.h>

typedef struct urdf_joint {
    const xml* at;
    int parent, child;  // link elements; parent -1: the world
} urdf_joint;

typedef struct urdf {
    robot* r;
    const xml* root;
    const robot_source* source;
    name_table* names;  // of link elements
    int link_count;
    const xml** links;  // elements
    int* parent_joint;  // per link element; -1: a root
    int* place;         // per link element: its index in the robot, -1: not yet
    int* first_child;   // per link element and one for the world: its joints, a list
    int* next_child;    // per joint
    int joint_count;
    urdf_joint* joints;
} urdf;

// ---- the graph

static bool is_joint(const xml* e)
{
    return tml__xml_is(e, "joint") || tml__xml_is(e, "drake:joint");
}

static void list_links(urdf* u)
{
    int links = 0;
    int joints = 0;
    for (const xml* e = u->root->first; e != NULL; e = e->next) {
        if (tml__xml_is(e, "link")) links++;
        if (is_joint(e)) joints++;
    }
    const size_t n = (size_t)links + 1;
    u->links = tml__robot_take(u->r, n, sizeof *u->links);
    u->parent_joint = tml__robot_take(u->r, n, sizeof(int));
    u->place = tml__robot_take(u->r, n, sizeof(int));
    u->first_child = tml__robot_take(u->r, n, sizeof(int));
    u->joints = tml__robot_take(u->r, (size_t)joints, sizeof *u->joints);
    u->next_child = tml__robot_take(u->r, (size_t)joints, sizeof(int));
    u->names = tml__names_create();
    if (u->names == NULL) tml__robot_refuse(u->r, NULL, TML_NO_MEMORY, "out of memory");

    for (const xml* e = u->root->first; e != NULL && u->r->status == TML_OK; e = e->next) {
        if (!tml__xml_is(e, "link")) continue;
        const char* name = tml__attribute_need(u->r, e, "name");
        if (tml__names_find(u->names, name) >= 0) {
            tml__robot_refuse(u->r, e, TML_BAD_ARGUMENT, "there are two links named '%.120s'",
                              name);
        } else if (!tml__names_add(u->names, name, u->link_count)) {
            tml__robot_refuse(u->r, NULL, TML_NO_MEMORY, "out of memory");
        }
        u->parent_joint[u->link_count] = u->place[u->link_count] = -1;
        u->links[u->link_count++] = e;
    }
    for (int i = 0; i <= u->link_count && u->r->status == TML_OK; i++) u->first_child[i] = -1;
}

// The link that <parent link="..."/> or <child link="..."/> names; -1 for the world.
static int named_link(urdf* u, const xml* joint, const char* role)
{
    const xml* e = tml__xml_child(joint, role);
    if (e == NULL) {
        tml__robot_refuse(u->r, joint, TML_BAD_ARGUMENT, "joint '%.120s' has no %s",
                          tml__attribute_need(u->r, joint, "name"), role);
        return -1;
    }
    const char* name = tml__attribute_need(u->r, e, "link");
    const int index = tml__names_find(u->names, name);
    const bool is_world = strcmp(name, "world") == 0 && strcmp(role, "parent") == 0;
    if (index < 0 && !is_world) {
        tml__robot_refuse(u->r, e, TML_BAD_ARGUMENT, "joint '%.120s': there is no link '%.120s'",
                          tml__attribute_need(u->r, joint, "name"), name);
    }
    return index;
}

static void list_joints(urdf* u)
{
    for (const xml* e = u->root->first; e != NULL && u->r->status == TML_OK; e = e->next) {
        if (!is_joint(e)) continue;
        const int parent = named_link(u, e, "parent");
        const int child = named_link(u, e, "child");
        if (u->r->status != TML_OK) return;
        if (u->parent_joint[child] >= 0) {
            tml__robot_refuse(u->r, e, TML_BAD_ARGUMENT,
                              "link '%.120s' is the child of two joints; a loop is closed by a "
                              "loop_joint or a file of closures",
                              tml__xml_attribute(u->links[child], "name"));
            return;
        }
        u->parent_joint[child] = u->joint_count;
        u->joints[u->joint_count++] = (urdf_joint){e, parent, child};
    }
    // lists of children, the last joint first so that reading them gives the order of the file
    for (int j = u->joint_count - 1; j >= 0 && u->r->status == TML_OK; j--) {
        int* head = &u->first_child[u->joints[j].parent >= 0 ? u->joints[j].parent : u->link_count];
        u->next_child[j] = *head;
        *head = j;
    }
}

// ---- links in their order

static void place_link(urdf* u, int element, int parent, pose local)
{
    const xml* e = u->links[element];
    robot* r = u->r;
    robot_link* l = tml__robot_add_link(r, e, tml__xml_attribute(e, "name"), parent, local);
    if (l == NULL) return;
    u->place[element] = r->link_count - 1;
    l->world = parent >= 0 ? pose_mul(r->links[parent].world, local) : local;
    tml__urdf_link(r, u->root, e, r->link_count - 1);
}

static void place_children(urdf* u, int head, int parent)
{
    for (int j = head; j >= 0 && u->r->status == TML_OK; j = u->next_child[j]) {
        const urdf_joint* joint = &u->joints[j];
        place_link(u, joint->child, parent,
                   tml__robot_origin(u->r, tml__xml_child(joint->at, "origin")));
        if (u->r->status != TML_OK) return;
        tml__robot_name_joint(u->r, joint->at, tml__attribute_need(u->r, joint->at, "name"),
                              u->r->link_count - 1);
        tml__urdf_joint(u->r, joint->at, u->r->link_count - 1);
    }
}

static void place_root(urdf* u, int element)
{
    robot* r = u->r;
    const char* name = tml__xml_attribute(u->links[element], "name");
    place_link(u, element, -1, pose_identity());
    if (r->status != TML_OK || !u->source->options->float_base || strcmp(name, "world") == 0)
        return;
    tml__robot_add_movement(r, u->links[element], NULL, r->link_count - 1, MOVE_FREE);
}

// Breadth first: every link that is placed hands its own children over.
static void place_all(urdf* u)
{
    robot* r = u->r;
    for (int i = 0; i < u->link_count && r->status == TML_OK; i++) {
        if (u->parent_joint[i] < 0) place_root(u, i);
    }
    if (r->status == TML_OK) place_children(u, u->first_child[u->link_count], -1);
    for (int done = 0; done < r->link_count && r->status == TML_OK; done++) {
        const char* name = r->links[done].name;
        place_children(u, u->first_child[tml__names_find(u->names, name)], done);
    }
    for (int i = 0; i < u->link_count && r->status == TML_OK; i++) {
        if (u->place[i] >= 0) continue;
        tml__robot_refuse(r, u->links[i], TML_BAD_ARGUMENT,
                          "link '%.120s' hangs on itself: its joints form a ring",
                          tml__xml_attribute(u->links[i], "name"));
    }
}

// ---- what is not a link or a joint

static void read_others(urdf* u)
{
    robot* r = u->r;
    for (const xml* e = u->root->first; e != NULL && r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "frame")) {
            const int of = tml__robot_find_link(r, tml__attribute_need(r, e, "link"));
            if (of == -2) {
                tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "frame: there is no link '%.120s'",
                                  tml__attribute_need(r, e, "link"));
            }
            tml__robot_add_link(r, e, tml__attribute_need(r, e, "name"), of,
                                tml__robot_origin(r, e));
        }
    }
    for (const xml* e = u->root->first; e != NULL && r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "link") || tml__xml_is(e, "frame") || tml__xml_is(e, "material"))
            continue;
        if (is_joint(e)) {
            tml__urdf_mimic(r, e);
        } else if (tml__xml_is(e, "loop_joint")) {
            tml__urdf_loop(r, e);
        } else if (tml__xml_is(e, "transmission")) {
            tml__urdf_transmission(r, e);
        } else if (tml__xml_is(e, "force_element")) {
            tml__urdf_force(r, e);
        } else {
            char feature[100];
            snprintf(feature, sizeof feature, "element '%.80s'", e->name);
            tml__robot_lint(r, e, feature, "not simulated");
        }
    }
}

void tml__urdf_read(robot* r, const xml* root, const robot_source* source)
{
    urdf u = {.r = r, .root = root, .source = source};
    r->name = tml__xml_attribute(root, "name");
    list_links(&u);
    if (r->status == TML_OK) list_joints(&u);
    if (r->status == TML_OK) place_all(&u);
    if (r->status == TML_OK) read_others(&u);
    if (r->status == TML_OK) tml__closures_beside(r, source);
    if (u.names != NULL) tml__names_destroy(u.names);
}
