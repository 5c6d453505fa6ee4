// io/mjcf_expand.c - includes, attached models and replicas, worked out on the tree of elements.
//
// An include is replaced by the children of the file it names. An attached model brings one of its
// bodies, its defaults, and whatever in its other sections speaks of that body; every name gets the
// prefix. A replica is a copy of what stands inside, moved and renamed; what speaks of a copied name
// elsewhere is copied with it.
#include "base/memory.h"
#include "io/file.h"
#include "io/mjcf.h"
#include "io/number.h"
#include "io/path.h"
#include "io/xml_comments.h"
#include "model/names.h"

#include <trammel/scene.h>

#include <stdio.h>
#include <string.h>

enum {
    MAX_DEPTH = 16,        // of includes in includes
    MAX_REPLICAS = 65536,  // of one <replicate>
};

typedef struct expansion {
    mjcf* m;
    int depth;
    const char* chain[MAX_DEPTH];  // files being included
    int elements;                  // made so far
} expansion;

static void* take(expansion* x, size_t count, size_t size)
{
    return tml__robot_take(x->m->r, count, size);
}

// ---- files

static xml* read_document(expansion* x, const xml* at, const char* name)
{
    robot* r = x->m->r;
    char path[PATH_CHARS];
    message why;
    if (x->m->source->path == NULL) {
        tml__robot_refuse(r, at, TML_BAD_FILE, "a model without a file cannot name '%.120s'", name);
        return NULL;
    }
    const char* folder = x->m->source->folder;
    const char* outside = x->m->source->options->allow_outside;
    if (tml__path_allowed(folder, folder, name, outside, path, &why) != TML_OK) {
        tml__robot_refuse(r, at, TML_BAD_FILE, "%.400s", why.text);
        return NULL;
    }
    for (int i = 0; i < x->depth; i++) {
        if (strcmp(x->chain[i], path) != 0) continue;
        tml__robot_refuse(r, at, TML_BAD_FILE, "'%.120s' includes itself", name);
        return NULL;
    }
    if (x->depth == MAX_DEPTH) {
        tml__robot_refuse(r, at, TML_BAD_FILE, "files are included more than %d deep", MAX_DEPTH);
        return NULL;
    }
    char* text = NULL;
    size_t length = 0;
    xml* root = NULL;
    tml_status status = tml__file_read_to_zero(path, XML_MAX_BYTES, &text, &length, &why);
    if (status == TML_OK) {
        tml__xml_blank_comments(text, length);
        status = tml__xml_read(text, length, path, &r->memory, &root, &why);
        tml__release(NULL, text);
    }
    if (status != TML_OK && r->status == TML_OK) {
        r->status = tml__fail(&r->why, status, "%s", why.text);
    }
    char* kept = take(x, strlen(path) + 1, 1);
    if (kept == NULL || root == NULL) return NULL;
    memcpy(kept, path, strlen(path) + 1);
    x->chain[x->depth] = kept;
    return root;
}

static void count_elements(expansion* x, const xml* e)
{
    for (const xml* c = e->first; c != NULL; c = c->next) {
        x->elements++;
        count_elements(x, c);
    }
    if (x->elements > XML_MAX_ELEMENTS) {
        tml__robot_refuse(x->m->r, e, TML_BAD_FILE,
                          "the expanded model has more than a million elements");
    }
}

static void include_all(expansion* x, xml* e);

// Put the children of the included file where the element stood.
static void include_one(expansion* x, xml* parent, xml* before, xml* e)
{
    xml* root = read_document(x, e, tml__attribute_need(x->m->r, e, "file"));
    if (root == NULL) return;
    count_elements(x, root);
    x->depth++;
    include_all(x, root);
    x->depth--;
    for (xml* c = root->first; c != NULL; c = c->next) c->parent = parent;
    xml* after = e->next;
    xml* first = root->first != NULL ? root->first : after;
    if (before != NULL)
        before->next = first;
    else
        parent->first = first;
    if (root->last != NULL) root->last->next = after;
    if (after == NULL) parent->last = root->last != NULL ? root->last : before;
}

static void include_all(expansion* x, xml* e)
{
    xml* before = NULL;
    xml* c = e->first;
    while (c != NULL && x->m->r->status == TML_OK) {
        xml* after = c->next;
        if (tml__xml_is(c, "include")) {
            include_one(x, e, before, c);
            before = after != NULL ? NULL : e->last;
            // the last of what was put in is the one before what follows
            for (xml* p = e->first; p != NULL && after != NULL && p != after; p = p->next)
                before = p;
        } else {
            include_all(x, c);
            before = c;
        }
        c = after;
    }
}

// ---- names

