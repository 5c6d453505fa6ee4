// app/report_doctor.c - the doctor's findings in words that need no rank and no matrix.
#include "app/findings.h"
#include "app/report.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_SHOWN = 20,  // redundant rows in the list
    NAME_MOST = 300,
};

static void put_mobility(const report* r, const tml_doctor_report* d, int motors)
{
    const char* held = motors > 0 ? " besides what its motors drive" : "";

    if (d->mobility == 0) {
        put_item(r->to, "%s",
                 motors > 0 ? "With its motors held nothing can move: they determine every motion "
                              "(mobility 0)."
                            : "Nothing can move: the joints hold everything (mobility 0).");
    } else if (d->mobility == 1) {
        put_item(r->to, "It has one way to move%s (mobility 1).", held);
    } else {
        put_item(r->to, "It has %d independent ways to move%s (mobility %d).", d->mobility, held,
                 d->mobility);
    }
}

static void put_redundant(const report* r, const tml_doctor* doctor)
{
    const tml_model* model = r->shown->stage.model;
    const int count = tml_doctor_redundant_count(doctor);

    for (int i = 0; i < count && i < ROWS_SHOWN; i++) {
        const tml_redundant_row* row = tml_doctor_redundant(doctor, i);
        char name[NAME_MOST];
        char others[1200] = "";
        size_t used = 0;
        row_name(model, &row->row, name, sizeof name);
        for (int k = 0; k < row->depends_count && used + NAME_MOST < sizeof others; k++) {
            char other[NAME_MOST];
            row_name(model, &row->depends_on[k], other, sizeof other);
            used += (size_t)snprintf(others + used, sizeof others - used, "%s%s", k > 0 ? ", " : "",
                                     other);
        }
        put_item(r->to, "%s%s repeats what %s already hold.", name,
                 row->is_actuation ? " (a motor)" : "", others[0] != '\0' ? others : "others");
    }
    if (count > ROWS_SHOWN) put_item(r->to, "and %d more of these rows.", count - ROWS_SHOWN);
}

static void put_rows(const report* r, const tml_doctor_report* d)
{
    if (d->redundant_rows == 0) {
        put_item(r->to,
                 "No redundant rows: no joint repeats what others hold, so every joint force "
                 "is determined by the motion.");
        return;
    }
    put_item(r->to,
             "%d redundant rows of %d: some joints repeat what others hold. All are kept; how they "
             "share a load is not determined by the motion, and the smallest forces are taken "
             "('weight' in the scene changes that).",
             d->redundant_rows, d->rows);
    if (d->overactuation > 0) {
        put_item(r->to,
                 "%d motors more than there are ways to move: they can work against each "
                 "other.",
                 d->overactuation);
    }
}

static void put_closeness(const report* r, const tml_doctor_report* d)
{
    if (d->loops == 0) return;
    if (!isfinite(d->singular_value)) {
        put_item(r->to, "The loops bind no motion: their rows are implied by others.");
    } else if (d->singular_value < 1e-6) {
        put_item(r->to,
                 "It starts in a singular pose (a dead point): from here it may go on in more "
                 "than one way.");
    } else {
        put_item(r->to,
                 "It starts clear of dead points (smallest singular value of the loops %.3g; "
                 "0 would be one).",
                 d->singular_value);
    }
}

void put_doctor(report* r)
{
    const tml_model* model = r->shown->recorded.model;
    tml_doctor* doctor = NULL;

    if (model == NULL) {
        put_item(r->to, "The scene was not found beside the recording, so the doctor has not seen "
                        "it.");
        return;
    }
    const tml_model_summary s = tml_model_summarise(model);
    char loops[60] = "";
    char motors[100] = "";
    if (s.loops > 0)
        snprintf(loops, sizeof loops, " and close %d %s", s.loops, s.loops == 1 ? "loop" : "loops");
    if (s.position_actuators > 0)
        snprintf(motors, sizeof motors, " Motors of position: %d.", s.position_actuators);
    const size_t used = strlen(motors);
    if (s.force_actuators > 0)
        snprintf(motors + used, sizeof motors - used, " Motors of force: %d.", s.force_actuators);
    put_item(r->to, "%d %s %d directions (rows)%s.%s What moves weighs %.6g kg.", s.joints,
             s.joints == 1 ? "joint holds" : "joints hold", s.rows, loops, motors, s.mass);
    const tml_status status = tml_doctor_create(model, &doctor);
    if (status == TML_NO_MEMORY) r->lacks_memory = true;
    if (status != TML_OK) {
        put_item(r->to, "Mobility is unknown: there are too many loops to analyse.");
        return;
    }
    const tml_doctor_report d = tml_doctor_get_report(doctor);
    put_mobility(r, &d, s.position_actuators);
    put_rows(r, &d);
    put_closeness(r, &d);
    put_redundant(r, doctor);
    tml_doctor_destroy(doctor);
}
