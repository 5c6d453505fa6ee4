// io/robot_lower.c - a robot as bodies, joints, couplings and forces of a spec.
//
// Each link that is left after the reduction is a body. Its movements are one joint where one can
// hold them, else several, with a small body between two of them that stands where the link's frame
// stands before the next movement acts.
#include "base/memory.h"
#include "io/robot.h"
#include "io/scene_internal.h"

#include <stdio.h>
#include <string.h>

typedef struct lowering {
    robot* r;
    reader* into;
    int part_count;
    part* parts;
    int joint_count;
    part_joint* joints;
    int* part_of;  // per link: its part, -1 the world
    pose* before;  // per movement
} lowering;

// ---- parts and the joints between them

// The names of a run, joined by '+'; NULL when none has one.
static const char* run_name(robot* r, int first, int count)
{
    size_t length = 0;
    int named = 0;
    for (int i = 0; i < count; i++) {
        const char* its = r->movements[first + i].name;
        if (its != NULL) named++;
        length += its != NULL ? strlen(its) + 1 : 0;
    }
    if (named == 0) return NULL;
    char* name = tml__robot_take(r, length + 1, 1);
    if (name == NULL) return NULL;
    for (int i = 0; i < count; i++) {
        const char* its = r->movements[first + i].name;
        if (its == NULL) continue;
        if (name[0] != '\0') strcat(name, "+");
        strcat(name, its);
    }
    return name;
}

static const char* step_name(robot* r, const robot_link* l, int index)
{
    char name[200];
    snprintf(name, sizeof name, "%.160s.step%d", l->name != NULL ? l->name : "link", index);
    char* kept = tml__robot_take(r, strlen(name) + 1, 1);
    if (kept != NULL) memcpy(kept, name, strlen(name) + 1);
    return kept;
}

static int add_part(lowering* w, const char* name, const robot_link* l, pose world, int of)
{
    part* p = &w->parts[w->part_count];
    *p = (part){.name = name, .at = l->at, .world = world, .motion = l->motion, .link = of};
    p->own.inertia = m3_zero();
    if (of >= 0) p->own = (solid){l->mass, l->com, l->inertia};
    return w->part_count++;
}

static void add_joint(lowering* w, int first, int count, pose after, int base, int follower)
{
    part_joint* j = &w->joints[w->joint_count];
    tml__robot_joint(w->r, first, count, w->before[first], after, &j->def);
    j->def.name = run_name(w->r, first, count);
    j->def.collide =
        w->r->joined == JOINED_TOUCH || (w->r->joined == JOINED_TOUCH_WORLD && base < 0);
    j->at = w->r->movements[first].at;
    j->base = base;
    j->follower = follower;
    for (int i = 0; i < count; i++) w->r->movements[first + i].joint.index = w->joint_count;
    w->joint_count++;
}

static void lower_link(lowering* w, int index)
{
    robot* r = w->r;
    const robot_link* l = &r->links[index];
    const int end = l->first_movement + l->movement_count;
    int base = l->parent >= 0 ? w->part_of[l->parent] : -1;

    if (r->movements[l->first_movement].kind == MOVE_FREE) {
        w->part_of[index] = add_part(w, l->name, l, l->world, index);
        return;
    }
    int steps = 0;
    for (int m = l->first_movement; m < end && r->status == TML_OK;) {
        const int count = tml__robot_run(r, m, end - m);
        const bool is_last = m + count == end;
        const pose after = is_last ? l->world : w->before[m + count];
        if (!is_last) steps++;
        const int follower = is_last ? add_part(w, l->name, l, l->world, index)
                                     : add_part(w, step_name(r, l, steps), l, after, -1);
        if (!is_last) w->parts[follower].motion = r->movements[m + count - 1].after;
        add_joint(w, m, count, after, base, follower);
        base = follower;
        m += count;
    }
    // a body between two movements keeps the joint from parting what it joins
    const bool is_apart =
        r->joined == JOINED_APART || (r->joined == JOINED_TOUCH_WORLD && l->parent >= 0);
    if (steps > 0 && is_apart) {
        tml__robot_add_exclusion(r, &(exclusion){.a = l->parent, .b = index, .at = l->at});
    }
    if (steps > 0) {
        tml__robot_lint(r, l->at, "several joints whose axes do not meet at right angles",
                        "a body '.step1', ... stands between them; it takes its mass from the "
                        "neighbours, which changes no motion");
    }
    w->part_of[index] = base;
}

