// Contacts that a swept step leaves out: they are those that it does not meet, seen from the velocities of the
// bodies after it, and the heap is as good as it was.
#include "method/generalized/reach.h"

#include "method/generalized/contact.h"
#include "method/generalized/method.h"
#include "test/check.h"
#include "test/scenario/run.h"

#include <math.h>

// The velocity of a point of a body by what the simulation tells of it.
static vec3 velocity_of(const tml_sim* sim, int body, vec3 point)
{
    if (body >= tml_model_body_count(sim->model)) return v3_zero();
    const tml_velocity v = tml_sim_velocity(sim, (tml_body){body});
    const vec3 c = sim->system->bodies[body].c;
    return v3_add(v.linear, v3_cross(v.angular, v3_sub(point, c)));
}

typedef struct tally {
    int contacts, left_out, posed;
    int met;       // of those left out: how many the step meets
    double worst;  // how fast at most, m/s
} tally;

static void look(const run* r, const contact* contacts, tally* t)
{
    const gen_touch* c = tml__generalized_touch(r->sim);
    const double h = r->settings.step;
    for (int i = 0; i < c->contact_count; i++) {
        const contact* k = &contacts[i];
        const vec3 v = v3_sub(velocity_of(r->sim, k->body_a, k->point),
                              velocity_of(r->sim, k->body_b, k->point));
        const double opening = v3_dot(k->normal, v);
        t->contacts++;
        if (c->contact_row[i] >= 0) {
            t->posed++;
            continue;
        }
        t->left_out++;
        if (opening + k->gap / h >= 0.0) continue;
        t->met++;
        t->worst = fmax(t->worst, -opening - k->gap / h);
    }
}

TEST(contacts_that_a_swept_step_leaves_out_are_not_met)
{
    run r;
    tally t = {0};
    CHECK(run_open(&r, "pair-pile") == TML_OK);
    r.settings.contact.pgs_iterations = 20;
    CHECK(run_start(&r) == TML_OK);
    // velocities are those of the end, where bodies have turned a little: a few may seem to be met
    for (int k = 0; k < 250; k++) {
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        tml__maximal_place(r.sim->system, r.sim->past_q[0], r.sim->past_v[0]);
        look(&r, r.sim->contacts->found, &t);
    }
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("%d contacts, %d posed, %d left out, of which %d were met at up to %.2g m/s\n",
           t.contacts, t.posed, t.left_out, t.met, t.worst);
    printf("gap %.1e, overlap %.1e m\n", report.max_gap, report.max_penetration);
    CHECK(t.left_out > t.contacts / 4);
    CHECK(t.met * 1000 <= t.left_out);
    CHECK(report.max_gap <= 1e-10);
    run_close(&r);
}
