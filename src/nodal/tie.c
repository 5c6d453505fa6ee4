// nodal/tie.c - vertices that follow others: points of tetrahedra are carried in their stead.
//
// Such a vertex is x = sum w_j y_j of the numbers of a state (model/attach.c). Forces reach the state by
// the transpose, T^T f, masses and stiffness as T^T A T; the map is linear, so that nothing bends.
//                                                                                [COOK (289) (290)]
// What touches such a vertex, an element or a lump of mass, is a `bent` part: it reaches as many nodes
// as its corners follow.
#include "nodal/nodal_internal.h"

#include <string.h>

static tml_status no_memory(message* why) { return tml__fail(why, TML_NO_MEMORY, "out of memory"); }

// ---- states

vec3 tml__nodal_follow(const nodal_system* s, int i, const double* q, const vec3* held)
{
    const soft_tie* tie = &s->ties[i];
    vec3 sum = v3_zero();
    for (int k = 0; k < tie->count; k++) {
        const int node = s->node[tie->others[k]];
        if (node >= 0) {
            sum = v3_axpy(sum, tie->weights[k], v3_load(&q[3 * node]));
        } else if (held != NULL) {
            sum = v3_axpy(sum, tie->weights[k], held[tie->others[k]]);
        }
    }
    return sum;
}

void tml__nodal_gather(const nodal_system* s, const double* q, const vec3* held, double* out)
{
    for (int i = 0; i < s->tie_count; i++) v3_store(&out[3 * i], tml__nodal_follow(s, i, q, held));
}

void tml__nodal_scatter(const nodal_system* s, const double* force, double* out)
{
    for (int i = 0; i < s->tie_count; i++) {
        const soft_tie* tie = &s->ties[i];
        for (int k = 0; k < tie->count; k++) {
            const int node = s->node[tie->others[k]];
            if (node < 0) continue;
            double* to = &out[3 * node];
            v3_store(to, v3_axpy(v3_load(to), tie->weights[k], v3_load(&force[3 * i])));
        }
    }
}

// ---- laying out

tml_status tml__nodal_lay_ties(nodal_system* s, const nodal_parts* parts, message* why)
{
    const size_t width = NODE_WIDTH * (size_t)parts->tie_count;
    s->tie_of = tml__pool_take(&s->memory, (size_t)s->vertex_count, sizeof *s->tie_of);
    s->tied_x = tml__pool_take(&s->memory, width, sizeof(double));
    s->tied_v = tml__pool_take(&s->memory, width, sizeof(double));
    s->tied_force = tml__pool_take(&s->memory, width, sizeof(double));
    if (!s->tie_of || !s->tied_x || !s->tied_v || !s->tied_force) return no_memory(why);
    s->tie_count = parts->tie_count;
    s->ties = parts->ties;
    for (int i = 0; i < s->vertex_count; i++) s->tie_of[i] = -1;
    for (int i = 0; i < s->tie_count; i++) {
        const int vertex = s->ties[i].vertex;
        const int node = s->node[vertex];
        const int ghost = s->node_count + i;
        s->tie_of[vertex] = i;
        s->held[vertex] = s->ties[i].place;
        // its mass is where the vertex is
        s->lump[ghost] = s->share[ghost] = parts->extra != NULL ? parts->extra[vertex] : 0.0;
        if (node >= 0) s->lump[node] = s->share[node] = 0.0;
    }
    return TML_OK;
}

// One corner of a bent part as a sum of nodes.
static void add_corner(const nodal_system* s, nodal_bent* b, int corner, int vertex, double weight)
{
    const int node = s->node[vertex];
    int at = 0;
    if (node < 0) return;
    while (at < b->count && b->node[at] != node) at++;
    if (at == b->count) b->node[b->count++] = node;
    b->weight[at * b->corners + corner] += weight;
}

static tml_status lay_bent(nodal_system* s, nodal_bent* b, const int* corner)
{
    size_t most = 0;
    for (int a = 0; a < b->corners; a++) {
        const int tie = s->tie_of[corner[a]];
        most += tie < 0 ? 1 : (size_t)s->ties[tie].count;
    }
    b->node = tml__pool_take(&s->memory, most, sizeof *b->node);
    b->weight = tml__pool_take(&s->memory, most * (size_t)b->corners, sizeof *b->weight);
    if (b->node == NULL || b->weight == NULL) return TML_NO_MEMORY;
    for (int a = 0; a < b->corners; a++) {
        const int tie = s->tie_of[corner[a]];
        if (tie < 0) {
            add_corner(s, b, a, corner[a], 1.0);
            continue;
        }
        for (int k = 0; k < s->ties[tie].count; k++) {
            add_corner(s, b, a, s->ties[tie].others[k], s->ties[tie].weights[k]);
        }
    }
    b->first_slot = s->bent_slots;
    s->bent_slots += (size_t)b->count * (size_t)b->count;
    return TML_OK;
}

