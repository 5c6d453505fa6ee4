// sim/soft.c - the deformables of a simulation: layout, initial state, what bodies carry, energies.
#include "sim/soft.h"

#include "base/memory.h"
#include "sim/soft_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- counting

static bool is_held(const tml_model* m, int vertex)
{
    return m->carrier[vertex] != VERTEX_FREE && m->bodies[m->carrier[vertex]].node < 0;
}

static bool is_carried(const tml_model* m, int vertex)
{
    return m->carrier[vertex] != VERTEX_FREE && m->bodies[m->carrier[vertex]].node >= 0;
}

int tml__soft_width(const tml_model* model)
{
    int moving = 0;
    for (int i = 0; i < model->vertex_count; i++) moving += is_held(model, i) ? 0 : 1;
    return NODE_WIDTH * moving;
}

// ---- creation

static tml_status no_memory(message* why) { return tml__fail(why, TML_NO_MEMORY, "out of memory"); }

typedef struct part_lists {
    vec3* vertices;
    bool* is_held;
    bool* is_carried;
    double* extra;
    int* corners;
    int* part;
    elastic* materials;
    double* densities;
    bool* is_consistent;
    int tetrahedra;
} part_lists;

static bool take_lists(const tml_model* m, pool* scratch, part_lists* l)
{
    const size_t vertices = (size_t)m->vertex_count;
    const size_t count = (size_t)m->all.deformable_count;
    for (int i = 0; i < m->all.deformable_count; i++) {
        l->tetrahedra += m->all.deformables[i].tetrahedron_count;
    }
    l->vertices = tml__pool_take(scratch, vertices, sizeof *l->vertices);
    l->is_held = tml__pool_take(scratch, vertices, sizeof *l->is_held);
    l->is_carried = tml__pool_take(scratch, vertices, sizeof *l->is_carried);
    l->extra = tml__pool_take(scratch, vertices, sizeof *l->extra);
    l->corners = tml__pool_take(scratch, 4 * (size_t)l->tetrahedra, sizeof *l->corners);
    l->part = tml__pool_take(scratch, (size_t)l->tetrahedra, sizeof *l->part);
    l->materials = tml__pool_take(scratch, count, sizeof *l->materials);
    l->densities = tml__pool_take(scratch, count, sizeof *l->densities);
    l->is_consistent = tml__pool_take(scratch, count, sizeof *l->is_consistent);
    return l->vertices && l->is_held && l->is_carried && l->extra && l->corners && l->part &&
           l->materials && l->densities && l->is_consistent;
}

static void fill_lists(const tml_model* m, part_lists* l)
{
    int at = 0;
    for (int i = 0; i < m->all.deformable_count; i++) {
        const tml_deformable_def* def = &m->all.deformables[i];
        const int first = m->soft[i].first;
        l->materials[i] = tml__elastic(def->material, def->young, def->poisson);
        l->densities[i] = def->density;
        l->is_consistent[i] = def->is_consistent != 0;
        for (int k = 0; k < def->vertex_count; k++) {
            l->vertices[first + k] = def->vertices[k];
            l->extra[first + k] = def->vertex_mass;
            l->is_held[first + k] = is_held(m, first + k);
            l->is_carried[first + k] = is_carried(m, first + k);
        }
        for (int k = 0; k < def->tetrahedron_count; k++, at++) {
            l->part[at] = i;
            for (int a = 0; a < 4; a++) {
                l->corners[4 * at + a] = first + def->tetrahedra[4 * (size_t)k + (size_t)a];
            }
        }
    }
}

// Points of bodies that springs tie to deformables: vertices without mass, behind all others.
static void fill_anchors(const tml_model* m, part_lists* l)
{
    const soft_data* last = &m->soft[m->all.deformable_count - 1];
    const int first = last->first + m->all.deformables[m->all.deformable_count - 1].vertex_count;
    for (int i = first; i < m->vertex_count; i++) {
        const body_data* b = &m->bodies[m->carrier[i]];
        l->vertices[i] = v3_add(b->c, q_rotate(b->q, m->carried_at[i]));
        l->is_held[i] = is_held(m, i);
        l->is_carried[i] = is_carried(m, i);
    }
}

