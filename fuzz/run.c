// fuzz/run.c - any bytes as a scene that is run: libFuzzer looks for those that crash.
//
// What can be read and built, and is small, is made a simulation of in each formulation, stepped, saved,
// spoilt and restored. A state that is refused must leave the simulation as it was, bit for bit, and one
// that is taken must go on to the same bits: where that is not so the target aborts.
#include <trammel/trammel.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum {
    BODIES_MOST = 8,
    SHAPES_MOST = 12,
    VERTICES_MOST = 40,
    CONTACTS_MOST = 200,
    STEPS_BEFORE = 2,  // the state that is saved
    STEPS_AFTER = 1,
    SPOILS = 6
};

static void expect(int condition)
{
    if (!condition) abort();
}

// ---- what is small enough to be run some thousand times

static int is_small(const tml_model* model)
{
    int shapes = 0;
    int vertices = 0;
    tml_model_world_shapes(model, &shapes);
    for (int i = 0; i < tml_model_body_count(model); i++) {
        shapes += tml_model_body(model, (tml_body){i})->shape_count;
    }
    for (int i = 0; i < tml_model_deformable_count(model); i++) {
        vertices += tml_model_deformable(model, i)->vertex_count;
    }
    return tml_model_body_count(model) <= BODIES_MOST && shapes <= SHAPES_MOST &&
           vertices <= VERTICES_MOST && tml_model_joint_count(model) <= 2 * BODIES_MOST;
}

// ---- bytes of a state

typedef struct saved {
    size_t size;
    unsigned char *first, *now, *spoilt;
} saved;

static int take_memory(saved* s, const tml_sim* sim)
{
    s->size = tml_sim_state_size(sim);
    s->first = malloc(s->size + 1);
    s->now = malloc(s->size + 1);
    s->spoilt = malloc(s->size + 1);
    return s->first != NULL && s->now != NULL && s->spoilt != NULL;
}

static void free_memory(saved* s)
{
    free(s->first);
    free(s->now);
    free(s->spoilt);
}

// The state after `steps` steps into `out`; whether all were accepted.
static int advance(tml_sim* sim, int steps, unsigned char* out)
{
    int is_good = 1;
    for (int k = 0; k < steps && is_good; k++) is_good = tml_sim_step(sim, NULL) == TML_OK;
    expect(tml_sim_save(sim, out) == TML_OK);
    return is_good;
}

// Bytes of the state changed in places that the input says; sometimes it is cut.
static void spoil(tml_sim* sim, saved* s, const uint8_t* data, size_t size, size_t round)
{
    size_t length = s->size;
    memcpy(s->spoilt, s->first, s->size);
    for (size_t k = 0; k < 1 + round; k++) {
        const size_t at = (size_t)data[(7 * round + k) % size] * 257 + data[(11 * round + k) % size];
        s->spoilt[at % s->size] ^= (unsigned char)(1u << (data[(3 * round + k) % size] & 7));
    }
    if (round == SPOILS - 1) length = s->size / 2;
    expect(tml_sim_save(sim, s->now) == TML_OK);
    const tml_status status = tml_sim_restore(sim, s->spoilt, length);
    const int is_same = length == s->size && memcmp(s->spoilt, s->first, s->size) == 0;
    expect((status == TML_OK) == is_same);
    expect(tml_sim_save(sim, s->spoilt) == TML_OK);
    expect(memcmp(s->spoilt, is_same ? s->first : s->now, s->size) == 0);
}

static void run(tml_sim* sim, const uint8_t* data, size_t size)
{
    saved s = {0};
    if (take_memory(&s, sim)) {
        (void)advance(sim, STEPS_BEFORE, s.first);
        const int is_good = advance(sim, STEPS_AFTER, s.now);
        unsigned char* after = malloc(s.size + 1);
        if (after != NULL) {
            memcpy(after, s.now, s.size);
            for (size_t k = 0; k < SPOILS; k++) spoil(sim, &s, data, size, k);
            // the same bits from the same state
            expect(tml_sim_restore(sim, s.first, s.size) == TML_OK);
            expect(advance(sim, STEPS_AFTER, s.now) == is_good);
            if (is_good) expect(memcmp(s.now, after, s.size) == 0);
        }
        free(after);
    }
    free_memory(&s);
}

static void run_formulations(const tml_model* model, tml_sim_settings settings, const uint8_t* data,
                             size_t size)
{
    settings.threads = 1;
    if (settings.max_iterations > 30) settings.max_iterations = 30;
    if (settings.contact.max_contacts == 0 || settings.contact.max_contacts > CONTACTS_MOST) {
        settings.contact.max_contacts = CONTACTS_MOST;
    }
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        tml_sim* sim = NULL;
        settings.formulation = (tml_formulation)f;
        if (!tml_pairing_exists(settings.formulation, settings.integrator)) {
            settings.integrator = tml_formulation_default_integrator(settings.formulation);
        }
        if (tml_sim_create(model, &settings, &sim) == TML_OK) run(sim, data, size);
        tml_sim_destroy(sim);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    if (scene == NULL || size == 0) {
        tml_scene_destroy(scene);
        return 0;
    }
    if (tml_scene_read_text(scene, (const char*)data, size, "fuzz") == TML_OK &&
        tml_spec_body_count(tml_scene_spec(scene)) <= BODIES_MOST &&
        tml_scene_build(scene, &model) == TML_OK && is_small(model)) {
        run_formulations(model, tml_scene_settings(scene)->sim, data, size);
    }
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return 0;
}
