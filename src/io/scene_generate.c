// io/scene_generate.c - the `generate` list: reading its entries and adding what they describe.
#define _DEFAULT_SOURCE  // NOLINT: the name is glibc's own; sysconf for the memory there is

#include "io/generate.h"
#include "math/quat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- what every generator adds

static void make_name(const generator* g, int index, char* out, size_t capacity)
{
    snprintf(out, capacity, "%s.%d", g->name, index);
}

tml_body tml__add_generated_body(reader* r, const generator* g, int index, tml_body_def* def)
{
    char name[160];
    make_name(g, index, name, sizeof name);
    def->name = name;  // the spec copies it
    const tml_body body = tml__add_body(r, g->at, def);
    def->name = NULL;
    return body;
}

tml_joint tml__add_generated_joint(reader* r, const generator* g, int index, tml_joint_def* def)
{
    char name[160];
    make_name(g, index, name, sizeof name);
    def->name = name;  // the spec copies it
    const tml_joint joint = tml__add_joint(r, g->at, def);
    def->name = NULL;
    return joint;
}

// A solid cylinder along x: m r^2/2 about its axis, m (3 r^2 + L^2)/12 across.
tml_body tml__add_link(reader* r, const generator* g, int index, double mass, tml_pose pose)
{
    const double rr = g->link.radius * g->link.radius;
    const double LL = g->link.length * g->link.length;
    const double across = mass * (3.0 * rr + LL) / 12.0;

    tml_shape_def shape = tml_shape_def_default();
    shape.kind = TML_SHAPE_CYLINDER;
    shape.size = v3(g->link.radius, 0.0, g->link.length);
    shape.pose.q = q_about(1, TML_PI / 2.0);  // the cylinder's z becomes the link's x

    tml_body_def def = tml_body_def_default();
    def.mass = mass;
    def.inertia[0] = mass * rr / 2.0;
    def.inertia[1] = def.inertia[2] = across;
    def.pose = pose;
    def.shape_count = 1;
    def.shapes = &shape;
    return tml__add_generated_body(r, g, index, &def);
}

// ---- reading

static void read_link(const element* e, generator* g)
{
    static const char* const keys[] = {"length", "radius", "mass", NULL};
    const json* value = tml__need(e, "link");
    if (value == NULL) return;

    char kind[180];
    snprintf(kind, sizeof kind, "link of %.150s", e->label);
    const element link = tml__open(e->r, value, kind, -1, keys);
    for (int i = 0; keys[i] != NULL; i++) tml__need(&link, keys[i]);
    tml__read_number(&link, "length", POSITIVE, &g->link.length);
    tml__read_number(&link, "radius", POSITIVE, &g->link.radius);
    tml__read_number(&link, "mass", POSITIVE, &g->link.mass);
}

static void need_integer(const element* e, const char* key, int most, int* out)
{
    if (tml__need(e, key) != NULL) tml__read_integer(e, key, 1, most, out);
}

static void read_chain(const element* e, generator* g)
{
    static const char* const keys[] = {"type", "name",     "links",  "joint",    "link", "start",
                                       "pose", "anchored", "closed", "end_mass", NULL};
    static const char* const joints[] = {"spherical", "revolute", NULL};
    static const char* const poses[] = {"horizontal", "hanging", "zigzag", "coil", NULL};

    tml__check_keys(e, keys);
    need_integer(e, "links", MAX_GENERATED, &g->links);
    read_link(e, g);
    g->joint = tml__read_word(e, "joint", joints) == 1 ? TML_JOINT_REVOLUTE : TML_JOINT_SPHERICAL;
    tml__read_vector(e, "start", &g->start);
    const int pose = tml__read_word(e, "pose", poses);
    if (pose >= 0) g->pose = (chain_pose)pose;
    g->is_anchored = 1;
    tml__read_bool(e, "anchored", &g->is_anchored);
    tml__read_bool(e, "closed", &g->is_closed);
    tml__read_number(e, "end_mass", POSITIVE, &g->end_mass);
}

