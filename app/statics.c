// app/statics.c - `trammel statics`: where a mechanism comes to rest, and what its joints carry.
#include "app/json.h"
#include "app/load.h"

#include <stdio.h>
#include <stdlib.h>

static const option statics_options[] = {
    {"load-steps", OPTION_WHOLE, "N", "let gravity and wrenches grow in N parts", 1, 1e6},
    {"out", OPTION_TEXT, "FILE", "write the scene at rest", 0, 0},
    {"json", OPTION_FLAG, NULL, "print poses, loads and stability as JSON", 0, 0},
};

// ---- for people

static void tell(const loaded* l, const tml_sim* sim, const tml_statics_report* r)
{
    const char* name = tml_model_name(l->model);
    printf("%s: %s equilibrium in %d iteration%s, bodies moved by up to %.3g m and %.3g rad\n",
           name[0] != '\0' ? name : l->name, tml_stability_name(r->stability), r->iterations,
           r->iterations == 1 ? "" : "s", r->moved, r->turned);
    printf("what is left accelerates at most %.2g m/s^2 or rad/s^2, gap %.2g\n", r->imbalance,
           tml_sim_gap(sim));
    if (r->freedoms < 0) {
        printf("stability is not told: more than %d freedoms of bodies\n", TML_STATICS_FREEDOMS);
    } else {
        printf("%d freedom%s: %d run away, %d meet no force; softest %.6g 1/s^2\n", r->freedoms,
               r->freedoms == 1 ? "" : "s", r->unstable, r->neutral, r->softest);
    }
    printf("\n%-24s %12s %12s %12s   %12s %12s %12s\n", "joint", "fx", "fy", "fz", "mx", "my",
           "mz");
    for (int j = 0; j < tml_model_joint_count(l->model); j++) {
        const tml_load load = tml_sim_joint_load(sim, (tml_joint){j});
        printf("%-24s %12.6g %12.6g %12.6g   %12.6g %12.6g %12.6g\n",
               tml_model_joint_name(l->model, (tml_joint){j}), load.force.x, load.force.y,
               load.force.z, load.moment.x, load.moment.y, load.moment.z);
    }
}

// ---- for programs

static void print_bodies(json_object* o, const loaded* l, const tml_sim* sim)
{
    const int count = tml_model_body_count(l->model);
    json_list_begin(o, "poses");
    for (int b = 0; b < count; b++) {
        const tml_pose pose = tml_sim_pose(sim, (tml_body){b});
        json_list_item(b);
        printf("{\"body\": ");
        json_quoted(tml_model_body_name(l->model, (tml_body){b}));
        printf(", \"position\": [%.17g, %.17g, %.17g]", pose.p.x, pose.p.y, pose.p.z);
        printf(", \"orientation\": [%.17g, %.17g, %.17g, %.17g]}", pose.q.w, pose.q.x, pose.q.y,
               pose.q.z);
    }
    json_list_end(count);
}

static void print_loads(json_object* o, const loaded* l, const tml_sim* sim)
{
    const int count = tml_model_joint_count(l->model);
    json_list_begin(o, "loads");
    for (int j = 0; j < count; j++) {
        const tml_load load = tml_sim_joint_load(sim, (tml_joint){j});
        json_list_item(j);
        printf("{\"joint\": ");
        json_quoted(tml_model_joint_name(l->model, (tml_joint){j}));
        printf(", \"force\": [%.17g, %.17g, %.17g]", load.force.x, load.force.y, load.force.z);
        printf(", \"moment\": [%.17g, %.17g, %.17g]}", load.moment.x, load.moment.y, load.moment.z);
    }
    json_list_end(count);
}

static void print_vertices(json_object* o, const loaded* l, const tml_sim* sim)
{
    const int count = tml_model_deformable_count(l->model);
    if (count == 0) return;
    json_list_begin(o, "deformables");
    for (int i = 0; i < count; i++) {
        const tml_deformable_def* def = tml_model_deformable(l->model, i);
        json_list_item(i);
        printf("{\"deformable\": ");
        json_quoted(def->name);
        printf(", \"vertices\": [");
        for (int k = 0; k < def->vertex_count; k++) {
            const tml_vec3 x = tml_sim_vertex(sim, i, k);
            printf("%s[%.17g, %.17g, %.17g]", k > 0 ? ", " : "", x.x, x.y, x.z);
        }
        printf("]}");
    }
    json_list_end(count);
}

