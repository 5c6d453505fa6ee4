// io/mjcf_equality.c - equalities of MJCF as exact joints and couplings.
//
// MuJoCo holds them by soft constraints whose stiffness `solref` and `solimp` give; here a connect is
// a spherical joint, a weld a fixed one, and a relation of joints or tendons a coupling.
#include "io/mjcf.h"

#include <string.h>

static int named_body(mjcf* m, const xml* e, const char* key)
{
    const char* name = tml__xml_attribute(e, key);
    const int of = name != NULL ? tml__robot_find_link(m->r, name) : -1;
    if (of == -2) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': there is no body '%.120s'", e->name,
                          name);
    }
    return of == -2 ? -1 : of;
}

static bool named_site(mjcf* m, const xml* e, const char* key, int* of, pose* local)
{
    const char* name = tml__xml_attribute(e, key);
    const int site = name != NULL ? tml__mjcf_find_site(m, name) : -1;
    if (name == NULL) return false;
    if (site < 0) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': there is no site '%.120s'", e->name,
                          name);
        return false;
    }
    *of = m->sites[site].link;
    *local = m->sites[site].local;
    return true;
}

// The links stand in the reference pose while equalities are read.
static pose world_of(const mjcf* m, int of)
{
    return of >= 0 ? m->r->links[of].world : pose_identity();
}

static closure* add(mjcf* m, const xml* e, tml_joint_kind kind)
{
    closure* c = tml__robot_add_closure(m->r, e, tml__xml_attribute(e, "name"));
    if (c != NULL) c->kind = kind;
    return c;
}

static void read_connect(mjcf* m, const xml* e)
{
    int a = -1;
    int b = -1;
    pose at_a = pose_identity();
    pose at_b = pose_identity();
    if (named_site(m, e, "site1", &a, &at_a)) {
        named_site(m, e, "site2", &b, &at_b);
    } else {
        vec3 anchor = v3_zero();
        tml__attribute_need(m->r, e, "body1");
        a = named_body(m, e, "body1");
        b = named_body(m, e, "body2");
        tml__attribute_vector(m->r, e, "anchor", &anchor);
        at_a.p = anchor;
        at_b.p = pose_apply(pose_inverse(world_of(m, b)), pose_apply(world_of(m, a), anchor));
    }
    closure* c = add(m, e, TML_JOINT_SPHERICAL);
    if (c == NULL) return;
    c->base = a;
    c->follower = b;
    c->frame_base.p = at_a.p;
    c->frame_follower.p = at_b.p;
}

// Body 2's anchor meets the position of `relpose` in body 1, and their axes agree up to its turn; without
// a relpose, both are what the model has.
static void read_weld(mjcf* m, const xml* e)
{
    int a = -1;
    int b = -1;
    pose at_a = pose_identity();
    pose at_b = pose_identity();
    if (named_site(m, e, "site1", &a, &at_a)) {
        named_site(m, e, "site2", &b, &at_b);
    } else {
        double x[7] = {0.0};
        tml__attribute_need(m->r, e, "body1");
        a = named_body(m, e, "body1");
        b = named_body(m, e, "body2");
        // a quaternion of zeros stands for the pose that the model has
        const bool is_given = tml__attribute_numbers(m->r, e, "relpose", 7, x) &&
                              (x[3] != 0.0 || x[4] != 0.0 || x[5] != 0.0 || x[6] != 0.0);
        tml__attribute_vector(m->r, e, "anchor", &at_b.p);
        at_a = is_given ? (pose){v3_load(x), q_normalize((quat){x[3], x[4], x[5], x[6]})}
                        : pose_mul(pose_inverse(world_of(m, a)), pose_mul(world_of(m, b), at_b));
    }
    closure* c = add(m, e, TML_JOINT_FIXED);
    if (c == NULL) return;
    c->base = a;
    c->follower = b;
    c->frame_base = at_a;
    c->frame_follower = at_b;
}

// c0 + c1 (q - r) + ... + c4 (q - r)^4 as a polynomial of q without its constant, which is returned.
static double shifted(const double c[5], double r, double out[TML_COUPLING_DEGREE])
{
    double p[5] = {c[4], 0.0, 0.0, 0.0, 0.0};
    for (int k = 3; k >= 0; k--) {
        for (int i = 4; i > 0; i--) p[i] = p[i - 1] - r * p[i];  // times (q - r)
        p[0] = -r * p[0] + c[k];
    }
    for (int i = 0; i < 4; i++) out[i] = p[i + 1];
    return p[0];
}

static int named_joint(mjcf* m, const xml* e, const char* key)
{
    const char* name = tml__xml_attribute(e, key);
    const int at = name != NULL ? tml__robot_find_movement(m->r, name) : -1;
    if (name == NULL) return -1;
    if (at < 0 || m->r->movements[at].kind > MOVE_SLIDE) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "'%s': '%.120s' is no hinge or slide", e->name,
                          name);
        return -1;
    }
    return at;
}

