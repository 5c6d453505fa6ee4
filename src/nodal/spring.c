// nodal/spring.c - springs among the vertices of a nodal system.             [COOK (39)-(53)]
//
// The law and its derivatives are those of force/spring.c: a point that follows vertices by weights is
// a body that cannot turn. Forces and stiffness reach the vertices through these weights, w_a f and
// w_a K w_b.                                                                    [COOK (289) (290)]
#include "nodal/nodal_internal.h"

#include <string.h>

// ---- laying out

static tml_status no_memory(message* why) { return tml__fail(why, TML_NO_MEMORY, "out of memory"); }

static tml_status take_scratch(nodal_system* s, size_t most)
{
    pool* p = &s->memory;
    s->spring_points = tml__pool_take(p, most, sizeof *s->spring_points);
    s->spring_lifts = tml__pool_take(p, most, sizeof *s->spring_lifts);
    s->spring_blocks = tml__pool_take(p, 9 * most * most, sizeof *s->spring_blocks);
    s->spring.r = tml__pool_take(p, most, sizeof *s->spring.r);
    s->spring.u = tml__pool_take(p, most, sizeof *s->spring.u);
    s->spring.g = tml__pool_take(p, most, sizeof *s->spring.g);
    s->spring.e = tml__pool_take(p, most, sizeof *s->spring.e);
    s->spring.inverse = tml__pool_take(p, most, sizeof *s->spring.inverse);
    return s->spring_points && s->spring_lifts && s->spring_blocks && s->spring.r && s->spring.u &&
                   s->spring.g && s->spring.e && s->spring.inverse
               ? TML_OK
               : TML_NO_MEMORY;
}

// How many numbers of a state the points of a spring are made of.
static size_t ends_of(const nodal_system* s, const soft_spring* spring)
{
    size_t count = 0;
    for (int k = 0; k < spring->law.point_count; k++) {
        for (int a = 0; a < spring->points[k].count; a++) {
            const int tie = s->tie_of[spring->points[k].vertex[a]];
            count += tie < 0 ? 1 : (size_t)s->ties[tie].count;
        }
    }
    return count;
}

static void add_end(const nodal_system* s, nodal_line* line, int point, int vertex, double weight)
{
    const int node = s->node[vertex];
    line->is_carrying = line->is_carrying || node >= s->free_count;
    line->nodes[line->count++] =
        (nodal_end){.node = node, .vertex = vertex, .point = point, .weight = weight};
}

// A vertex, or what it follows.
static void add_ends(const nodal_system* s, nodal_line* line, int point, int vertex, double weight)
{
    const int tie = s->tie_of[vertex];
    if (tie < 0) {
        add_end(s, line, point, vertex, weight);
        return;
    }
    for (int k = 0; k < s->ties[tie].count; k++) {
        add_end(s, line, point, s->ties[tie].others[k], weight * s->ties[tie].weights[k]);
    }
}

tml_status tml__nodal_lay_springs(nodal_system* s, const nodal_parts* parts, message* why)
{
    size_t most = 0;
    s->line_count = parts->spring_count;
    s->lines = tml__pool_take(&s->memory, (size_t)s->line_count, sizeof *s->lines);
    if (s->lines == NULL) return no_memory(why);
    for (int i = 0; i < s->line_count; i++) {
        const soft_spring* spring = &parts->springs[i];
        nodal_line* line = &s->lines[i];
        const size_t points = (size_t)spring->law.point_count;
        if (points > most) most = points;
        line->law = &spring->law;
        line->nodes = tml__pool_take(&s->memory, ends_of(s, spring), sizeof *line->nodes);
        if (line->nodes == NULL) return no_memory(why);
        for (int k = 0; k < spring->law.point_count; k++) {
            const soft_point* p = &spring->points[k];
            for (int a = 0; a < p->count; a++) add_ends(s, line, k, p->vertex[a], p->weight[a]);
        }
        line->first_slot = s->line_slots;
        s->line_slots += (size_t)line->count * (size_t)line->count;
    }
    return take_scratch(s, most) == TML_OK ? TML_OK : no_memory(why);
}