// Where a link's frame stands in the part that carries it; the part, -1 for the world.
static int carrier(const lowering* w, int of, pose* world)
{
    const robot* r = w->r;
    if (of < 0) {
        *world = pose_identity();
        return -1;
    }
    const robot_link* l = &r->links[of];
    if (l->into < 0) {
        *world = l->offset;
        return -1;
    }
    *world = pose_mul(r->links[l->into].world, l->offset);
    return w->part_of[l->into];
}

// Digits of a file open a loop by a rounding, which no motion may be able to close: the links of a planar loop
// cannot move along its axes. The frames meet where the model starts, then.
static void absorb(robot* r, const closure* c, pose base, pose* follower)
{
    static const double rounding = 1e-6;  // m, rad
    static const double closed = 1e-10;
    const double gap = v3_norm(v3_sub(base.p, follower->p));
    const vec3 x = q_column(base.q, 0);
    const vec3 tilt = v3_cross(q_column(follower->q, 0), x);
    const vec3 turn = v3_scale(2.0, q_vec(q_mul(q_conj(follower->q), base.q)));
    const double angle = c->kind == TML_JOINT_FIXED      ? v3_norm(turn)
                         : c->kind == TML_JOINT_REVOLUTE ? v3_norm(tilt)
                                                         : 0.0;
    const bool is_known = c->kind == TML_JOINT_FIXED || c->kind == TML_JOINT_REVOLUTE ||
                          c->kind == TML_JOINT_SPHERICAL;
    if (!is_known || gap > rounding || angle > rounding) return;
    if (gap <= closed && angle <= closed) return;
    follower->p = base.p;
    if (c->kind == TML_JOINT_REVOLUTE) follower->q = q_mul(q_exp(tilt), follower->q);
    if (c->kind == TML_JOINT_FIXED) follower->q = base.q;
    tml__robot_lint(r, c->at, "loop that a rounding has opened",
                    "absorbed: its frames meet where the model starts");
}

static void lower_closure(lowering* w, const closure* c)
{
    part_joint* j = &w->joints[w->joint_count];
    pose base;
    pose follower;
    j->def = tml_joint_def_default();
    j->def.kind = c->kind;
    j->def.name = c->name;
    if (c->kind == TML_JOINT_REVOLUTE) j->def.axis_of[TML_AXIS_RX] = c->turn;
    j->def.collide = w->r->joined != JOINED_APART;
    j->at = c->at;
    j->base = carrier(w, c->base, &base);
    j->follower = carrier(w, c->follower, &follower);
    base = pose_mul(base, c->frame_base);
    follower = pose_mul(follower, c->frame_follower);
    if (!w->r->is_as_written) absorb(w->r, c, base, &follower);
    const mat3 B = q_matrix(base.q);
    const mat3 F = q_matrix(follower.q);
    j->def.position = base.p;
    j->def.has_axes = j->def.has_follower_frame = j->def.has_follower_axes = 1;
    j->def.follower_position = follower.p;
    for (int k = 0; k < 3; k++) {
        j->def.axes[k] = m3_column(B, k);
        j->def.follower_axes[k] = m3_column(F, k);
    }
    if (j->base == j->follower) {
        tml__robot_lint(w->r, c->at, "loop between rigidly connected links",
                        "nothing can move there: the loop is left out");
        return;
    }
    w->joint_count++;
}

// ---- into the spec

// A place for messages. Lines of included files are not lines of the file that the scene names.
static json place_of(const robot* r, const xml* at)
{
    const bool is_here = at != NULL && strcmp(at->file, r->file) == 0;
    return (json){.line = is_here ? at->line : 0};
}

