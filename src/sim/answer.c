// sim/answer.c - what can be asked about the accepted state.
#include "sim/account.h"
#include "sim/lean.h"
#include "sim/lean_contact.h"
#include "sim/soft_contact.h"
#include "sim/soft_points.h"

#include <string.h>

// Targets at the accepted instant: as the caller last gave them, or the model's.
void tml__sim_aim(tml_sim* sim)
{
    drive* given = sim->given;
    if (sim->model->control_count == 0) {
        tml__maximal_time(sim->system, sim->time, NULL);
        return;
    }
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &sim->model->joints[j].axis[k];
            if (a->control_index < 0) continue;
            const drive scene = tml__control_eval(&a->control, sim->time);
            given[a->control_index] = scene;
            given[a->control_index].value = sim->controls[a->control_index];
        }
    }
    tml__maximal_time(sim->system, sim->time, given);
}

// Targets, bodies and rows of the accepted state, unless the last step has left them there.
static void stand_at_state(tml_sim* sim)
{
    maximal_system* s = sim->system;

    if (sim->placed == s->placements) return;
    tml__sim_aim(sim);
    sim->gap = tml__sim_stand(sim, sim->past_q[0], sim->past_v[0], sim->own);
    sim->placed = s->placements;
}

// What compliant contacts have stored.
static double contact_energy(const tml_sim* sim)
{
    const double stiffness = sim->settings.contact.stiffness;
    double sum = 0.0;
    if (sim->contacts == NULL || !(stiffness > 0.0)) return 0.0;
    for (int64_t i = 0; i < sim->contacts->now.count; i++) {
        const double push = sim->contacts->now.list[i].push;
        sum += 0.5 * push * push / stiffness;
    }
    return sum;
}

void tml__sim_answer(tml_sim* sim)
{
    if (sim->has_answers) return;
    maximal_system* s = sim->system;

    if (tml__is_lean(sim)) {
        tml__sim_aim(sim);
        sim->gap = tml__lean_gap(sim, sim->past_q[0]);
        sim->energy = tml__lean_energy(sim);
        sim->energy.potential += contact_energy(sim);
        sim->has_answers = 1;
        return;
    }
    stand_at_state(sim);
    memcpy(sim->coordinates, s->hints,
           (size_t)sim->model->all.joint_count * TML_AXES * sizeof(double));
    tml__maximal_energy(s, &sim->energy.kinetic, &sim->energy.potential);
    sim->energy.potential += tml__maximal_row_energy(s) + contact_energy(sim);
    if (sim->form->shape_energy != NULL) sim->form->shape_energy(sim, &sim->energy);
    if (sim->soft != NULL) {
        tml__soft_energy(sim->soft, sim->past_q[0], sim->past_v[0], &sim->energy);
    }
    sim->has_answers = 1;
}

static void find_loads(tml_sim* sim)
{
    maximal_system* s = sim->system;

    if (tml__is_lean(sim)) {
        tml__sim_aim(sim);
        tml__lean_move_led(sim);
    } else {
        stand_at_state(sim);
    }
    if (sim->contacts != NULL) s->touching = sim->contacts->now.wrenches;
    s->touching = tml__soft_touch_felt(sim->soft, s->touching);
    if (tml__is_lean(sim)) s->touching = tml__lean_felt(sim, s->touching);
    memcpy(sim->reported, sim->lambda, (size_t)s->row_count * sizeof(double));
    if (sim->form->multipliers != NULL && sim->form->multipliers(sim, sim->reported) != TML_OK) {
        // a singular pose: the step's own multipliers balance as well
        memcpy(sim->reported, sim->lambda, (size_t)s->row_count * sizeof(double));
        s->unsettled_loads++;
    }
    sim->has_loads = 1;
    if (tml__is_lean(sim)) {
        tml__lean_find_led_loads(sim);
        s->touching = NULL;
        return;
    }
    stand_at_state(sim);  // the formulation's own multipliers may have moved it
    tml__maximal_least_norm(s, sim->reported);
    tml__maximal_joint_loads(s, sim->reported, sim->loads);
    s->touching = NULL;
}

static void swap_numbers(double** a, double** b)
{
    double* kept = *a;
    *a = *b;
    *b = kept;
}

