// method/links/prescribed.h - bodies that joints lead, beside links: they touch links and nothing else moves them.
//
// A body all of whose freedoms are driven has no equations: where it is follows from the controls and the
// clock. Links know it as something to touch that is elsewhere at the end of a step.
#ifndef TML_METHOD_LINKS_PRESCRIBED_H
#define TML_METHOD_LINKS_PRESCRIBED_H

#include "joint/lead.h"

typedef struct led_body {
    int body, joint;
    rigid start;     // where the step starts,
    rigid from, to;  // and where this part of it starts and ends
} led_body;

// A led body at the accepted state, and what its joint gives it (method/links/lean_loads.c).
typedef struct led_load {
    rigid at;
    rigid_acceleration by;
    vec3 force, torque;  // about its centre of mass
} led_load;

typedef struct links_led {
    const tml_model* model;  // borrowed
    int count;
    led_body* list;  // whatever a body hangs on comes before it
    led_load* load;  // per body of the list
    int* of_body;    // per body and the world: its place in the list and one more; 0: not led
} links_led;

// Does each led body hang on the world, or on another one, by one joint that leads it without give, and is
// it joined to nothing else but links? `is_led`: tml__find_led.
bool tml__links_led_fit(const tml_model* m, const bool* is_led);

// *out is NULL where no body is led.
tml_status tml__links_led_create(const tml_model* m, const tml_allocator* allocator,
                                 links_led** out);
void tml__links_led_destroy(links_led* l, const tml_allocator* allocator);  // NULL is fine

// Bodies where a part of a step starts, or ends, by the controls at time t (given: the caller's, or NULL).
void tml__links_led_place(links_led* l, double t, const drive* given, bool is_end);

// What a link hangs on by a joint, there too: a point of a led body or of the world, driven or not; l NULL: none is led.
point_motion tml__links_led_point(const tml_model* m, const links_led* l, int joint, double t,
                                  const drive* given, bool is_end);

// The end of the part to a flat state; and how far its rates differ from those of one, m/s or rad/s.
void tml__links_led_store(const links_led* l, double* q, double* v);
double tml__links_led_change(const links_led* l, const double* q, const double* v);

static inline bool links_is_led(const links_led* l, int body)
{
    return l != NULL && l->of_body[body] != 0;
}

// Does a joint lead a body: is it not one by which a link hangs on that?
static inline bool links_leads(const links_led* l, int joint, int follower)
{
    return links_is_led(l, follower) && l->list[l->of_body[follower] - 1].joint == joint;
}

#endif
