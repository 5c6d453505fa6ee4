// The public robot models against the numbers that MuJoCo computed for them, and what each lacks.
// Needs ../shared/models; skipped without it.
#include "test/check.h"
#include "test/io/model_list.h"
#include "test/io/oracle.h"
#include "test_paths.h"

#define MODELS TEST_SOURCE_DIR "/../shared/models/"

static int has_models(void)
{
    FILE* file = fopen(MODELS "README.md", "rb");
    if (file != NULL) fclose(file);
    return file != NULL;
}

static double worst_of(const oracle_report* r)
{
    double worst = tml__larger(r->mass, r->inertia);
    worst = tml__larger(worst, r->pose);
    worst = tml__larger(worst, r->matrix);
    return tml__larger(worst, r->bias);
}

static oracle_report compare(const model_entry* e)
{
    char model[300];
    char oracle[300];
    const char* ending = strcmp(e->kind, "mjcf") == 0 ? "xml" : e->kind;
    snprintf(model, sizeof model, MODELS "%s/%s/%s.%s", e->kind, e->folder, e->file, ending);
    snprintf(oracle, sizeof oracle, MODELS "oracle/%s/%s--%s.json", e->kind, e->folder, e->file);
    return oracle_compare(model, oracle);
}

static void print_row(const model_entry* e, const oracle_report* r)
{
    char result[120];
    if (e->refusal != NULL) {
        snprintf(result, sizeof result, "refused: %s", e->refusal);
    } else if (r->compared > 0) {
        snprintf(result, sizeof result, "%.1e", worst_of(r));
    } else {
        snprintf(result, sizeof result, "no oracle");
    }
    printf("| %s/%s/%s | %d | %d | %s | %s |\n", e->kind, e->folder, e->file, r->bodies, r->joints,
           result, r->lint);
}

// Every model is loaded, or refused for the reason that the README of the set gives. The oracle's
// numbers have 12 digits, so 1e-9 of the largest of a kind leaves room for sums over a robot.
TEST(every_public_model_loads_and_agrees_with_its_oracle)
{
    if (!has_models()) SKIP("../shared/models is not there");
    printf("| model | bodies | joints | worst difference | not simulated, or taken otherwise |\n"
           "|---|---|---|---|---|\n");
    for (int i = 0; i < ENTRIES; i++) {
        const model_entry* e = &entries[i];
        const oracle_report r = compare(e);
        print_row(e, &r);
        if (e->refusal != NULL) {
            CHECK_CONTAINS(r.message, e->refusal);
            continue;
        }
        CHECK_TEXT(r.message, "");
        // MuJoCo turns the inertia of a mesh, at density 1, to principal axes and stops when its
        // products are below 1e-12 m^5. The moments about these axes agree like everything else,
        // because they feel the turn that is missing by its square; the products that MuJoCo drops
        // are below 1e-12 times the density, at most 1000 kg/m^3 here.
        oracle_report exact = r;
        if (e->weighs_meshes) {
            CHECK_NEAR(r.moments, 0.0, 1e-11);
            CHECK_NEAR(r.products, 0.0, 1e-12 * 1000.0);
            printf("%s: moments off by %.1e, products %.1e kg m^2\n", e->file, r.moments,
                   r.products);
            exact.inertia = 0.0;
        }
        CHECK_NEAR(worst_of(&exact), 0.0, 1e-9);
        if (r.equalities > 0) {
            printf("equalities of %s: %d, off by %.1e\n", e->file, r.equalities, r.equality);
        }
        CHECK_NEAR(r.equality, 0.0, 1e-9);
    }
}