// The accepted state and the one in sim->next change places.
static void swap_states(tml_sim* sim)
{
    swap_numbers(&sim->past_q[0], &sim->next.q);
    swap_numbers(&sim->past_v[0], &sim->next.v);
    swap_numbers(&sim->lambda, &sim->next.lambda);
    swap_numbers(&sim->own, &sim->next.own);
    swap_numbers(&sim->controls, &sim->tried_controls);
    tml__contacts_accept(sim->contacts);
    tml__soft_touch_accept(sim->soft);
}

// Do bodies touch where the step that was tried starts? What meets within it does not count.
static bool touches_at_start(const tml_sim* sim)
{
    const sim_contacts* c = sim->contacts;
    const double touching = 1e-6;  // m; the least slop of a contact
    for (int i = 0; i < c->found_count; i++) {
        if (c->found[i].gap <= touching) return true;
    }
    return false;
}

// What joints transmit at t = 0 where bodies touch follows from the forces of contacts, and only a step
// finds those: the loads are those of the first step, which is tried and not kept.
static void find_first_loads(tml_sim* sim)
{
    maximal_system* s = sim->system;
    const double time = sim->time;
    const size_t sides = (size_t)s->limit_count * sizeof *sim->sides;
    sim->contacts->found_count = 0;
    const tml_status status = tml__sim_try_step(sim);
    sim->placed = -1;
    if (status != TML_OK || !touches_at_start(sim)) {
        memcpy(s->sides, sim->sides, sides);
        find_loads(sim);
        if (status != TML_OK) s->unsettled_loads++;  // without whatever may touch
        return;
    }
    swap_states(sim);
    sim->time += sim->settings.step;
    find_loads(sim);
    sim->time = time;
    swap_states(sim);
    memcpy(s->sides, sim->sides, sides);
    sim->placed = -1;
    if (!tml__is_lean(sim)) stand_at_state(sim);
}

bool tml__sim_touches_at_start(tml_sim* sim)
{
    message unused = {{0}};
    if (sim->step_index > 0 || sim->contacts == NULL) return false;
    if (sim->placed_links == NULL) {
        tml__sim_place(sim, sim->past_q[0], sim->past_v[0], sim->own);
    }
    const rigid* bodies = sim->placed_links != NULL ? tml__lean_place(sim) : sim->system->bodies;
    return tml__contacts_detect(sim->contacts, bodies, &unused) != TML_OK || touches_at_start(sim);
}

// Loads cost a factorisation where rows may be redundant, so only those who ask pay for them.
static void answer_loads(tml_sim* sim)
{
    if (sim->has_loads) return;
    if (sim->step_index == 0 && sim->contacts != NULL) {
        find_first_loads(sim);
    } else {
        find_loads(sim);
    }
}

// The answers are a cache inside the simulation, which belongs to one thread at a time.
static tml_sim* own(const tml_sim* sim)
{
    union {
        const tml_sim* given;
        tml_sim* own;
    } cast = {.given = sim};
    return cast.own;
}

static void answer(const tml_sim* sim) { tml__sim_answer(own(sim)); }

static void ask_loads(const tml_sim* sim) { answer_loads(own(sim)); }

static int has_body(const tml_sim* sim, tml_body body)
{
    return sim != NULL && !sim->is_dead && body.index >= 0 &&
           body.index < sim->model->all.body_count;
}

static int has_joint(const tml_sim* sim, tml_joint joint)
{
    return sim != NULL && !sim->is_dead && joint.index >= 0 &&
           joint.index < sim->model->all.joint_count;
}

const tml_model* tml_sim_model(const tml_sim* sim) { return sim != NULL ? sim->given_model : NULL; }

double tml_sim_time(const tml_sim* sim) { return sim != NULL ? sim->time : 0.0; }
const char* tml_sim_message(const tml_sim* sim)
{
    return sim != NULL ? sim->why.text : TML__NO_OBJECT;
}

const tml_sim_settings* tml_sim_get_settings(const tml_sim* sim)
{
    return sim != NULL ? &sim->settings : NULL;
}

