// nodal/system.c - laying out a nodal system: nodes, masses, matrices and where blocks go.
#include "base/memory.h"
#include "nodal/nodal_internal.h"

#include <math.h>
#include <string.h>

// ---- creation

static tml_status no_memory(message* why) { return tml__fail(why, TML_NO_MEMORY, "out of memory"); }

// The free ones first: they are the unknowns.
static void number_vertices(nodal_system* s, const nodal_parts* parts, bool is_carried)
{
    for (int i = 0; i < parts->vertex_count; i++) {
        if (parts->is_held != NULL && parts->is_held[i]) continue;
        if ((parts->is_carried != NULL && parts->is_carried[i]) != is_carried) continue;
        s->node[i] = s->node_count;
        s->lump[s->node_count] = parts->extra != NULL ? parts->extra[i] : 0.0;
        s->share[s->node_count] = s->lump[s->node_count];
        s->vertex[s->node_count++] = i;
    }
}

static tml_status lay_vertices(nodal_system* s, const nodal_parts* parts, message* why)
{
    const size_t count = (size_t)parts->vertex_count;
    s->node = tml__pool_take(&s->memory, count, sizeof *s->node);
    s->vertex = tml__pool_take(&s->memory, count, sizeof *s->vertex);
    const size_t masses = count + (size_t)parts->tie_count;
    s->lump = tml__pool_take(&s->memory, masses, sizeof *s->lump);
    s->share = tml__pool_take(&s->memory, masses, sizeof *s->share);
    s->rest = tml__pool_copy(&s->memory, parts->vertices, count, sizeof *s->rest);
    s->held = tml__pool_copy(&s->memory, parts->vertices, count, sizeof *s->held);
    if (!s->node || !s->vertex || !s->lump || !s->share || !s->rest || !s->held) {
        return no_memory(why);
    }
    s->vertex_count = parts->vertex_count;
    for (int i = 0; i < parts->vertex_count; i++) {
        if (!v3_is_finite(parts->vertices[i])) {
            return tml__fail(why, TML_BAD_ARGUMENT, "vertex %d is not finite", i);
        }
        s->node[i] = -1;
    }
    number_vertices(s, parts, false);
    s->free_count = s->node_count;
    number_vertices(s, parts, true);
    return tml__nodal_lay_ties(s, parts, why);
}

static tml_status lay_element(nodal_system* s, const nodal_parts* parts, int i, message* why)
{
    nodal_element* e = &s->elements[i];
    vec3 rest[4];
    e->material = parts->part != NULL ? parts->part[i] : 0;
    if (e->material < 0 || e->material >= parts->material_count) {
        return tml__fail(why, TML_BAD_ARGUMENT, "tetrahedron %d names no material", i);
    }
    for (int a = 0; a < 4; a++) {
        e->corner[a] = parts->corners[4 * i + a];
        if (e->corner[a] < 0 || e->corner[a] >= parts->vertex_count) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "tetrahedron %d names vertex %d, but there are %d", i, e->corner[a],
                             parts->vertex_count);
        }
        const int tie = s->tie_of[e->corner[a]];
        e->node[a] = tie < 0 ? s->node[e->corner[a]] : s->node_count + tie;
        rest[a] = s->rest[e->corner[a]];
    }
    if (!tml__tetrahedron(rest, &e->shape)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "tetrahedron %d is flat or inside out (corners %d, %d, %d, %d)", i,
                         e->corner[0], e->corner[1], e->corner[2], e->corner[3]);
    }
    e->is_consistent = parts->is_consistent != NULL && parts->is_consistent[e->material];
    s->is_consistent = s->is_consistent || e->is_consistent;
    const double share = 0.25 * s->densities[e->material] * e->shape.volume;
    for (int a = 0; a < 4; a++) {
        if (e->node[a] < 0) continue;
        s->share[e->node[a]] += share;
        if (!e->is_consistent) s->lump[e->node[a]] += share;
    }
    return TML_OK;
}

