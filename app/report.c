// app/report.c - `trammel report`: one page to mail to a colleague.
//
// Facts, a replay in three dimensions, tables of loads, motors and energy, the doctor's findings and
// plots, in one file that needs no network: the page of `trammel view` with the recording inside it.
// What must be thinned to keep the file small says so.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/report.h"

#include "app/load.h"
#include "app/swept.h"
#include "viewer/describe.h"
#include "viewer/page.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    REPLAY_BYTES = 3 << 20,  // of frames, before they become text
    JOINTS_SHOWN = 6,        // in a plot of loads
    SAMPLES_MOST = 600,      // of each series, under the pointer
};

static const size_t history_bytes = (size_t)512 << 20;

static const option report_options[] = {
    {"out", OPTION_TEXT, "FILE", "write FILE.html; X.html beside X.csv by default", 0, 0},
    {"columns", OPTION_TEXT, "LIST", "one more plot, of these columns ('trammel plot')", 0, 0},
    {"title", OPTION_TEXT, "TEXT", "of the page; the scene's name by default", 0, 0},
    {"scene", OPTION_TEXT, "SCENE", "of the recording, where X.scene.json is not beside it", 0, 0},
};

static const char style[] =
    "body{margin:0;background:#f3f6f8;color:#22303c;"
    "font:15px/1.55 system-ui,'Segoe UI',Helvetica,Arial,sans-serif}"
    "main{max-width:1080px;margin:0 auto;padding:28px 20px 60px}"
    "main>h1{margin:0;font-size:26px}main>h2{margin:36px 0 10px;font-size:18px}"
    ".lead{margin:4px 0 0;color:#5d6b76}"
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(215px,1fr));gap:10px;"
    "margin:18px 0 0;padding:0}"
    ".facts div{background:#fff;border:1px solid #dbe2e7;border-radius:10px;padding:10px 14px}"
    ".facts dt{color:#5d6b76;font-size:12px}.facts dd{margin:0;font-size:17px;"
    "font-variant-numeric:tabular-nums;overflow-wrap:anywhere}"
    ".table{overflow:auto;max-height:460px;background:#fff;border:1px solid #dbe2e7;"
    "border-radius:10px;margin:10px 0 0}"
    ".table table{width:100%;border-collapse:collapse;font-size:13px;"
    "font-variant-numeric:tabular-nums}"
    ".table th,.table td{padding:5px 10px;text-align:right;white-space:nowrap}"
    ".table .text{text-align:left}"
    ".table thead th{position:sticky;top:0;background:#f8fafb;color:#5d6b76;font-weight:600;"
    "cursor:pointer;border-bottom:1px solid #dbe2e7}"
    ".table thead th[aria-sort]{color:#0b6e99}"
    ".table tbody tr:nth-child(even){background:#fafbfc}"
    ".plot{position:relative}.plot .rule{position:absolute;top:0;bottom:0;width:1px;"
    "background:#22303c;opacity:.5;pointer-events:none}"
    ".plot .read{position:absolute;top:8px;padding:4px 9px;border-radius:7px;"
    "background:rgba(24,32,39,.92);color:#fff;font-size:12px;pointer-events:none;"
    "white-space:nowrap;font-variant-numeric:tabular-nums}"
    ".plot{background:#fff;border:1px solid #dbe2e7;border-radius:10px;padding:8px;margin:12px 0;"
    "overflow-x:auto}.plot svg{display:block;width:100%;min-width:640px;height:auto}"
    "main .trammel{height:560px;border:1px solid #dbe2e7;border-radius:10px}"
    "ul.findings{background:#fff;border:1px solid #dbe2e7;border-radius:10px;margin:0;"
    "padding:12px 14px 12px 32px}ul.findings li{overflow-wrap:anywhere}"
    "footer.made{margin-top:40px;color:#5d6b76;font-size:13px}"
    "@media(prefers-color-scheme:dark){body{background:#14191e;color:#dfe7ed}"
    ".facts div,.table,.table thead th,ul.findings,.plot,main .trammel{background:#1b2228;"
    "border-color:#303b44}.table tbody tr:nth-child(even){background:#1f272e}"
    ".lead,.facts dt,footer.made,.table thead th{color:#93a3af}.plot .rule{background:#dfe7ed}"
    // what a drawing has in black on white
    ".plot svg rect[fill='#ffffff']{fill:none}.plot svg text{fill:#c3ced6}"
    ".plot svg [stroke='#e3e8ec']{stroke:#303b44}"
    ".plot svg [stroke='#0072b2']{stroke:#4aa8e0}.plot svg [stroke='#d55e00']{stroke:#f08a3c}}"
    "@media(max-width:700px){.facts{grid-template-columns:1fr 1fr}.table th,.table td{padding:5px "
    "7px}"
    "main{padding:20px 12px 40px}main .trammel{height:460px}}"
    "@media print{body{background:#fff}main .trammel{display:none}.table{max-height:none}}";