int tml__nodal_spring_pairs(const nodal_system* s, int* pair)
{
    int count = 0;
    for (int i = 0; i < s->line_count; i++) {
        const nodal_line* line = &s->lines[i];
        for (int a = 0; a < line->count; a++) {
            for (int b = a + 1; b < line->count; b++) {
                const int n = line->nodes[a].node;
                const int m = line->nodes[b].node;
                if (n < 0 || m < 0 || n >= s->free_count || m >= s->free_count || n == m) continue;
                pair[2 * count] = n;
                pair[2 * count++ + 1] = m;
            }
        }
    }
    return count;
}

tml_status tml__nodal_spring_slots(nodal_system* s, nodal_matrix* m)
{
    m->line_slots = tml__pool_take(&s->memory, s->line_slots, sizeof *m->line_slots);
    if (m->line_slots == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < s->line_count; i++) {
        const nodal_line* line = &s->lines[i];
        for (int k = 0; k < line->count * line->count; k++) {
            const int a = line->nodes[k / line->count].node;
            const int b = line->nodes[k % line->count].node;
            if (a < 0 || b < 0 || a >= s->free_count || b >= s->free_count) continue;
            m->line_slots[line->first_slot + (size_t)k] = tml__fronts_at(m->fronts, a, b);
        }
    }
    return TML_OK;
}

// ---- forces

// The spring at a state; v may be NULL: at rest.
static void evaluate(nodal_system* s, const nodal_line* line, const double* q, const double* v)
{
    for (int k = 0; k < line->law->point_count; k++) {
        s->spring_points[k] = (rigid){.q = q_identity(), .R = m3_identity()};
    }
    for (int a = 0; a < line->count; a++) {
        const nodal_end* e = &line->nodes[a];
        rigid* p = &s->spring_points[e->point];
        const vec3 x = e->node >= 0 ? v3_load(&q[3 * e->node]) : s->held[e->vertex];
        p->c = v3_axpy(p->c, e->weight, x);
        if (v != NULL && e->node >= 0) p->v = v3_axpy(p->v, e->weight, v3_load(&v[3 * e->node]));
    }
    tml__spring_eval(line->law, s->spring_points, s->t, &s->spring);
}

void tml__nodal_add_springs(nodal_system* s, const double* q, const double* v, double* force)
{
    for (int i = 0; i < s->line_count; i++) {
        const nodal_line* line = &s->lines[i];
        evaluate(s, line, q, v);
        for (int a = 0; a < line->count; a++) {
            const nodal_end* e = &line->nodes[a];
            if (e->node < 0) continue;
            double* to = &force[3 * e->node];
            v3_store(to, v3_axpy(v3_load(to), e->weight, tml__spring_force(&s->spring, e->point)));
        }
    }
}

double tml__nodal_spring_energy(nodal_system* s, const double* q)
{
    double sum = 0.0;
    for (int i = 0; i < s->line_count; i++) {
        evaluate(s, &s->lines[i], q, NULL);
        sum += tml__spring_energy(s->lines[i].law, s->spring_points);
    }
    return sum;
}

// ---- the matrix

void tml__nodal_spring_blocks(nodal_system* s, const nodal_line* line, nodal_scales scales,
                              const double* q)
{
    const int n = line->law->point_count;
    // velocities of the stage were found with its residual, at the same place
    evaluate(s, line, q, scales.rate != 0.0 ? s->v : NULL);
    for (int k = 0; k < n; k++) {
        s->spring_lifts[k] = (lift){.g = scales.rate / scales.place};
    }
    for (int k = 0; k < n * n; k++) {
        double part[36];
        tml__spring_block(line->law, &s->spring, s->spring_points, s->spring_lifts, k / n, k % n,
                          part);
        for (int i = 0; i < 9; i++) {
            s->spring_blocks[9 * k + i] = -scales.place * part[6 * (i / 3) + i % 3];
        }
    }
}

void tml__nodal_end_block(const nodal_system* s, const nodal_line* line, int a, int b,
                          double out[9])
{
    const int n = line->law->point_count;
    const nodal_end* row = &line->nodes[a];
    const nodal_end* column = &line->nodes[b];
    const double* part = &s->spring_blocks[9 * (n * row->point + column->point)];
    for (int i = 0; i < 9; i++) out[i] = row->weight * column->weight * part[i];
}
