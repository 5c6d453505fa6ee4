// trammel/doctor.h - the mechanism doctor: what is wrong, or only special, before the first step.
//
// Mobility, redundant and conflicting rows by name, over-actuated sets, closeness to a singular
// configuration, all at the initial poses. Nothing of this is needed to simulate: the step keeps
// every row and decides no rank.
#ifndef TRAMMEL_DOCTOR_H
#define TRAMMEL_DOCTOR_H

#include <trammel/model.h>

TML_BEGIN_C

typedef struct tml_doctor tml_doctor;  // opaque

// Which row: an axis of a joint; when joint.index is -1, a coupling; when that is -1 too, a row of a
// nonholonomic: its number there (0: a blade's slip, a rolling body's height; 1, 2: its slips) is `tie_row`.
typedef struct tml_row_id {
    tml_joint joint;
    tml_axis axis;
    int coupling;
    int nonholonomic;
    int tie_row;
} tml_row_id;

// A row that the others already imply. Earlier joints are kept first, actuators are looked at
// last, as in [QRBD App B].
typedef struct tml_redundant_row {
    tml_row_id row;
    bool is_actuation;  // a position actuator that others already drive
    double conflict;    // what is left of the row where the others hold exactly, m or rad; about 0
                        // when it agrees with them
    int depends_count;
    const tml_row_id* depends_on;  // the kept rows that imply it
} tml_redundant_row;

typedef struct tml_doctor_report {
    int rows;               // position-actuated rows and couplings included
    int rank;               // of all of them
    int redundant_rows;     // rows - rank
    int overactuation;      // those of them that are actuation rows
    int mobility;           // freedoms left with all position actuators held
    int loops;              //
    double kept;            // smallest part that a kept row adds, relative to its size
    double dropped;         // largest part that a redundant row adds; kept / dropped is the gap
    double singular_value;  // smallest singular value of the loop rows over the motions they bind,
                            // lengths scaled by `length`; 0 when there is no loop, infinite where
                            // loops bind no motion: every row of theirs is implied by the others
    double length;          // m
    tml_body moving;        // the body that moves most in the motion that belongs to it
    const char* motion_class;  // "full/none", "passive/redundant", ...
} tml_doctor_report;

// TML_NO_MEMORY, or TML_UNSUPPORTED when the loops are too many for a dense analysis.
TML_API tml_status tml_doctor_create(const tml_model* model, tml_doctor** out);
TML_API void tml_doctor_destroy(tml_doctor* doctor);  // NULL is fine

TML_API tml_doctor_report tml_doctor_get_report(const tml_doctor* doctor);
TML_API int tml_doctor_redundant_count(const tml_doctor* doctor);
TML_API const tml_redundant_row* tml_doctor_redundant(const tml_doctor* doctor, int index);

TML_END_C

#endif
