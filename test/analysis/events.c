// A ball that bounces beside one that rests, and a rod that swings between stops: what is told against what a walk
// through the contacts and coordinates of every step says.
#include "test/check.h"

#include <trammel/trammel.h>

static tml_model* build(tml_spec* spec)
{
    tml_shape_def sphere = tml_shape_def_default();
    sphere.size.x = 0.1;
    sphere.restitution = 0.5;
    tml_shape_def plane = tml_shape_def_default();
    plane.kind = TML_SHAPE_PLANE;
    tml_spec_add_world_shape(spec, &plane);
    for (int i = 0; i < 2; i++) {
        tml_body_def ball = tml_body_def_default();
        ball.name = i == 0 ? "falls" : "rests";
        ball.mass = 1.0;
        for (int k = 0; k < 3; k++) ball.inertia[k] = 0.004;
        ball.pose.p = (tml_vec3){1.0 * i, 0.0, i == 0 ? 0.6 : 0.1};
        ball.shape_count = 1;
        ball.shapes = &sphere;
        tml_spec_add_body(spec, &ball);
    }
    tml_body_def rod = tml_body_def_default();
    rod.name = "rod";
    rod.mass = 1.0;
    for (int k = 0; k < 3; k++) rod.inertia[k] = 0.1;
    rod.pose.p = (tml_vec3){0.5, 5.0, 3.0};
    const tml_body swing = tml_spec_add_body(spec, &rod);
    tml_joint_def pin = tml_joint_def_default();
    pin.kind = TML_JOINT_REVOLUTE;
    pin.base = TML_WORLD;
    pin.follower = swing;
    pin.position = (tml_vec3){0.0, 5.0, 3.0};
    pin.axis = (tml_vec3){0.0, 1.0, 0.0};
    pin.axis_of[TML_AXIS_RX].has_limits = true;
    pin.axis_of[TML_AXIS_RX].upper = 2.0;
    pin.axis_of[TML_AXIS_RX].damping = 0.3;
    pin.axis_of[TML_AXIS_RX].lower = -0.5;
    tml_spec_add_joint(spec, &pin);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    return model;
}

static bool touches(const tml_sim* sim, int body)
{
    for (int i = 0; i < tml_sim_contact_count(sim); i++) {
        const tml_contact k = tml_sim_contact(sim, i);
        const double push = k.force.z * k.force.z + k.force.x * k.force.x + k.force.y * k.force.y;
        if ((k.a.index == body || k.b.index == body) && push > 0.0) return true;
    }
    return false;
}

TEST(touches_and_limits_are_told_once_when_they_begin_and_once_when_they_end)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = build(spec);
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = TML_FORM_GENERALIZED;
    settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    settings.step = 0.005;
    settings.contact.is_on = true;
    tml_sim* sim;
    tml_events* events;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    CHECK(tml_events_create(model, 0.0, NULL, &events) == TML_OK);
    bool was[2] = {false, false};
    int told[4] = {0};
    int side = 0;
    for (int step = 0; step < 600; step++) {
        CHECK(tml_sim_step(sim, NULL) == TML_OK);
        CHECK(tml_events_look(events, sim) == TML_OK);
        int begun[2] = {0, 0};
        int ended[2] = {0, 0};
        int reached = 0;
        int left = 0;
        for (int i = 0; i < tml_events_count(events); i++) {
            const tml_event e = tml_events_at(events, i);
            told[e.kind]++;
            CHECK(e.time == tml_sim_time(sim));
            if (e.kind == TML_EVENT_TOUCH || e.kind == TML_EVENT_PART) {
                CHECK(e.b.index == -1 && (e.a.index == 0 || e.a.index == 1) && e.joint.index == -1);
                if (e.kind == TML_EVENT_TOUCH) CHECK(e.strength > 0.0);
                (e.kind == TML_EVENT_TOUCH ? begun : ended)[e.a.index]++;
            } else {
                CHECK(e.joint.index == 0 && e.axis == TML_AXIS_RX);
                if (e.kind == TML_EVENT_LIMIT) {
                    reached = e.side;
                    CHECK(e.strength > 0.0);
                } else {
                    left = e.side;
                }
            }
        }
        for (int b = 0; b < 2; b++) {
            const bool is = touches(sim, b);
            CHECK(begun[b] == (is && !was[b]) && ended[b] == (!is && was[b]));
            was[b] = is;
        }
        double angle[TML_AXES];
        tml_sim_joint_coordinates(sim, (tml_joint){0}, angle);
        const int now = angle[0] <= -0.5 + 1e-6 ? -1 : angle[0] >= 2.0 - 1e-6 ? 1 : 0;
        CHECK(reached == (now != side ? now : 0) && left == (now != side ? side : 0));
        side = now;
    }
    // the ball bounced, the other never left, the rod met its stop
    CHECK(told[TML_EVENT_TOUCH] >= 3 && told[TML_EVENT_PART] >= 2 && told[TML_EVENT_LIMIT] >= 1);
    CHECK(told[TML_EVENT_TOUCH] - told[TML_EVENT_PART] == was[0] + was[1]);
    // forgotten, what is there begins again
    tml_events_forget(events);
    CHECK(tml_events_count(events) == 0 && tml_events_look(events, sim) == TML_OK);
    CHECK(tml_events_count(events) == was[0] + was[1] + (side != 0));
    CHECK(tml_events_look(events, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_events_create(model, -1.0, NULL, &(tml_events*){NULL}) == TML_BAD_ARGUMENT);
    tml_events_destroy(events);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}
