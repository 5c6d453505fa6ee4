// io/mjcf_tendon.c - tendons of MJCF: sums of joint coordinates, and paths through sites.
//
// A spring on a fixed tendon is a compliant coupling: its row is the stretch, its multiplier the
// force. A spatial tendon is a spring along straight lines between its sites.
#include "io/mjcf.h"
#include "model/names.h"

#include <string.h>

static mjcf_tendon* add_tendon(mjcf* m, const xml* e)
{
    robot* r = m->r;
    const char* name = tml__xml_attribute(e, "name");
    mjcf_tendon* list =
        tml__robot_grow(r, m->tendons, m->tendon_count, &m->tendon_capacity, sizeof *list);
    if (list == NULL) return NULL;
    m->tendons = list;
    if (m->tendon_names == NULL) m->tendon_names = tml__names_create();
    if (m->tendon_names == NULL ||
        (name != NULL && !tml__names_add(m->tendon_names, name, m->tendon_count))) {
        tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
        return NULL;
    }
    mjcf_tendon* one = &list[m->tendon_count++];
    *one = (mjcf_tendon){.name = name, .at = e, .first_term = m->term_count, .strand = -1};
    return one;
}

int tml__mjcf_find_tendon(const mjcf* m, const char* name)
{
    return m->tendon_names != NULL ? tml__names_find(m->tendon_names, name) : -1;
}

static void note(const mjcf_element* e)
{
    double x[2] = {0.0, 0.0};
    const bool has_range = tml__mjcf_numbers(e, "range", 2, x);
    const bool is_free = tml__mjcf_is(e, "limited", "false");
    if (has_range && !is_free) {
        tml__robot_lint(e->m->r, e->e, "range of a tendon", "not simulated: it may stretch");
    }
    x[0] = 0.0;
    if (tml__mjcf_number(e, "frictionloss", x) && x[0] != 0.0) {
        tml__robot_lint(e->m->r, e->e, "friction of a tendon", "not simulated");
    }
}

static double coefficient(const mjcf_element* e, const char* name)
{
    double x[4] = {0.0};
    tml__mjcf_list(e, name, 0, 4, x);
    return x[0] > 0.0 ? x[0] : 0.0;
}

// ---- fixed

static void read_fixed(mjcf* m, const xml* e)
{
    const mjcf_element t = tml__mjcf_open(m, e, NULL, "tendon");
    mjcf_tendon* one = add_tendon(m, e);
    if (one == NULL) return;
    one->is_fixed = true;
    double rest = 0.0;
    for (const xml* j = tml__xml_child(e, "joint"); j != NULL; j = tml__xml_next(j, "joint")) {
        double factor = 1.0;
        const char* name = tml__attribute_need(m->r, j, "joint");
        const int at = tml__robot_find_movement(m->r, name);
        tml__attribute_number(m->r, j, "coef", &factor);
        tendon_term* list =
            tml__robot_grow(m->r, m->terms, m->term_count, &m->term_capacity, sizeof *list);
        if (list == NULL) return;
        if (at < 0 || m->r->movements[at].kind > MOVE_SLIDE) {
            tml__robot_refuse(m->r, j, TML_BAD_ARGUMENT, "'%.120s' is no hinge or slide", name);
            return;
        }
        m->terms = list;
        list[m->term_count++] = (tendon_term){at, factor};
        one->term_count++;
        rest += factor * m->r->movements[at].drive.rest;
    }
    note(&t);
    const double stiffness = coefficient(&t, "stiffness");
    if (coefficient(&t, "damping") > 0.0) {
        tml__robot_lint(m->r, e, "damping of a fixed tendon", "not simulated");
    }
    if (!(stiffness > 0.0) || one->term_count == 0) return;
    double length[2] = {-1.0, -1.0};
    const int given = tml__mjcf_list(&t, "springlength", 0, 2, length);
    if (given == 2 && length[0] != length[1]) {
        tml__robot_lint(m->r, e, "dead band of a tendon's spring", "its middle is simulated");
        length[0] = 0.5 * (length[0] + length[1]);
    }
    tie* spring = tml__robot_add_tie(m->r, e, one->name, one->term_count);
    if (spring == NULL) return;
    for (int i = 0; i < one->term_count; i++) {
        const tendon_term* from = &m->terms[one->first_term + i];
        spring->terms[i] = (tie_term){from->movement, 1, {from->coefficient}};
    }
    spring->offset = -(length[0] >= 0.0 ? length[0] : rest);
    spring->compliance = 1.0 / stiffness;
}

// ---- spatial

// Its length while the links stand at their references.
static double length_of(const mjcf* m, const strand* s)
{
    double sum = 0.0;
    vec3 last = v3_zero();
    for (int i = 0; i < s->point_count; i++) {
        const int of = s->points[i].link;
        const pose at = of >= 0 ? m->r->links[of].world : pose_identity();
        const vec3 here = pose_apply(at, s->points[i].position);
        if (i > 0) sum += v3_norm(v3_sub(here, last));
        last = here;
    }
    return sum;
}

static void read_spatial(mjcf* m, const xml* e)
{
    const mjcf_element t = tml__mjcf_open(m, e, NULL, "tendon");
    mjcf_tendon* one = add_tendon(m, e);
    int count = 0;
    for (const xml* s = e->first; s != NULL; s = s->next) {
        if (tml__xml_is(s, "site")) count++;
        if (tml__xml_is(s, "geom")) {
            tml__robot_lint(m->r, e, "tendon that wraps around a geom",
                            "it runs straight through its sites instead");
        }
        if (tml__xml_is(s, "pulley")) {
            tml__robot_lint(m->r, e, "tendon with a pulley", "its branches count as one path");
        }
    }
    note(&t);
    if (one == NULL || m->r->status != TML_OK) return;
    if (count < 2) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "a spatial tendon needs two sites or more");
        return;
    }
    const int index = m->r->strand_count;
    strand* s = tml__robot_add_strand(m->r, e, tml__xml_attribute(e, "name"), count);
    if (s == NULL) return;
    one->strand = index;
    int used = 0;
    for (const xml* p = tml__xml_child(e, "site"); p != NULL; p = tml__xml_next(p, "site")) {
        const char* name = tml__attribute_need(m->r, p, "site");
        const int site = tml__mjcf_find_site(m, name);
        if (site < 0) {
            tml__robot_refuse(m->r, p, TML_BAD_ARGUMENT, "there is no site '%.120s'", name);
            return;
        }
        s->points[used++] = (strand_point){m->sites[site].link, m->sites[site].local.p};
    }
    s->stiffness = coefficient(&t, "stiffness");
    s->damping = coefficient(&t, "damping");
    double length[2] = {-1.0, -1.0};
    tml__mjcf_list(&t, "springlength", 0, 2, length);
    s->rest_length = length[0] >= 0.0 ? length[0] : length_of(m, s);
}

void tml__mjcf_tendons(mjcf* m, const xml* section)
{
    for (const xml* e = section->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "fixed")) {
            read_fixed(m, e);
        } else if (tml__xml_is(e, "spatial")) {
            read_spatial(m, e);
        } else {
            tml__robot_lint(m->r, e, "tendon of another kind", "not simulated");
        }
    }
}
