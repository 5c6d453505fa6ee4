// geom/bend.c - wrenches of contact rows by poses.
#include "geom/bend.h"

#include <string.h>

tml_status tml__contact_bend(const contact* k, contact_bend* out)
{
    double slope[CONTACT_ROWS][TWIST_COLUMNS];
    double tangents[6][TWIST_COLUMNS];
    const tml_status status = tml__contact_slope(k, slope);
    if (status != TML_OK) return status;
    tml__contact_tangent_slope(k, slope, tangents);
    *out = (contact_bend){.k = k, .direction = {k->normal, k->tangent[0], k->tangent[1]}};
    memcpy(out->gap, slope[0], sizeof out->gap);
    memcpy(out->d[0], slope[1], 3 * sizeof slope[0]);
    memcpy(out->d[3], tangents, sizeof tangents);
    memcpy(out->p, slope[4], sizeof out->p);
    return TML_OK;
}

wrench tml__contact_wrench(const contact_bend* b, int r)
{
    return (wrench){v3_cross(b->k->point, b->direction[r]), b->direction[r]};
}

static vec3 along3(const double rows[][TWIST_COLUMNS], const double* z)
{
    return v3(contact_bend_along(rows[0], z), contact_bend_along(rows[1], z),
              contact_bend_along(rows[2], z));
}

wrench tml__contact_bent(const contact_bend* b, int r, const double z[TWIST_COLUMNS])
{
    const vec3 dd = along3(&b->d[3 * r], z);
    const vec3 dp = along3(b->p, z);
    return (wrench){v3_add(v3_cross(dp, b->direction[r]), v3_cross(b->k->point, dd)), dd};
}

void tml__contact_bent_transposed(const contact_bend* b, int r, twist g, double z[TWIST_COLUMNS])
{
    // omega . (dp x d + p x dd) + v . dd
    const vec3 by_p = v3_cross(b->direction[r], g.omega);
    const vec3 by_d = v3_add(g.v, v3_cross(g.omega, b->k->point));
    for (int c = 0; c < 3; c++) {
        const double* d = b->d[3 * r + c];
        for (int k = 0; k < TWIST_COLUMNS; k++) {
            z[k] += v3_at(by_p, c) * b->p[c][k] + v3_at(by_d, c) * d[k];
        }
    }
}
