// nodal/evaluate.c - forces, masses, energies and the blocks of the matrix.
//
// A consistent mass matrix is density volume / 20 (1 + delta_ab) between the corners of a
// tetrahedron: the integral of the products of its shape functions.                   [COOK (6)]
#include "nodal/nodal_internal.h"

#include <string.h>

void tml__nodal_corners(const nodal_system* s, const nodal_element* e, const double* q, vec3 x[4])
{
    for (int a = 0; a < 4; a++) {
        x[a] =
            e->node[a] >= 0 ? tml__nodal_read(s, q, s->tied_x, e->node[a]) : s->held[e->corner[a]];
    }
}

static double element_mass(const nodal_system* s, const nodal_element* e)
{
    return s->densities[e->material] * e->shape.volume;
}

// Of a vertex that follows others, what acts on it waits in s->tied_force to be spread.
static void add_to(const nodal_system* s, double* out, int node, vec3 value)
{
    if (node < 0) return;
    double* to = tml__nodal_at(s, out, s->tied_force, node);
    v3_store(to, v3_add(v3_load(to), value));
}

void tml__nodal_mass(const nodal_system* s, const double* u, double* out)
{
    tml__nodal_gather(s, u, NULL, s->tied_v);
    for (int n = 0; n < s->node_count; n++) {
        v3_store(&out[3 * n], v3_scale(s->lump[n], v3_load(&u[3 * n])));
    }
    for (int i = 0; i < s->tie_count; i++) {
        const double lump = s->lump[s->node_count + i];
        v3_store(&s->tied_force[3 * i], v3_scale(lump, v3_load(&s->tied_v[3 * i])));
    }
    for (int i = 0; i < s->element_count && s->is_consistent; i++) {
        const nodal_element* e = &s->elements[i];
        if (!e->is_consistent) continue;
        const double share = element_mass(s, e) / 20.0;
        vec3 sum = v3_zero();
        for (int a = 0; a < 4; a++) {
            if (e->node[a] < 0) continue;
            sum = v3_add(sum, tml__nodal_read(s, u, s->tied_v, e->node[a]));
        }
        for (int a = 0; a < 4; a++) {
            if (e->node[a] < 0) continue;
            const vec3 own = tml__nodal_read(s, u, s->tied_v, e->node[a]);
            add_to(s, out, e->node[a], v3_scale(share, v3_add(sum, own)));
        }
    }
    tml__nodal_scatter(s, s->tied_force, out);
}

void tml__nodal_add_elastic(nodal_system* s, const double* q, const double* v, double* force)
{
    const bool is_damped = v != NULL && s->beta > 0.0;
    tml__nodal_gather(s, q, s->held, s->tied_x);
    if (v != NULL) tml__nodal_gather(s, v, NULL, s->tied_v);
    for (int i = 0; i < s->element_count; i++) {
        const nodal_element* e = &s->elements[i];
        vec3 x[4];
        vec3 f[4];
        double K[144];
        tml__nodal_corners(s, e, q, x);
        tml__elastic_eval(&s->materials[e->material], &e->shape, x, f, is_damped ? K : NULL);
        for (int a = 0; a < 4; a++) add_to(s, force, e->node[a], f[a]);
        for (int a = 0; a < 4 && is_damped; a++) {
            if (e->node[a] < 0) continue;
            double* to = tml__nodal_at(s, force, s->tied_force, e->node[a]);
            for (int k = 0; k < 3; k++) {
                double sum = 0.0;
                for (int b = 0; b < 4; b++) {
                    if (e->node[b] < 0) continue;
                    const vec3 u = tml__nodal_read(s, v, s->tied_v, e->node[b]);
                    const double* row = &K[12 * (3 * a + k) + 3 * b];
                    sum += row[0] * u.x + row[1] * u.y + row[2] * u.z;
                }
                to[k] += s->beta * sum;
            }
        }
    }
}

// Gravity is a mass matrix times an acceleration of every vertex, the held ones included.
static void add_gravity(const nodal_system* s, double* force)
{
    const vec3 g = v3_scale(s->load, s->gravity);
    for (int n = 0; n < s->node_count + s->tie_count; n++) {
        add_to(s, force, n, v3_scale(s->share[n], g));
    }
}

