// sim/contact_ends.c - contacts where a step ends: normals turn and points wander while bodies push each other.
//
// Impulses f of the step act along its rows J where it starts. Held through it they are off by half of what rows
// turn, and a force that is off by an angle works along what slides: energy comes of it, of order h^2 a step. So
// velocities at the end are changed by what the mean of the step pushes more,
//
//     M du = share (J+ - J)^T f          J+: the same rows at the end, by the features that touched
//
// with f the normal ones. Those of friction turn too, but act against what slides in any case, and how corners of a face
// share them is not unique: pulled apart, they would turn the face. What has met is stopped along J+, not J. Positions
// keep what they are, an error of one more power of h.
//
//   forces held through a step, velocities its mean     1/2: the mean of both ends
//   the same by backward differences of order 2 on      their c: they want forces as they are at the end
//   impulses at the nodes of time                       0: the other half acts at the end, along J+
#include "sim/contact_internal.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

static void carry(const tml_sim* sim, contact_feature* f, int body, bool is_a)
{
    const rigid* from = &sim->touch->start[body];
    const rigid* to = &sim->system->bodies[body];
    const mat3 turn = m3_mul_bt(to->R, from->R);
    tml__feature_move(f, is_a, from->c, &turn, to->c);
}

// Has one of both touching elements a face that ends somewhere?
static bool has_face(const sim_contacts* c, const contact* k)
{
    const contact_feature* f = &k->feature;
    return f->kind == FEATURE_CUT ||
           (f->a.kind == ELEMENT_FACE && !tml__collision_is_plane(c->shapes, k->shape_a)) ||
           (f->b.kind == ELEMENT_FACE && !tml__collision_is_plane(c->shapes, k->shape_b));
}

// Contact i of the start at bodies as placed. Nearest points go with their features. Faces, and cuts of faces, know
// nothing of where the face ends, so that such a contact is told only where the detection finds it again. False: it
// cannot be told.
static bool follow(const tml_sim* sim, int i, contact* out)
{
    const contact* k = &sim->contacts->found[i];
    *out = *k;
    if (has_face(sim->contacts, k)) {
        const contact* there = tml__contacts_ahead(sim->contacts, i);
        if (there == NULL) return false;
        *out = *there;
        out->seed = k->seed;
    } else {
        carry(sim, &out->feature, k->body_a, true);
        carry(sim, &out->feature, k->body_b, false);
        tml__feature_end(&out->feature, k->normal);
        if (tml__feature_value(&out->feature, k->normal, out) != TML_OK) return false;
    }
    if (!(v3_dot(out->normal, k->normal) > 0.0)) return false;
    // tangents go on from those of the start: a new seed would turn them, and friction with them
    if (!tml__contact_has_seed(out)) out->seed = k->tangent[1];
    tml__contact_tangents(out);
    return true;
}

static bool has_faces(const sim_contacts* c)
{
    for (int i = 0; i < c->found_count; i++) {
        if (has_face(c, &c->found[i])) return true;
    }
    return false;
}

void tml__touch_keep_row(tml_sim* sim, int i)
{
    touch_set* t = sim->touch->rows;
    const int at = t->contact_row[i];
    const size_t rows = 1 + (size_t)t->friction_rows[i];
    memcpy(&t->rows_ahead[at], &t->rows[at], rows * sizeof *t->rows);
    sim->touch->is_turned[i] = false;
}

static bool is_same_pair(const contact* a, const contact* b)
{
    return a->shape_a == b->shape_a && a->shape_b == b->shape_b;
}

// The contacts of a face depend on each other. Where one of them could not be followed its row would contradict those that
// have turned, and only forces without bound could obey them all: none of the pair turns then. Contacts come pair by
// pair.
static void keep_patches(tml_sim* sim)
{
    const sim_touch* w = sim->touch;
    const contact* found = sim->contacts->found;
    const int count = w->rows->contact_count;
    for (int first = 0, last = 0; first < count; first = last) {
        bool is_whole = true;
        for (last = first; last < count && is_same_pair(&found[first], &found[last]); last++) {
            is_whole = is_whole && w->is_followed[last];
        }
        for (int i = first; i < last && !is_whole; i++) tml__touch_keep_row(sim, i);
    }
}

