// model/collision.c - the colliders and filters of a model, handed to geom/.
#include "model/collision.h"

#include "model/catalogue.h"

#include <string.h>

collider_def* tml__model_colliders(const tml_model* m, pool* memory, int* count)
{
    *count = m->all.world_shape_count;
    for (int i = 0; i < m->all.body_count; i++) *count += m->all.bodies[i].shape_count;
    collider_def* list = tml__pool_take(memory, (size_t)*count, sizeof *list);
    if (list == NULL) return NULL;
    int k = 0;
    for (int i = 0; i < m->all.body_count; i++) {
        const tml_body_def* b = &m->all.bodies[i];
        for (int s = 0; s < b->shape_count; s++) {
            list[k++] = (collider_def){.body = i,
                                       .reference = m->bodies[i].com,
                                       .is_fixed = b->is_fixed,
                                       .shape_index = s,
                                       .body_name = b->name,
                                       .shape = &b->shapes[s]};
        }
    }
    for (int s = 0; s < m->all.world_shape_count; s++) {
        list[k++] = (collider_def){.body = tml__world(m),
                                   .is_fixed = 1,
                                   .shape_index = s,
                                   .body_name = "world",
                                   .shape = &m->all.world_shapes[s]};
    }
    return list;
}

static int index_of(const tml_model* m, tml_body body)
{
    return body.index < 0 ? tml__world(m) : body.index;
}

static bool holds_something(const joint_entry* entry)
{
    const tml_joint_def j = tml__joint_expand(entry);
    const joint_freedom freedom = tml__joint_freedom(&j);
    return strlen(freedom.slides) + strlen(freedom.turns) < TML_AXES;
}

// Does a joint keep its two bodies from touching?
static bool parts_bodies(const joint_entry* j) { return !j->collide && holds_something(j); }

// Joints of each body: `first` (one more than bodies) and the body at the other end of each.
typedef struct neighbour_list {
    int* first;
    int* body;
} neighbour_list;

// NULL in `first` without memory. The world is left out: it is no way between two bodies.
static neighbour_list list_neighbours(const tml_model* m, pool* memory)
{
    const int world = tml__world(m);
    neighbour_list list = {
        .first = tml__pool_take(memory, (size_t)world + 2, sizeof(int)),
        .body = tml__pool_take(memory, 2 * (size_t)m->all.joint_count, sizeof(int)),
    };
    if (list.first == NULL || list.body == NULL) return (neighbour_list){NULL, NULL};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->all.joint_count; i++) {
            const joint_entry* j = &m->all.joints[i];
            const int end[2] = {index_of(m, j->base), index_of(m, j->follower)};
            if (end[0] == world || end[1] == world || !holds_something(j)) continue;
            for (int k = 0; k < 2; k++) {
                if (pass == 0)
                    list.first[end[k] + 1]++;
                else
                    list.body[list.first[end[k] + 1]++] = end[1 - k];
            }
        }
        if (pass == 1) break;
        // ends become starts: the second pass counts them up again
        for (int b = 0; b < world; b++) list.first[b + 1] += list.first[b];
        for (int b = world; b > 0; b--) list.first[b] = list.first[b - 1];
    }
    return list;
}

// Pairs of bodies with a common neighbour; without a list they are only counted.
static size_t second_neighbours(const tml_model* m, const neighbour_list* from, int* list)
{
    size_t count = 0;
    for (int b = 0; b < m->all.body_count; b++) {
        for (int i = from->first[b]; i < from->first[b + 1]; i++) {
            for (int k = i + 1; k < from->first[b + 1]; k++) {
                if (list != NULL) {
                    list[2 * count] = from->body[i];
                    list[2 * count + 1] = from->body[k];
                }
                count++;
            }
        }
    }
    return count;
}

static int* list_exclusions(const tml_model* m, pool* memory, int* count)
{
    const bool is_wide = m->all.neighbours > 1;
    const neighbour_list near = is_wide ? list_neighbours(m, memory) : (neighbour_list){NULL, NULL};
    *count = 0;
    if (is_wide && near.first == NULL) return NULL;
    const size_t second = is_wide ? second_neighbours(m, &near, NULL) : 0;
    const size_t room = (size_t)m->all.exclude_count + (size_t)m->all.joint_count + second;
    int* list = tml__pool_take(memory, 2 * room, sizeof *list);
    if (list == NULL) return NULL;
    for (int i = 0; i < m->all.exclude_count; i++) {
        list[2 * *count] = index_of(m, m->all.excludes[i].a);
        list[2 * (*count)++ + 1] = index_of(m, m->all.excludes[i].b);
    }
    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_entry* j = &m->all.joints[i];
        if (!parts_bodies(j)) continue;
        list[2 * *count] = index_of(m, j->base);
        list[2 * (*count)++ + 1] = index_of(m, j->follower);
    }
    if (is_wide) *count += (int)second_neighbours(m, &near, list + 2 * *count);
    return list;
}

