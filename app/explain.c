// app/explain.c - `trammel explain`: how a scene will be solved.
#include "app/load.h"

#include <stdio.h>
#include <stdlib.h>

static int print_explanation(const loaded* l, const tml_sim* sim)
{
    const size_t length = tml_sim_explain(sim, NULL, 0);
    char* text = malloc(length + 1);

    if (text == NULL) {
        app_error("%s: no memory", l->name);
        return APP_FAILED;
    }
    tml_sim_explain(sim, text, length + 1);
    fputs(text, stdout);
    if (length > 0 && text[length - 1] != '\n') putchar('\n');
    free(text);
    return app_finish_output();
}

static int explain(const arguments* given)
{
    loaded l;
    tml_sim* sim = NULL;
    char why[640];
    int code = load_closed(given, &l);

    if (code == APP_DONE) code = create_sim(&l, &sim, why, sizeof why);
    if (code == APP_DONE) code = print_explanation(&l, sim);
    tml_sim_destroy(sim);
    unload(&l);
    return code;
}

const command command_explain = {
    "explain",
    "SCENE",
    "how a scene will be solved: stages, sizes, solver",
    "Prints how a scene will be solved: the stages of a step, the rows of every joint, the size "
    "of\n"
    "the linear system and the solver that was picked.",
    {{0, NULL}, {OVERRIDES, override_options}},
    1,
    1,
    explain,
};
