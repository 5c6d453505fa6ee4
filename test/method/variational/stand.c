// test/method/variational/stand.c - going to a pose where the bodies stand already: nothing may change.
#include "method/maximal.h"
#include "model/model.h"
#include "test/check.h"
#include "test/random.h"

#include <string.h>

enum {
    LINKS = 5
};

// Balls, and a hinge that is driven where that is asked for.
static tml_model* chain(bool is_driven)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_body above = TML_WORLD;
    for (int i = 0; i < LINKS; i++) {
        tml_body_def link = tml_body_def_default();
        link.mass = 1.0 + 0.1 * i;
        const double moments[6] = {0.1, 0.2, 0.25, 0.0, 0.0, 0.0};
        memcpy(link.inertia, moments, sizeof moments);
        link.pose.p = (tml_vec3){0.5 + i, 0.0, 0.0};
        const tml_body body = tml_spec_add_body(spec, &link);
        tml_joint_def joint = tml_joint_def_default();
        joint.kind = i == 2 ? TML_JOINT_REVOLUTE : TML_JOINT_SPHERICAL;
        joint.base = above;
        joint.follower = body;
        joint.position = (tml_vec3){(double)i, 0.0, 0.0};
        joint.axis = (tml_vec3){0.0, 1.0, 0.0};
        if (i == 2 && is_driven) {
            joint.axis_of[3].actuation = TML_POSITION;
            joint.axis_of[3].control = tml_control_sine(0.0, 0.5, 1.0, 0.0);
        }
        tml_spec_add_joint(spec, &joint);
        above = body;
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

// Two systems of one model: one stands, the other goes there each time.
typedef struct pair {
    tml_model* model;
    maximal_system *stands, *goes;
    double x[2][LINKS * POSE_WIDTH], v[2][LINKS * POSE_WIDTH];
} pair;

static bool pair_create(pair* p, bool is_driven)
{
    const tml_allocator memory = {0};
    random_source r = random_start(5);
    message why = {""};
    *p = (pair){.model = chain(is_driven)};
    if (p->model == NULL) return false;
    if (tml__maximal_create(p->model, KKT_NODES, &memory, &why, &p->stands) != TML_OK ||
        tml__maximal_create(p->model, KKT_NODES, &memory, &why, &p->goes) != TML_OK) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < LINKS; n++) {
            double* x = &p->x[k][n * POSE_WIDTH];
            const quat q = random_quat(&r);
            v3_store(x, random_vec3(&r, 3.0));
            x[3] = 1.1 * q.w;  // not of length 1: it is normalised on the way
            x[4] = 1.1 * q.x;
            x[5] = 1.1 * q.y;
            x[6] = 1.1 * q.z;
            tml__maximal_store_velocity(x, random_vec3(&r, 1.0), random_vec3(&r, 1.0),
                                        &p->v[k][n * POSE_WIDTH]);
        }
    }
    return true;
}

static void pair_destroy(pair* p)
{
    tml__maximal_destroy(p->stands);
    tml__maximal_destroy(p->goes);
    tml_model_destroy(p->model);
}

// Rows of the matrix and what they are made of, bit for bit.
static bool is_same(const pair* p)
{
    const maximal_system* a = p->stands;
    const maximal_system* b = p->goes;
    const size_t rows = (size_t)a->row_count;
    const size_t entries = (size_t)tml__kkt_pattern(a->matrix).row_start[rows];
    return memcmp(a->bodies, b->bodies, LINKS * sizeof *a->bodies) == 0 &&
           memcmp(a->frames, b->frames, LINKS * sizeof *a->frames) == 0 &&
           memcmp(a->C, b->C, rows * sizeof *a->C) == 0 &&
           memcmp(a->gradient, b->gradient, rows * sizeof *a->gradient) == 0 &&
           memcmp(tml__kkt_values(a->matrix)->row, tml__kkt_values(b->matrix)->row,
                  6 * entries * sizeof(double)) == 0;
}

static void go(pair* p, double t, const double* x, const double* v)
{
    tml__maximal_time(p->stands, t, NULL);
    tml__maximal_time(p->goes, t, NULL);
    const double gap = tml__maximal_stand(p->stands, x, v);
    tml__maximal_place(p->goes, x, v);
    CHECK(gap == tml__maximal_rows(p->goes));
    CHECK(tml__maximal_consistency(p->stands) == tml__maximal_consistency(p->goes));
    tml__maximal_fill_rows(p->stands, -1.0);
    tml__maximal_fill_rows(p->goes, -1.0);
    CHECK(is_same(p));
}

static void check_stays(bool is_driven)
{
    pair p;
    if (!pair_create(&p, is_driven)) {
        CHECK(false);
        return;
    }
    CHECK(p.stands->is_plain);
    go(&p, 0.0, p.x[0], NULL);
    go(&p, 0.0, p.x[0], p.v[0]);
    go(&p, 0.0, p.x[0], p.v[1]);  // other velocities
    go(&p, 0.1, p.x[0], p.v[1]);  // other targets
    go(&p, 0.1, p.x[1], p.v[1]);
    // rows that have become pushes are not there any more
    tml__kkt_push_rows(p.stands->matrix);
    go(&p, 0.1, p.x[1], p.v[0]);
    // one number of the last body
    p.x[1][LINKS * POSE_WIDTH - 1] += 1e-9;
    go(&p, 0.1, p.x[1], p.v[0]);
    // somebody else has put the bodies elsewhere, and has cleared the matrix
    tml__maximal_place(p.stands, p.x[0], NULL);
    go(&p, 0.1, p.x[1], p.v[0]);
    tml__kkt_clear(p.stands->matrix);
    go(&p, 0.1, p.x[1], p.v[0]);
    pair_destroy(&p);
}

// Rows alone, and no frames; where bodies stand like that, they are brought when somebody asks for all.
static void check_brief(bool is_driven)
{
    pair p;
    if (!pair_create(&p, is_driven)) {
        CHECK(false);
        return;
    }
    go(&p, 0.1, p.x[0], p.v[0]);
    const double gap = tml__maximal_stand_briefly(p.stands, p.x[1]);
    tml__maximal_place(p.goes, p.x[1], NULL);
    CHECK(gap == tml__maximal_rows(p.goes));
    CHECK(tml__maximal_consistency(p.stands) == tml__maximal_consistency(p.goes));
    CHECK(!is_same(&p));
    CHECK(p.stands->framed != p.stands->placements);
    go(&p, 0.1, p.x[1], p.v[1]);
    CHECK(p.stands->framed == p.stands->placements);
    // and from a pose elsewhere
    tml__maximal_stand_briefly(p.stands, p.x[1]);
    go(&p, 0.1, p.x[0], p.v[0]);
    // somebody puts the frames there himself
    tml__maximal_stand_briefly(p.stands, p.x[1]);
    tml__maximal_frames(p.stands);
    go(&p, 0.1, p.x[1], p.v[0]);
    pair_destroy(&p);
}

TEST(standing_briefly_has_the_rows_and_brings_the_frames_when_they_are_asked_for)
{
    check_brief(false);
    check_brief(true);
}

TEST(standing_where_one_stands_gives_the_bits_of_going_there) { check_stays(false); }

TEST(targets_that_move_are_noticed) { check_stays(true); }
