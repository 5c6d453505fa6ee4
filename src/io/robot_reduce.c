// io/robot_reduce.c - fewer links, the same motion.
//
// Three things make links that need not be bodies of their own:
//   - a link without a movement is part of its parent (or of the world);
//   - a massless link at the end of a branch moves nothing that weighs anything: its movement has no
//     equation, so it stays where it is, and the lint says so;
//   - a massless link between two others whose movements one joint can hold together (the cross of
//     a universal joint, the two links inside a spherical wrist) disappears into that joint.
// What is massless and remains borrows mass from its neighbours (robot_lend.c).
//
// Parents stand before children here and afterwards.
#include "io/robot.h"

#include <string.h>

static bool is_massless(const robot_link* l)
{
    return !(l->mass > 0.0) && !(m3_determinant(l->inertia) > 0.0);
}

// The link that i is part of now, and its frame there.
static int resolve(const robot* r, int i, pose* offset)
{
    *offset = pose_identity();
    while (i >= 0 && r->links[i].into != i) {
        *offset = pose_mul(r->links[i].offset, *offset);
        i = r->links[i].into;
    }
    return i;
}

// Make link i part of link `parent`, where its frame is `local`.
static void weld(robot* r, int i, int parent, pose local)
{
    robot_link* l = &r->links[i];
    l->into = parent;
    l->offset = local;
    const mat3 R = q_matrix(local.q);

    for (int k = 0; k < l->shape_count; k++) {
        tml_shape_def shape = l->shapes[k];
        shape.pose = pose_mul(local, shape.pose);
        tml__robot_add_shape(r, parent, l->sources[k], &shape);
    }
    if (parent >= 0) {
        tml__robot_add_mass(r, parent, l->mass, pose_apply(local, l->com),
                            m3_mul_bt(m3_mul(R, l->inertia), R));
    }
}

// Hang every link on the part that its parent has become.
static void join_rigid(robot* r)
{
    for (int i = 0; i < r->link_count && r->status == TML_OK; i++) {
        robot_link* l = &r->links[i];
        pose offset = pose_identity();
        const int parent = resolve(r, l->parent, &offset);
        if (l->parent >= 0) {
            l->parent = parent;
            l->local = pose_mul(offset, l->local);
        }
        if (l->movement_count == 0) weld(r, i, parent, l->local);
    }
}

// Straight from every link to the part it belongs to.
static void flatten(robot* r)
{
    for (int i = 0; i < r->link_count; i++) {
        robot_link* l = &r->links[i];
        if (l->into == i || l->into < 0) continue;
        pose offset;
        const int into = resolve(r, i, &offset);
        l->into = into;
        l->offset = offset;
    }
}

// Give body i the frame and the name of link h, which is welded to it.
static void reframe(robot* r, int i, int h, pose to)
{
    robot_link* l = &r->links[i];
    const pose back = pose_inverse(to);
    const mat3 R = q_matrix(back.q);
    l->name = r->links[h].name;
    l->at = r->links[h].at;
    l->com = pose_apply(back, l->com);
    l->inertia = m3_mul_bt(m3_mul(R, l->inertia), R);
    l->local = pose_mul(l->local, to);
    for (int k = 0; k < l->shape_count; k++) {
        l->shapes[k].pose = pose_mul(back, l->shapes[k].pose);
    }
    for (int k = 0; k < l->movement_count; k++) {
        movement* m = &r->movements[l->first_movement + k];
        m->point = pose_apply(back, m->point);
        m->axis = q_rotate(back.q, m->axis);
        if (m->kind == MOVE_FREE) m->place = pose_mul(m->place, to);
        if (m->kind == MOVE_BALL) m->place.q = q_mul(q_mul(back.q, m->place.q), to.q);
    }
}

// A link that is only a place for others, without mass or shape of its own, hands name and frame over
// to the heaviest link welded to it: the body is that one to whoever wrote the file.
static void name_bodies(robot* r)
{
    int* heaviest = tml__robot_take(r, (size_t)r->link_count + 1, sizeof *heaviest);
    if (heaviest == NULL) return;
    for (int i = 0; i < r->link_count; i++) heaviest[i] = -1;
    for (int i = 0; i < r->link_count; i++) {
        const robot_link* l = &r->links[i];
        if (l->into < 0 || l->into == i || !(l->own_mass > 0.0)) continue;
        const int other = heaviest[l->into];
        if (other < 0 || l->own_mass > r->links[other].own_mass) heaviest[l->into] = i;
    }
    pose* moved = tml__robot_take(r, (size_t)r->link_count + 1, sizeof *moved);
    if (moved == NULL) return;
    for (int i = 0; i < r->link_count; i++) {
        const robot_link* l = &r->links[i];
        const bool is_place = l->into == i && !l->has_shapes && !(l->own_mass > 0.0);
        if (!is_place) heaviest[i] = -1;
        if (heaviest[i] < 0) continue;
        moved[i] = r->links[heaviest[i]].offset;
        reframe(r, i, heaviest[i], moved[i]);
    }
    // what stands in the frames that have changed
    for (int k = 0; k < r->link_count; k++) {
        robot_link* l = &r->links[k];
        const int i = l->into;
        if (i >= 0 && i != k && heaviest[i] >= 0) {
            l->offset = pose_mul(pose_inverse(moved[i]), l->offset);
        }
        if (i == k && l->parent >= 0 && heaviest[l->parent] >= 0) {
            l->local = pose_mul(pose_inverse(moved[l->parent]), l->local);
        }
    }
}

