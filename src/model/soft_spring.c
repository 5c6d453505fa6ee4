// model/soft_spring.c - springs that end on deformables: their points as sums of vertices.
//
// A point of a body at the other end becomes a vertex without mass that the body carries, or that is
// held where the body never moves. So these springs are forces among vertices and nothing else.
#include "geom/embed.h"
#include "model/deformable.h"

#include <string.h>

enum {
    FIRST_HANDLE = -16  // below every index that a body, the world or "none" has
};

tml_body tml_deformable_handle(int deformable) { return (tml_body){FIRST_HANDLE - deformable}; }

int tml__handle_deformable(tml_body handle)
{
    return handle.index <= FIRST_HANDLE ? FIRST_HANDLE - handle.index : -1;
}

bool tml__is_soft_spring(const tml_spring_def* def)
{
    for (int i = 0; i < def->point_count; i++) {
        if (tml__handle_deformable(def->points[i].body) >= 0) return true;
    }
    return false;
}

// ---- points

static bool is_at(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// How many vertices are exactly there; the first two of them.
static int vertices_at(const tml_deformable_def* def, vec3 place, int first[2])
{
    int count = 0;
    for (int i = 0; i < def->vertex_count; i++) {
        if (!is_at(def->vertices[i], place)) continue;
        if (count < 2) first[count] = i;
        count++;
    }
    return count;
}

static tml_status find_point(const tml_deformable_def* def, vec3 place, soft_point* out,
                             double* weight)
{
    int vertex[2];
    *weight = 0.0;
    if (vertices_at(def, place, vertex) > 0) {
        *out = (soft_point){.count = 1, .vertex = {vertex[0]}, .weight = {1.0}};
        return TML_OK;
    }
    const embed_mesh mesh = {def->vertices, def->tetrahedron_count, def->tetrahedra};
    mapping_term terms[4];
    embed_worst worst;
    const tml_status status = tml__embed(&mesh, 1, &place, terms, &worst);
    *weight = worst.weight;
    *out = (soft_point){.count = 4};
    for (int a = 0; a < 4 && status == TML_OK; a++) {
        out->vertex[a] = terms[a].input;
        out->weight[a] = terms[a].weight;
    }
    return status;
}

tml_status tml__check_soft_point(const definitions* all, const tml_point* p, const char* spring,
                                 int index, message* why)
{
    const int deformable = tml__handle_deformable(p->body);
    if (deformable >= all->deformable_count) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "spring '%s': point %d is on deformable %d, but there are %d", spring,
                         index, deformable, all->deformable_count);
    }
    const tml_deformable_def* def = &all->deformables[deformable];
    int vertex[2];
    const int count = vertices_at(def, p->position, vertex);
    if (count > 1) {
        return tml__fail(
            why, TML_BAD_ARGUMENT,
            "spring '%s': vertices %d and %d of deformable '%s' are both where point %d "
            "is",
            spring, vertex[0], vertex[1], def->name, index);
    }
    double weight = -2.0;
    soft_point point;
    if (count == 1) return TML_OK;
    if (def->tetrahedron_count > 0 && find_point(def, p->position, &point, &weight) != TML_OK) {
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    // a little outside, as surfaces of round things are
    if (weight >= -1.0) return TML_OK;
    return tml__fail(why, TML_BAD_ARGUMENT,
                     "spring '%s': point %d, at (%g, %g, %g), is no vertex of deformable '%s' and "
                     "lies in none of its tetrahedra",
                     spring, index, p->position.x, p->position.y, p->position.z, def->name);
}

// ---- springs

int tml__count_anchors(const tml_model* m)
{
    int count = 0;
    for (int i = 0; i < m->all.spring_count; i++) {
        const tml_spring_def* def = &m->all.springs[i];
        if (!tml__is_soft_spring(def)) continue;
        for (int k = 0; k < def->point_count; k++) {
            count += tml__handle_deformable(def->points[k].body) < 0;
        }
    }
    return count;
}

// Where a point of a definition is when all begins, and as what.
static tml_status derive_point(tml_model* m, const tml_point* p, int* anchor, soft_point* out,
                               vec3* place)
{
    const int deformable = tml__handle_deformable(p->body);
    if (deformable < 0) {
        const int body = p->body.index < 0 ? tml__world(m) : p->body.index;
        const body_data* b = &m->bodies[body];
        m->carrier[*anchor] = body;
        m->carried_at[*anchor] = v3_sub(p->position, b->com);
        *place = v3_add(b->c, q_rotate(b->q, m->carried_at[*anchor]));
        *out = (soft_point){.count = 1, .vertex = {(*anchor)++}, .weight = {1.0}};
        return TML_OK;
    }
    double weight;
    const tml_status status =
        find_point(&m->all.deformables[deformable], p->position, out, &weight);
    for (int a = 0; a < out->count; a++) out->vertex[a] += m->soft[deformable].first;
    *place = p->position;
    return status;
}

