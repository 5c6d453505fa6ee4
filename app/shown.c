// app/shown.c - puts a recording on a stage; without its scene, bodies are told from the columns.
#include "app/shown.h"

#include <stdio.h>
#include <string.h>

// A body for every "NAME.px" of the table: small cubes, because nothing more is known.
static int build_plain(shown_recording* s)
{
    const tml_recording* table = s->recorded.table;
    tml_status status = TML_NO_MEMORY;

    s->plain_spec = tml_spec_create();
    if (s->plain_spec != NULL) {
        tml_spec_set_name(s->plain_spec, s->recorded.path);
        for (int i = 0; i < tml_recording_column_count(table); i++) {
            const char* name = tml_recording_column_name(table, i);
            const size_t length = strlen(name);
            char body[1024];
            if (length < 4 || length > sizeof body || strcmp(name + length - 3, ".px") != 0) {
                continue;
            }
            snprintf(body, sizeof body, "%.*s", (int)length - 3, name);
            tml_body_def def = tml_body_def_default();
            def.name = body;
            tml_spec_add_body(s->plain_spec, &def);
        }
        status = tml_spec_build(s->plain_spec, &s->plain);
    }
    if (status != TML_OK) {
        app_error("%s: %s", s->recorded.path,
                  s->plain_spec != NULL ? tml_spec_message(s->plain_spec) : "no memory");
        return app_exit_code(status);
    }
    snprintf(s->note, sizeof s->note,
             "%.400s is not there, so bodies are shown as plain cubes without joints (--scene "
             "names it)",
             s->recorded.scene_path);
    return APP_DONE;
}

int shown_open(const char* path, const char* scene_path, size_t budget, shown_recording* out)
{
    *out = (shown_recording){0};
    int code = recorded_load(path, scene_path, &out->recorded);
    if (code == APP_DONE && out->recorded.model == NULL) code = build_plain(out);
    if (code != APP_DONE) return code;

    const tml_model* model = out->recorded.model != NULL ? out->recorded.model : out->plain;
    const tml_status status = stage_open_recording(&out->stage, model, out->recorded.table, budget);
    if (status != TML_OK) {
        app_error("%s: %s", path, tml_status_name(status));
        return app_exit_code(status);
    }
    return APP_DONE;
}

void shown_close(shown_recording* s)
{
    stage_close(&s->stage);
    tml_model_destroy(s->plain);
    tml_spec_destroy(s->plain_spec);
    recorded_free(&s->recorded);
}