bool tml__nodal_is_bent(const nodal_system* s, const nodal_element* e)
{
    for (int a = 0; a < 4; a++) {
        if (e->node[a] >= s->node_count) return true;
    }
    return false;
}

tml_status tml__nodal_lay_bent(nodal_system* s, message* why)
{
    int count = s->tie_count;
    for (int i = 0; i < s->element_count && s->tie_count > 0; i++) {
        count += tml__nodal_is_bent(s, &s->elements[i]);
    }
    s->bent = tml__pool_take(&s->memory, (size_t)count, sizeof *s->bent);
    if (s->bent == NULL) return no_memory(why);
    for (int i = 0; i < s->tie_count; i++) {
        nodal_bent* b = &s->bent[s->bent_count++];
        *b = (nodal_bent){.lump = s->lump[s->node_count + i], .corners = 1};
        if (lay_bent(s, b, &s->ties[i].vertex) != TML_OK) return no_memory(why);
    }
    for (int i = 0; i < s->element_count && s->tie_count > 0; i++) {
        const nodal_element* e = &s->elements[i];
        if (!tml__nodal_is_bent(s, e)) continue;
        nodal_bent* b = &s->bent[s->bent_count++];
        *b = (nodal_bent){.element = e, .corners = 4};
        if (lay_bent(s, b, e->corner) != TML_OK) return no_memory(why);
    }
    return TML_OK;
}

int tml__nodal_bent_pairs(const nodal_system* s, int* pair)
{
    int count = 0;
    for (int i = 0; i < s->bent_count; i++) {
        const nodal_bent* b = &s->bent[i];
        for (int k = 0; k < b->count * b->count; k++) {
            const int n = b->node[k / b->count];
            const int m = b->node[k % b->count];
            if (k / b->count >= k % b->count || n >= s->free_count || m >= s->free_count) continue;
            pair[2 * count] = n;
            pair[2 * count++ + 1] = m;
        }
    }
    return count;
}

tml_status tml__nodal_bent_slots(nodal_system* s, nodal_matrix* m)
{
    m->bent_slots = tml__pool_take(&s->memory, s->bent_slots, sizeof *m->bent_slots);
    if (m->bent_slots == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < s->bent_count; i++) {
        const nodal_bent* b = &s->bent[i];
        for (int k = 0; k < b->count * b->count; k++) {
            const int row = b->node[k / b->count];
            const int column = b->node[k % b->count];
            if (row >= s->free_count || column >= s->free_count) continue;
            m->bent_slots[b->first_slot + (size_t)k] = tml__fronts_at(m->fronts, row, column);
        }
    }
    return TML_OK;
}

// ---- blocks

// What stands between the corners of an element, row-major 12 x 12: mass - stiffness K.
static void element_matrix(nodal_system* s, const nodal_element* e, nodal_scales scales,
                           const double* q, double A[144])
{
    const double share = scales.mass * s->densities[e->material] * e->shape.volume / 20.0;
    vec3 x[4];
    vec3 f[4];
    memset(A, 0, 144 * sizeof *A);
    if (scales.stiffness != 0.0) {
        tml__nodal_corners(s, e, q, x);
        tml__elastic_eval(&s->materials[e->material], &e->shape, x, f, A);
        for (int i = 0; i < 144; i++) A[i] *= -scales.stiffness;
    }
    for (int k = 0; k < 48 && e->is_consistent; k++) {
        const int a = k / 12;
        const int b = k / 3 % 4;
        A[12 * (3 * a + k % 3) + 3 * b + k % 3] += a == b ? 2.0 * share : share;
    }
}

void tml__nodal_bent_matrix(nodal_system* s, const nodal_bent* b, nodal_scales scales,
                            const double* q, double A[144])
{
    if (b->element != NULL) {
        element_matrix(s, b->element, scales, q, A);
        return;
    }
    memset(A, 0, 9 * sizeof *A);
    for (int k = 0; k < 3; k++) A[4 * k] = scales.mass * b->lump;
}

void tml__nodal_bent_block(const nodal_bent* b, const double* A, int row, int column, double out[9])
{
    const int width = 3 * b->corners;
    memset(out, 0, 9 * sizeof *out);
    for (int k = 0; k < b->corners * b->corners; k++) {
        const int a = k / b->corners;
        const int c = k % b->corners;
        const double w = b->weight[row * b->corners + a] * b->weight[column * b->corners + c];
        if (w == 0.0) continue;
        for (int i = 0; i < 9; i++) out[i] += w * A[width * (3 * a + i / 3) + 3 * c + i % 3];
    }
}