//   q1 - r1 = a0 + a1 (q2 - r2) + ... + a4 (q2 - r2)^4
static void read_joint(mjcf* m, const xml* e)
{
    double a[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    tml__attribute_need(m->r, e, "joint1");
    const int one = named_joint(m, e, "joint1");
    const int two = named_joint(m, e, "joint2");
    const mjcf_element view = tml__mjcf_open(m, e, NULL, NULL);
    tml__mjcf_list(&view, "polycoef", 0, 5, a);
    if (m->r->status != TML_OK || one < 0) return;
    if (one == two) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "a joint cannot be tied to itself");
        return;
    }
    tie* t = tml__robot_add_tie(m->r, e, tml__xml_attribute(e, "name"), two >= 0 ? 2 : 1);
    if (t == NULL) return;
    t->terms[0] = (tie_term){one, 1, {1.0}};
    t->offset = -m->r->movements[one].reference - a[0];
    if (two < 0) return;
    double p[TML_COUPLING_DEGREE] = {0.0};
    const double constant = shifted(a, m->r->movements[two].reference, p);
    t->offset = -m->r->movements[one].reference - constant;
    t->terms[1].movement = two;
    t->terms[1].degree = 1;
    for (int k = 0; k < 4; k++) {
        t->terms[1].coefficient[k] = -p[k];
        if (p[k] != 0.0) t->terms[1].degree = k + 1;
    }
}

// L1 - L1_0 = a0 + a1 (L2 - L2_0), for fixed tendons; L_0 at the references.
static void read_tendon(mjcf* m, const xml* e)
{
    double a[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    const char* names[2] = {tml__attribute_need(m->r, e, "tendon1"),
                            tml__xml_attribute(e, "tendon2")};
    const mjcf_element view = tml__mjcf_open(m, e, NULL, NULL);
    tml__mjcf_list(&view, "polycoef", 0, 5, a);
    int at[2] = {-1, -1};
    int terms = 0;
    bool is_linear = a[2] == 0.0 && a[3] == 0.0 && a[4] == 0.0;
    for (int k = 0; k < 2 && names[k] != NULL && m->r->status == TML_OK; k++) {
        at[k] = tml__mjcf_find_tendon(m, names[k]);
        if (at[k] < 0) {
            tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "there is no tendon '%.120s'", names[k]);
            return;
        }
        if (!m->tendons[at[k]].is_fixed) is_linear = false;
        terms += m->tendons[at[k]].term_count;
    }
    if (m->r->status != TML_OK) return;
    if (!is_linear) {
        tml__robot_lint(m->r, e, "equality of spatial tendons, or of a higher degree",
                        "not simulated");
        return;
    }
    tie* t = tml__robot_add_tie(m->r, e, tml__xml_attribute(e, "name"), terms);
    if (t == NULL) return;
    int used = 0;
    t->offset = -a[0];
    for (int k = 0; k < 2 && at[k] >= 0; k++) {
        const double factor = k == 0 ? 1.0 : -a[1];
        for (int i = 0; i < m->tendons[at[k]].term_count; i++) {
            const tendon_term* from = &m->terms[m->tendons[at[k]].first_term + i];
            t->terms[used++] = (tie_term){from->movement, 1, {factor * from->coefficient}};
            t->offset -= factor * from->coefficient * m->r->movements[from->movement].reference;
        }
    }
}

// Two connects between the same bodies make a hinge, and files round their anchors: the distance between them is
// then another one on each body, and no pose fits. Along the line through both a hinge fits always.
static bool is_rounded_hinge(const closure* a, const closure* b, vec3* in_base, vec3* in_follower)
{
    static const double rounding = 1e-6;  // m
    static const double apart = 1e-3;
    if (a->kind != TML_JOINT_SPHERICAL || b->kind != TML_JOINT_SPHERICAL) return false;
    if (a->base != b->base || a->follower != b->follower) return false;
    *in_base = v3_sub(b->frame_base.p, a->frame_base.p);
    *in_follower = v3_sub(b->frame_follower.p, a->frame_follower.p);
    const double one = v3_norm(*in_base);
    const double two = v3_norm(*in_follower);
    const double off = fabs(one - two);
    if (!(one > apart && two > apart && off > 1e-12 && off <= rounding)) return false;
    *in_base = v3_scale(1.0 / one, *in_base);
    *in_follower = v3_scale(1.0 / two, *in_follower);
    return true;
}

void tml__mjcf_merge_connects(robot* r)
{
    for (int i = 0; i < r->closure_count; i++) {
        for (int k = i + 1; k < r->closure_count; k++) {
            closure* a = &r->closures[i];
            vec3 in_base;
            vec3 in_follower;
            if (!is_rounded_hinge(a, &r->closures[k], &in_base, &in_follower)) continue;
            a->kind = TML_JOINT_REVOLUTE;
            a->frame_base.q = tml__frame_about(in_base);
            a->frame_follower.q = tml__frame_about(in_follower);
            tml__robot_lint(r, r->closures[k].at,
                            "two connects that make a hinge, but for a rounding of their anchors",
                            "a hinge along the line through both");
            memmove(&r->closures[k], &r->closures[k + 1],
                    (size_t)(r->closure_count - k - 1) * sizeof *a);
            r->closure_count--;
            break;
        }
    }
}

void tml__mjcf_equality(mjcf* m, const xml* section)
{
    for (const xml* e = section->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        const char* active = tml__xml_attribute(e, "active");
        if (active != NULL && strcmp(active, "false") == 0) {
            tml__robot_lint(m->r, e, "equality that is not active", "left out");
            continue;
        }
        tml__robot_lint(m->r, e, "softness of equalities (solref, solimp)",
                        "they hold exactly instead");
        if (tml__xml_is(e, "connect")) {
            read_connect(m, e);
        } else if (tml__xml_is(e, "weld")) {
            read_weld(m, e);
        } else if (tml__xml_is(e, "joint")) {
            read_joint(m, e);
        } else if (tml__xml_is(e, "tendon")) {
            read_tendon(m, e);
        } else {
            tml__robot_lint(m->r, e, "equality of another kind", "not simulated");
        }
    }
}
