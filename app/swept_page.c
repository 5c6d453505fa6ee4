// app/swept_page.c - one page about a sweep: what it was, surfaces, histograms, failures by reason, rows.
#include "app/report.h"
#include "app/swept.h"
#include "app/swept_script.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_SHOWN = 20000,  // of a page, evenly chosen
    COLUMNS_SHOWN = 200,
    REASONS_SHOWN = 30,
    REASON = TML_SWEEP_REASON,
};

static const char style[] =
    "body{margin:0;background:#f3f6f8;color:#22303c;font:15px/1.55 system-ui,'Segoe UI',"
    "Helvetica,Arial,sans-serif}main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}"
    "h1{margin:0;font-size:26px}h2{margin:32px 0 10px;font-size:18px}.lead{color:#5d6b76}"
    ".card{background:#fff;border:1px solid #dbe2e7;border-radius:10px;padding:12px;margin:10px 0}"
    ".both{display:grid;grid-template-columns:minmax(0,1fr) 300px;gap:12px}"
    "@media(max-width:900px){.both{grid-template-columns:minmax(0,1fr)}}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;width:100%}"
    "td,th{padding:3px 8px;text-align:right}td:first-child,th:first-child{text-align:left;"
    "overflow-wrap:anywhere}.scroll{max-height:380px;overflow:auto}"
    "select,label{margin-right:12px}#histograms canvas{margin:4px}code{font-size:12px;"
    "overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{background:#14191e;color:#dfe7ed}"
    ".card{background:#1b2228;border-color:#303b44}.lead{color:#93a3af}a{color:#6cc5ea}}";

// ---- columns: parameters, then results that are one number

typedef struct column_list {
    int arrays[COLUMNS_SHOWN];
    const char* names[COLUMNS_SHOWN];
    int count, parameters;
    int left_out;
} column_list;

static void add_column(column_list* c, const swept* s, const char* name)
{
    const int array = tml_sweep_results_find(s->results, name);
    if (array < 0 || tml_sweep_results_array(s->results, array).width != 1) {
        c->left_out++;
        return;
    }
    if (c->count == COLUMNS_SHOWN) {
        c->left_out++;
        return;
    }
    c->arrays[c->count] = array;
    c->names[c->count++] = name;
}

static void list_columns(const swept* s, column_list* c)
{
    *c = (column_list){.count = 0};
    for (int i = 0; i < s->def.parameter_count; i++) add_column(c, s, s->def.parameters[i].name);
    c->parameters = c->count;
    for (int i = 0; i < tml_sweep_column_count(s->sweep); i++) {
        const tml_sweep_column column = tml_sweep_get_column(s->sweep, i);
        if (!column.is_gradient) add_column(c, s, column.name);
    }
}

static int status_of(const swept* s, long long row)
{
    const tml_sweep_array a =
        tml_sweep_results_array(s->results, tml_sweep_results_find(s->results, "status"));
    return ((const signed char*)a.data)[row];
}

// ---- failures

typedef struct reason_group {
    char text[REASON + 1];
    long long count, first;
} reason_group;

// The sentence without its numbers: what failed for one reason is one line.
static void generalise(const char* from, char to[REASON + 1])
{
    size_t at = 0;
    for (size_t i = 0; i < REASON && from[i] != '\0' && at < REASON; i++) {
        const bool is_digit = from[i] >= '0' && from[i] <= '9';
        const bool follows = at > 0 && to[at - 1] == '#';
        const bool is_part = follows && (from[i] == '.' || from[i] == 'e' || from[i] == '-') &&
                             i + 1 < REASON && from[i + 1] >= '0' && from[i + 1] <= '9';
        if ((is_digit && follows) || is_part) continue;
        to[at++] = is_digit ? '#' : from[i];
    }
    to[at] = '\0';
}

static void put_failures(FILE* to, const swept* s)
{
    static reason_group groups[REASONS_SHOWN];
    int count = 0;
    long long failed = 0;
    long long others = 0;
    const tml_sweep_array a =
        tml_sweep_results_array(s->results, tml_sweep_results_find(s->results, "reason"));
    if (a.data == NULL || a.item != REASON) return;
    for (long long row = 0; row < a.rows; row++) {
        char text[REASON + 1];
        if (status_of(s, row) != TML_ROW_FAILED) continue;
        failed++;
        generalise((const char*)a.data + (size_t)row * REASON, text);
        int i = 0;
        while (i < count && strcmp(groups[i].text, text) != 0) i++;
        if (i == REASONS_SHOWN) {
            others++;
            continue;
        }
        if (i == count) {
            groups[count] = (reason_group){.first = row};
            memcpy(groups[count++].text, text, sizeof text);
        }
        groups[i].count++;
    }
    fprintf(to, "<h2>Failures</h2>\n<div class=\"card\">");
    if (failed == 0) fputs("No row failed.", to);
    if (failed > 0) fputs("<table><tr><th>reason</th><th>rows</th><th>the first</th></tr>\n", to);
    for (int i = 0; i < count; i++) {
        fputs("<tr><td>", to);
        put_escaped(to, groups[i].text);
        fprintf(to, "</td><td>%lld</td><td>%lld</td></tr>\n", groups[i].count, groups[i].first);
    }
    if (others > 0) fprintf(to, "<tr><td>other reasons</td><td>%lld</td><td></td></tr>\n", others);
    fputs(failed > 0 ? "</table></div>\n" : "</div>\n", to);
}

// ---- summary

