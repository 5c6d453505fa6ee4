// diff/parameter.c - parameters and quantities by name, and where parameters are among the inputs.
#include "diff/derivatives.h"

#include <stdio.h>
#include <string.h>

// What `index` and `component` of a parameter or quantity mean.
typedef enum subject {
    SUBJECT_NONE,
    SUBJECT_BODY,
    SUBJECT_JOINT,
    SUBJECT_SPRING,
    SUBJECT_CONTROL,
} subject;

typedef struct kind_entry {
    const char* name;
    subject of;
    int components;
    const char* labels;  // of the components, separated by blanks; NULL: one
} kind_entry;

#define XYZ  "x y z"
#define AXES "tx ty tz rx ry rz"

static const kind_entry parameters[TML_PARAMETER_KINDS] = {
    [TML_PARAMETER_GRAVITY] = {"gravity", SUBJECT_NONE, 3, XYZ},
    [TML_PARAMETER_MASS] = {"mass", SUBJECT_BODY, 1, NULL},
    [TML_PARAMETER_INERTIA] = {"inertia", SUBJECT_BODY, 6, "xx yy zz xy xz yz"},
    [TML_PARAMETER_COM] = {"com", SUBJECT_BODY, 3, XYZ},
    [TML_PARAMETER_POSE] = {"pose", SUBJECT_BODY, 6, AXES},
    [TML_PARAMETER_VELOCITY] = {"velocity", SUBJECT_BODY, 6, AXES},
    [TML_PARAMETER_JOINT_POSITION] = {"joint_position", SUBJECT_JOINT, 3, XYZ},
    [TML_PARAMETER_JOINT_TURN] = {"joint_turn", SUBJECT_JOINT, 3, XYZ},
    [TML_PARAMETER_JOINT_STIFFNESS] = {"joint_stiffness", SUBJECT_JOINT, 6, AXES},
    [TML_PARAMETER_JOINT_DAMPING] = {"joint_damping", SUBJECT_JOINT, 6, AXES},
    [TML_PARAMETER_JOINT_REST] = {"joint_rest", SUBJECT_JOINT, 6, AXES},
    [TML_PARAMETER_SERVO_STIFFNESS] = {"servo_stiffness", SUBJECT_JOINT, 6, AXES},
    [TML_PARAMETER_SERVO_DAMPING] = {"servo_damping", SUBJECT_JOINT, 6, AXES},
    [TML_PARAMETER_JOINT_WEIGHT] = {"joint_weight", SUBJECT_JOINT, 6, AXES},
    [TML_PARAMETER_SPRING_STIFFNESS] = {"spring_stiffness", SUBJECT_SPRING, 1, NULL},
    [TML_PARAMETER_SPRING_DAMPING] = {"spring_damping", SUBJECT_SPRING, 1, NULL},
    [TML_PARAMETER_SPRING_REST] = {"spring_rest", SUBJECT_SPRING, 1, NULL},
    [TML_PARAMETER_FRICTION] = {"friction", SUBJECT_BODY, 1, NULL},
    [TML_PARAMETER_RESTITUTION] = {"restitution", SUBJECT_BODY, 1, NULL},
    [TML_PARAMETER_CONTROL] = {"control", SUBJECT_CONTROL, 1, NULL},
};

static const kind_entry quantities[TML_QUANTITY_KINDS] = {
    [TML_QUANTITY_POSITION] = {"position", SUBJECT_BODY, 3, XYZ},
    [TML_QUANTITY_QUATERNION] = {"quaternion", SUBJECT_BODY, 4, "w x y z"},
    [TML_QUANTITY_VELOCITY] = {"velocity", SUBJECT_BODY, 3, XYZ},
    [TML_QUANTITY_ANGULAR_VELOCITY] = {"angular_velocity", SUBJECT_BODY, 3, XYZ},
    [TML_QUANTITY_CONTACT_FORCE] = {"contact_force", SUBJECT_BODY, 3, XYZ},
    [TML_QUANTITY_COORDINATE] = {"coordinate", SUBJECT_JOINT, 6, AXES},
    [TML_QUANTITY_RATE] = {"rate", SUBJECT_JOINT, 6, AXES},
    [TML_QUANTITY_FORCE] = {"force", SUBJECT_JOINT, 3, XYZ},
    [TML_QUANTITY_MOMENT] = {"moment", SUBJECT_JOINT, 3, XYZ},
    [TML_QUANTITY_KINETIC] = {"kinetic", SUBJECT_NONE, 1, NULL},
    [TML_QUANTITY_POTENTIAL] = {"potential", SUBJECT_NONE, 1, NULL},
};

