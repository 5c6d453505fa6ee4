// sim/soft_points.c - the points of deformables that touch, as sums of the numbers of a state.
#include "sim/soft_points.h"

// The tie that a vertex follows others by; NULL: it does not.
static const soft_tie* tie_of(const tml_model* m, int vertex)
{
    for (int i = 0; i < m->tie_count; i++) {
        if (m->ties[i].vertex == vertex) return &m->ties[i];
    }
    return NULL;
}

// ---- which points

soft_spot tml__points_spot(const tml_model* m, int spot)
{
    int i = 0;
    if (spot >= m->vertex_count) {
        spot -= m->vertex_count;
        while (spot >= m->all.deformables[i].surface_vertex_count) {
            spot -= m->all.deformables[i++].surface_vertex_count;
        }
        return (soft_spot){i, -1, spot};
    }
    i = m->all.deformable_count - 1;
    while (i > 0 && m->soft[i].first > spot) i--;
    return (soft_spot){i, spot - m->soft[i].first, -1};
}

// A vertex, with its weight in a point, as numbers of a state: its own, or those that it follows.
static int add_terms(const sim_soft* f, soft_points* t, int at, int vertex, double weight)
{
    const soft_tie* tie = tie_of(f->model, vertex);
    for (int k = 0; k < (tie != NULL ? tie->count : 1); k++) {
        const int node = tml__nodal_node(f->nodes, tie != NULL ? tie->others[k] : vertex);
        if (node < 0) continue;
        t->node[at] = node;
        t->weight[at++] = tie != NULL ? weight * tie->weights[k] : weight;
    }
    return at;
}

// A point that touches, of `count` vertices with weights. `rest` is the state at rest. What is held adds
// a constant, which is none where a free vertex is the point.
static void add_point(const sim_soft* f, soft_points* t, int spot, const mapping_term* terms,
                      int count, int first_vertex, vec3 place, const double* rest)
{
    int at = t->first[t->count];
    vec3 moving = v3_zero();
    bool is_vertex = count == 1;
    for (int k = 0; k < count; k++) {
        if (terms[k].weight == 0.0) continue;
        const int vertex = first_vertex + terms[k].input;
        is_vertex &= tie_of(f->model, vertex) == NULL;
        at = add_terms(f, t, at, vertex, terms[k].weight);
    }
    for (int k = t->first[t->count]; k < at; k++) {
        moving = v3_axpy(moving, t->weight[k], v3_load(&rest[NODE_WIDTH * t->node[k]]));
    }
    t->spot[t->count] = spot;
    t->offset[t->count++] = is_vertex ? v3_zero() : v3_sub(place, moving);
    t->first[t->count] = at;
}

static bool is_held(const tml_model* m, int vertex)
{
    return m->carrier[vertex] != VERTEX_FREE && tie_of(m, vertex) == NULL;
}

// `is_outside` is zero, per vertex of the model.
static void add_vertices(const sim_soft* f, soft_points* t, int i, const double* rest,
                         unsigned char* is_outside, int* deformable)
{
    const tml_model* m = f->model;
    const soft_data* soft = &m->soft[i];
    const tml_deformable_def* def = &m->all.deformables[i];
    for (int k = 0; k < 3 * soft->triangle_count; k++) {
        is_outside[soft->first + soft->triangles[k]] = 1;
    }
    for (int k = 0; k < def->vertex_count; k++) {
        const mapping_term itself = {.input = k, .weight = 1.0};
        const bool is_seen = is_outside[soft->first + k] || def->tetrahedron_count == 0;
        if (!is_seen || is_held(m, soft->first + k)) continue;
        deformable[t->count] = i;
        add_point(f, t, soft->first + k, &itself, 1, soft->first, def->vertices[k], rest);
    }
}

// Points of a surface of which something can move.
static void add_surface(const sim_soft* f, soft_points* t, int i, int first_spot,
                        const double* rest, int* deformable)
{
    const tml_model* m = f->model;
    const soft_data* soft = &m->soft[i];
    const tml_deformable_def* def = &m->all.deformables[i];
    for (int k = 0; k < def->surface_vertex_count; k++) {
        const mapping_term* terms = &soft->skin.terms[soft->skin.first[k]];
        const int count = soft->skin.first[k + 1] - soft->skin.first[k];
        bool can_move = false;
        for (int n = 0; n < count; n++) {
            can_move |= terms[n].weight != 0.0 && !is_held(m, soft->first + terms[n].input);
        }
        if (!can_move) continue;
        deformable[t->count] = i;
        add_point(f, t, first_spot + k, terms, count, soft->first, def->surface_vertices[k], rest);
    }
}

