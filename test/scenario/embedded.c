// test/scenario/embedded.c - points of tetrahedra that bodies carry: in every maximal formulation, beside
// a dense solution with rows and multipliers, with contact, and what is refused.
#include "geom/embed.h"
#include "math/quat.h"
#include "model/deformable.h"
#include "nodal/nodal.h"
#include "test/scenario/attached.h"

#include <stdlib.h>

enum {
    POINTS = 4
};

// Inside the last cells of a bar of unit length, in several tetrahedra that share vertices.
static const tml_vec3 inside[POINTS] = {
    {0.90, 0.06, 0.05}, {0.93, 0.24, 0.09}, {0.88, 0.13, 0.26}, {0.81, 0.21, 0.22}};

static int embed(tml_body body, int count)
{
    for (int i = 0; i < count; i++) {
        attachments[i] =
            (tml_attachment){.vertex = TML_EMBEDDED, .body = body, .position = inside[i]};
    }
    return count;
}

static int carry_points(tml_body body) { return embed(body, POINTS); }

// By points of the bar's last cells.
static tml_model* clamped_by_points(bool is_consistent)
{
    return clamped_by(carry_points, is_consistent);
}

// ---- dynamics

typedef struct form_case {
    tml_formulation formulation;
    tml_integrator integrator;
    double order;  // 0: not asked here
    int steps;
} form_case;

static const form_case cases[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF1, 1.0, 800},
    {TML_FORM_QUATERNION, TML_TIME_BDF2, 2.0, 600},
    {TML_FORM_QUATERNION, TML_TIME_SDIRK2, 0.0, 0},  // with joints time_order has it
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 2.0, 200},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4, 4.0, 60},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, 2.0, 200},
    {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, 1.0, 800},
    {TML_FORM_AFFINE, TML_TIME_BDF2, 2.0, 600},
};

enum {
    CASES = sizeof cases / sizeof *cases
};

// Each formulation beside backward differences of order 6; the reference of the reference is the row
// itself (below) and the dense solution with multipliers.                          [COOK (289) (290)]
TEST(every_maximal_formulation_keeps_its_order_with_carried_points)
{
    for (int is_consistent = 0; is_consistent < 2; is_consistent++) {
        tml_model* model = clamped_by_points(is_consistent == 1);
        const outcome exact =
            run(model, TML_FORM_QUATERNION, TML_TIME_BDF6, is_consistent ? 800 : 500, 0.1);
        for (int i = 0; i < CASES; i++) {
            const form_case* c = &cases[i];
            double error[2];
            if (c->steps == 0 || (is_consistent && c->order < 1.5)) continue;
            for (int r = 0; r < 2; r++) {
                const outcome got = run(model, c->formulation, c->integrator,
                                        (is_consistent ? 2 : 1) * c->steps / 2 << r, 0.1);
                error[r] = difference(&got, &exact);
            }
            const double seen = log2(error[0] / error[1]);
            printf("%s %s, %s masses: order %.2f (%.1e m/s left)\n",
                   tml_formulation_name(c->formulation), tml_integrator_name(c->integrator),
                   is_consistent ? "consistent" : "lumped", seen, error[1]);
            // what the next term of the error adds at these steps
            CHECK_NEAR(seen, c->order, 0.2);
        }
        tml_model_destroy(model);
    }
}

// Where the vertices of a simulation have a point of the rest shape.
static tml_vec3 point_of(const tml_sim* sim, tml_vec3 rest)
{
    const embed_mesh mesh = {box.vertices, box.tetrahedron_count, box.tetrahedra};
    mapping_term terms[4];
    embed_worst worst;
    vec3 sum = v3_zero();
    CHECK(tml__embed(&mesh, 1, &rest, terms, &worst) == TML_OK && worst.weight >= 0.0);
    for (int a = 0; a < 4; a++) {
        sum = v3_axpy(sum, terms[a].weight, tml_sim_vertex(sim, 0, terms[a].input));
    }
    return sum;
}

static tml_vec3 on_body(const tml_sim* sim, tml_pose first, tml_vec3 rest)
{
    const tml_pose now = tml_sim_pose(sim, (tml_body){0});
    const vec3 own = q_rotate(q_conj(first.q), v3_sub(rest, first.p));
    return v3_add(now.p, q_rotate(now.q, own));
}