static tml_status derive_spring(tml_model* m, const tml_spring_def* def, int* anchor,
                                soft_spring* s)
{
    const size_t count = (size_t)def->point_count;
    spring_data* law = &s->law;
    s->points = tml__pool_take(&m->memory, count, sizeof *s->points);
    law->body = tml__pool_take(&m->memory, count, sizeof *law->body);
    law->point = tml__pool_take(&m->memory, count, sizeof *law->point);
    if (s->points == NULL || law->body == NULL || law->point == NULL) return TML_NO_MEMORY;
    double length = 0.0;
    vec3 last = v3_zero();
    for (int i = 0; i < def->point_count; i++) {
        vec3 place;
        const tml_status status = derive_point(m, &def->points[i], anchor, &s->points[i], &place);
        if (status != TML_OK) return status;
        law->body[i] = i;
        if (i > 0) length += v3_norm(v3_sub(place, last));
        last = place;
    }
    return tml__spring_law_of(m, def, length, law);
}

tml_status tml__derive_soft_springs(tml_model* m, int first_anchor)
{
    int anchor = first_anchor;
    for (int i = 0; i < m->all.spring_count; i++) {
        m->soft_spring_count += tml__is_soft_spring(&m->all.springs[i]);
    }
    m->soft_springs =
        tml__pool_take(&m->memory, (size_t)m->soft_spring_count, sizeof *m->soft_springs);
    if (m->soft_springs == NULL) return TML_NO_MEMORY;
    soft_spring* s = m->soft_springs;
    for (int i = 0; i < m->all.spring_count; i++) {
        if (!tml__is_soft_spring(&m->all.springs[i])) continue;
        const tml_status status = derive_spring(m, &m->all.springs[i], &anchor, s++);
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

// ---- who carries what belongs together

static int root_of(const int* group, int i)
{
    while (group[i] != i) i = group[i];
    return i;
}

static int deformable_of(const tml_model* m, int vertex)
{
    int i = m->all.deformable_count - 1;
    while (i > 0 && m->soft[i].first > vertex) i--;
    return i;
}

// The deformables of a spring into one group; the first of them, and its anchors, are its own.
static int join_spring(const tml_model* m, const soft_spring* s, int first_anchor, int* group)
{
    int root = -1;
    for (int k = 0; k < s->law.point_count; k++) {
        if (s->points[k].vertex[0] >= first_anchor) continue;
        const int other = root_of(group, deformable_of(m, s->points[k].vertex[0]));
        if (root < 0) root = other;
        const int low = other < root ? other : root;
        group[other] = group[root] = low;
        root = low;
    }
    return root;
}

static void add_carrier(soft_data* soft, int body, const tml_model* m)
{
    if (m->bodies[body].node < 0) return;
    for (int k = 0; k < soft->carrier_count; k++) {
        if (soft->carriers[k] == body) return;
    }
    soft->carriers[soft->carrier_count++] = body;
}

tml_status tml__join_carriers(tml_model* m)
{
    const int count = m->all.deformable_count;
    if (m->soft_spring_count == 0 || count == 0) return TML_OK;
    int first_anchor = 0;
    int room = tml__count_anchors(m);
    int* group = tml__pool_take(&m->memory, (size_t)count, sizeof *group);
    if (group == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        group[i] = i;
        first_anchor += m->all.deformables[i].vertex_count;
        room += m->soft[i].carrier_count;
    }
    for (int i = 0; i < m->soft_spring_count; i++) {
        join_spring(m, &m->soft_springs[i], first_anchor, group);
    }
    for (int i = 0; i < count; i++) {
        soft_data* first = &m->soft[root_of(group, i)];
        if (first == &m->soft[i]) {
            int* larger = tml__pool_take(&m->memory, (size_t)room, sizeof *larger);
            if (larger == NULL) return TML_NO_MEMORY;
            if (first->carrier_count > 0) {
                memcpy(larger, first->carriers, (size_t)first->carrier_count * sizeof *larger);
            }
            first->carriers = larger;
            continue;
        }
        for (int k = 0; k < m->soft[i].carrier_count; k++) {
            add_carrier(first, m->soft[i].carriers[k], m);
        }
        m->soft[i].carrier_count = 0;
    }
    for (int i = 0; i < m->soft_spring_count; i++) {
        const soft_spring* s = &m->soft_springs[i];
        soft_data* first = &m->soft[join_spring(m, s, first_anchor, group)];
        for (int k = 0; k < s->law.point_count; k++) {
            const int vertex = s->points[k].vertex[0];
            if (vertex >= first_anchor) add_carrier(first, m->carrier[vertex], m);
        }
    }
    return TML_OK;
}
