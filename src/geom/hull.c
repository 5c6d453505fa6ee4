// geom/hull.c - convex hulls by qhull; the only file that knows it.
//
// qhull finds which points are on the hull and which of them share a face; normals and edges are
// computed here from the points themselves. It writes its complaints to a stream of ours.
#include "geom/hull.h"

#include <libqhull_r/qhull_ra.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static int count_faces(qhT* qh, int* corners)
{
    facetT* facet;
    int faces = 0;
    *corners = 0;
    FORALLfacets
    {
        faces++;
        *corners += qh_setsize(qh, facet->vertices);
    }
    return faces;
}

// The vertices of a face in order around it, counter-clockwise from outside.
static int list_face(qhT* qh, facetT* facet, int* loop, int room)
{
    vertexT* vertex;
    vertexT** vertexp;
    int count = 0;
    setT* vertices = qh_facet3vertex(qh, facet);
    FOREACHvertex_(vertices)
    {
        if (count < room) loop[count] = qh_pointid(qh, vertex->point);
        count++;
    }
    qh_settempfree(qh, &vertices);
    return count;
}

// Number the points that are used from 0, in the order in which they were given.
static int renumber(int total, int count, int* loops, const vec3* points, int* place, vec3* kept)
{
    int used = 0;
    for (int i = 0; i < count; i++) place[i] = -1;
    for (int k = 0; k < total; k++) place[loops[k]] = 0;
    for (int i = 0; i < count; i++) {
        if (place[i] < 0) continue;
        kept[used] = points[i];
        place[i] = used++;
    }
    for (int k = 0; k < total; k++) loops[k] = place[loops[k]];
    return used;
}

// A hull around qhull's answer. Its loops turn the way ours do or the other way round, depending on
// nothing we can see, so the sign of the volume decides.
static void orient(int faces, const int* sizes, int* loops, const vec3* points)
{
    double volume = 0.0;
    const vec3 origin = points[loops[0]];
    for (int f = 0, k = 0; f < faces; k += sizes[f++]) {
        for (int i = 1; i + 1 < sizes[f]; i++) {
            const vec3 a = v3_sub(points[loops[k]], origin);
            const vec3 b = v3_sub(points[loops[k + i]], origin);
            const vec3 c = v3_sub(points[loops[k + i + 1]], origin);
            volume += v3_dot(a, v3_cross(b, c));
        }
    }
    if (volume >= 0.0) return;
    for (int f = 0, k = 0; f < faces; k += sizes[f++]) {
        for (int i = 0; i < sizes[f] / 2; i++) {
            const int other = k + sizes[f] - 1 - i;
            const int kept = loops[k + i];
            loops[k + i] = loops[other];
            loops[other] = kept;
        }
    }
}

static tml_status read_hull(qhT* qh, pool* memory, int count, const vec3* points, polytope* out)
{
    int corners = 0;
    const int faces = count_faces(qh, &corners);
    int* sizes = tml__pool_take(memory, (size_t)faces, sizeof *sizes);
    int* loops = tml__pool_take(memory, (size_t)corners, sizeof *loops);
    int* place = tml__pool_take(memory, (size_t)count, sizeof *place);
    vec3* kept = tml__pool_take(memory, (size_t)count, sizeof *kept);
    if (sizes == NULL || loops == NULL || place == NULL || kept == NULL) return TML_NO_MEMORY;

    facetT* facet;
    int f = 0;
    int total = 0;
    FORALLfacets
    {
        sizes[f] = list_face(qh, facet, loops + total, corners - total);
        total += sizes[f++];
        if (total > corners) return TML_BAD_ARGUMENT;
    }
    const int used = renumber(total, count, loops, points, place, kept);
    if (used > POLYTOPE_MAX_VERTICES) return TML_UNSUPPORTED;
    orient(faces, sizes, loops, kept);
    return tml__polytope_build(memory, used, kept, faces, sizes, loops, out);
}

// qhull leaves by longjmp where its own tables contradict each other; without a place to land it
// would end the program.
static tml_status read_guarded(qhT* qh, pool* memory, int count, const vec3* points, polytope* out)
{
    if (setjmp(qh->errexit) != 0) return TML_BAD_ARGUMENT;
    qh->NOerrexit = False;
    const tml_status status = read_hull(qh, memory, count, points, out);
    qh->NOerrexit = True;
    return status;
}

static tml_status check(int count, const vec3* points, const char* what, message* why)
{
    if (count < 4) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "%s: a convex hull needs at least 4 points, but there are %d", what,
                         count);
    }
    for (int i = 0; i < count; i++) {
        // squares and products of three must stay finite
        if (!v3_is_finite(points[i]) || v3_max(points[i]) > 1e90) {
            return tml__fail(why, TML_BAD_ARGUMENT, "%s: point %d is not finite, or beyond 1e90 m",
                             what, i);
        }
    }
    return TML_OK;
}

tml_status tml__hull(pool* memory, int count, const vec3* points, const char* what, message* why,
                     polytope* out)
{
    tml_status status = check(count, points, what, why);
    if (status != TML_OK) return status;
    coordT* copy = tml__pool_take(memory, 3 * (size_t)count, sizeof *copy);
    FILE* silence = tmpfile();
    if (copy == NULL || silence == NULL) {
        if (silence != NULL) fclose(silence);
        return tml__fail(why, TML_NO_MEMORY, "%s: out of memory", what);
    }
    for (int i = 0; i < count; i++) v3_store(copy + 3 * (size_t)i, points[i]);

    qhT qh;
    memset(&qh, 0, sizeof qh);
    qh_zero(&qh, silence);
    char command[] = "qhull";  // merged facets, no joggling: the same faces every time
    const int error = qh_new_qhull(&qh, 3, count, copy, False, command, silence, silence);
    if (error == 0) {
        status = read_guarded(&qh, memory, count, points, out);
    } else {
        status = error == qh_ERRmem ? TML_NO_MEMORY : TML_BAD_ARGUMENT;
    }
    qh_freeqhull(&qh, !qh_ALL);
    int current = 0;
    int total = 0;
    qh_memfreeshort(&qh, &current, &total);
    fclose(silence);
    if (status == TML_OK) return TML_OK;
    if (status == TML_UNSUPPORTED) {
        return tml__fail(why, TML_BAD_ARGUMENT, "%s: its hull has more than %d vertices", what,
                         POLYTOPE_MAX_VERTICES);
    }
    return tml__fail(why, status,
                     status == TML_NO_MEMORY ? "%s: out of memory"
                                             : "%s: its points lie in a plane or nearly so: they "
                                               "have no convex hull with a volume",
                     what);
}