const char* tml_parameter_kind_name(tml_parameter_kind kind)
{
    return (unsigned)kind < TML_PARAMETER_KINDS ? parameters[kind].name : "?";
}

const char* tml_quantity_kind_name(tml_quantity_kind kind)
{
    return (unsigned)kind < TML_QUANTITY_KINDS ? quantities[kind].name : "?";
}

const char* tml_contact_slopes_name(tml_contact_slopes slopes)
{
    static const char* const names[TML_SLOPES] = {"exact", "continuous_bounce",
                                                  "complementarity_aware"};
    return (unsigned)slopes < TML_SLOPES ? names[slopes] : "?";
}

static int find(const kind_entry* list, int count, const char* name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) return i;
    }
    return -1;
}

bool tml_parameter_kind_find(const char* name, tml_parameter_kind* out)
{
    if (name == NULL) return false;
    const int i = find(parameters, TML_PARAMETER_KINDS, name);
    if (i >= 0) *out = (tml_parameter_kind)i;
    return i >= 0;
}

bool tml_quantity_kind_find(const char* name, tml_quantity_kind* out)
{
    if (name == NULL) return false;
    const int i = find(quantities, TML_QUANTITY_KINDS, name);
    if (i >= 0) *out = (tml_quantity_kind)i;
    return i >= 0;
}

// ---- sentences

static void label(const char* labels, int component, char* out, size_t capacity)
{
    const char* from = labels;
    for (int k = 0; k < component && from != NULL; k++) {
        from = strchr(from, ' ');
        if (from != NULL) from++;
    }
    const size_t length = from == NULL ? 0 : strcspn(from, " ");
    snprintf(out, capacity, "%.*s", (int)length, from != NULL ? from : "");
}

static void describe(const tml_model* m, const kind_entry* kind, int index, int component,
                     char* text, size_t capacity)
{
    char part[8] = "";
    const char* gap = "";
    if (kind->labels != NULL) {
        label(kind->labels, component, part, sizeof part);
        gap = " ";
    }
    switch (kind->of) {
    case SUBJECT_NONE: snprintf(text, capacity, "%s%s%s", kind->name, gap, part); return;
    case SUBJECT_BODY:
        snprintf(text, capacity, "%s%s%s of body '%s'", kind->name, gap, part,
                 tml_model_body_name(m, (tml_body){index}));
        return;
    case SUBJECT_JOINT:
        snprintf(text, capacity, "%s%s%s of joint '%s'", kind->name, gap, part,
                 tml_model_joint_name(m, (tml_joint){index}));
        return;
    case SUBJECT_SPRING:
        snprintf(text, capacity, "%s of spring '%s'", kind->name, m->all.springs[index].name);
        return;
    case SUBJECT_CONTROL: {
        const control_axis* id = &m->control_axes[index];
        snprintf(text, capacity, "control of %s of joint '%s'", tml_axis_name(id->axis),
                 tml_model_joint_name(m, (tml_joint){id->joint}));
        return;
    }
    }
}

static int subject_count(const tml_model* m, subject of)
{
    switch (of) {
    case SUBJECT_NONE: return 1;
    case SUBJECT_BODY: return m->all.body_count;
    case SUBJECT_JOINT: return m->all.joint_count;
    case SUBJECT_SPRING: return m->all.spring_count;
    case SUBJECT_CONTROL: return m->control_count;
    }
    return 0;
}

static bool exists(const tml_model* m, const kind_entry* kind, int index, int component)
{
    return index >= 0 && index < subject_count(m, kind->of) && component >= 0 &&
           component < kind->components;
}

void tml_parameter_describe(const tml_model* model, const tml_parameter* p, char* text,
                            size_t capacity)
{
    if (text == NULL || capacity == 0) return;
    text[0] = '\0';
    if (model == NULL || p == NULL || (unsigned)p->kind >= TML_PARAMETER_KINDS ||
        !exists(model, &parameters[p->kind], p->index, p->component)) {
        return;
    }
    describe(model, &parameters[p->kind], p->index, p->component, text, capacity);
    const size_t length = strlen(text);
    if (p->kind == TML_PARAMETER_CONTROL && p->step > 0) {
        snprintf(text + length, capacity - length, " at step %d", p->step);
    }
}

void tml_quantity_describe(const tml_model* model, const tml_quantity* q, char* text,
                           size_t capacity)
{
    if (text == NULL || capacity == 0) return;
    text[0] = '\0';
    if (model == NULL || q == NULL || (unsigned)q->kind >= TML_QUANTITY_KINDS ||
        !exists(model, &quantities[q->kind], q->index, q->component)) {
        return;
    }
    describe(model, &quantities[q->kind], q->index, q->component, text, capacity);
    const size_t length = strlen(text);
    snprintf(text + length, capacity - length, " after step %d", q->step);
}

