// io/generate_tree.c - random trees of links.
//
// Link 0 hangs from the world at the origin. Each further link is carried by one chosen uniformly
// among the earlier ones with fewer than three children: it starts at its parent's far end, tilted
// by 30 degrees, the three children a third of a turn apart. All joints are spherical.
#include "io/generate.h"
#include "math/quat.h"

#include <stdint.h>

enum {
    MAX_CHILDREN = 3
};

// The next of a sequence of 64-bit numbers that look random: a counter, well mixed.
static uint64_t draw(uint64_t* state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static vec3 far_end(const generator* g, const tml_pose* pose, double side)
{
    return v3_add(pose->p, q_rotate(pose->q, v3(side * 0.5 * g->link.length, 0.0, 0.0)));
}

static const tml_pose* pose_of(const reader* r, const generator* g, int k)
{
    return &r->spec->all.bodies[g->first_body + k].pose;
}

// Where the child number `child` of a link lies.
static tml_pose child_pose(const generator* g, const tml_pose* parent, int child)
{
    const quat round = q_about(0, 2.0 * TML_PI / MAX_CHILDREN * child);
    const quat tilt = q_about(1, TML_PI / 6.0);
    const quat q = q_normalize(q_mul(parent->q, q_mul(round, tilt)));
    const vec3 half = q_rotate(q, v3(0.5 * g->link.length, 0.0, 0.0));

    return (tml_pose){v3_add(far_end(g, parent, 1.0), half), q};
}

void tml__tree_bodies(reader* r, generator* g)
{
    int* parent = tml__take(r, g->links, sizeof *parent);
    int* children = tml__take(r, g->links, sizeof *children);
    int* open = tml__take(r, g->links, sizeof *open);  // links with room for a child
    if (parent == NULL || children == NULL || open == NULL) return;

    uint64_t state = (uint64_t)g->seed;
    int open_count = 0;
    for (int k = 0; k < g->links && r->status == TML_OK; k++) {
        tml_pose pose = {v3(0.0, 0.0, -0.5 * g->link.length), q_about(1, TML_PI / 2.0)};
        parent[k] = -1;
        if (k > 0) {
            const int pick = (int)(draw(&state) % (uint64_t)open_count);
            const int p = open[pick];
            parent[k] = p;
            pose = child_pose(g, pose_of(r, g, p), children[p]++);
            if (children[p] == MAX_CHILDREN) open[pick] = open[--open_count];
        }
        open[open_count++] = k;
        tml__add_link(r, g, k, g->link.mass, pose);
    }
    g->parent = parent;
}

void tml__tree_joints(reader* r, const generator* g)
{
    for (int k = 0; k < g->links && r->status == TML_OK; k++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = TML_JOINT_SPHERICAL;
        def.base = g->parent[k] < 0 ? TML_WORLD : (tml_body){g->first_body + g->parent[k]};
        def.follower = (tml_body){g->first_body + k};
        def.position = far_end(g, pose_of(r, g, k), -1.0);
        tml__add_generated_joint(r, g, k, &def);
    }
}
