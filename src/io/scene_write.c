// io/scene_write.c - a scene as JSON: every body, joint and force listed, one a line.
//
// Values that say what a missing key says are left out, so that a short scene stays short. What is
// written reads back as the same definitions, and writing that again gives the same text.
#include "io/file.h"
#include "io/scene_internal.h"
#include "io/writer.h"
#include "math/vec3.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- bodies

static void write_orientation(writer* w, tml_quat q)
{
    const double x[4] = {q.w, q.x, q.y, q.z};
    tml__put_key(w, "orientation");
    tml__put_numbers(w, x, 4);
}

static void write_heightfield(writer* w, const tml_shape_def* s)
{
    const double extent[2] = {s->size.x, s->size.y};
    tml__put_key(w, "size");
    tml__put_numbers(w, extent, 2);
    tml__put_key(w, "heights");
    tml__put_open(w, "[");
    for (int row = 0; row < s->rows; row++) {
        tml__put_comma(w);
        tml__put_numbers(w, &s->heights[(size_t)row * (size_t)s->columns], s->columns);
    }
    tml__put_close(w, "]");
}

// The vertices themselves, so that the scene needs no other file.
static void write_mesh(writer* w, const tml_shape_def* s)
{
    tml__put_key(w, "vertices");
    tml__put_open(w, "[");
    for (int i = 0; i < s->vertex_count; i++) {
        tml__put_comma(w);
        tml__put_vector(w, s->vertices[i]);
    }
    tml__put_close(w, "]");
    tml__put_key(w, "triangles");
    tml__put_open(w, "[");
    for (int i = 0; i < s->triangle_count; i++) {
        const int* v = &s->triangles[3 * i];
        const double corners[3] = {v[0], v[1], v[2]};
        tml__put_comma(w);
        tml__put_numbers(w, corners, 3);
    }
    tml__put_close(w, "]");
}

static void write_size(writer* w, const tml_shape_def* s)
{
    switch (s->kind) {
    case TML_SHAPE_SPHERE: tml__write_number(w, "radius", s->size.x); break;
    case TML_SHAPE_ELLIPSOID: tml__write_vector(w, "radii", s->size); break;
    case TML_SHAPE_CAPSULE:
    case TML_SHAPE_CYLINDER:
        tml__write_number(w, "radius", s->size.x);
        tml__write_number(w, "length", s->size.z);
        break;
    case TML_SHAPE_BOX: tml__write_vector(w, "size", s->size); break;
    case TML_SHAPE_HEIGHTFIELD: write_heightfield(w, s); break;
    case TML_SHAPE_MESH: write_mesh(w, s); break;
    case TML_SHAPE_PLANE:
    case TML_SHAPE_KINDS: break;
    }
}

// Who may touch it, and how.
static void put_touch(writer* w, const tml_shape_def* s, const tml_shape_def* usual)
{
    tml__write_unless(w, "mask", s->mask, usual->mask);
    tml__write_unless(w, "groups", s->groups, usual->groups);
    tml__write_unless(w, "priority", s->priority, usual->priority);
    tml__write_unless(w, "dimensions", s->dimensions, usual->dimensions);
    tml__write_unless(w, "margin", s->margin, usual->margin);
    tml__write_unless(w, "torsion", s->torsion, usual->torsion);
    tml__write_unless(w, "rolling", s->rolling, usual->rolling);
    if (s->hull) {
        tml__put_key(w, "hull");
        tml__put(w, "true");
    }
    if (s->name != NULL) tml__write_text(w, "name", s->name);
}

