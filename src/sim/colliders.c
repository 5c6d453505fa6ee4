// sim/colliders.c - the shapes of a model made ready to touch.
#include "sim/colliders.h"

#include "base/memory.h"

#include <math.h>

static bool is_solid(const tml_shape_def* shape) { return shape->collide != 0; }

static int count_solid(const tml_shape_def* shapes, int count)
{
    int solid = 0;
    for (int i = 0; i < count; i++) solid += is_solid(&shapes[i]);
    return solid;
}

// ---- one function a kind

static piece hull_piece(collider* c, double offset)
{
    return (piece){.kind = PIECE_HULL,
                   .core = {.kind = CONVEX_POLYTOPE, .hull = &c->hull, .offset = offset}};
}

static tml_status make_sphere(pool* memory, vec3 size, collider* c)
{
    c->p = hull_piece(c, size.x);
    c->radius = size.x;
    return tml__polytope_point(memory, &c->hull);
}

static tml_status make_ellipsoid(pool* memory, vec3 size, collider* c)
{
    (void)memory;
    c->p = (piece){.kind = PIECE_ELLIPSOID, .core = {.kind = CONVEX_ELLIPSOID, .size = size}};
    c->radius = v3_max(size);
    return TML_OK;
}

static tml_status make_capsule(pool* memory, vec3 size, collider* c)
{
    c->p = hull_piece(c, size.x);
    c->radius = size.x + 0.5 * size.z;
    return tml__polytope_segment(memory, 0.5 * size.z, &c->hull);
}

static tml_status make_cylinder(pool* memory, vec3 size, collider* c)
{
    const double half = 0.5 * size.z;
    c->p = (piece){.kind = PIECE_CYLINDER,
                   .core = {.kind = CONVEX_CYLINDER, .size = v3(size.x, size.x, half)},
                   .prism = &c->prism,
                   .segment = &c->segment};
    c->radius = sqrt(size.x * size.x + half * half);
    const tml_status status = tml__polytope_prism(memory, CYLINDER_SIDES, size.x, half, &c->prism);
    return status == TML_OK ? tml__polytope_segment(memory, half, &c->segment) : status;
}

static tml_status make_box(pool* memory, vec3 size, collider* c)
{
    c->p = hull_piece(c, 0.0);
    c->radius = 0.5 * v3_norm(size);
    return tml__polytope_box(memory, v3_scale(0.5, size), &c->hull);
}

static tml_status make_plane(pool* memory, vec3 size, collider* c)
{
    (void)memory;
    (void)size;
    c->p = (piece){.kind = PIECE_PLANE};
    c->radius = HUGE_VAL;
    return TML_OK;
}

typedef tml_status (*piece_maker)(pool* memory, vec3 size, collider* c);

static const piece_maker makers[TML_SHAPE_KINDS] = {
    [TML_SHAPE_SPHERE] = make_sphere,   [TML_SHAPE_ELLIPSOID] = make_ellipsoid,
    [TML_SHAPE_CAPSULE] = make_capsule, [TML_SHAPE_CYLINDER] = make_cylinder,
    [TML_SHAPE_BOX] = make_box,         [TML_SHAPE_PLANE] = make_plane,
};

// ---- all shapes of a model

static tml_status add(sim_contacts* s, int body, const tml_shape_def* shapes, int count)
{
    const body_data* data = &s->model->bodies[body];
    for (int i = 0; i < count; i++) {
        if (!is_solid(&shapes[i])) continue;
        collider* c = &s->colliders[s->collider_count++];
        c->body = body;
        c->is_fixed = data->node < 0;
        c->at = v3_sub(shapes[i].pose.p, data->com);
        c->turn = q_matrix(q_normalize(shapes[i].pose.q));
        c->friction = shapes[i].friction;
        c->restitution = shapes[i].restitution;
        const piece_maker make = makers[shapes[i].kind];
        const tml_status status =
            make != NULL ? make(&s->memory, shapes[i].size, c) : TML_UNSUPPORTED;
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

int tml__colliders_count(const tml_model* m)
{
    int count = count_solid(m->all.world_shapes, m->all.world_shape_count);
    for (int b = 0; b < m->all.body_count; b++) {
        count += count_solid(m->all.bodies[b].shapes, m->all.bodies[b].shape_count);
    }
    return count;
}

tml_status tml__colliders_fill(sim_contacts* s)
{
    const tml_model* m = s->model;
    tml_status status = TML_OK;
    for (int b = 0; b < m->all.body_count && status == TML_OK; b++) {
        status = add(s, b, m->all.bodies[b].shapes, m->all.bodies[b].shape_count);
    }
    if (status != TML_OK) return status;
    return add(s, tml__world(m), m->all.world_shapes, m->all.world_shape_count);
}

// A tenth of the smallest thing that moves, at most 2 cm.
double tml__colliders_margin(const sim_contacts* s)
{
    double least = 0.2;
    for (int i = 0; i < s->collider_count; i++) {
        const collider* c = &s->colliders[i];
        if (!c->is_fixed && c->radius > 0.0 && c->radius < least) least = c->radius;
    }
    return 0.1 * least;
}
