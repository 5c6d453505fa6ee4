// model/deformable.c - deformables in a spec and in a model.
//
// The vertices of all deformables are numbered one after the other. Each is free or carried: by the
// world when it is fixed, else by the body it is attached to. What one sees of a deformable is its
// outside, the faces that belong to one tetrahedron only.
#include "model/deformable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tml_deformable_def tml_deformable_def_default(void)
{
    return (tml_deformable_def){.young = 1e6,
                                .poisson = 0.3,
                                .density = 1000.0,
                                .material = TML_MATERIAL_COROTATED,
                                .friction = 0.5};
}

// ---- checks

static tml_status check_numbers(const tml_deformable_def* def, message* why)
{
    if (!isfinite(def->young) || !(def->young > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': young must be positive, but is %g Pa", def->name,
                         def->young);
    }
    if (!(def->poisson > -1.0 && def->poisson < 0.5)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': poisson must lie between -1 and 0.5, but is %g",
                         def->name, def->poisson);
    }
    if (!isfinite(def->density) || def->density < 0.0 || !isfinite(def->vertex_mass) ||
        def->vertex_mass < 0.0) {
        return tml__fail(
            why, TML_BAD_ARGUMENT,
            "deformable '%s': density and vertex_mass must be finite and not negative, "
            "but are %g and %g",
            def->name, def->density, def->vertex_mass);
    }
    if (!isfinite(def->thickness) || def->thickness < 0.0) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': thickness must be finite and not negative, but is %g m",
                         def->name, def->thickness);
    }
    if (!isfinite(def->friction) || def->friction < 0.0) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': friction must be finite and not negative, but is %g",
                         def->name, def->friction);
    }
    if ((unsigned)def->material >= TML_MATERIALS) {
        return tml__fail(why, TML_BAD_ARGUMENT, "deformable '%s': unknown material (%d)", def->name,
                         (int)def->material);
    }
    if (!v3_is_finite(def->velocity)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "deformable '%s': velocity is not finite",
                         def->name);
    }
    return TML_OK;
}

static tml_status check_lists(const tml_deformable_def* def, message* why)
{
    const bool has_lists =
        def->vertex_count > 0 && def->vertices != NULL &&
        (def->tetrahedron_count == 0 || (def->tetrahedron_count > 0 && def->tetrahedra != NULL)) &&
        (def->fixed_count == 0 || (def->fixed_count > 0 && def->fixed != NULL)) &&
        (def->attachment_count == 0 || (def->attachment_count > 0 && def->attachments != NULL));
    if (!has_lists) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': it has no vertices, or one of its lists does not exist",
                         def->name);
    }
    if (def->vertex_count > TML_DEFORMABLE_MOST || def->tetrahedron_count > TML_DEFORMABLE_MOST) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': %d vertices and %d tetrahedra are more than the %d that "
                         "one may have",
                         def->name, def->vertex_count, def->tetrahedron_count,
                         (int)TML_DEFORMABLE_MOST);
    }
    for (int i = 0; i < def->vertex_count; i++) {
        if (v3_is_finite(def->vertices[i])) continue;
        return tml__fail(why, TML_BAD_ARGUMENT, "deformable '%s': vertex %d is not finite",
                         def->name, i);
    }
    return TML_OK;
}

static bool is_vertex(const tml_deformable_def* def, int vertex)
{
    return vertex >= 0 && vertex < def->vertex_count;
}

// Of a tetrahedron, positive when its last three corners run anticlockwise seen from the first.
static double volume_of(const tml_deformable_def* def, const int* corner)
{
    const vec3 x = def->vertices[corner[0]];
    return v3_dot(
               v3_cross(v3_sub(def->vertices[corner[1]], x), v3_sub(def->vertices[corner[2]], x)),
               v3_sub(def->vertices[corner[3]], x)) /
           6.0;
}

static tml_status check_tetrahedron(const tml_deformable_def* def, int i, message* why)
{
    const int* corner = &def->tetrahedra[4 * (size_t)i];
    for (int a = 0; a < 4; a++) {
        if (is_vertex(def, corner[a])) continue;
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': tetrahedron %d names vertex %d, but there are %d",
                         def->name, i, corner[a], def->vertex_count);
    }
    const vec3 x = def->vertices[corner[0]];
    const vec3 edge[3] = {v3_sub(def->vertices[corner[1]], x), v3_sub(def->vertices[corner[2]], x),
                          v3_sub(def->vertices[corner[3]], x)};
    const double volume = fabs(volume_of(def, corner));
    const double size = v3_norm(edge[0]) * v3_norm(edge[1]) * v3_norm(edge[2]);
    // flatter than this its shape functions have no digits left
    if (volume > 1e-12 * size && isfinite(size)) return TML_OK;
    return tml__fail(
        why, TML_BAD_ARGUMENT,
        "deformable '%s': tetrahedron %d (vertices %d, %d, %d, %d) is flat: its volume "
        "is %g m^3",
        def->name, i, corner[0], corner[1], corner[2], corner[3], volume);
}

