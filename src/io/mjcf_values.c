// io/mjcf_values.c - attributes of MJCF through the classes of defaults, and orientations.
//
// A class is a <default> element; classes nest, and an attribute that a class does not set is taken
// from the one around it. All <default> elements at the top are parts of one outermost class.
#include "io/mjcf.h"
#include "model/names.h"

#include <string.h>

// ---- classes

enum {
    MOST_SAYINGS = 256  // of a class: MuJoCo has twenty elements that it may speak of, each once
};

// Children that are <default> in front of the others, or behind them; otherwise in their order. Values are looked up
// often, and models may have many classes.
static void sort_defaults(xml* e, bool are_first)
{
    xml sorted[2] = {{.first = NULL}, {.first = NULL}};
    for (xml *c = e->first, *next = NULL; c != NULL; c = next) {
        next = c->next;
        c->next = NULL;
        tml__xml_append(&sorted[tml__xml_is(c, "default") != are_first], c);
        c->parent = e;
    }
    const xml rest = sorted[1];
    e->first = sorted[0].first != NULL ? sorted[0].first : rest.first;
    if (sorted[0].last != NULL) sorted[0].last->next = rest.first;
    e->last = rest.last != NULL ? rest.last : sorted[0].last;
}

static void check_count(mjcf* m, const xml* e, bool are_defaults)
{
    int count = 0;
    for (const xml* c = e->first; c != NULL && tml__xml_is(c, "default") == are_defaults;
         c = c->next) {
        count++;
    }
    if (count <= MOST_SAYINGS) return;
    tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT,
                      are_defaults ? "the model has %d <default> elements, at most %d"
                                   : "a class of defaults has %d elements, at most %d",
                      count, MOST_SAYINGS);
}

static void list_class(mjcf* m, xml* e)
{
    robot* r = m->r;
    const char* name = tml__xml_attribute(e, "class");
    if (name != NULL) {
        if (m->classes == NULL) m->classes = tml__names_create();
        const xml** list = tml__robot_grow(r, (void*)m->class_nodes, m->class_count,
                                           &m->class_capacity, sizeof *list);
        if (m->classes == NULL || list == NULL) {
            tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
            return;
        }
        m->class_nodes = list;
        if (tml__names_find(m->classes, name) < 0) {
            if (!tml__names_add(m->classes, name, m->class_count)) {
                tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
            }
            list[m->class_count++] = e;
        }
    }
    sort_defaults(e, false);
    check_count(m, e, false);
    for (xml* child = e->first; child != NULL && r->status == TML_OK; child = child->next) {
        if (tml__xml_is(child, "default")) list_class(m, child);
    }
}

void tml__mjcf_list_classes(mjcf* m)
{
    sort_defaults(m->root, true);
    check_count(m, m->root, true);
    for (xml* e = m->root->first; e != NULL && tml__xml_is(e, "default"); e = e->next) {
        list_class(m, e);
    }
}

const xml* tml__mjcf_class(mjcf* m, const xml* at, const char* name)
{
    const int index = m->classes != NULL ? tml__names_find(m->classes, name) : -1;
    if (index >= 0) return m->class_nodes[index];
    if (strcmp(name, "main") != 0) {
        tml__robot_refuse(m->r, at, TML_BAD_ARGUMENT, "there is no default class '%.120s'", name);
    }
    return NULL;
}

mjcf_element tml__mjcf_open(mjcf* m, const xml* e, const xml* scope, const char* tag)
{
    const char* name = tml__xml_attribute(e, "class");
    return (mjcf_element){m, e, name != NULL ? tml__mjcf_class(m, e, name) : scope, tag};
}

// ---- values

// What the children of a class that have this tag say; the last one counts.
static const char* said_by(const xml* defaults, const char* tag, const char* name)
{
    const char* found = NULL;
    for (const xml* c = defaults->first; c != NULL && !tml__xml_is(c, "default"); c = c->next) {
        if (!tml__xml_is(c, tag)) continue;
        const char* value = tml__xml_attribute(c, name);
        if (value != NULL) found = value;
    }
    return found;
}

static const char* inherited(const mjcf_element* e, const char* tag, const char* name)
{
    for (const xml* d = e->defaults; d != NULL && tml__xml_is(d, "default"); d = d->parent) {
        const char* value = said_by(d, tag, name);
        if (value != NULL) return value;
    }
    const char* found = NULL;
    for (const xml* d = e->m->root->first; d != NULL && tml__xml_is(d, "default"); d = d->next) {
        const char* value = said_by(d, tag, name);
        if (value != NULL) found = value;
    }
    return found;
}