static collision_pair* list_pairs(const tml_model* m, pool* memory)
{
    collision_pair* list = tml__pool_take(memory, (size_t)m->all.pair_count, sizeof *list);
    for (int i = 0; i < m->all.pair_count && list != NULL; i++) {
        const tml_pair_def* p = &m->all.pairs[i];
        list[i] = (collision_pair){index_of(m, p->a), index_of(m, p->b), p->shape_a,    p->shape_b,
                                   p->is_apart,       p->friction,       p->restitution};
    }
    return list;
}

tml_status tml__model_collision(const tml_model* model, const tml_allocator* allocator,
                                message* why, collision** out)
{
    pool scratch = {.allocator = allocator};
    collision_def def = {.pair_count = model->all.pair_count,
                         .takes_larger_friction = model->all.takes_larger_friction};
    *out = NULL;
    def.colliders = tml__model_colliders(model, &scratch, &def.collider_count);
    def.exclude = list_exclusions(model, &scratch, &def.exclude_count);
    def.pairs = list_pairs(model, &scratch);
    tml_status status = TML_OK;
    if (def.colliders == NULL || def.exclude == NULL || def.pairs == NULL) {
        status = tml__fail(why, TML_NO_MEMORY, "out of memory");
    } else {
        status = tml__collision_create(&def, allocator, why, out);
    }
    tml__pool_destroy(&scratch);
    return status;
}

// ---- points of deformables

enum {
    SIDE_BODIES = 1,
    SIDE_POINTS = 2
};

static collider_def* list_sides(const tml_model* m, const collision_points* points, pool* memory,
                                int* count)
{
    const collider_def* bodies = tml__model_colliders(m, memory, count);
    const size_t all = (size_t)*count + (size_t)points->count;
    collider_def* list = bodies != NULL ? tml__pool_take(memory, all, sizeof *list) : NULL;
    if (list == NULL) return NULL;
    for (int i = 0; i < *count; i++) {
        list[i] = bodies[i];
        list[i].side = SIDE_BODIES;
    }
    for (int k = 0; k < points->count; k++) {
        const int i = points->deformable[k];
        list[(*count)++] = (collider_def){.body = tml__world(m) + 1 + k,
                                          .side = SIDE_POINTS,
                                          .body_name = m->all.deformables[i].name,
                                          .shape = &points->shapes[i]};
    }
    return list;
}

// Is an attachment the first of its deformable to its body?
static bool is_first(const tml_deformable_def* def, int attachment)
{
    for (int k = 0; k < attachment; k++) {
        if (def->attachments[k].body.index == def->attachments[attachment].body.index) return false;
    }
    return true;
}

static int* list_carriers(const tml_model* m, const collision_points* points, pool* memory,
                          int* count)
{
    int* list = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) list = tml__pool_take(memory, 2 * (size_t)*count, sizeof *list);
        if (pass == 1 && list == NULL) return NULL;
        *count = 0;
        for (int k = 0; k < points->count; k++) {
            const tml_deformable_def* def = &m->all.deformables[points->deformable[k]];
            for (int a = 0; a < def->attachment_count; a++) {
                if (def->attachments[a].body.index < 0 || !is_first(def, a)) continue;
                if (pass == 1) {
                    list[2 * (size_t)*count] = def->attachments[a].body.index;
                    list[2 * (size_t)*count + 1] = tml__world(m) + 1 + k;
                }
                ++*count;
            }
        }
    }
    return list;
}

tml_status tml__soft_collision(const tml_model* model, const collision_points* points,
                               const tml_allocator* allocator, message* why, collision** out)
{
    pool scratch = {.allocator = allocator};
    collision_def def = {0};
    *out = NULL;
    def.colliders = list_sides(model, points, &scratch, &def.collider_count);
    def.exclude = list_carriers(model, points, &scratch, &def.exclude_count);
    const tml_status status = def.colliders != NULL && def.exclude != NULL
                                  ? tml__collision_create(&def, allocator, why, out)
                                  : tml__fail(why, TML_NO_MEMORY, "out of memory");
    tml__pool_destroy(&scratch);
    return status;
}
