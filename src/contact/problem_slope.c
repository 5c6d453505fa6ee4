// contact/problem_slope.c - rows of contacts by poses.                                  [DCON (25), notes 1.4]
#include "contact/problem_slope.h"

#include <string.h>

static void note_bodies(const maximal_system* s, const contact* k, touch_bend* out)
{
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        out->body[side] = body;
        out->node[side] = s->model->bodies[body].node;
        out->c[side] = s->bodies[body].c;
        out->R[side] = s->bodies[body].R;
    }
}

tml_status tml__touch_bend(const maximal_system* s, const contact* k, touch_bend* out)
{
    note_bodies(s, k, out);
    return tml__contact_bend(k, &out->bend);
}

tml_status tml__touch_bend_gap(const maximal_system* s, const contact* k, touch_bend* out)
{
    double slope[CONTACT_ROWS][TWIST_COLUMNS];
    note_bodies(s, k, out);
    out->bend.k = k;
    const tml_status status = tml__contact_slope(k, slope);
    if (status == TML_OK) memcpy(out->bend.gap, slope[0], sizeof slope[0]);
    return status;
}

static double sign_of(int side) { return side == 0 ? 1.0 : -1.0; }

// A motion of a node, (v, omega) about its centre of mass, about the world's origin.
static twist about_origin(vec3 c, const double* motion)
{
    const vec3 omega = v3_load(motion + 3);
    return (twist){omega, v3_add(v3_load(motion), v3_cross(c, omega))};
}

void tml__touch_spread(const touch_bend* b, const double* pose, const double* com,
                       double z[TWIST_COLUMNS])
{
    for (int side = 0; side < 2; side++) {
        twist Z = tw_zero();
        if (b->node[side] >= 0) Z = about_origin(b->c[side], &pose[6 * b->node[side]]);
        if (b->node[side] >= 0 && com != NULL) {
            Z.v = v3_sub(Z.v, m3_apply(b->R[side], v3_load(&com[3 * b->body[side]])));
        }
        v3_store(z + 6 * side, Z.omega);
        v3_store(z + 6 * side + 3, Z.v);
    }
}

void tml__touch_gather(const touch_bend* b, const double z[TWIST_COLUMNS], double* pose,
                       double* com)
{
    for (int side = 0; side < 2; side++) {
        if (b->node[side] < 0) continue;
        const vec3 by_omega = v3_load(z + 6 * side);
        const vec3 by_v = v3_load(z + 6 * side + 3);
        double* mine = &pose[6 * b->node[side]];
        v3_store(mine, v3_add(v3_load(mine), by_v));
        // v . (c x omega) = omega . (v x c)
        const vec3 turn = v3_add(by_omega, v3_cross(by_v, b->c[side]));
        v3_store(mine + 3, v3_add(v3_load(mine + 3), turn));
        if (com == NULL) continue;
        double* shift = &com[3 * b->body[side]];
        v3_store(shift, v3_sub(v3_load(shift), m3_apply_t(b->R[side], by_v)));
    }
}

// With the motion M about the origin and the wrench w of the row there, J m = w . M over both sides, less
// what the centre of mass moves the arm by: d(c) x d.
double tml__touch_bent_rate(const touch_bend* b, int r, const double* motion, const double* pose,
                            const double z[TWIST_COLUMNS])
{
    const wrench dw = tml__contact_bent(&b->bend, r, z);
    const vec3 d = b->bend.direction[r];
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        if (b->node[side] < 0) continue;
        const double* m = &motion[6 * b->node[side]];
        const vec3 dc = v3_load(&pose[6 * b->node[side]]);
        const double arm = v3_dot(v3_cross(dc, d), v3_load(m + 3));
        sum += sign_of(side) * (sv_dot(about_origin(b->c[side], m), dw) - arm);
    }
    return sum;
}

void tml__touch_bent_rate_transposed(const touch_bend* b, int r, const double* motion, double g,
                                     double* pose, double z[TWIST_COLUMNS])
{
    const vec3 d = b->bend.direction[r];
    twist by_w = tw_zero();
    for (int side = 0; side < 2; side++) {
        if (b->node[side] < 0) continue;
        const double* m = &motion[6 * b->node[side]];
        double* mine = &pose[6 * b->node[side]];
        const double scale = g * sign_of(side);
        by_w = tw_axpy(by_w, scale, about_origin(b->c[side], m));
        v3_store(mine, v3_axpy(v3_load(mine), -scale, v3_cross(d, v3_load(m + 3))));
    }
    tml__contact_bent_transposed(&b->bend, r, by_w, z);
}

void tml__touch_bent_push(const touch_bend* b, int r, double f, const double* pose,
                          const double z[TWIST_COLUMNS], double* out)
{
    const wrench dw = tml__contact_bent(&b->bend, r, z);
    const vec3 d = b->bend.direction[r];
    for (int side = 0; side < 2; side++) {
        if (b->node[side] < 0) continue;
        double* to = &out[6 * b->node[side]];
        const vec3 dc = v3_load(&pose[6 * b->node[side]]);
        const vec3 about_c = v3_sub(dw.moment, v3_cross(b->c[side], dw.force));
        const double scale = f * sign_of(side);
        v3_store(to, v3_axpy(v3_load(to), scale, dw.force));
        v3_store(to + 3, v3_axpy(v3_load(to + 3), scale, v3_sub(about_c, v3_cross(dc, d))));
    }
}