static tml_status lay_elements(nodal_system* s, const nodal_parts* parts, message* why)
{
    const size_t materials = (size_t)parts->material_count;
    s->elements = tml__pool_take(&s->memory, (size_t)parts->tetrahedron_count, sizeof *s->elements);
    s->materials = tml__pool_copy(&s->memory, parts->materials, materials, sizeof *s->materials);
    s->densities = tml__pool_copy(&s->memory, parts->densities, materials, sizeof *s->densities);
    if (!s->elements || !s->materials || !s->densities) return no_memory(why);
    s->element_count = parts->tetrahedron_count;
    for (int i = 0; i < s->element_count; i++) {
        const tml_status status = lay_element(s, parts, i, why);
        if (status != TML_OK) return status;
    }
    if (s->free_count == s->node_count) return TML_OK;
    s->carrying = tml__pool_take(&s->memory, (size_t)s->element_count, sizeof *s->carrying);
    if (s->carrying == NULL) return no_memory(why);
    for (int i = 0; i < s->element_count; i++) {
        bool is_carrying = false;
        for (int a = 0; a < 4; a++) {
            is_carrying = is_carrying || s->elements[i].node[a] >= s->free_count;
        }
        if (is_carrying && !tml__nodal_is_bent(s, &s->elements[i]))
            s->carrying[s->carrying_count++] = i;
    }
    return TML_OK;
}

// Every node must have some mass: its own, or a share of a tetrahedron that has some.
static tml_status check_masses(const nodal_system* s, message* why)
{
    for (int n = 0; n < s->free_count; n++) {
        if (s->share[n] > 0.0 && isfinite(s->share[n])) continue;
        return tml__fail(why, TML_BAD_ARGUMENT, "vertex %d has no mass", s->vertex[n]);
    }
    return TML_OK;
}

// ---- matrices

static bool is_free(const nodal_system* s, int node) { return node >= 0 && node < s->free_count; }

static int list_pairs(const nodal_system* s, int* pair)
{
    int count = 0;
    for (int i = 0; i < s->element_count; i++) {
        const int* node = s->elements[i].node;
        for (int a = 0; a < 4; a++) {
            for (int b = a + 1; b < 4; b++) {
                if (!is_free(s, node[a]) || !is_free(s, node[b])) continue;
                pair[2 * count] = node[a];
                pair[2 * count++ + 1] = node[b];
            }
        }
    }
    return count;
}

static tml_status find_slots(nodal_system* s, nodal_matrix* m)
{
    m->slots = tml__pool_take(&s->memory, 16 * (size_t)s->element_count, sizeof *m->slots);
    m->diagonal = tml__pool_take(&s->memory, (size_t)s->free_count, sizeof *m->diagonal);
    if (m->slots == NULL || m->diagonal == NULL) return TML_NO_MEMORY;
    if (tml__nodal_spring_slots(s, m) != TML_OK) return TML_NO_MEMORY;
    if (tml__nodal_bent_slots(s, m) != TML_OK) return TML_NO_MEMORY;
    for (int n = 0; n < s->free_count; n++) m->diagonal[n] = tml__fronts_at(m->fronts, n, n);
    for (int i = 0; i < s->element_count; i++) {
        const int* node = s->elements[i].node;
        if (tml__nodal_is_bent(s, &s->elements[i])) continue;
        for (int k = 0; k < 16; k++) {
            const int a = node[k / 4];
            const int b = node[k % 4];
            if (!is_free(s, a) || !is_free(s, b)) continue;
            m->slots[16 * i + k] = tml__fronts_at(m->fronts, a, b);
        }
    }
    return TML_OK;
}

static tml_status create_matrix(nodal_system* s, const int* pair, int pair_count, message* why,
                                nodal_matrix* out)
{
    const block_pattern pattern = {s->free_count, NULL, pair_count, pair, NULL};
    const tml_status status =
        tml__fronts_create(&pattern, BLOCK_CHOLESKY, &s->allocator, why, &out->fronts);
    if (status != TML_OK) return status;
    return find_slots(s, out) == TML_OK ? TML_OK : no_memory(why);
}

