// app/info.c - `trammel info`: what a scene contains, before anything moves.
#include "app/findings.h"
#include "app/json.h"
#include "app/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LINES_SHOWN = 60  // of each list of a large scene, unless --all asks for the rest
};

static const option info_options[] = {
    {"all", OPTION_FLAG, NULL, "list every joint and row of a large scene", 0, 0},
    {"json", OPTION_FLAG, NULL, "print the counts as JSON", 0, 0},
};

// ---- joints

// "rx", "tx,rz" or "-"; actuated axes carry a mark: "rx*" is held by a control, "rx!" is pushed.
static void name_free_axes(const tml_model* model, tml_joint joint, char* text, size_t capacity)
{
    static const char* const marks[] = {
        [TML_PASSIVE] = "", [TML_POSITION] = "*", [TML_FORCE] = "!"};
    const tml_joint_def def = tml_model_joint(model, joint);
    tml_axis axes[TML_AXES];
    const int count = tml_model_joint_axes(model, joint, axes);
    size_t used = 0;

    snprintf(text, capacity, "-");
    for (int i = 0; i < count && used < capacity; i++) {
        used += (size_t)snprintf(text + used, capacity - used, "%s%s%s", i > 0 ? "," : "",
                                 tml_axis_name(axes[i]), marks[def.axis_of[axes[i]].actuation]);
    }
}

// Held axes, and free ones that a control holds.
static int count_rows(const tml_model* model, tml_joint joint)
{
    const tml_joint_def def = tml_model_joint(model, joint);
    tml_axis axes[TML_AXES];
    const int count = tml_model_joint_axes(model, joint, axes);
    int rows = TML_AXES - count;

    for (int i = 0; i < count; i++) rows += def.axis_of[axes[i]].actuation == TML_POSITION;
    return rows;
}

