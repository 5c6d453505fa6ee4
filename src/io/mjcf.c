// io/mjcf.c - MJCF: the sections of a model, in the order that they need each other.
#include "io/mjcf.h"

#include "model/names.h"

#include <stdio.h>
#include <string.h>

// ---- settings

static bool is_true(const xml* e, const char* name, bool otherwise)
{
    const char* value = tml__xml_attribute(e, name);
    return value == NULL ? otherwise : strcmp(value, "true") == 0;
}

static void read_compiler(mjcf* m, const xml* e)
{
    robot* r = m->r;
    const char* angle = tml__xml_attribute(e, "angle");
    const char* order = tml__xml_attribute(e, "eulerseq");
    const char* from_geom = tml__xml_attribute(e, "inertiafromgeom");
    const char* coordinate = tml__xml_attribute(e, "coordinate");
    if (angle != NULL) m->angle = strcmp(angle, "radian") == 0 ? 1.0 : TML_PI / 180.0;
    if (order != NULL) {
        if (strlen(order) != 3 || strspn(order, "xyzXYZ") != 3) {
            tml__robot_refuse(r, e, TML_BAD_ARGUMENT,
                              "eulerseq must be three of xyzXYZ, not '%.20s'", order);
            return;
        }
        memcpy(m->eulerseq, order, 4);
    }
    if (from_geom != NULL) {
        m->inertia_from_geom = strcmp(from_geom, "auto") == 0   ? 2
                               : strcmp(from_geom, "true") == 0 ? 1
                                                                : 0;
    }
    if (coordinate != NULL && strcmp(coordinate, "local") != 0) {
        tml__robot_refuse(r, e, TML_UNSUPPORTED, "coordinates other than local are not read");
    }
    m->is_auto_limited = is_true(e, "autolimits", m->is_auto_limited);
    m->balances_inertia = is_true(e, "balanceinertia", m->balances_inertia);
    tml__attribute_number(r, e, "settotalmass", &m->total_mass);
    tml__attribute_number(r, e, "boundmass", &m->least_mass);
    tml__attribute_number(r, e, "boundinertia", &m->least_inertia);
}

static void read_option(mjcf* m, const xml* e)
{
    robot* r = m->r;
    static const char* const fluid[] = {"density", "viscosity", "wind"};
    tml__attribute_vector(r, e, "gravity", &r->gravity);
    tml__attribute_vector(r, e, "magnetic", &m->magnetic);
    tml__attribute_number(r, e, "timestep", &r->step);
    if (!(r->step >= 0.0)) r->step = 0.0;
    for (size_t i = 0; i < sizeof fluid / sizeof *fluid; i++) {
        double x[3] = {0.0};
        if (tml__attribute_list(r, e, fluid[i], 3, x) > 0 && (x[0] != 0.0 || x[1] != 0.0)) {
            tml__robot_lint(r, e, "forces of a fluid", "not simulated");
        }
    }
    for (const xml* f = tml__xml_child(e, "flag"); f != NULL; f = tml__xml_next(f, "flag")) {
        const char* gravity = tml__xml_attribute(f, "gravity");
        const char* parent = tml__xml_attribute(f, "filterparent");
        const char* contact = tml__xml_attribute(f, "contact");
        if (gravity != NULL && strcmp(gravity, "disable") == 0) r->gravity = v3_zero();
        if (parent != NULL && strcmp(parent, "disable") == 0) r->joined = JOINED_TOUCH;
        if (contact != NULL) r->is_without_contact = strcmp(contact, "disable") == 0;
        if (tml__xml_attribute(f, "constraint") != NULL) {
            tml__robot_lint(r, f, "flags that switch constraints off", "constraints stay on");
        }
    }
}

// ---- masses as the compiler wants them

static void adjust_masses(mjcf* m)
{
    robot* r = m->r;
    double sum = 0.0;
    for (int i = 0; i < r->link_count; i++) {
        robot_link* l = &r->links[i];
        if (l->mass < m->least_mass) l->mass = m->least_mass;
        for (int k = 0; k < 3 && m->least_inertia > 0.0; k++) {
            if (l->inertia.m[k][k] < m->least_inertia) l->inertia.m[k][k] = m->least_inertia;
        }
        if (m->balances_inertia) {
            tml__robot_lint(r, l->at, "balanceinertia of the compiler", "not applied");
        }
        sum += l->mass;
    }
    if (!(m->total_mass > 0.0) || !(sum > 0.0)) return;
    const double scale = m->total_mass / sum;
    for (int i = 0; i < r->link_count; i++) {
        r->links[i].mass *= scale;
        r->links[i].inertia = m3_scale(scale, r->links[i].inertia);
    }
}

// ---- sections

static void read_exclusion(mjcf* m, const xml* e)
{
    int of[2];
    static const char* const keys[2] = {"body1", "body2"};
    for (int k = 0; k < 2; k++) {
        const char* name = tml__attribute_need(m->r, e, keys[k]);
        of[k] = tml__robot_find_link(m->r, name);
        if (of[k] == -2) {
            tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "there is no body '%.120s'", name);
            return;
        }
    }
    tml__robot_add_exclusion(m->r, &(exclusion){.a = of[0], .b = of[1], .at = e});
}