tml_pose tml_sim_pose(const tml_sim* sim, tml_body body)
{
    if (!has_body(sim, body)) return (tml_pose){.q = {1.0, 0.0, 0.0, 0.0}};
    const body_data* b = &sim->model->bodies[body.index];
    vec3 c = b->c;
    quat q = b->q;
    if (b->node >= 0) {
        const double* x = &sim->past_q[0][b->node * POSE_WIDTH];
        c = v3_load(x);
        q = q_normalize((quat){x[3], x[4], x[5], x[6]});
    }
    return (tml_pose){.p = v3_sub(c, q_rotate(q, b->com)), .q = q};
}

tml_velocity tml_sim_velocity(const tml_sim* sim, tml_body body)
{
    if (!has_body(sim, body) || sim->model->bodies[body.index].node < 0) {
        return (tml_velocity){.linear = {0.0, 0.0, 0.0}};
    }
    const body_data* b = &sim->model->bodies[body.index];
    const double* x = &sim->past_q[0][b->node * POSE_WIDTH];
    const double* v = &sim->past_v[0][b->node * POSE_WIDTH];
    const quat q = {x[3], x[4], x[5], x[6]};
    const quat w = {v[3], v[4], v[5], v[6]};
    const vec3 omega = v3_scale(2.0 / q_dot(q, q), q_G(q, w));
    const vec3 r = q_rotate(q_normalize(q), b->com);
    return (tml_velocity){.linear = v3_sub(v3_load(v), v3_cross(omega, r)), .angular = omega};
}

// The number of a vertex among those of the model, -1 where there is none.
static int vertex_of(const tml_sim* sim, int deformable, int vertex)
{
    if (sim == NULL || sim->is_dead || sim->soft == NULL) return -1;
    const tml_deformable_def* def = tml_model_deformable(sim->model, deformable);
    if (def == NULL || vertex < 0 || vertex >= def->vertex_count) return -1;
    return sim->model->soft[deformable].first + vertex;
}

tml_vec3 tml_sim_vertex(const tml_sim* sim, int deformable, int vertex)
{
    const int number = vertex_of(sim, deformable, vertex);
    if (number >= 0) {
        return tml__nodal_vertex(sim->soft->nodes, sim->past_q[0] + sim->soft->first, number);
    }
    const tml_deformable_def* def =
        sim != NULL ? tml_model_deformable(sim->model, deformable) : NULL;
    const bool is_there = def != NULL && vertex >= 0 && vertex < def->vertex_count;
    return is_there ? def->vertices[vertex] : v3_zero();
}

tml_vec3 tml_sim_vertex_velocity(const tml_sim* sim, int deformable, int vertex)
{
    const int number = vertex_of(sim, deformable, vertex);
    if (number < 0) return v3_zero();
    return tml__nodal_vertex_velocity(sim->soft->nodes, sim->past_v[0] + sim->soft->first, number);
}

tml_load tml_sim_joint_load(const tml_sim* sim, tml_joint joint)
{
    if (!has_joint(sim, joint)) return (tml_load){.force = {0.0, 0.0, 0.0}};
    ask_loads(sim);
    // a ball's multipliers are its force, along the base's axes
    if (tml__is_lean(sim)) {
        tml_load led;
        if (tml__lean_led_load(sim, joint.index, &led)) return led;
        return (tml_load){.force = v3_load(&sim->reported[3 * joint.index])};
    }
    return (tml_load){sim->loads[joint.index].force, sim->loads[joint.index].moment};
}

int tml_sim_joint_coordinates(const tml_sim* sim, tml_joint joint, double out[TML_AXES])
{
    if (out == NULL) return 0;
    int count = 0;
    if (!has_joint(sim, joint)) return 0;
    answer(sim);
    for (int k = 0; k < TML_AXES; k++) {
        if (!sim->model->joints[joint.index].axis[k].is_free) continue;
        out[count++] = tml__is_lean(sim) ? tml__lean_coordinate(sim, joint.index, (tml_axis)k)
                                         : sim->coordinates[joint.index * TML_AXES + k];
    }
    return count;
}