TEST(carried_points_stay_where_they_are_on_their_body)
{
    tml_model* model = clamped_by_points(false);
    for (int i = 0; i < CASES; i++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.formulation = cases[i].formulation;
        settings.integrator = cases[i].integrator;
        settings.step = 0.005;
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL) continue;
        const tml_pose first = tml_sim_pose(sim, (tml_body){0});
        double worst = 0.0;
        for (int k = 0; k < 30 && soft_run(sim, 1); k++) {
            for (int p = 0; p < POINTS; p++) {
                const tml_vec3 at = on_body(sim, first, inside[p]);
                worst = fmax(worst, soft_distance(point_of(sim, inside[p]), at));
            }
        }
        const tml_pose last = tml_sim_pose(sim, (tml_body){0});
        printf("%s %s: points off by %.1e m\n", tml_formulation_name(settings.formulation),
               tml_integrator_name(settings.integrator), worst);
        CHECK(worst < 1e-14);  // rounding of sums of numbers of size 1
        CHECK(soft_distance(first.p, last.p) > 0.01);
        tml_sim_destroy(sim);
    }
    tml_model_destroy(model);
}

// A point where a vertex is, is that vertex.
TEST(a_point_at_a_vertex_is_the_vertex)
{
    tml_model* models[2];
    outcome out[2];
    for (int is_point = 0; is_point < 2; is_point++) {
        const int cells[3] = {3, 1, 1};
        soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.3, 0.3});
        tml_spec* spec = tml_spec_create();
        tml_body_def block = tml_body_def_default();
        block.mass = 2.0;
        for (int k = 0; k < 3; k++) block.inertia[k] = 0.05;
        block.pose.p = (tml_vec3){1.1, 0.15, 0.15};
        const tml_body a = tml_spec_add_body(spec, &block);
        block.pose.p.x = 2.0;
        tml_spec_add_body(spec, &block);
        tml_deformable_def def = soft_def(&box);
        def.young = 1e5;
        def.velocity = (tml_vec3){0.0, 0.3, 0.1};
        def.attachments = attachments;
        def.attachment_count = attach(1.0, a);
        for (int i = 0; i < def.attachment_count && is_point; i++) {
            attachments[i].position = box.vertices[attachments[i].vertex];
            attachments[i].vertex = TML_EMBEDDED;
        }
        tml_spec_add_deformable(spec, &def);
        models[is_point] = soft_build(spec);
        out[is_point] = run(models[is_point], TML_FORM_QUATERNION, TML_TIME_BDF2, 40, 0.2);
        tml_model_destroy(models[is_point]);
    }
    printf("a point at a vertex: %.1e\n", difference(&out[0], &out[1]));
    CHECK(difference(&out[0], &out[1]) < 1e-9);  // 30/s times ten tolerances
}

TEST(momenta_are_kept_by_carried_points)
{
    const int cells[3] = {4, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.2, 0.2});
    static const tml_vec3 places[6] = {{0.1, 0.05, 0.06}, {0.08, 0.15, 0.11}, {0.12, 0.08, 0.17},
                                       {0.9, 0.05, 0.06}, {0.93, 0.16, 0.1},  {0.87, 0.1, 0.18}};
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_body_def block = tml_body_def_default();
    block.mass = 3.0;
    for (int k = 0; k < 3; k++) block.inertia[k] = 0.05;
    block.pose.p = (tml_vec3){-0.1, 0.1, 0.1};
    const tml_body a = tml_spec_add_body(spec, &block);
    block.pose.p.x = 1.1;
    block.velocity.linear = (tml_vec3){0.2, 0.0, 1.0};
    const tml_body b = tml_spec_add_body(spec, &block);
    tml_deformable_def def = soft_def(&box);
    def.young = 2e5;
    def.density = 500.0;
    for (int i = 0; i < 6; i++) {
        attachments[i] =
            (tml_attachment){.vertex = TML_EMBEDDED, .body = i < 3 ? a : b, .position = places[i]};
    }
    def.attachments = attachments;
    def.attachment_count = 6;
    tml_spec_add_deformable(spec, &def);
    tml_model* model = soft_build(spec);
    for (int i = 0; i < CASES; i++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.formulation = cases[i].formulation;
        settings.integrator = cases[i].integrator;
        settings.step = 0.01;
        settings.tolerance = 1e-12;
        const bool keeps_angular =
            settings.formulation == TML_FORM_VARIATIONAL || settings.integrator == TML_TIME_ENERGY;
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL) continue;
        const momenta start = momenta_of(sim);
        soft_run(sim, 100);
        const momenta end = momenta_of(sim);
        const double linear = soft_distance(start.linear, end.linear);
        const double angular = soft_distance(start.angular, end.angular);
        printf("%s %s: momentum off by %.1e kg m/s, angular by %.1e kg m^2/s\n",
               tml_formulation_name(settings.formulation), tml_integrator_name(settings.integrator),
               linear, angular);
        // what Newton's tolerance leaves in 100 steps; backward differences of rates, with quaternions,
        // are not those of rigid motions, so that carried mass counts with their error
        if (settings.integrator != TML_TIME_BDF2 || settings.formulation != TML_FORM_QUATERNION) {
            CHECK(linear < 1e-9);
        }
        if (keeps_angular) CHECK(angular < 1e-9);
        tml_sim_destroy(sim);
    }
    tml_model_destroy(model);
}