static tml_status create_matrices(nodal_system* s, message* why)
{
    const size_t elements = (size_t)s->element_count;
    const size_t others = s->line_slots + s->bent_slots;
    int* pair = tml__allocate(&s->allocator, 12 * elements + others, sizeof *pair);
    if (pair == NULL) return no_memory(why);
    const int tetrahedral = list_pairs(s, pair);
    int count = tetrahedral + tml__nodal_spring_pairs(s, &pair[2 * (size_t)tetrahedral]);
    count += tml__nodal_bent_pairs(s, &pair[2 * (size_t)count]);
    tml_status status = create_matrix(s, pair, count, why, &s->stiff);
    s->has_mass_matrix = s->is_consistent || s->tie_count > 0;
    if (status == TML_OK && s->has_mass_matrix) {
        status = create_matrix(s, pair, count, why, &s->masses);
    }
    tml__release(&s->allocator, pair);
    return status;
}

static tml_status take_scratch(nodal_system* s, message* why)
{
    const size_t width = (size_t)tml__nodal_width(s);
    double** all[] = {&s->q_start, &s->v, &s->force, &s->residual, &s->step, &s->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = tml__pool_take(&s->memory, width, sizeof(double));
        if (*all[i] == NULL) return no_memory(why);
    }
    return TML_OK;
}

void tml__nodal_set_gravity(nodal_system* s, vec3 gravity) { s->gravity = gravity; }

tml_status tml__nodal_create(const nodal_parts* parts, const tml_allocator* allocator, message* why,
                             nodal_system** out)
{
    *out = NULL;
    nodal_system* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return no_memory(why);
    s->allocator = *allocator;
    s->memory.allocator = &s->allocator;
    s->gravity = parts->gravity;
    s->load = 1.0;
    s->alpha = parts->damping_mass;
    s->beta = parts->damping_stiffness;

    tml_status status = lay_vertices(s, parts, why);
    if (status == TML_OK) status = lay_elements(s, parts, why);
    if (status == TML_OK) status = tml__nodal_lay_bent(s, why);
    if (status == TML_OK) status = tml__nodal_lay_springs(s, parts, why);
    if (status == TML_OK) status = take_scratch(s, why);
    if (status == TML_OK) status = check_masses(s, why);
    if (status == TML_OK) status = create_matrices(s, why);
    if (status != TML_OK) {
        tml__nodal_destroy(s);
        return status;
    }
    *out = s;
    return TML_OK;
}

void tml__nodal_destroy(nodal_system* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    tml__fronts_destroy(s->stiff.fronts);
    tml__fronts_destroy(s->masses.fronts);
    tml__pool_destroy(&s->memory);
    tml__release(&allocator, s);
}

// ---- asking

int tml__nodal_width(const nodal_system* s) { return NODE_WIDTH * s->node_count; }
int tml__nodal_free_width(const nodal_system* s) { return NODE_WIDTH * s->free_count; }
int tml__nodal_node(const nodal_system* s, int vertex) { return s->node[vertex]; }

int tml__nodal_vertex_of(const nodal_system* s, int node) { return s->vertex[node]; }

void tml__nodal_rest(const nodal_system* s, double* q)
{
    // `held` is where a vertex that follows others has its point
    for (int n = 0; n < s->node_count; n++) v3_store(&q[3 * n], s->held[s->vertex[n]]);
}

void tml__nodal_hold(nodal_system* s, int vertex, vec3 place)
{
    if (s->node[vertex] < 0) s->held[vertex] = place;
}

void tml__nodal_set_push(nodal_system* s, const double* push) { s->push = push; }

void tml__nodal_set_time(nodal_system* s, double t) { s->t = t; }

vec3 tml__nodal_vertex(const nodal_system* s, const double* q, int vertex)
{
    const int node = s->node[vertex];
    if (s->tie_of[vertex] >= 0) return tml__nodal_follow(s, s->tie_of[vertex], q, s->held);
    return node >= 0 ? v3_load(&q[3 * node]) : s->held[vertex];
}

vec3 tml__nodal_vertex_velocity(const nodal_system* s, const double* v, int vertex)
{
    const int node = s->node[vertex];
    if (s->tie_of[vertex] >= 0) return tml__nodal_follow(s, s->tie_of[vertex], v, NULL);
    return node >= 0 ? v3_load(&v[3 * node]) : v3_zero();
}

nodal_statistics tml__nodal_statistics(const nodal_system* s)
{
    const fronts_statistics f = tml__fronts_statistics(s->stiff.fronts);
    return (nodal_statistics){tml__nodal_free_width(s), f.entries, f.flops};
}
