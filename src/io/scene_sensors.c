// io/scene_sensors.c - sensors of a scene, read and written.
#include "io/scene_internal.h"
#include "io/writer.h"
#include "model/sensor.h"

#include <stdio.h>
#include <string.h>

// The frame of an element: where it is in a body.
static void read_frame(const element* e, tml_body* body, tml_pose* pose)
{
    const json* value = tml__find(e, "body");
    if (value != NULL) *body = tml__body(e, value, "body");
    tml__read_vector(e, "position", &pose->p);
    tml__read_orientation(e, "orientation", &pose->q);
}

static void read_reference(const element* e, tml_sensor_def* def)
{
    static const char* const keys[] = {"body", "position", "orientation", NULL};
    const json* value = tml__find(e, "reference");
    if (value == NULL) return;
    const element r = tml__open(e->r, value, "reference of a sensor", -1, keys);
    def->has_reference = true;
    read_frame(&r, &def->reference, &def->reference_pose);
}

static void read_zone(const element* e, tml_sensor_def* def)
{
    static const char* const keys[] = {"type", "size", NULL};
    const json* value = tml__find(e, "zone");
    if (value == NULL) return;
    const element z = tml__open(e->r, value, "zone of a sensor", -1, keys);
    const char* type = tml__read_text(&z, "type");
    if (type == NULL || !tml_shape_kind_find(type, &def->zone)) {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT, "zone of %s needs a 'type' that is a shape",
                    e->label);
    }
    tml__read_vector(&z, "size", &def->zone_size);
}

static void read_axis(const element* e, tml_sensor_def* def)
{
    const char* joint = tml__read_text(e, "joint");
    const char* axis = tml__read_text(e, "axis");
    if (joint != NULL) {
        def->joint = tml_spec_find_joint(e->r->spec, joint);
        if (def->joint.index < 0) {
            tml__refuse(e->r, e->object, TML_BAD_ARGUMENT, "%s: there is no joint '%.120s'",
                        e->label, joint);
        }
    }
    for (int k = 0; k < TML_AXES && axis != NULL; k++) {
        if (strcmp(tml_axis_name((tml_axis)k), axis) != 0) continue;
        def->axis = (tml_axis)k;
        return;
    }
    if (axis != NULL) {
        tml__refuse(e->r, e->object, TML_BAD_ARGUMENT, "%s: there is no axis '%.20s'", e->label,
                    axis);
    }
}

static void read_spring(const element* e, tml_sensor_def* def)
{
    const definitions* all = &e->r->spec->all;
    const char* name = tml__read_text(e, "spring");
    for (int i = 0; name != NULL && i < all->spring_count; i++) {
        if (strcmp(all->springs[i].name, name) != 0) continue;
        def->spring = i;
        return;
    }
    if (name != NULL) {
        tml__refuse(e->r, e->object, TML_BAD_ARGUMENT, "%s: there is no spring or tendon '%.120s'",
                    e->label, name);
    }
}

static void read_sensor(reader* r, const json* value, int index)
{
    static const char* const keys[] = {"name",   "type",  "body",   "position", "orientation",
                                       "zone",   "joint", "axis",   "spring",   "reference",
                                       "vector", "scale", "cutoff", NULL};
    const element e = tml__open(r, value, "sensor", index, keys);
    tml_sensor_def def = tml_sensor_def_default();
    def.name = tml__read_name(&e);
    const char* type = tml__need(&e, "type") != NULL ? tml__read_text(&e, "type") : NULL;
    if (type != NULL && !tml_sensor_kind_find(type, &def.kind)) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: unknown type '%.40s'", e.label, type);
    }
    read_frame(&e, &def.body, &def.pose);
    read_reference(&e, &def);
    read_zone(&e, &def);
    read_axis(&e, &def);
    read_spring(&e, &def);
    tml__read_vector(&e, "vector", &def.vector);
    tml__read_number(&e, "scale", ANY_NUMBER, &def.scale);
    tml__read_number(&e, "cutoff", NOT_NEGATIVE, &def.cutoff);
    if (r->status != TML_OK) return;
    tml_spec_add_sensor(r->spec, &def);
    tml__take_refusal(r, value);
}

void tml__read_sensors(reader* r, const json* list)
{
    int index = 0;
    if (!tml__is_list(r, list, "sensors")) return;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_sensor(r, item, index++);
    }
}

// ---- writing

static void write_frame(writer* w, tml_body body, tml_pose pose)
{
    const tml_quat q = pose.q;
    if (body.index >= 0) tml__write_text(w, "body", tml__body_name(w, body));
    tml__write_vector_unless_zero(w, "position", pose.p);
    if (q.w >= 1.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0) return;
    tml__put_key(w, "orientation");
    tml__put_numbers(w, (const double[]){q.w, q.x, q.y, q.z}, 4);
}

void tml__write_sensor(writer* w, int index)
{
    const tml_sensor_def* s = &w->all->sensors[index];
    const sensor_needs needs = tml__sensor_needs(s->kind);
    tml__put_open(w, "{");
    tml__write_text(w, "name", s->name);
    tml__write_text(w, "type", tml_sensor_kind_name(s->kind));
    if (needs == SENSOR_AXIS) {
        tml__write_text(w, "joint", w->all->joints[s->joint.index].name);
        tml__write_text(w, "axis", tml_axis_name(s->axis));
    } else if (needs == SENSOR_SPRING) {
        tml__write_text(w, "spring", w->all->springs[s->spring].name);
    } else if (needs != SENSOR_NOTHING) {
        write_frame(w, s->body, s->pose);
    }
    if (s->has_reference) {
        tml__put_key(w, "reference");
        tml__put_open(w, "{");
        write_frame(w, s->reference, s->reference_pose);
        tml__put_close(w, "}");
    }
    if (needs == SENSOR_ZONE) {
        tml__put_key(w, "zone");
        tml__put_open(w, "{");
        tml__write_text(w, "type", tml_shape_kind_name(s->zone));
        tml__write_vector(w, "size", s->zone_size);
        tml__put_close(w, "}");
    }
    tml__write_vector_unless_zero(w, "vector", s->vector);
    tml__write_unless(w, "scale", s->scale, 1.0);
    tml__write_unless(w, "cutoff", s->cutoff, 0.0);
    tml__put_close(w, "}");
}