static void put_summary(FILE* to, const swept* s, const column_list* c)
{
    const long long rows = tml_sweep_results_row_count(s->results);
    fputs("<h2>Columns</h2>\n<div class=\"card scroll\"><table><tr><th>column</th><th>least</th>"
          "<th>mean</th><th>standard deviation</th><th>largest</th></tr>\n",
          to);
    for (int k = 0; k < c->count; k++) {
        double sum = 0.0;
        double squares = 0.0;
        double least = (double)INFINITY;
        double largest = -(double)INFINITY;
        long long count = 0;
        for (long long row = 0; row < rows; row++) {
            const double x = tml_sweep_results_number(s->results, c->arrays[k], row, 0);
            if (!isfinite(x)) continue;
            // about the running mean: no digits are lost where the spread is small
            count++;
            const double off = x - sum;
            sum += off / (double)count;
            squares += off * (x - sum);
            least = fmin(least, x);
            largest = fmax(largest, x);
        }
        fputs("<tr><td>", to);
        put_escaped(to, c->names[k]);
        if (count > 0) {
            fprintf(to, "</td><td>%.6g</td><td>%.6g</td><td>%.4g</td><td>%.6g</td></tr>\n", least,
                    sum, count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0, largest);
        } else {
            fputs("</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>\n", to);
        }
    }
    fputs("</table></div>\n", to);
    if (c->left_out > 0) {
        fprintf(to,
                "<p class=\"lead\">%d more columns are in the file: series, and what is beyond "
                "%d columns.</p>\n",
                c->left_out, (int)COLUMNS_SHOWN);
    }
}

// ---- data of the script

// Inside of a script element: no "</", and what JSON asks for.
static void put_json_text(FILE* to, const char* text)
{
    fputc('"', to);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '<' || c < 0x20) {
            fprintf(to, "\\u%04x", c);
        } else {
            fputc(c, to);
        }
    }
    fputc('"', to);
}

static void put_data(FILE* to, const swept* s, const column_list* c, long long every,
                     bool is_served)
{
    const long long rows = tml_sweep_results_row_count(s->results);
    fprintf(to, "<script type=\"application/json\" id=\"data\">{\"served\":%s,\"file\":",
            is_served ? "true" : "false");
    put_json_text(to, s->path);
    fprintf(to, ",\"parameters\":%d,\"names\":[", c->parameters);
    for (int k = 0; k < c->count; k++) {
        if (k > 0) fputc(',', to);
        put_json_text(to, c->names[k]);
    }
    fputs("],\"rows\":[", to);
    for (long long row = 0; row < rows; row += every)
        fprintf(to, "%s%lld", row > 0 ? "," : "", row);
    fputs("],\"status\":[", to);
    for (long long row = 0; row < rows; row += every) {
        fprintf(to, "%s%d", row > 0 ? "," : "", status_of(s, row));
    }
    fputs("],\"columns\":[", to);
    for (int k = 0; k < c->count; k++) {
        fputs(k > 0 ? ",[" : "[", to);
        for (long long row = 0; row < rows; row += every) {
            const double x = tml_sweep_results_number(s->results, c->arrays[k], row, 0);
            if (row > 0) fputc(',', to);
            if (isfinite(x)) {
                fprintf(to, "%.7g", x);
            } else {
                fputs("null", to);
            }
        }
        fputc(']', to);
    }
    fputs("]}</script>\n", to);
}

static void put_counts(FILE* to, const swept* s, long long every)
{
    const long long rows = tml_sweep_results_row_count(s->results);
    long long failed = 0;
    for (long long row = 0; row < rows; row++) failed += status_of(s, row) == TML_ROW_FAILED;
    fprintf(to,
            "<p class=\"lead\">%lld rows of %d parameters; %lld done, %lld failed. %d steps of %g "
            "s each, %s, %s; "
            "trammel %s.",
            rows, s->def.parameter_count, rows - failed, failed, s->def.steps,
            tml_scene_settings(s->scene)->sim.step,
            tml_formulation_name(tml_scene_settings(s->scene)->sim.formulation),
            tml_integrator_name(tml_scene_settings(s->scene)->sim.integrator), tml_version());
    if (every > 1) {
        fprintf(to, " The plots hold every %lldth row; the tables are made of all.", every);
    }
    fputs("</p>\n", to);
}

void swept_put_page(FILE* to, const swept* s, bool is_served)
{
    column_list columns = {.count = 0};
    column_list* c = &columns;
    const long long rows = tml_sweep_results_row_count(s->results);
    const long long every = (rows + ROWS_SHOWN - 1) / ROWS_SHOWN;
    list_columns(s, c);
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"referrer\" content=\"no-referrer\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          to);
    put_escaped(to, tml_model_name(s->model));
    fprintf(to, " - sweep</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    put_escaped(to, tml_model_name(s->model));
    fputs(", a sweep</h1>\n", to);
    put_counts(to, s, every);
    fputs(
        "<h2>Response</h2>\n<div class=\"both\"><div class=\"card\"><label>x <select id=\"x\">"
        "</select></label><label>y <select id=\"y\"></select></label><label>colour <select "
        "id=\"z\">"
        "</select></label><label><input type=\"checkbox\" id=\"surface\"> surface of means</label>"
        "<canvas id=\"plane\"></canvas></div>\n"
        "<div class=\"card\"><b id=\"row\"></b><p><code id=\"open\"></code></p>"
        "<div class=\"scroll\"><table id=\"numbers\"></table></div></div></div>\n"
        "<p class=\"lead\">A click chooses the nearest row. Rows that failed are red.</p>\n"
        "<h2>Histograms</h2>\n<div class=\"card\" id=\"histograms\"></div>\n",
        to);
    put_failures(to, s);
    put_summary(to, s, c);
    fputs("</main>\n", to);
    put_data(to, s, c, every < 1 ? 1 : every, is_served);
    fprintf(to, "<script>\n%s\n</script>\n</body>\n</html>\n", (const char*)swept_files[0].data);
}
