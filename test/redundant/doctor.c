// test/redundant/doctor.c - ranks, redundant rows and freedoms of every mechanism with loops, against
// counting by hand and against dense elimination of the rows themselves.          [QRBD App B Tab 4]
#include "test/scenes/placed.h"

#include <trammel/doctor.h>

// ---- counting

typedef struct expected {
    const char* scene;
    int rows, rank, overactuation, mobility, loops;
    const char* motion_class;
} expected;

// Ranks are 6 a body less the freedoms; overactuation is the motors less the freedoms they drive.
static const expected mechanisms[] = {
    {"four-bar", 20, 17, 0, 1, 1, "passive/redundant"},
    {"bricard", 30, 29, 0, 1, 1, "passive/redundant"},
    {"n-four-bar", 605, 485, 0, 1, 40, "passive/redundant"},
    {"andrews", 50, 41, 0, 1, 3, "passive/redundant"},
    {"two-hinge-door", 10, 5, 0, 1, 1, "passive/redundant"},
    {"four-legged-table", 18, 12, 0, 0, 3, "full/redundant"},
    {"parallelogram-chain", 120, 102, 0, 6, 6, "passive/redundant"},
    {"scissor-lift", 137, 102, 0, 0, 11, "full/redundant"},
    {"jansen-leg", 51, 42, 0, 0, 3, "full/redundant"},
    {"overactuated-leg", 68, 60, 2, 0, 2, "full/overactuated"},
    {"stewart-platform", 78, 78, 0, 0, 5, "full/none"},
    {"delta-robot", 60, 60, 0, 0, 5, "full/none"},
    {"gear-train", 30, 29, 0, 1, 0, "passive/redundant"},
    {"rack-and-pinion", 36, 36, 0, 0, 2, "full/none"},
    {"hoberman-ring", 306, 239, 0, 1, 21, "passive/redundant"},
    {"iron-man-like", 981, 906, 0, 0, 47, "full/redundant"},
    {"gazelle-like", 236, 228, 2, 0, 7, "full/overactuated"},
    {"satellite-like", 192, 150, 6, 6, 12, "passive/overactuated"},
    {"showcase", 44, 44, 0, 28, 1, "passive/none"},
};

enum {
    MECHANISMS = sizeof mechanisms / sizeof mechanisms[0]
};

static tml_doctor* ask(const placed* p)
{
    tml_doctor* d = NULL;
    CHECK(tml_doctor_create(p->model, &d) == TML_OK);
    return d;
}

TEST(counts_and_classes_are_those_made_by_hand)
{
    for (int i = 0; i < MECHANISMS; i++) {
        const expected* e = &mechanisms[i];
        placed p = place_scene(e->scene);
        tml_doctor* d = ask(&p);
        const tml_doctor_report r = tml_doctor_get_report(d);
        if (r.rank != e->rank || r.overactuation != e->overactuation) {
            printf("%s: rank %d, overactuation %d\n", e->scene, r.rank, r.overactuation);
        }
        CHECK(r.rows == e->rows);
        CHECK(r.rank == e->rank);
        CHECK(r.redundant_rows == e->rows - e->rank);
        CHECK(tml_doctor_redundant_count(d) == e->rows - e->rank);
        CHECK(r.overactuation == e->overactuation);
        CHECK(r.mobility == e->mobility);
        CHECK(r.loops == e->loops);
        CHECK_TEXT(r.motion_class, e->motion_class);
        // a door's second hinge binds nothing that the first leaves free: that is not singular
        if (strcmp(e->scene, "two-hinge-door") == 0) CHECK(isinf(r.singular_value));
        if (r.loops == 0) CHECK(r.singular_value == 0.0);
        // what a rank decision rests on: eight orders between what counts and what does not
        CHECK(r.kept > 1e-4);
        CHECK(r.dropped < 1e-12);
        for (int k = 0; k < tml_doctor_redundant_count(d); k++) {
            CHECK(tml_doctor_redundant(d, k)->conflict <= 1e-13);  // all are closed at load
        }
        CHECK(tml_doctor_redundant(d, -1) == NULL);
        CHECK(tml_doctor_redundant(d, tml_doctor_redundant_count(d)) == NULL);
        tml_doctor_destroy(d);
        placed_free(&p);
    }
}