static size_t count_points(const tml_model* m)
{
    size_t most = (size_t)m->vertex_count;
    for (int i = 0; i < m->all.deformable_count; i++) {
        most += (size_t)m->all.deformables[i].surface_vertex_count;
    }
    return most;
}

// Each of four vertices of a point of a surface may follow others.
static size_t most_terms(const tml_model* m)
{
    size_t widest = 1;
    for (int i = 0; i < m->tie_count; i++) {
        const size_t count = (size_t)m->ties[i].count;
        widest = count > widest ? count : widest;
    }
    return 4 * widest * count_points(m);
}

tml_status tml__points_list(const sim_soft* f, pool* memory, soft_points* t, int** deformable)
{
    const tml_model* m = f->model;
    const size_t points = count_points(m);
    unsigned char* is_outside = tml__pool_take(memory, (size_t)m->vertex_count, 1);
    double* rest = tml__pool_take(memory, (size_t)f->width, sizeof *rest);
    t->spot = tml__pool_take(memory, points, sizeof *t->spot);
    t->offset = tml__pool_take(memory, points, sizeof *t->offset);
    t->first = tml__pool_take(memory, points + 1, sizeof *t->first);
    t->node = tml__pool_take(memory, most_terms(m), sizeof *t->node);
    t->weight = tml__pool_take(memory, most_terms(m), sizeof *t->weight);
    *deformable = tml__pool_take(memory, points, sizeof **deformable);
    if (!is_outside || !rest || !t->spot || !t->offset || !t->first || !t->node || !t->weight ||
        !*deformable) {
        return TML_NO_MEMORY;
    }
    tml__nodal_rest(f->nodes, rest);
    int first_spot = m->vertex_count;
    for (int i = 0; i < m->all.deformable_count; i++) {
        if (m->all.deformables[i].touches_by_surface) {
            add_surface(f, t, i, first_spot, rest, *deformable);
        } else {
            add_vertices(f, t, i, rest, is_outside, *deformable);
        }
        first_spot += m->all.deformables[i].surface_vertex_count;
    }
    return TML_OK;
}

// ---- where they are

vec3 tml__points_sum(const soft_points* t, int point, const double* x)
{
    vec3 sum = v3_zero();
    for (int k = t->first[point]; k < t->first[point + 1]; k++) {
        sum = v3_axpy(sum, t->weight[k], v3_load(&x[NODE_WIDTH * t->node[k]]));
    }
    return sum;
}

vec3 tml__points_place(const soft_points* t, int point, const double* x)
{
    return v3_add(tml__points_sum(t, point, x), t->offset[point]);
}

vec3 tml__points_moved(const sim_soft* f, const soft_points* t, int point, const double* z,
                       const double* dx)
{
    const int free_count = f->free_width / NODE_WIDTH;
    vec3 sum = v3_zero();
    for (int k = t->first[point]; k < t->first[point + 1]; k++) {
        const int carried = t->node[k] - free_count;
        vec3 moved = carried < 0 ? v3_load(&z[NODE_WIDTH * t->node[k]]) : v3_zero();
        if (carried >= 0) {
            const double* u = &dx[6 * f->carrier_node[f->carrier[carried]]];
            moved = v3_add(v3_load(u), v3_cross(v3_load(u + 3), f->lever[carried]));
        }
        sum = v3_axpy(sum, t->weight[k], moved);
    }
    return sum;
}

void tml__points_push(const sim_soft* f, const soft_points* t, int point, vec3 g, double* z,
                      double* bodies)
{
    const int free_count = f->free_width / NODE_WIDTH;
    for (int k = t->first[point]; k < t->first[point + 1]; k++) {
        const int carried = t->node[k] - free_count;
        const vec3 part = v3_scale(t->weight[k], g);
        double* to = carried < 0 ? &z[NODE_WIDTH * t->node[k]]
                                 : &bodies[6 * f->carrier_node[f->carrier[carried]]];
        v3_store(to, v3_add(v3_load(to), part));
        if (carried < 0) continue;
        v3_store(to + 3, v3_add(v3_load(to + 3), v3_cross(f->arm[carried], part)));
    }
}

void tml__points_spread(const soft_points* t, int point, vec3 g, double* to)
{
    for (int k = t->first[point]; k < t->first[point + 1]; k++) {
        double* at = &to[NODE_WIDTH * t->node[k]];
        v3_store(at, v3_axpy(v3_load(at), t->weight[k], g));
    }
}

int tml__points_find(const soft_points* t, int spot)
{
    for (int i = 0; i < t->count; i++) {
        if (t->spot[i] == spot) return i;
    }
    return -1;
}