// ---- checks

static tml_status refuse(tml_derivatives* d, const char* what, const char* name, int index,
                         int component)
{
    return tml__fail(&d->why, TML_BAD_ARGUMENT,
                     "there is no %s '%s' with index %d and component %d in this model", what, name,
                     index, component);
}

static tml_status check_control(tml_derivatives* d, const tml_parameter* p)
{
    if (p->step < 0 || p->step > d->steps) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "control %d is asked for at step %d, but the run has %d steps", p->index,
                         p->step, d->steps);
    }
    for (int k = 1; k <= d->steps; k++) {
        if ((p->step != 0 && p->step != k) || d->has_controls[k]) continue;
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "step %d was not given controls, so control %d is no parameter there", k,
                         p->index);
    }
    return TML_OK;
}

tml_status tml__parameter_check(tml_derivatives* d, const tml_parameter* p)
{
    const tml_model* m = d->sim->model;
    if ((unsigned)p->kind >= TML_PARAMETER_KINDS) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT, "unknown kind of parameter %d", (int)p->kind);
    }
    const kind_entry* kind = &parameters[p->kind];
    if (!exists(m, kind, p->index, p->component)) {
        return refuse(d, "parameter", kind->name, p->index, p->component);
    }
    if (p->kind == TML_PARAMETER_CONTROL) return check_control(d, p);
    const bool is_initial = p->kind == TML_PARAMETER_POSE || p->kind == TML_PARAMETER_VELOCITY;
    if (is_initial && d->begins_inside) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "the run begins inside another one: the initial %s of body '%s' is none "
                         "of its parameters",
                         kind->name, m->all.bodies[p->index].name);
    }
    const bool is_contact =
        p->kind == TML_PARAMETER_FRICTION || p->kind == TML_PARAMETER_RESTITUTION;
    if (is_contact && d->sim->contacts == NULL) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "nothing touches in this run, so the %s of body '%s' is no parameter",
                         kind->name, m->all.bodies[p->index].name);
    }
    if (kind->of == SUBJECT_BODY && !is_contact && m->bodies[p->index].node < 0) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT, "body '%s' is fixed: it has no %s to change",
                         m->all.bodies[p->index].name, kind->name);
    }
    return TML_OK;
}

// Forces of contacts stand behind the state vectors of formulations that keep them there.
static tml_status check_contact_force(tml_derivatives* d, const tml_quantity* q)
{
    const char* name = d->sim->model->all.bodies[q->index].name;
    if (d->sim->contacts == NULL || d->sim->model->bodies[q->index].node < 0) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "nothing touches body '%s' in this run, or it is fixed: it has no contact "
                         "force",
                         name);
    }
    if (d->linear->has_contact_forces && d->extra_count > 0) return TML_OK;
    return tml__fail(&d->why, TML_UNSUPPORTED,
                     "contact forces have no derivatives in formulation '%s' in this version",
                     tml_formulation_name(d->sim->settings.formulation));
}

tml_status tml__quantity_check(tml_derivatives* d, const tml_quantity* q)
{
    const tml_model* m = d->sim->model;
    if ((unsigned)q->kind >= TML_QUANTITY_KINDS) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT, "unknown kind of quantity %d", (int)q->kind);
    }
    const kind_entry* kind = &quantities[q->kind];
    const bool is_axis = q->kind == TML_QUANTITY_COORDINATE || q->kind == TML_QUANTITY_RATE;
    if (!exists(m, kind, q->index, q->component)) {
        return refuse(d, "quantity", kind->name, q->index, q->component);
    }
    if (is_axis && !m->joints[q->index].axis[q->component].is_free) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT, "%s of joint '%s' is held: it has no %s",
                         tml_axis_name((tml_axis)q->component), m->all.joints[q->index].name,
                         kind->name);
    }
    if (q->kind == TML_QUANTITY_CONTACT_FORCE) {
        const tml_status status = check_contact_force(d, q);
        if (status != TML_OK) return status;
    }
    // without it nobody asks for slopes
    if (d->linear != NULL && d->linear->check != NULL) {
        const tml_status status = d->linear->check(d->sim, q);
        if (status != TML_OK) return tml__fail(&d->why, status, "%s", d->sim->why.text);
    }
    if (q->step < 0 || q->step > d->steps) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "%s is asked for after step %d, but the run has %d steps", kind->name,
                         q->step, d->steps);
    }
    return TML_OK;
}