// ---- against the rows themselves

// The index of a row among all rows of the model.
static int row_of(const tml_model* m, tml_row_id id)
{
    int row = 0;
    const int last = id.joint.index >= 0 ? id.joint.index : m->all.joint_count;
    joint_rows rows;
    for (int j = 0; j < last; j++) {
        tml__joint_rows(&m->joints[j], &rows);
        row += rows.count;
    }
    if (id.joint.index < 0) return row + id.coupling;
    tml__joint_rows(&m->joints[last], &rows);
    for (int r = 0; r < rows.count; r++) {
        if (rows.row[r].axis == id.axis) return row + r;
    }
    CHECK(0);  // the doctor names a row that exists
    return 0;
}

static double dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// Orthonormal rows; a new one is offered by Gram and Schmidt, twice.
typedef struct row_space {
    int width, rank;
    double* base;
    double* work;
} row_space;

// What is left of the row, relative to its size; it joins the space when that is enough.
static double offer(row_space* s, const double* row)
{
    const double size = sqrt(dot(row, row, s->width));
    for (int i = 0; i < s->width; i++) s->work[i] = row[i] / size;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < s->rank; k++) {
            const double* b = s->base + (ptrdiff_t)k * s->width;
            const double part = dot(b, s->work, s->width);
            for (int i = 0; i < s->width; i++) s->work[i] -= part * b[i];
        }
    }
    const double left = sqrt(dot(s->work, s->work, s->width));
    if (left > 1e-9) {
        double* b = s->base + (ptrdiff_t)s->rank++ * s->width;
        for (int i = 0; i < s->width; i++) b[i] = s->work[i] / left;
    }
    return left;
}

static row_space space_of(const placed* p)
{
    return (row_space){p->columns, 0, test_array(p->columns * p->columns, sizeof(double)),
                       test_array(p->columns, sizeof(double))};
}

static void space_free(row_space* s)
{
    free(s->base);
    free(s->work);
}

// Held rows joint by joint, couplings, then actuators, as [QRBD App B] looks at them: which of them
// the earlier ones imply.
static void greedy(const placed* p, row_space* s, int* is_redundant)
{
    const tml_model* m = p->model;
    for (int pass = 0; pass < 2; pass++) {
        int row = 0;
        for (int j = 0; j < m->all.joint_count; j++) {
            joint_rows rows;
            tml__joint_rows(&m->joints[j], &rows);
            for (int r = 0; r < rows.count; r++, row++) {
                const int is_motor = m->joints[j].axis[rows.row[r].axis].is_free;
                if (is_motor != pass) continue;
                is_redundant[row] = !(offer(s, p->J + (ptrdiff_t)row * p->columns) > 1e-9);
            }
        }
        for (int c = 0; c < m->all.coupling_count && pass == 0; c++, row++) {
            is_redundant[row] = !(offer(s, p->J + (ptrdiff_t)row * p->columns) > 1e-9);
        }
    }
}

TEST(redundant_rows_are_those_that_elimination_in_order_finds)
{
    for (int i = 0; i < MECHANISMS; i++) {
        if (mechanisms[i].rows > 400) continue;  // cubic
        placed p = place_scene(mechanisms[i].scene);
        tml_doctor* d = ask(&p);
        row_space s = space_of(&p);
        int* is_redundant = test_array(p.rows, sizeof(int));
        fill_rows(&p, 0.0);
        greedy(&p, &s, is_redundant);
        CHECK(s.rank == tml_doctor_get_report(d).rank);
        for (int k = 0; k < tml_doctor_redundant_count(d); k++) {
            const tml_redundant_row* r = tml_doctor_redundant(d, k);
            const int row = row_of(p.model, r->row);
            if (is_redundant[row] != 1) printf("%s: row %d\n", mechanisms[i].scene, row);
            CHECK(is_redundant[row] == 1);
            is_redundant[row] = 2;  // named once
        }
        for (int row = 0; row < p.rows; row++) CHECK(is_redundant[row] != 1);
        space_free(&s);
        free(is_redundant);
        tml_doctor_destroy(d);
        placed_free(&p);
    }
}