// ---- alone, held by the world

static tml_model* held_by_points(void)
{
    const int cells[3] = {3, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.3, 0.3});
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = soft_def(&box);
    def.young = 3e4;
    def.material = TML_MATERIAL_LINEAR;
    def.attachments = attachments;
    def.attachment_count = embed(TML_WORLD, POINTS);
    tml_spec_add_deformable(spec, &def);
    return soft_build(spec);
}

static bool solve_dense(double* A, double* b, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++) best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
        if (fabs(A[best * n + k]) < 1e-14) return false;
        for (int j = 0; j < n && best != k; j++) {
            const double kept = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = kept;
        }
        const double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return true;
}

// The same bar with nothing eliminated: [-K C^T; C 0] (x - x_rest, lambda) = (weight, 0), one row a
// coordinate of each point, for a material whose forces are linear. From its own stiffness, dense.
static bool settle_by_rows(tml_vec3* out)
{
    static const tml_allocator allocator = {0};
    const elastic material = tml__elastic(TML_MATERIAL_LINEAR, 3e4, 0.3);
    const double density = 1000.0;
    const embed_mesh mesh = {box.vertices, box.tetrahedron_count, box.tetrahedra};
    static int corners[4 * SOFT_TETRAHEDRA];
    for (int t = 0; t < box.tetrahedron_count; t++) {  // the right way round
        int* c = &corners[4 * t];
        tetrahedron shape;
        memcpy(c, &box.tetrahedra[4 * t], 4 * sizeof *c);
        const vec3 x[4] = {box.vertices[c[0]], box.vertices[c[1]], box.vertices[c[2]],
                           box.vertices[c[3]]};
        if (!tml__tetrahedron(x, &shape)) {
            const int kept = c[1];
            c[1] = c[2];
            c[2] = kept;
        }
    }
    const nodal_parts parts = {.vertex_count = box.vertex_count,
                               .vertices = box.vertices,
                               .tetrahedron_count = box.tetrahedron_count,
                               .corners = corners,
                               .material_count = 1,
                               .materials = &material,
                               .densities = &density,
                               .gravity = {0.0, 0.0, -9.81}};
    nodal_system* s = NULL;
    message why;
    if (tml__nodal_create(&parts, &allocator, &why, &s) != TML_OK) return false;
    const int width = tml__nodal_width(s);
    const int n = width + 3 * POINTS;
    double* q = calloc((size_t)width, sizeof *q);
    double* K = calloc((size_t)(width * width), sizeof *K);
    double* A = calloc((size_t)(n * n), sizeof *A);
    double* b = calloc((size_t)n, sizeof *b);
    tml__nodal_rest(s, q);
    tml__nodal_stiffness(s, q, K);
    tml__nodal_forces(s, q, NULL, b);
    for (int i = 0; i < width * width; i++) A[i / width * n + i % width] = -K[i];
    for (int p = 0; p < POINTS; p++) {
        mapping_term terms[4];
        embed_worst worst;
        CHECK(tml__embed(&mesh, 1, &inside[p], terms, &worst) == TML_OK);
        for (int k = 0; k < 12; k++) {
            const int row = width + 3 * p + k % 3;
            const int column = 3 * terms[k / 3].input + k % 3;
            A[row * n + column] += terms[k / 3].weight;
            A[column * n + row] += terms[k / 3].weight;
        }
    }
    const bool is_solved = solve_dense(A, b, n);
    for (int i = 0; i < box.vertex_count; i++)
        out[i] = v3_add(v3_load(&q[3 * i]), v3_load(&b[3 * i]));
    free(q);
    free(K);
    free(A);
    free(b);
    tml__nodal_destroy(s);
    return is_solved;
}