static void put_shape(writer* w, const tml_shape_def* s)
{
    const tml_shape_def usual = tml_shape_def_default();
    const tml_quat q = s->pose.q;
    char color[8];
    snprintf(color, sizeof color, "#%02x%02x%02x", s->color[0], s->color[1], s->color[2]);

    tml__put_open(w, "{");
    tml__write_text(w, "type", tml_shape_kind_name(s->kind));
    write_size(w, s);
    tml__write_vector_unless_zero(w, "position", s->pose.p);
    if (q.w < 1.0 || v3_max(v3(q.x, q.y, q.z)) > 0.0) write_orientation(w, q);
    tml__write_text(w, "color", color);
    tml__write_unless(w, "density", s->density, usual.density);
    tml__write_unless(w, "friction", s->friction, usual.friction);
    tml__write_unless(w, "restitution", s->restitution, usual.restitution);
    if (!s->collide) {
        tml__put_key(w, "collide");
        tml__put(w, "false");
    }
    tml__write_unless(w, "group", s->group, 0.0);
    if (s->hidden) {
        tml__put_key(w, "hidden");
        tml__put(w, "true");
    }
    put_touch(w, s, &usual);
    tml__put_close(w, "}");
}

static void write_shapes(writer* w, const tml_shape_def* shapes, int count)
{
    if (count == 0) return;
    tml__put_line(w, "     ");
    tml__put(w, "\"shapes\": ");
    tml__put_open(w, "[");
    for (int i = 0; i < count; i++) {
        tml__put_line(w, "       ");
        put_shape(w, &shapes[i]);
    }
    tml__put_close(w, "]");
}

static void write_body(writer* w, int index)
{
    const tml_body_def* b = &w->all->bodies[index];
    const bool has_products = v3_max(v3(b->inertia[3], b->inertia[4], b->inertia[5])) > 0.0;

    tml__put_open(w, "{");
    tml__write_text(w, "name", b->name);
    tml__write_number(w, "mass", b->mass);
    tml__put_key(w, "inertia");
    tml__put_numbers(w, b->inertia, has_products ? 6 : 3);
    tml__write_vector(w, "position", b->pose.p);
    write_orientation(w, b->pose.q);
    tml__write_vector_unless_zero(w, "velocity", b->velocity.linear);
    tml__write_vector_unless_zero(w, "angular_velocity", b->velocity.angular);
    tml__write_vector_unless_zero(w, "com", b->com);
    if (b->is_fixed) tml__write_true(w, "fixed");
    write_shapes(w, b->shapes, b->shape_count);
    tml__put_close(w, "}");
}

static void write_world(writer* w)
{
    tml__put_line(w, "    ");
    tml__put_open(w, "{");
    tml__write_text(w, "name", "world");
    write_shapes(w, w->all->world_shapes, w->all->world_shape_count);
    tml__put_close(w, "}");
}

// ---- the scene

static void write_contact(writer* w, const tml_sim_settings* sim)
{
    if (sim->contact.max_contacts == 0 && sim->contact.margin == 0.0 &&
        sim->contact.stiffness == 0.0 && sim->contact.pgs_iterations == 0) {
        tml__write_true(w, "contact");
        return;
    }
    tml__put_key(w, "contact");
    tml__put_open(w, "{");
    tml__write_unless(w, "max_contacts", sim->contact.max_contacts, 0.0);
    tml__write_unless(w, "margin", sim->contact.margin, 0.0);
    tml__write_unless(w, "stiffness", sim->contact.stiffness, 0.0);
    tml__write_unless(w, "sweeps", sim->contact.pgs_iterations, 0.0);
    tml__put_close(w, "}");
}

static void write_level(writer* w, const double level[3])
{
    if (level[1] <= 0.0 && level[2] <= 0.0) return;
    tml__put_key(w, "constraint_level");
    tml__put_numbers(w, level, 3);
}

static void write_formulas(writer* w, const tml_sim_settings* sim)
{
    write_level(w, sim->implicit.level);
    if (sim->implicit.is_linearised) tml__write_true(w, "linearised");
    if (sim->implicit.unknowns == TML_UNKNOWN_VELOCITY) tml__write_text(w, "unknowns", "velocity");
    if (sim->integrator == TML_TIME_NEWMARK) {
        tml__put_key(w, "newmark");
        tml__put_open(w, "{");
        tml__write_number(w, "gamma", sim->implicit.newmark_gamma);
        tml__write_number(w, "beta", sim->implicit.newmark_beta);
        tml__put_close(w, "}");
    }
    if (sim->implicit.multistep.steps == 0) return;
    tml__put_key(w, "multistep");
    tml__put_open(w, "{");
    tml__put_key(w, "alpha");
    tml__put_numbers(w, sim->implicit.multistep.alpha, sim->implicit.multistep.steps + 1);
    tml__put_key(w, "beta");
    tml__put_numbers(w, sim->implicit.multistep.beta, sim->implicit.multistep.steps + 1);
    tml__put_close(w, "}");
}

