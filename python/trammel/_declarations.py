"""Made by tools/python_declarations from the headers in include/trammel. Do not edit."""

DECLARATIONS = r"""
typedef enum tml_status {
TML_OK = 0,
TML_BAD_ARGUMENT = -1,
TML_NO_MEMORY = -2,
TML_UNSUPPORTED = -3,
TML_BAD_FILE = -4,
TML_TOO_MANY_CONTACTS = -5,
TML_CANCELLED = -6,
TML_NOT_CONVERGED = 1,
TML_SINGULAR = 2,
TML_INFEASIBLE = 3,
} tml_status;
const char* tml_status_name(tml_status status);
const char* tml_version(void);
typedef struct tml_vec3 {
double x, y, z;
} tml_vec3;
typedef struct tml_quat {
double w, x, y, z;
} tml_quat;
typedef struct tml_pose {
tml_vec3 p;
tml_quat q;
} tml_pose;
typedef struct tml_velocity {
tml_vec3 linear;
tml_vec3 angular;
} tml_velocity;
typedef struct tml_allocator {
void* (*allocate)(void* context, size_t bytes);
void (*release)(void* context, void* memory);
void* context;
} tml_allocator;
typedef enum tml_control_kind {
TML_CONTROL_NONE = 0,
TML_CONTROL_CONSTANT,
TML_CONTROL_SINE,
TML_CONTROL_TABLE,
TML_CONTROL_CUBIC,
} tml_control_kind;
typedef struct tml_control {
tml_control_kind kind;
double value;
double amplitude;
double frequency;
double phase;
int count;
const double* times;
const double* samples;
} tml_control;
typedef enum tml_joint_kind {
TML_JOINT_FIXED,
TML_JOINT_PRISMATIC,
TML_JOINT_REVOLUTE,
TML_JOINT_RECTANGULAR,
TML_JOINT_CYLINDRICAL,
TML_JOINT_PIN_IN_SLOT,
TML_JOINT_UNIVERSAL,
TML_JOINT_CARTESIAN,
TML_JOINT_PLANAR,
TML_JOINT_SPHERICAL,
TML_JOINT_SLOT,
TML_JOINT_FREE,
TML_JOINT_KINDS,
TML_JOINT_CUSTOM = TML_JOINT_KINDS,
} tml_joint_kind;
typedef enum tml_axis {
TML_AXIS_TX,
TML_AXIS_TY,
TML_AXIS_TZ,
TML_AXIS_RX,
TML_AXIS_RY,
TML_AXIS_RZ,
TML_AXES,
} tml_axis;
typedef enum tml_actuation {
TML_PASSIVE,
TML_POSITION,
TML_FORCE,
} tml_actuation;
typedef struct tml_joint_axis {
tml_actuation actuation;
tml_control control;
bool has_limits;
double lower, upper;
double stiffness;
double damping;
double rest;
bool has_servo;
tml_control servo_target;
double servo_stiffness;
double servo_damping;
double compliance;
double weight;
} tml_joint_axis;
typedef struct tml_body {
int index;
} tml_body;
typedef struct tml_joint {
int index;
} tml_joint;
typedef struct tml_joint_def {
const char* name;
tml_joint_kind kind;
char free_translation[4];
char free_rotation[4];
tml_body base;
tml_body follower;
tml_vec3 position;
tml_vec3 axis;
bool has_axes;
tml_vec3 axes[3];
bool has_follower_frame;
tml_vec3 follower_position;
tml_vec3 follower_axis;
bool has_follower_axes;
tml_vec3 follower_axes[3];
tml_joint_axis axis_of[TML_AXES];
bool collide;
} tml_joint_def;
tml_joint_def tml_joint_def_default(void);
const char* tml_joint_kind_name(tml_joint_kind kind);
bool tml_joint_kind_find(const char* name, tml_joint_kind* out);
const char* tml_joint_kind_slides(tml_joint_kind kind);
const char* tml_joint_kind_turns(tml_joint_kind kind);
const char* tml_axis_name(tml_axis axis);
typedef enum tml_material {
TML_MATERIAL_LINEAR,
TML_MATERIAL_COROTATED,
TML_MATERIAL_NEO_HOOKEAN,
TML_MATERIALS,
} tml_material;
const char* tml_material_name(tml_material material);
bool tml_material_find(const char* name, tml_material* out);
enum {
TML_DEFORMABLE_MOST = 1 << 24
};
enum {
TML_EMBEDDED = -1
};
typedef struct tml_attachment {
int vertex;
tml_body body;
tml_vec3 position;
} tml_attachment;
typedef struct tml_deformable_def {
const char* name;
int vertex_count;
const tml_vec3* vertices;
int tetrahedron_count;
const int* tetrahedra;
double young;
double poisson;
double density;
tml_material material;
bool is_consistent;
double friction;
double thickness;
double vertex_mass;
tml_vec3 velocity;
int fixed_count;
const int* fixed;
int attachment_count;
const tml_attachment* attachments;
int surface_vertex_count;
const tml_vec3* surface_vertices;
int surface_triangle_count;
const int* surface_triangles;
int touches_by_surface;
} tml_deformable_def;
tml_deformable_def tml_deformable_def_default(void);
typedef struct tml_point {
tml_body body;
tml_vec3 position;
} tml_point;
tml_body tml_deformable_handle(int deformable);
typedef enum tml_spring_law {
TML_SPRING_LINEAR,
TML_SPRING_QUADRATIC,
TML_SPRING_TABLE,
} tml_spring_law;
typedef struct tml_muscle {
double force;
double optimal_length;
double tendon_length;
double lmin, lmax;
double vmax;
double fpmax;
double fvmax;
tml_control activation;
} tml_muscle;
typedef struct tml_spring_def {
const char* name;
int point_count;
const tml_point* points;
double stiffness;
double damping;
double rest_length;
tml_spring_law law;
int table_count;
const double* table_extensions;
const double* table_forces;
tml_control force;
tml_muscle muscle;
} tml_spring_def;
typedef struct tml_wrench_def {
const char* name;
tml_body body;
tml_vec3 point;
tml_control force[3];
tml_control torque[3];
} tml_wrench_def;
typedef struct tml_drag_def {
const char* name;
tml_body body;
double linear;
double angular;
tml_vec3 wind;
} tml_drag_def;
tml_muscle tml_muscle_default(void);
tml_spring_def tml_spring_def_default(void);
tml_wrench_def tml_wrench_def_default(void);
tml_drag_def tml_drag_def_default(void);
typedef enum tml_shape_kind {
TML_SHAPE_SPHERE,
TML_SHAPE_ELLIPSOID,
TML_SHAPE_CAPSULE,
TML_SHAPE_CYLINDER,
TML_SHAPE_BOX,
TML_SHAPE_PLANE,
TML_SHAPE_HEIGHTFIELD,
TML_SHAPE_MESH,
TML_SHAPE_KINDS,
} tml_shape_kind;
typedef struct tml_shape_def {
tml_shape_kind kind;
tml_vec3 size;
tml_pose pose;
double density;
double friction;
double restitution;
bool collide;
int group;
bool hidden;
unsigned char color[3];
int vertex_count;
const tml_vec3* vertices;
int triangle_count;
const int* triangles;
int rows;
int columns;
const double* heights;
} tml_shape_def;
enum {
TML_MESH_MOST = 1 << 22,
TML_GRID_MOST = 2048,
};
tml_shape_def tml_shape_def_default(void);
const char* tml_shape_kind_name(tml_shape_kind kind);
bool tml_shape_kind_find(const char* name, tml_shape_kind* out);
typedef struct tml_mass_properties {
double mass;
tml_vec3 com;
double inertia[6];
} tml_mass_properties;
tml_status tml_shapes_mass(const tml_shape_def* shapes, int count,
tml_mass_properties* out);
typedef struct tml_spec tml_spec;
typedef struct tml_model tml_model;
typedef struct tml_body_def {
const char* name;
double mass;
double inertia[6];
tml_vec3 com;
tml_pose pose;
tml_velocity velocity;
bool is_fixed;
int shape_count;
const tml_shape_def* shapes;
} tml_body_def;
tml_body_def tml_body_def_default(void);
enum {
TML_COUPLING_DEGREE = 8
};
typedef struct tml_coupling_term {
tml_joint joint;
tml_axis axis;
int degree;
double coefficient[TML_COUPLING_DEGREE];
} tml_coupling_term;
typedef struct tml_coupling_def {
const char* name;
int term_count;
const tml_coupling_term* terms;
double offset;
double compliance;
double weight;
} tml_coupling_def;
tml_coupling_def tml_coupling_def_default(void);
typedef enum tml_nonholonomic_kind {
TML_KNIFE_EDGE,
TML_ROLLING,
} tml_nonholonomic_kind;
typedef struct tml_nonholonomic_def {
const char* name;
tml_nonholonomic_kind kind;
tml_body body;
tml_vec3 point;
tml_vec3 axis;
double radius;
tml_vec3 plane_normal;
double plane_offset;
} tml_nonholonomic_def;
tml_nonholonomic_def tml_nonholonomic_def_default(void);
typedef struct tml_pair_def {
tml_body a, b;
double friction;
double restitution;
} tml_pair_def;
tml_pair_def tml_pair_def_default(void);
tml_spec* tml_spec_create(void);
void tml_spec_destroy(tml_spec* spec);
void tml_spec_set_name(tml_spec* spec, const char* name);
void tml_spec_set_gravity(tml_spec* spec, tml_vec3 gravity);
tml_status tml_spec_set_neighbours(tml_spec* spec, int joints);
void tml_spec_set_rayleigh(tml_spec* spec, double mass, double stiffness);
tml_body tml_spec_add_body(tml_spec* spec, const tml_body_def* def);
tml_status tml_spec_add_world_shape(tml_spec* spec, const tml_shape_def* shape);
tml_joint tml_spec_add_joint(tml_spec* spec, const tml_joint_def* def);
tml_status tml_spec_add_coupling(tml_spec* spec, const tml_coupling_def* def);
tml_status tml_spec_add_nonholonomic(tml_spec* spec, const tml_nonholonomic_def* def);
tml_status tml_spec_add_spring(tml_spec* spec, const tml_spring_def* def);
tml_status tml_spec_add_wrench(tml_spec* spec, const tml_wrench_def* def);
tml_status tml_spec_add_drag(tml_spec* spec, const tml_drag_def* def);
int tml_spec_add_deformable(tml_spec* spec, const tml_deformable_def* def);
tml_status tml_spec_add_exclusion(tml_spec* spec, tml_body a, tml_body b);
tml_status tml_spec_add_pair(tml_spec* spec, const tml_pair_def* def);
int tml_spec_body_count(const tml_spec* spec);
tml_status tml_spec_status(const tml_spec* spec);
const char* tml_spec_message(const tml_spec* spec);
tml_body tml_spec_find_body(const tml_spec* spec, const char* name);
tml_joint tml_spec_find_joint(const tml_spec* spec, const char* name);
tml_status tml_spec_build(tml_spec* spec, tml_model** model);
void tml_model_destroy(tml_model* model);
const char* tml_model_name(const tml_model* model);
int tml_model_body_count(const tml_model* model);
int tml_model_joint_count(const tml_model* model);
int tml_model_row_count(
const tml_model* model);
tml_vec3 tml_model_gravity(const tml_model* model);
const char* tml_model_body_name(const tml_model* model, tml_body body);
const char* tml_model_joint_name(const tml_model* model, tml_joint joint);
int tml_model_coupling_count(const tml_model* model);
const char* tml_model_coupling_name(const tml_model* model, int coupling);
int tml_model_nonholonomic_count(const tml_model* model);
const char* tml_model_nonholonomic_name(const tml_model* model, int index);
tml_body tml_model_find_body(const tml_model* model, const char* name);
tml_joint tml_model_find_joint(const tml_model* model, const char* name);
const tml_body_def* tml_model_body(const tml_model* model, tml_body body);
tml_joint_def tml_model_joint(const tml_model* model, tml_joint joint);
int tml_model_joint_axes(const tml_model* model, tml_joint joint, tml_axis out[TML_AXES]);
int tml_model_control_count(const tml_model* model);
tml_status tml_model_control(const tml_model* model, int index, tml_joint* joint,
tml_axis* axis, tml_actuation* actuation);
int tml_model_spring_count(const tml_model* model);
const tml_spring_def* tml_model_spring(const tml_model* model, int spring);
int tml_model_wrench_count(const tml_model* model);
const tml_wrench_def* tml_model_wrench(const tml_model* model, int wrench);
tml_status tml_model_wrench_value(const tml_model* model, int wrench, double time,
tml_vec3* force, tml_vec3* torque);
double tml_model_control_value(const tml_model* model, int index, double time);
tml_status tml_model_joint_frames(const tml_model* model, tml_joint joint,
tml_pose* in_base, tml_pose* in_follower);
const tml_shape_def* tml_model_world_shapes(const tml_model* model, int* count);
int tml_model_deformable_count(const tml_model* model);
const tml_deformable_def* tml_model_deformable(const tml_model* model,
int deformable);
int tml_model_find_deformable(const tml_model* model, const char* name);
const int* tml_model_deformable_surface(const tml_model* model, int deformable, int* count);
typedef struct tml_skin {
int point_count;
int triangle_count;
const int* triangles;
} tml_skin;
tml_skin tml_model_skin(const tml_model* model, int deformable);
void tml_model_skin_places(const tml_model* model, int deformable, const double* vertices,
double* points);
typedef struct tml_soft_summary {
int deformables;
int vertices;
int tetrahedra;
int fixed;
int attached;
double mass;
} tml_soft_summary;
tml_soft_summary tml_model_summarise_deformables(const tml_model* model);
typedef struct tml_model_summary {
int bodies;
int fixed_bodies;
double mass;
int joints;
int rows;
int couplings;
int loops;
int position_actuators;
int force_actuators;
int limits;
int forces;
double max_gap;
} tml_model_summary;
tml_model_summary tml_model_summarise(const tml_model* model);
tml_status tml_model_joint_gap(const tml_model* model, tml_joint joint, double* length,
double* angle);
typedef enum tml_formulation {
TML_FORM_QUATERNION,
TML_FORM_VARIATIONAL,
TML_FORM_AFFINE,
TML_FORM_GENERALIZED,
TML_FORMULATIONS,
} tml_formulation;
enum {
TML_MULTISTEP_MOST = 6
};
typedef struct tml_multistep {
int steps;
double alpha[TML_MULTISTEP_MOST + 1];
double beta[TML_MULTISTEP_MOST + 1];
} tml_multistep;
typedef enum tml_integrator {
TML_TIME_FORWARD_EULER,
TML_TIME_SEMI_IMPLICIT_EULER,
TML_TIME_HEUN,
TML_TIME_RK4,
TML_TIME_BDF1,
TML_TIME_BDF2,
TML_TIME_BDF3,
TML_TIME_BDF4,
TML_TIME_BDF5,
TML_TIME_BDF6,
TML_TIME_SDIRK2,
TML_TIME_SDIRK2_PARESCHI_RUSSO,
TML_TIME_CRANK_NICOLSON,
TML_TIME_NEWMARK,
TML_TIME_LINEAR_MULTISTEP,
TML_TIME_VARIATIONAL,
TML_TIME_VARIATIONAL4,
TML_TIME_ENERGY,
TML_TIME_ENERGY_DAMPED,
TML_TIME_SHAKE,
TML_INTEGRATORS,
} tml_integrator;
const char* tml_formulation_name(tml_formulation formulation);
bool tml_formulation_find(const char* name, tml_formulation* out);
const char* tml_integrator_name(tml_integrator integrator);
bool tml_integrator_find(const char* name, tml_integrator* out);
bool tml_pairing_exists(tml_formulation formulation, tml_integrator integrator);
bool tml_pairing_has_contact(tml_formulation formulation, tml_integrator integrator);
bool tml_pairing_exists_nodal(tml_integrator integrator);
const char* tml_pairing_remark_nodal(tml_integrator integrator);
const char* tml_pairing_remark(tml_formulation formulation, tml_integrator integrator);
tml_integrator tml_formulation_default_integrator(tml_formulation formulation);
typedef struct tml_sim tml_sim;
typedef enum tml_solver {
TML_SOLVER_AUTO,
TML_SOLVER_DENSE,
TML_SOLVER_KLU,
TML_SOLVER_AUGMENTED,
TML_SOLVER_NODES,
TML_SOLVER_TWO_STEP,
TML_SOLVER_CHAIN,
TML_SOLVER_TREE,
TML_SOLVER_DUAL,
TML_SOLVER_CG,
TML_SOLVERS,
} tml_solver;
typedef enum tml_start {
TML_START_ACCURATE,
TML_START_SDIRK2,
} tml_start;
typedef enum tml_unknowns {
TML_UNKNOWN_POSITION,
TML_UNKNOWN_VELOCITY,
} tml_unknowns;
typedef enum tml_strain {
TML_STRAIN_GREEN,
TML_STRAIN_COROTATED,
TML_STRAINS,
} tml_strain;
typedef struct tml_contact_settings {
bool is_on;
int max_contacts;
double margin;
double stiffness;
int pgs_iterations;
} tml_contact_settings;
typedef struct tml_implicit_settings {
tml_start start;
tml_unknowns unknowns;
bool is_linearised;
double newmark_gamma;
double newmark_beta;
tml_multistep multistep;
double
level[3];
double baumgarte;
} tml_implicit_settings;
typedef struct tml_affine_settings {
double young;
double poisson;
tml_strain strain;
} tml_affine_settings;
typedef struct tml_sim_settings {
tml_formulation formulation;
tml_integrator integrator;
double step;
double tolerance;
int max_iterations;
tml_solver solver;
int threads;
tml_contact_settings contact;
tml_implicit_settings implicit;
tml_affine_settings affine;
tml_allocator allocator;
} tml_sim_settings;
tml_sim_settings tml_sim_settings_default(void);
const char* tml_solver_name(tml_solver solver);
bool tml_solver_find(const char* name, tml_solver* out);
tml_status tml_sim_create(const tml_model* model, const tml_sim_settings* settings,
tml_sim** sim);
void tml_sim_destroy(tml_sim* sim);
tml_status tml_sim_step(tml_sim* sim, const double* controls);
const char* tml_sim_message(const tml_sim* sim);
const tml_model* tml_sim_model(const tml_sim* sim);
const tml_sim_settings* tml_sim_get_settings(const tml_sim* sim);
double tml_sim_time(const tml_sim* sim);
tml_pose tml_sim_pose(const tml_sim* sim, tml_body body);
tml_velocity tml_sim_velocity(const tml_sim* sim, tml_body body);
tml_vec3 tml_sim_vertex(const tml_sim* sim, int deformable, int vertex);
tml_vec3 tml_sim_vertex_velocity(const tml_sim* sim, int deformable, int vertex);
typedef struct tml_load {
tml_vec3 force;
tml_vec3 moment;
} tml_load;
tml_load tml_sim_joint_load(const tml_sim* sim, tml_joint joint);
int tml_sim_joint_coordinates(const tml_sim* sim, tml_joint joint, double out[TML_AXES]);
void tml_sim_joint_multipliers(const tml_sim* sim, tml_joint joint, double out[TML_AXES]);
typedef struct tml_energy {
double kinetic;
double potential;
} tml_energy;
tml_energy tml_sim_energy(const tml_sim* sim);
double tml_sim_gap(const tml_sim* sim);
typedef struct tml_sim_report {
long long steps;
long long newton_iterations;
long long newton_bodies;
long long factorisations;
long long substeps;
long long restarts;
long long fallback_starts;
long long fallback_steps;
long long start_evaluations;
long long unsettled_loads;
long long inexact_steps;
long long unsettled_limits;
long long contact_problems;
long long contact_hits;
long long contact_unpolished;
long long fast_contacts;
tml_body fast_a, fast_b;
double fast_speed;
double max_penetration;
double max_complementarity;
double contact_removed;
double max_gap;
double max_gain;
double velocity_correction;
const char* solver;
double assembly_seconds;
double solver_seconds;
} tml_sim_report;
tml_sim_report tml_sim_get_report(const tml_sim* sim);
void tml_sim_measure(tml_sim* sim, bool is_on);
size_t tml_sim_explain(const tml_sim* sim, char* text, size_t capacity);
tml_status tml_sim_push(tml_sim* sim, tml_body body, tml_vec3 point, tml_vec3 force,
tml_vec3 torque);
tml_status tml_sim_add_push(tml_sim* sim, tml_body body, tml_vec3 point, tml_vec3 force,
tml_vec3 torque);
tml_status tml_sim_set_wrenches(tml_sim* sim, const tml_load* wrenches);
int tml_sim_push_count(const tml_sim* sim);
tml_status tml_sim_set_gravity(tml_sim* sim, tml_vec3 gravity);
tml_vec3 tml_sim_gravity(const tml_sim* sim);
tml_status tml_sim_follow(tml_sim* sim, const tml_sim* other);
size_t tml_sim_state_size(const tml_sim* sim);
tml_status tml_sim_save(const tml_sim* sim, void* state);
tml_status tml_sim_restore(tml_sim* sim, const void* state, size_t bytes);
typedef struct tml_scene tml_scene;
typedef struct tml_run_settings {
tml_sim_settings sim;
double duration;
bool has_integrator;
} tml_run_settings;
tml_scene* tml_scene_create(void);
void tml_scene_destroy(tml_scene* scene);
typedef struct tml_load_options {
int float_base;
const char*
closures;
const char* keyframe;
const char* packages;
const char*
allow_outside;
} tml_load_options;
tml_load_options tml_load_options_default(void);
tml_status tml_scene_set_load_options(tml_scene* scene, const tml_load_options* options);
tml_status tml_scene_read_file(tml_scene* scene, const char* path);
tml_status tml_scene_read_text(tml_scene* scene, const char* text, size_t length,
const char* name);
const char* tml_scene_message(const tml_scene* scene);
int tml_scene_lint_count(const tml_scene* scene);
const char* tml_scene_lint(tml_scene* scene, int index);
tml_spec* tml_scene_spec(tml_scene* scene);
tml_run_settings* tml_scene_settings(tml_scene* scene);
tml_status tml_scene_forget(tml_scene* scene);
tml_status tml_scene_build(tml_scene* scene, tml_model** model);
tml_status tml_scene_write_file(tml_scene* scene, const char* path);
tml_status tml_scene_write_text(tml_scene* scene, char** text, size_t* length);
void tml_text_free(char* text);
typedef struct tml_assemble_settings {
const tml_pose* start;
double tolerance;
int max_iterations;
tml_allocator allocator;
} tml_assemble_settings;
typedef struct tml_assemble_report {
double gap_before;
double gap_after;
double moved;
double turned;
tml_body most;
double distance;
double slope;
int iterations;
} tml_assemble_report;
tml_assemble_settings tml_assemble_settings_default(void);
tml_status tml_model_assemble(const tml_model* model, const tml_assemble_settings* settings,
tml_pose* poses, tml_assemble_report* report, char* why,
size_t capacity);
tml_status tml_spec_set_poses(tml_spec* spec, const tml_pose* poses);
tml_status tml_spec_set_control(tml_spec* spec, tml_joint joint, tml_axis axis,
const tml_control* control);
typedef struct tml_target {
tml_body body;
tml_vec3 point;
bool has_position;
tml_control position[3];
bool has_orientation;
tml_quat orientation;
double weight;
} tml_target;
tml_target tml_target_default(void);
typedef struct tml_ik tml_ik;
tml_status tml_ik_create(const tml_model* model, const tml_target* targets, int count,
const tml_assemble_settings* settings, tml_ik** ik);
void tml_ik_destroy(tml_ik* ik);
tml_status tml_ik_solve(tml_ik* ik, double t);
const char* tml_ik_message(const tml_ik* ik);
tml_pose tml_ik_pose(const tml_ik* ik, tml_body body);
double tml_ik_coordinate(const tml_ik* ik, tml_joint joint, tml_axis axis);
void tml_ik_error(const tml_ik* ik, int target, double* length, double* angle);
double tml_ik_gap(const tml_ik* ik);
int tml_ik_iterations(const tml_ik* ik);
typedef struct tml_targets {
int count;
const tml_target* list;
double duration;
double step;
void* memory;
} tml_targets;
tml_status tml_targets_read_file(const char* path, tml_spec* spec, tml_targets* out,
char* why, size_t capacity);
void tml_targets_destroy(tml_targets* targets);
tml_status tml_sim_set_joint(tml_sim* sim, tml_joint joint, tml_axis axis, double value);
tml_status tml_sim_set_state(tml_sim* sim, const tml_pose* poses,
const tml_velocity* velocities);
tml_status tml_sim_set_nearest_state(tml_sim* sim, const tml_pose* poses,
const tml_velocity* velocities);
typedef enum tml_input_kind {
TML_INPUT_SERVO,
TML_INPUT_TENDON,
TML_INPUT_ACTIVATION,
TML_INPUT_FORCE,
TML_INPUT_TORQUE,
} tml_input_kind;
typedef struct tml_input {
tml_input_kind kind;
int index;
int component;
const char* name;
} tml_input;
int tml_model_input_count(const tml_model* model);
tml_status tml_model_input(const tml_model* model, int index, tml_input* out);
double tml_model_input_value(const tml_model* model, int index, double time);
tml_status tml_sim_set_inputs(tml_sim* sim, const double* values);
void tml_sim_inputs(const tml_sim* sim, double* out);
enum {
TML_CONTACTS_MOST =
333333
};
typedef struct tml_contact {
tml_body a, b;
tml_vec3 point;
tml_vec3 normal;
double gap;
tml_vec3 force;
int deformable;
int vertex;
int surface_point;
} tml_contact;
int tml_sim_contact_count(const tml_sim* sim);
tml_contact tml_sim_contact(const tml_sim* sim, int index);
tml_status tml_sim_reserve(tml_sim* sim, int max_contacts);
int tml_model_coordinate_count(const tml_model* model);
tml_status tml_model_coordinate(const tml_model* model, int index, tml_joint* joint,
tml_axis* axis);
int tml_model_find_coordinate(const tml_model* model, tml_joint joint, tml_axis axis);
int tml_sim_joint_rates(const tml_sim* sim, tml_joint joint, double out[TML_AXES]);
void tml_sim_poses(const tml_sim* sim, tml_pose* out);
void tml_sim_velocities(const tml_sim* sim, tml_velocity* out);
void tml_sim_coordinates(const tml_sim* sim, double* out);
void tml_sim_rates(const tml_sim* sim, double* out);
void tml_sim_loads(const tml_sim* sim, tml_load* out);
void tml_sim_controls(const tml_sim* sim, double* out);
int tml_sim_contacts(const tml_sim* sim, tml_contact* out, int capacity);
tml_status tml_sim_set_coordinates(tml_sim* sim, const double* coordinates,
const double* rates);
tml_status tml_sim_set_state_at(tml_sim* sim, double time, const tml_pose* poses,
const tml_velocity* velocities);
tml_status tml_sim_reset(tml_sim* sim);
tml_status tml_sim_copy(tml_sim* to, const tml_sim* from);
typedef struct tml_batch tml_batch;
tml_status tml_batch_create(const tml_model* model, const tml_sim_settings* settings,
int count, tml_batch** out);
void tml_batch_destroy(tml_batch* batch);
int tml_batch_count(const tml_batch* batch);
size_t tml_batch_bytes(const tml_batch* batch);
const char* tml_batch_message(const tml_batch* batch, int row);
tml_status tml_batch_step(tml_batch* batch, const unsigned char* mask,
const double* controls, int steps, tml_status* status);
void tml_batch_reset(tml_batch* batch, const unsigned char* mask);
tml_status tml_batch_set_start(tml_batch* batch, const tml_sim* sim);
tml_status tml_batch_read(const tml_batch* batch, int row, tml_sim* sim);
tml_status tml_batch_write(tml_batch* batch, int row, const tml_sim* sim);
tml_status tml_batch_copy_row(tml_batch* batch, int from, int to);
tml_status tml_batch_set_coordinates(tml_batch* batch, const unsigned char* mask,
const double* coordinates, const double* rates,
tml_status* status);
tml_status tml_batch_set_states(tml_batch* batch, const unsigned char* mask,
const tml_pose* poses, const tml_velocity* velocities,
tml_status* status);
tml_status tml_batch_set_inputs(tml_batch* batch, const double* inputs);
tml_status tml_batch_set_wrenches(tml_batch* batch, const tml_load* wrenches);
tml_status tml_batch_set_gravity(tml_batch* batch, const tml_vec3* gravity);
tml_status tml_batch_set_contact_shift(tml_batch* batch, const double* shift);
typedef enum tml_batch_kind {
TML_BATCH_TIME,
TML_BATCH_POSES,
TML_BATCH_VELOCITIES,
TML_BATCH_COORDINATES,
TML_BATCH_RATES,
TML_BATCH_LOADS,
TML_BATCH_CONTROLS,
TML_BATCH_ENERGY,
TML_BATCH_FORCES,
TML_BATCH_KINDS,
} tml_batch_kind;
int tml_batch_width(const tml_batch* batch, tml_batch_kind kind);
tml_status tml_batch_get(tml_batch* batch, tml_batch_kind kind, double* out);
typedef struct tml_derivatives tml_derivatives;
typedef enum tml_parameter_kind {
TML_PARAMETER_GRAVITY,
TML_PARAMETER_MASS,
TML_PARAMETER_INERTIA,
TML_PARAMETER_COM,
TML_PARAMETER_POSE,
TML_PARAMETER_VELOCITY,
TML_PARAMETER_JOINT_POSITION,
TML_PARAMETER_JOINT_TURN,
TML_PARAMETER_JOINT_STIFFNESS,
TML_PARAMETER_JOINT_DAMPING,
TML_PARAMETER_JOINT_REST,
TML_PARAMETER_SERVO_STIFFNESS,
TML_PARAMETER_SERVO_DAMPING,
TML_PARAMETER_JOINT_WEIGHT,
TML_PARAMETER_SPRING_STIFFNESS,
TML_PARAMETER_SPRING_DAMPING,
TML_PARAMETER_SPRING_REST,
TML_PARAMETER_FRICTION,
TML_PARAMETER_RESTITUTION,
TML_PARAMETER_CONTROL,
TML_PARAMETER_KINDS,
} tml_parameter_kind;
typedef struct tml_parameter {
tml_parameter_kind kind;
int index;
int component;
int step;
} tml_parameter;
typedef enum tml_quantity_kind {
TML_QUANTITY_POSITION,
TML_QUANTITY_QUATERNION,
TML_QUANTITY_VELOCITY,
TML_QUANTITY_ANGULAR_VELOCITY,
TML_QUANTITY_CONTACT_FORCE,
TML_QUANTITY_COORDINATE,
TML_QUANTITY_RATE,
TML_QUANTITY_FORCE,
TML_QUANTITY_MOMENT,
TML_QUANTITY_KINETIC,
TML_QUANTITY_POTENTIAL,
TML_QUANTITY_KINDS,
} tml_quantity_kind;
typedef struct tml_quantity {
tml_quantity_kind kind;
int index;
int component;
int step;
} tml_quantity;
const char* tml_parameter_kind_name(tml_parameter_kind kind);
const char* tml_quantity_kind_name(tml_quantity_kind kind);
bool tml_parameter_kind_find(const char* name,
tml_parameter_kind* out);
bool tml_quantity_kind_find(const char* name, tml_quantity_kind* out);
void tml_parameter_describe(const tml_model* model, const tml_parameter* parameter,
char* text, size_t capacity);
void tml_quantity_describe(const tml_model* model, const tml_quantity* quantity, char* text,
size_t capacity);
typedef enum tml_contact_slopes {
TML_SLOPES_EXACT,
TML_SLOPES_CONTINUOUS_BOUNCE,
TML_SLOPES_COMPLEMENTARITY_AWARE,
TML_SLOPES,
} tml_contact_slopes;
const char* tml_contact_slopes_name(tml_contact_slopes slopes);
typedef struct tml_derivatives_flags {
int tied_steps, first_tied;
int rank_steps, first_rank;
int shift_steps, first_shift;
int other_label_steps;
int broken_parameters, first_broken;
int unsettled_steps, first_unsettled;
} tml_derivatives_flags;
tml_status tml_derivatives_create(const tml_model* model, const tml_sim_settings* settings,
size_t memory, tml_derivatives** out);
void tml_derivatives_destroy(tml_derivatives* d);
const char* tml_derivatives_message(const tml_derivatives* d);
tml_status tml_derivatives_step(tml_derivatives* d, const double* controls);
tml_status tml_derivatives_change(tml_derivatives* d, int count,
const tml_parameter* parameters, const double* change);
double tml_parameter_value(const tml_model* model, const tml_parameter* parameter);
void tml_derivatives_restart(tml_derivatives* d);
int tml_derivatives_steps(const tml_derivatives* d);
const tml_sim* tml_derivatives_sim(const tml_derivatives* d);
tml_status tml_derivatives_values(tml_derivatives* d, int count,
const tml_quantity* quantities, double* values);
tml_status tml_derivatives_forward(tml_derivatives* d, int parameter_count,
const tml_parameter* parameters, const double* change,
int quantity_count, const tml_quantity* quantities,
double* out);
tml_status tml_derivatives_set_contact_slopes(tml_derivatives* d,
tml_contact_slopes slopes);
tml_derivatives_flags tml_derivatives_last_flags(const tml_derivatives* d);
tml_status tml_derivatives_gradient(tml_derivatives* d, int quantity_count,
const tml_quantity* quantities, const double* weights,
int parameter_count, const tml_parameter* parameters,
double* gradient);
tml_status tml_derivatives_check_closure(tml_derivatives* d,
const tml_parameter* parameter);
typedef struct tml_derivatives_report {
double largest_error;
double scale;
int worst_parameter;
int worst_quantity;
double exact, difference;
double dot_product;
int pair_count;
} tml_derivatives_report;
tml_status tml_derivatives_check(tml_derivatives* d, double step, int parameter_count,
const tml_parameter* parameters, int quantity_count,
const tml_quantity* quantities,
tml_derivatives_report* report, char* text,
size_t capacity);
typedef struct tml_doctor tml_doctor;
typedef struct tml_row_id {
tml_joint joint;
tml_axis axis;
int coupling;
int nonholonomic;
int tie_row;
} tml_row_id;
typedef struct tml_redundant_row {
tml_row_id row;
bool is_actuation;
double conflict;
int depends_count;
const tml_row_id* depends_on;
} tml_redundant_row;
typedef struct tml_doctor_report {
int rows;
int rank;
int redundant_rows;
int overactuation;
int mobility;
int loops;
double kept;
double dropped;
double singular_value;
double length;
tml_body moving;
const char* motion_class;
} tml_doctor_report;
tml_status tml_doctor_create(const tml_model* model, tml_doctor** out);
void tml_doctor_destroy(tml_doctor* doctor);
tml_doctor_report tml_doctor_get_report(const tml_doctor* doctor);
int tml_doctor_redundant_count(const tml_doctor* doctor);
const tml_redundant_row* tml_doctor_redundant(const tml_doctor* doctor, int index);
typedef struct tml_dynamics tml_dynamics;
tml_status tml_dynamics_create(const tml_model* model, const tml_allocator* allocator,
tml_dynamics** out);
void tml_dynamics_destroy(tml_dynamics* d);
const char* tml_dynamics_message(const tml_dynamics* d);
int tml_dynamics_position_count(const tml_dynamics* d);
int tml_dynamics_rate_count(const tml_dynamics* d);
typedef struct tml_dynamics_place {
int position, position_count;
int rate, rate_count;
} tml_dynamics_place;
tml_dynamics_place tml_dynamics_joint(const tml_dynamics* d, tml_joint joint);
tml_dynamics_place tml_dynamics_body(const tml_dynamics* d, tml_body body);
tml_dynamics_place tml_dynamics_axis(const tml_dynamics* d, tml_joint joint, tml_axis axis);
tml_status tml_dynamics_set(tml_dynamics* d, double time, const double* q, const double* v);
tml_status tml_dynamics_follow(tml_dynamics* d, const tml_sim* sim);
void tml_dynamics_state(const tml_dynamics* d, double* q, double* v, tml_pose* poses,
tml_velocity* velocities);
void tml_dynamics_move(const tml_dynamics* d, const double* q, const double* motion,
double* out);
void tml_dynamics_difference(const tml_dynamics* d, const double* from, const double* to,
double* out);
void tml_dynamics_mass_matrix(tml_dynamics* d, double* M);
void tml_dynamics_bias(tml_dynamics* d, double* out);
void tml_dynamics_applied(tml_dynamics* d, double* out);
void tml_dynamics_inverse(tml_dynamics* d, const double* a, double* tau);
tml_status tml_dynamics_forward(tml_dynamics* d, const double* tau, double* a,
double* multipliers);
tml_status tml_dynamics_jacobian(const tml_dynamics* d, tml_body body, tml_vec3 point,
double* out);
int tml_dynamics_row_count(tml_dynamics* d);
void tml_dynamics_rows(tml_dynamics* d, double* J);
enum {
TML_EVERY_BODY = -1
};
typedef struct tml_variable {
tml_parameter parameter;
int knot, knot_count;
double start;
double lower, upper;
double scale;
} tml_variable;
typedef struct tml_term {
tml_quantity quantity;
bool has_target;
double target;
bool is_effort;
double weight;
int first, last;
} tml_term;
typedef enum tml_method {
TML_METHOD_LBFGS,
TML_METHOD_RANDOM,
TML_METHOD_DDP,
TML_METHOD_SHOOTING,
TML_METHOD_NLOPT_LBFGS,
TML_METHOD_NLOPT_SLSQP,
TML_METHOD_NLOPT_MMA,
TML_METHOD_ADAM,
TML_METHODS,
} tml_method;
const char* tml_method_name(tml_method method);
bool tml_method_find(const char* name, tml_method* out);
typedef struct tml_problem_def {
int steps;
int variable_count, term_count;
const tml_variable* variables;
const tml_term* terms;
tml_method method;
int iterations;
int polish;
double tolerance;
unsigned seed;
int intervals;
tml_contact_slopes slopes;
size_t run_bytes;
void* memory;
} tml_problem_def;
tml_status tml_problem_read_scene(const char* path, char* scene, size_t scene_capacity,
char* why, size_t capacity);
tml_status tml_problem_read_file(const char* path, const tml_model* model, double step,
double duration, tml_problem_def* out, char* why,
size_t capacity);
void tml_problem_def_destroy(tml_problem_def* def);
typedef struct tml_problem tml_problem;
tml_status tml_problem_create(const tml_model* model, const tml_sim_settings* settings,
const tml_problem_def* def, tml_problem** out);
void tml_problem_destroy(tml_problem* p);
const char* tml_problem_message(const tml_problem* p);
tml_status tml_problem_evaluate(tml_problem* p, const double* x, double* value,
double* gradient);
tml_derivatives_flags tml_problem_last_flags(const tml_problem* p);
typedef struct tml_optimize_report {
int iterations;
int evaluations;
double first, value;
double gradient;
bool has_converged;
double defect;
} tml_optimize_report;
typedef int (*tml_optimize_progress)(void* self, const tml_optimize_report* report,
const double* x);
tml_status tml_problem_optimize(tml_problem* p, double* x, tml_optimize_progress progress,
void* self, tml_optimize_report* report);
typedef tml_status (*tml_problem_watch)(void* self, const tml_sim* sim);
tml_status tml_problem_replay(tml_problem* p, const double* x, tml_problem_watch watch,
void* self);
typedef struct tml_recorder tml_recorder;
enum {
TML_RECORD_POSE = 1,
TML_RECORD_VELOCITY = 2,
TML_RECORD_JOINTS = 4,
TML_RECORD_ENERGY = 8,
TML_RECORD_GAP = 16,
TML_RECORD_CONTACTS = 32,
};
int tml_record_find(const char* list, int* columns, const char** bad);
int tml_record_usual(const char* path);
tml_status tml_recorder_create(const tml_sim* sim, const char* path, int columns, char* why,
size_t capacity, tml_recorder** out);
tml_status tml_recorder_write(tml_recorder* recorder, const tml_sim* sim);
tml_status tml_recorder_expect(const tml_recorder* recorder, long long states, char* why,
size_t capacity);
tml_status tml_recorder_finish(tml_recorder* recorder);
long long tml_recorder_states(const tml_recorder* recorder);
tml_status tml_recorder_close(tml_recorder* recorder);
typedef struct tml_recording tml_recording;
tml_status tml_recording_read_file(const char* path, char* why, size_t capacity,
tml_recording** out);
void tml_recording_destroy(tml_recording* recording);
int tml_recording_column_count(const tml_recording* recording);
int tml_recording_row_count(const tml_recording* recording);
const char* tml_recording_column_name(const tml_recording* recording, int column);
int tml_recording_find(const tml_recording* recording, const char* name);
const double* tml_recording_column(const tml_recording* recording, int column);
typedef struct tml_recorded_contact {
double time;
const char* a;
const char* b;
tml_vec3 position;
tml_vec3 normal;
double gap;
tml_vec3 force;
} tml_recorded_contact;
int tml_recording_contact_count(const tml_recording* recording);
const tml_recorded_contact* tml_recording_contacts(const tml_recording* recording);
typedef struct tml_statics_settings {
double tolerance;
int max_iterations;
int load_steps;
} tml_statics_settings;
tml_statics_settings tml_statics_settings_default(void);
typedef enum tml_stability {
TML_STABLE,
TML_UNSTABLE,
TML_NEUTRAL,
TML_STABILITY_UNKNOWN,
} tml_stability;
enum {
TML_STATICS_FREEDOMS = 300
};
typedef struct tml_statics_report {
int iterations;
double imbalance;
double moved;
double turned;
tml_stability stability;
int freedoms;
int unstable;
int neutral;
double softest;
} tml_statics_report;
const char* tml_stability_name(tml_stability stability);
tml_status tml_sim_settle(tml_sim* sim, const tml_statics_settings* settings,
tml_statics_report* report);
typedef enum tml_spread {
TML_SPREAD_GRID,
TML_SPREAD_LIST,
TML_SPREAD_UNIFORM,
TML_SPREAD_LOG_UNIFORM,
TML_SPREAD_NORMAL,
TML_SPREAD_LOG_NORMAL,
TML_SPREADS,
} tml_spread;
typedef struct tml_sweep_parameter {
const char* name;
tml_parameter
parameter;
tml_spread spread;
const double* values;
int value_count;
double a, b;
int is_relative;
} tml_sweep_parameter;
typedef enum tml_take {
TML_TAKE_FINAL,
TML_TAKE_MAX,
TML_TAKE_MIN,
TML_TAKE_MEAN,
TML_TAKE_SERIES,
TML_TAKES,
} tml_take;
typedef struct tml_sweep_record {
const char* name;
tml_quantity quantity;
tml_take take;
int every;
int has_gradient;
} tml_sweep_record;
typedef enum tml_sweep_failure {
TML_FAILURE_RECORD,
TML_FAILURE_RETRY,
TML_FAILURE_STOP,
TML_FAILURES,
} tml_sweep_failure;
typedef struct tml_sweep_def {
const tml_sweep_parameter* parameters;
int parameter_count;
const tml_sweep_record* records;
int record_count;
int samples;
unsigned long long seed;
int steps;
tml_sweep_failure failure;
int halvings;
size_t run_bytes;
void* memory;
} tml_sweep_def;
const char* tml_spread_name(tml_spread spread);
const char* tml_take_name(tml_take take);
tml_status tml_sweep_read_file(const char* path, const tml_model* model, double step,
double duration, tml_sweep_def* out, char* why,
size_t capacity);
tml_status tml_sweep_read_text(const char* text, size_t length, const char* name,
const tml_model* model, double step, double duration,
tml_sweep_def* out, char* why, size_t capacity);
void tml_sweep_def_destroy(tml_sweep_def* def);
typedef struct tml_sweep tml_sweep;
tml_status tml_sweep_create(const tml_model* model, const tml_sim_settings* settings,
const tml_sweep_def* def, tml_sweep** out);
void tml_sweep_destroy(tml_sweep* s);
const char* tml_sweep_message(const tml_sweep* s);
long long tml_sweep_row_count(const tml_sweep* s);
void tml_sweep_values(const tml_sweep* s, long long row,
double* values);
typedef struct tml_sweep_column {
const char* name;
int record;
int is_gradient;
int offset, width;
} tml_sweep_column;
int tml_sweep_column_count(const tml_sweep* s);
tml_sweep_column tml_sweep_get_column(const tml_sweep* s, int index);
int tml_sweep_number_count(const tml_sweep* s);
enum {
TML_SWEEP_REASON = 200
};
typedef enum tml_row_status {
TML_ROW_MISSING,
TML_ROW_DONE,
TML_ROW_FAILED,
} tml_row_status;
typedef struct tml_row {
tml_row_status status;
tml_status why;
int halvings;
double end;
char reason[TML_SWEEP_REASON];
} tml_row;
tml_status tml_sweep_run(tml_sweep* s, long long first, long long count, int threads,
tml_row* rows, double* numbers);
tml_status tml_sweep_replay(tml_sweep* s, long long row, tml_problem_watch watch,
void* self);
typedef struct tml_ranks {
void* self;
int rank, count;
int (*take)(void* self, long long amount, long long* before);
int (*open)(void* self, const char* path);
int (*read)(void* self, long long offset, void* bytes, size_t length);
int (*write)(void* self, long long offset, const void* bytes, size_t length);
int (*close)(void* self);
int (*wait)(void* self);
int (*add)(void* self, double* values, int count);
} tml_ranks;
typedef struct tml_sweep_report {
long long rows;
long long wanted;
long long found;
long long computed;
long long done, failed, missing;
int is_complete;
int workers;
double seconds;
double busy;
} tml_sweep_report;
typedef int (*tml_sweep_progress)(void* self, const tml_sweep_report* so_far, double seconds);
typedef struct tml_sweep_options {
long long first, count;
int threads;
const tml_ranks* ranks;
const char* scene;
const char* sweep;
tml_sweep_progress progress;
void* self;
} tml_sweep_options;
tml_sweep_options tml_sweep_options_default(void);
tml_status tml_sweep_run_file(tml_sweep* s, const char* path,
const tml_sweep_options* options, tml_sweep_report* report);

"""

