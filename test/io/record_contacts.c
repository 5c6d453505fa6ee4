// Contacts of a recording as text beside it and as arrays of an archive: both say the same, to the bit.
#include "test/check.h"
#include "test/scenario/touching.h"

#include <trammel/record.h>
#include <trammel/recording.h>

#define STEM "test_record_contacts"

static tml_recorder* open_recorder(const run* r, const char* path)
{
    char why[600] = "";
    tml_recorder* out = NULL;
    CHECK(tml_recorder_create(r->sim, path, TML_RECORD_POSE | TML_RECORD_CONTACTS, why, sizeof why,
                              &out) == TML_OK);
    return out;
}

static tml_recording* read_back(const char* path)
{
    char why[600] = "";
    tml_recording* out = NULL;
    CHECK(tml_recording_read_file(path, why, sizeof why, &out) == TML_OK);
    return out;
}

TEST(arrays_and_text_hold_the_same_contacts)
{
    tml_spec* spec = tml_spec_create();
    run r;
    add_ground(spec, 0.5, 0.0);
    // a name with a character beyond ASCII, and one longer than the others
    add_solid(spec, "Kl\xc3\xb6tzchen", shape_of(TML_SHAPE_BOX, v3(0.2, 0.2, 0.2), 0.5),
              v3(0.0, 0.0, 0.1));
    add_solid(spec, "a ball of some size, on top",
              shape_of(TML_SHAPE_SPHERE, v3(0.1, 0.0, 0.0), 0.5), v3(0.0, 0.0, 0.31));
    // and a grain, which is no body: it is told as its deformable and its vertex
    static const tml_vec3 grain = {0.4, 0.0, 0.0};
    tml_deformable_def def = tml_deformable_def_default();
    def.name = "grain";
    def.vertex_count = 1;
    def.vertices = &grain;
    def.vertex_mass = 0.1;
    tml_spec_add_deformable(spec, &def);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.formulation = TML_FORM_VARIATIONAL;
    r.settings.integrator = TML_TIME_VARIATIONAL;
    r.settings.step = 2e-3;
    r.settings.contact.is_on = 1;
    CHECK(run_start(&r) == TML_OK);
    tml_recorder* text = open_recorder(&r, STEM ".csv");
    tml_recorder* arrays = open_recorder(&r, STEM ".npz");
    for (int k = 0; k < 100; k++) {
        CHECK(run_step(&r) == TML_OK);
        CHECK(tml_recorder_write(text, r.sim) == TML_OK);
        CHECK(tml_recorder_write(arrays, r.sim) == TML_OK);
    }
    CHECK(tml_recorder_close(text) == TML_OK);
    CHECK(tml_recorder_close(arrays) == TML_OK);
    run_close(&r);

    tml_recording* a = read_back(STEM ".csv");
    tml_recording* b = read_back(STEM ".npz");
    const int count = tml_recording_contact_count(a);
    CHECK(count > 500);  // four corners, the grain, and the ball once it has fallen
    int grains = 0;
    CHECK(tml_recording_contact_count(b) == count);
    for (int i = 0; i < count; i++) {
        const tml_recorded_contact* x = &tml_recording_contacts(a)[i];
        const tml_recorded_contact* y = &tml_recording_contacts(b)[i];
        CHECK_TEXT(x->a, y->a);
        CHECK_TEXT(x->b, y->b);
        if (strcmp(x->a, "grain.0") == 0) grains++;
        CHECK(x->time == y->time && x->gap == y->gap);
        CHECK(memcmp(&x->position, &y->position, sizeof x->position) == 0);
        CHECK(memcmp(&x->normal, &y->normal, sizeof x->normal) == 0);
        CHECK(memcmp(&x->force, &y->force, sizeof x->force) == 0);
    }
    CHECK(grains == 100);
    tml_recording_destroy(a);
    tml_recording_destroy(b);
    remove(STEM ".csv");
    remove(STEM ".contacts.csv");
    remove(STEM ".npz");
}
