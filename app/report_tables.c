// app/report_tables.c - what joints carry and what motors do.
//
// The effort of a motor is the component of the recorded load along its axis, less what spring and damper
// of that axis do; its power is effort times the rate of the coordinate, as recorded or else by central
// differences; work is the integral of power by the trapezoidal rule.
#include "app/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MOST = 400,  // joints in a table
};

const double* report_column(const recorded* r, const char* name)
{
    return tml_recording_column(r->table, tml_recording_find(r->table, name));
}

const double* report_joint_column(const recorded* r, int joint, const char* suffix)
{
    char name[1200];
    snprintf(name, sizeof name, "%.1000s.%s", tml_model_joint_name(r->model, (tml_joint){joint}),
             suffix);
    return report_column(r, name);
}

const double* report_coordinate(const recorded* r, int joint, tml_axis axis)
{
    tml_axis axes[TML_AXES];
    const int count = tml_model_joint_axes(r->model, (tml_joint){joint}, axes);
    const double* named = report_joint_column(r, joint, tml_axis_name(axis));
    for (int k = 0; k < count && named == NULL; k++) {
        char old[4] = {'q', (char)('0' + k), '\0', '\0'};
        if (axes[k] == axis) return report_joint_column(r, joint, old);
    }
    return named;
}

double report_largest(const double* values, int count, int* at)
{
    double most = 0.0;
    if (at != NULL) *at = 0;
    for (int i = 0; i < count; i++) {
        if (!(fabs(values[i]) > most)) continue;
        most = fabs(values[i]);
        if (at != NULL) *at = i;
    }
    return most;
}

// ---- cells