// ---- pieces of HTML

void put_escaped(FILE* to, const char* words)
{
    for (const char* p = words; *p != '\0'; p++) {
        switch (*p) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*p, to);
        }
    }
}

static void put_fact(FILE* to, const char* name, const char* value)
{
    fputs("<div><dt>", to);
    put_escaped(to, name);
    fputs("</dt><dd>", to);
    put_escaped(to, value);
    fputs("</dd></div>\n", to);
}

void put_item(FILE* to, const char* format, ...)
{
    char words[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    fputs("<li>", to);
    put_escaped(to, words);
    fputs("</li>\n", to);
}

// ---- facts

// When the recording was written, as the file system knows it.
static void put_date(const report* r)
{
    struct stat about;
    struct tm when;
    char value[64];
    if (stat(r->shown->recorded.path, &about) != 0 || gmtime_r(&about.st_mtime, &when) == NULL) {
        return;
    }
    strftime(value, sizeof value, "%Y-%m-%d %H:%M UTC", &when);
    put_fact(r->to, "recorded", value);
}

static void put_settings(const report* r, const tml_run_settings* s)
{
    char value[200];

    snprintf(value, sizeof value, "%s, %s", tml_formulation_name(s->sim.formulation),
             tml_integrator_name(s->sim.integrator));
    put_fact(r->to, "method", value);
    snprintf(value, sizeof value, "%g s", s->sim.step);
    put_fact(r->to, "step", value);
    snprintf(value, sizeof value, "%g", s->sim.tolerance);
    put_fact(r->to, "tolerance, m or rad", value);
}

static void put_gap(const report* r)
{
    const recorded* rec = &r->shown->recorded;
    const double* gap = report_column(rec, "gap");
    char value[64];
    if (gap == NULL) return;
    snprintf(value, sizeof value, "%.2g m or rad",
             report_largest(gap, tml_recording_row_count(rec->table), NULL));
    put_fact(r->to, "largest gap of any joint", value);
}

static void put_facts(const report* r)
{
    const recorded* rec = &r->shown->recorded;
    const tml_model* model = r->shown->stage.model;
    const int rows = tml_recording_row_count(rec->table);
    char value[200];

    fputs("<dl class=\"facts\">\n", r->to);
    snprintf(value, sizeof value, "%g s to %g s, %d states", rec->times[0], rec->times[rows - 1],
             rows);
    put_fact(r->to, "simulated", value);
    snprintf(value, sizeof value, "%d, with %d joints", tml_model_body_count(model),
             tml_model_joint_count(model));
    put_fact(r->to, "bodies", value);
    if (rec->scene != NULL) put_settings(r, tml_scene_settings(rec->scene));
    put_gap(r);
    put_date(r);
    fputs("</dl>\n", r->to);
}

// ---- findings

// What the recording itself tells.
static void put_recorded_findings(const report* r)
{
    const recorded* rec = &r->shown->recorded;
    const int rows = tml_recording_row_count(rec->table);
    const double* gap = report_column(rec, "gap");
    int broken = 0;

    for (int c = 0; c < tml_recording_column_count(rec->table); c++) {
        const double* values = tml_recording_column(rec->table, c);
        for (int i = 0; i < rows; i++) broken += !isfinite(values[i]);
    }
    if (broken > 0) put_item(r->to, "%d recorded numbers are not finite.", broken);
    if (gap != NULL) {
        put_item(r->to, "Largest gap of any joint over the whole run: %.3g.",
                 report_largest(gap, rows, NULL));
    }
    const int contacts = tml_recording_contact_count(rec->table);
    if (contacts > 0) put_item(r->to, "%d contacts were recorded.", contacts);
}

// ---- plots

static void put_sample(FILE* to, double value, int i)
{
    if (isfinite(value)) {
        fprintf(to, "%s%.6g", i > 0 ? "," : "", value);
    } else {
        fputs(i > 0 ? ",null" : "null", to);
    }
}

static void put_strings(report* r, const chart* c, bool is_units)
{
    text json = {0};
    for (int k = 0; k < c->series_count; k++) {
        text_comma(&json, k);
        text_string(&json, is_units ? c->series[k].unit : c->series[k].label);
    }
    if (json.is_broken) {
        r->lacks_memory = true;
    } else if (json.data != NULL) {
        put_escaped(r->to, json.data);
    }
    text_free(&json);
}

// The numbers behind a plot, thinned, as JSON in an attribute: the page shows them under the pointer.
static void put_samples(report* r, const chart* c)
{
    FILE* to = r->to;
    const int every = (c->count + SAMPLES_MOST - 1) / SAMPLES_MOST;
    double from;
    double to_x;

    chart_time_axis(&from, &to_x);
    fprintf(to, "{&quot;from&quot;:%.6g,&quot;to&quot;:%.6g,&quot;names&quot;:[", from, to_x);
    put_strings(r, c, false);
    fputs("],&quot;units&quot;:[", to);
    put_strings(r, c, true);
    fputs("],&quot;values&quot;:[", to);
    for (int k = -1; k < c->series_count; k++) {
        const double* values = k < 0 ? c->times : c->series[k].values;
        fputs(k < 0 ? "[" : ",[", to);
        for (int i = 0; i < c->count; i += every) put_sample(to, values[i], i);
        fputs("]", to);
    }
    fputs("]}", to);
}

// A chart of `count` series; answers how many it shows.
static int put_chart(report* r, const char* title, const chart_series* series, int count)
{
    const recorded* rec = &r->shown->recorded;
    const chart c = {.title = title,
                     .count = tml_recording_row_count(rec->table),
                     .times = rec->times,
                     .series_count = count,
                     .series = series};
    if (count == 0) return 0;
    drawing d = chart_draw(&c);
    fputs("<div class=\"plot\" data-plot=\"", r->to);
    put_samples(r, &c);
    fputs("\">\n", r->to);
    if (d.is_broken) r->lacks_memory = true;
    (void)drawing_write_svg(&d, r->to);
    fputs("</div>\n", r->to);
    drawing_free(&d);
    return count;
}

static int add_series(const recorded* rec, const char* name, chart_series* out)
{
    const int index = tml_recording_find(rec->table, name);
    if (index < 0) return 0;
    *out = (chart_series){tml_recording_column_name(rec->table, index), column_unit(rec, name),
                          tml_recording_column(rec->table, index)};
    return 1;
}

static int plot_energy(report* r)
{
    const recorded* rec = &r->shown->recorded;
    chart_series series[4];
    int count = 0;
    count += add_series(rec, "energy.kinetic", &series[count]);
    count += add_series(rec, "energy.potential", &series[count]);
    count += add_series(rec, "energy.total", &series[count]);
    return put_chart(r, "Energy", series, count);
}

typedef struct ranked {
    int joint;
    double most;
} ranked;

static int order_ranked(const void* a, const void* b)
{
    const ranked* x = a;
    const ranked* y = b;
    if (x->most != y->most) return x->most < y->most ? 1 : -1;
    return x->joint - y->joint;
}

// |force| of a joint over time; false when it was not recorded.
static bool read_force(const report* r, int joint, double* out)
{
    static const char* const suffixes[3] = {"fx", "fy", "fz"};
    const recorded* rec = &r->shown->recorded;
    const int rows = tml_recording_row_count(rec->table);
    const double* parts[3];

    for (int k = 0; k < 3; k++) {
        parts[k] = report_joint_column(rec, joint, suffixes[k]);
        if (parts[k] == NULL) return false;
    }
    for (int i = 0; i < rows; i++) {
        out[i] =
            sqrt(parts[0][i] * parts[0][i] + parts[1][i] * parts[1][i] + parts[2][i] * parts[2][i]);
    }
    return true;
}

// The joints that carry most, by the largest force that each saw.
static int plot_forces(report* r)
{
    const recorded* rec = &r->shown->recorded;
    const int joints = rec->model != NULL ? tml_model_joint_count(rec->model) : 0;
    const size_t rows = (size_t)tml_recording_row_count(rec->table);
    ranked* list = calloc((size_t)joints + 1, sizeof *list);
    chart_series series[JOINTS_SHOWN];
    int found = 0;
    int count = 0;

    r->loads = calloc((JOINTS_SHOWN + 1) * rows + 1, sizeof *r->loads);
    if (list == NULL || r->loads == NULL) r->lacks_memory = true;
    for (int j = 0; j < joints && !r->lacks_memory; j++) {
        double* scratch = r->loads + JOINTS_SHOWN * rows;
        if (!read_force(r, j, scratch)) continue;
        list[found++] = (ranked){j, report_largest(scratch, (int)rows, NULL)};
    }
    if (found > 0) qsort(list, (size_t)found, sizeof *list, order_ranked);
    for (; count < found && count < JOINTS_SHOWN; count++) {
        const tml_joint joint = {list[count].joint};
        double* values = r->loads + (size_t)count * rows;
        (void)read_force(r, joint.index, values);
        series[count] = (chart_series){tml_model_joint_name(rec->model, joint), "N", values};
    }
    free(list);
    return put_chart(
        r, found > JOINTS_SHOWN ? "Joint forces, the six joints that carry most" : "Joint forces",
        series, count);
}

// Where nothing but motion was recorded: how high the first bodies are.
static void plot_heights(report* r)
{
    const recorded* rec = &r->shown->recorded;
    const tml_model* model = r->shown->stage.model;
    chart_series series[JOINTS_SHOWN];
    int count = 0;

    for (int b = 0; b < tml_model_body_count(model) && count < JOINTS_SHOWN; b++) {
        char name[1200];
        const tml_body_def* def = tml_model_body(model, (tml_body){b});
        if (def->is_fixed) continue;
        snprintf(name, sizeof name, "%.1000s.pz", def->name);
        count += add_series(rec, name, &series[count]);
    }
    (void)put_chart(r, "Height of the first bodies", series, count);
}

static int plot_all(report* r)
{
    static chart_series asked[CHART_SERIES];
    const char* columns = option_text(r->given, "columns");

    const int shown = plot_energy(r) + plot_forces(r);
    if (shown == 0) plot_heights(r);
    if (columns == NULL) return APP_DONE;
    const int count = columns_find(&r->shown->recorded, columns, asked);
    if (count < 0) return APP_BAD_INPUT;
    (void)put_chart(r, columns, asked, count);
    return APP_DONE;
}

// ---- the page

static void put_file(const report* r, const char* name)
{
    const page_file* file = page_find(name);
    fwrite(file->data, 1, file->length, r->to);
}

static void put_replay(report* r)
{
    text data = {0};
    const stage* s = &r->shown->stage;
    const int kept = describe_replay(s, r->shown->note, REPLAY_BYTES, &data);

    fputs("<h2>Replay</h2>\n<div id=\"trammel\" class=\"trammel\"></div>\n", r->to);
    if (kept < tml_recording_row_count(r->shown->recorded.table)) {
        fprintf(r->to,
                "<p class=\"lead\">The replay holds %d of %d recorded states; the plots are "
                "made of all.</p>\n",
                kept, tml_recording_row_count(r->shown->recorded.table));
    }
    fputs("<script type=\"application/json\" id=\"trammel-data\">", r->to);
    if (data.is_broken) {
        r->lacks_memory = true;
    } else {
        fwrite(data.data, 1, data.length, r->to);
    }
    fputs("</script>\n", r->to);
    text_free(&data);
}

static int put_page(report* r)
{
    const char* title = option_text(r->given, "title");
    if (title == NULL) title = tml_model_name(r->shown->stage.model);

    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          // the file may be opened anywhere: nothing in it may reach the network
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          r->to);
    put_escaped(r->to, title);
    fputs("</title>\n<style>\n", r->to);
    put_file(r, "view.css");
    fprintf(r->to, "%s\n</style>\n</head>\n<body>\n<main>\n<h1>", style);
    put_escaped(r->to, title);
    fputs("</h1>\n<p class=\"lead\">", r->to);
    put_escaped(r->to, r->shown->recorded.path);
    fprintf(r->to, ", reported by trammel %s</p>\n", tml_version());
    put_facts(r);
    put_replay(r);
    fputs("<h2>Findings</h2>\n<ul class=\"findings\">\n", r->to);
    put_recorded_findings(r);
    put_doctor(r);
    fputs("</ul>\n", r->to);
    put_joint_table(r);
    put_motor_table(r);
    put_energy_account(r);
    fputs("<h2>Plots</h2>\n", r->to);
    const int code = plot_all(r);
    fputs("<footer class=\"made\">This page is one file and needs no network. Three.js and uPlot, "
          "both under the MIT licence, are part of it.</footer>\n</main>\n<script>\n",
          r->to);
    put_file(r, "view.js");
    fputs("\n</script>\n</body>\n</html>\n", r->to);
    return code;
}