// Attributes that name something, in any element, and those that define a name or a class.
static bool is_reference(const char* name)
{
    static const char* const words[] = {
        "joint",    "joint1",    "joint2",     "body1",         "body2",   "body",
        "site",     "site1",     "site2",      "tendon",        "tendon1", "tendon2",
        "geom1",    "geom2",     "geom",       "sidesite",      "target",  "objname",
        "actuator", "cranksite", "slidersite", "jointinparent", "refsite"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(name, words[i]) == 0) return true;
    }
    return false;
}

static bool is_class(const char* name)
{
    return strcmp(name, "class") == 0 || strcmp(name, "childclass") == 0;
}

typedef struct renaming {
    const char* prefix;
    const char* suffix;
    bool renames_classes;
    const name_table* only;  // references to these alone; NULL: all
} renaming;

static const char* renamed(expansion* x, const renaming* how, const char* name)
{
    const size_t length = strlen(how->prefix) + strlen(name) + strlen(how->suffix) + 1;
    char* text = take(x, length, 1);
    if (text == NULL) return name;
    snprintf(text, length, "%s%s%s", how->prefix, name, how->suffix);
    return text;
}

// Attributes may be shared with the element this one was copied from, so they are made anew.
static void rename_one(expansion* x, xml* e, const renaming* how)
{
    xml_attribute** end = &e->attributes;
    for (const xml_attribute* a = e->attributes; a != NULL; a = a->next) {
        xml_attribute* one = take(x, 1, sizeof *one);
        if (one == NULL) return;
        *one = (xml_attribute){a->name, a->value, NULL};
        const bool is_name = strcmp(a->name, "name") == 0 ||
                             (is_reference(a->name) &&
                              (how->only == NULL || tml__names_find(how->only, a->value) >= 0));
        if (is_name || (how->renames_classes && is_class(a->name))) {
            one->value = renamed(x, how, a->value);
        }
        *end = one;
        end = &one->next;
    }
}

static void rename_all(expansion* x, xml* e, const renaming* how)
{
    rename_one(x, e, how);
    for (xml* c = e->first; c != NULL && x->m->r->status == TML_OK; c = c->next) {
        rename_all(x, c, how);
    }
}

static void collect_names(expansion* x, const xml* e, name_table* names)
{
    for (const xml* c = e->first; c != NULL && x->m->r->status == TML_OK; c = c->next) {
        const char* name = tml__xml_attribute(c, "name");
        if (name != NULL && tml__names_find(names, name) < 0 && !tml__names_add(names, name, 0)) {
            tml__robot_refuse(x->m->r, NULL, TML_NO_MEMORY, "out of memory");
        }
        collect_names(x, c, names);
    }
}

static bool speaks_of(const xml* e, const name_table* names)
{
    for (const xml_attribute* a = e->attributes; a != NULL; a = a->next) {
        if (is_reference(a->name) && tml__names_find(names, a->value) >= 0) return true;
    }
    for (const xml* c = e->first; c != NULL; c = c->next) {
        if (speaks_of(c, names)) return true;
    }
    return false;
}

static bool is_section(const xml* e)
{
    static const char* const words[] = {"tendon", "actuator", "equality", "contact", "sensor"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (tml__xml_is(e, words[i])) return true;
    }
    return false;
}

// ---- replicas

// The same in every locale.
static void write_numbers(char* out, const double* list, int count)
{
    for (int i = 0; i < count; i++) {
        out += tml__number_write17(out, list[i]);
        *out++ = i + 1 < count ? ' ' : '\0';
    }
}

static void set_pose(expansion* x, xml* frame, pose at)
{
    enum {
        CHARS = 5 * NUMBER_CHARS
    };
    xml_attribute* list = take(x, 2, sizeof *list);
    char* pos = take(x, CHARS, 1);
    char* turn = take(x, CHARS, 1);
    if (list == NULL || pos == NULL || turn == NULL) return;
    write_numbers(pos, (const double[]){at.p.x, at.p.y, at.p.z}, 3);
    write_numbers(turn, (const double[]){at.q.w, at.q.x, at.q.y, at.q.z}, 4);
    list[0] = (xml_attribute){"pos", pos, &list[1]};
    list[1] = (xml_attribute){"quat", turn, NULL};
    frame->attributes = list;
}

