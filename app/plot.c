// app/plot.c - `trammel plot`: columns of a recording over time, as SVG or PNG.
#include "app/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const double png_scale = 2.0;  // pixels a point: sharp on every screen

static const option plot_options[] = {
    {"columns", OPTION_TEXT, "LIST", "names with commas, '*' for anything: rod.p*,gap", 0, 0},
    {"out", OPTION_TEXT, "FILE", "write FILE (.svg, .png); X.svg beside X.csv by default", 0, 0},
    {"title", OPTION_TEXT, "TEXT", "above the plot; the file's name by default", 0, 0},
    {"scene", OPTION_TEXT, "SCENE", "of the recording, where X.scene.json is not beside it", 0, 0},
};

// What people look at first, of what was recorded.
static const char* usual_columns(const recorded* r)
{
    if (tml_recording_find(r->table, "energy.total") >= 0) return "energy.*";
    if (tml_recording_find(r->table, "gap") >= 0) return "gap";
    return NULL;
}

// The coordinates of the first body, when nothing better is known.
static const char* first_columns(const recorded* r, char* room, size_t capacity)
{
    const char* usual = usual_columns(r);
    if (usual != NULL) return usual;
    const char* name =
        tml_recording_column_count(r->table) > 1 ? tml_recording_column_name(r->table, 1) : "*";
    const char* point = strrchr(name, '.');
    if (point == NULL || point[1] != 'p') {
        snprintf(room, capacity, "%s", name);
    } else {
        snprintf(room, capacity, "%.*s.p*", (int)(point - name), name);
    }
    return room;
}

static bool write_picture(const drawing* d, const char* path, bool is_png)
{
    FILE* to = fopen(path, "wb");
    if (to == NULL) {
        app_error("%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    errno = 0;
    bool is_written = is_png ? drawing_write_png(d, png_scale, to) : drawing_write_svg(d, to);
    const int error = errno;
    errno = error;
    if (fclose(to) != 0) is_written = false;
    if (!is_written) {
        app_error("%s: cannot be written: %s", path, errno != 0 ? strerror(errno) : "no memory");
        app_discard(path);
    }
    return is_written;
}

static int plot_recorded(const recorded* r, const arguments* given)
{
    static chart_series series[CHART_SERIES];
    char room[1200];
    char out[4200];
    const char* columns = option_text(given, "columns");
    const char* path = option_text(given, "out");
    const char* title = option_text(given, "title");

    if (columns == NULL) columns = first_columns(r, room, sizeof room);
    if (path == NULL) {
        snprintf(out, sizeof out, "%.*s.svg", (int)strlen(r->path) - 4, r->path);
        path = out;
    }
    const char* dot = strrchr(path, '.');
    const bool is_png = dot != NULL && strcmp(dot, ".png") == 0;
    if (!is_png && (dot == NULL || strcmp(dot, ".svg") != 0)) {
        app_error("--out %s: plots are written as .svg or .png", path);
        return APP_BAD_INPUT;
    }
    chart c = {.title = title != NULL ? title : r->path,
               .count = tml_recording_row_count(r->table),
               .times = r->times,
               .series = series};
    c.series_count = columns_find(r, columns, series);
    if (c.series_count < 0) return APP_BAD_INPUT;

    drawing d = chart_draw(&c);
    const bool is_written = write_picture(&d, path, is_png);
    drawing_free(&d);
    if (!is_written) return APP_FAILED;
    printf("%s: %d column%s, %d states\n", path, c.series_count, c.series_count == 1 ? "" : "s",
           c.count);
    return app_finish_output();
}

static int plot(const arguments* given)
{
    recorded r;
    int code = recorded_load(given->positionals[0], option_text(given, "scene"), &r);
    if (code == APP_DONE) code = plot_recorded(&r, given);
    recorded_free(&r);
    return code;
}

const command command_plot = {
    "plot",
    "RECORDING",
    "columns of a recording over time, as SVG or PNG",
    "Plots columns of a recording (.csv, .npz) over time; columns of one unit share a panel.\n"
    "Without --columns it takes the energies, or the gap, or the first body's position.",
    {{sizeof plot_options / sizeof plot_options[0], plot_options}, {0, NULL}},
    1,
    1,
    plot,
};