static int write_report(shown_recording* shown, const arguments* given)
{
    char beside[4200];
    const char* path = option_text(given, "out");
    report r = {.shown = shown, .given = given};

    if (path == NULL) {
        snprintf(beside, sizeof beside, "%.*s.html", (int)strlen(shown->recorded.path) - 4,
                 shown->recorded.path);
        path = beside;
    }
    r.to = fopen(path, "wb");
    if (r.to == NULL) {
        app_error("%s: cannot be written: %s", path, strerror(errno));
        return APP_FAILED;
    }
    int code = put_page(&r);
    const long length = ftell(r.to);
    const bool is_bad = ferror(r.to) != 0;
    free(r.loads);
    if ((fclose(r.to) != 0 || is_bad) && code == APP_DONE) {
        app_error("%s: cannot be written: %s", path, strerror(errno));
        code = APP_FAILED;
    }
    if (r.lacks_memory && code == APP_DONE) {
        app_error("%s: no memory", path);
        code = APP_FAILED;
    }
    if (code != APP_DONE) {
        app_discard(path);
        return code;
    }
    printf("%s: %.1f MB, opens in any browser\n", path, (double)length / 1e6);
    return app_finish_output();
}

static int make_report(const arguments* given)
{
    shown_recording shown;
    if (is_swept(given->positionals[0])) {
        return swept_report(given->positionals[0], option_text(given, "out"));
    }
    int code =
        shown_open(given->positionals[0], option_text(given, "scene"), history_bytes, &shown);
    if (code == APP_DONE) code = write_report(&shown, given);
    shown_close(&shown);
    return code;
}

const command command_report = {
    "report",
    "RECORDING",
    "a self-contained page: replay, plots, findings",
    "Writes one HTML file with the plots of a recording, the doctor's findings about its scene and "
    "a\n"
    "replay in three dimensions. It needs no network and no server: mail it to a colleague.",
    {{sizeof report_options / sizeof report_options[0], report_options}, {0, NULL}},
    1,
    1,
    make_report,
};
