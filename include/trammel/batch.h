// trammel/batch.h - many copies of one model, stepped together.
//
// A copy (a row) is its state and nothing else; what a step needs beside it is there once a thread. Rows
// take the steps of a simulation of their own, bit for bit, whatever the number of threads. Arrays hold the
// rows one after the other: poses[row * bodies + body]. Masks are one byte a row, 0: leave it alone; NULL: all.
#ifndef TRAMMEL_BATCH_H
#define TRAMMEL_BATCH_H

#include <trammel/inputs.h>
#include <trammel/state.h>

TML_BEGIN_C

typedef struct tml_batch tml_batch;  // opaque; made by tml_batch_create

// `count` rows at the model's initial state. The settings are those of one row, `threads` of them excepted: so many
// step rows side by side, each row by one of them. The model is borrowed and must outlive the batch; an
// allocator of the settings must serve several threads. When the call fails, *out is NULL or an object good
// only for tml_batch_message(-1) and tml_batch_destroy.
TML_API tml_status tml_batch_create(const tml_model* model, const tml_sim_settings* settings,
                                    int count, tml_batch** out);
TML_API void tml_batch_destroy(tml_batch* batch);  // NULL is fine
TML_API int tml_batch_count(const tml_batch* batch);
TML_API size_t tml_batch_bytes(const tml_batch* batch);  // that the states of all rows take

// Why a row failed last, "" where it did not; row -1: why the last call on the batch failed.
TML_API const char* tml_batch_message(const tml_batch* batch, int row);

// `steps` steps of all rows of the mask. `controls`: as tml_sim_step, one set a row, held through the steps; NULL: the
// model's. `status`: one a row, may be NULL. A row that fails keeps the state it has then and takes no more
// of these steps; the others go on. Answers the status of the first row that failed. Room for contacts grows
// where it is needed, which allocates.
TML_API tml_status tml_batch_step(tml_batch* batch, const unsigned char* mask,
                                  const double* controls, int steps, tml_status* status);

// Back to the initial state, or to the last of tml_batch_set_start.
TML_API void tml_batch_reset(tml_batch* batch, const unsigned char* mask);
// A simulation of the same model and settings becomes where rows are reset to.
TML_API tml_status tml_batch_set_start(tml_batch* batch, const tml_sim* sim);

// A row into a simulation, and back: for whatever is not asked here. The simulation must be of the same
// model and settings.
TML_API tml_status tml_batch_read(const tml_batch* batch, int row, tml_sim* sim);
TML_API tml_status tml_batch_write(tml_batch* batch, int row, const tml_sim* sim);
TML_API tml_status tml_batch_copy_row(tml_batch* batch, int from, int to);

// As tml_sim_set_coordinates and tml_sim_set_state, row by row; rows that cannot be set keep their state.
TML_API tml_status tml_batch_set_coordinates(tml_batch* batch, const unsigned char* mask,
                                             const double* coordinates, const double* rates,
                                             tml_status* status);
TML_API tml_status tml_batch_set_states(tml_batch* batch, const unsigned char* mask,
                                        const tml_pose* poses, const tml_velocity* velocities,
                                        tml_status* status);

// ---- what acts on each row beside its controls; copied. NULL: what the model says. TML_BAD_ARGUMENT: a number is
// not finite.

TML_API tml_status tml_batch_set_inputs(tml_batch* batch, const double* inputs);
TML_API tml_status tml_batch_set_wrenches(tml_batch* batch, const tml_load* wrenches);
TML_API tml_status tml_batch_set_gravity(tml_batch* batch, const tml_vec3* gravity);
// Added to friction and restitution of all contacts of a body: two numbers a body.
TML_API tml_status tml_batch_set_contact_shift(tml_batch* batch, const double* shift);

// ---- reading all rows

typedef enum tml_batch_kind {
    TML_BATCH_TIME,         // 1 a row
    TML_BATCH_POSES,        // 7 a body
    TML_BATCH_VELOCITIES,   // 6 a body
    TML_BATCH_COORDINATES,  // see state.h
    TML_BATCH_RATES,
    TML_BATCH_LOADS,     // 6 a joint
    TML_BATCH_CONTROLS,  // as they acted last
    TML_BATCH_ENERGY,    // kinetic, potential
    TML_BATCH_FORCES,    // 3 a body: of its contacts over the last step, N, world axes
    TML_BATCH_KINDS,
} tml_batch_kind;

TML_API int tml_batch_width(const tml_batch* batch, tml_batch_kind kind);  // numbers a row
TML_API tml_status tml_batch_get(tml_batch* batch, tml_batch_kind kind, double* out);

TML_END_C

#endif