REMARKS = {
    'tml_assemble_settings_default': '1e-10, 2000 iterations',
    'tml_axis_name': '"tx"',
    'tml_batch_bytes': 'that the states of all rows take',
    'tml_batch_copy_row': '',
    'tml_batch_count': '',
    'tml_batch_create': "`count` rows at the model's initial state. The settings are those of one row, `threads` of them excepted: so many step rows side by side, each row by one of them. The model is borrowed and must outlive the batch; an allocator of the settings must serve several threads. When the call fails, *out is NULL or an object good only for tml_batch_message(-1) and tml_batch_destroy.",
    'tml_batch_destroy': 'NULL is fine',
    'tml_batch_get': '',
    'tml_batch_message': 'Why a row failed last, "" where it did not; row -1: why the last call on the batch failed.',
    'tml_batch_read': 'A row into a simulation, and back: for whatever is not asked here. The simulation must be of the same model and settings.',
    'tml_batch_reset': 'Back to the initial state, or to the last of tml_batch_set_start.',
    'tml_batch_set_contact_shift': 'Added to friction and restitution of all contacts of a body: two numbers a body.',
    'tml_batch_set_coordinates': 'As tml_sim_set_coordinates and tml_sim_set_state, row by row; rows that cannot be set keep their state.',
    'tml_batch_set_gravity': '',
    'tml_batch_set_inputs': '',
    'tml_batch_set_start': 'A simulation of the same model and settings becomes where rows are reset to.',
    'tml_batch_set_states': '',
    'tml_batch_set_wrenches': '',
    'tml_batch_step': "`steps` steps of all rows of the mask. `controls`: as tml_sim_step, one set a row, held through the steps; NULL: the model's. `status`: one a row, may be NULL. A row that fails keeps the state it has then and takes no more of these steps; the others go on. Answers the status of the first row that failed. Room for contacts grows where it is needed, which allocates.",
    'tml_batch_width': 'numbers a row',
    'tml_batch_write': '',
    'tml_body_def_default': '1 kg, inertia of a solid sphere of 0.1 m radius, at the origin, at rest.',
    'tml_contact_slopes_name': '"exact", ...',
    'tml_coupling_def_default': '',
    'tml_deformable_def_default': 'Rubber: 1e6 Pa, 0.3, 1000 kg/m^3, co-rotated, lumped; no vertices.',
    'tml_deformable_handle': '',
    'tml_derivatives_change': "Change the model's numbers by `change` (one number a parameter, controls excepted), counted from the model as given, and forget the run. Where a change opens a joint, the nearest poses that close it are taken. On any status but TML_OK nothing has changed.",
    'tml_derivatives_check': "Compare the derivatives of the run as it stands with central differences at three step sizes, extrapolated (Ridders), parameter by parameter; `step` is the largest one, relative to each parameter's own size (0: 1e-2). Writes a table for people into `text` (may be NULL). The status is not TML_OK only where something could not be computed: judging is the caller's.",
    'tml_derivatives_check_closure': 'Does a change of this parameter keep the loops of the mechanism closed along the run? Where redundant rows close them (one hinge of a planar four-bar is tilted: it locks) no derivative exists, and what the functions above answer means nothing. Costs a forward pass. TML_INFEASIBLE: it breaks them; the message names a row.',
    'tml_derivatives_create': '`memory` bounds what is kept of a run, in bytes; 0: 256 MB. A run that needs more keeps fewer states and repeats steps on the way back; repeated steps have the same bits. The model is borrowed and must outlive the object. When the call fails, *out is NULL or an object good only for tml_derivatives_message and tml_derivatives_destroy. TML_UNSUPPORTED: steps of this formulation have no derivatives in this version.',
    'tml_derivatives_destroy': 'NULL is fine',
    'tml_derivatives_forward': 'Forwards: `change` has one number a parameter, the direction. `out` receives the derivative of every quantity along it.',
    'tml_derivatives_gradient': 'Backwards: the gradient of sum_i weight_i quantity_i by every parameter.',
    'tml_derivatives_last_flags': '',
    'tml_derivatives_message': '',
    'tml_derivatives_restart': 'Forget the run: back to the initial state.',
    'tml_derivatives_set_contact_slopes': 'For passes from now on; exact until then. Forward passes are not complementarity-aware.',
    'tml_derivatives_sim': 'where the run stands',
    'tml_derivatives_step': 'One step, as tml_sim_step. Controls are parameters where they are given (not NULL).',
    'tml_derivatives_steps': '',
    'tml_derivatives_values': 'The values of quantities of the run.',
    'tml_doctor_create': 'TML_NO_MEMORY, or TML_UNSUPPORTED when the loops are too many for a dense analysis.',
    'tml_doctor_destroy': 'NULL is fine',
    'tml_doctor_get_report': '',
    'tml_doctor_redundant': '',
    'tml_doctor_redundant_count': '',
    'tml_drag_def_default': '',
    'tml_dynamics_applied': "What all other forces of the model do: springs, tendons, wrenches, drag, springs, dampers and servos of joints, and force actuators at the model's own controls.",
    'tml_dynamics_axis': 'Where the coordinate of one axis is: first numbers of position and rate, both -1 where it has none of its own (it is held, one of three turns, or of a joint that the tree leaves out).',
    'tml_dynamics_bias': "Coriolis and centrifugal forces, less gravity's: what inverse dynamics asks for at a = 0.",
    'tml_dynamics_body': '',
    'tml_dynamics_create': "The model is borrowed and must outlive it; allocator NULL: malloc. It stands at the model's initial state at t = 0. When the call fails, *out is NULL or an object good only for tml_dynamics_message and tml_dynamics_destroy. TML_UNSUPPORTED: deformables and nonholonomic rows.",
    'tml_dynamics_destroy': 'NULL is fine',
    'tml_dynamics_difference': '',
    'tml_dynamics_follow': 'Stand where a simulation of the same model stands; angles count on from its coordinates.',
    'tml_dynamics_forward': 'Accelerations under tau (NULL: none) beside what the model applies, with all rows held. `multipliers`: one per row of tml_dynamics_row_count, NULL: not wanted; rows that follow from others carry nothing. TML_SINGULAR: a coordinate moves no mass.',
    'tml_dynamics_inverse': 'tau = M a + bias; a NULL: zero.',
    'tml_dynamics_jacobian': 'Of a point of a body (body frame): six rows of nv numbers, velocity of the point, then angular velocity, both in world axes. TML_BAD_ARGUMENT: there is no such body. Zero for those that never move.',
    'tml_dynamics_joint': '',
    'tml_dynamics_mass_matrix': 'nv x nv',
    'tml_dynamics_message': '',
    'tml_dynamics_move': 'q moved along a motion of nv numbers (rates times time), quaternions on their sphere; and the motion that leads from one q to another. out may be an input.',
    'tml_dynamics_position_count': 'nq',
    'tml_dynamics_rate_count': 'nv',
    'tml_dynamics_row_count': 'The rows that hold at the state (limits and rows with compliance are none) and their J, count x nv.',
    'tml_dynamics_rows': '',
    'tml_dynamics_set': 'Stand at a state and an instant, which all below speaks of. v NULL: at rest. Quaternions are normalised.',
    'tml_dynamics_state': 'The state, and how the bodies stand and move there (any may be NULL): for tml_sim_set_state.',
    'tml_formulation_default_integrator': '',
    'tml_formulation_find': 'false: no such name',
    'tml_formulation_name': '',
    'tml_ik_coordinate': 'unwrapped',
    'tml_ik_create': "A solver for moving targets, at the model's initial poses (assembled first when they are open), with position actuators let go. The model is borrowed, the targets are copied. When the call fails, *ik is NULL or an object good only for tml_ik_message and tml_ik_destroy.",
    'tml_ik_destroy': 'NULL is fine',
    'tml_ik_error': 'm, rad',
    'tml_ik_gap': '',
    'tml_ik_iterations': 'linear solves so far',
    'tml_ik_message': '',
    'tml_ik_pose': '',
    'tml_ik_solve': 'Move to the poses that meet the targets of time t best, from where the last call ended. All rows stay exact. Targets out of reach are met in the least-squares sense, which is no failure.',
    'tml_integrator_find': '',
    'tml_integrator_name': '',
    'tml_joint_def_default': 'A fixed joint from the world, axes passive, weights 1. Set kind, follower, position and axis.',
    'tml_joint_kind_find': 'false: no such name',
    'tml_joint_kind_name': '"revolute"',
    'tml_joint_kind_slides': '"x", "xy", ... or ""',
    'tml_joint_kind_turns': '',
    'tml_load_options_default': '',
    'tml_material_find': 'false: no such name',
    'tml_material_name': '',
    'tml_method_find': '',
    'tml_method_name': '',
    'tml_model_assemble': 'The nearest assembled poses into `poses`, one per body. Controls count at t = 0; joint limits are respected; rows with compliance give way and are left alone. The nearest is a local one: of several ways to close a loop it takes the one that the start leads to. TML_INFEASIBLE: some rows stay open; `why` (capacity bytes, may be NULL) names them, `report` and `poses` say how near it came. TML_NOT_CONVERGED: the iterations ran out.',
    'tml_model_body': 'The definitions as they were given, defaults filled in.',
    'tml_model_body_count': 'the world is not counted',
    'tml_model_body_name': '"world" for -1',
    'tml_model_control': '',
    'tml_model_control_count': 'The actuated axes in the order of `controls` of tml_sim_step: joint by joint, tx to rz.',
    'tml_model_control_value': "What the model's own control of that axis says at a time; zero when it has none.",
    'tml_model_coordinate': 'Joint and axis of a coordinate. TML_BAD_ARGUMENT: there is none of that index.',
    'tml_model_coordinate_count': 'free axes of all joints',
    'tml_model_coupling_count': '',
    'tml_model_coupling_name': '"?": none',
    'tml_model_deformable': '',
    'tml_model_deformable_count': '',
    'tml_model_deformable_surface': 'The triangles that one sees, three vertices each, outwards; returns the list, its length in *count.',
    'tml_model_destroy': '',
    'tml_model_find_body': '',
    'tml_model_find_coordinate': 'The index of a free axis, -1 where the joint holds it or does not exist. Both cost a walk along the joints: keep what they answer.',
    'tml_model_find_deformable': '-2: none',
    'tml_model_find_joint': '',
    'tml_model_gravity': '',
    'tml_model_input': '',
    'tml_model_input_count': 'Servos joint by joint and axis by axis, then tendons that have a control or a muscle (force before activation), then three forces and three torques a wrench. Springs that end on deformables have none.',
    'tml_model_input_value': "What the model's own control says at a time; 0 where there is none of that index.",
    'tml_model_joint': "A joint's is put together for the caller (the default one where there is none); its name and its control tables live as long as the model.",
    'tml_model_joint_axes': 'The free axes of a joint in the order tx ty tz rx ry rz; returns how many (0 to 6).',
    'tml_model_joint_count': '',
    'tml_model_joint_frames': 'The two frames of a joint, axes as columns, each in the frame of its own body.',
    'tml_model_joint_gap': 'The open part of a joint at the initial poses: largest |gap row| in m, and the largest angle that a rotation row is off, in rad.',
    'tml_model_joint_name': '',
    'tml_model_name': '',
    'tml_model_nonholonomic_count': '',
    'tml_model_nonholonomic_name': '"?": none',
    'tml_model_row_count': '',
    'tml_model_skin': '',
    'tml_model_skin_places': 'Where these points are while the vertices are at `vertices`; both three numbers each.',
    'tml_model_spring': '',
    'tml_model_spring_count': 'Springs (tendons and muscles among them) and wrenches, as they were given; NULL: there is none. Values of a wrench at a time: force in N, torque in N m, world axes.',
    'tml_model_summarise': '',
    'tml_model_summarise_deformables': '',
    'tml_model_world_shapes': 'The shapes that belong to the world; returns the list, its length in *count.',
    'tml_model_wrench': '',
    'tml_model_wrench_count': '',
    'tml_model_wrench_value': '',
    'tml_muscle_default': 'the curves of MuJoCo, no force',
    'tml_nonholonomic_def_default': '',
    'tml_pair_def_default': '',
    'tml_pairing_exists': 'Whether this build can run the pair, and what to know about it ("" when nothing).',
    'tml_pairing_exists_nodal': 'The same for models that have deformables and no body that moves.',
    'tml_pairing_has_contact': 'Does it also let bodies touch?',
    'tml_pairing_remark': '',
    'tml_pairing_remark_nodal': '',
    'tml_parameter_describe': 'A sentence part such as "mass of body \'rod\'"; at most `capacity` bytes, always terminated.',
    'tml_parameter_kind_find': '',
    'tml_parameter_kind_name': '"mass"',
    'tml_parameter_value': 'The number that a parameter has in a model: the value of masses, inertias, centres of mass, gravity, initial velocities, stiffnesses, dampings and rests, zero for poses, joint frames and controls.',
    'tml_problem_create': "The definition's lists are copied; the model is borrowed.",
    'tml_problem_def_destroy': '',
    'tml_problem_destroy': '',
    'tml_problem_evaluate': 'The objective at x (one number a variable) and, unless NULL, its gradient.',
    'tml_problem_last_flags': 'What the last gradient met: steps whose slopes hold on one side only, or less exactly.',
    'tml_problem_message': '',
    'tml_problem_optimize': "From x (in place: the best point found). A run that fails counts as infinitely bad. Same input, same bits; of shooting on the same machine (IPOPT's linear algebra differs between processors). TML_UNSUPPORTED: this build, or this machine, lacks the library of the method.",
    'tml_problem_read_file': '',
    'tml_problem_read_scene': 'Read a PROBLEM file. The first call tells which scene it is about (its path as seen from here), the second reads the rest for the model of that scene. Errors are one line "FILE:LINE: ..." in `why`.',
    'tml_problem_replay': '',
    'tml_quantity_describe': '',
    'tml_quantity_kind_find': '',
    'tml_quantity_kind_name': '"position"',
    'tml_record_find': 'Parse "pose,velocity,gap"; 0 when a word is unknown (then *bad points at it).',
    'tml_record_usual': 'The columns of a file of this name where nobody says: pose and velocity; of .mcap, which is for other tools to look at, all of them.',
    'tml_recorder_close': 'Finish the file where that is not done yet, with the same status. The recorder is gone.',
    'tml_recorder_create': 'Create the file. The format follows the ending: .csv, .npz, .glb or .mcap. From the first state on what is there can be read, whatever ends the program; docs/view.md says how much of it. The message goes to `why` (capacity bytes) when it fails.',
    'tml_recorder_expect': 'Before a run: whether the disk has room for so many states. TML_BAD_FILE with a sentence in `why` when not even the fewest bytes that they can take would fit; TML_OK promises nothing.',
    'tml_recorder_finish': 'Finish the file, after which no state can be written: the status says whether everything reached it, tml_recorder_states how much did.',
    'tml_recorder_states': 'States that a reader finds in the file at this moment.',
    'tml_recorder_write': 'Append the current state of the simulation (of the same model).',
    'tml_recording_column': 'The values of a column, row_count of them; NULL when there is no such column. Borrowed.',
    'tml_recording_column_count': '',
    'tml_recording_column_name': '',
    'tml_recording_contact_count': '',
    'tml_recording_contacts': '',
    'tml_recording_destroy': 'NULL is fine',
    'tml_recording_find': 'The column of that name, -1: none. Free coordinates were once JOINT.q0, JOINT.q1, ... in the order tx ty tz rx ry rz: asked for by these names they are found as JOINT.rx and so on.',
    'tml_recording_read_file': 'Read X.csv or X.npz, and the contacts of X.contacts.csv where it is there (in an NPZ they are arrays). TML_BAD_FILE with one line "FILE:LINE: what is wrong" in `why`, or TML_NO_MEMORY.',
    'tml_recording_row_count': '',
    'tml_scene_build': 'Build the model; a failure names the file and line of the element.',
    'tml_scene_create': 'empty, default settings; NULL without memory',
    'tml_scene_destroy': '',
    'tml_scene_forget': 'Forget bodies, joints and all other elements, and keep the settings: once its model is built, a scene of a million links is only memory.',
    'tml_scene_lint': 'NULL outside of the list',
    'tml_scene_lint_count': 'What the model uses and we do not simulate, one sentence a feature: "FILE:LINE: joint armature (20 times, first \'hip\'): ...". Empty for a scene in JSON, which is refused instead. Borrowed.',
    'tml_scene_message': '',
    'tml_scene_read_file': 'Read a scene, or a robot model, into an empty scene: a text that starts with \'<\' is a model, MJCF, URDF or SDF by its root element, anything else is JSON. Errors are TML_BAD_FILE (the file cannot be read or is not JSON) or TML_BAD_ARGUMENT (it is not a scene) or TML_UNSUPPORTED, with one line "FILE:LINE: what is wrong with which element" in tml_scene_message.',
    'tml_scene_read_text': '',
    'tml_scene_set_load_options': '',
    'tml_scene_settings': '',
    'tml_scene_spec': 'Borrowed; changed through tml_spec_add_... and by assigning the settings.',
    'tml_scene_write_file': 'Write the resolved scene (generated bodies listed one by one) as JSON, or as a robot model where the path ends with ".xml" (MJCF) or ".urdf". TML_UNSUPPORTED, with a sentence that names the element, when the format cannot say what the scene does; no file is written then.',
    'tml_scene_write_text': 'The same into memory: the caller frees *text with tml_text_free.',
    'tml_shape_def_default': '',
    'tml_shape_kind_find': 'false: no such name',
    'tml_shape_kind_name': '',
    'tml_shapes_mass': 'TML_BAD_ARGUMENT when a shape has no volume (plane, heightfield, zero size, a mesh that is not closed).',
    'tml_sim_add_push': 'The same beside those that act on the body already, as many as wanted.',
    'tml_sim_contact': '',
    'tml_sim_contact_count': 'The contacts of the last accepted step, near ones without force included.',
    'tml_sim_contacts': 'The contacts of tml_sim_contact, at most `capacity` of them; returns how many there are.',
    'tml_sim_controls': 'as they acted last',
    'tml_sim_coordinates': '',
    'tml_sim_copy': 'The state of another simulation of the same model with the same formulation, integrator and step becomes that of `to`: it goes on with the same bits. A save and a restore without the bytes between. Allocates only where `from` has more contacts than `to` has room for.',
    'tml_sim_create': "Create a simulation at the model's initial state. Initial velocities that contradict the joints are replaced by the nearest consistent ones in the mass norm (tml_sim_report says so). The model is borrowed and must outlive it; the settings are copied. The caller owns *sim. When the call fails, *sim is NULL or an object good only for tml_sim_message and tml_sim_destroy. TML_UNSUPPORTED: formulation, integrator and settings do not go together. TML_BAD_ARGUMENT: a setting is out of range, or joints are open (the message lists the gaps). TML_SINGULAR: rows are redundant or contradict each other.",
    'tml_sim_destroy': 'NULL is fine',
    'tml_sim_energy': '',
    'tml_sim_explain': 'A paragraph for people: stages, sizes, joints and their rows, the matrix and its solver. Writes at most `capacity` bytes, always terminated, and answers how many characters the whole text has.',
    'tml_sim_follow': "Go on from where another simulation of the same model stands, with this one's own formulation, integrator and step: time, poses, velocities, angles as they are unwrapped, and controls. Where the joints of the other have drifted open, the nearest poses that close them. On any status but TML_OK the state is exactly what it was. This call allocates.",
    'tml_sim_gap': 'largest |row|',
    'tml_sim_get_report': '',
    'tml_sim_get_settings': '',
    'tml_sim_gravity': '',
    'tml_sim_inputs': 'as they act now',
    'tml_sim_joint_coordinates': 'The free coordinates in the order tx ty tz rx ry rz, angles unwrapped; returns how many.',
    'tml_sim_joint_load': '',
    'tml_sim_joint_multipliers': 'The multiplier of each row of a joint by axis (force or torque on the follower); zero where the axis has no row.',
    'tml_sim_joint_rates': 'How fast the free coordinates of a joint change, in the order of tml_sim_joint_coordinates; returns how many. Next to the gimbal lock of three rotations (the middle one at a right angle) rates of the outer two exist no longer: they are the least that give the angular velocity.',
    'tml_sim_loads': 'one a joint',
    'tml_sim_measure': '',
    'tml_sim_message': 'why the last call failed',
    'tml_sim_model': '',
    'tml_sim_pose': 'body to world',
    'tml_sim_poses': 'one a body',
    'tml_sim_push': 'Let a force at a point of a body (body frame) and a torque act, both in world axes, from the next step on until that body is pushed otherwise; a body below 0 lets go of all bodies. Pushes are no part of a saved state. The first ones allocate.',
    'tml_sim_push_count': '',
    'tml_sim_rates': '',
    'tml_sim_reserve': 'Make room for more contacts, after a step answered TML_TOO_MANY_CONTACTS; the state stays, bit for bit, and the next step is that of a simulation which had the room from the start. Less room than there is changes nothing. TML_UNSUPPORTED: the simulation has no contact.',
    'tml_sim_reset': 'Back to where the simulation began, bit for bit, its report cleared. Forces, gravity and inputs that the caller has set (sim.h, inputs.h) stay.',
    'tml_sim_restore': '',
    'tml_sim_save': 'into that many bytes',
    'tml_sim_set_coordinates': 'Put the mechanism where all coordinates say; rates NULL: at rest. Bodies follow from joint to joint; loops then close at the nearest poses, so that coordinates on loops may end a little elsewhere, and velocities are the nearest that the rows allow. Bodies that no joint ties to the world stay where they are, and what hangs on them follows them. Controls of position actuators become their coordinates. Time stays.',
    'tml_sim_set_gravity': 'Other gravity from the next step on, for this simulation alone; the model stays. It is no part of a saved state either.',
    'tml_sim_set_inputs': "Hold all inputs at these values from the next step on; a servo's target then stands still. NULL: those of the model again. They are no part of a saved state. The first call allocates.",
    'tml_sim_set_joint': 'Set one free coordinate; the rest of the mechanism follows, nearest in the mass norm and on the same branch. Velocities turn with their bodies. TML_BAD_ARGUMENT: the axis is held, driven by a position actuator, or the value is outside its limits. TML_INFEASIBLE: the mechanism cannot follow; the message says how far it can.',
    'tml_sim_set_nearest_state': 'The same from poses that need not close: they are assembled first.',
    'tml_sim_set_state': 'Set all poses (one per body; fixed ones are ignored) and velocities (NULL: at rest). The poses must close: TML_BAD_ARGUMENT names the gap.',
    'tml_sim_set_state_at': "The model's own controls at another time become those of the simulation, and poses and velocities (NULL: at rest) its state there, as tml_sim_set_state.",
    'tml_sim_set_wrenches': 'In place of all pushes: one force at the centre of mass and one torque a body, world axes; those of fixed bodies are ignored. NULL lets go of all.',
    'tml_sim_settings_default': 'Settings for a metre-sized mechanism. Start here; a zeroed struct is not valid.',
    'tml_sim_settle': 'Move a simulation to an equilibrium of its present targets and forces; it is then at rest there, its history begins anew and time stays. Only for simulations of the quaternion formulation. TML_NOT_CONVERGED: none was found; tml_sim_message names the body that still falls. TML_BAD_ARGUMENT, TML_UNSUPPORTED: see the message. On any status but TML_OK the simulation is as it was.',
    'tml_sim_state_size': 'bytes',
    'tml_sim_step': "Advance one step. `controls` holds one value per actuated axis, at the end of the step; NULL takes the controls of the model, zero where it gives none. Recording is the caller's business. On any status but TML_OK the state is exactly what it was before the call.",
    'tml_sim_time': 's',
    'tml_sim_velocities': 'one a body',
    'tml_sim_velocity': 'of the body frame',
    'tml_sim_vertex': 'Where a vertex of a deformable is and how fast it moves, in world axes. m',
    'tml_sim_vertex_velocity': 'm/s',
    'tml_solver_find': 'false: no such name',
    'tml_solver_name': '',
    'tml_spec_add_body': '',
    'tml_spec_add_coupling': '',
    'tml_spec_add_deformable': 'The index that the deformable has, or would have had. Bodies that it names come first.',
    'tml_spec_add_drag': '',
    'tml_spec_add_exclusion': 'never touch',
    'tml_spec_add_joint': '',
    'tml_spec_add_nonholonomic': '',
    'tml_spec_add_pair': '',
    'tml_spec_add_spring': '',
    'tml_spec_add_world_shape': '',
    'tml_spec_add_wrench': '',
    'tml_spec_body_count': 'the world is not counted',
    'tml_spec_build': 'Check and freeze. The caller owns *model; the spec stays usable.',
    'tml_spec_create': 'NULL without memory',
    'tml_spec_destroy': '',
    'tml_spec_find_body': 'Look up by name; index -1 for "world", -2 when there is none.',
    'tml_spec_find_joint': '',
    'tml_spec_message': '',
    'tml_spec_set_control': 'Replace the control of an actuated axis.',
    'tml_spec_set_gravity': '(0, 0, -9.81) by default',
    'tml_spec_set_name': '',
    'tml_spec_set_neighbours': 'Bodies that so many joints or fewer lead from one to the other do not touch: 1 (unless said) or 2, for nets and chains whose links meet at a common neighbour. The world is no way between two bodies.',
    'tml_spec_set_poses': 'Move the initial poses of a spec; joints stay where they are in their bodies. Bodies that are fixed keep theirs.',
    'tml_spec_set_rayleigh': 'Rayleigh damping: forces -mass M v on every body (1/s), and of every spring, of joints too, beside its own damping `stiffness` times the rate of its force (s); of deformables the same, (-mass M + stiffness dF/dx) v. Zero by default. Servos and limits have none.',
    'tml_spec_status': 'TML_OK while nothing was refused',
    'tml_spread_name': '"grid"',
    'tml_spring_def_default': '',
    'tml_stability_name': '',
    'tml_statics_settings_default': '1e-10, 500, 1',
    'tml_status_name': '"TML_OK", ...; never NULL',
    'tml_sweep_column_count': '',
    'tml_sweep_create': "The model is borrowed; the definition's lists are copied. When the call fails, *out is NULL or an object good only for tml_sweep_message and tml_sweep_destroy.",
    'tml_sweep_def_destroy': '',
    'tml_sweep_destroy': 'NULL is fine',
    'tml_sweep_get_column': '',
    'tml_sweep_message': '',
    'tml_sweep_number_count': 'results of a row',
    'tml_sweep_options_default': '',
    'tml_sweep_read_file': 'Read a SWEEP file for a model. Errors are one line "FILE:LINE: ..." in `why`.',
    'tml_sweep_read_text': 'The same from memory; messages call it `name`.',
    'tml_sweep_replay': 'One row once more, watched (tml_problem_watch), with the step that it took at last.',
    'tml_sweep_row_count': '',
    'tml_sweep_run': 'Run rows first .. first + count - 1 on so many threads; `rows` has count entries and `numbers` count times tml_sweep_number_count. A row that fails is no error, unless the definition says stop.',
    'tml_sweep_run_file': 'Run the rows that the file lacks. It grows as PATH.part, every row marked once it is there, and becomes PATH (an NPZ) when no row is missing; whatever ends the program, the next call goes on. Callers may share one file, each with a range of its own. TML_BAD_FILE: it cannot be written, or is of another sweep. TML_CANCELLED: progress said so.',
    'tml_sweep_values': '',
    'tml_take_name': '"final"',
    'tml_target_default': '',
    'tml_targets_destroy': '',
    'tml_targets_read_file': 'Bodies are looked up in the spec. The message is one line "FILE:LINE: ...".',
    'tml_text_free': '',
    'tml_version': '"0.1.0"',
    'tml_wrench_def_default': '',
}