static void emit_body(lowering* w, int index)
{
    const part* p = &w->parts[index];
    const mat3* J = &p->own.inertia;
    const json place = place_of(w->r, p->at);
    tml_body_def def = tml_body_def_default();
    def.name = p->name;
    def.mass = p->own.mass;
    def.com = p->own.com;
    def.pose = p->world;
    if (w->r->has_rates) {
        def.velocity.linear = v3_add(p->motion.v, v3_cross(p->motion.omega, p->world.p));
        def.velocity.angular = p->motion.omega;
    }
    const double inertia[6] = {J->m[0][0], J->m[1][1], J->m[2][2],
                               J->m[0][1], J->m[0][2], J->m[1][2]};
    memcpy(def.inertia, inertia, sizeof inertia);
    if (p->link >= 0) {
        def.shape_count = w->r->links[p->link].shape_count;
        def.shapes = w->r->links[p->link].shapes;
    }
    tml__add_body(w->into, &place, &def);
}

static void emit_joint(lowering* w, int index)
{
    part_joint* j = &w->joints[index];
    const json place = place_of(w->r, j->at);
    j->def.base.index = j->base;
    j->def.follower.index = j->follower;
    tml__add_joint(w->into, &place, &j->def);
}

static int final_movement(const robot* r, int m)
{
    while (r->movements[m].moved_to >= 0) m = r->movements[m].moved_to;
    return m;
}

// c1 q + c2 q^2 + ...
static double polynomial(const tie_term* t, double q)
{
    double sum = 0.0;
    for (int k = t->degree - 1; k >= 0; k--) sum = (sum + t->coefficient[k]) * q;
    return sum;
}

static void emit_tie(lowering* w, const tie* t)
{
    tml_coupling_def def = tml_coupling_def_default();
    tml_coupling_term* terms = tml__take(w->into, t->term_count, sizeof *terms);
    if (terms == NULL) return;

    // a name of its own, which no file that was written from this one can take twice
    char name[32];
    snprintf(name, sizeof name, "tie%d", (int)(t - w->r->ties));
    def.name = t->name != NULL ? t->name : name;
    def.offset = t->offset;
    def.compliance = t->compliance;
    def.terms = terms;
    for (int i = 0; i < t->term_count; i++) {
        const tie_term* from = &t->terms[i];
        const movement* m = &w->r->movements[final_movement(w->r, from->movement)];
        if (m->joint.index < 0) {
            def.offset += polynomial(from, m->value);  // it does not move any more
            continue;
        }
        tml_coupling_term* to = &terms[def.term_count++];
        to->joint = m->joint;
        to->axis = m->letter;
        to->degree = from->degree;
        memcpy(to->coefficient, from->coefficient, sizeof to->coefficient);
    }
    if (def.term_count == 0) {
        tml__robot_lint(w->r, t->at, "coupling between joints that do not move", "left out");
        return;
    }
    const json place = place_of(w->r, t->at);
    tml_spec_add_coupling(w->into->spec, &def);
    tml__take_refusal(w->into, &place);
}

static void emit_strand(lowering* w, const strand* p)
{
    tml_spring_def def = tml_spring_def_default();
    tml_point* points = tml__take(w->into, p->point_count, sizeof *points);
    if (points == NULL) return;

    for (int i = 0; i < p->point_count; i++) {
        pose world;
        const int on = carrier(w, p->points[i].link, &world);
        const pose body = on >= 0 ? w->parts[on].world : pose_identity();
        points[i].body.index = on;
        points[i].position =
            pose_apply(pose_inverse(body), pose_apply(world, p->points[i].position));
    }
    def.name = p->name;
    def.point_count = p->point_count;
    def.points = points;
    def.stiffness = p->stiffness;
    def.damping = p->damping;
    def.rest_length = p->rest_length;
    if (p->tension != 0.0) def.force = tml_control_constant(p->tension);
    if (p->muscle.force > 0.0) def.muscle = p->muscle;
    const json place = place_of(w->r, p->at);
    tml_spec_add_spring(w->into->spec, &def);
    tml__take_refusal(w->into, &place);
}

