// bench/scenes/chains.c - horizontal chains let go, by every formulation: cost, energy, gap.
//
//     bench/chains [STEP]      seconds a step, 0.01 by default
//
// Boxes are cylinders of 1 m and 1 kg here; the energy error is stated over m g L n^2 / 2, the drop from
// the horizontal to hanging. Times are the processor's, of stepping alone. Other engines (MuJoCo, DART,
// Simbody, Bullet) are not part of this program: it says so instead of leaving the lines out.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct method {
    tml_formulation formulation;
    tml_integrator integrator;
} method;

static const method methods[] = {
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4},
    {TML_FORM_QUATERNION, TML_TIME_BDF2},
    {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER},
    {TML_FORM_GENERALIZED, TML_TIME_RK4},
};

enum {
    METHODS = sizeof methods / sizeof *methods
};

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static tml_scene* chain(int links, const char* joint)
{
    char text[512];
    tml_scene* scene = tml_scene_create();
    snprintf(
        text, sizeof text,
        "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"chain\", \"name\": \"c\", "
        "\"links\": %d, \"joint\": \"%s\", \"link\": {\"length\": 1, \"radius\": 0.05, \"mass\": "
        "1}, \"pose\": \"horizontal\", \"anchored\": true}]}",
        links, joint);
    if (scene == NULL || tml_scene_read_text(scene, text, strlen(text), "chains") != TML_OK) {
        fprintf(stderr, "chains: %s\n", scene != NULL ? tml_scene_message(scene) : "no memory");
        exit(1);
    }
    return scene;
}

static double energy_of(const tml_sim* sim)
{
    const tml_energy e = tml_sim_energy(sim);
    return e.kinetic + e.potential;
}

static void run_method(const tml_model* model, const method* m, double step, int links)
{
    tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = NULL;
    const double scale = 0.5 * 9.81 * links * links;
    const int count = (int)lround(4.0 / step);  // before the end of a long chain cracks like a whip
    double worst = 0.0;
    double seconds = 0.0;
    int done = 0;

    settings.formulation = m->formulation;
    settings.integrator = m->integrator;
    settings.step = step;
    tml_status status = tml_sim_create(model, &settings, &sim);
    const double before = status == TML_OK ? energy_of(sim) : 0.0;
    while (status == TML_OK && done < count && worst < 10.0) {
        const double begin = processor_seconds();
        status = tml_sim_step(sim, NULL);
        seconds += processor_seconds() - begin;
        if (status != TML_OK) break;
        done++;
        const double off = fabs(energy_of(sim) - before) / scale;
        if (!(off <= worst)) worst = off;
    }
    const tml_sim_report report = tml_sim_get_report(sim);
    printf("  %-12s %-20s %8.3f us a link and step, |dE| %.1e, gap %.1e, %s",  //
           tml_formulation_name(m->formulation), tml_integrator_name(m->integrator),
           1e6 * seconds / (done > 0 ? done : 1) / links, worst, report.max_gap, report.solver);
    if (done < count) printf(", ended at %.2f s: %.60s", done * step, tml_sim_message(sim));
    printf("\n");
    tml_sim_destroy(sim);
}

int main(int argc, char** argv)
{
    static const int sizes[] = {10, 100};
    static const char* const joints[] = {"revolute", "spherical"};
    const double step = argc > 1 ? strtod(argv[1], NULL) : 0.01;
    if (!(step > 0.0)) {
        fprintf(stderr, "chains: a step in seconds, not '%s'\n", argv[1]);
        return 2;
    }
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
            tml_model* model = NULL;
            tml_scene* scene = chain(sizes[i], joints[j]);
            if (tml_scene_build(scene, &model) != TML_OK) {
                fprintf(stderr, "chains: %s\n", tml_scene_message(scene));
                return 1;
            }
            printf("%d links, %s joints, 4 s at %g s\n", sizes[i], joints[j], step);
            for (int k = 0; k < METHODS; k++) run_method(model, &methods[k], step, sizes[i]);
            tml_model_destroy(model);
            tml_scene_destroy(scene);
        }
    }
    printf("other engines: not part of this build\n");
    return 0;
}