static void read_net(const element* e, generator* g)
{
    static const char* const keys[] = {"type",  "name", "rows",   "columns",
                                       "pitch", "link", "pinned", NULL};
    static const char* const pins[] = {"edge", "corners", "none", NULL};

    tml__check_keys(e, keys);
    need_integer(e, "rows", MAX_GENERATED, &g->rows);
    need_integer(e, "columns", MAX_GENERATED, &g->columns);
    read_link(e, g);
    if (tml__need(e, "pitch") != NULL) tml__read_number(e, "pitch", POSITIVE, &g->pitch);
    const int pinned = tml__read_word(e, "pinned", pins);
    if (pinned >= 0) g->pins = (net_pins)pinned;

    // every node has at most two rods of its own
    if (3.0 * g->rows * g->columns > MAX_GENERATED) {
        tml__refuse(e->r, e->object, TML_BAD_ARGUMENT, "%s is too large: %d rows of %d columns",
                    e->label, g->rows, g->columns);
    }
    if (e->r->status == TML_OK && !(g->pitch > g->link.length)) {
        tml__refuse(e->r, tml__find(e, "pitch"), TML_BAD_ARGUMENT,
                    "pitch of %s must exceed the length of its links, %g, to leave room for the "
                    "nodes, but is %g",
                    e->label, g->link.length, g->pitch);
    }
}

static void read_tree(const element* e, generator* g)
{
    static const char* const keys[] = {"type", "name", "links", "seed", "link", NULL};

    tml__check_keys(e, keys);
    need_integer(e, "links", MAX_GENERATED, &g->links);
    read_link(e, g);
    int seed = 0;
    tml__read_integer(e, "seed", 0, 2147483647, &seed);
    g->seed = seed;
}

static void read_pulley(const element* e, generator* g)
{
    static const char* const keys[] = {"type",    "name",       "links",  "link",       "start",
                                       "sheaves", "radius",     "height", "end_mass",   "friction",
                                       "drive",   "start_mass", "sink",   "start_sink", NULL};
    static const char* const needed[] = {"radius", "height", "end_mass", NULL};
    tml__check_keys(e, keys);
    need_integer(e, "links", MAX_GENERATED, &g->links);
    need_integer(e, "sheaves", 10001, &g->sheaves);
    read_link(e, g);
    tml__read_vector(e, "start", &g->start);
    for (int i = 0; needed[i] != NULL; i++) tml__need(e, needed[i]);
    tml__read_number(e, "radius", POSITIVE, &g->sheave_radius);
    tml__read_number(e, "height", POSITIVE, &g->height);
    tml__read_number(e, "end_mass", POSITIVE, &g->end_mass);
    tml__read_number(e, "friction", NOT_NEGATIVE, &g->friction);
    tml__read_number(e, "start_mass", POSITIVE, &g->start_mass);
    tml__read_number(e, "sink", NOT_NEGATIVE, &g->sink);
    g->start_sink = g->sink;
    tml__read_number(e, "start_sink", NOT_NEGATIVE, &g->start_sink);
    char what[220];
    snprintf(what, sizeof what, "drive of %s", e->label);
    const json* drive = tml__find(e, "drive");
    if (drive != NULL) g->drive = tml__control(e->r, drive, what);
    if (drive != NULL && g->start_mass > 0.0 && e->r->status == TML_OK) {
        tml__refuse(e->r, e->object, TML_BAD_ARGUMENT,
                    "%s has a drive and a start_mass: a start that is drawn is not free", e->label);
    }
    if (g->sheaves % 2 == 0 && e->r->status == TML_OK) {
        tml__refuse(e->r, e->object, TML_BAD_ARGUMENT,
                    "%s needs an odd number of sheaves, not %d: the anchor hangs from an upper one",
                    e->label, g->sheaves);
    }
}