// ---- where a parameter is among the inputs

unsigned tml__parameter_group(const tml_parameter* p)
{
    switch (p->kind) {
    case TML_PARAMETER_GRAVITY:
    case TML_PARAMETER_MASS:
    case TML_PARAMETER_INERTIA: return WANT_BODIES;
    case TML_PARAMETER_COM: return WANT_MARKERS | WANT_POINTS;
    case TML_PARAMETER_POSE:
    case TML_PARAMETER_VELOCITY:
    case TML_PARAMETER_FRICTION:
    case TML_PARAMETER_RESTITUTION: return 0;
    case TML_PARAMETER_JOINT_POSITION:
    case TML_PARAMETER_JOINT_TURN: return WANT_MARKERS;
    case TML_PARAMETER_JOINT_STIFFNESS:
    case TML_PARAMETER_JOINT_DAMPING:
    case TML_PARAMETER_JOINT_REST:
    case TML_PARAMETER_SERVO_STIFFNESS:
    case TML_PARAMETER_SERVO_DAMPING:
    case TML_PARAMETER_JOINT_WEIGHT:
    case TML_PARAMETER_CONTROL: return WANT_AXES;
    case TML_PARAMETER_SPRING_STIFFNESS:
    case TML_PARAMETER_SPRING_DAMPING:
    case TML_PARAMETER_SPRING_REST: return WANT_SPRINGS;
    case TML_PARAMETER_KINDS: break;
    }
    return WANT_ALL;
}

static parameter_slots one(double* at)
{
    return (parameter_slots){.count = 1, .at = {at}, .factor = {1.0}};
}

// How far a marker has been turned from the model as given, body axes.
static vec3 turned(const tml_derivatives* d, int joint, int side)
{
    const joint_data* now = &d->sim->model->joints[joint];
    const joint_data* was = &d->base->model->joints[joint];
    const mat3 turn =
        side == 0 ? m3_mul_bt(now->axes_F, was->axes_F) : m3_mul_bt(now->axes_B, was->axes_B);
    return tml__q_log(tml__q_from_matrix(turn));
}

// Both markers of a joint by a world vector along k in the initial poses, as body axes see it: in those of the
// model as given, whatever numbers it was run with since. Rotation vectors count from there too.
static parameter_slots position_slots(const tml_derivatives* d, const run_inputs* in, int joint,
                                      int first, int k)
{
    const tml_model* m = d->base->model;
    const int body[2] = {m->joints[joint].follower, m->joints[joint].base};
    parameter_slots slots = {.count = 6};

    for (int side = 0; side < 2; side++) {
        const mat3 R = q_matrix(m->bodies[body[side]].q);
        double* numbers = &in->form.marker[(2 * joint + side) * MARKER_PARAMETERS + first];
        vec3 along = {R.m[k][0], R.m[k][1], R.m[k][2]};
        for (int c = 0; c < 3; c++) {
            slots.at[3 * side + c] = &numbers[c];
            slots.factor[3 * side + c] = v3_at(along, c);
        }
    }
    return slots;
}

// The same of a rotation vector. Changes of one that is not zero turn the marker otherwise.
static parameter_slots turn_slots(const tml_derivatives* d, const run_inputs* in, int joint, int k)
{
    parameter_slots slots = position_slots(d, in, joint, 3, k);

    for (int side = 0; side < 2 && d->sim != d->base; side++) {
        double* factor = &slots.factor[3 * side];
        v3_store(factor, tml__q_exp_rate(turned(d, joint, side), v3_load(factor)));
    }
    return slots;
}

parameter_slots tml__change_slots(const tml_derivatives* d, const run_inputs* in,
                                  const tml_parameter* p)
{
    if (p->kind == TML_PARAMETER_JOINT_TURN)
        return position_slots(d, in, p->index, 3, p->component);
    return tml__parameter_slots(d, in, p);
}

