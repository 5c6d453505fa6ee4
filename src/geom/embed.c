// geom/embed.c - the tetrahedron of each point, found by a tree of boxes.
#include "geom/embed.h"

#include "base/memory.h"
#include "geom/aabb_tree.h"

#include <math.h>

typedef struct search {
    const embed_mesh* mesh;
    aabb_tree* boxes;
    int* found;  // room for all tetrahedra
    double
        reach;  // mean edge of the boxes, m: where to look for tetrahedra that do not hold a point
} search;

static void corners_of(const embed_mesh* mesh, int i, vec3 out[4])
{
    for (int a = 0; a < 4; a++) out[a] = mesh->vertices[mesh->corners[4 * (size_t)i + (size_t)a]];
}

static aabb box_of(const embed_mesh* mesh, int i)
{
    vec3 x[4];
    corners_of(mesh, i, x);
    aabb box = {x[0], x[0]};
    for (int a = 1; a < 4; a++) {
        const aabb point = {x[a], x[a]};
        box = tml__aabb_union(&box, &point);
    }
    return box;
}

static void place_boxes(search* s)
{
    s->reach = 0.0;
    for (int i = 0; i < s->mesh->count; i++) {
        const aabb box = box_of(s->mesh, i);
        const vec3 edge = v3_sub(box.high, box.low);
        s->reach += (edge.x + edge.y + edge.z) / (3.0 * s->mesh->count);
        tml__aabb_tree_place(s->boxes, i, &box, 0.0);
    }
}

static double smallest(const double w[4]) { return fmin(fmin(w[0], w[1]), fmin(w[2], w[3])); }

// The best tetrahedron near a point; -1: none within `reach`.
static int find(const search* s, vec3 x, double reach, double best_weights[4])
{
    const aabb point = aabb_grown((aabb){x, x}, reach);
    const int count = tml__aabb_tree_query(s->boxes, &point, -1, s->found, s->mesh->count);
    int best = -1;
    for (int k = 0; k < count; k++) {
        vec3 corner[4];
        double w[4];
        corners_of(s->mesh, s->found[k], corner);
        if (!tml__barycentric(corner, x, w)) continue;
        const double gain = best < 0 ? 1.0 : smallest(w) - smallest(best_weights);
        // the tree's order is its own: of equals the first tetrahedron counts
        const bool is_better = gain > 0.0 || (gain >= 0.0 && s->found[k] < best);
        if (!is_better) continue;
        best = s->found[k];
        for (int a = 0; a < 4; a++) best_weights[a] = w[a];
    }
    return best;
}

static void embed_point(const search* s, vec3 x, mapping_term* terms)
{
    double w[4] = {0.0};
    int best = find(s, x, 0.0, w);
    // its box holds the point, or not even that: look around, farther and farther
    for (double reach = s->reach; best < 0 || (smallest(w) < 0.0 && reach <= s->reach);
         reach *= 2.0) {
        best = find(s, x, reach, w);
    }
    for (int a = 0; a < 4; a++) {
        terms[a] =
            (mapping_term){.input = s->mesh->corners[4 * (size_t)best + (size_t)a], .weight = w[a]};
    }
}

tml_status tml__embed(const embed_mesh* mesh, int count, const vec3* points, mapping_term* terms,
                      embed_worst* worst)
{
    search s = {.mesh = mesh};
    *worst = (embed_worst){.point = -1, .weight = 1.0};
    tml_status status = tml__aabb_tree_create(mesh->count, NULL, &s.boxes);
    if (status != TML_OK) return status;
    s.found = tml__allocate(NULL, (size_t)mesh->count, sizeof *s.found);
    if (s.found == NULL) {
        tml__aabb_tree_destroy(s.boxes);
        return TML_NO_MEMORY;
    }
    place_boxes(&s);
    for (int i = 0; i < count; i++) {
        mapping_term* of = &terms[4 * (size_t)i];
        embed_point(&s, points[i], of);
        const double w[4] = {of[0].weight, of[1].weight, of[2].weight, of[3].weight};
        if (smallest(w) < worst->weight) *worst = (embed_worst){i, smallest(w)};
    }
    tml__release(NULL, s.found);
    tml__aabb_tree_destroy(s.boxes);
    return TML_OK;
}