// The shape of that name; NULL: its mesh was left out.
static tml_shape_def* find_shape(mjcf* m, int link, const char* name)
{
    const int count = link < 0 ? m->r->world_shape_count : m->r->links[link].shape_count;
    tml_shape_def* list = link < 0 ? m->r->world_shapes : m->r->links[link].shapes;
    for (int i = 0; i < count; i++) {
        if (list[i].name != NULL && strcmp(list[i].name, name) == 0) return &list[i];
    }
    return NULL;
}

// Of a pair that does not say: its own condim counts, not those of the geoms.
static double friction_of(const tml_shape_def* a, const tml_shape_def* b)
{
    if (a->priority != b->priority) return a->priority > b->priority ? a->friction : b->friction;
    return fmax(a->friction, b->friction);
}

// Two geoms that touch in their own way, whatever else keeps them apart.
static void read_pair(mjcf* m, const xml* e)
{
    static const char* const keys[2] = {"geom1", "geom2"};
    const mjcf_element p = tml__mjcf_open(m, e, NULL, "pair");
    exclusion one = {.at = e, .touches = true, .friction = -1.0};
    double friction[5] = {-1.0, 0.0, 0.0, 0.0, 0.0};
    double dimensions = 3.0;
    for (int k = 0; k < 2; k++) {
        const char* name = tml__attribute_need(m->r, e, keys[k]);
        const int found = m->geom_names != NULL ? tml__names_find(m->geom_names, name) : -1;
        if (found < 0) {
            tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "there is no geom '%.120s'", name);
            return;
        }
        *(k == 0 ? &one.a : &one.b) = found - 1;
        *(k == 0 ? &one.shape_a : &one.shape_b) = name;
    }
    tml__mjcf_list(&p, "friction", 0, 5, friction);
    tml__mjcf_number(&p, "condim", &dimensions);
    if (dimensions > 3.0) {
        tml__robot_lint(m->r, e, "torsional or rolling friction (condim 4 or 6)",
                        "not simulated: sliding friction is");
    }
    tml_shape_def* a = find_shape(m, one.a, one.shape_a);
    tml_shape_def* b = find_shape(m, one.b, one.shape_b);
    if (a == NULL || b == NULL) {
        tml__robot_lint(m->r, e, "contact pair with a geom that was left out", "left out");
        return;
    }
    a->collide = b->collide = 1;
    if (friction[0] < 0.0) friction[0] = friction_of(a, b);
    one.friction = dimensions < 2.0 ? 0.0 : friction[0];
    tml__robot_add_exclusion(m->r, &one);
}

static void read_contact(mjcf* m, const xml* section)
{
    for (const xml* e = section->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "exclude")) {
            read_exclusion(m, e);
        } else {
            read_pair(m, e);
        }
    }
}

static void read_settings(mjcf* m)
{
    for (const xml* e = m->root->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "compiler")) read_compiler(m, e);
        if (tml__xml_is(e, "option")) read_option(m, e);
    }
}

typedef void (*section_reader)(mjcf* m, const xml* section);

static void read_sections(mjcf* m, const char* name, section_reader read)
{
    for (const xml* e = m->root->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, name)) read(m, e);
    }
}

static void read_actuators(mjcf* m)
{
    int index = 0;
    for (const xml* e = m->root->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "actuator")) tml__mjcf_actuators(m, e, &index);
    }
}

static void note_others(mjcf* m)
{
    static const char* const known[] = {"compiler", "option",   "size",      "visual",  "statistic",
                                        "default",  "asset",    "worldbody", "contact", "equality",
                                        "tendon",   "actuator", "keyframe",  "custom",  "sensor"};
    for (const xml* e = m->root->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (tml__xml_is(e, known[i])) is_known = true;
        }
        if (is_known || e->first == NULL) continue;
        char feature[100];
        snprintf(feature, sizeof feature, "section '%.60s'", e->name);
        tml__robot_lint(m->r, e, feature, "not simulated");
    }
}

void tml__mjcf_read(robot* r, xml* root, const robot_source* source)
{
    mjcf m = {.r = r,
              .root = root,
              .source = source,
              .angle = TML_PI / 180.0,
              .eulerseq = "xyz",
              .magnetic = {0.0, -0.5, 0.0},
              .is_auto_limited = true,
              .inertia_from_geom = 2};
    r->name = tml__xml_attribute(root, "model");
    r->step = 0.002;
    r->joined = JOINED_TOUCH_WORLD;
    r->takes_larger_friction = true;
    tml__mjcf_include(&m);
    read_settings(&m);
    if (r->status == TML_OK) tml__mjcf_expand(&m);
    if (r->status == TML_OK) tml__mjcf_list_classes(&m);
    read_sections(&m, "worldbody", tml__mjcf_bodies);
    if (r->status == TML_OK) adjust_masses(&m);
    // the reference pose, which relations between bodies are read off
    if (r->status == TML_OK) tml__robot_place(r, NULL);
    read_sections(&m, "tendon", tml__mjcf_tendons);
    read_sections(&m, "equality", tml__mjcf_equality);
    if (r->status == TML_OK) tml__mjcf_merge_connects(r);
    read_sections(&m, "contact", read_contact);
    if (r->status == TML_OK) tml__mjcf_keyframe(&m);
    read_actuators(&m);
    read_sections(&m, "sensor", tml__mjcf_sensors);
    note_others(&m);
    if (m.classes != NULL) tml__names_destroy(m.classes);
    if (m.site_names != NULL) tml__names_destroy(m.site_names);
    if (m.geom_names != NULL) tml__names_destroy(m.geom_names);
    if (m.tendon_names != NULL) tml__names_destroy(m.tendon_names);
}