parameter_slots tml__parameter_slots(const tml_derivatives* d, const run_inputs* in,
                                     const tml_parameter* p)
{
    const int i = p->index;
    const int k = p->component;
    double* axis = &in->form.axis[(i * TML_AXES + k) * AXIS_PARAMETERS];
    double* spring = &in->form.spring[i * SPRING_PARAMETERS];
    double* initial = &in->initial[i * INITIAL_NUMBERS];

    switch (p->kind) {
    case TML_PARAMETER_GRAVITY: return one(&in->form.gravity[k]);
    case TML_PARAMETER_MASS: return one(&in->form.body[i * BODY_PARAMETERS]);
    case TML_PARAMETER_INERTIA: return one(&in->form.body[i * BODY_PARAMETERS + 1 + k]);
    case TML_PARAMETER_COM: return one(&in->com[3 * i + k]);
    case TML_PARAMETER_POSE: return one(&initial[k]);
    case TML_PARAMETER_VELOCITY: return one(&initial[6 + k]);
    case TML_PARAMETER_JOINT_POSITION: return position_slots(d, in, i, 0, k);
    case TML_PARAMETER_JOINT_TURN: return turn_slots(d, in, i, k);
    case TML_PARAMETER_JOINT_STIFFNESS:  // Rayleigh damping follows it
        return (parameter_slots){.count = 2,
                                 .at = {&axis[AXIS_STIFFNESS], &axis[AXIS_DAMPING]},
                                 .factor = {1.0, d->sim->model->all.rayleigh_stiffness}};
    case TML_PARAMETER_JOINT_DAMPING: return one(&axis[AXIS_DAMPING]);
    case TML_PARAMETER_JOINT_REST: return one(&axis[AXIS_REST]);
    case TML_PARAMETER_SERVO_STIFFNESS: return one(&axis[AXIS_SERVO_STIFFNESS]);
    case TML_PARAMETER_SERVO_DAMPING: return one(&axis[AXIS_SERVO_DAMPING]);
    case TML_PARAMETER_JOINT_WEIGHT: return one(&axis[AXIS_WEIGHT]);
    case TML_PARAMETER_SPRING_STIFFNESS: return one(&spring[0]);
    case TML_PARAMETER_SPRING_DAMPING: return one(&spring[1]);
    case TML_PARAMETER_SPRING_REST: return one(&spring[2]);
    case TML_PARAMETER_FRICTION: return one(&in->contact[2 * i]);
    case TML_PARAMETER_RESTITUTION: return one(&in->contact[2 * i + 1]);
    case TML_PARAMETER_CONTROL:
    case TML_PARAMETER_KINDS: break;
    }
    return (parameter_slots){.count = 0};
}

double tml_parameter_value(const tml_model* m, const tml_parameter* p)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    if (m == NULL || p == NULL || (unsigned)p->kind >= TML_PARAMETER_KINDS ||
        !exists(m, &parameters[p->kind], p->index, p->component)) {
        return 0.0;
    }
    const subject of = parameters[p->kind].of;
    const int k = p->component;
    const body_data* body = of == SUBJECT_BODY ? &m->bodies[p->index] : NULL;
    const axis_data* axis = of == SUBJECT_JOINT ? &m->joints[p->index].axis[k] : NULL;
    const spring_data* spring = of == SUBJECT_SPRING ? &m->springs[p->index] : NULL;
    switch (p->kind) {
    case TML_PARAMETER_GRAVITY: return v3_at(m->all.gravity, k);
    case TML_PARAMETER_MASS: return body->mass;
    case TML_PARAMETER_INERTIA: return body->inertia.m[row[k]][column[k]];
    case TML_PARAMETER_COM: return v3_at(body->com, k);
    case TML_PARAMETER_VELOCITY: {
        const vec3 r = q_rotate(body->q, body->com);
        return k < 3 ? v3_at(v3_sub(body->v, v3_cross(body->omega, r)), k)
                     : v3_at(body->omega, k - 3);
    }
    case TML_PARAMETER_JOINT_STIFFNESS: return axis->stiffness;
    case TML_PARAMETER_JOINT_DAMPING:  // as given: without the Rayleigh part
        return axis->damping - m->all.rayleigh_stiffness * axis->stiffness;
    case TML_PARAMETER_JOINT_REST: return axis->rest;
    case TML_PARAMETER_SERVO_STIFFNESS: return axis->servo_stiffness;
    case TML_PARAMETER_SERVO_DAMPING: return axis->servo_damping;
    case TML_PARAMETER_JOINT_WEIGHT: return axis->weight;
    case TML_PARAMETER_SPRING_STIFFNESS: return spring->stiffness;
    case TML_PARAMETER_SPRING_DAMPING: return spring->damping;
    case TML_PARAMETER_SPRING_REST: return spring->rest_length;
    case TML_PARAMETER_POSE:
    case TML_PARAMETER_JOINT_POSITION:
    case TML_PARAMETER_JOINT_TURN:
    case TML_PARAMETER_FRICTION:
    case TML_PARAMETER_RESTITUTION:
    case TML_PARAMETER_CONTROL:
    case TML_PARAMETER_KINDS: break;
    }
    return 0.0;
}
