// trammel/base.h - the few things every other header needs: status, small values, memory.
//
// Units are SI and radians, frames are right-handed, quaternions are (w, x, y, z), Hamilton,
// body to world. No function of the library prints, exits or keeps global state.
//
// NULL where an object or an array is wanted crashes nothing: a status is TML_BAD_ARGUMENT, a number 0, what is
// looked for -1, a name or a message some text, an object NULL; a call that answers nothing does nothing.
// Destroying and closing NULL is fine. Arrays of which 0 are asked for may be NULL.
#ifndef TRAMMEL_BASE_H
#define TRAMMEL_BASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
#define TML_BEGIN_C extern "C" {
#define TML_END_C   }
#else
#define TML_BEGIN_C
#define TML_END_C
#endif

#if defined(__GNUC__)
#define TML_API __attribute__((visibility("default")))
#else
#define TML_API
#endif

#define TML_VERSION_MAJOR 0
#define TML_VERSION_MINOR 1
#define TML_VERSION_PATCH 0

TML_BEGIN_C

// What a call that can fail answers. The sign is a promise: positive means that the numbers are
// at fault and a smaller step or another start may help; negative means that trying again will not.
typedef enum tml_status {
    TML_OK = 0,

    TML_BAD_ARGUMENT = -1,
    TML_NO_MEMORY = -2,
    TML_UNSUPPORTED = -3,        // this formulation, integrator or key do not go together
    TML_BAD_FILE = -4,           // cannot be read, or is not what it should be
    TML_TOO_MANY_CONTACTS = -5,  // see tml_sim_settings.max_contacts
    TML_CANCELLED = -6,          // a progress callback asked to stop

    TML_NOT_CONVERGED = 1,
    TML_SINGULAR = 2,    // the equations of the step have no unique solution
    TML_INFEASIBLE = 3,  // position targets contradict each other
} tml_status;

TML_API const char* tml_status_name(tml_status status);  // "TML_OK", ...; never NULL
TML_API const char* tml_version(void);                   // "0.1.0"

typedef struct tml_vec3 {
    double x, y, z;
} tml_vec3;

typedef struct tml_quat {
    double w, x, y, z;
} tml_quat;

// Where a body frame is: x_world = p + rotate(q, x_body).
typedef struct tml_pose {
    tml_vec3 p;  // m
    tml_quat q;  // unit
} tml_pose;

// How a body frame moves: velocity of its origin and angular velocity, in world axes.
typedef struct tml_velocity {
    tml_vec3 linear;   // m/s
    tml_vec3 angular;  // rad/s
} tml_velocity;

// Where memory comes from. Zeroed: malloc and free. `allocate` answers NULL when it cannot;
// `release` takes only what `allocate` gave, never NULL.
typedef struct tml_allocator {
    void* (*allocate)(void* context, size_t bytes);
    void (*release)(void* context, void* memory);
    void* context;
} tml_allocator;

TML_END_C

#endif
