// io/mjcf_sensor.c - sensors of MJCF.
#include "io/mjcf.h"

#include <stdio.h>
#include <string.h>

typedef enum asks_for {
    ASKS_OBJECT,  // objtype and objname
    ASKS_SITE,
    ASKS_JOINT,
    ASKS_ACTUATOR,
    ASKS_TENDON,
    ASKS_BODY,
    ASKS_NOTHING,
} asks_for;

static const struct {
    const char* tag;
    tml_sensor_kind kind;
    asks_for of;
} tags[] = {
    {"framepos", TML_SENSOR_POSITION, ASKS_OBJECT},
    {"framequat", TML_SENSOR_QUATERNION, ASKS_OBJECT},
    {"framexaxis", TML_SENSOR_X_AXIS, ASKS_OBJECT},
    {"frameyaxis", TML_SENSOR_Y_AXIS, ASKS_OBJECT},
    {"framezaxis", TML_SENSOR_Z_AXIS, ASKS_OBJECT},
    {"framelinvel", TML_SENSOR_LINEAR_VELOCITY, ASKS_OBJECT},
    {"frameangvel", TML_SENSOR_ANGULAR_VELOCITY, ASKS_OBJECT},
    {"framelinacc", TML_SENSOR_LINEAR_ACCELERATION, ASKS_OBJECT},
    {"frameangacc", TML_SENSOR_ANGULAR_ACCELERATION, ASKS_OBJECT},
    {"velocimeter", TML_SENSOR_VELOCIMETER, ASKS_SITE},
    {"gyro", TML_SENSOR_GYRO, ASKS_SITE},
    {"accelerometer", TML_SENSOR_ACCELEROMETER, ASKS_SITE},
    {"magnetometer", TML_SENSOR_MAGNETOMETER, ASKS_SITE},
    {"force", TML_SENSOR_FORCE, ASKS_SITE},
    {"torque", TML_SENSOR_TORQUE, ASKS_SITE},
    {"touch", TML_SENSOR_TOUCH, ASKS_SITE},
    {"rangefinder", TML_SENSOR_RANGE, ASKS_SITE},
    {"insidesite", TML_SENSOR_INSIDE, ASKS_SITE},
    {"jointpos", TML_SENSOR_COORDINATE, ASKS_JOINT},
    {"jointvel", TML_SENSOR_RATE, ASKS_JOINT},
    {"jointactuatorfrc", TML_SENSOR_MOTOR, ASKS_JOINT},
    {"actuatorpos", TML_SENSOR_COORDINATE, ASKS_ACTUATOR},
    {"actuatorvel", TML_SENSOR_RATE, ASKS_ACTUATOR},
    {"actuatorfrc", TML_SENSOR_MOTOR, ASKS_ACTUATOR},
    {"tendonpos", TML_SENSOR_LENGTH, ASKS_TENDON},
    {"tendonvel", TML_SENSOR_LENGTH_RATE, ASKS_TENDON},
    {"subtreecom", TML_SENSOR_SUBTREE_COM, ASKS_BODY},
    {"subtreelinvel", TML_SENSOR_SUBTREE_LINEAR_VELOCITY, ASKS_BODY},
    {"subtreeangmom", TML_SENSOR_SUBTREE_ANGULAR_MOMENTUM, ASKS_BODY},
    {"clock", TML_SENSOR_TIME, ASKS_NOTHING},
    {"e_kinetic", TML_SENSOR_KINETIC, ASKS_NOTHING},
    {"e_potential", TML_SENSOR_POTENTIAL, ASKS_NOTHING},
};

static void leave_out(mjcf* m, const xml* e, const char* why)
{
    char feature[100];
    snprintf(feature, sizeof feature, "sensor '%.40s'", e->name);
    tml__robot_lint(m->r, e, feature, why);
}

static const mjcf_site* need_site(mjcf* m, const xml* e, const char* key)
{
    const char* name = tml__attribute_need(m->r, e, key);
    const int site = tml__mjcf_find_site(m, name);
    if (site >= 0) return &m->sites[site];
    tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': there is no site '%.120s'", e->name, name);
    return NULL;
}

// The frame of an object of the file; false: refused, or of a kind that has none here.
static bool find_object(mjcf* m, const xml* e, const char* type, const char* name, int* link,
                        pose* local)
{
    *local = pose_identity();
    if (strcmp(type, "site") == 0) {
        const int site = tml__mjcf_find_site(m, name);
        if (site >= 0) {
            *link = m->sites[site].link;
            *local = m->sites[site].local;
            return true;
        }
    } else if (strcmp(type, "body") == 0 || strcmp(type, "xbody") == 0) {
        *link = tml__robot_find_link(m->r, name);
        if (*link >= -1) {
            // a body is its centre of mass; its axes are taken as those of the link
            const bool is_inertial = strcmp(type, "body") == 0 && *link >= 0;
            if (is_inertial) local->p = m->r->links[*link].com;
            return true;
        }
    } else {
        leave_out(m, e, "left out: of a geom or a camera");
        return false;
    }
    tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': there is no %s '%.120s'", e->name, type,
                      name);
    return false;
}