tml_status tml__touch_follow(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    tml_status status = TML_OK;
    tml__maximal_place(sim->system, sim->next.q, sim->next.v);
    memcpy(t->rows_ahead, t->rows, (size_t)t->row_count * sizeof *t->rows);
    if (t->sweeps > 0) {
        // rough impulses ask for no more
        memset(w->is_followed, 0, (size_t)t->contact_count * sizeof *w->is_followed);
        memset(w->is_turned, 0, (size_t)t->contact_count * sizeof *w->is_turned);
        return TML_OK;
    }
    if (has_faces(sim->contacts)) {
        status = tml__contacts_look_ahead(sim->contacts, sim->system->bodies, &sim->why);
    }
    if (status != TML_OK) return status;
    for (int i = 0; i < t->contact_count; i++) {
        w->is_followed[i] = follow(sim, i, &w->ends[i]);
        w->is_turned[i] = w->is_followed[i];
        if (w->is_followed[i]) tml__touch_pose_ahead(t, i, &w->ends[i]);
    }
    keep_patches(sim);
    return TML_OK;
}

// A row that turns so far in a step tells little of what it pushes.
static const double too_far = 0.1;
static const double little = 1e-3;  // of the largest push: what pushes less may turn as it likes

static tml_status check_turns(tml_sim* sim)
{
    const touch_set* t = sim->touch->rows;
    double most = 0.0;
    for (int i = 0; i < t->contact_count; i++) most = fmax(most, t->f[t->contact_row[i]]);
    for (int i = 0; i < t->contact_count; i++) {
        const int at = t->contact_row[i];
        if (!(t->f[at] > little * most) || t->give[at] > 0.0) continue;
        const double turned = tml__touch_turned(t, at);
        if (!(turned > too_far)) continue;
        char name[256];
        tml__touch_name(t, sim->contacts->found, at, name, sizeof name);
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "the step is too long for a contact that turns by %.2g of itself: %s",
                         turned, name);
    }
    return TML_OK;
}

// Of the margin: what has come to overlap so deep would be parted by a shift that lifts bodies.
static const double too_deep = 0.05;

// Faces that have ended let bodies come into each other.
static tml_status check_overlaps(tml_sim* sim)
{
    const sim_contacts* c = sim->contacts;
    const definitions* all = &sim->model->all;
    const int count = has_faces(c) ? c->ahead_count : 0;
    for (int i = 0; i < count; i++) {
        const contact* k = &c->ahead[i];
        if (!(k->gap < -too_deep * c->margin)) continue;
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "the step is too long: '%s' and '%s' come to overlap by %.2g m",
                         k->body_a < all->body_count ? all->bodies[k->body_a].name : "world",
                         k->body_b < all->body_count ? all->bodies[k->body_b].name : "world",
                         -k->gap);
    }
    return TML_OK;
}

tml_status tml__touch_check_step(tml_sim* sim)
{
    const touch_set* t = sim->touch->rows;
    const bool may_divide =
        sim->soft == NULL && t->sweeps == 0 && sim->ask->count < MOST_TURNING_SUBSTEPS;
    if (!may_divide || t->stiffness > 0.0) return TML_OK;
    const tml_status status = check_turns(sim);
    return status == TML_OK ? check_overlaps(sim) : status;
}

double tml__touch_turned_share(const touch_plan* plan)
{
    if (plan->order > 1) return plan->c;
    return plan->order == 1 || plan->share == plan->reach ? 0.5 : 0.0;
}

bool tml__touch_turned_push(tml_sim* sim, double share)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    bool is_pushed = false;
    for (int i = 0; i < t->row_count; i++) {
        w->turning[i] = t->kinds[i].kind == LCP_UNILATERAL ? t->f[i] : 0.0;
        is_pushed = is_pushed || w->turning[i] != 0.0;
    }
    if (share == 0.0 || !is_pushed) return false;
    tml__touch_push(t, w->turning, w->motion);
    tml__touch_swap_ends(t);
    tml__touch_push(t, w->turning, w->wrench);
    tml__touch_swap_ends(t);
    for (int i = 0; i < 6 * sim->model->node_count; i++) {
        w->wrench[i] = share * (w->wrench[i] - w->motion[i]);
    }
    return true;
}