// Part of a link's own weight, taken off at its own centre of mass.
static void emit_compensation(lowering* w, const robot_link* l)
{
    pose world;
    const int on = carrier(w, (int)(l - w->r->links), &world);
    if (on < 0 || !(l->own_mass > 0.0)) return;
    const vec3 lift = v3_scale(-l->gravity_compensation * l->own_mass, w->r->gravity);
    tml_wrench_def def = tml_wrench_def_default();
    def.body.index = on;
    def.point = pose_apply(pose_inverse(w->parts[on].world), pose_apply(world, l->own_com));
    for (int k = 0; k < 3; k++) def.force[k] = tml_control_constant(v3_at(lift, k));
    const json place = place_of(w->r, l->at);
    tml_spec_add_wrench(w->into->spec, &def);
    tml__take_refusal(w->into, &place);
}

// A frame of a link in the body that carries it.
static tml_pose frame_in_body(const lowering* w, int link, pose local, tml_body* body)
{
    pose world;
    body->index = carrier(w, link, &world);
    const pose of = body->index >= 0 ? w->parts[body->index].world : pose_identity();
    const pose in = pose_mul(pose_inverse(of), pose_mul(world, local));
    return (tml_pose){.p = in.p, .q = q_normalize(in.q)};
}

// What says nothing about a link that has become part of another.
static bool is_of_link(const lowering* w, const robot_sensor* s)
{
    const bool is_load = s->def.kind == TML_SENSOR_FORCE || s->def.kind == TML_SENSOR_TORQUE;
    const bool is_subtree =
        s->def.kind >= TML_SENSOR_SUBTREE_COM && s->def.kind <= TML_SENSOR_SUBTREE_ANGULAR_MOMENTUM;
    if (!is_load && !is_subtree) return true;
    if (s->link < 0 || w->r->links[s->link].into != s->link) return false;
    return is_subtree || w->r->movements[w->r->links[s->link].first_movement].kind != MOVE_FREE;
}

static void emit_sensor(lowering* w, const robot_sensor* s)
{
    tml_sensor_def def = s->def;
    const json place = place_of(w->r, s->at);
    if (!is_of_link(w, s)) {
        tml__robot_lint(w->r, s->at, "sensor of a link that no joint carries", "left out");
        return;
    }
    const bool is_load = def.kind == TML_SENSOR_FORCE || def.kind == TML_SENSOR_TORQUE;
    def.pose = frame_in_body(w, s->link, s->local, &def.body);
    if (is_load && def.body.index > 0 && w->parts[def.body.index - 1].link < 0) {
        tml__robot_lint(w->r, s->at, "force on a link with several joints",
                        "without that on mass which its body '.step' has taken");
    }
    if (def.has_reference) {
        def.reference_pose = frame_in_body(w, s->reference, s->reference_local, &def.reference);
    }
    if (s->movement >= 0) {
        const movement* m = &w->r->movements[final_movement(w->r, s->movement)];
        if (m->joint.index < 0) {
            tml__robot_lint(w->r, s->at, "sensor of a joint that does not move", "left out");
            return;
        }
        def.joint = m->joint;
        def.axis = m->letter;
    }
    def.spring = s->strand;
    tml_spec_add_sensor(w->into->spec, &def);
    tml__take_refusal(w->into, &place);
}

// The shape of that name on a part, -1 the world; -1: none.
static int shape_of(const lowering* w, int on, const char* name)
{
    const robot* r = w->r;
    const int link = on < 0 ? -1 : w->parts[on].link;
    const int count = link < 0 ? r->world_shape_count : r->links[link].shape_count;
    const tml_shape_def* list = link < 0 ? r->world_shapes : r->links[link].shapes;
    for (int i = 0; i < count && name != NULL; i++) {
        if (list[i].name != NULL && strcmp(list[i].name, name) == 0) return i;
    }
    return -1;
}

// Shapes of one part that came from a link; their number, and whether there are others.
typedef struct shape_set {
    tml_body body;
    int link;           // of the file
    int count;          // of the part
    const int* source;  // of each
    bool is_whole;
} shape_set;

static shape_set shapes_from(const lowering* w, int link)
{
    pose world;
    const robot* r = w->r;
    const int on = carrier(w, link, &world);
    const robot_link* l = on >= 0 ? &r->links[w->parts[on].link] : NULL;
    shape_set set = {.body = {on}, .link = link, .is_whole = true};
    set.count = l != NULL ? l->shape_count : r->world_shape_count;
    set.source = l != NULL ? l->sources : r->world_sources;
    for (int i = 0; i < set.count; i++) set.is_whole = set.is_whole && set.source[i] == link;
    return set;
}