TEST(held_points_settle_where_rows_with_multipliers_say)  // [COOK (227) (289)]
{
    static tml_vec3 by_rows[SOFT_VERTICES];
    tml_model* model = held_by_points();
    tml_sim_settings settings = tml_sim_settings_default();
    tml_statics_settings how = tml_statics_settings_default();
    tml_statics_report report;
    tml_sim* sim = soft_sim(model, &settings);
    CHECK(settle_by_rows(by_rows));
    CHECK(tml_sim_settle(sim, &how, &report) == TML_OK);
    double worst = 0.0;
    double size = 0.0;
    for (int i = 0; i < box.vertex_count; i++) {
        worst = fmax(worst, soft_distance(tml_sim_vertex(sim, 0, i), by_rows[i]));
        size = fmax(size, soft_distance(box.vertices[i], by_rows[i]));
    }
    printf("at rest: %.1e m from the rows' solution, which bends by %.2f m\n", worst, size);
    CHECK(worst < 1e-11 * size / 0.01);  // digits of the dense solution
    CHECK(size > 0.01 && report.stability == TML_STABLE);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// Explicit and implicit steps of a deformable alone agree on its motion.
TEST(held_points_swing_alike_by_explicit_and_implicit_steps)
{
    static const struct {
        tml_integrator integrator;
        double order;
        int steps;
    } list[] = {{TML_TIME_RK4, 4.0, 200}, {TML_TIME_BDF2, 2.0, 600}, {TML_TIME_NEWMARK, 2.0, 200}};
    tml_model* model = held_by_points();
    tml_vec3 exact = {0};
    for (int i = -1; i < (int)(sizeof list / sizeof *list); i++) {
        double error[2] = {0.0, 0.0};
        for (int r = 0; r < (i < 0 ? 1 : 2); r++) {
            tml_sim_settings settings = tml_sim_settings_default();
            const int steps = i < 0 ? 2000 : list[i].steps << r;
            settings.integrator = i < 0 ? TML_TIME_BDF6 : list[i].integrator;
            settings.step = 0.2 / steps;
            settings.tolerance = 1e-13;
            tml_sim* sim = soft_sim(model, &settings);
            if (sim == NULL || !soft_run(sim, steps)) break;
            if (i < 0) exact = tml_sim_vertex_velocity(sim, 0, 0);
            error[r] = soft_distance(tml_sim_vertex_velocity(sim, 0, 0), exact);
            tml_sim_destroy(sim);
        }
        if (i < 0) continue;
        const double seen = log2(error[0] / error[1]);
        printf("%s: order %.2f (%.1e m/s left)\n", tml_integrator_name(list[i].integrator), seen,
               error[1]);
        CHECK_NEAR(seen, list[i].order, 0.2);
    }
    tml_model_destroy(model);
}

// ---- contact

// A cube whose lower corner follows from a point that a block on a vertical slide carries: cube and
// block rest on the floor by the cube's vertices, and these bear both. The follower is outside, so it is
// one of those that touch.
TEST(a_vertex_that_follows_a_carried_point_touches)
{
    const int cells[3] = {1, 1, 1};
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } list[] = {{TML_FORM_QUATERNION, TML_TIME_BDF1},
                {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED},
                {TML_FORM_AFFINE, TML_TIME_BDF1}};
    soft_fill(&box, cells, (tml_vec3){-0.1, -0.1, 0.0}, (tml_vec3){0.2, 0.2, 0.2});
    for (int i = 0; i < 3; i++) {
        tml_spec* spec = tml_spec_create();
        tml_shape_def plane = tml_shape_def_default();
        plane.kind = TML_SHAPE_PLANE;
        CHECK(tml_spec_add_world_shape(spec, &plane) == TML_OK);
        tml_body_def block = tml_body_def_default();
        block.mass = 2.0;
        block.pose.p = (tml_vec3){0.0, 0.0, 0.5};
        for (int k = 0; k < 3; k++) block.inertia[k] = 0.02;
        const tml_body a = tml_spec_add_body(spec, &block);
        tml_joint_def slide = tml_joint_def_default();
        slide.kind = TML_JOINT_PRISMATIC;
        slide.base = TML_WORLD;
        slide.follower = a;
        slide.axis = (tml_vec3){0.0, 0.0, 1.0};
        tml_spec_add_joint(spec, &slide);
        tml_spec_set_rayleigh(spec, 0.0, 0.02);
        tml_deformable_def def = soft_def(&box);
        def.young = 2e5;
        def.friction = 0.3;
        // nearest to the corner (-0.1, -0.1, 0): that one follows
        attachments[0] =
            (tml_attachment){.vertex = TML_EMBEDDED, .body = a, .position = {-0.07, -0.075, 0.03}};
        def.attachments = attachments;
        def.attachment_count = 1;
        tml_spec_add_deformable(spec, &def);
        tml_model* model = soft_build(spec);
        tml_sim_settings settings = tml_sim_settings_default();
        settings.formulation = list[i].formulation;
        settings.integrator = list[i].integrator;
        settings.step = 0.01;
        settings.contact.is_on = 1;
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL || !soft_run(sim, 250)) break;
        double borne = 0.0;
        double follower = 0.0;
        for (int k = 0; k < tml_sim_contact_count(sim); k++) {
            const tml_contact c = tml_sim_contact(sim, k);
            borne += c.force.z;
            if (c.vertex == 0) follower += c.force.z;
        }
        const double weight = 9.81 * (2.0 + 1000.0 * 0.008);
        printf("%s %s: contacts bear %.6f N of %.6f N, the follower %.3f N\n",
               tml_formulation_name(settings.formulation), tml_integrator_name(settings.integrator),
               borne, weight, follower);
        CHECK_NEAR(borne, weight, 1e-4 * weight);  // what still moves after 2.5 s
        CHECK(follower > 0.1 * weight);
        CHECK(tml_sim_vertex(sim, 0, 0).z > -1e-8);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// ---- what is refused

static void refuse(const tml_vec3* points, int count, int fixed_count, const char* part)
{
    static const int fixed[4] = {0, 1, 2, 3};
    const tml_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int all[4] = {0, 1, 2, 3};
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 4;
    def.vertices = corners;
    def.tetrahedron_count = 1;
    def.tetrahedra = all;
    def.fixed = fixed;
    def.fixed_count = fixed_count;
    for (int i = 0; i < count; i++) {
        attachments[i] =
            (tml_attachment){.vertex = TML_EMBEDDED, .body = TML_WORLD, .position = points[i]};
    }
    def.attachments = attachments;
    def.attachment_count = count;
    tml_spec_add_deformable(spec, &def);
    printf("%s\n", tml_spec_message(spec));
    CHECK(strstr(tml_spec_message(spec), part) != NULL);
    tml_spec_destroy(spec);
}

TEST(points_that_cannot_be_held_are_refused)
{
    const tml_vec3 far = {3.0, 3.0, 3.0};
    const tml_vec3 five[5] = {
        {0.1, 0.1, 0.1}, {0.4, 0.1, 0.1}, {0.1, 0.4, 0.1}, {0.1, 0.1, 0.4}, {0.2, 0.2, 0.2}};
    refuse(&far, 1, 0, "lies in none of its tetrahedra");
    refuse(five, 5, 0, "attachment 4 is held already");
    refuse(five, 1, 4, "attachment 0 is held already");
}

// ---- scenes

TEST(points_are_read_and_written)
{
    static const char text[] =
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"hand\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
        "\"deformables\": [{\"name\": "
        "\"jelly\", "
        "\"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], \"tetrahedra\": [[0,1,2,3]], "
        "\"attachments\": [{\"point\": [0.25, 0.125, 0.5], \"body\": \"hand\"}, "
        "{\"vertex\": 1, \"body\": \"world\"}]}]}";
    // as written, and as it is read again from what is written
    char* again = NULL;
    size_t length = 0;
    for (int pass = 0; pass < 2; pass++) {
        tml_scene* scene = tml_scene_create();
        tml_model* model = NULL;
        const char* source = pass == 0 ? text : again;
        CHECK(tml_scene_read_text(scene, source, strlen(source), "test") == TML_OK);
        if (tml_scene_build(scene, &model) != TML_OK) {
            printf("%s\n", tml_scene_message(scene));
            check_failures++;
            tml_scene_destroy(scene);
            break;
        }
        const tml_deformable_def* def = tml_model_deformable(model, 0);
        CHECK(def->attachment_count == 2 && def->attachments[0].vertex == TML_EMBEDDED);
        CHECK(soft_distance(def->attachments[0].position, (tml_vec3){0.25, 0.125, 0.5}) <= 0.0);
        CHECK(def->attachments[1].vertex == 1 && def->attachments[0].body.index == 0);
        tml_text_free(again);
        again = NULL;
        CHECK(tml_scene_write_text(scene, &again, &length) == TML_OK);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
    tml_text_free(again);
}