static tml_status create_nodes(sim_soft* f, const tml_allocator* allocator, message* why)
{
    const tml_model* m = f->model;
    pool scratch = {.allocator = allocator};
    part_lists l = {0};
    tml_status status = take_lists(m, &scratch, &l) ? TML_OK : no_memory(why);
    if (status == TML_OK) {
        fill_lists(m, &l);
        fill_anchors(m, &l);
        const nodal_parts parts = {.vertex_count = m->vertex_count,
                                   .vertices = l.vertices,
                                   .is_held = l.is_held,
                                   .is_carried = l.is_carried,
                                   .extra = l.extra,
                                   .tetrahedron_count = l.tetrahedra,
                                   .corners = l.corners,
                                   .part = l.part,
                                   .material_count = m->all.deformable_count,
                                   .materials = l.materials,
                                   .densities = l.densities,
                                   .is_consistent = l.is_consistent,
                                   .gravity = m->all.gravity,
                                   .damping_mass = m->all.rayleigh_mass,
                                   .damping_stiffness = m->all.rayleigh_stiffness,
                                   .spring_count = m->soft_spring_count,
                                   .springs = m->soft_springs,
                                   .tie_count = m->tie_count,
                                   .ties = m->ties};
        status = tml__nodal_create(&parts, allocator, why, &f->nodes);
    }
    tml__pool_destroy(&scratch);
    return status;
}

// Carriers and their blocks, and where these are added in the matrix of the bodies.
static tml_status lay_carriers(sim_soft* f, message* why)
{
    const tml_model* m = f->model;
    size_t most = 0;
    size_t pairs = 0;
    for (int i = 0; i < m->all.deformable_count; i++) {
        const size_t count = (size_t)m->soft[i].carrier_count;
        most += count;
        pairs += count * count;
    }
    int* index_of = tml__pool_take(&f->memory, (size_t)m->all.body_count, sizeof *index_of);
    f->carrier_node = tml__pool_take(&f->memory, most, sizeof *f->carrier_node);
    f->place = tml__pool_take(&f->memory, most + pairs, sizeof *f->place);
    if (index_of == NULL || f->carrier_node == NULL || f->place == NULL) return no_memory(why);

    int count = 0;
    for (int i = 0; i < m->all.deformable_count; i++) {
        for (int a = 0; a < m->soft[i].carrier_count; a++) {
            const int body = m->soft[i].carriers[a];
            if (index_of[body] != 0) continue;
            f->carrier_node[count++] = m->bodies[body].node;
            index_of[body] = count;  // one more, so that 0 says "none"
        }
    }
    f->pair = tml__pool_take(&f->memory, (size_t)count * (size_t)count, sizeof *f->pair);
    if (f->pair == NULL) return no_memory(why);
    for (int i = 0; i < count * count; i++) f->pair[i] = -1;

    kkt_values* values = count > 0 ? tml__kkt_values(f->system->matrix) : NULL;
    for (int a = 0; a < count; a++) {
        f->pair[a * count + a] = f->block_count;
        f->place[f->block_count++] = &values->node[36 * f->carrier_node[a]];
    }
    int pair = f->system->first_soft_pair;
    for (int i = 0; i < m->all.deformable_count; i++) {
        const soft_data* soft = &m->soft[i];
        for (int a = 0; a < soft->carrier_count; a++) {
            for (int b = a + 1; b < soft->carrier_count; b++, pair++) {
                const int row = index_of[soft->carriers[a]] - 1;
                const int column = index_of[soft->carriers[b]] - 1;
                if (f->pair[row * count + column] >= 0) continue;
                f->pair[row * count + column] = f->block_count;
                f->place[f->block_count++] = &values->pair[72 * pair];
                f->pair[column * count + row] = f->block_count;
                f->place[f->block_count++] = &values->pair[72 * pair + 36];
            }
        }
    }
    for (int i = 0; i < f->carried_count; i++) {
        f->carrier[i] = index_of[m->carrier[f->carried_vertex[i]]] - 1;
    }
    f->by = (nodal_carriers){count, f->carrier, f->lever, f->arm, f->pair};
    return TML_OK;
}