static bool read_object(mjcf* m, const xml* e, robot_sensor* s)
{
    const char* type = tml__attribute_need(m->r, e, "objtype");
    const char* name = tml__attribute_need(m->r, e, "objname");
    if (m->r->status != TML_OK || !find_object(m, e, type, name, &s->link, &s->local)) return false;
    const char* reference = tml__xml_attribute(e, "reftype");
    if (reference == NULL) return true;
    name = tml__attribute_need(m->r, e, "refname");
    s->def.has_reference = true;
    return m->r->status == TML_OK &&
           find_object(m, e, reference, name, &s->reference, &s->reference_local);
}

static bool read_site(mjcf* m, const xml* e, robot_sensor* s)
{
    const mjcf_site* site = need_site(m, e, "site");
    if (site == NULL) return false;
    s->link = site->link;
    s->local = site->local;
    s->def.zone = site->zone;
    s->def.zone_size = site->size;
    if (s->def.kind == TML_SENSOR_MAGNETOMETER) s->def.vector = m->magnetic;
    if (s->def.kind != TML_SENSOR_INSIDE) return true;
    const char* type = tml__attribute_need(m->r, e, "objtype");
    const char* name = tml__attribute_need(m->r, e, "objname");
    s->def.has_reference = true;
    return m->r->status == TML_OK &&
           find_object(m, e, type, name, &s->reference, &s->reference_local);
}

static bool read_joint(mjcf* m, const xml* e, const char* name, robot_sensor* s)
{
    s->movement = tml__robot_find_movement(m->r, name);
    if (s->movement < 0) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': there is no joint '%.120s'", e->name,
                          name);
        return false;
    }
    if (m->r->movements[s->movement].kind <= MOVE_SLIDE) return true;
    leave_out(m, e, "left out: of a ball or free joint");
    return false;
}

// The joint that an actuator drives, and its gear.
static bool read_actuator(mjcf* m, const xml* e, robot_sensor* s)
{
    const char* name = tml__attribute_need(m->r, e, "actuator");
    for (const xml* a = m->root->first; a != NULL; a = a->next) {
        for (const xml* k = tml__xml_is(a, "actuator") ? a->first : NULL; k != NULL; k = k->next) {
            const char* its = tml__xml_attribute(k, "name");
            const char* joint = tml__xml_attribute(k, "joint");
            if (its == NULL || strcmp(its, name) != 0) continue;
            if (joint == NULL) {
                leave_out(m, e, "left out: of an actuator that drives no joint");
                return false;
            }
            const mjcf_element drive = tml__mjcf_open(m, k, NULL, k->name);
            double gear[6] = {1.0};
            tml__mjcf_list(&drive, "gear", 0, 6, gear);
            const bool is_force = s->def.kind == TML_SENSOR_MOTOR;
            s->def.scale = !is_force ? gear[0] : gear[0] != 0.0 ? 1.0 / gear[0] : 0.0;
            return read_joint(m, e, joint, s);
        }
    }
    tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': there is no actuator '%.120s'", e->name,
                      name);
    return false;
}

static bool read_tendon(mjcf* m, const xml* e, robot_sensor* s)
{
    const char* name = tml__attribute_need(m->r, e, "tendon");
    const int at = tml__mjcf_find_tendon(m, name);
    if (at < 0) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': there is no tendon '%.120s'", e->name,
                          name);
        return false;
    }
    s->strand = m->tendons[at].strand;
    if (!m->tendons[at].is_fixed && s->strand >= 0) return true;
    leave_out(m, e, "left out: of a tendon that is no path through sites");
    return false;
}

static bool read_of(mjcf* m, const xml* e, asks_for of, robot_sensor* s)
{
    switch (of) {
    case ASKS_OBJECT: return read_object(m, e, s);
    case ASKS_SITE: return read_site(m, e, s);
    case ASKS_JOINT: return read_joint(m, e, tml__attribute_need(m->r, e, "joint"), s);
    case ASKS_ACTUATOR: return read_actuator(m, e, s);
    case ASKS_TENDON: return read_tendon(m, e, s);
    case ASKS_BODY:
        return find_object(m, e, "xbody", tml__attribute_need(m->r, e, "body"), &s->link,
                           &s->local);
    case ASKS_NOTHING: break;
    }
    return true;
}

static void read_sensor(mjcf* m, const xml* e)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (!tml__xml_is(e, tags[i].tag)) continue;
        robot_sensor s = {.at = e,
                          .def = tml_sensor_def_default(),
                          .link = -1,
                          .reference = -1,
                          .movement = -1,
                          .strand = -1};
        s.def.kind = tags[i].kind;
        s.def.name = tml__xml_attribute(e, "name");
        tml__attribute_number(m->r, e, "cutoff", &s.def.cutoff);
        if (!(s.def.cutoff >= 0.0)) s.def.cutoff = 0.0;
        if (read_of(m, e, tags[i].of, &s) && m->r->status == TML_OK)
            tml__robot_add_sensor(m->r, &s);
        return;
    }
    leave_out(m, e, "left out");
}

void tml__mjcf_sensors(mjcf* m, const xml* section)
{
    for (const xml* e = section->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        read_sensor(m, e);
    }
}