// Two links of the file do not touch, but what else has become part of their bodies may.
static void part_links(lowering* w, const exclusion* x)
{
    const shape_set a = shapes_from(w, x->a);
    const shape_set b = shapes_from(w, x->b);
    if (a.is_whole && b.is_whole) {
        tml_spec_add_exclusion(w->into->spec, a.body, b.body);
        return;
    }
    tml_pair_def pair = tml_pair_def_default();
    pair.a = a.body;
    pair.b = b.body;
    pair.is_apart = true;
    for (int i = 0; i < a.count; i++) {
        for (int k = 0; k < b.count; k++) {
            if (a.source[i] != a.link || b.source[k] != b.link) continue;
            pair.shape_a = i;
            pair.shape_b = k;
            tml_spec_add_pair(w->into->spec, &pair);
        }
    }
}

// Links that have become one body do not touch anyway.
static void emit_exclusion(lowering* w, const exclusion* x)
{
    pose world;
    const tml_body a = {carrier(w, x->a, &world)};
    const tml_body b = {carrier(w, x->b, &world)};
    if (a.index == b.index) return;
    const json place = place_of(w->r, x->at);
    if (x->touches) {
        tml_pair_def pair = tml_pair_def_default();
        pair.a = a;
        pair.b = b;
        pair.friction = x->friction;
        pair.shape_a = shape_of(w, a.index, x->shape_a);
        pair.shape_b = shape_of(w, b.index, x->shape_b);
        tml_spec_add_pair(w->into->spec, &pair);
    } else {
        part_links(w, x);
    }
    tml__take_refusal(w->into, &place);
}

// Whether some shape of a part may touch one of another part or of the world: contact is on then.
static bool has_contact(const lowering* w)
{
    const robot* r = w->r;
    unsigned masks = 0;
    unsigned groups = 0;
    bool is_found = false;
    if (r->is_without_contact) return false;
    for (int i = 0; i < r->exclusion_count; i++) is_found = is_found || r->exclusions[i].touches;
    for (int k = 0; k < r->world_shape_count; k++) {
        if (!r->world_shapes[k].collide) continue;
        masks |= r->world_shapes[k].mask;
        groups |= r->world_shapes[k].groups;
    }
    for (int i = 0; i < w->part_count; i++) {
        const robot_link* l = w->parts[i].link >= 0 ? &r->links[w->parts[i].link] : NULL;
        unsigned own_masks = 0;
        unsigned own_groups = 0;
        for (int k = 0; l != NULL && k < l->shape_count; k++) {
            if (!l->shapes[k].collide) continue;
            own_masks |= l->shapes[k].mask;
            own_groups |= l->shapes[k].groups;
        }
        is_found = is_found || (own_masks & groups) != 0 || (own_groups & masks) != 0;
        masks |= own_masks;
        groups |= own_groups;
    }
    return is_found;
}

static void emit(lowering* w)
{
    const robot* r = w->r;
    tml_spec* spec = w->into->spec;
    if (r->name != NULL) tml_spec_set_name(spec, r->name);
    tml_spec_set_gravity(spec, r->gravity);
    if (r->step > 0.0) w->into->settings.sim.step = r->step;
    if (r->takes_larger_friction) tml_spec_set_friction_rule(spec, TML_FRICTION_LARGER);
    w->into->settings.sim.contact.is_on = has_contact(w);
    w->into->settings.sim.formulation = TML_FORM_GENERALIZED;
    w->into->settings.sim.integrator = tml_formulation_default_integrator(TML_FORM_GENERALIZED);

    for (int i = 0; i < w->part_count; i++) emit_body(w, i);
    for (int i = 0; i < r->world_shape_count && w->into->status == TML_OK; i++) {
        tml_spec_add_world_shape(spec, &r->world_shapes[i]);
    }
    for (int i = 0; i < w->joint_count; i++) emit_joint(w, i);
    for (int i = 0; i < r->tie_count; i++) emit_tie(w, &r->ties[i]);
    // pairs first: they overrule exclusions
    for (int i = 0; i < r->exclusion_count; i++) {
        if (r->exclusions[i].touches) emit_exclusion(w, &r->exclusions[i]);
    }
    for (int i = 0; i < r->exclusion_count; i++) {
        if (!r->exclusions[i].touches) emit_exclusion(w, &r->exclusions[i]);
    }
    for (int i = 0; i < r->strand_count; i++) emit_strand(w, &r->strands[i]);
    for (int i = 0; i < r->sensor_count; i++) emit_sensor(w, &r->sensors[i]);
    for (int i = 0; i < r->link_count; i++) {
        const robot_link* l = &r->links[i];
        if (l->gravity_compensation != 0.0) emit_compensation(w, l);
    }
    for (int i = 0; i < r->link_count; i++) {
        robot_link* l = &w->r->links[i];
        l->body.index = l->into >= 0 ? w->part_of[l->into] : -1;
    }
}