static tml_status take_scratch(sim_soft* f, message* why)
{
    const size_t width = (size_t)f->width;
    const size_t columns = 6 * (size_t)f->by.count * (size_t)f->free_width;
    pool* p = &f->memory;
    f->columns = tml__pool_take(p, columns, sizeof(double));
    f->rows = tml__pool_take(p, columns, sizeof(double));
    f->solved = tml__pool_take(p, columns, sizeof(double));
    f->own = tml__pool_take(p, 36 * (size_t)f->block_count, sizeof(double));
    f->x = tml__pool_take(p, width, sizeof(double));
    f->mean = tml__pool_take(p, width, sizeof(double));
    f->hat = tml__pool_take(p, width, sizeof(double));
    f->momentum = tml__pool_take(p, width, sizeof(double));
    f->x_start = tml__pool_take(p, width, sizeof(double));
    f->step = tml__pool_take(p, width, sizeof(double));
    f->residual = tml__pool_take(p, width, sizeof(double));
    f->work = tml__pool_take(p, width, sizeof(double));
    f->kept = tml__pool_take(p, 6 * (size_t)f->system->node_count, sizeof(double));
    const bool is_complete = f->columns && f->rows && f->solved && f->own && f->x && f->mean &&
                             f->hat && f->momentum && f->x_start && f->step && f->residual &&
                             f->work && f->kept;
    return is_complete ? TML_OK : no_memory(why);
}

static tml_status lay_carried(sim_soft* f, message* why)
{
    const tml_model* m = f->model;
    const size_t carried = (size_t)(f->width - f->free_width) / NODE_WIDTH;
    f->carried_vertex = tml__pool_take(&f->memory, carried, sizeof *f->carried_vertex);
    f->carrier = tml__pool_take(&f->memory, carried, sizeof *f->carrier);
    f->lever = tml__pool_take(&f->memory, carried, sizeof *f->lever);
    f->first_lever = tml__pool_take(&f->memory, carried, sizeof *f->first_lever);
    f->arm = tml__pool_take(&f->memory, carried, sizeof *f->arm);
    if (!f->carried_vertex || !f->carrier || !f->lever || !f->first_lever || !f->arm) {
        return no_memory(why);
    }
    for (int i = 0; i < m->vertex_count; i++) {
        if (is_carried(m, i)) f->carried_vertex[f->carried_count++] = i;
    }
    return TML_OK;
}

tml_status tml__soft_create(const tml_model* model, maximal_system* system,
                            const tml_allocator* allocator, message* why, sim_soft** out)
{
    *out = NULL;
    if (model->all.deformable_count == 0) return TML_OK;
    sim_soft* f = tml__allocate(allocator, 1, sizeof *f);
    if (f == NULL) return no_memory(why);
    *out = f;
    f->model = model;
    f->system = system;
    f->memory.allocator = &system->allocator;
    f->first = system->node_count * POSE_WIDTH;
    f->bad_row = -1;

    tml_status status = create_nodes(f, &system->allocator, why);
    if (status != TML_OK) return status;
    f->width = tml__nodal_width(f->nodes);
    f->free_width = tml__nodal_free_width(f->nodes);
    status = lay_carried(f, why);
    if (status == TML_OK) status = lay_carriers(f, why);
    if (status == TML_OK) status = take_scratch(f, why);
    return status;
}

void tml__soft_destroy(sim_soft* f)
{
    if (f == NULL) return;
    const tml_allocator allocator = f->system->allocator;
    tml__soft_touch_destroy(f);
    tml__nodal_destroy(f->nodes);
    tml__pool_destroy(&f->memory);
    tml__release(&allocator, f);
}

// ---- states

