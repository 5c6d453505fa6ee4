// app/recorded.c - finds a recording's scene, its columns and their units.
#include "app/recorded.h"

#include <stdio.h>
#include <string.h>

static bool ends_with(const char* text, const char* ending)
{
    const size_t n = strlen(text);
    const size_t m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

bool is_recording(const char* path) { return ends_with(path, ".csv") || ends_with(path, ".npz"); }

// ---- loading

static int load_scene(recorded* r)
{
    r->scene = tml_scene_create();
    if (r->scene == NULL) {
        app_error("%s: no memory", r->scene_path);
        return APP_FAILED;
    }
    tml_status status = tml_scene_read_file(r->scene, r->scene_path);
    if (status == TML_OK) status = tml_scene_build(r->scene, &r->model);
    if (status == TML_OK) return APP_DONE;
    app_error("%s", tml_scene_message(r->scene));
    return app_exit_code(status);
}

int recorded_load(const char* path, const char* scene_path, recorded* out)
{
    char why[1200];

    *out = (recorded){.path = path};
    if (!is_recording(path)) {
        app_error(
            "%s: recordings end with .csv or .npz ('trammel run SCENE --out X.csv' makes one)",
            path);
        return APP_BAD_INPUT;
    }
    const tml_status status = tml_recording_read_file(path, why, sizeof why, &out->table);
    if (status != TML_OK) {
        app_error("%s", why);
        return app_exit_code(status);
    }
    if (tml_recording_row_count(out->table) == 0) {
        app_error("%s: there is no recorded state in it", path);
        return APP_BAD_INPUT;
    }
    out->times = tml_recording_column(out->table, tml_recording_find(out->table, "t"));
    const int length = scene_path != NULL
                           ? snprintf(out->scene_path, sizeof out->scene_path, "%s", scene_path)
                           : snprintf(out->scene_path, sizeof out->scene_path, "%.*s.scene.json",
                                      (int)strlen(path) - 4, path);
    if (length >= (int)sizeof out->scene_path) {
        app_error("%s: the name of its scene is too long", path);
        return APP_BAD_INPUT;
    }
    if (scene_path == NULL && !file_exists(out->scene_path)) return APP_DONE;
    return load_scene(out);
}

void recorded_free(recorded* r)
{
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
    tml_recording_destroy(r->table);
    *r = (recorded){0};
}

// ---- units

// A free coordinate of a joint: a length or an angle, which only the scene knows.
static const char* unit_of_coordinate(const recorded* r, const char* name, size_t length, int index)
{
    char joint[1024];
    tml_axis axes[TML_AXES];

    if (r->model == NULL || length >= sizeof joint) return "m, rad";
    snprintf(joint, sizeof joint, "%.*s", (int)length, name);
    const tml_joint found = tml_model_find_joint(r->model, joint);
    if (found.index < 0 || index >= tml_model_joint_axes(r->model, found, axes)) return "m, rad";
    return (int)axes[index] < 3 ? "m" : "rad";
}

// Of a column that ends with ".tx.rate" or the like.
static const char* unit_of_rate(const char* name, const char* end)
{
    if (end - name < 3 || end[-3] != '.') return "";
    return end[-2] == 't' ? "m/s" : end[-2] == 'r' ? "rad/s" : "";
}

const char* column_unit(const recorded* r, const char* name)
{
    static const struct {
        const char* letters;
        const char* unit;
    } units[] = {{"p", "m"},   {"v", "m/s"}, {"w", "rad/s"}, {"f", "N"},
                 {"m", "N m"}, {"t", "m"},   {"r", "rad"}};
    const char* point = strrchr(name, '.');

    // a panel of its own: gaps are lengths, but nine orders of magnitude below the others
    if (strcmp(name, "gap") == 0) return "m of gap";
    if (strcmp(name, "t") == 0) return "s";
    if (point == NULL) return "";
    if (strncmp(name, "energy.", 7) == 0) return "J";
    if (strcmp(point, ".rate") == 0) return unit_of_rate(name, point);
    const char* suffix = point + 1;
    if (strlen(suffix) != 2) return "";
    if (suffix[0] == 'q' && suffix[1] >= '0' && suffix[1] <= '5') {
        return unit_of_coordinate(r, name, (size_t)(point - name), suffix[1] - '0');
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (suffix[0] == units[i].letters[0] && strchr("xyz", suffix[1]) != NULL) {
            return units[i].unit;
        }
    }
    return suffix[0] == 'q' ? "1" : "";
}

// ---- columns by name

// '*' stands for anything. Linear: on a mismatch only the last star moves on.
static bool matches(const char* pattern, size_t length, const char* name)
{
    size_t p = 0;
    size_t star = length;  // none yet
    const char* resume = NULL;

    while (*name != '\0') {
        if (p < length && pattern[p] == '*') {
            star = p++;
            resume = name;
        } else if (p < length && pattern[p] == *name) {
            p++;
            name++;
        } else if (resume != NULL) {
            p = star + 1;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (p < length && pattern[p] == '*') p++;
    return p == length;
}

static void refuse_column(const recorded* r, const char* word, size_t length)
{
    char name[256];
    char hint[600];

    snprintf(name, sizeof name, "%.*s", (int)(length < 200 ? length : 200), word);
    nearest best = nearest_to(name);
    for (int i = 0; i < tml_recording_column_count(r->table); i++) {
        nearest_offer(&best, tml_recording_column_name(r->table, i));
    }
    nearest_hint(&best, "", hint, sizeof hint);
    app_error("%s has no column '%s'%s%s", r->path, name, hint,
              hint[0] == '\0' ? " (its first line names them; '--columns \"*.fx\"' takes all that "
                                "end with .fx)"
                              : "");
}

int columns_find(const recorded* r, const char* list, chart_series out[CHART_SERIES])
{
    int count = 0;

    for (const char* p = list;; p++) {
        const size_t length = strcspn(p, ",");
        int found = 0;
        for (int i = 0; i < tml_recording_column_count(r->table); i++) {
            const char* name = tml_recording_column_name(r->table, i);
            if (strcmp(name, "t") == 0 || !matches(p, length, name)) continue;
            found++;
            if (count == CHART_SERIES) {
                app_error("--columns '%s' names more than %d columns; that is no plot", list,
                          CHART_SERIES);
                return -1;
            }
            out[count++] =
                (chart_series){name, column_unit(r, name), tml_recording_column(r->table, i)};
        }
        if (found == 0) {
            refuse_column(r, p, length);
            return -1;
        }
        p += length;
        if (*p == '\0') break;
    }
    return count;
}
