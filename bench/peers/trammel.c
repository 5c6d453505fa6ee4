// bench/peers/trammel.c - Trammel as one engine among the others, told no more than they are.
#include "bench/peers/engines.h"

#include <trammel/trammel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trammel_run {
    tml_spec* spec;
    tml_model* model;
    tml_sim* sim;
} trammel_run;

static void destroy(void* self)
{
    trammel_run* r = self;
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_spec_destroy(r->spec);
    free(r);
}

static tml_joint_def joint_of(const peer_joint* from)
{
    tml_joint_def def = tml_joint_def_default();
    def.base.index = from->base;
    def.follower.index = from->follower;
    def.position = from->point;
    switch (from->kind) {
    case PEER_MIXED:  // never given to it
    case PEER_WELD: def.kind = TML_JOINT_FIXED; break;
    case PEER_BALL: def.kind = TML_JOINT_SPHERICAL; break;
    case PEER_SLIDE: def.kind = TML_JOINT_PRISMATIC; break;
    case PEER_HINGE: def.kind = TML_JOINT_REVOLUTE; break;
    }
    if (from->kind == PEER_HINGE || from->kind == PEER_SLIDE) def.axis = from->axis[0];
    return def;
}

static tml_vec3 cross(tml_vec3 a, tml_vec3 b)
{
    return (tml_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static void two_turns(const peer_joint* from, tml_joint_def* def)
{
    def->kind = TML_JOINT_UNIVERSAL;
    def->has_axes = 1;
    def->axes[0] = from->axis[0];
    def->axes[1] = from->axis[1];
    def->axes[2] = cross(from->axis[0], from->axis[1]);
}

static void fill(tml_spec* spec, const peer_scene* s)
{
    tml_spec_set_gravity(spec, s->gravity);
    for (int i = 0; i < s->body_count; i++) {
        const peer_body* b = &s->bodies[i];
        tml_body_def def = tml_body_def_default();
        def.mass = b->mass;
        memset(def.inertia, 0, sizeof def.inertia);
        def.inertia[0] = b->inertia.x;
        def.inertia[1] = b->inertia.y;
        def.inertia[2] = b->inertia.z;
        def.pose = b->pose;
        def.velocity = b->velocity;
        def.shape_count = b->shape_count;
        def.shapes = &s->shapes[b->shape_first];
        tml_spec_add_body(spec, &def);
    }
    for (int k = 0; k < s->world_count; k++) {
        tml_spec_add_world_shape(spec, &s->shapes[s->world_first + k]);
    }
    for (int j = 0; j < s->joint_count; j++) {
        tml_joint_def def = joint_of(&s->joints[j]);
        if (s->joints[j].axis_count > 1) two_turns(&s->joints[j], &def);
        tml_spec_add_joint(spec, &def);
    }
}

static void* create(const peer_engine* self, const peer_scene* scene, double step, char* why)
{
    trammel_run* r = calloc(1, sizeof *r);
    tml_sim_settings settings = tml_sim_settings_default();
    snprintf(why, PEER_WHY, "no memory");
    if (r == NULL) return NULL;
    r->spec = tml_spec_create();
    if (r->spec != NULL) fill(r->spec, scene);
    if (r->spec == NULL || tml_spec_build(r->spec, &r->model) != TML_OK) {
        snprintf(why, PEER_WHY, "%s", r->spec != NULL ? tml_spec_message(r->spec) : "no memory");
        destroy(r);
        return NULL;
    }
    settings.formulation = (tml_formulation)self->choice[0];
    settings.integrator = (tml_integrator)self->choice[1];
    settings.step = step;
    settings.contact.is_on = scene->has_contact;
    if (scene->has_contact) {
        settings.contact.max_contacts = 12 * scene->body_count + 200;
        settings.contact.pgs_iterations = self->choice[2];
    } else if (self->choice[2] > 0) {
        snprintf(why, PEER_WHY, "sweeps are for contact");
        destroy(r);
        return NULL;
    }
    if (tml_sim_create(r->model, &settings, &r->sim) != TML_OK) {
        snprintf(why, PEER_WHY, "%s", tml_sim_message(r->sim));
        destroy(r);
        return NULL;
    }
    return r;
}

static int step(void* self)
{
    const trammel_run* r = self;
    return tml_sim_step(r->sim, NULL) == TML_OK;
}

static void read(void* self, peer_state* states)
{
    const trammel_run* r = self;
    for (int i = 0; i < tml_model_body_count(r->model); i++) {
        states[i].pose = tml_sim_pose(r->sim, (tml_body){i});
        states[i].velocity = tml_sim_velocity(r->sim, (tml_body){i});
    }
}

static const char* why(const void* self)
{
    const trammel_run* r = self;
    return tml_sim_message(r->sim);
}

#define SWEPT(title, formulation, integrator, sweeps)                                              \
    {                                                                                              \
        title, "Trammel", create, step, read, why, NULL, destroy,                                  \
            {formulation, integrator, sweeps}, 0.0                                                 \
    }
#define TRAMMEL(title, formulation, integrator) SWEPT(title, formulation, integrator, 0)

const peer_engine peer_trammel[] = {
    TRAMMEL("trammel variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL),
    TRAMMEL("trammel variational4", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4),
    TRAMMEL("trammel affine energy", TML_FORM_AFFINE, TML_TIME_ENERGY),
    TRAMMEL("trammel quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2),
    TRAMMEL("trammel quaternion euler", TML_FORM_QUATERNION, TML_TIME_SEMI_IMPLICIT_EULER),
    TRAMMEL("trammel generalized euler", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER),
    SWEPT("trammel swept generalized", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, 20),
    SWEPT("trammel swept affine", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, 20),
    SWEPT("trammel swept quaternion", TML_FORM_QUATERNION, TML_TIME_BDF1, 20),
    SWEPT("trammel swept variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 20),
    TRAMMEL("trammel generalized rk4", TML_FORM_GENERALIZED, TML_TIME_RK4),
    {0},
};