typedef struct usage {
    int* children;    // links that hang on it and are bodies
    int* only_child;  // the last of them
    bool* is_held;    // a closure or tendon acts on it
} usage;

static void mark(const robot* r, usage* u, int of)
{
    pose offset;
    const int i = resolve(r, of, &offset);
    if (i >= 0) u->is_held[i] = true;
}

static bool count_usage(robot* r, usage* u)
{
    const size_t n = (size_t)r->link_count + 1;
    u->children = tml__robot_take(r, n, sizeof(int));
    u->only_child = tml__robot_take(r, n, sizeof(int));
    u->is_held = tml__robot_take(r, n, sizeof(bool));
    if (r->status != TML_OK) return false;
    for (int i = 0; i < r->link_count; i++) {
        const robot_link* l = &r->links[i];
        if (l->into != i || l->parent < 0) continue;
        u->children[l->parent]++;
        u->only_child[l->parent] = i;
    }
    for (int i = 0; i < r->closure_count; i++) {
        mark(r, u, r->closures[i].base);
        mark(r, u, r->closures[i].follower);
    }
    for (int i = 0; i < r->strand_count; i++) {
        for (int k = 0; k < r->strands[i].point_count; k++)
            mark(r, u, r->strands[i].points[k].link);
    }
    return true;
}

// The movements of a link stop: it is part of its parent where it stands now.
static void freeze(robot* r, int i, usage* u)
{
    robot_link* l = &r->links[i];
    const pose outer = l->parent >= 0 ? r->links[l->parent].world : pose_identity();
    for (int k = 0; k < l->movement_count; k++) {
        tml__robot_lint(r, r->movements[l->first_movement + k].at, "joint that moves no mass",
                        "nothing beyond it has an inertia, so it has no equation of motion: it is "
                        "held where it stands");
    }
    l->movement_count = 0;
    if (l->parent >= 0) u->children[l->parent]--;
    weld(r, i, l->parent, pose_mul(pose_inverse(outer), l->world));
}

// Put the movements of i before those of its only child c, where one joint can hold them all.
static bool absorb(robot* r, int i, int c)
{
    robot_link* outer = &r->links[i];
    robot_link* inner = &r->links[c];
    const pose back = pose_inverse(inner->local);
    const int total = outer->movement_count + inner->movement_count;
    const int first = r->movement_count;

    for (int k = 0; k < total; k++) {
        const bool is_outer = k < outer->movement_count;
        const int from = is_outer ? outer->first_movement + k
                                  : inner->first_movement + k - outer->movement_count;
        movement* list = tml__robot_grow(r, r->movements, r->movement_count, &r->movement_capacity,
                                         sizeof *list);
        if (list == NULL) return false;
        r->movements = list;
        movement m = list[from];
        if (is_outer) {
            m.point = pose_apply(back, m.point);
            m.axis = q_rotate(back.q, m.axis);
        }
        m.link = c;
        list[r->movement_count++] = m;
    }
    if (tml__robot_run(r, first, total) != total) {
        r->movement_count = first;
        return false;
    }
    for (int k = 0; k < total; k++) {
        const int from = k < outer->movement_count
                             ? outer->first_movement + k
                             : inner->first_movement + k - outer->movement_count;
        r->movements[from].moved_to = first + k;
    }
    inner->first_movement = first;
    inner->movement_count = total;
    inner->local = pose_mul(outer->local, inner->local);
    inner->parent = outer->parent;
    outer->into = LINK_GONE;
    outer->movement_count = 0;
    return true;
}

static void drop_massless(robot* r, usage* u)
{
    for (int i = r->link_count - 1; i >= 0 && r->status == TML_OK; i--) {
        robot_link* l = &r->links[i];
        if (l->into != i || !is_massless(l) || u->is_held[i]) continue;
        const bool is_free = r->movements[l->first_movement].kind == MOVE_FREE;
        if (is_free) continue;
        if (u->children[i] == 0) {
            freeze(r, i, u);
        } else if (u->children[i] == 1 && absorb(r, i, u->only_child[i])) {
            if (l->shape_count > 0) {
                tml__robot_lint(r, l->at, "shape of a massless link",
                                "the link became part of a joint; its shapes are not drawn");
            }
            if (l->parent >= 0) u->only_child[l->parent] = u->only_child[i];
        }
    }
}

void tml__robot_reduce(robot* r)
{
    usage u;
    for (int i = 0; i < r->link_count; i++) {
        r->links[i].own_mass = r->links[i].mass;
        r->links[i].own_com = r->links[i].com;
        r->links[i].own_inertia = r->links[i].inertia;
        r->links[i].has_shapes = r->links[i].shape_count > 0;
    }
    tml__robot_place(r, NULL);
    join_rigid(r);
    flatten(r);
    if (r->status == TML_OK) name_bodies(r);
    if (r->status == TML_OK) tml__robot_place(r, NULL);
    if (r->status != TML_OK || !count_usage(r, &u)) return;
    drop_massless(r, &u);
    flatten(r);
    if (r->status == TML_OK) tml__robot_place(r, NULL);
}
