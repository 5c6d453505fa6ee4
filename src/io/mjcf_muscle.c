// io/mjcf_muscle.c - muscles of MJCF along spatial tendons.
//
// MJCF scales a muscle by two numbers that it finds itself: the range of its tendon's length, and the
// acceleration acc0 = |M^-1 dL/dq| that a unit of force gives at the reference pose (`force` and
// `lengthrange` say them instead). We take the range over the limits of the joints that move the
// tendon; MuJoCo pulls at the model until it stops, which ends within its soft limits of the same.
// The activation follows the control by a law of its own; since the control of a file is constant, its
// whole course is known and becomes a table.
#include "io/mjcf.h"
#include "math/scalar.h"

#include <math.h>
#include <string.h>

enum {
    CURVE = 9,             // range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax
    SAMPLES = 33,          // along a coordinate
    SWEEPS = 8,            // over all coordinates
    HALVINGS = 40,         // of the last interval
    MUSCLE_FREEDOMS = 256  // of a model for which acc0 is worked out
};

// Steps over links that all muscles of a file may take together: a minute at most, on any file.
static const double most_work = 4e8;

typedef struct muscle_law {
    double curve[CURVE];
    double time[2];  // s: of activation and deactivation; both 0: it acts at once
    double length[2];
} muscle_law;

// ---- the attributes

bool tml__mjcf_is_muscle(const mjcf_element* a)
{
    return tml__xml_is(a->e, "muscle") || tml__mjcf_is(a, "gaintype", "muscle");
}

static bool read_law(const mjcf_element* a, muscle_law* law)
{
    static const char* const names[CURVE] = {"range", "",     "force", "scale", "lmin",
                                             "lmax",  "vmax", "fpmax", "fvmax"};
    *law = (muscle_law){{0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2}, {0.01, 0.04}, {0.0}};
    tml__mjcf_list(a, "lengthrange", 2, 2, law->length);
    if (tml__xml_is(a->e, "muscle")) {
        double smooth = 0.0;
        tml__mjcf_list(a, "range", 2, 2, law->curve);
        for (int k = 2; k < CURVE; k++) tml__mjcf_number(a, names[k], &law->curve[k]);
        tml__mjcf_list(a, "timeconst", 2, 2, law->time);
        if (tml__mjcf_number(a, "tausmooth", &smooth) && smooth != 0.0) {
            tml__robot_lint(a->m->r, a->e, "tausmooth of a muscle", "its time constants switch");
        }
        return true;
    }
    double bias[CURVE] = {0.0};
    tml__mjcf_list(a, "gainprm", 0, CURVE, law->curve);
    tml__mjcf_list(a, "biasprm", 0, CURVE, bias);
    const bool is_passive = tml__mjcf_is(a, "biastype", "muscle");
    if (!is_passive) law->curve[7] = 0.0;
    const bool is_active = tml__mjcf_is(a, "dyntype", "muscle");
    if (is_active) tml__mjcf_list(a, "dynprm", 2, 2, law->time);
    if (!is_active) law->time[0] = law->time[1] = 0.0;
    return !is_passive || memcmp(bias, law->curve, sizeof bias) == 0;
}

// ---- the tendon

// Its length while the links stand as they do, and its rate as they move (robot_place.c).
static double length_of(const robot* r, const strand* s, double* rate)
{
    double length = 0.0;
    vec3 last = v3_zero();
    vec3 last_v = v3_zero();
    *rate = 0.0;
    for (int i = 0; i < s->point_count; i++) {
        const int of = s->points[i].link;
        const pose at = of >= 0 ? r->links[of].world : pose_identity();
        const twist t = of >= 0 ? r->links[of].motion : tw_zero();
        const vec3 x = pose_apply(at, s->points[i].position);
        const vec3 v = v3_add(t.v, v3_cross(t.omega, x));
        const vec3 d = v3_sub(x, last);
        const double piece = i > 0 ? v3_norm(d) : 0.0;
        length += piece;
        if (piece > 0.0) *rate += v3_dot(d, v3_sub(v, last_v)) / piece;
        last = x;
        last_v = v;
    }
    return length;
}

static bool is_below(const robot* r, int of, int ancestor)
{
    while (of >= 0 && of != ancestor) of = r->links[of].parent;
    return of == ancestor;
}