static int wider(int width, const char* text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static void print_joints(const tml_model* model, int count)
{
    int name_width = 5;
    int base_width = 4;

    for (int i = 0; i < count; i++) {
        const tml_joint joint = {i};
        name_width = wider(name_width, tml_model_joint_name(model, joint));
        base_width =
            wider(base_width, tml_model_body_name(model, tml_model_joint(model, joint).base));
    }
    printf("\n%-*s  %-11s  %-*s    %-14s  rows  free axes\n", name_width, "joint", "kind",
           base_width, "base", "follower");
    for (int i = 0; i < count; i++) {
        const tml_joint joint = {i};
        const tml_joint_def def = tml_model_joint(model, joint);
        char axes[64];
        name_free_axes(model, joint, axes, sizeof axes);
        printf("%-*s  %-11s  %-*s -> %-14s  %4d  %s\n", name_width,
               tml_model_joint_name(model, joint),
               def.kind == TML_JOINT_CUSTOM ? "custom" : tml_joint_kind_name(def.kind), base_width,
               tml_model_body_name(model, def.base), tml_model_body_name(model, def.follower),
               count_rows(model, joint), axes);
    }
}

// ---- redundancy

static void print_redundant(const tml_model* model, const tml_redundant_row* r, double tolerance)
{
    char name[256];

    row_name(model, &r->row, name, sizeof name);
    printf("  %s%s follows from", name, r->is_actuation ? " (actuated)" : "");
    for (int i = 0; i < r->depends_count; i++) {
        row_name(model, &r->depends_on[i], name, sizeof name);
        printf(" %s", name);
    }
    if (r->conflict > tolerance) printf(", and contradicts them by %.3g", r->conflict);
    printf("\n");
}

// How many lines of a list to print, and a line for those that are not.
static int shown(int count, bool is_all)
{
    return is_all || count <= LINES_SHOWN ? count : LINES_SHOWN;
}

static void print_rest(int count, int listed)
{
    if (listed < count) printf("... and %d more; --all lists them\n", count - listed);
}

static void print_redundant_rows(const loaded* l, const tml_doctor* doctor, bool is_all)
{
    const int count = tml_doctor_redundant_count(doctor);
    const int listed = shown(count, is_all);

    if (count > 0) printf("\nredundant rows:\n");
    for (int i = 0; i < listed; i++) {
        print_redundant(l->model, tml_doctor_redundant(doctor, i),
                        loaded_settings(l)->sim.tolerance);
    }
    print_rest(count, listed);
}

static void print_doctor(const tml_doctor* doctor)
{
    if (doctor == NULL) {
        printf("mobility unknown: too many loops to analyse\n");
        return;
    }
    const tml_doctor_report r = tml_doctor_get_report(doctor);

    printf("mobility %d, redundant rows %d, class %s\n", r.mobility, r.redundant_rows,
           r.motion_class);
    if (r.loops > 0 && !isfinite(r.singular_value)) {
        printf("the loops bind no motion: their rows are implied by others\n");
    } else if (r.loops > 0) {
        printf("smallest singular value of the loops %.3g (0 is a singular configuration)\n",
               r.singular_value);
    }
}

static void print_redundant_json(const tml_model* model, const tml_redundant_row* r)
{
    const tml_joint joint = r->row.joint;
    char name[256];

    row_name(model, &r->row, name, sizeof name);
    printf("{\"joint\": ");
    json_quoted(joint.index >= 0 ? tml_model_joint_name(model, joint) : name);
    printf(", \"axis\": ");
    json_quoted(joint.index >= 0 ? tml_axis_name(r->row.axis) : "");
    printf(", \"depends_on\": [");
    for (int i = 0; i < r->depends_count; i++) {
        row_name(model, &r->depends_on[i], name, sizeof name);
        if (i > 0) printf(", ");
        json_quoted(name);
    }
    printf("]}");
}

static void print_all_redundant_json(json_object* o, const tml_model* model,
                                     const tml_doctor* doctor)
{
    const int count = tml_doctor_redundant_count(doctor);

    json_list_begin(o, "redundant");
    for (int i = 0; i < count; i++) {
        json_list_item(i);
        print_redundant_json(model, tml_doctor_redundant(doctor, i));
    }
    json_list_end(count);
}

// ---- gaps

static void print_open_joints(const tml_model* model, bool is_model, double tolerance)
{
    int open_count = 0;

    for (int i = 0; i < tml_model_joint_count(model); i++) {
        const tml_joint joint = {i};
        double length = 0.0;
        double angle = 0.0;
        if (tml_model_joint_gap(model, joint, &length, &angle) != TML_OK) continue;
        if (length <= tolerance && angle <= tolerance) continue;
        if (open_count++ == 0)
            printf("\nopen joints, which 'run' %s:\n", is_model ? "closes first" : "refuses");
        printf("  %s: %.3g m, %.3g rad\n", tml_model_joint_name(model, joint), length, angle);
    }
}

// Bodies that differ so much that the solver takes care.
static void print_mass_ratio(const tml_model* model)
{
    tml_body light = {-1};
    tml_body heavy = {-1};
    for (int b = 0; b < tml_model_body_count(model); b++) {
        const tml_body_def* def = tml_model_body(model, (tml_body){b});
        if (def->is_fixed) continue;
        if (light.index < 0 || def->mass < tml_model_body(model, light)->mass) light.index = b;
        if (heavy.index < 0 || def->mass > tml_model_body(model, heavy)->mass) heavy.index = b;
    }
    if (light.index < 0) return;
    const double least = tml_model_body(model, light)->mass;
    const double most = tml_model_body(model, heavy)->mass;
    if (!(most >= 1e4 * least)) return;
    printf(
        "masses from %.3g kg ('%s') to %.3g kg ('%s'), a ratio of %.2g: solver 'auto' takes "
        "rows as nodes where none is redundant; 'augmented' lowers its penalty by itself. 'trammel "
        "explain' says which, and to what\n",
        least, tml_model_body_name(model, light), most, tml_model_body_name(model, heavy),
        most / least);
}

// ---- the command

static void print_deformables(const tml_model* model)
{
    const tml_soft_summary s = tml_model_summarise_deformables(model);
    if (s.deformables == 0) return;
    printf(
        "deformables %d: %d vertices (%d fixed, %d attached to bodies), %d tetrahedra, mass %.6g "
        "kg\n",
        s.deformables, s.vertices, s.fixed, s.attached, s.tetrahedra, s.mass);
}

static void print_text(const loaded* l, const tml_doctor* doctor, bool is_all)
{
    const tml_model_summary s = tml_model_summarise(l->model);
    const tml_run_settings* settings = loaded_settings(l);
    const int listed = shown(s.joints, is_all);

    printf("%s\n", tml_model_name(l->model));
    if (tml_scene_is_model(l->scene)) {
        double all = 0.0;
        double moving = 0.0;
        tml_scene_masses(l->scene, &all, &moving);
        printf("bodies %d (%d fixed), mass %.6g kg that moves, %.6g kg of all links\n", s.bodies,
               s.fixed_bodies, moving, all);
    } else {
        printf("bodies %d (%d fixed), mass %.6g kg\n", s.bodies, s.fixed_bodies, s.mass);
    }
    print_deformables(l->model);
    printf("joints %d, couplings %d, rows %d, loops %d\n", s.joints, s.couplings, s.rows, s.loops);
    printf("position actuators %d, force actuators %d, limits %d, forces %d\n",
           s.position_actuators, s.force_actuators, s.limits, s.forces);
    printf("asks for %s, %s, step %g s, duration %g s, tolerance %g%s\n",
           tml_formulation_name(settings->sim.formulation),
           tml_integrator_name(settings->sim.integrator), settings->sim.step, settings->duration,
           settings->sim.tolerance, settings->sim.contact.is_on ? ", contact" : "");
    printf("largest gap %.3g\n", s.max_gap);
    print_mass_ratio(l->model);
    print_doctor(doctor);
    if (doctor != NULL) print_redundant_rows(l, doctor, is_all);
    if (listed > 0) print_joints(l->model, listed);
    print_rest(s.joints, listed);
    if (s.position_actuators + s.force_actuators > 0) {
        printf("\n* held by a control    ! pushed by a control\n");
    }
    print_open_joints(l->model, tml_scene_is_model(l->scene), settings->sim.tolerance);
    print_lint(l);
}

// Numbers that the analysis gives, or null where there was none.
static void print_rank(json_object* o, const char* key, const tml_doctor* doctor, int value)
{
    if (doctor != NULL) {
        json_whole(o, key, value);
    } else {
        json_null(o, key);
    }
}

// Keys of their own, only where there are any.
static void print_deformables_json(json_object* o, const tml_model* model)
{
    const tml_soft_summary s = tml_model_summarise_deformables(model);
    if (s.deformables == 0) return;
    json_whole(o, "deformables", s.deformables);
    json_whole(o, "vertices", s.vertices);
    json_whole(o, "tetrahedra", s.tetrahedra);
    json_whole(o, "fixed_vertices", s.fixed);
    json_whole(o, "attached_vertices", s.attached);
    json_number(o, "deformable_mass", s.mass);
}

static void print_json(const loaded* l, const tml_doctor* doctor)
{
    const tml_model_summary s = tml_model_summarise(l->model);
    const tml_doctor_report r =
        doctor != NULL ? tml_doctor_get_report(doctor) : (tml_doctor_report){0};
    json_object o = json_open();

    json_whole(&o, "bodies", s.bodies);
    double all = s.mass;
    double moving = s.mass;
    if (tml_scene_is_model(l->scene)) tml_scene_masses(l->scene, &all, &moving);
    json_number(&o, "mass", moving);
    if (tml_scene_is_model(l->scene)) json_number(&o, "mass_of_all_links", all);
    json_whole(&o, "joints", s.joints);
    json_whole(&o, "rows", s.rows);
    print_rank(&o, "redundant_rows", doctor, r.redundant_rows);
    print_rank(&o, "mobility", doctor, r.mobility);
    json_whole(&o, "loops", s.loops);
    json_whole(&o, "position_actuators", s.position_actuators);
    json_whole(&o, "force_actuators", s.force_actuators);
    print_rank(&o, "overactuation", doctor, r.overactuation);
    if (doctor != NULL) {
        json_text(&o, "class", r.motion_class);
        print_all_redundant_json(&o, l->model, doctor);
    } else {
        json_null(&o, "class");
        json_null(&o, "redundant");
    }
    json_number(&o, "max_gap", s.max_gap);
    print_deformables_json(&o, l->model);
    const int notes = tml_scene_lint_count(l->scene);
    if (notes > 0) json_list_begin(&o, "lint");
    for (int i = 0; i < notes; i++) {
        const char* sentence = tml_scene_lint(l->scene, i);
        json_list_item(i);
        json_quoted(sentence != NULL ? sentence : "no memory");
    }
    if (notes > 0) json_list_end(notes);
    json_close(&o);
}

static int show_info(const arguments* given)
{
    loaded l;
    tml_doctor* doctor = NULL;
    int code = option_is_given(given, "assemble") ? load_closed(given, &l) : load(given, &l);

    if (code == APP_DONE) {
        const tml_status status = tml_doctor_create(l.model, &doctor);
        if (status != TML_OK && status != TML_UNSUPPORTED) {
            app_error("%s: %s", l.name, tml_status_name(status));
            code = app_exit_code(status);
        }
    }
    if (code == APP_DONE) {
        if (option_is_given(given, "json")) {
            print_json(&l, doctor);
        } else {
            print_text(&l, doctor, option_is_given(given, "all"));
        }
        code = app_finish_output();
    }
    tml_doctor_destroy(doctor);
    unload(&l);
    return code;
}

const command command_info = {
    "info",
    "SCENE",
    "the doctor: bodies, joints, rows, mobility, redundancy, gaps",
    "Prints what a scene contains, joint by joint: mobility, loops, rows that others already "
    "imply,\n"
    "and which joints are open at load. Open joints are reported, not refused. For a robot model\n"
    "(MJCF, URDF, SDF) it also lists what the model uses and is not simulated.",
    {{sizeof info_options / sizeof info_options[0], info_options}, {OVERRIDES, override_options}},
    1,
    1,
    show_info,
};
