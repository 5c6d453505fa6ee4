// trammel/events.h - what has begun and ended between two looks at a simulation: bodies that touch, joints at their
// limits.
//
// Look after every step, or as often as you like: what came and went between two looks is not told. An object of
// its own watches; any number of them may watch one simulation, and the simulation knows of none.
#ifndef TRAMMEL_EVENTS_H
#define TRAMMEL_EVENTS_H

#include <trammel/contact.h>

TML_BEGIN_C

typedef struct tml_events tml_events;  // opaque; made by tml_events_create

typedef enum tml_event_kind {
    TML_EVENT_TOUCH,  // a and b push each other, and did not
    TML_EVENT_PART,   // they no longer do
    TML_EVENT_LIMIT,  // a coordinate is at a limit, and was not
    TML_EVENT_LEAVE,  // it no longer is
} tml_event_kind;

typedef struct tml_event {
    tml_event_kind kind;
    double time;      // s, of the look
    tml_body a, b;    // TOUCH, PART: as in tml_contact, a before b; the world comes last
    int deformable;   // whose vertex touches b; -1: a is a body
    tml_joint joint;  // LIMIT, LEAVE
    tml_axis axis;
    int side;  // -1 the lower limit, +1 the upper one
    double
        strength;  // TOUCH: N, of all contacts of the pair together; LIMIT: the rate towards the limit
                   // at the look before, m/s or rad/s
} tml_event;

// `tolerance`: a coordinate within so much of its limit is at it, m or rad; 0: 1e-6. The model is borrowed.
// NULL allocator: malloc. On any status but TML_OK, *out is NULL.
TML_API tml_status tml_events_create(const tml_model* model, double tolerance,
                                     const tml_allocator* allocator, tml_events** out);
TML_API void tml_events_destroy(tml_events* events);  // NULL is fine

// Look at a simulation of the model. What touches or is at a limit at the first look has begun there. The events wait
// until the next look: first those that ended, then those that began, in the order of bodies and joints. This call
// allocates where more touch than ever before. On any status but TML_OK nothing was seen.
TML_API tml_status tml_events_look(tml_events* events, const tml_sim* sim);
TML_API int tml_events_count(const tml_events* events);  // of the last look
TML_API tml_event tml_events_at(const tml_events* events, int index);

// Forget what was seen: the next look is the first. After a reset, or for another simulation.
TML_API void tml_events_forget(tml_events* events);

TML_END_C

#endif