// Whether a movement changes the length: some of its points move with it and some do not.
static bool moves_it(const robot* r, const strand* s, const movement* m)
{
    int below = 0;
    for (int i = 0; i < s->point_count; i++) below += is_below(r, s->points[i].link, m->link);
    return below > 0 && below < s->point_count;
}

// ---- the range of its length

typedef struct search {
    robot* r;
    const strand* s;
    double sign;  // -1: for the longest
    int count;
    movement** free;
    double *low, *high;
} search;

static double value_of(const search* f)
{
    double rate = 0.0;
    tml__robot_place(f->r, NULL);
    return f->sign * length_of(f->r, f->s, &rate);
}

// The best of samples along one coordinate.
static double sample(const search* f, int k, double best)
{
    double at = f->free[k]->value;
    for (int i = 0; i < SAMPLES; i++) {
        f->free[k]->value = f->low[k] + (f->high[k] - f->low[k]) * i / (SAMPLES - 1);
        const double here = value_of(f);
        if (here < best) {
            best = here;
            at = f->free[k]->value;
        }
    }
    f->free[k]->value = at;
    return best;
}

// One coordinate to either side by `step`, within its range.
static double nudge(const search* f, int k, double step, double best)
{
    const double at = f->free[k]->value;
    double kept = at;
    for (int side = -1; side <= 1; side += 2) {
        double to = at + side * step;
        to = to < f->low[k] ? f->low[k] : to > f->high[k] ? f->high[k] : to;
        f->free[k]->value = to;
        const double here = value_of(f);
        if (here < best) {
            best = here;
            kept = to;
        }
    }
    f->free[k]->value = kept;
    return best;
}

static double descend(const search* f)
{
    double best = value_of(f);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const double before = best;
        for (int k = 0; k < f->count; k++) best = sample(f, k, best);
        if (!(best < before)) break;
    }
    double share = 1.0 / (SAMPLES - 1);
    for (int i = 0; i < HALVINGS; i++) {
        for (int k = 0; k < f->count; k++) {
            best = nudge(f, k, share * (f->high[k] - f->low[k]), best);
        }
        share *= 0.5;
    }
    return best;
}

// From both ends and the middle of the first coordinates, the others in the middle.
static double search_all(const search* f)
{
    const int wide = f->count < 3 ? f->count : 3;
    const int starts = wide == 1 ? 3 : wide == 2 ? 9 : 27;
    double best = (double)INFINITY;
    for (int i = 0; i < starts; i++) {
        int digits = i;
        for (int k = 0; k < f->count; k++) {
            const double share = k < wide ? 0.5 * (digits % 3) : 0.5;
            digits /= 3;
            f->free[k]->value = f->low[k] + share * (f->high[k] - f->low[k]);
        }
        const double here = descend(f);
        if (here < best) best = here;
    }
    return best;
}

// The coordinates that move the tendon, and how far each goes; false: one goes anywhere.
static bool list_coordinates(search* f)
{
    robot* r = f->r;
    f->free = tml__robot_take(r, (size_t)r->movement_count + 1, sizeof *f->free);
    f->low = tml__robot_take(r, (size_t)r->movement_count + 1, sizeof *f->low);
    f->high = tml__robot_take(r, (size_t)r->movement_count + 1, sizeof *f->high);
    if (r->status != TML_OK) return false;
    for (int i = 0; i < r->movement_count; i++) {
        movement* m = &r->movements[i];
        if (!moves_it(r, f->s, m)) continue;
        const bool is_hinge = m->kind == MOVE_HINGE;
        if (!m->drive.has_limits && !is_hinge) return false;
        f->free[f->count] = m;
        f->low[f->count] = m->drive.has_limits ? m->drive.lower : m->reference - TML_PI;
        f->high[f->count] = m->drive.has_limits ? m->drive.upper : m->reference + TML_PI;
        f->count++;
    }
    return f->count > 0;
}

static bool find_range(mjcf* m, const strand* s, double out[2])
{
    search f = {.r = m->r, .s = s, .sign = 1.0};
    if (!list_coordinates(&f)) return false;
    const double starts = f.count == 1 ? 3.0 : f.count == 2 ? 9.0 : 27.0;
    const double each = (double)SWEEPS * SAMPLES + 2.0 * HALVINGS;
    m->muscle_work += 2.0 * starts * each * f.count * (m->r->link_count + s->point_count);
    if (m->muscle_work > most_work) return false;
    out[0] = search_all(&f);
    f.sign = -1.0;
    out[1] = -search_all(&f);
    return out[1] > out[0];
}

