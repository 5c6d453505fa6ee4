// test/nodal/bar.h - bars of tetrahedra for the tests of nodal systems.
#ifndef TRAMMEL_TEST_NODAL_BAR_H
#define TRAMMEL_TEST_NODAL_BAR_H

#include "nodal/nodal.h"

#include <stdlib.h>

// A box of nx x ny x nz cells, six tetrahedra a cell around its long diagonal.
typedef struct bar {
    int nx, ny, nz;
    double length, height, width;  // along x, y, z
    vec3* vertices;
    bool* is_held;
    int* corners;
    int vertex_count, tetrahedron_count;
    elastic material;
    double density;
    nodal_parts parts;
} bar;

static inline int bar_vertex(const bar* b, int i, int j, int k)
{
    return (i * (b->ny + 1) + j) * (b->nz + 1) + k;
}

static inline bar bar_make(int nx, int ny, int nz, double length, double height, double width)
{
    // the six ways from corner 0 to corner 7 of a cube along its edges
    static const int way[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    bar b = {.nx = nx, .ny = ny, .nz = nz, .length = length, .height = height, .width = width};
    b.vertex_count = (nx + 1) * (ny + 1) * (nz + 1);
    b.tetrahedron_count = 6 * nx * ny * nz;
    b.vertices = calloc((size_t)b.vertex_count, sizeof *b.vertices);
    b.is_held = calloc((size_t)b.vertex_count, sizeof *b.is_held);
    b.corners = calloc(4 * (size_t)b.tetrahedron_count, sizeof *b.corners);
    for (int i = 0; i <= nx; i++) {
        for (int j = 0; j <= ny; j++) {
            for (int k = 0; k <= nz; k++) {
                b.vertices[bar_vertex(&b, i, j, k)] =
                    v3(length * i / nx, height * j / ny, width * k / nz);
            }
        }
    }
    int at = 0;
    for (int cell = 0; cell < nx * ny * nz; cell++) {
        const int i = cell / (ny * nz);
        const int j = cell / nz % ny;
        const int k = cell % nz;
        int c[8];
        for (int m = 0; m < 8; m++) {
            c[m] = bar_vertex(&b, i + (m >> 2), j + ((m >> 1) & 1), k + (m & 1));
        }
        for (int w = 0; w < 6; w++) {
            int* t = &b.corners[at];
            tetrahedron shape;
            t[0] = c[0];
            t[1] = c[way[w][0]];
            t[2] = c[way[w][1]];
            t[3] = c[7];
            const vec3 x[4] = {b.vertices[t[0]], b.vertices[t[1]], b.vertices[t[2]],
                               b.vertices[t[3]]};
            if (!tml__tetrahedron(x, &shape)) {
                t[1] = c[way[w][1]];
                t[2] = c[way[w][0]];
            }
            at += 4;
        }
    }
    b.material = tml__elastic(TML_MATERIAL_LINEAR, 1e6, 0.3);
    b.density = 1000.0;
    return b;
}

static inline nodal_system* bar_system(bar* b)
{
    static const tml_allocator allocator = {0};
    nodal_system* s = NULL;
    message why;
    b->parts.vertex_count = b->vertex_count;
    b->parts.vertices = b->vertices;
    b->parts.is_held = b->is_held;
    b->parts.tetrahedron_count = b->tetrahedron_count;
    b->parts.corners = b->corners;
    b->parts.material_count = 1;
    b->parts.materials = &b->material;
    b->parts.densities = &b->density;
    if (tml__nodal_create(&b->parts, &allocator, &why, &s) != TML_OK) {
        printf("the test's own bar is refused: %s\n", why.text);
        check_failures++;
    }
    return s;
}

static inline void bar_free(bar* b)
{
    free(b->vertices);
    free(b->is_held);
    free(b->corners);
}

#endif