void tml__nodal_forces(nodal_system* s, const double* q, const double* v, double* force)
{
    const int width = tml__nodal_width(s);
    memset(force, 0, (size_t)width * sizeof(double));
    if (v != NULL && s->alpha > 0.0) {
        tml__nodal_mass(s, v, force);
        for (int i = 0; i < width; i++) force[i] *= -s->alpha;
    }
    memset(s->tied_force, 0, NODE_WIDTH * (size_t)s->tie_count * sizeof(double));
    add_gravity(s, force);
    tml__nodal_add_elastic(s, q, v, force);
    tml__nodal_scatter(s, s->tied_force, force);
    tml__nodal_add_springs(s, q, v, force);
    for (int i = 0; i < width && s->push != NULL; i++) force[i] += s->push[i];
}

void tml__nodal_energy(nodal_system* s, const double* q, const double* v, double* kinetic,
                       double* potential)
{
    *kinetic = 0.0;
    *potential = 0.0;
    tml__nodal_mass(s, v, s->scratch);
    for (int i = 0; i < tml__nodal_width(s); i++) *kinetic += 0.5 * v[i] * s->scratch[i];
    tml__nodal_gather(s, q, s->held, s->tied_x);
    memset(s->scratch, 0, (size_t)tml__nodal_width(s) * sizeof(double));
    memset(s->tied_force, 0, NODE_WIDTH * (size_t)s->tie_count * sizeof(double));
    add_gravity(s, s->scratch);
    for (int i = 0; i < tml__nodal_width(s); i++) *potential -= q[i] * s->scratch[i];
    for (int i = 0; i < NODE_WIDTH * s->tie_count; i++) {
        *potential -= s->tied_x[i] * s->tied_force[i];
    }
    for (int i = 0; i < s->element_count; i++) {
        vec3 x[4];
        tml__nodal_corners(s, &s->elements[i], q, x);
        *potential +=
            tml__elastic_energy(&s->materials[s->elements[i].material], &s->elements[i].shape, x);
    }
    *potential += tml__nodal_spring_energy(s, q);
}

// ---- the matrix

// Add a 3 x 3 block, row-major with rows `stride` apart, to column-major storage.
static void add_block(double* to, const double* from, int stride, double scale)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) to[3 * k + i] += scale * from[stride * i + k];
    }
}

static void add_diagonal(double* to, double value)
{
    for (int k = 0; k < 3; k++) to[4 * k] += value;
}

static void fill_springs(nodal_system* s, nodal_matrix* m, const double* q, nodal_scales scales)
{
    for (int i = 0; i < s->line_count && scales.place != 0.0; i++) {
        const nodal_line* line = &s->lines[i];
        double* const* slots = &m->line_slots[line->first_slot];
        tml__nodal_spring_blocks(s, line, scales, q);
        for (int k = 0; k < line->count * line->count; k++) {
            const int a = k / line->count;
            const int b = k % line->count;
            double A[9];
            double T[9];
            if (slots[k] == NULL) continue;
            // a damper that turns pushes by a matrix that is not symmetric: its symmetric part
            tml__nodal_end_block(s, line, a, b, A);
            tml__nodal_end_block(s, line, b, a, T);
            for (int c = 0; c < 9; c++) A[c] = 0.5 * (A[c] + T[3 * (c % 3) + c / 3]);
            add_block(slots[k], A, 3, 1.0);
        }
    }
}

static void fill_bent(nodal_system* s, nodal_matrix* m, const double* q, nodal_scales scales)
{
    for (int i = 0; i < s->bent_count; i++) {
        const nodal_bent* b = &s->bent[i];
        double* const* slots = &m->bent_slots[b->first_slot];
        double A[144];
        tml__nodal_bent_matrix(s, b, scales, q, A);
        for (int k = 0; k < b->count * b->count; k++) {
            double part[9];
            if (slots[k] == NULL) continue;
            tml__nodal_bent_block(b, A, k / b->count, k % b->count, part);
            add_block(slots[k], part, 3, 1.0);
        }
    }
}

void tml__nodal_fill(nodal_system* s, nodal_matrix* m, const double* q, nodal_scales scales)
{
    const double mass_scale = scales.mass;
    const double stiffness_scale = scales.stiffness;
    tml__fronts_clear(m->fronts);
    for (int n = 0; n < s->free_count; n++) add_diagonal(m->diagonal[n], mass_scale * s->lump[n]);
    for (int i = 0; i < s->element_count; i++) {
        const nodal_element* e = &s->elements[i];
        double* const* slots = &m->slots[16 * i];
        const double share = e->is_consistent ? mass_scale * element_mass(s, e) / 20.0 : 0.0;
        vec3 x[4];
        vec3 f[4];
        double K[144];
        if (s->tie_count > 0 && tml__nodal_is_bent(s, e)) continue;
        if (stiffness_scale != 0.0) {
            tml__nodal_corners(s, e, q, x);
            tml__elastic_eval(&s->materials[e->material], &e->shape, x, f, K);
        }
        for (int k = 0; k < 16; k++) {
            const int a = k / 4;
            const int b = k % 4;
            if (slots[k] == NULL) continue;
            if (stiffness_scale != 0.0) {
                add_block(slots[k], &K[36 * a + 3 * b], 12, -stiffness_scale);
            }
            if (share > 0.0) add_diagonal(slots[k], a == b ? 2.0 * share : share);
        }
    }
    if (scales.stiffness != 0.0) tml__nodal_gather(s, q, s->held, s->tied_x);
    fill_bent(s, m, q, scales);
    fill_springs(s, m, q, scales);
}

