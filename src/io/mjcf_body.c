// io/mjcf_body.c - bodies of MJCF: frames, inertias, joints, sites.
#include "io/mjcf.h"
#include "model/names.h"

#include <stdio.h>
#include <string.h>

// ---- joints

static void read_limits(const mjcf_element* j, double scale, tml_joint_axis* drive)
{
    double range[2] = {0.0, 0.0};
    const bool has_range = tml__mjcf_numbers(j, "range", 2, range);
    const bool is_asked = tml__mjcf_is(j, "limited", "true");
    const bool is_refused = tml__mjcf_is(j, "limited", "false");
    const bool is_limited = is_asked || (!is_refused && has_range && j->m->is_auto_limited);
    if (!is_limited) return;
    if (!(range[0] < range[1])) {
        tml__robot_refuse(j->m->r, j->e, TML_BAD_ARGUMENT,
                          "joint '%.120s': range must be [low, high], but is [%g, %g]",
                          tml__xml_attribute(j->e, "name") ? tml__xml_attribute(j->e, "name") : "",
                          range[0], range[1]);
        return;
    }
    drive->has_limits = 1;
    drive->lower = scale * range[0];
    drive->upper = scale * range[1];
}

// A coefficient that newer files may follow by those of a polynomial.
static double first_of(const mjcf_element* j, const char* name)
{
    double x[4] = {0.0};
    const int count = tml__mjcf_list(j, name, 0, 4, x);
    for (int i = 1; i < count; i++) {
        if (x[i] != 0.0) {
            tml__robot_lint(j->m->r, j->e, "polynomial stiffness or damping",
                            "its linear coefficient is simulated");
        }
    }
    if (x[0] < 0.0) {
        tml__robot_lint(j->m->r, j->e, "negative stiffness or damping", "left out");
        return 0.0;
    }
    return x[0];
}

// The rotor, dry friction, and what all actuators together may give.
static void read_rotor(const mjcf_element* j, movement_kind kind, tml_joint_axis* drive)
{
    double range[2] = {0.0, 0.0};
    tml__mjcf_number(j, "armature", &drive->armature);
    tml__mjcf_number(j, "frictionloss", &drive->friction);
    if (!(drive->armature >= 0.0)) drive->armature = 0.0;
    tml__robot_keep_friction(j->m->r, j->e, drive);
    if (j->m->r->is_without_armature && drive->armature > 0.0) {
        drive->armature = 0.0;
        tml__robot_lint(j->m->r, j->e, "joint armature", "left out, as asked");
    }
    if (kind == MOVE_BALL && drive->armature > 0.0) {
        drive->armature = 0.0;
        tml__robot_lint(j->m->r, j->e, "armature of a ball joint", "not simulated");
    }
    if (kind == MOVE_BALL && drive->friction > 0.0) {
        drive->friction = 0.0;
        tml__robot_lint(j->m->r, j->e, "dry friction of a ball joint", "not simulated");
    }
    if (kind == MOVE_BALL || !tml__mjcf_numbers(j, "actuatorfrcrange", 2, range)) return;
    if (tml__mjcf_is(j, "actuatorfrclimited", "false")) return;
    tml__robot_limit_force(j->m->r, j->e, drive, range[0], range[1]);
}

static void read_drive(const mjcf_element* j, double scale, movement_kind kind,
                       tml_joint_axis* drive)
{
    drive->stiffness = first_of(j, "stiffness");
    drive->damping = first_of(j, "damping");
    if (tml__mjcf_number(j, "springref", &drive->rest)) drive->rest *= scale;
    if (kind == MOVE_BALL) {
        double range[2];
        if (tml__mjcf_numbers(j, "range", 2, range) && !tml__mjcf_is(j, "limited", "false")) {
            tml__robot_lint(j->m->r, j->e, "range of a ball joint", "not simulated");
        }
        if (drive->stiffness > 0.0) {
            tml__robot_lint(j->m->r, j->e, "spring of a ball joint",
                            "acts on the three angles, which equals the original near zero");
        }
    } else {
        read_limits(j, scale, drive);
    }
    read_rotor(j, kind, drive);
}

static movement_kind kind_of(mjcf* m, const mjcf_element* j)
{
    static const char* const words[] = {"hinge", "slide", "ball", "free"};
    const char* type = tml__mjcf_get(j, "type");
    for (int k = 0; type != NULL && k < 4; k++) {
        if (strcmp(type, words[k]) == 0) return (movement_kind)k;
    }
    if (type != NULL) {
        tml__robot_refuse(m->r, j->e, TML_BAD_ARGUMENT,
                          "a joint is hinge, slide, ball or free, not '%.60s'", type);
    }
    return MOVE_HINGE;
}