// The rows that a redundant one depends on imply it, and none of them can be left out.
static void check_dependence(const placed* p, row_space* s, const tml_redundant_row* r)
{
    const double* row = p->J + (ptrdiff_t)row_of(p->model, r->row) * p->columns;
    for (int without = -1; without < r->depends_count; without++) {
        s->rank = 0;
        for (int k = 0; k < r->depends_count; k++) {
            const int other = row_of(p->model, r->depends_on[k]);
            if (k != without) CHECK(offer(s, p->J + (ptrdiff_t)other * p->columns) > 1e-9);
        }
        const double left = offer(s, row);
        if (without < 0) {
            CHECK(left <= 1e-10);  // rounding, over the smallest part that a kept row adds
        } else {
            CHECK(left > 1e-9);
        }
    }
}

TEST(what_a_row_depends_on_implies_it_and_nothing_can_be_left_out)
{
    static const char* const scenes[] = {"four-bar",   "bricard",           "two-hinge-door",
                                         "andrews",    "four-legged-table", "jansen-leg",
                                         "gear-train", "overactuated-leg"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        placed p = place_scene(scenes[i]);
        tml_doctor* d = ask(&p);
        row_space s = space_of(&p);
        fill_rows(&p, 0.0);
        for (int k = 0; k < tml_doctor_redundant_count(d) && check_failures == 0; k++) {
            check_dependence(&p, &s, tml_doctor_redundant(d, k));
        }
        if (check_failures > 0) printf("in %s\n", scenes[i]);
        space_free(&s);
        tml_doctor_destroy(d);
        placed_free(&p);
    }
}

// O, A and B lead from the ground to the rocker, and so does D: turning about y and z is held four
// times, D = O + A + B, where all axes agree at load.
TEST(the_four_bar_s_redundant_rows_cancel)
{
    static const tml_axis axes[3] = {TML_AXIS_TX, TML_AXIS_RY, TML_AXIS_RZ};
    placed p = place_scene("four-bar");
    tml_doctor* d = ask(&p);
    const int D = tml_model_find_joint(p.model, "D").index;

    fill_rows(&p, 0.0);
    CHECK(tml_doctor_redundant_count(d) == 3);
    for (int k = 0; k < tml_doctor_redundant_count(d); k++) {
        const tml_redundant_row* r = tml_doctor_redundant(d, k);
        CHECK(r->row.joint.index == D);
        CHECK(r->row.axis == axes[k]);
        CHECK(!r->is_actuation);
        if (k == 0) continue;
        CHECK(r->depends_count == 3);
        for (int c = 0; c < p.columns; c++) {
            double sum = p.J[(ptrdiff_t)row_of(p.model, r->row) * p.columns + c];
            for (int n = 0; n < r->depends_count; n++) {
                CHECK(r->depends_on[n].axis == r->row.axis);
                sum -= p.J[(ptrdiff_t)row_of(p.model, r->depends_on[n]) * p.columns + c];
            }
            CHECK_NEAR(sum, 0.0, 1e-15);  // a few roundings of one
        }
    }
    tml_doctor_destroy(d);
    placed_free(&p);
}

// ---- rows that contradict, poses that are close to singular

