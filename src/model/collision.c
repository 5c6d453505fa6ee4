// model/collision.c - the colliders and filters of a model, handed to geom/.
#include "model/collision.h"

#include "base/pool.h"
#include "model/catalogue.h"

#include <string.h>

// The list of colliders; NULL without memory.
static collider_def* list_colliders(const tml_model* m, pool* memory, int* count)
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
                                       .reference = b->com,
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

static int* list_exclusions(const tml_model* m, pool* memory, int* count)
{
    const size_t room = (size_t)m->all.exclude_count + (size_t)m->all.joint_count;
    int* list = tml__pool_take(memory, 2 * room, sizeof *list);
    *count = 0;
    if (list == NULL) return NULL;
    for (int i = 0; i < m->all.exclude_count; i++) {
        list[2 * *count] = index_of(m, m->all.excludes[i].a);
        list[2 * (*count)++ + 1] = index_of(m, m->all.excludes[i].b);
    }
    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_entry* j = &m->all.joints[i];
        if (j->collide || !holds_something(j)) continue;
        list[2 * *count] = index_of(m, j->base);
        list[2 * (*count)++ + 1] = index_of(m, j->follower);
    }
    return list;
}

static collision_pair* list_pairs(const tml_model* m, pool* memory)
{
    collision_pair* list = tml__pool_take(memory, (size_t)m->all.pair_count, sizeof *list);
    for (int i = 0; i < m->all.pair_count && list != NULL; i++) {
        const tml_pair_def* p = &m->all.pairs[i];
        list[i] =
            (collision_pair){index_of(m, p->a), index_of(m, p->b), p->friction, p->restitution};
    }
    return list;
}

tml_status tml__model_collision(const tml_model* model, const tml_allocator* allocator,
                                message* why, collision** out)
{
    pool scratch = {.allocator = allocator};
    collision_def def = {.pair_count = model->all.pair_count};
    *out = NULL;
    def.colliders = list_colliders(model, &scratch, &def.collider_count);
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