void tml__soft_load(sim_soft* f, double* q, double* v)
{
    const tml_model* m = f->model;
    tml__nodal_rest(f->nodes, q + f->first);
    for (int i = 0; i < m->all.deformable_count; i++) {
        const tml_deformable_def* def = &m->all.deformables[i];
        for (int k = 0; k < def->vertex_count; k++) {
            const int node = tml__nodal_node(f->nodes, m->soft[i].first + k);
            if (node >= 0) v3_store(v + f->first + 3 * node, def->velocity);
        }
    }
    tml__soft_follow(f, q, v);
}

void tml__soft_carry_velocities(const sim_soft* f, const double* q, double* v)
{
    const tml_model* m = f->model;
    for (int i = 0; i < f->carried_count; i++) {
        const int vertex = f->carried_vertex[i];
        const int node = m->bodies[m->carrier[vertex]].node;
        const double* x = &q[node * POSE_WIDTH];
        const double* u = &v[node * POSE_WIDTH];
        const quat raw = {x[3], x[4], x[5], x[6]};
        const quat w = {u[3], u[4], u[5], u[6]};
        const vec3 r = q_rotate(q_normalize(raw), m->carried_at[vertex]);
        const vec3 omega = v3_scale(2.0 / q_dot(raw, raw), q_G(raw, w));
        v3_store(v + f->first + f->free_width + 3 * i, v3_add(v3_load(u), v3_cross(omega, r)));
    }
}

void tml__soft_follow(sim_soft* f, double* q, double* v)
{
    const tml_model* m = f->model;
    for (int i = 0; i < f->carried_count; i++) {
        const int vertex = f->carried_vertex[i];
        const double* x = &q[m->bodies[m->carrier[vertex]].node * POSE_WIDTH];
        const quat raw = {x[3], x[4], x[5], x[6]};
        const vec3 r = q_rotate(q_normalize(raw), m->carried_at[vertex]);
        v3_store(q + f->first + f->free_width + 3 * i, v3_add(v3_load(x), r));
    }
    if (v != NULL) tml__soft_carry_velocities(f, q, v);
}

void tml__soft_energy(sim_soft* f, const double* q, const double* v, tml_energy* sum)
{
    double kinetic = 0.0;
    double potential = 0.0;
    tml__nodal_energy(f->nodes, q + f->first, v + f->first, &kinetic, &potential);
    sum->kinetic += kinetic;
    sum->potential += potential;
}

// ---- sentences

void tml__soft_name(const sim_soft* f, int number, char* text, size_t capacity)
{
    const int vertex = tml__nodal_vertex_of(f->nodes, number / NODE_WIDTH);
    tml__soft_vertex_name(f, vertex, text, capacity);
}

void tml__soft_vertex_name(const sim_soft* f, int vertex, char* text, size_t capacity)
{
    const tml_model* m = f->model;
    int i = m->all.deformable_count - 1;
    while (i > 0 && m->soft[i].first > vertex) i--;
    snprintf(text, capacity, "vertex %d of deformable '%.160s'", vertex - m->soft[i].first,
             m->all.deformables[i].name);
}

// The last step's largest part, or -1 where all its parts are finite and zero.
static int worst_number(const sim_soft* f)
{
    int worst = 0;
    for (int i = 0; i < f->free_width; i++) {
        if (!isfinite(f->residual[i])) return i;
        if (fabs(f->step[i]) > fabs(f->step[worst])) worst = i;
    }
    return worst;
}

tml_status tml__soft_describe(sim_soft* f, tml_status status, const newton_report* report,
                              message* why)
{
    char name[300];
    if (f->bad_row >= 0) {
        tml__soft_touch_name(f, f->bad_row, name, sizeof name);
        return tml__fail(why, status, "no contact forces were found: %.2g m are left between %s",
                         f->bad_break, name);
    }
    tml__soft_name(f, worst_number(f), name, sizeof name);
    if (status == TML_SINGULAR) {
        return tml__fail(
            why, status,
            "the equations of the deformables have no unique solution: the stiffness is "
            "singular or not finite near %s",
            name);
    }
    return tml__fail(why, status,
                     "Newton's iterations stop after %d: %s would still move by %.3g m",
                     report->iterations, name, report->update);
}