static void write_simulation(writer* w, const tml_run_settings* settings)
{
    const tml_sim_settings* sim = &settings->sim;

    tml__put_key(w, "simulation");
    tml__put_open(w, "{");
    tml__write_text(w, "formulation", tml_formulation_name(sim->formulation));
    tml__write_text(w, "integrator", tml_integrator_name(sim->integrator));
    tml__write_number(w, "step", sim->step);
    tml__write_number(w, "duration", settings->duration);
    tml__write_number(w, "tolerance", sim->tolerance);
    tml__write_number(w, "max_iterations", sim->max_iterations);
    tml__write_text(w, "solver", tml_solver_name(sim->solver));
    if (sim->contact.is_on) write_contact(w, sim);
    tml__write_unless(w, "threads", sim->threads, 1.0);
    if (sim->implicit.start == TML_START_SDIRK2) tml__write_text(w, "start", "sdirk2");
    tml__write_unless(w, "baumgarte", sim->implicit.baumgarte, 0.0);
    if (isfinite(sim->affine.young)) {
        tml__write_number(w, "young", sim->affine.young);
        tml__write_number(w, "poisson", sim->affine.poisson);
    }
    if (sim->affine.strain == TML_STRAIN_COROTATED) tml__write_text(w, "strain", "corotated");
    write_formulas(w, sim);
    tml__put_close(w, "}");
}

// A member of the scene starts a line of its own.
static void next_part(writer* w)
{
    tml__put(w, ",\n  ");
    w->is_first = true;
}

static void write_each(writer* w, int count, void (*write)(writer* w, int index))
{
    for (int i = 0; i < count; i++) {
        tml__put_line(w, "    ");
        write(w, i);
    }
}

static void write_bodies(writer* w)
{
    next_part(w);
    tml__put_key(w, "bodies");
    tml__put_open(w, "[");
    if (w->all->world_shape_count > 0) write_world(w);
    write_each(w, w->all->body_count, write_body);
    tml__put_close(w, "\n  ]");
}

static void write_part(writer* w, const char* key, int count, void (*write)(writer* w, int index))
{
    if (count == 0) return;
    next_part(w);
    tml__put_key(w, key);
    tml__put_open(w, "[");
    write_each(w, count, write);
    tml__put_close(w, "\n  ]");
}

static void write_forces(writer* w)
{
    const definitions* all = w->all;
    if (all->spring_count + all->wrench_count + all->drag_count == 0) return;
    next_part(w);
    tml__put_key(w, "forces");
    tml__put_open(w, "[");
    write_each(w, all->spring_count, tml__write_spring);
    write_each(w, all->wrench_count, tml__write_wrench);
    write_each(w, all->drag_count, tml__write_drag);
    tml__put_close(w, "\n  ]");
}