static void need_mass(lowering* w)
{
    const int poor = tml__parts_lend(w->parts, w->part_count, w->joints, w->joint_count);
    if (poor < 0) return;
    const part* p = &w->parts[poor];
    if (p->own.mass > 0.0 && m3_determinant(p->own.inertia) > 0.0) return;  // the spec judges it
    tml__robot_refuse(w->r, p->at, TML_BAD_ARGUMENT,
                      "link '%.120s' moves but has no usable mass and inertia (%g kg), and its "
                      "neighbours cannot lend it any through its joints: give it an inertial",
                      p->name != NULL ? p->name : "without a name", p->own.mass);
}

// A link that has nothing else to show shows what it touches with.
static void show_something(robot* r)
{
    for (int i = 0; i < r->link_count; i++) {
        const robot_link* l = &r->links[i];
        bool is_seen = false;
        for (int k = 0; k < l->shape_count; k++) is_seen = is_seen || !l->shapes[k].hidden;
        for (int k = 0; k < l->shape_count && !is_seen; k++) l->shapes[k].hidden = 0;
    }
}

// A coordinate outside its limits has no equation of motion of its own: it starts at the limit.
static void push_back(robot* r)
{
    for (int i = 0; i < r->movement_count; i++) {
        movement* m = &r->movements[i];
        const tml_joint_axis* d = &m->drive;
        if (m->kind > MOVE_SLIDE || !d->has_limits) continue;
        const double value = fmin(fmax(m->value, d->lower), d->upper);
        if (fabs(value - m->value) > 0.0) {
            tml__robot_lint(r, m->at, "joint that starts outside its limits",
                            "it starts at its limit");
        }
        m->value = value;
    }
}

void tml__robot_lower(robot* r, reader* into)
{
    if (!r->is_as_written) push_back(r);
    show_something(r);
    if (r->has_rates) tml__robot_set_off(r);
    tml__robot_reduce(r);
    lowering w = {.r = r, .into = into};
    const size_t movements = (size_t)r->movement_count;
    const size_t links = (size_t)r->link_count;
    w.before = tml__robot_take(r, movements + 1, sizeof *w.before);
    w.part_of = tml__robot_take(r, links + 1, sizeof *w.part_of);
    w.parts = tml__robot_take(r, links + movements + 1, sizeof *w.parts);
    w.joints = tml__robot_take(r, movements + (size_t)r->closure_count + 1, sizeof *w.joints);
    if (r->status != TML_OK) return;

    tml__robot_place(r, w.before);
    for (int i = 0; i < r->link_count; i++) {
        if (r->links[i].into == i) lower_link(&w, i);
    }
    for (int i = 0; i < r->closure_count; i++) lower_closure(&w, &r->closures[i]);
    for (int i = 0; i < r->link_count; i++) into->mass_all += r->links[i].own_mass;
    for (int i = 0; i < w.part_count; i++) into->mass_moving += w.parts[i].own.mass;
    if (r->status == TML_OK) need_mass(&w);
    if (r->status == TML_OK && w.part_count == 0 && r->world_shape_count == 0) {
        tml__robot_refuse(r, NULL, TML_BAD_ARGUMENT, "the model has nothing that can move");
    }
    if (r->status == TML_OK) emit(&w);
}
