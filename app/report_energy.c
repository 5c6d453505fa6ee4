// app/report_energy.c - where the energy of a run came from and where it went.
//
// Motors give what report_tables.c says. What dampers, contacts and applied forces do is taken from the recorded
// motion: a damper takes c rate^2; a contact does the force over the step times the mean of the velocities
// at both ends of the step, which is exact for an impact too where every step is recorded. What is left of
// the change of energy is unexplained: the method's own, rounding, and what the page names as not counted.
#include "app/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct account {
    double motors, dampers, contacts, applied;
    bool has_motors, has_dampers, has_contacts, has_applied;
    char left_out[400];  // what is there and could not be counted
} account;

static void leave_out(account* a, const char* what)
{
    const size_t used = strlen(a->left_out);
    snprintf(a->left_out + used, sizeof a->left_out - used, ", %s", what);
}

// Seconds that a row stands for in a sum by the trapezoidal rule.
static double span_of(const recorded* rec, int i)
{
    const int rows = tml_recording_row_count(rec->table);
    const double before = i > 0 ? rec->times[i] - rec->times[i - 1] : 0.0;
    const double after = i < rows - 1 ? rec->times[i + 1] - rec->times[i] : 0.0;
    return 0.5 * (before + after);
}

// ---- dampers

static void add_axis_damper(const recorded* rec, int joint, tml_axis axis, double damping,
                            account* out)
{
    const double* q = report_coordinate(rec, joint, axis);
    const double* rates = report_rates(rec, joint, axis);

    out->has_dampers = true;
    if (q == NULL && rates == NULL) {
        if (strstr(out->left_out, "joint dampers") == NULL) {
            leave_out(out, "joint dampers ('joints' was not recorded)");
        }
        return;
    }
    for (int i = 0; i < tml_recording_row_count(rec->table); i++) {
        const double rate = rates != NULL ? rates[i] : report_slope(rec, q, i);
        out->dampers -= damping * rate * rate * span_of(rec, i);
    }
}

static void add_axis_dampers(const recorded* rec, account* out)
{
    for (int j = 0; j < tml_model_joint_count(rec->model); j++) {
        const tml_joint_def def = tml_model_joint(rec->model, (tml_joint){j});
        tml_axis axes[TML_AXES];
        const int count = tml_model_joint_axes(rec->model, (tml_joint){j}, axes);
        for (int k = 0; k < count; k++) {
            const double damping = def.axis_of[axes[k]].damping;
            if (damping > 0.0) add_axis_damper(rec, j, axes[k], damping, out);
        }
    }
}

// ---- bodies as they were recorded

enum {
    POSE = 7,
    VELOCITY = 6,
    BODY = POSE + VELOCITY,
};

// Columns of every body, BODY each; NULL where they were not recorded.
static const double** find_bodies(const recorded* rec)
{
    static const char* const suffixes[BODY] = {"px", "py", "pz", "qw", "qx", "qy", "qz",
                                               "vx", "vy", "vz", "wx", "wy", "wz"};
    const int count = tml_model_body_count(rec->model);
    const double** columns = calloc((size_t)count * BODY + 1, sizeof *columns);
    for (int b = 0; b < count && columns != NULL; b++) {
        for (int k = 0; k < BODY; k++) {
            char name[1200];
            snprintf(name, sizeof name, "%.1000s.%s",
                     tml_model_body(rec->model, (tml_body){b})->name, suffixes[k]);
            columns[b * BODY + k] = report_column(rec, name);
        }
    }
    return columns;
}

static bool has_columns(const double* const* columns, tml_body body, int count)
{
    if (body.index < 0) return body.index == TML_WORLD.index;
    for (int k = 0; k < count; k++) {
        if (columns[body.index * BODY + k] == NULL) return false;
    }
    return true;
}

