// bench/kernels/collision.c - what finding contacts costs.
//
//     bench/collision
//
// Two tables, as CSV. First the narrow phase, shape against shape, over random poses of which about
// half touch: pairs a second, beside the floor that no method can beat, one support point of each
// shape in the same poses, measured in the same run. Then whole detections of a heap of boxes that
// move a little from step to step, beside placing the shapes and their boxes alone, and the
// derivatives of all contacts. Times are processor time of the thread, the best of several runs.
#include "base/clock.h"
#include "geom/collider.h"
#include "math/quat.h"
#include "test/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POSES = 400,
    RUNS = 7,
    STEPS = 20,
    LARGEST = 3000
};

static double lesser(double a, double b) { return a < b ? a : b; }

// ---- pairs

static tml_shape_def shape_of(tml_shape_kind kind)
{
    tml_shape_def s = tml_shape_def_default();
    s.kind = kind;
    s.size = v3(0.5, 0.6, 0.7);
    if (kind != TML_SHAPE_BOX) s.size = v3(0.25, 0.3, 0.5);
    return s;
}

// 200 points on an ellipsoid, as a mesh of triangles that nobody looks at: only its hull counts.
static void mesh_shape(random_source* r, tml_vec3* vertices, tml_shape_def* s)
{
    static const int triangle[3] = {0, 1, 2};
    for (int i = 0; i < 200; i++) {
        const vec3 d = q_rotate(random_quat(r), v3(1.0, 0.0, 0.0));
        vertices[i] = v3(0.3 * d.x, 0.25 * d.y, 0.35 * d.z);
    }
    *s = tml_shape_def_default();
    s->kind = TML_SHAPE_MESH;
    s->vertex_count = 200;
    s->vertices = vertices;
    s->triangle_count = 1;
    s->triangles = triangle;
}

typedef struct pair_bench {
    collider a, b;
    placement poses[POSES];
    int touching;
    int contacts;
} pair_bench;