// A door on two hinges, `high` m too far apart, each with a motor.
static tml_model* build_door(double high, double lower, double upper)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_body_def door = tml_body_def_default();
    door.pose.p = (tml_vec3){0.5, 0.0, 1.0};
    const tml_body body = tml_spec_add_body(spec, &door);
    for (int i = 0; i < 2; i++) {
        tml_joint_def hinge = tml_joint_def_default();
        hinge.kind = TML_JOINT_REVOLUTE;
        hinge.follower = body;
        hinge.position = (tml_vec3){0.0, 0.0, 0.5 + i};
        hinge.axis = (tml_vec3){0.0, 0.0, 1.0};
        hinge.has_follower_frame = 1;
        hinge.follower_position = (tml_vec3){0.0, 0.0, 0.5 + i + (i > 0 ? high : 0.0)};
        hinge.follower_axis = hinge.axis;
        hinge.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
        hinge.axis_of[TML_AXIS_RX].control = tml_control_constant(i > 0 ? upper : lower);
        tml_spec_add_joint(spec, &hinge);
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

TEST(rows_that_contradict_say_by_how_much)
{
    tml_model* model = build_door(1e-3, 0.0, 1e-2);
    tml_doctor* d = NULL;
    CHECK(tml_doctor_create(model, &d) == TML_OK);
    CHECK(tml_doctor_get_report(d).redundant_rows == 6);
    CHECK(tml_doctor_get_report(d).overactuation == 1);
    for (int k = 0; k < tml_doctor_redundant_count(d); k++) {
        const tml_redundant_row* r = tml_doctor_redundant(d, k);
        CHECK(r->row.joint.index == 1);  // the earlier hinge is kept
        CHECK(r->is_actuation == (r->row.axis == TML_AXIS_RX));
        const double wanted = r->row.axis == TML_AXIS_TX   ? 1e-3
                              : r->row.axis == TML_AXIS_RX ? sin(1e-2)
                                                           : 0.0;
        CHECK_NEAR(r->conflict, wanted, 1e-15);
    }
    tml_doctor_destroy(d);
    tml_model_destroy(model);
}

// A parallelogram of 1 m by 1 m whose cranks lean by `angle` from the line of the ground.
static tml_doctor_report ask_parallelogram(double angle)
{
    static const char* const names[4] = {"O", "A", "B", "D"};
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_doctor* d = NULL;
    const tml_vec3 lean = {cos(angle), sin(angle), 0.0};
    const tml_vec3 at[4] = {{0.0, 0.0, 0.0}, lean, {1.0 + lean.x, lean.y, 0.0}, {1.0, 0.0, 0.0}};
    tml_body body[3];
    for (int b = 0; b < 3; b++) {
        tml_body_def def = tml_body_def_default();
        def.pose.p = at[b];
        body[b] = tml_spec_add_body(spec, &def);
    }
    const tml_body ends[4][2] = {
        {TML_WORLD, body[0]}, {body[0], body[1]}, {body[1], body[2]}, {TML_WORLD, body[2]}};
    for (int j = 0; j < 4; j++) {
        tml_joint_def pin = tml_joint_def_default();
        pin.name = names[j];
        pin.kind = TML_JOINT_REVOLUTE;
        pin.base = ends[j][0];
        pin.follower = ends[j][1];
        pin.position = at[j];
        pin.axis = (tml_vec3){0.0, 0.0, 1.0};
        tml_spec_add_joint(spec, &pin);
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK(tml_doctor_create(model, &d) == TML_OK);
    const tml_doctor_report r = tml_doctor_get_report(d);
    tml_doctor_destroy(d);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return r;
}

TEST(the_smallest_singular_value_falls_with_the_distance_from_a_singular_pose)
{
    double last = ask_parallelogram(1e-1).singular_value;
    CHECK(last > 0.0);
    for (int k = 2; k <= 6; k++) {
        const double angle = pow(10.0, -k);
        const tml_doctor_report r = ask_parallelogram(angle);
        CHECK(r.rank == 17);
        CHECK(r.mobility == 1);
        CHECK(r.moving.index >= 0);
        // proportional to the angle; at 0.1 rad the sine is 0.2 % less and the size differs a little
        CHECK_NEAR(r.singular_value / last, 0.1, k == 2 ? 2e-3 : 2e-4);
        last = r.singular_value;
    }
    // in line itself: one rank less, one freedom more
    const tml_doctor_report flat = ask_parallelogram(0.0);
    CHECK(flat.rank == 16);
    CHECK(flat.mobility == 2);
    CHECK(flat.redundant_rows == 4);
}
