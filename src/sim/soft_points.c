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

// A vertex that touches as a sum of numbers of a state: its own, or those that it follows. `rest` is the
// state at rest.
static void add_point(const sim_soft* f, soft_points* t, int vertex, vec3 place, const double* rest)
{
    const soft_tie* tie = tie_of(f->model, vertex);
    const int count = tie != NULL ? tie->count : 1;
    int at = t->first[t->count];
    vec3 moving = v3_zero();
    for (int k = 0; k < count; k++) {
        const int node = tml__nodal_node(f->nodes, tie != NULL ? tie->others[k] : vertex);
        if (node < 0) continue;
        t->node[at] = node;
        t->weight[at] = tie != NULL ? tie->weights[k] : 1.0;
        moving = v3_axpy(moving, t->weight[at], v3_load(&rest[NODE_WIDTH * node]));
        at++;
    }
    t->vertex[t->count] = vertex;
    t->offset[t->count++] = tie != NULL ? v3_sub(place, moving) : v3_zero();
    t->first[t->count] = at;
}

static size_t most_terms(const tml_model* m)
{
    size_t most = (size_t)m->vertex_count;
    for (int i = 0; i < m->tie_count; i++) most += (size_t)m->ties[i].count;
    return most;
}

tml_status tml__points_list(const sim_soft* f, pool* memory, soft_points* t, int** deformable)
{
    const tml_model* m = f->model;
    const size_t vertices = (size_t)m->vertex_count;
    unsigned char* is_outside = tml__pool_take(memory, vertices, 1);
    double* rest = tml__pool_take(memory, (size_t)f->width, sizeof *rest);
    t->vertex = tml__pool_take(memory, vertices, sizeof *t->vertex);
    t->offset = tml__pool_take(memory, vertices, sizeof *t->offset);
    t->first = tml__pool_take(memory, vertices + 1, sizeof *t->first);
    t->node = tml__pool_take(memory, most_terms(m), sizeof *t->node);
    t->weight = tml__pool_take(memory, most_terms(m), sizeof *t->weight);
    *deformable = tml__pool_take(memory, vertices, sizeof **deformable);
    if (!is_outside || !rest || !t->vertex || !t->offset || !t->first || !t->node || !t->weight ||
        !*deformable) {
        return TML_NO_MEMORY;
    }
    tml__nodal_rest(f->nodes, rest);
    for (int i = 0; i < m->all.deformable_count; i++) {
        const soft_data* soft = &m->soft[i];
        const tml_deformable_def* def = &m->all.deformables[i];
        for (int k = 0; k < 3 * soft->triangle_count; k++) {
            is_outside[soft->first + soft->triangles[k]] = 1;
        }
        for (int k = 0; k < def->vertex_count; k++) {
            const int vertex = soft->first + k;
            const bool is_seen = is_outside[vertex] || def->tetrahedron_count == 0;
            const bool is_held = m->carrier[vertex] != VERTEX_FREE && tie_of(m, vertex) == NULL;
            if (!is_seen || is_held) continue;
            (*deformable)[t->count] = i;
            add_point(f, t, vertex, def->vertices[k], rest);
        }
    }
    return TML_OK;
}

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

int tml__points_find(const soft_points* t, int vertex)
{
    for (int i = 0; i < t->count; i++) {
        if (t->vertex[i] == vertex) return i;
    }
    return -1;
}