static void add_free(mjcf* m, const xml* e, int of)
{
    robot_link* l = &m->r->links[of];
    if (l->parent >= 0) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT,
                          "body '%.120s': only children of the world can be free",
                          l->name != NULL ? l->name : "");
        return;
    }
    if (l->movement_count > 0) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "a free joint must be the only one");
        return;
    }
    const pose local = l->local;
    movement* one = tml__robot_add_movement(m->r, e, tml__xml_attribute(e, "name"), of, MOVE_FREE);
    if (one != NULL) one->place = local;
}

static void read_joint(mjcf* m, const xml* e, const xml* scope, int of)
{
    const mjcf_element j = tml__mjcf_open(m, e, scope, "joint");
    const movement_kind kind = kind_of(m, &j);
    if (kind == MOVE_FREE) {
        add_free(m, e, of);
        return;
    }
    const int count = m->r->links[of].movement_count;
    if (count > 0 && m->r->movements[m->r->links[of].first_movement].kind == MOVE_FREE) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "a free joint must be the only one");
        return;
    }
    vec3 point = v3_zero();
    vec3 axis = v3_unit(2);
    double reference = 0.0;
    const double scale = kind == MOVE_SLIDE ? 1.0 : m->angle;
    tml__mjcf_vector(&j, "pos", &point);
    if (tml__mjcf_vector(&j, "axis", &axis)) tml__robot_unit(m->r, e, "the axis of a joint", &axis);
    tml__mjcf_number(&j, "ref", &reference);
    movement* one = tml__robot_add_movement(m->r, e, tml__xml_attribute(e, "name"), of, kind);
    if (one == NULL) return;
    one->point = point;
    one->axis = axis;
    one->reference = one->value = kind == MOVE_BALL ? 0.0 : scale * reference;
    read_drive(&j, scale, kind, &one->drive);
    tml__mjcf_number(&j, "armature", &one->armature);
}

// ---- inertias

static void read_inertial(mjcf* m, const xml* e, int of)
{
    const mjcf_element i = {m, e, NULL, NULL};
    double mass = 0.0;
    double J[6] = {0.0};
    pose at = tml__mjcf_pose(&i);
    tml__attribute_need(m->r, e, "mass");
    tml__mjcf_number(&i, "mass", &mass);
    if (mass < 0.0) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "mass must not be negative, but is %g", mass);
    }
    if (tml__mjcf_numbers(&i, "fullinertia", 6, J)) {
        at.q = q_identity();  // in the axes of the body
    } else {
        tml__mjcf_numbers(&i, "diaginertia", 3, J);
    }
    const mat3 R = q_matrix(at.q);
    tml__robot_add_mass(m->r, of, mass, at.p, m3_mul_bt(m3_mul(R, m3_symmetric(J)), R));
    if (!(mass > 0.0)) m->r->links[of].com = at.p;
}

// Both parts in a second pass about the common centre, so that no large terms cancel.
static void weigh_geoms(mjcf* m, const geom_sum* sum)
{
    if (sum->link < 0 || !(sum->mass > 0.0)) return;
    const vec3 com = v3_scale(1.0 / sum->mass, sum->moment);
    mat3 J = m3_zero();
    for (int i = 0; i < sum->count; i++) {
        const vec3 d = v3_sub(sum->solids[i].com, com);
        J = m3_add(
            J, m3_sub(sum->solids[i].inertia, m3_scale(sum->solids[i].mass, m3_skew_skew(d, d))));
    }
    tml__robot_add_mass(m->r, sum->link, sum->mass, com, J);
}

// ---- bodies

// What a site fills, for those who measure within it.
static void read_zone(const mjcf_element* s, mjcf_site* site)
{
    const char* type = tml__mjcf_get(s, "type");
    double size[3] = {0.005, 0.005, 0.005};
    const int given = tml__mjcf_list(s, "size", 0, 3, size);
    if (given == 1) size[1] = size[2] = size[0];
    site->zone = TML_SHAPE_SPHERE;
    site->size = v3(size[0], size[1], size[2]);
    if (type == NULL || !tml_shape_kind_find(type, &site->zone)) return;
    const bool is_long = site->zone == TML_SHAPE_CAPSULE || site->zone == TML_SHAPE_CYLINDER;
    if (is_long) site->size = v3(size[0], 0.0, 2.0 * size[1]);
    if (site->zone == TML_SHAPE_BOX) site->size = v3_scale(2.0, site->size);
}