static void read_type(const element* e, generator* g)
{
    static const char* const types[] = {"chain", "net", "tree", "pulley", NULL};
    const json* type = tml__need(e, "type");
    if (type == NULL) return;

    switch (tml__read_word(e, "type", types)) {
    case 0:
        g->type = GENERATE_CHAIN;
        read_chain(e, g);
        break;
    case 1:
        g->type = GENERATE_NET;
        read_net(e, g);
        break;
    case 2:
        g->type = GENERATE_TREE;
        read_tree(e, g);
        break;
    case 3:
        g->type = GENERATE_PULLEY;
        read_pulley(e, g);
        break;
    default: break;
    }
}

static generator* read_generator(reader* r, const json* value, int index)
{
    static const char* const names[] = {"chain", "net", "tree", "pulley"};
    generator* g = tml__take(r, 1, sizeof *g);
    if (g == NULL) return NULL;

    const element e = tml__open(r, value, "generator", index, NULL);
    g->at = value;
    read_type(&e, g);
    const char* name = tml__read_name(&e);
    g->name = name != NULL ? name : names[g->type];
    if (strlen(g->name) > 140) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "the name of %s is longer than 140 bytes", e.label);
    }
    return g;
}

static void generate_bodies(reader* r, generator* g)
{
    g->first_body = r->spec->all.body_count;
    switch (g->type) {
    case GENERATE_CHAIN: tml__chain_bodies(r, g); break;
    case GENERATE_NET: tml__net_bodies(r, g); break;
    case GENERATE_TREE: tml__tree_bodies(r, g); break;
    case GENERATE_PULLEY: tml__pulley_bodies(r, g); break;
    }
}

// ---- how many

static double body_count(const generator* g)
{
    const double rows = g->rows;
    const double columns = g->columns;
    switch (g->type) {
    case GENERATE_CHAIN: return g->links + (g->end_mass > 0.0);
    case GENERATE_NET: return rows * columns + rows * (columns - 1.0) + (rows - 1.0) * columns;
    case GENERATE_TREE: return g->links;
    case GENERATE_PULLEY: return (double)g->links + g->sheaves + 2.0;
    }
    return 0.0;
}

// Bytes that this process may take at most; as many as there are where nobody knows.
static double memory_there(void)
{
    struct rlimit limit;
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    double bytes = pages > 0 && page > 0 ? (double)pages * (double)page : HUGE_VAL;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        bytes = fmin(bytes, (double)limit.rlim_cur);
    }
    return bytes;
}

// All of them together, before any is made.
static void check_total(reader* r, const json* list, const generator* first)
{
    double count = 0.0;
    for (const generator* g = first; g != NULL; g = g->next) count += body_count(g);
    const double bytes = count * BODY_BYTES;
    if (r->status != TML_OK) return;
    if (count > MAX_GENERATED) {
        tml__refuse(r, list, TML_BAD_ARGUMENT,
                    "'generate' asks for %.0f bodies, about %.3g GB; at most %d are made", count,
                    1e-9 * bytes, MAX_GENERATED);
    } else if (bytes > memory_there()) {
        tml__refuse(r, list, TML_NO_MEMORY,
                    "'generate' asks for %.0f bodies, about %.3g GB, and there are %.3g GB", count,
                    1e-9 * bytes, 1e-9 * memory_there());
    }
}

generator* tml__read_generators(reader* r, const json* list)
{
    if (r->status != TML_OK || !tml__is_list(r, list, "'generate'")) return NULL;

    generator* first = NULL;
    generator** last = &first;
    int index = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        generator* g = read_generator(r, item, index++);
        if (g == NULL || r->status != TML_OK) break;
        *last = g;
        last = &g->next;
    }
    check_total(r, list, first);
    for (generator* g = first; g != NULL && r->status == TML_OK; g = g->next) generate_bodies(r, g);
    return first;
}

void tml__generate_joints(reader* r, generator* first)
{
    for (const generator* g = first; g != NULL && r->status == TML_OK; g = g->next) {
        switch (g->type) {
        case GENERATE_CHAIN: tml__chain_joints(r, g); break;
        case GENERATE_NET: tml__net_joints(r, g); break;
        case GENERATE_TREE: tml__tree_joints(r, g); break;
        case GENERATE_PULLEY: tml__pulley_joints(r, g); break;
        }
    }
}
