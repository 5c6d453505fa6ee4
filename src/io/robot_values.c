// io/robot_values.c - numbers and vectors in attributes and texts, each with its check.
#include "io/robot.h"

#include <string.h>

static const char* skip_space(const char* p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
    return p;
}

// Read up to `most` numbers; -1 for what is no list of numbers, most + 1 when there are more.
static int read_list(const char* text, int most, double* out)
{
    int count = 0;
    const char* p = skip_space(text);
    while (*p != '\0') {
        if (count == most) return most + 1;
        const char* stop = p;
        if (!tml__xml_number(p, &out[count], &stop)) return -1;
        p = skip_space(stop);
        if (p == stop && *p != '\0') return -1;  // "1.5kg"
        count++;
    }
    return count;
}

// What is only looked at refuses no model: a color that is none stays the usual one, which is said.
void tml__robot_color(robot* r, const xml* at, const char* text, unsigned char color[3])
{
    double rgba[4];
    if (text == NULL || r->status != TML_OK) return;
    const int count = read_list(text, 4, rgba);
    if (count != 3 && count != 4) {
        tml__robot_lint(r, at, "color that is not three or four numbers", "taken as grey");
        return;
    }
    for (int k = 0; k < 3; k++) {
        const double x = fmin(fmax(rgba[k], 0.0), 1.0);
        color[k] = (unsigned char)(x * 255.0 + 0.5);
    }
}

bool tml__numbers_in(robot* r, const xml* at, const char* what, const char* text, int count,
                     double* out)
{
    double list[16];
    if (r->status != TML_OK || count > 16) return false;
    const int found = read_list(text, count, list);
    if (found != count) {
        tml__robot_refuse(r, at, TML_BAD_ARGUMENT,
                          "%s of '%s' must be %d finite number%s, not \"%.60s\"", what, at->name,
                          count, count == 1 ? "" : "s", text);
        return false;
    }
    memcpy(out, list, (size_t)count * sizeof *out);
    return true;
}

int tml__attribute_list(robot* r, const xml* e, const char* name, int most, double* out)
{
    const char* text = tml__xml_attribute(e, name);
    if (text == NULL || r->status != TML_OK) return 0;
    const int count = read_list(text, most, out);
    if (count < 0 || count > most) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT,
                          "%s of '%s' must be at most %d finite numbers, not \"%.60s\"", name,
                          e->name, most, text);
        return 0;
    }
    return count;
}

bool tml__attribute_numbers(robot* r, const xml* e, const char* name, int count, double* out)
{
    const char* text = tml__xml_attribute(e, name);
    return text != NULL && tml__numbers_in(r, e, name, text, count, out);
}

bool tml__attribute_number(robot* r, const xml* e, const char* name, double* out)
{
    return tml__attribute_numbers(r, e, name, 1, out);
}

bool tml__attribute_vector(robot* r, const xml* e, const char* name, vec3* out)
{
    double x[3];
    if (!tml__attribute_numbers(r, e, name, 3, x)) return false;
    *out = v3_load(x);
    return true;
}

const char* tml__attribute_need(robot* r, const xml* e, const char* name)
{
    const char* text = tml__xml_attribute(e, name);
    if (text != NULL) return text;
    tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "'%s' needs the attribute '%s'", e->name, name);
    return "";
}

bool tml__robot_unit(robot* r, const xml* at, const char* what, vec3* axis)
{
    const double length = v3_norm(*axis);
    // outside 1e-12 .. 1e12: no reliable direction
    if (!(length > 1e-12 && length < 1e12)) {
        tml__robot_refuse(r, at, TML_BAD_ARGUMENT, "%s has no usable length (%g)", what, length);
        return false;
    }
    *axis = v3_scale(1.0 / length, *axis);
    return true;
}

pose tml__robot_origin(robot* r, const xml* e)
{
    pose x = pose_identity();
    double rpy[3] = {0.0, 0.0, 0.0};
    if (e == NULL) return x;
    tml__attribute_vector(r, e, "xyz", &x.p);
    if (tml__attribute_numbers(r, e, "rpy", 3, rpy)) x.q = q_normalize(q_from_rpy(rpy));
    return x;
}

quat tml__frame_about(vec3 axis)
{
    int least = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(v3_at(axis, k)) < fabs(v3_at(axis, least))) least = k;
    }
    const vec3 across = v3_cross(v3_unit(least), axis);
    const vec3 y = v3_scale(1.0 / v3_norm(across), across);
    return tml__q_from_matrix(m3_columns(axis, y, v3_cross(axis, y)));
}

void tml__robot_keep_friction(robot* r, const xml* at, tml_joint_axis* drive)
{
    if (!(drive->friction > 0.0)) drive->friction = 0.0;
    if (drive->friction == 0.0 || !r->is_without_friction) return;
    drive->friction = 0.0;
    tml__robot_lint(r, at, "joint friction", "left out, as asked");
}

void tml__robot_limit_force(robot* r, const xml* at, tml_joint_axis* drive, double low, double high)
{
    if (!(low <= 0.0 && high >= 0.0)) {
        tml__robot_lint(r, at, "force range that leaves out zero", "not enforced");
        return;
    }
    drive->force_lower = drive->has_force_limits ? fmax(drive->force_lower, low) : low;
    drive->force_upper = drive->has_force_limits ? fmin(drive->force_upper, high) : high;
    drive->has_force_limits = 1;
}

quat tml__quat_from_z(vec3 to)
{
    const double s = v3_norm(v3_cross(v3_unit(2), to));
    if (s < 1e-15) return to.z > 0.0 ? q_identity() : q_about(0, TML_PI);
    const vec3 axis = v3_scale(1.0 / s, v3_cross(v3_unit(2), to));
    return q_exp(v3_scale(tml__atan2(s, to.z), axis));
}