// The first `texts` columns hold words.
void put_head(FILE* to, const char* const* names, int count, int texts)
{
    fputs("<div class=\"table\"><table class=\"sortable\">\n<thead><tr>", to);
    for (int k = 0; k < count; k++) {
        fprintf(to, "<th scope=\"col\"%s>", k < texts ? " class=\"text\"" : "");
        put_escaped(to, names[k]);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
}

void put_words(FILE* to, const char* words)
{
    fputs("<td class=\"text\">", to);
    put_escaped(to, words);
    fputs("</td>", to);
}

// Four digits; no exponent for the sizes that people know.
void put_number(FILE* to, double value)
{
    if (fabs(value) >= 1e4 && fabs(value) < 1e7) {
        fprintf(to, "<td data-v=\"%.9g\">%.0f</td>", value, value);
    } else if (isfinite(value)) {
        fprintf(to, "<td data-v=\"%.9g\">%.4g</td>", value, value);
    } else {
        fputs("<td data-v=\"\">&ndash;</td>", to);
    }
}

// ---- joints

typedef struct peak {
    double most, mean, time;
} peak;

// Peak and mean over time of the length of three columns.
static peak peak_of(const recorded* rec, const double* const part[3])
{
    const int rows = tml_recording_row_count(rec->table);
    peak p = {0.0, 0.0, rec->times[0]};
    double sum = 0.0;
    for (int i = 0; i < rows; i++) {
        const double size =
            sqrt(part[0][i] * part[0][i] + part[1][i] * part[1][i] + part[2][i] * part[2][i]);
        if (size > p.most) {
            p.most = size;
            p.time = rec->times[i];
        }
        sum += size;
    }
    p.mean = sum / rows;
    return p;
}

static bool joint_peak(const recorded* rec, int joint, char letter, peak* out)
{
    const double* part[3];
    for (int k = 0; k < 3; k++) {
        const char suffix[3] = {letter, (char)('x' + k), '\0'};
        part[k] = report_joint_column(rec, joint, suffix);
        if (part[k] == NULL) return false;
    }
    *out = peak_of(rec, part);
    return true;
}

typedef struct joint_loads {
    int joint;
    peak force, moment;
} joint_loads;

// The joints whose loads were recorded, at most ROWS_MOST. What is below a billionth of the largest is
// rounding, and zero in a table: balls carry no moment.
static int gather_loads(const recorded* rec, int joints, joint_loads* out)
{
    double most[2] = {0.0, 0.0};
    int count = 0;
    for (int j = 0; j < joints && count < ROWS_MOST; j++) {
        joint_loads* l = &out[count];
        l->joint = j;
        if (!joint_peak(rec, j, 'f', &l->force) || !joint_peak(rec, j, 'm', &l->moment)) continue;
        most[0] = fmax(most[0], l->force.most);
        most[1] = fmax(most[1], l->moment.most);
        count++;
    }
    for (int i = 0; i < count; i++) {
        peak* part[2] = {&out[i].force, &out[i].moment};
        for (int k = 0; k < 2; k++) {
            if (part[k]->most < 1e-9 * most[k]) *part[k] = (peak){0.0, 0.0, (double)NAN};
        }
    }
    return count;
}

void put_joint_table(const report* r)
{
    static const char* const heads[] = {"joint",         "type",
                                        "peak force, N", "at, s",
                                        "mean force, N", "peak moment, N m",
                                        "at, s",         "mean moment, N m"};
    const recorded* rec = &r->shown->recorded;
    const int joints = rec->model != NULL ? tml_model_joint_count(rec->model) : 0;
    joint_loads loads[ROWS_MOST];
    const int written = gather_loads(rec, joints, loads);
    if (written == 0) return;

    fputs(
        "<h2>Joint loads</h2>\n<p class=\"lead\">What each joint carries, at its point and in the "
        "axes of its base. Click on a head to sort.</p>\n",
        r->to);
    put_head(r->to, heads, 8, 2);
    for (int i = 0; i < written; i++) {
        const tml_joint joint = {loads[i].joint};
        const peak* const part[2] = {&loads[i].force, &loads[i].moment};
        fputs("<tr>", r->to);
        put_words(r->to, tml_model_joint_name(rec->model, joint));
        put_words(r->to, tml_joint_kind_name(tml_model_joint(rec->model, joint).kind));
        for (int k = 0; k < 2; k++) {
            put_number(r->to, part[k]->most);
            put_number(r->to, part[k]->time);
            put_number(r->to, part[k]->mean);
        }
        fputs("</tr>\n", r->to);
    }
    fputs("</tbody></table></div>\n", r->to);
    if (written < joints) {
        fprintf(r->to, "<p class=\"lead\">%d of %d joints.</p>\n", written, joints);
    }
}

// ---- motors

typedef struct motor {
    int joint;
    tml_axis axis;
    bool is_servo;
    bool has_power;
    double effort, effort_time;  // peak
    double rms;
    double speed;  // peak
    double power;  // peak, by size
    double given;  // work into the mechanism, J
    double taken;  // and out of it, where the motor brakes
} motor;

static int turns_of(const tml_model* model, int joint)
{
    tml_axis axes[TML_AXES];
    const int count = tml_model_joint_axes(model, (tml_joint){joint}, axes);
    int turns = 0;
    for (int k = 0; k < count; k++) turns += axes[k] >= TML_AXIS_RX;
    return turns;
}

const double* report_rates(const recorded* rec, int joint, tml_axis axis)
{
    char suffix[16];
    snprintf(suffix, sizeof suffix, "%s.rate", tml_axis_name(axis));
    return report_joint_column(rec, joint, suffix);
}

double report_slope(const recorded* rec, const double* q, int i)
{
    const int rows = tml_recording_row_count(rec->table);
    const int a = i > 0 ? i - 1 : i;
    const int b = i < rows - 1 ? i + 1 : i;
    const double span = rec->times[b] - rec->times[a];
    return span > 0.0 ? (q[b] - q[a]) / span : 0.0;
}

static void add_work(motor* m, double work)
{
    if (work > 0.0) {
        m->given += work;
    } else {
        m->taken -= work;
    }
}

// What one driven axis did; false where its columns were not recorded.
static bool read_motor(const recorded* rec, motor* m)
{
    const int rows = tml_recording_row_count(rec->table);
    const bool is_turn = m->axis >= TML_AXIS_RX;
    const char suffix[3] = {is_turn ? 'm' : 'f', (char)('x' + (int)m->axis % 3), '\0'};
    const double* effort = report_joint_column(rec, m->joint, suffix);
    const double* q = report_coordinate(rec, m->joint, m->axis);
    const double* rates = report_rates(rec, m->joint, m->axis);
    const tml_joint_def def = tml_model_joint(rec->model, (tml_joint){m->joint});
    const tml_joint_axis* a = &def.axis_of[m->axis];
    double squares = 0.0;
    double before = 0.0;

    if (effort == NULL || q == NULL || rows < 2) return false;
    // of several turns only the first is about an axis of the base
    m->has_power = !is_turn || turns_of(rec->model, m->joint) == 1;
    m->effort_time = rec->times[0];
    for (int i = 0; i < rows; i++) {
        const double rate = rates != NULL ? rates[i] : report_slope(rec, q, i);
        const double given = effort[i] + a->stiffness * (q[i] - a->rest) + a->damping * rate;
        const double power = given * rate;
        if (fabs(given) > m->effort) {
            m->effort = fabs(given);
            m->effort_time = rec->times[i];
        }
        squares += given * given;
        if (fabs(rate) > m->speed) m->speed = fabs(rate);
        if (fabs(power) > fabs(m->power)) m->power = power;
        if (i > 0) add_work(m, 0.5 * (before + power) * (rec->times[i] - rec->times[i - 1]));
        before = power;
    }
    m->rms = sqrt(squares / rows);
    return true;
}

// All driven axes whose columns are there. The caller frees the list.
static int read_motors(const recorded* rec, motor** out)
{
    const int joints = rec->model != NULL ? tml_model_joint_count(rec->model) : 0;
    motor* list = calloc((size_t)joints * TML_AXES + 1, sizeof *list);
    int count = 0;

    for (int j = 0; j < joints && list != NULL; j++) {
        const tml_joint_def def = tml_model_joint(rec->model, (tml_joint){j});
        tml_axis axes[TML_AXES];
        const int axis_count = tml_model_joint_axes(rec->model, (tml_joint){j}, axes);
        for (int k = 0; k < axis_count; k++) {
            const tml_joint_axis* a = &def.axis_of[axes[k]];
            if (a->actuation == TML_PASSIVE && !a->has_servo) continue;
            list[count] = (motor){.joint = j, .axis = axes[k], .is_servo = a->has_servo != 0};
            if (read_motor(rec, &list[count])) count++;
        }
    }
    *out = list;
    return count;
}

static void put_motor(FILE* to, const tml_model* model, const motor* m)
{
    const bool is_turn = m->axis >= TML_AXIS_RX;
    char name[1200];

    snprintf(name, sizeof name, "%.1000s.%s", tml_model_joint_name(model, (tml_joint){m->joint}),
             tml_axis_name(m->axis));
    fputs("<tr>", to);
    put_words(to, name);
    put_words(to, is_turn ? "N m, rad/s" : "N, m/s");
    put_number(to, m->effort);
    put_number(to, m->effort_time);
    put_number(to, m->rms);
    put_number(to, m->speed);
    put_number(to, m->has_power ? m->power : (double)NAN);
    put_number(to, m->has_power ? m->given : (double)NAN);
    put_number(to, m->has_power ? m->taken : (double)NAN);
    fputs("</tr>\n", to);
}

void put_motor_table(report* r)
{
    static const char* const heads[] = {"motor",         "units",         "peak effort",
                                        "at, s",         "effort, rms",   "peak speed",
                                        "peak power, W", "work given, J", "work taken back, J"};
    const recorded* rec = &r->shown->recorded;
    motor* list = NULL;
    const int count = read_motors(rec, &list);

    if (list == NULL) r->lacks_memory = true;
    if (count > 0) {
        fputs("<h2>Motors</h2>\n<p class=\"lead\">What each motor or servo gives along its axis, "
              "limits of the axis included, and its power: effort times the rate of the coordinate."
              "</p>\n",
              r->to);
        put_head(r->to, heads, 9, 2);
        for (int i = 0; i < count && i < ROWS_MOST; i++) put_motor(r->to, rec->model, &list[i]);
        fputs("</tbody></table></div>\n", r->to);
    }
    free(list);
}

double report_motor_work(report* r, int* unknown)
{
    motor* list = NULL;
    const int count = read_motors(&r->shown->recorded, &list);
    double sum = 0.0;

    *unknown = 0;
    if (list == NULL) r->lacks_memory = true;
    for (int i = 0; i < count; i++) {
        if (list[i].has_power) sum += list[i].given - list[i].taken;
        *unknown += !list[i].has_power;
    }
    free(list);
    return sum;
}