// A free vertex without mass would have no equation of motion. `carrier` is scratch.
static tml_status check_masses(const tml_deformable_def* def, const unsigned char* is_taken,
                               unsigned char* has_mass, message* why)
{
    for (int i = 0; i < 4 * def->tetrahedron_count; i++) {
        if (def->density > 0.0) has_mass[def->tetrahedra[i]] = 1;
    }
    for (int i = 0; i < def->vertex_count; i++) {
        if (is_taken[i] || has_mass[i] || def->vertex_mass > 0.0) continue;
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': vertex %d belongs to no tetrahedron with a density and "
                         "there is no vertex_mass, so it has no mass",
                         def->name, i);
    }
    return TML_OK;
}

static tml_status take_vertex(const tml_deformable_def* def, int vertex, unsigned char* is_taken,
                              message* why)
{
    if (!is_vertex(def, vertex)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': a fixed or attached vertex is %d, but there are %d",
                         def->name, vertex, def->vertex_count);
    }
    if (is_taken[vertex]) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': vertex %d is fixed or attached twice", def->name,
                         vertex);
    }
    is_taken[vertex] = 1;
    return TML_OK;
}

static tml_status check_carried(const definitions* all, const tml_deformable_def* def, pool* memory,
                                message* why)
{
    unsigned char* is_taken = tml__pool_take(memory, (size_t)def->vertex_count, 1);
    unsigned char* has_mass = tml__pool_take(memory, (size_t)def->vertex_count, 1);
    if (is_taken == NULL || has_mass == NULL) {
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    tml_status status = TML_OK;
    for (int i = 0; i < def->fixed_count && status == TML_OK; i++) {
        status = take_vertex(def, def->fixed[i], is_taken, why);
    }
    for (int i = 0; i < def->attachment_count && status == TML_OK; i++) {
        const tml_attachment* a = &def->attachments[i];
        if (a->vertex != TML_EMBEDDED) status = take_vertex(def, a->vertex, is_taken, why);
        if (a->body.index >= -1 && a->body.index < all->body_count) continue;
        if (status != TML_OK) break;
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': the body of attachment %d does not exist", def->name, i);
    }
    if (status == TML_OK) status = check_masses(def, is_taken, has_mass, why);
    soft_tie* ties;
    int count;
    return status == TML_OK ? tml__find_ties(def, is_taken, memory, why, &ties, &count) : status;
}

tml_status tml__check_deformable(const definitions* all, const tml_deformable_def* def,
                                 message* why)
{
    tml_status status = check_numbers(def, why);
    if (status == TML_OK) status = check_lists(def, why);
    for (int i = 0; i < def->tetrahedron_count && status == TML_OK; i++) {
        status = check_tetrahedron(def, i, why);
    }
    if (status != TML_OK) return status;
    pool scratch = {0};
    status = check_carried(all, def, &scratch, why);
    tml__pool_destroy(&scratch);
    return status == TML_OK ? tml__check_skin(def, why) : status;
}

tml_status tml__deformable_copy(const tml_deformable_def* def, pool* memory,
                                tml_deformable_def* out)
{
    *out = *def;
    out->vertices =
        tml__pool_copy(memory, def->vertices, (size_t)def->vertex_count, sizeof *def->vertices);
    int* corners = tml__pool_copy(memory, def->tetrahedra, 4 * (size_t)def->tetrahedron_count,
                                  sizeof *def->tetrahedra);
    out->tetrahedra = corners;
    for (int i = 0; corners != NULL && i < def->tetrahedron_count; i++) {
        int* corner = &corners[4 * (size_t)i];
        const int last = corner[3];
        if (volume_of(def, corner) >= 0.0) continue;
        corner[3] = corner[2];  // the same tetrahedron, the right way round
        corner[2] = last;
    }
    out->fixed = tml__pool_copy(memory, def->fixed, (size_t)def->fixed_count, sizeof *def->fixed);
    out->attachments = tml__pool_copy(memory, def->attachments, (size_t)def->attachment_count,
                                      sizeof *def->attachments);
    const bool is_complete = out->vertices && out->tetrahedra && out->fixed && out->attachments;
    return is_complete ? tml__skin_copy(def, memory, out) : TML_NO_MEMORY;
}

// ---- the outside

typedef struct face {
    int corner[3];  // as its tetrahedron lists them, outwards
    int sorted[3];
} face;

static int compare_faces(const void* a, const void* b)
{
    const face* f = a;
    const face* g = b;
    for (int k = 0; k < 3; k++) {
        if (f->sorted[k] != g->sorted[k]) return f->sorted[k] < g->sorted[k] ? -1 : 1;
    }
    // two sides of the same face; which comes first does not matter but must not depend on the sort
    for (int k = 0; k < 3; k++) {
        if (f->corner[k] != g->corner[k]) return f->corner[k] < g->corner[k] ? -1 : 1;
    }
    return 0;
}

static void swap_if_larger(int* a, int* b)
{
    const int lower = *a < *b ? *a : *b;
    *b = *a < *b ? *b : *a;
    *a = lower;
}

static face face_of(const int* corner, int k)
{
    // opposite of corner k, seen from outside anticlockwise
    static const int around[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    face f;
    for (int i = 0; i < 3; i++) f.corner[i] = f.sorted[i] = corner[around[k][i]];
    swap_if_larger(&f.sorted[0], &f.sorted[1]);
    swap_if_larger(&f.sorted[1], &f.sorted[2]);
    swap_if_larger(&f.sorted[0], &f.sorted[1]);
    return f;
}

static bool is_same_face(const face* f, const face* g)
{
    return memcmp(f->sorted, g->sorted, sizeof f->sorted) == 0;
}

// The faces that only one tetrahedron has.
static tml_status find_outside(const tml_deformable_def* def, pool* memory, soft_data* out)
{
    const size_t count = 4 * (size_t)def->tetrahedron_count;
    pool scratch = {0};
    face* faces = tml__pool_take(&scratch, count, sizeof *faces);
    int* triangles = faces != NULL ? tml__pool_take(memory, 3 * count, sizeof *triangles) : NULL;
    if (triangles == NULL) {
        tml__pool_destroy(&scratch);
        return TML_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        faces[i] = face_of(&def->tetrahedra[i / 4 * 4], (int)(i % 4));
    qsort(faces, count, sizeof *faces, compare_faces);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && is_same_face(&faces[i], &faces[end])) end++;
        if (end == i + 1) {
            memcpy(&triangles[3 * out->triangle_count++], faces[i].corner, sizeof faces[i].corner);
        }
        i = end;
    }
    out->triangles = triangles;
    tml__pool_destroy(&scratch);
    return TML_OK;
}

// ---- numbering

static double mass_of(const tml_deformable_def* def)
{
    double volume = 0.0;
    for (int i = 0; i < def->tetrahedron_count; i++) {
        volume += volume_of(def, &def->tetrahedra[4 * (size_t)i]);
    }
    return def->density * volume + def->vertex_count * def->vertex_mass;
}

static void carry(tml_model* m, int vertex, int body, vec3 place)
{
    const body_data* b = &m->bodies[body];
    m->carrier[vertex] = body;
    m->carried_at[vertex] = m3_apply_t(q_matrix(b->q), v3_sub(place, b->c));
}

// The moving bodies that carry something of a deformable, each once. `is_listed` is zero per body, and
// is so again afterwards.
static tml_status list_carriers(tml_model* m, int deformable, unsigned char* is_listed)
{
    const tml_deformable_def* def = &m->all.deformables[deformable];
    soft_data* soft = &m->soft[deformable];
    soft->carriers =
        tml__pool_take(&m->memory, (size_t)def->attachment_count, sizeof *soft->carriers);
    if (soft->carriers == NULL) return TML_NO_MEMORY;
    for (int k = 0; k < def->attachment_count; k++) {
        const int body = def->attachments[k].body.index;
        if (body < 0 || m->bodies[body].node < 0 || is_listed[body]) continue;
        is_listed[body] = 1;
        soft->carriers[soft->carrier_count++] = body;
    }
    for (int k = 0; k < soft->carrier_count; k++) is_listed[soft->carriers[k]] = 0;
    return TML_OK;
}

static int carrier_of(const tml_model* m, const tml_attachment* a)
{
    return a->body.index < 0 ? tml__world(m) : a->body.index;
}

static void carry_vertices(tml_model* m, int deformable)
{
    const tml_deformable_def* def = &m->all.deformables[deformable];
    const int first = m->soft[deformable].first;
    for (int k = 0; k < def->fixed_count; k++) {
        carry(m, first + def->fixed[k], tml__world(m), def->vertices[def->fixed[k]]);
    }
    for (int k = 0; k < def->attachment_count; k++) {
        const tml_attachment* a = &def->attachments[k];
        if (a->vertex == TML_EMBEDDED) continue;
        carry(m, first + a->vertex, carrier_of(m, a), def->vertices[a->vertex]);
    }
}

// The points that are carried take the places of the vertices that follow from them.
static tml_status derive_ties(tml_model* m, int deformable)
{
    const tml_deformable_def* def = &m->all.deformables[deformable];
    const int first = m->soft[deformable].first;
    unsigned char* is_taken = tml__pool_take(&m->memory, (size_t)def->vertex_count, 1);
    message unused = {{0}};  // all was checked when it was added
    soft_tie* ties = NULL;
    int count = 0;
    if (is_taken == NULL) return TML_NO_MEMORY;
    for (int k = 0; k < def->vertex_count; k++) is_taken[k] = m->carrier[first + k] != VERTEX_FREE;
    const tml_status status = tml__find_ties(def, is_taken, &m->memory, &unused, &ties, &count);
    if (status != TML_OK) return status;
    for (int i = 0; i < count; i++) {
        soft_tie* tie = &ties[i];
        tie->vertex += first;
        for (int k = 0; k < tie->count; k++) tie->others[k] += first;
        carry(m, tie->vertex, carrier_of(m, &def->attachments[tie->attachment]), tie->place);
        m->ties[m->tie_count++] = *tie;
    }
    return TML_OK;
}

// Room for the points of all deformables.
static tml_status take_ties(tml_model* m)
{
    size_t most = 0;
    for (int i = 0; i < m->all.deformable_count; i++) {
        most += (size_t)m->all.deformables[i].attachment_count;
    }
    m->ties = tml__pool_take(&m->memory, most, sizeof *m->ties);
    return m->ties != NULL ? TML_OK : TML_NO_MEMORY;
}

tml_status tml__derive_deformables(tml_model* m)
{
    const int count = m->all.deformable_count;
    if (take_ties(m) != TML_OK) return TML_NO_MEMORY;
    m->soft = tml__pool_take(&m->memory, (size_t)count, sizeof *m->soft);
    if (m->soft == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        m->soft[i].first = m->vertex_count;
        m->soft[i].mass = mass_of(&m->all.deformables[i]);
        if (m->vertex_count > TML_DEFORMABLE_MOST) return TML_NO_MEMORY;
        m->vertex_count += m->all.deformables[i].vertex_count;
    }
    const int first_anchor = m->vertex_count;
    m->vertex_count += tml__count_anchors(m);
    m->carrier = tml__pool_take(&m->memory, (size_t)m->vertex_count, sizeof *m->carrier);
    m->carried_at = tml__pool_take(&m->memory, (size_t)m->vertex_count, sizeof *m->carried_at);
    unsigned char* is_listed = tml__pool_take(&m->memory, (size_t)m->all.body_count, 1);
    if (m->carrier == NULL || m->carried_at == NULL || is_listed == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < m->vertex_count; i++) m->carrier[i] = VERTEX_FREE;

    for (int i = 0; i < count; i++) {
        const tml_deformable_def* def = &m->all.deformables[i];
        carry_vertices(m, i);
        tml_status status = derive_ties(m, i);
        if (status == TML_OK) status = list_carriers(m, i, is_listed);
        if (status == TML_OK) status = find_outside(def, &m->memory, &m->soft[i]);
        if (status == TML_OK) status = tml__derive_skin(def, &m->memory, &m->soft[i]);
        if (status != TML_OK) return status;
    }
    const tml_status status = tml__derive_soft_springs(m, first_anchor);
    return status == TML_OK ? tml__join_carriers(m) : status;
}

// ---- asking

int tml_model_deformable_count(const tml_model* model)
{
    return model != NULL ? model->all.deformable_count : 0;
}

const tml_deformable_def* tml_model_deformable(const tml_model* model, int deformable)
{
    if (model == NULL) return NULL;
    const bool is_there = deformable >= 0 && deformable < model->all.deformable_count;
    return is_there ? &model->all.deformables[deformable] : NULL;
}

int tml_model_find_deformable(const tml_model* model, const char* name)
{
    if (model == NULL) return -1;
    for (int i = 0; i < model->all.deformable_count; i++) {
        if (strcmp(model->all.deformables[i].name, name) == 0) return i;
    }
    return -2;
}

const int* tml_model_deformable_surface(const tml_model* model, int deformable, int* count)
{
    if (model == NULL || count == NULL) return NULL;
    *count = 0;
    if (tml_model_deformable(model, deformable) == NULL) return NULL;
    *count = model->soft[deformable].triangle_count;
    return model->soft[deformable].triangles;
}

tml_soft_summary tml_model_summarise_deformables(const tml_model* model)
{
    if (model == NULL) return (tml_soft_summary){0};
    tml_soft_summary sum = {.deformables = model->all.deformable_count};
    for (int i = 0; i < model->all.deformable_count; i++) {
        sum.vertices += model->all.deformables[i].vertex_count;
        sum.tetrahedra += model->all.deformables[i].tetrahedron_count;
        sum.mass += model->soft[i].mass;
    }
    for (int i = 0; i < sum.vertices; i++) {
        const int carrier = model->carrier[i];
        if (carrier == VERTEX_FREE) continue;
        if (model->bodies[carrier].node >= 0) {
            sum.attached++;
        } else {
            sum.fixed++;
        }
    }
    return sum;
}