// ---- the acceleration by a unit of force

// One freedom moves at rate one and all others stand; false behind the last.
static bool set_rate(robot* r, int freedom)
{
    bool is_found = false;
    for (int i = 0; i < r->movement_count; i++) {
        movement* m = &r->movements[i];
        const int count = m->kind == MOVE_FREE ? 6 : m->kind == MOVE_BALL ? 3 : 1;
        m->rate = 0.0;
        m->rates = tw_zero();
        if (freedom >= 0 && freedom < count) {
            is_found = true;
            if (count == 1) m->rate = 1.0;
            if (count == 3) m->rates.omega = v3_unit(freedom);
            if (count == 6 && freedom < 3) m->rates.v = v3_unit(freedom);
            if (count == 6 && freedom >= 3) m->rates.omega = v3_unit(freedom - 3);
        }
        freedom -= count;
    }
    return is_found;
}

// Momentum of a link along another motion: t . I u.
static double product(const robot_link* l, twist t, twist u)
{
    const vec3 c = pose_apply(l->world, l->com);
    const mat3 R = q_matrix(l->world.q);
    const vec3 spin = m3_apply(R, m3_apply(l->inertia, m3_apply_t(R, u.omega)));
    const vec3 vt = v3_add(t.v, v3_cross(t.omega, c));
    const vec3 vu = v3_add(u.v, v3_cross(u.omega, c));
    return l->mass * v3_dot(vt, vu) + v3_dot(t.omega, spin);
}

// x <- A^-1 x for a symmetric A; false when it is not positive.
static bool solve(double* A, int n, double* x)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
            if (i == j && !(sum > 0.0)) return false;
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= A[i * n + k] * x[k];
        x[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= A[k * n + i] * x[k];
        x[i] /= A[i * n + i];
    }
    return true;
}