static void add_site(mjcf* m, const xml* e, const xml* scope, int of, pose frame)
{
    const mjcf_element s = tml__mjcf_open(m, e, scope, "site");
    const char* name = tml__xml_attribute(e, "name");
    const pose local = pose_mul(frame, tml__mjcf_pose(&s));
    if (name == NULL) return;
    if (m->site_names == NULL) m->site_names = tml__names_create();
    mjcf_site* list =
        tml__robot_grow(m->r, m->sites, m->site_count, &m->site_capacity, sizeof *list);
    if (list == NULL) return;
    m->sites = list;
    list[m->site_count] = (mjcf_site){.name = name, .link = of, .local = local};
    read_zone(&s, &list[m->site_count]);
    if (m->site_names == NULL || (tml__names_find(m->site_names, name) < 0 &&
                                  !tml__names_add(m->site_names, name, m->site_count))) {
        tml__robot_refuse(m->r, NULL, TML_NO_MEMORY, "out of memory");
    }
    m->site_count++;
}

int tml__mjcf_find_site(const mjcf* m, const char* name)
{
    return m->site_names != NULL ? tml__names_find(m->site_names, name) : -1;
}

static const xml* child_class(mjcf* m, const xml* e, const xml* scope)
{
    const char* name = tml__xml_attribute(e, "childclass");
    return name != NULL ? tml__mjcf_class(m, e, name) : scope;
}

static void read_body(mjcf* m, const xml* e, const xml* scope, int parent, pose frame);

// What stands in a body, or in a frame inside it. Bodies come last, as they do in MuJoCo, so that
// the joints of a link stand together.
static void read_content(mjcf* m, const xml* e, const xml* scope, pose frame, geom_sum* sum)
{
    const int of = sum->link;
    for (const xml* c = e->first; c != NULL && m->r->status == TML_OK; c = c->next) {
        if (tml__xml_is(c, "geom")) {
            tml__mjcf_geom(m, c, scope, frame, sum);
        } else if (tml__xml_is(c, "joint") && of >= 0) {
            read_joint(m, c, scope, of);
        } else if (tml__xml_is(c, "freejoint") && of >= 0) {
            add_free(m, c, of);
        } else if (tml__xml_is(c, "site")) {
            add_site(m, c, scope, of, frame);
        } else if (tml__xml_is(c, "frame")) {
            const mjcf_element f = {m, c, NULL, NULL};
            read_content(m, c, child_class(m, c, scope), pose_mul(frame, tml__mjcf_pose(&f)), sum);
        } else if (!tml__xml_is(c, "body") && !tml__xml_is(c, "inertial") &&
                   !tml__xml_is(c, "camera") && !tml__xml_is(c, "light")) {
            char feature[100];
            snprintf(feature, sizeof feature, "'%.60s' in a body", c->name);
            tml__robot_lint(m->r, c, feature, "not simulated");
        }
    }
}

// Bodies of a frame belong to the body around it.
static void read_children(mjcf* m, const xml* e, const xml* scope, int parent, pose frame)
{
    for (const xml* c = e->first; c != NULL && m->r->status == TML_OK; c = c->next) {
        if (tml__xml_is(c, "body")) {
            read_body(m, c, scope, parent, frame);
        } else if (tml__xml_is(c, "frame")) {
            const mjcf_element f = {m, c, NULL, NULL};
            read_children(m, c, child_class(m, c, scope), parent,
                          pose_mul(frame, tml__mjcf_pose(&f)));
        }
    }
}

static void read_body(mjcf* m, const xml* e, const xml* outer, int parent, pose frame)
{
    robot* r = m->r;
    const mjcf_element b = {m, e, NULL, NULL};
    const xml* scope = child_class(m, e, outer);
    const pose local = pose_mul(frame, tml__mjcf_pose(&b));
    robot_link* l = tml__robot_add_link(r, e, tml__xml_attribute(e, "name"), parent, local);
    if (l == NULL) return;
    const int of = r->link_count - 1;
    tml__mjcf_number(&b, "gravcomp", &l->gravity_compensation);
    if (tml__mjcf_is(&b, "mocap", "true")) {
        tml__robot_lint(r, e, "mocap body", "it stands still where the file puts it");
    }
    const xml* inertial = tml__xml_child(e, "inertial");
    const bool is_given = inertial != NULL && m->inertia_from_geom != 1;
    geom_sum sum = {.link = of, .weighs = !is_given && m->inertia_from_geom != 0};
    if (is_given) read_inertial(m, inertial, of);
    read_content(m, e, scope, pose_identity(), &sum);
    if (r->status == TML_OK) weigh_geoms(m, &sum);
    read_children(m, e, scope, of, pose_identity());
}

void tml__mjcf_bodies(mjcf* m, const xml* worldbody)
{
    geom_sum sum = {.link = -1};
    const xml* scope = child_class(m, worldbody, NULL);
    read_content(m, worldbody, scope, pose_identity(), &sum);
    read_children(m, worldbody, scope, -1, pose_identity());
}