static void write_collision(writer* w)
{
    const definitions* all = w->all;
    if (all->exclude_count + all->pair_count == 0 && all->neighbours < 2) return;
    next_part(w);
    tml__put_key(w, "collision");
    tml__put_open(w, "{");
    if (all->neighbours > 1) tml__write_number(w, "neighbours", all->neighbours);
    tml__put_key(w, "exclude");
    tml__put_open(w, "[");
    for (int i = 0; i < all->exclude_count; i++) {
        tml__put_comma(w);
        tml__put_open(w, "[");
        tml__put_comma(w);
        tml__put_string(w, tml__body_name(w, all->excludes[i].a));
        tml__put_comma(w);
        tml__put_string(w, tml__body_name(w, all->excludes[i].b));
        tml__put_close(w, "]");
    }
    tml__put_close(w, "]");
    tml__put_key(w, "pairs");
    tml__put_open(w, "[");
    for (int i = 0; i < all->pair_count; i++) {
        const tml_pair_def* pair = &all->pairs[i];
        tml__put_comma(w);
        tml__put_open(w, "{");
        tml__write_text(w, "a", tml__body_name(w, pair->a));
        tml__write_text(w, "b", tml__body_name(w, pair->b));
        if (pair->shape_a >= 0) {
            tml__write_number(w, "shape_a", pair->shape_a);
            tml__write_number(w, "shape_b", pair->shape_b);
            if (pair->is_apart) tml__write_true(w, "apart");
        }
        if (pair->friction >= 0.0) tml__write_number(w, "friction", pair->friction);
        if (pair->restitution >= 0.0) tml__write_number(w, "restitution", pair->restitution);
        tml__put_close(w, "}");
    }
    tml__put_close(w, "]");
    tml__put_close(w, "}");
}

static void write_friction_rule(writer* w)
{
    if (!w->all->takes_larger_friction) return;
    next_part(w);
    tml__write_text(w, "friction_rule", "max");
}

static void write_scene(writer* w, const tml_run_settings* settings)
{
    tml__put(w, "{\n  \"trammel\": 1");
    if (w->all->name != NULL && w->all->name[0] != '\0') {
        next_part(w);
        tml__write_text(w, "name", w->all->name);
    }
    next_part(w);
    tml__write_vector(w, "gravity", w->all->gravity);
    if (w->all->rayleigh_mass > 0.0 || w->all->rayleigh_stiffness > 0.0) {
        next_part(w);
        tml__put_key(w, "rayleigh");
        tml__put_open(w, "{");
        tml__write_unless(w, "mass", w->all->rayleigh_mass, 0.0);
        tml__write_unless(w, "stiffness", w->all->rayleigh_stiffness, 0.0);
        tml__put_close(w, "}");
    }
    write_bodies(w);
    write_part(w, "joints", w->all->joint_count, tml__write_joint);
    write_part(w, "couplings", w->all->coupling_count, tml__write_coupling);
    write_part(w, "nonholonomic", w->all->nonholonomic_count, tml__write_nonholonomic);
    write_forces(w);
    write_part(w, "deformables", w->all->deformable_count, tml__write_deformable);
    write_part(w, "sensors", w->all->sensor_count, tml__write_sensor);
    write_friction_rule(w);
    write_collision(w);
    next_part(w);
    write_simulation(w, settings);
    tml__put(w, "\n}\n");
}

tml_status tml_scene_write_text(tml_scene* scene, char** text, size_t* length)
{
    if (scene == NULL || text == NULL || length == NULL) return TML_BAD_ARGUMENT;
    *text = NULL;
    *length = 0;
    if (scene->spec->status != TML_OK) {
        return tml__fail(&scene->why, scene->spec->status, "%s", scene->spec->why.text);
    }
    writer w = {.all = &scene->spec->all, .is_first = true};
    write_scene(&w, &scene->settings);
    if (w.status != TML_OK) {
        scene->why = w.why;
        free(w.data);
        return w.status;
    }
    *text = w.data;
    *length = w.length;
    return TML_OK;
}

void tml_text_free(char* text) { free(text); }

tml_status tml_scene_write_file(tml_scene* scene, const char* path)
{
    if (scene == NULL || path == NULL) return TML_BAD_ARGUMENT;
    char* text = NULL;
    size_t length = 0;
    tml_status status = tml__is_robot_path(path) ? tml__write_robot(scene, path, &text, &length)
                                                 : tml_scene_write_text(scene, &text, &length);
    if (status != TML_OK) return status;

    const int error = tml__write_bytes(path, text, length);
    if (error != 0) {
        status = tml__fail(&scene->why, TML_BAD_FILE, "%.300s: cannot be written: %s", path,
                           strerror(error));
    }
    tml_text_free(text);
    return status;
}