static void add_spring_stiffness(nodal_system* s, const double* q, double* dense)
{
    const nodal_scales plain = {.place = 1.0};
    const size_t width = (size_t)tml__nodal_width(s);
    for (int i = 0; i < s->line_count; i++) {
        const nodal_line* line = &s->lines[i];
        tml__nodal_spring_blocks(s, line, plain, q);
        for (int k = 0; k < line->count * line->count; k++) {
            const int row = line->nodes[k / line->count].node;
            const int column = line->nodes[k % line->count].node;
            double A[9];
            if (row < 0 || column < 0) continue;
            tml__nodal_end_block(s, line, k / line->count, k % line->count, A);
            for (int c = 0; c < 9; c++) {
                dense[(size_t)(3 * row + c / 3) * width + (size_t)(3 * column + c % 3)] -= A[c];
            }
        }
    }
}

static void add_bent_stiffness(nodal_system* s, const double* q, double* dense)
{
    const nodal_scales plain = {.stiffness = -1.0};
    const size_t width = (size_t)tml__nodal_width(s);
    tml__nodal_gather(s, q, s->held, s->tied_x);
    for (int i = 0; i < s->bent_count; i++) {
        const nodal_bent* b = &s->bent[i];
        double A[144];
        tml__nodal_bent_matrix(s, b, plain, q, A);
        for (int k = 0; k < b->count * b->count; k++) {
            const int row = 3 * b->node[k / b->count];
            const int column = 3 * b->node[k % b->count];
            double part[9];
            tml__nodal_bent_block(b, A, k / b->count, k % b->count, part);
            for (int c = 0; c < 9; c++) {
                dense[(size_t)(row + c / 3) * width + (size_t)(column + c % 3)] += part[c];
            }
        }
    }
}

void tml__nodal_stiffness(nodal_system* s, const double* q, double* dense)
{
    const int width = tml__nodal_width(s);
    memset(dense, 0, (size_t)width * (size_t)width * sizeof(double));
    add_bent_stiffness(s, q, dense);
    for (int i = 0; i < s->element_count; i++) {
        const nodal_element* e = &s->elements[i];
        vec3 x[4];
        vec3 f[4];
        double K[144];
        if (tml__nodal_is_bent(s, e)) continue;
        tml__nodal_corners(s, e, q, x);
        tml__elastic_eval(&s->materials[e->material], &e->shape, x, f, K);
        for (int a = 0; a < 12; a++) {
            for (int b = 0; b < 12; b++) {
                const int row = e->node[a / 3];
                const int column = e->node[b / 3];
                if (row < 0 || column < 0) continue;
                dense[(size_t)(3 * row + a % 3) * (size_t)width + (size_t)(3 * column + b % 3)] +=
                    K[12 * a + b];
            }
        }
    }
    add_spring_stiffness(s, q, dense);
}

tml_status tml__nodal_unmass(nodal_system* s, const double* force, double* a)
{
    const int width = tml__nodal_free_width(s);
    for (int i = width; i < tml__nodal_width(s); i++) a[i] = 0.0;
    if (!s->has_mass_matrix) {
        for (int n = 0; n < s->free_count; n++) {
            v3_store(&a[3 * n], v3_scale(1.0 / s->lump[n], v3_load(&force[3 * n])));
        }
        return TML_OK;
    }
    if (!s->has_masses) {
        tml__nodal_fill(s, &s->masses, NULL, (nodal_scales){.mass = 1.0});
        const tml_status status = tml__fronts_factor(s->masses.fronts, 0.0, NULL);
        if (status != TML_OK) return status;
        s->has_masses = true;
    }
    memmove(a, force, (size_t)width * sizeof(double));
    tml__fronts_solve(s->masses.fronts, 1, a);
    return TML_OK;
}