static tml_vec3 cross(tml_vec3 a, tml_vec3 b)
{
    return (tml_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(tml_vec3 a, tml_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// From the body's origin to a point that is fixed to it, in world axes.
static tml_vec3 turned(const double* const* c, int i, tml_vec3 local)
{
    const tml_vec3 u = {c[4][i], c[5][i], c[6][i]};
    const tml_vec3 once = cross(u, local);
    const tml_vec3 t = {2.0 * once.x, 2.0 * once.y, 2.0 * once.z};
    const tml_vec3 twice = cross(u, t);
    const double w = c[3][i];
    return (tml_vec3){local.x + w * t.x + twice.x, local.y + w * t.y + twice.y,
                      local.z + w * t.z + twice.z};
}

static tml_vec3 place_of(const double* const* columns, tml_body body, tml_vec3 local, int i)
{
    if (body.index < 0) return local;
    const double* const* c = columns + (size_t)body.index * BODY;
    const tml_vec3 r = turned(c, i, local);
    return (tml_vec3){c[0][i] + r.x, c[1][i] + r.y, c[2][i] + r.z};
}

// The velocity of the body's matter at an arm from its origin.
static tml_vec3 velocity_at(const double* const* columns, tml_body body, tml_vec3 arm, int i)
{
    if (body.index < 0) return (tml_vec3){0.0, 0.0, 0.0};
    const double* const* v = columns + (size_t)body.index * BODY + POSE;
    const tml_vec3 spin = cross((tml_vec3){v[3][i], v[4][i], v[5][i]}, arm);
    return (tml_vec3){v[0][i] + spin.x, v[1][i] + spin.y, v[2][i] + spin.z};
}

static tml_vec3 arm_to(const double* const* columns, tml_body body, tml_vec3 point, int i)
{
    if (body.index < 0) return point;
    const double* const* c = columns + (size_t)body.index * BODY;
    return (tml_vec3){point.x - c[0][i], point.y - c[1][i], point.z - c[2][i]};
}

// ---- springs between points

static bool is_counted(const tml_spring_def* s, const double* const* columns)
{
    for (int k = 0; k < s->point_count; k++) {
        if (!has_columns(columns, s->points[k].body, POSE)) return false;
    }
    return true;
}

static double length_of(const tml_spring_def* s, const double* const* columns, int i)
{
    double sum = 0.0;
    for (int k = 1; k < s->point_count; k++) {
        const tml_vec3 a = place_of(columns, s->points[k - 1].body, s->points[k - 1].position, i);
        const tml_vec3 b = place_of(columns, s->points[k].body, s->points[k].position, i);
        const tml_vec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
        sum += sqrt(dot(d, d));
    }
    return sum;
}

static void add_springs(const recorded* rec, const double* const* columns, account* out)
{
    const int rows = tml_recording_row_count(rec->table);
    double* lengths = calloc((size_t)rows + 1, sizeof *lengths);
    int missing = 0;

    for (int s = 0; s < tml_model_spring_count(rec->model) && lengths != NULL; s++) {
        const tml_spring_def* def = tml_model_spring(rec->model, s);
        if (!(def->damping > 0.0)) continue;
        out->has_dampers = true;
        if (!is_counted(def, columns)) {
            missing++;
            continue;
        }
        for (int i = 0; i < rows; i++) lengths[i] = length_of(def, columns, i);
        for (int i = 0; i < rows; i++) {
            const double rate = report_slope(rec, lengths, i);
            out->dampers -= def->damping * rate * rate * span_of(rec, i);
        }
    }
    if (missing > 0) leave_out(out, "dampers between points of deformables");
    free(lengths);
}

// ---- contacts and applied forces

static void add_contact(const recorded* rec, const double* const* columns,
                        const tml_recorded_contact* c, int i, account* out, int* missing)
{
    const tml_body a = tml_model_find_body(rec->model, c->a);
    const tml_body b = tml_model_find_body(rec->model, c->b);
    if (!has_columns(columns, a, BODY) || !has_columns(columns, b, BODY)) {
        ++*missing;
        return;
    }
    const tml_vec3 arm_a = arm_to(columns, a, c->position, i);
    const tml_vec3 arm_b = arm_to(columns, b, c->position, i);
    double power = 0.0;
    for (int at = i - 1; at <= i; at++) {
        const tml_vec3 va = velocity_at(columns, a, arm_a, at);
        const tml_vec3 vb = velocity_at(columns, b, arm_b, at);
        const tml_vec3 slip = {va.x - vb.x, va.y - vb.y, va.z - vb.z};
        power += 0.5 * dot(c->force, slip);
    }
    out->contacts += power * (rec->times[i] - rec->times[i - 1]);
}

static void add_contacts(const recorded* rec, const double* const* columns, account* out)
{
    const int count = tml_recording_contact_count(rec->table);
    const tml_recorded_contact* list = tml_recording_contacts(rec->table);
    const int rows = tml_recording_row_count(rec->table);
    int missing = 0;
    int at = 0;

    out->has_contacts = count > 0;
    for (int i = 1; i < rows; i++) {
        const double slack = 1e-9 * (fabs(rec->times[i]) + 1.0);
        while (at < count && list[at].time < rec->times[i] - slack) at++;
        for (; at < count && list[at].time <= rec->times[i] + slack; at++) {
            add_contact(rec, columns, &list[at], i, out, &missing);
        }
    }
    if (missing > 0) leave_out(out, "some contacts (deformables, or 'velocity' was not recorded)");
    const bool is_on = rec->scene != NULL && tml_scene_settings(rec->scene)->sim.contact.is_on;
    if (count == 0 && is_on) leave_out(out, "contacts (none were recorded)");
}

static void add_wrench(const recorded* rec, const double* const* columns, int w, account* out)
{
    const tml_wrench_def* def = tml_model_wrench(rec->model, w);
    const double* const* v = columns + (size_t)def->body.index * BODY + POSE;

    for (int i = 0; i < tml_recording_row_count(rec->table); i++) {
        const double* const* c = columns + (size_t)def->body.index * BODY;
        const tml_vec3 at = velocity_at(columns, def->body, turned(c, i, def->point), i);
        const tml_vec3 spin = {v[3][i], v[4][i], v[5][i]};
        tml_vec3 force;
        tml_vec3 torque;
        if (tml_model_wrench_value(rec->model, w, rec->times[i], &force, &torque) != TML_OK)
            continue;
        out->applied += (dot(force, at) + dot(torque, spin)) * span_of(rec, i);
    }
}

static void add_wrenches(const recorded* rec, const double* const* columns, account* out)
{
    int missing = 0;
    for (int w = 0; w < tml_model_wrench_count(rec->model); w++) {
        out->has_applied = true;
        if (has_columns(columns, tml_model_wrench(rec->model, w)->body, BODY)) {
            add_wrench(rec, columns, w, out);
        } else {
            missing++;
        }
    }
    if (missing > 0) leave_out(out, "applied forces ('velocity' was not recorded)");
}

static bool has_pulls(const tml_model* model)
{
    for (int s = 0; s < tml_model_spring_count(model); s++) {
        const tml_spring_def* def = tml_model_spring(model, s);
        if (def->force.kind != TML_CONTROL_NONE) return true;
        if (def->muscle.force > 0.0) return true;
    }
    return false;
}

static void fill(report* r, account* out)
{
    const recorded* rec = &r->shown->recorded;
    const double** columns = find_bodies(rec);
    int unknown = 0;

    *out = (account){0};
    if (columns == NULL) {
        r->lacks_memory = true;
        return;
    }
    out->motors = report_motor_work(r, &unknown);
    out->has_motors = out->motors != 0.0;
    if (unknown > 0) leave_out(out, "motors about several axes");
    add_axis_dampers(rec, out);
    add_springs(rec, columns, out);
    add_contacts(rec, columns, out);
    add_wrenches(rec, columns, out);
    if (has_pulls(rec->model)) leave_out(out, "tendons and muscles");
    free(columns);
}

// ---- the table

// What is below 1e-12 of the largest energy of the run is rounding.
static void put_row(FILE* to, const char* name, double start, double end, double most)
{
    if (fabs(start) < 1e-12 * most) start = 0.0;
    if (fabs(end) < 1e-12 * most) end = 0.0;
    fputs("<tr>", to);
    put_words(to, name);
    put_number(to, start);
    put_number(to, end);
    put_number(to, end - start);
    fputs("</tr>\n", to);
}

static void put_work(FILE* to, const char* name, bool is_there, double work)
{
    if (!is_there) return;
    fputs("<tr>", to);
    put_words(to, name);
    fputs("<td></td><td></td>", to);
    put_number(to, work);
    fputs("</tr>\n", to);
}

static void put_account(const report* r, const account* a, double change)
{
    char words[500];
    snprintf(words, sizeof words, "unexplained (method, rounding%s)", a->left_out);
    put_work(r->to, "from motors", a->has_motors, a->motors);
    put_work(r->to, "from applied forces", a->has_applied, a->applied);
    put_work(r->to, "from contacts (friction, impacts)", a->has_contacts, a->contacts);
    put_work(r->to, "from dampers", a->has_dampers, a->dampers);
    put_work(r->to, words, true, change - a->motors - a->applied - a->contacts - a->dampers);
}

// The unexplained part beside what was in motion: the one figure to look at.
static void put_verdict(const report* r, const account* a, double change)
{
    const recorded* rec = &r->shown->recorded;
    const double* kinetic = report_column(rec, "energy.kinetic");
    const double rest = change - a->motors - a->applied - a->contacts - a->dampers;
    if (kinetic == NULL) return;
    const double most = report_largest(kinetic, tml_recording_row_count(rec->table), NULL);
    if (!(most > 0.0) || !isfinite(rest)) return;
    fprintf(r->to,
            "<p class=\"lead\">%.3g %% of the largest kinetic energy (%.4g J) is unexplained.",
            100.0 * fabs(rest) / most, most);
    if (a->has_contacts) fputs(" Contacts are exact where every step is recorded.", r->to);
    fputs("</p>\n", r->to);
}

void put_energy_account(report* r)
{
    static const char* const heads[] = {"energy, J", "start", "end", "change"};
    static const char* const names[] = {"kinetic", "potential", "total"};
    const recorded* rec = &r->shown->recorded;
    const int last = tml_recording_row_count(rec->table) - 1;
    const double* total = report_column(rec, "energy.total");
    account a;

    if (total == NULL) return;
    fputs("<h2>Energy</h2>\n", r->to);
    put_head(r->to, heads, 4, 1);
    const double most = report_largest(total, last + 1, NULL);
    for (int k = 0; k < 3; k++) {
        char column[32];
        snprintf(column, sizeof column, "energy.%s", names[k]);
        const double* values = report_column(rec, column);
        if (values != NULL) put_row(r->to, names[k], values[0], values[last], most);
    }
    if (rec->model != NULL) {
        fill(r, &a);
        put_account(r, &a, total[last] - total[0]);
    }
    fputs("</tbody></table></div>\n", r->to);
    if (rec->model != NULL) put_verdict(r, &a, total[last] - total[0]);
}