static const placement origin = {.R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

static double time_narrow(pair_bench* p)
{
    p->touching = 0;
    p->contacts = 0;
    const double start = tml__clock();
    for (int i = 0; i < POSES; i++) {
        manifold m;
        tml__collider_place(&p->a, &p->poses[i]);
        if (tml__narrow(&p->a.p, &p->b.p, 0.01, &m) != TML_OK) continue;
        p->touching += m.count > 0;
        p->contacts += m.count;
    }
    return (tml__clock() - start) / POSES;
}

static double time_floor(pair_bench* p, double* sum)
{
    const double start = tml__clock();
    for (int i = 0; i < POSES; i++) {
        int vertex;
        tml__collider_place(&p->a, &p->poses[i]);
        const vec3 n = p->poses[i].p;
        const vec3 x = tml__convex_support(&p->a.p.core, v3_neg(n), &vertex);
        const vec3 y = tml__convex_support(&p->b.p.core, n, &vertex);
        *sum += v3_dot(n, v3_sub(x, y));
    }
    return (tml__clock() - start) / POSES;
}

static void bench_pair(random_source* r, const tml_shape_def* a, const tml_shape_def* b)
{
    static pair_bench p;
    pool memory = {.first = NULL};
    message why;
    const collider_def first = {.body = 0, .body_name = "a", .shape = a};
    const collider_def second = {.body = 1, .body_name = "b", .shape = b};
    if (tml__collider_create(&first, &memory, NULL, &why, &p.a) != TML_OK ||
        tml__collider_create(&second, &memory, NULL, &why, &p.b) != TML_OK) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    tml__collider_place(&p.b, &origin);
    const double reach = b->kind == TML_SHAPE_PLANE ? p.a.radius : p.a.radius + p.b.radius;
    for (int i = 0; i < POSES; i++) {
        const vec3 d = q_rotate(random_quat(r), v3(0.0, 0.0, 1.0));
        const double far = random_between(r, 0.5, 1.05) * reach;
        p.poses[i] = (placement){v3_scale(far, d), q_matrix(random_quat(r))};
        if (b->kind == TML_SHAPE_PLANE) p.poses[i].p = v3(d.x, d.y, far);
    }
    double narrow = HUGE_VAL;
    double bare = HUGE_VAL;
    double sum = 0.0;
    for (int k = 0; k < RUNS; k++) {
        narrow = lesser(narrow, time_narrow(&p));
        if (b->kind != TML_SHAPE_PLANE) bare = lesser(bare, time_floor(&p, &sum));
    }
    if (b->kind == TML_SHAPE_PLANE) bare = 0.0;
    printf("%s-%s,%.0f,%.2f,%.2f,%.0f,%.0f\n", tml_shape_kind_name(a->kind),
           tml_shape_kind_name(b->kind), 1.0 / narrow, (double)p.touching / POSES,
           p.touching > 0 ? (double)p.contacts / p.touching : 0.0, 1e9 * narrow, 1e9 * bare);
    if (!isfinite(sum)) exit(1);
    tml__pool_destroy(&memory);
}

static void bench_pairs(void)
{
    random_source r = random_start(1);
    static const tml_shape_kind kinds[] = {
        TML_SHAPE_SPHERE,   TML_SHAPE_CAPSULE,   TML_SHAPE_BOX,  TML_SHAPE_MESH,
        TML_SHAPE_CYLINDER, TML_SHAPE_ELLIPSOID, TML_SHAPE_PLANE};
    enum {
        KINDS = sizeof kinds / sizeof *kinds
    };
    tml_vec3 vertices[200];
    printf("pair,pairs_per_s,touching,contacts,narrow_ns,floor_ns\n");
    for (int i = 0; i < KINDS - 1; i++) {
        for (int j = i; j < KINDS; j++) {
            tml_shape_def a = shape_of(kinds[i]);
            tml_shape_def b = shape_of(kinds[j]);
            if (a.kind == TML_SHAPE_MESH) mesh_shape(&r, vertices, &a);
            if (b.kind == TML_SHAPE_MESH) mesh_shape(&r, vertices, &b);
            bench_pair(&r, &a, &b);
        }
    }
}

// ---- heaps

typedef struct heap {
    int count;
    tml_shape_def box, floor;
    collider_def colliders[LARGEST + 1];
    placement poses[LARGEST + 1];
} heap;

static void fill_heap(random_source* r, heap* h, int count)
{
    h->count = count;
    h->box = shape_of(TML_SHAPE_BOX);
    h->floor = shape_of(TML_SHAPE_PLANE);
    const int side = (int)ceil(cbrt(count));
    for (int i = 0; i < count; i++) {
        const vec3 cell = v3(i % side, i / side % side, i / (side * side));
        h->colliders[i] = (collider_def){.body = i, .body_name = "box", .shape = &h->box};
        h->poses[i] =
            (placement){v3_add(v3_scale(0.7, cell), random_vec3(r, 0.1)), q_matrix(random_quat(r))};
    }
    h->colliders[count] =
        (collider_def){.body = count, .is_fixed = 1, .body_name = "world", .shape = &h->floor};
    h->poses[count] = origin;
    h->poses[count].p.z = -0.2;
}

static void shake(random_source* r, heap* h)
{
    for (int i = 0; i < h->count; i++) {
        h->poses[i].p = v3_add(h->poses[i].p, random_vec3(r, 1e-3));
        h->poses[i].R = m3_mul(q_matrix(q_exp(random_vec3(r, 1e-3))), h->poses[i].R);
    }
}

static double time_placing(const heap* h)
{
    pool memory = {.first = NULL};
    message why;
    collider c;
    if (tml__collider_create(&h->colliders[0], &memory, NULL, &why, &c) != TML_OK) exit(1);
    double best = HUGE_VAL;
    for (int k = 0; k < RUNS; k++) {
        const double start = tml__clock();
        for (int i = 0; i < h->count; i++) tml__collider_place(&c, &h->poses[i]);
        best = lesser(best, tml__clock() - start);
    }
    tml__pool_destroy(&memory);
    return best;
}

static double time_slopes(const contact* list, int count)
{
    double d[CONTACT_ROWS][TWIST_COLUMNS];
    const double start = tml__clock();
    for (int i = 0; i < count; i++) {
        if (tml__contact_slope(&list[i], d) != TML_OK) d[0][0] = 0.0;
    }
    return tml__clock() - start;
}

static void bench_heap(int count)
{
    random_source r = random_start((uint64_t)count);
    heap* h = calloc(1, sizeof *h);
    if (h == NULL) exit(1);
    fill_heap(&r, h, count);
    const collision_def def = {.collider_count = count + 1, .colliders = h->colliders};
    const int room = 30 * count;
    contact* list = calloc((size_t)room, sizeof *list);
    if (list == NULL) exit(1);
    collision* c = NULL;
    message why;
    if (tml__collision_create(&def, NULL, &why, &c) != TML_OK) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    double detect = HUGE_VAL;
    double slopes = HUGE_VAL;
    int contacts = 0;
    for (int k = 0; k < STEPS; k++) {
        shake(&r, h);
        const double start = tml__clock();
        if (tml__collision_detect(c, h->poses, 0.01, room, list, &contacts, &why) != TML_OK) {
            fprintf(stderr, "%s\n", why.text);
            exit(1);
        }
        detect = lesser(detect, tml__clock() - start);
        slopes = lesser(slopes, time_slopes(list, contacts));
    }
    const collision_statistics s = tml__collision_statistics(c);
    printf("%d,%d,%d,%d,%.1f,%.1f,%.1f\n", count, s.candidates, s.touching, contacts, 1e6 * detect,
           1e6 * time_placing(h), 1e6 * slopes);
    tml__collision_destroy(c);
    free(list);
    free(h);
}

int main(void)
{
    bench_pairs();
    printf("\nboxes,candidates,touching,contacts,detect_us,placing_us,slopes_us\n");
    bench_heap(100);
    bench_heap(1000);
    bench_heap(LARGEST);
    return 0;
}
