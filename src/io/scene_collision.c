// io/scene_collision.c - which bodies never touch, and pairs with a friction of their own.
#include "io/scene_internal.h"

#include <stdio.h>

static void read_exclusion(const element* e, const json* item)
{
    if (!tml__is_list(e->r, item, "an entry of exclude")) return;
    if (tml__json_count(item) != 2) {
        tml__refuse(e->r, item, TML_BAD_ARGUMENT,
                    "an entry of exclude names two bodies, not %d things", tml__json_count(item));
        return;
    }
    const tml_body a = tml__body(e, item->first, "exclude");
    const tml_body b = tml__body(e, item->first->next, "exclude");
    if (e->r->status != TML_OK) return;
    tml_spec_add_exclusion(e->r->spec, a, b);
    tml__take_refusal(e->r, item);
}

static void read_pair(reader* r, const json* item, int index)
{
    static const char* const keys[] = {"a",     "b",        "shape_a",     "shape_b",
                                       "apart", "friction", "restitution", NULL};
    const element e = tml__open(r, item, "collision pair", index, keys);
    tml_pair_def pair = tml_pair_def_default();
    const json* a = tml__need(&e, "a");
    const json* b = tml__need(&e, "b");
    if (a == NULL || b == NULL) return;
    pair.a = tml__body(&e, a, "a");
    pair.b = tml__body(&e, b, "b");
    tml__read_integer(&e, "shape_a", 0, TML_MESH_MOST, &pair.shape_a);
    tml__read_integer(&e, "shape_b", 0, TML_MESH_MOST, &pair.shape_b);
    tml__read_bool(&e, "apart", &pair.is_apart);
    tml__read_number(&e, "friction", NOT_NEGATIVE, &pair.friction);
    tml__read_number(&e, "restitution", NOT_NEGATIVE, &pair.restitution);
    if (r->status != TML_OK) return;
    tml_spec_add_pair(r->spec, &pair);
    tml__take_refusal(r, item);
}

void tml__read_collision(reader* r, const json* value)
{
    static const char* const keys[] = {"exclude", "neighbours", "pairs", NULL};
    element e = tml__open(r, value, "collision", -1, NULL);
    snprintf(e.label, sizeof e.label, "collision");
    tml__check_keys(&e, keys);
    int neighbours = 1;
    tml__read_integer(&e, "neighbours", 1, 2, &neighbours);
    tml_spec_set_neighbours(r->spec, neighbours);
    const json* exclude = tml__find(&e, "exclude");
    const json* pairs = tml__find(&e, "pairs");
    if (exclude != NULL && tml__is_list(r, exclude, "exclude of collision")) {
        for (const json* item = exclude->first; item != NULL && r->status == TML_OK;
             item = item->next) {
            read_exclusion(&e, item);
        }
    }
    if (pairs == NULL || !tml__is_list(r, pairs, "pairs of collision")) return;
    int index = 0;
    for (const json* item = pairs->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_pair(r, item, index++);
    }
}
