// Joint limits as complementarity rows in every formulation: room, push, and never both. In joint coordinates
// beside contacts they are rows of the contact problem; elsewhere the sides are found by pivoting around whole
// steps (sim/limits.c). Both must obey the same laws, and come to the same motion as the step shrinks.
#include "sim/sim_internal.h"
#include "test/check.h"
#include "test/math/random.h"
#include "test/scenario/room.h"
#include "test/scenario/touching.h"

typedef struct method {
    const char* name;
    tml_formulation formulation;
    tml_integrator integrator;
    bool is_strict;  // no limit ever pulls
} method;

// The first is what the others are compared with. In it, which closes rows once more where a step ends, and in
// the variational one a few limits are told a pull in the step in which they meet or let go.
static const method methods[] = {
    {"generalized, rows of the contact problem", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER,
     false},
    {"quaternion bdf1", TML_FORM_QUATERNION, TML_TIME_BDF1, true},
    {"quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2, true},
    {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, false},
    {"affine energy_damped", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, true},
    {"affine bdf1", TML_FORM_AFFINE, TML_TIME_BDF1, true},
};

enum {
    METHODS = sizeof methods / sizeof *methods,
    LINKS = 4,
    CHAINS = 8
};

static const double tolerance = 1e-10;

// Links that hang on hinges and slides with little room, thrown: several limits are met in one step.
static tml_spec* tight_chain(random_source* random)
{
    static const tml_joint_kind kinds[] = {TML_JOINT_REVOLUTE, TML_JOINT_CYLINDRICAL,
                                           TML_JOINT_PRISMATIC};
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    for (int i = 0; i < LINKS; i++) {
        char name[32];
        snprintf(name, sizeof name, "link.%d", i);
        const vec3 half = v3(0.1, 0.06, 0.08);
        tml_body link =
            add_solid(spec, name, shape_of(TML_SHAPE_BOX, half, 0.5), v3(0.3 * i + 0.15, 0.0, 2.0));
        tml_joint_def joint = tml_joint_def_default();
        joint.kind = kinds[random_bits(random) % 3];
        joint.base = last;
        joint.follower = last = link;
        joint.position = v3(0.3 * i, 0.0, 2.0);
        joint.axis = random_vec3(random, 1.0);
        room_limit(&joint, random, 0.01, 0.1);
        tml_spec_add_joint(spec, &joint);
    }
    return spec;
}

typedef struct outcome {
    double beyond;        // largest way past a limit
    int pushes, pulls;    // steps and limits: right and wrong sign
    double pull;          // the largest wrong one, over the largest right one of the run
    double q[4 * LINKS];  // coordinates at the end
    int count;
} outcome;

// What the step left of the laws, from the multipliers and coordinates that it kept.
static void judge(const tml_sim* sim, outcome* out, double* most, double* worst)
{
    maximal_system* s = sim->system;
    tml__maximal_place(s, sim->past_q[0], sim->past_v[0]);
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        const axis_data* axis = &sim->model->joints[limit->joint].axis[limit->axis];
        const double q = tml__maximal_coordinate(s, limit->joint, limit->axis);
        const double lambda = sim->lambda[limit->row];
        out->beyond = fmax(out->beyond, fmax(axis->lower - q, q - axis->upper));
        if (sim->sides[i] == LIMIT_OFF) continue;  // it pushes nothing, whatever its multiplier was
        const double push = sim->sides[i] == LIMIT_LOWER ? lambda : -lambda;
        const double room = sim->sides[i] == LIMIT_LOWER ? q - axis->lower : axis->upper - q;
        CHECK(fabs(room) <= tolerance);  // what pushes has no room
        *most = fmax(*most, push);
        *worst = fmax(*worst, -push);
        out->pushes += push >= 0.0;
        out->pulls += push < 0.0;
    }
}

static outcome fall(const method* m, random_source random, double step)
{
    outcome out = {0};
    double most = 0.0;
    double worst = 0.0;
    run r;
    CHECK(run_freeze(&r, tight_chain(&random)) == TML_OK);
    r.settings.formulation = m->formulation;
    r.settings.integrator = m->integrator;
    r.settings.step = step;
    r.settings.contact.is_on = 1;  // the floor is far: only limits meet
    CHECK(run_start(&r) == TML_OK);
    for (int k = 0; k < (int)(0.3 / step + 0.5); k++) {
        if (tml_sim_step(r.sim, NULL) != TML_OK) {
            printf("%s: %s\n", m->name, tml_sim_message(r.sim));
            CHECK(0);
            break;
        }
        judge(r.sim, &out, &most, &worst);
    }
    if (most > 0.0) out.pull = worst / most;
    for (int j = 0; j < LINKS; j++) {
        out.count += tml_sim_joint_coordinates(r.sim, (tml_joint){j}, &out.q[out.count]);
    }
    run_close(&r);
    return out;
}

TEST(limits_obey_complementarity_in_every_formulation_and_agree)
{
    random_source random = random_start(5);
    outcome sum[METHODS] = {{0}};
    double apart[METHODS][2] = {{0}};
    for (int chain = 0; chain < CHAINS; chain++) {
        const random_source one = random;
        tml_spec_destroy(tight_chain(&random));  // on to the next
        const outcome exact = fall(&methods[0], one, 1e-4);
        for (int i = 0; i < METHODS; i++) {
            for (int fine = 0; fine < 2; fine++) {
                const outcome o = fall(&methods[i], one, fine ? 1e-3 : 4e-3);
                for (int k = 0; k < o.count; k++) {
                    apart[i][fine] += fabs(o.q[k] - exact.q[k]) / (o.count * CHAINS);
                }
                sum[i].beyond = fmax(sum[i].beyond, o.beyond);
                sum[i].pushes += o.pushes;
                sum[i].pulls += o.pulls;
                sum[i].pull = fmax(sum[i].pull, o.pull);
            }
        }
    }
    for (int i = 0; i < METHODS; i++) {
        printf("%s: beyond by %.1e, %d pushes, %d pulls of up to %.1e of the largest push; off by "
               "%.1e at 4 ms, %.1e at 1 ms\n",
               methods[i].name, sum[i].beyond, sum[i].pushes, sum[i].pulls, sum[i].pull,
               apart[i][0], apart[i][1]);
        CHECK(sum[i].beyond <= 1e-9);  // the tolerance, and what projection leaves
        CHECK(sum[i].pushes > 5000);
        CHECK(methods[i].is_strict ? sum[i].pulls == 0 : 200 * sum[i].pulls < sum[i].pushes);
        // of first order, and limits are met up to a step apart at about a metre a second
        CHECK(apart[i][1] < 0.5 * apart[i][0] && apart[i][1] < 5e-4);
    }
}