static void read_replicate(expansion* x, const xml* e, int* count, pose* step)
{
    robot* r = x->m->r;
    double n = 0.0;
    double euler[3];
    tml__attribute_need(r, e, "count");
    tml__attribute_number(r, e, "count", &n);
    if (!(n >= 0.0 && n <= MAX_REPLICAS)) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "count of 'replicate' must be 0 to %d, not %g",
                          MAX_REPLICAS, n);
        return;
    }
    *count = (int)n;
    *step = pose_identity();
    tml__attribute_vector(r, e, "offset", &step->p);
    if (tml__attribute_numbers(r, e, "euler", 3, euler)) {
        const mjcf_element view = {x->m, e, NULL, NULL};
        step->q = tml__mjcf_orientation(&view);
    }
}

// Copy what speaks of the copied names, once for each suffix.
static void replicate_references(expansion* x, const name_table* names, int count,
                                 const char* const* suffixes)
{
    for (xml* section = x->m->root->first; section != NULL; section = section->next) {
        if (!is_section(section)) continue;
        xml* e = section->first;
        section->first = section->last = NULL;
        while (e != NULL && x->m->r->status == TML_OK) {
            xml* after = e->next;
            const int copies = speaks_of(e, names) ? count : 0;
            for (int i = 0; i < copies; i++) {
                xml* copy = tml__xml_copy(&x->m->r->memory, e);
                if (copy == NULL) {
                    tml__robot_refuse(x->m->r, NULL, TML_NO_MEMORY, "out of memory");
                    break;
                }
                rename_all(x, copy, &(renaming){"", suffixes[i], false, names});
                tml__xml_append(section, copy);
                x->elements++;
            }
            if (copies == 0) tml__xml_append(section, e);
            e = after;
        }
    }
}

static const char* make_suffix(expansion* x, const xml* e, int count, int i)
{
    const char* between = tml__xml_attribute(e, "sep");
    int digits = 1;
    for (int n = count - 1; n >= 10; n /= 10) digits++;
    char text[200];
    snprintf(text, sizeof text, "%.100s%0*d", between != NULL ? between : "",
             digits < 10 ? digits : 10, i);
    char* kept = take(x, strlen(text) + 1, 1);
    if (kept != NULL) memcpy(kept, text, strlen(text) + 1);
    return kept;
}

// The element becomes a frame of frames, one for each replica.
static void replicate(expansion* x, xml* e)
{
    robot* r = x->m->r;
    int count = 0;
    pose step = pose_identity();
    read_replicate(x, e, &count, &step);
    const char** suffixes = take(x, (size_t)count + 1, sizeof *suffixes);
    name_table* names = tml__names_create();
    if (names == NULL) tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
    if (r->status == TML_OK) collect_names(x, e, names);

    const xml original = *e;
    pose at = pose_identity();
    e->name = "frame";
    e->attributes = NULL;
    e->first = e->last = NULL;
    for (int i = 0; i < count && r->status == TML_OK; i++) {
        xml* frame = tml__xml_copy(&r->memory, &original);
        suffixes[i] = make_suffix(x, &original, count, i);
        if (frame == NULL || suffixes[i] == NULL) {
            tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
            break;
        }
        frame->name = "frame";
        for (xml* c = frame->first; c != NULL; c = c->next) {
            rename_all(x, c, &(renaming){"", suffixes[i], false, names});
        }
        set_pose(x, frame, at);
        tml__xml_append(e, frame);
        count_elements(x, frame);
        at = pose_mul(at, step);
    }
    if (r->status == TML_OK) replicate_references(x, names, count, suffixes);
    if (names != NULL) tml__names_destroy(names);
}

// ---- attached models

static const xml* find_model(const expansion* x, const char* name)
{
    for (const xml* a = x->m->root->first; a != NULL; a = a->next) {
        if (!tml__xml_is(a, "asset")) continue;
        for (const xml* e = a->first; e != NULL; e = e->next) {
            const char* its = tml__xml_attribute(e, "name");
            if (tml__xml_is(e, "model") && its != NULL && strcmp(its, name) == 0) return e;
        }
    }
    return NULL;
}

static xml* find_body(xml* e, const char* name)
{
    for (xml* c = e->first; c != NULL; c = c->next) {
        const char* its = tml__xml_attribute(c, "name");
        if (tml__xml_is(c, "body") && its != NULL && strcmp(its, name) == 0) return c;
        xml* inner = find_body(c, name);
        if (inner != NULL) return inner;
    }
    return NULL;
}

static void set_attribute(expansion* x, xml* e, const char* name, const char* value)
{
    if (tml__xml_attribute(e, name) != NULL) return;
    xml_attribute* one = take(x, 1, sizeof *one);
    if (one == NULL) return;
    *one = (xml_attribute){name, value, e->attributes};
    e->attributes = one;
}

