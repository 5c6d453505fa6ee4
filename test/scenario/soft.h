// test/scenario/soft.h - soft bars, alone and with bodies, for the tests of deformables in simulations.
#ifndef TRAMMEL_TEST_SCENARIO_SOFT_H
#define TRAMMEL_TEST_SCENARIO_SOFT_H

#include "test/check.h"

#include <trammel/trammel.h>

#include <stdbool.h>

enum {
    SOFT_VERTICES = 4096,
    SOFT_TETRAHEDRA = 12288
};

// A box of nx x ny x nz cells from a corner, six tetrahedra a cell around its long diagonal.
typedef struct soft_box {
    int vertex_count, tetrahedron_count;
    tml_vec3 vertices[SOFT_VERTICES];
    int tetrahedra[4 * SOFT_TETRAHEDRA];
} soft_box;

static inline void soft_fill(soft_box* b, const int cells[3], tml_vec3 corner, tml_vec3 size)
{
    static const int way[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    const int ny = cells[1] + 1;
    const int nz = cells[2] + 1;
    b->vertex_count = b->tetrahedron_count = 0;
    for (int i = 0; i <= cells[0]; i++) {
        for (int j = 0; j <= cells[1]; j++) {
            for (int k = 0; k <= cells[2]; k++) {
                b->vertices[b->vertex_count++] =
                    (tml_vec3){corner.x + size.x * i / cells[0], corner.y + size.y * j / cells[1],
                               corner.z + size.z * k / cells[2]};
            }
        }
    }
    for (int cell = 0; cell < cells[0] * cells[1] * cells[2]; cell++) {
        const int i = cell / (cells[1] * cells[2]);
        const int j = cell / cells[2] % cells[1];
        const int k = cell % cells[2];
        int c[8];
        for (int m = 0; m < 8; m++) {
            c[m] = ((i + (m >> 2)) * ny + j + ((m >> 1) & 1)) * nz + k + (m & 1);
        }
        for (int w = 0; w < 6; w++) {
            int* t = &b->tetrahedra[4 * b->tetrahedron_count++];
            t[0] = c[0];
            t[1] = c[way[w][0]];
            t[2] = c[way[w][1]];
            t[3] = c[7];
        }
    }
}

static inline tml_deformable_def soft_def(const soft_box* b)
{
    tml_deformable_def def = tml_deformable_def_default();
    def.name = "soft";
    def.vertex_count = b->vertex_count;
    def.vertices = b->vertices;
    def.tetrahedron_count = b->tetrahedron_count;
    def.tetrahedra = b->tetrahedra;
    return def;
}

// The vertices with x at a value; how many.
static inline int soft_at(const soft_box* b, double x, int* out)
{
    int count = 0;
    for (int i = 0; i < b->vertex_count; i++) {
        if (fabs(b->vertices[i].x - x) < 1e-12) out[count++] = i;
    }
    return count;
}

// The plane z = 0 of the world.
static inline void soft_floor(tml_spec* spec, double friction)
{
    tml_shape_def plane = tml_shape_def_default();
    plane.kind = TML_SHAPE_PLANE;
    plane.friction = friction;
    CHECK(tml_spec_add_world_shape(spec, &plane) == TML_OK);
}

static inline tml_model* soft_build(tml_spec* spec)
{
    tml_model* model = NULL;
    if (tml_spec_build(spec, &model) != TML_OK) {
        printf("the test's own model is refused: %s\n", tml_spec_message(spec));
        check_failures++;
    }
    tml_spec_destroy(spec);
    return model;
}

static inline tml_sim* soft_sim(const tml_model* model, const tml_sim_settings* settings)
{
    tml_sim* sim = NULL;
    if (tml_sim_create(model, settings, &sim) != TML_OK) {
        printf("the test's own simulation is refused: %s\n", tml_sim_message(sim));
        check_failures++;
        tml_sim_destroy(sim);
        return NULL;
    }
    return sim;
}

static inline bool soft_run(tml_sim* sim, int steps)
{
    for (int k = 0; k < steps; k++) {
        if (tml_sim_step(sim, NULL) == TML_OK) continue;
        printf("step %d: %s\n", k, tml_sim_message(sim));
        check_failures++;
        return false;
    }
    return true;
}

static inline double soft_distance(tml_vec3 a, tml_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

#endif