void tml_sim_joint_multipliers(const tml_sim* sim, tml_joint joint, double out[TML_AXES])
{
    if (out == NULL) return;
    for (int k = 0; k < TML_AXES; k++) out[k] = 0.0;
    if (!has_joint(sim, joint)) return;
    ask_loads(sim);
    // what leads a body has none: its load follows from its motion
    for (int k = 0; k < 3 && tml__is_lean(sim); k++) out[k] = sim->reported[3 * joint.index + k];
    if (tml__is_lean(sim)) return;
    const joint_rows* rows = &sim->system->rows[joint.index];
    for (int r = 0; r < rows->count; r++) {
        out[rows->row[r].axis] = sim->reported[sim->system->first_row[joint.index] + r];
    }
}

tml_energy tml_sim_energy(const tml_sim* sim)
{
    if (sim == NULL || sim->is_dead) return (tml_energy){0.0, 0.0};
    answer(sim);
    return sim->energy;
}

double tml_sim_gap(const tml_sim* sim)
{
    if (sim == NULL || sim->is_dead) return 0.0;
    answer(sim);
    return sim->gap;
}

// Contacts of bodies with each other; those of deformables come after them.
static int body_contacts(const tml_sim* sim)
{
    return sim->contacts != NULL ? (int)sim->contacts->now.count : 0;
}

int tml_sim_contact_count(const tml_sim* sim)
{
    if (sim == NULL || sim->is_dead) return 0;
    const soft_kept_set* soft = tml__soft_touch_kept(sim->soft);
    return body_contacts(sim) + (soft != NULL ? (int)soft->count : 0);
}

static tml_contact soft_contact(const tml_sim* sim, const soft_kept* k)
{
    const tml_model* m = sim->model;
    const soft_spot spot = tml__points_spot(m, k->spot);
    return (tml_contact){
        .a = {-2},  // no body, nor the world
        .b = k->body == tml__world(m) ? TML_WORLD : (tml_body){k->body},
        .point = k->point,
        .normal = k->normal,
        .gap = k->gap,
        .force = k->force,
        .deformable = spot.deformable,
        .vertex = spot.vertex,
        .surface_point = spot.point,
    };
}

tml_contact tml_sim_contact(const tml_sim* sim, int index)
{
    if (index < 0 || index >= tml_sim_contact_count(sim)) {
        return (tml_contact){
            .a = TML_WORLD, .b = TML_WORLD, .deformable = -1, .vertex = -1, .surface_point = -1};
    }
    const int bodies = body_contacts(sim);
    if (index >= bodies) {
        return soft_contact(sim, &tml__soft_touch_kept(sim->soft)->list[index - bodies]);
    }
    const kept_contact* k = &sim->contacts->now.list[index];
    const int world = tml__world(sim->model);
    return (tml_contact){
        .a = k->body_a == world ? TML_WORLD : (tml_body){k->body_a},
        .b = k->body_b == world ? TML_WORLD : (tml_body){k->body_b},
        .point = k->point,
        .normal = k->normal,
        .gap = k->gap,
        .force = k->force,
        .deformable = -1,
        .vertex = -1,
        .surface_point = -1,
    };
}

static const char* method_name(kkt_method method)
{
    switch (method) {
    case KKT_DENSE: return "dense";
    case KKT_KLU: return "klu";
    case KKT_AUGMENTED: return "augmented";
    case KKT_NODES: return "nodes";
    case KKT_TWO_STEP: return "two_step";
    case KKT_NONE: return "none";
    case KKT_AUTO:
    case KKT_AUTO_NODES: break;
    }
    return "auto";
}

tml_sim_report tml_sim_get_report(const tml_sim* sim)
{
    if (sim == NULL) return (tml_sim_report){.solver = "none"};
    tml_sim_report report = sim->report;
    report.solver =
        sim->system != NULL ? method_name(tml__kkt_method(sim->system->matrix)) : "none";
    if (sim->is_kinematic) report.solver = "two_step";
    if (sim->account != NULL) tml__account_tell(sim, &report);
    if (!sim->is_dead && sim->form->solver_name != NULL)
        report.solver = sim->form->solver_name(sim);
    if (sim->system != NULL) {
        report.assembly_seconds = sim->system->assembly_seconds;
        report.solver_seconds = sim->system->solver_seconds;
        report.unsettled_loads = sim->system->unsettled_loads;
    }
    return report;
}

void tml_sim_measure(tml_sim* sim, bool is_on)
{
    if (sim != NULL && !sim->is_dead) sim->system->is_measured = is_on;
}
