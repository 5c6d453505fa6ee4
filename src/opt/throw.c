// opt/throw.c - a throw: v along an axis, or e x (p - c) and e for a turn about it, c the common centre of mass.
#include "opt/throw.h"

#include "math/quat.h"

static vec3 centre_of(const tml_body_def* b)
{
    return v3_add(b->pose.p, q_rotate(b->pose.q, b->com));
}

static vec3 common_centre(const tml_model* model)
{
    vec3 c = v3_zero();
    double mass = 0.0;
    for (int i = 0; i < tml_model_body_count(model); i++) {
        const tml_body_def* b = tml_model_body(model, (tml_body){i});
        if (b->is_fixed) continue;
        c = v3_axpy(c, b->mass, centre_of(b));
        mass += b->mass;
    }
    return v3_scale(mass > 0.0 ? 1.0 / mass : 0.0, c);
}

void tml__throw_parts(const tml_model* model, int k, throw_add add, void* self)
{
    const vec3 c = common_centre(model);
    for (int i = 0; i < tml_model_body_count(model); i++) {
        const tml_body_def* b = tml_model_body(model, (tml_body){i});
        tml_parameter own = {TML_PARAMETER_VELOCITY, i, k, 0};
        if (b->is_fixed) continue;
        add(self, own, 1.0);
        if (k < 3) continue;
        const vec3 along = v3_cross(v3_unit(k - 3), v3_sub(b->pose.p, c));
        for (own.component = 0; own.component < 3; own.component++) {
            if (own.component == k - 3) continue;  // zero: no room is kept for it
            add(self, own, v3_at(along, own.component));
        }
    }
}