const char* tml__mjcf_get(const mjcf_element* e, const char* name)
{
    const char* own = tml__xml_attribute(e->e, name);
    if (own != NULL || e->tag == NULL) return own;
    return inherited(e, e->tag, name);
}

// The text as an attribute of its own, so that the readers of attributes do the rest.
static xml as_element(const mjcf_element* e, const char* name, const char* text, xml_attribute* one)
{
    *one = (xml_attribute){name, text, NULL};
    xml view = *e->e;
    view.attributes = one;
    return view;
}

bool tml__mjcf_numbers(const mjcf_element* e, const char* name, int count, double* out)
{
    const char* text = tml__mjcf_get(e, name);
    return text != NULL && tml__numbers_in(e->m->r, e->e, name, text, count, out);
}

int tml__mjcf_list(const mjcf_element* e, const char* name, int least, int most, double* out)
{
    const char* text = tml__mjcf_get(e, name);
    if (text == NULL) return 0;
    xml_attribute one;
    const xml view = as_element(e, name, text, &one);
    const int count = tml__attribute_list(e->m->r, &view, name, most, out);
    if (count < least) {
        tml__robot_refuse(e->m->r, e->e, TML_BAD_ARGUMENT,
                          "%s of '%s' must be at least %d numbers, not \"%.60s\"", name, e->e->name,
                          least, text);
    }
    return count;
}

bool tml__mjcf_number(const mjcf_element* e, const char* name, double* out)
{
    return tml__mjcf_numbers(e, name, 1, out);
}

bool tml__mjcf_vector(const mjcf_element* e, const char* name, vec3* out)
{
    double x[3];
    if (!tml__mjcf_numbers(e, name, 3, x)) return false;
    *out = v3_load(x);
    return true;
}

bool tml__mjcf_is(const mjcf_element* e, const char* name, const char* value)
{
    const char* text = tml__mjcf_get(e, name);
    return text != NULL && strcmp(text, value) == 0;
}

// ---- orientations

// Turns about the letters of eulerseq: small ones about the axes as turned, large ones about fixed.
static quat from_euler(const mjcf* m, const double angles[3])
{
    quat q = q_identity();
    for (int k = 0; k < 3; k++) {
        const char letter = m->eulerseq[k];
        const bool is_fixed = letter >= 'X' && letter <= 'Z';
        const quat turn = q_about(is_fixed ? letter - 'X' : letter - 'x', m->angle * angles[k]);
        q = is_fixed ? q_mul(turn, q) : q_mul(q, turn);
    }
    return q;
}

quat tml__mjcf_orientation(const mjcf_element* e)
{
    robot* r = e->m->r;
    double x[6];
    if (tml__mjcf_numbers(e, "quat", 4, x)) {
        const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
        if (!(length > 1e-12 && length < 1e12)) {
            tml__robot_refuse(r, e->e, TML_BAD_ARGUMENT, "quat of '%s' has no usable length (%g)",
                              e->e->name, length);
        }
        return q_normalize((quat){x[0], x[1], x[2], x[3]});
    }
    if (tml__mjcf_numbers(e, "axisangle", 4, x)) {
        vec3 axis = v3_load(x);
        tml__robot_unit(r, e->e, "the axis of axisangle", &axis);
        return q_exp(v3_scale(e->m->angle * x[3], axis));
    }
    if (tml__mjcf_numbers(e, "xyaxes", 6, x)) {
        vec3 a = v3_load(x);
        vec3 b = v3_load(x + 3);
        if (!tml__robot_unit(r, e->e, "the x axis of xyaxes", &a)) return q_identity();
        b = v3_axpy(b, -v3_dot(a, b), a);
        if (!tml__robot_unit(r, e->e, "the y axis of xyaxes", &b)) return q_identity();
        return tml__q_from_matrix(m3_columns(a, b, v3_cross(a, b)));
    }
    if (tml__mjcf_numbers(e, "zaxis", 3, x)) {
        vec3 z = v3_load(x);
        return tml__robot_unit(r, e->e, "zaxis", &z) ? tml__quat_from_z(z) : q_identity();
    }
    if (tml__mjcf_numbers(e, "euler", 3, x)) return q_normalize(from_euler(e->m, x));
    return q_identity();
}

pose tml__mjcf_pose(const mjcf_element* e)
{
    pose x = pose_identity();
    tml__mjcf_vector(e, "pos", &x.p);
    x.q = tml__mjcf_orientation(e);
    return x;
}
