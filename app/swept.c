// app/swept.c - results of a sweep opened again: everything that a row was made from is in the file.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; mkdtemp

#include "app/swept.h"

#include "app/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool is_plain_file(const char* path)
{
    struct stat at;
    return stat(path, &at) == 0 && S_ISREG(at.st_mode);
}

// The first member of the archive is the marks of the rows.
bool is_swept(const char* path)
{
    static const char first[] = "status.npy";
    char head[64] = "";
    FILE* file = is_plain_file(path) ? fopen(path, "rb") : NULL;
    if (file == NULL) return false;
    const size_t length = fread(head, 1, sizeof head, file);
    fclose(file);
    return length == sizeof head && memcmp(head, "PK\3\4", 4) == 0 &&
           memcmp(head + 30, first, sizeof first - 1) == 0;
}

static int open_sweep(swept* s)
{
    char why[1024] = "";
    size_t scene_length = 0;
    size_t sweep_length = 0;
    const char* scene = tml_sweep_results_text(s->results, "scene.json", &scene_length);
    const char* sweep = tml_sweep_results_text(s->results, "sweep.json", &sweep_length);
    if (scene == NULL || sweep == NULL) {
        app_error("%s: it does not say what it was made from", s->path);
        return APP_BAD_INPUT;
    }
    s->scene = tml_scene_create();
    tml_status status = s->scene != NULL ? TML_OK : TML_NO_MEMORY;
    if (status == TML_OK) {
        status = tml_scene_read_text(s->scene, scene, scene_length, "scene.json");
        if (status == TML_OK) status = tml_scene_build(s->scene, &s->model);
        if (status != TML_OK) snprintf(why, sizeof why, "%s", tml_scene_message(s->scene));
    }
    if (status == TML_OK) {
        const tml_run_settings* run = tml_scene_settings(s->scene);
        status = tml_sweep_read_text(sweep, sweep_length, "sweep.json", s->model, run->sim.step,
                                     run->duration, &s->def, why, sizeof why);
    }
    if (status == TML_OK) {
        status = tml_sweep_create(s->model, &tml_scene_settings(s->scene)->sim, &s->def, &s->sweep);
        if (status != TML_OK) snprintf(why, sizeof why, "%s", tml_sweep_message(s->sweep));
    }
    if (status == TML_OK) return APP_DONE;
    app_error("%s: %s", s->path, why[0] != '\0' ? why : "no memory");
    return app_exit_code(status);
}

int swept_open(const char* path, swept* out)
{
    char why[1024];
    *out = (swept){.path = path};
    const tml_status status = tml_sweep_results_read(path, why, sizeof why, &out->results);
    if (status == TML_OK) return open_sweep(out);
    app_error("%s", why);
    return app_exit_code(status);
}

void swept_close(swept* s)
{
    tml_sweep_destroy(s->sweep);
    tml_sweep_def_destroy(&s->def);
    tml_model_destroy(s->model);
    tml_scene_destroy(s->scene);
    tml_sweep_results_destroy(s->results);
}

// ---- a row once more

int swept_record_row(const swept* s, long long row, char path[4096])
{
    const char* folder = getenv("TMPDIR");
    char place[4000];
    snprintf(place, sizeof place, "%s/trammel-row-XXXXXX",
             folder != NULL && folder[0] == '/' ? folder : "/tmp");
    path[0] = '\0';
    if (row < 0 || row >= tml_sweep_row_count(s->sweep)) {
        app_error("%s: there is no row %lld, the last is %lld", s->path, row,
                  tml_sweep_row_count(s->sweep) - 1);
        return APP_BAD_INPUT;
    }
    if (mkdtemp(place) == NULL) {
        app_error("%s: %s", place, strerror(errno));
        return APP_BAD_INPUT;
    }
    snprintf(path, 4096, "%s/row-%lld.npz", place, row);
    const int all = TML_RECORD_POSE | TML_RECORD_VELOCITY | TML_RECORD_JOINTS | TML_RECORD_ENERGY |
                    TML_RECORD_GAP | TML_RECORD_CONTACTS;
    const int code = sweep_record_row(s->sweep, s->scene, row, path, all);
    // a run that failed is there up to its failure, which is what one wants to look at
    return code == APP_FAILED ? APP_DONE : code;
}

void swept_forget_row(const char* path)
{
    char beside[4096];
    if (path[0] == '\0') return;
    char* slash = strrchr(path, '/');
    (void)unlink(path);
    snprintf(beside, sizeof beside, "%.*s.scene.json", (int)(strlen(path) - 4), path);
    (void)unlink(beside);
    snprintf(beside, sizeof beside, "%.*s.html", (int)(strlen(path) - 4), path);
    (void)unlink(beside);
    snprintf(beside, sizeof beside, "%.*s", (int)(slash - path), path);
    (void)rmdir(beside);
}

// ---- report

int swept_report(const char* path, const char* out)
{
    char beside[4200];
    swept s;
    int code = swept_open(path, &s);
    if (code == APP_DONE) {
        if (out == NULL) {
            snprintf(beside, sizeof beside, "%.*s.html", (int)strlen(path) - 4, path);
            out = beside;
        }
        FILE* to = fopen(out, "wb");
        bool is_good = to != NULL;
        long length = 0;
        if (is_good) {
            swept_put_page(to, &s, false);
            length = ftell(to);
            is_good = !ferror(to);
            is_good = fclose(to) == 0 && is_good;
        }
        if (!is_good) {
            app_error("%s: cannot be written: %s", out, strerror(errno));
            if (to != NULL) app_discard(out);
            code = APP_FAILED;
        } else {
            printf("%s: %.1f MB, opens in any browser\n", out, (double)length / 1e6);
            code = app_finish_output();
        }
    }
    swept_close(&s);
    return code;
}
