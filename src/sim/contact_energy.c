// sim/contact_energy.c - what islands of a step in maximal coordinates have won, taken off its velocities.
#include "sim/contact_internal.h"
#include "sim/sim_internal.h"

static bool pushes(const sim_touch* w, int row)
{
    return w->total[row] != 0.0 || (w->is_moved && w->shift_f[row] != 0.0);
}

void tml__touch_withhold(tml_sim* sim)
{
    const sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    sim_islands* e = sim->islands;
    tml__islands_clear(e);
    for (int i = 0; i < t->contact_count; i++) {
        const touch_row* row = &t->rows[t->contact_row[i]];
        if (pushes(w, t->contact_row[i])) tml__islands_push(e, row->node[0], row->node[1]);
    }
    if (!tml__islands_withhold(sim)) return;
    for (int n = 0; n < sim->model->node_count; n++) {
        if (tml__island_of(e, n) == NULL) continue;
        tml__maximal_store_velocity(&sim->next.q[n * POSE_WIDTH], v3_load(&e->motion[6 * n]),
                                    v3_load(&e->motion[6 * n + 3]), &sim->next.v[n * POSE_WIDTH]);
    }
}