static void tell_json(const loaded* l, const tml_sim* sim, const tml_statics_report* r)
{
    json_object o = json_open();
    json_text(&o, "status", "ok");
    json_whole(&o, "iterations", r->iterations);
    json_number(&o, "imbalance", r->imbalance);
    json_number(&o, "max_gap", tml_sim_gap(sim));
    json_number(&o, "moved", r->moved);
    json_number(&o, "turned", r->turned);
    json_text(&o, "stability", tml_stability_name(r->stability));
    if (r->freedoms >= 0) {
        json_whole(&o, "freedoms", r->freedoms);
        json_whole(&o, "unstable", r->unstable);
        json_whole(&o, "neutral", r->neutral);
        json_number(&o, "softest", r->softest);
    }
    json_number(&o, "energy_potential", tml_sim_energy(sim).potential);
    print_bodies(&o, l, sim);
    print_loads(&o, l, sim);
    print_vertices(&o, l, sim);
    json_close(&o);
}

static void tell_failure(const arguments* given, const char* why)
{
    if (!option_is_given(given, "json")) return;
    json_object o = json_open();
    json_text(&o, "status", "failed");
    json_text(&o, "message", why);
    json_close(&o);
}

// ---- the command

static int write_scene(const loaded* l, const tml_sim* sim, const char* path)
{
    if (tml_model_deformable_count(l->model) > 0) {
        app_error("%s: a scene cannot say how a deformable is bent; --json lists its vertices",
                  l->name);
        return APP_BAD_INPUT;
    }
    const int count = tml_model_body_count(l->model);
    tml_pose* poses = calloc((size_t)count + 1, sizeof *poses);
    if (poses == NULL) {
        app_error("%s: no memory", l->name);
        return APP_FAILED;
    }
    for (int b = 0; b < count; b++) poses[b] = tml_sim_pose(sim, (tml_body){b});
    const bool is_written = tml_spec_set_poses(tml_scene_spec(l->scene), poses) == TML_OK &&
                            tml_scene_write_file(l->scene, path) == TML_OK;
    free(poses);
    if (!is_written) app_error("%s", tml_scene_message(l->scene));
    return is_written ? APP_DONE : APP_BAD_INPUT;
}

static int settle(const arguments* given, loaded* l)
{
    tml_statics_settings settings = tml_statics_settings_default();
    tml_statics_report report;
    tml_sim* sim = NULL;
    char why[1024] = "";

    // the equilibrium does not depend on the formulation; the one that finds it is quaternion
    tml_scene_settings(l->scene)->sim.formulation = TML_FORM_QUATERNION;
    tml_scene_settings(l->scene)->sim.integrator = TML_TIME_BDF2;
    if (option_is_given(given, "load-steps")) {
        settings.load_steps = (int)option_whole(given, "load-steps");
    }
    int code = create_sim(l, &sim, why, sizeof why);
    if (code == APP_DONE) {
        const tml_status status = tml_sim_settle(sim, &settings, &report);
        if (status != TML_OK) {
            snprintf(why, sizeof why, "%s", tml_sim_message(sim));
            app_error("%s: %s", l->name, why);
            code = app_exit_code(status);
        }
    }
    if (code != APP_DONE) {
        tell_failure(given, why);
    } else if (option_is_given(given, "json")) {
        tell_json(l, sim, &report);
    } else {
        tell(l, sim, &report);
    }
    if (code == APP_DONE && option_is_given(given, "out")) {
        code = write_scene(l, sim, option_text(given, "out"));
    }
    tml_sim_destroy(sim);
    return code == APP_DONE ? app_finish_output() : code;
}

static int run_statics(const arguments* given)
{
    loaded l = {0};
    int code = load_closed(given, &l);
    if (code == APP_DONE) code = settle(given, &l);
    unload(&l);
    return code;
}

const command command_statics = {
    "statics",
    "SCENE",
    "where the mechanism comes to rest, and what its joints carry",
    "Moves the bodies downhill along the closed joints to where all forces balance (targets and\n"
    "controls as at t = 0), and prints the loads of the joints and whether the equilibrium is "
    "stable:\n"
    "the softest direction's stiffness over mass is the square of the lowest natural frequency.\n"
    "Exit status 1 when no equilibrium is found; the message names the body that still falls.",
    {{sizeof statics_options / sizeof statics_options[0], statics_options},
     {OVERRIDES, override_options}},
    1,
    1,
    run_statics,
};
