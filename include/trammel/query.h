// trammel/query.h - questions about the shapes of a model at given poses: rays, distances, what is near.
//
// A query is an object of its own: it holds the shapes, made ready once, and where they stand. It sees what contact
// sees: shapes that collide, moving meshes as their convex hulls, and not deformables. Whether pairs may
// touch plays no part. Each thread has its own.
#ifndef TRAMMEL_QUERY_H
#define TRAMMEL_QUERY_H

#include <trammel/model.h>

TML_BEGIN_C

typedef struct tml_query tml_query;  // opaque; made by tml_query_create

// At the model's initial poses. The model is borrowed and must outlive it. When the call fails, *out is NULL or
// an object good only for tml_query_message and tml_query_destroy. TML_BAD_ARGUMENT: a shape cannot touch.
TML_API tml_status tml_query_create(const tml_model* model, const tml_allocator* allocator,
                                    tml_query** out);
TML_API void tml_query_destroy(tml_query* query);  // NULL is fine
TML_API const char* tml_query_message(const tml_query* query);

// Where bodies stand from now on: one pose a body, as tml_sim_poses writes them.
TML_API tml_status tml_query_place(tml_query* query, const tml_pose* poses);

typedef struct tml_ray {
    tml_vec3 from;       // m, world
    tml_vec3 direction;  // of any length
    double reach;        // m
    tml_body ignored;    // is not hit: whoever looks; index -2: none is ignored
} tml_ray;

typedef struct tml_hit {
    tml_body body;    // TML_WORLD where the world is hit; index -2: nothing is
    int shape;        // of the body
    double distance;  // m along the ray; `reach` where nothing is hit
    tml_vec3 point;   // world
    tml_vec3 normal;  // outward
} tml_hit;

// Where each ray first enters a shape. Shapes that it starts in are not seen, nor surfaces (fixed meshes,
// heightfields) from behind. TML_BAD_ARGUMENT: a direction is zero, or a number is not finite.
TML_API tml_status tml_query_rays(tml_query* query, int count, const tml_ray* rays, tml_hit* out);

// Two shapes and the points of them that are nearest to each other.
typedef struct tml_near {
    tml_body a, b;
    int shape_a, shape_b;
    double distance;      // m; negative: overlap, as deep as contact has it
    tml_vec3 on_a, on_b;  // world
    tml_vec3 normal;      // from b to a
} tml_near;

// The nearest shapes of two bodies, either of which may be TML_WORLD, where they are no farther apart than `reach`;
// else out->distance is infinite. TML_UNSUPPORTED: two planes, or two surfaces, which never move.
TML_API tml_status tml_query_distance(tml_query* query, tml_body a, tml_body b, double reach,
                                      tml_near* out);

// Every shape that is no farther than `reach` from this one (0: what it overlaps), placed in the world: its own pose
// is taken from there. The nearest point of each; a is the shape that is asked about, with index -2. At most
// `capacity` are written, in the order of bodies and shapes, the world last; *count is how many there are. This call allocates.
TML_API tml_status tml_query_near(tml_query* query, const tml_shape_def* shape, double reach,
                                  tml_near* out, int capacity, int* count);

TML_END_C

#endif