// |M^-1 dL/dq|, the armature counted; 0 where it cannot be found.
static double find_acceleration(mjcf* m, const strand* s)
{
    robot* r = m->r;
    int n = 0;
    while (n <= MUSCLE_FREEDOMS && set_rate(r, n)) n++;
    m->muscle_work += (double)n * n * (r->link_count + n);
    if (n == 0 || n > MUSCLE_FREEDOMS || m->muscle_work > most_work) return 0.0;
    const size_t links = (size_t)r->link_count;
    twist* motion = tml__robot_take(r, (size_t)n * links + 1, sizeof *motion);
    double* M = tml__robot_take(r, (size_t)n * (size_t)n, sizeof *M);
    double* x = tml__robot_take(r, (size_t)n, sizeof *x);
    if (r->status != TML_OK) return 0.0;
    for (int d = 0; d < n; d++) {
        set_rate(r, d);
        tml__robot_set_off(r);
        length_of(r, s, &x[d]);
        for (size_t l = 0; l < links; l++) motion[(size_t)d * links + l] = r->links[l].motion;
    }
    for (int d = 0; d < n; d++) {
        for (int e = 0; e <= d; e++) {
            double sum = 0.0;
            for (size_t l = 0; l < links; l++) {
                sum += product(&r->links[l], motion[(size_t)d * links + l],
                               motion[(size_t)e * links + l]);
            }
            M[d * n + e] = sum;
        }
    }
    int d = 0;
    for (int i = 0; i < r->movement_count; i++) {
        const movement* one = &r->movements[i];
        const int count = one->kind == MOVE_FREE ? 6 : one->kind == MOVE_BALL ? 3 : 1;
        for (int k = 0; k < count; k++, d++) M[d * n + d] += one->armature;
    }
    if (!solve(M, n, x)) return 0.0;
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// ---- the activation

// From zero at the start towards the control u: da/dt = (u - a) / (t0 (1/2 + 3/2 a)), whose time is
// known for every a: t0 ((1/2 + 3/2 u) log(u / (u - a)) - 3/2 a). 32 points for each half of what is
// left keep the spline within 1e-4 of it; the last, a millionth short, stands for u itself.
static tml_control activation_of(robot* r, double u, const double time[2])
{
    enum {
        PER_HALF = 32,
        HALVES = 20
    };
    const int count = PER_HALF * HALVES + 1;
    if (!(time[0] > 0.0) || u == 0.0) return tml_control_constant(u);
    double* times = tml__robot_take(r, (size_t)count, sizeof *times);
    double* samples = tml__robot_take(r, (size_t)count, sizeof *samples);
    if (r->status != TML_OK) return tml_control_constant(u);
    for (int i = 0; i < count; i++) {
        const double halves = tml__log(2.0) * i / PER_HALF;
        const double a = u * (1.0 - tml__exp(-halves));
        times[i] = time[0] * ((0.5 + 1.5 * u) * halves - 1.5 * a);
        samples[i] = i == count - 1 ? u : a;
    }
    tml_control out = {.kind = TML_CONTROL_CUBIC, .count = count};
    out.times = times;
    out.samples = samples;
    return out;
}

// ---- all of it

// The reference pose, where acc0 is asked for; every movement is put back by the caller.
static void to_reference(robot* r)
{
    for (int i = 0; i < r->movement_count; i++) {
        movement* m = &r->movements[i];
        m->value = m->reference;
        if (m->kind == MOVE_FREE) m->place = r->links[m->link].local;
        if (m->kind == MOVE_BALL) m->place.q = q_identity();
    }
}

// The tendon that carries one more muscle: a strand of its own where one pulls along it already.
static strand* strand_for(mjcf* m, int index, const xml* at)
{
    if (!(m->r->strands[index].muscle.force > 0.0)) return &m->r->strands[index];
    const int count = m->r->strands[index].point_count;
    strand* one = tml__robot_add_strand(m->r, at, NULL, count);
    if (one == NULL) return NULL;
    memcpy(one->points, m->r->strands[index].points, (size_t)count * sizeof *one->points);
    return one;
}

static void measure(mjcf* m, int index, const muscle_law* law, double range[2], double* force)
{
    robot* r = m->r;
    movement* kept = tml__robot_take(r, (size_t)r->movement_count + 1, sizeof *kept);
    if (kept == NULL) return;
    memcpy(kept, r->movements, (size_t)r->movement_count * sizeof *kept);
    const strand* s = &r->strands[index];
    range[0] = law->length[0];
    range[1] = law->length[1];
    to_reference(r);
    if (!(range[1] > range[0]) && !find_range(m, s, range)) range[0] = range[1] = 0.0;
    to_reference(r);
    const double acceleration = *force < 0.0 ? find_acceleration(m, s) : 0.0;
    if (*force < 0.0) *force = acceleration > 0.0 ? law->curve[3] / acceleration : 0.0;
    memcpy(r->movements, kept, (size_t)r->movement_count * sizeof *kept);
    tml__robot_place(r, NULL);
}

void tml__mjcf_muscle(const mjcf_element* a, int tendon, double gear, double u)
{
    mjcf* m = a->m;
    muscle_law law;
    if (tendon < 0 || m->tendons[tendon].strand < 0) {
        tml__robot_lint(m->r, a->e, "muscle that pulls no spatial tendon", "left out");
        return;
    }
    if (!read_law(a, &law)) {
        tml__robot_lint(m->r, a->e, "muscle whose active and passive curves differ", "left out");
        return;
    }
    double range[2] = {0.0, 0.0};
    double force = law.curve[2];
    measure(m, m->tendons[tendon].strand, &law, range, &force);
    if (m->r->status != TML_OK) return;
    const double width = law.curve[1] - law.curve[0];
    if (!(force > 0.0) || !(range[1] > range[0]) || !(width > 0.0) || !(gear > 0.0)) {
        tml__robot_lint(m->r, a->e, "muscle without a length range, a force or a positive gear",
                        "left out: give it lengthrange and force");
        return;
    }
    strand* s = strand_for(m, m->tendons[tendon].strand, a->e);
    if (s == NULL) return;
    const double optimal = (range[1] - range[0]) / width;
    const double clipped = u < 0.0 ? 0.0 : u > 1.0 ? 1.0 : u;
    s->muscle = (tml_muscle){.force = gear * force,
                             .optimal_length = optimal / gear,
                             .tendon_length = (range[0] - law.curve[0] * optimal) / gear,
                             .lmin = law.curve[4],
                             .lmax = law.curve[5],
                             .vmax = law.curve[6],
                             .fpmax = law.curve[7],
                             .fvmax = law.curve[8],
                             .activation = activation_of(m->r, clipped, law.time)};
}