// Its defaults, the outermost as a class of its own that everything without a class takes.
static const char* attach_defaults(expansion* x, xml* model, const char* prefix)
{
    const renaming how = {prefix, "", false, NULL};
    const char* outer = renamed(x, &how, "main");
    xml* node = take(x, 1, sizeof *node);
    if (node == NULL) return outer;
    *node = (xml){.name = "default", .text = "", .file = model->file, .line = model->line};
    set_attribute(x, node, "class", outer);
    for (xml* d = model->first; d != NULL; d = d->next) {
        if (!tml__xml_is(d, "default")) continue;
        for (xml* c = d->first; c != NULL;) {
            xml* after = c->next;
            tml__xml_append(node, c);
            c = after;
        }
        d->first = d->last = NULL;
    }
    // a class inside a class: the chain must not count as one of the top
    xml* top = take(x, 1, sizeof *top);
    if (top == NULL) return outer;
    *top = (xml){.name = "default", .text = "", .file = model->file, .line = model->line};
    tml__xml_append(top, node);
    tml__xml_append(x->m->root, top);
    return outer;
}

static void attach_sections(expansion* x, xml* model, const name_table* names, const char* outer)
{
    for (xml* section = model->first; section != NULL; section = section->next) {
        if (!is_section(section)) continue;
        xml* to = take(x, 1, sizeof *to);
        if (to == NULL) return;
        *to =
            (xml){.name = section->name, .text = "", .file = section->file, .line = section->line};
        for (xml* e = section->first; e != NULL;) {
            xml* after = e->next;
            if (speaks_of(e, names)) {
                set_attribute(x, e, "class", outer);
                tml__xml_append(to, e);
            }
            e = after;
        }
        tml__xml_append(x->m->root, to);
    }
}

static void check_compiler(expansion* x, const xml* at, const xml* model)
{
    static const char* const words[] = {"angle", "eulerseq", "autolimits", "inertiafromgeom"};
    for (const xml* c = tml__xml_child(model, "compiler"); c != NULL;
         c = tml__xml_next(c, "compiler")) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const char* value = tml__xml_attribute(c, words[i]);
            const xml* own = tml__xml_child(x->m->root, "compiler");
            const char* mine = own != NULL ? tml__xml_attribute(own, words[i]) : NULL;
            if (value != NULL && (mine == NULL || strcmp(mine, value) != 0)) {
                tml__robot_refuse(x->m->r, at, TML_UNSUPPORTED,
                                  "an attached model with another '%s' of its compiler is not read",
                                  words[i]);
            }
        }
    }
}

// The element becomes a frame with the attached body in it.
static void attach(expansion* x, xml* e)
{
    robot* r = x->m->r;
    const char* prefix = tml__attribute_need(r, e, "prefix");
    const xml* asset = find_model(x, tml__attribute_need(r, e, "model"));
    const char* body_name = tml__attribute_need(r, e, "body");
    if (asset == NULL) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "there is no model '%.120s' among the assets",
                          tml__attribute_need(r, e, "model"));
        return;
    }
    xml* model = read_document(x, asset, tml__attribute_need(r, asset, "file"));
    if (model == NULL) return;
    count_elements(x, model);
    x->depth++;
    include_all(x, model);
    x->depth--;
    check_compiler(x, e, model);
    xml* body = find_body(model, body_name);
    if (body == NULL) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "the attached model has no body '%.120s'",
                          body_name);
        return;
    }
    rename_all(x, model, &(renaming){prefix, "", true, NULL});
    name_table* names = tml__names_create();
    const char* outer = attach_defaults(x, model, prefix);
    if (names == NULL) tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
    if (r->status == TML_OK) {
        collect_names(x, body, names);
        attach_sections(x, model, names, outer);
        set_attribute(x, body, "childclass", outer);
        e->name = "frame";
        e->attributes = NULL;
        tml__xml_append(e, body);
    }
    if (names != NULL) tml__names_destroy(names);
}

static void expand_bodies(expansion* x, xml* e)
{
    for (xml* c = e->first; c != NULL && x->m->r->status == TML_OK; c = c->next) {
        // attached before it is copied, so that every replica has one
        expand_bodies(x, c);
        if (tml__xml_is(c, "attach")) attach(x, c);
    }
    for (xml* c = e->first; c != NULL && x->m->r->status == TML_OK; c = c->next) {
        if (tml__xml_is(c, "replicate")) replicate(x, c);
    }
}

void tml__mjcf_include(mjcf* m)
{
    expansion x = {.m = m};
    count_elements(&x, m->root);
    include_all(&x, m->root);
}

void tml__mjcf_expand(mjcf* m)
{
    expansion x = {.m = m};
    count_elements(&x, m->root);
    for (xml* e = m->root->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "worldbody")) expand_bodies(&x, e);
    }
}
