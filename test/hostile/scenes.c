// Broken scenes: each file of test/hostile/scenes is refused with a status and one line that names
// the file, the line and what is wrong with which element.
#define _XOPEN_SOURCE 700  // opendir

#include "test/check.h"
#include "test_paths.h"

#include <trammel/scene.h>

#include <dirent.h>

#define SCENES TEST_SOURCE_DIR "/test/hostile/scenes"

typedef struct broken {
    const char* file;
    tml_status status;
    const char* piece;  // of the message, from behind the file's name
} broken;

// clang-format off
static const broken table[] = {
    {"empty.json", TML_BAD_FILE,
     ":1: there is nothing here but space (column 1)"},
    {"not_json.json", TML_BAD_FILE,
     ":1: expected a value, not '%' (column 1)"},
    {"truncated.json", TML_BAD_FILE,
     ":4: the string is not closed on its line"},
    {"cut_between.json", TML_BAD_FILE,
     ":3: expected a value, but the text ends here"},
    {"trailing_comma.json", TML_BAD_FILE,
     ":5: there is a comma too many before the ']'"},
    {"trailing_garbage.json", TML_BAD_FILE,
     ":5: expected nothing more after the closing bracket, not '}'"},
    {"comment.json", TML_BAD_FILE,
     ":2: expected a key in quotation marks, not '/'"},
    {"nan.json", TML_BAD_FILE,
     ":4: NaN and Infinity are not JSON numbers"},
    {"infinity.json", TML_BAD_FILE,
     ":3: this is not a number as JSON writes them"},
    {"huge_number.json", TML_BAD_FILE,
     ":3: this number is too large for a double"},
    {"invalid_utf8.json", TML_BAD_FILE,
     ":3: this is not valid UTF-8"},
    {"zero_byte.json", TML_BAD_FILE,
     ":3: expected a value, not the byte 0x00"},
    {"lone_surrogate.json", TML_BAD_FILE,
     ":3: the first half of a surrogate pair lacks its second"},
    {"duplicate_key.json", TML_BAD_FILE,
     ":5: the key 'mass' stands twice in one object"},
    {"deep.json", TML_BAD_FILE,
     ":3: nested more than 64 levels deep"},
    {"open_brackets.json", TML_BAD_FILE,
     ":1: nested more than 64 levels deep"},
    {"a_list.json", TML_BAD_ARGUMENT,
     ":1: the scene must be an object, not a list"},
    {"a_number.json", TML_BAD_ARGUMENT,
     ":1: the scene must be an object, not a number"},
    {"no_version.json", TML_BAD_ARGUMENT,
     ":1: the scene needs 'trammel'"},
    {"wrong_version.json", TML_BAD_ARGUMENT,
     ":2: 'trammel' must be 1"},
    {"no_bodies.json", TML_BAD_ARGUMENT,
     ":1: the scene needs 'bodies'"},
    {"empty_bodies.json", TML_BAD_ARGUMENT,
     ":3: the scene has no bodies"},
    {"bodies_object.json", TML_BAD_ARGUMENT,
     ":3: 'bodies' must be a list, not an object"},
    {"unknown_top_key.json", TML_BAD_ARGUMENT,
     ":4: unknown key 'gravitty' in the scene; did you mean 'gravity'?"},
    {"gravity_of_two.json", TML_BAD_ARGUMENT,
     ":4: gravity of the scene must be 3 numbers, not 2"},
    {"gravity_text.json", TML_BAD_ARGUMENT,
     ":4: gravity of the scene must be a list, not a string"},
    {"name_number.json", TML_BAD_ARGUMENT,
     ":4: name of the scene must be a string, not a number"},
    {"unknown_body_key.json", TML_BAD_ARGUMENT,
     ":4: unknown key 'masss' in body 'rod'; did you mean 'mass'?"},
    {"body_is_text.json", TML_BAD_ARGUMENT,
     ":4: body 0 must be an object, not a string"},
    {"empty_name.json", TML_BAD_ARGUMENT,
     ":4: the name of body '' is empty"},
    {"name_with_newline.json", TML_BAD_ARGUMENT,
     "holds a control character"},
    {"duplicate_body.json", TML_BAD_ARGUMENT,
     ":5: body 'rod': the name is used twice"},
    {"world_with_mass.json", TML_BAD_ARGUMENT,
     ":4: unknown key 'mass' in body 'world'"},
    {"no_mass.json", TML_BAD_ARGUMENT,
     ":4: body 'rod' has no mass: give mass and inertia, or shapes with a density"},
    {"no_inertia.json", TML_BAD_ARGUMENT,
     ":4: body 'rod' has a mass but neither inertia nor shapes that could give it"},
    {"negative_mass.json", TML_BAD_ARGUMENT,
     ":4: mass of body 'rod' must be positive, but is -1"},
    {"mass_text.json", TML_BAD_ARGUMENT,
     ":4: mass of body 'rod' must be a number, not a string"},
    {"mass_null.json", TML_BAD_ARGUMENT,
     ":4: mass of body 'rod' must be a number, not null"},
    {"inertia_of_four.json", TML_BAD_ARGUMENT,
     ":4: inertia of body 'rod' must be 3 numbers (xx, yy, zz) or 6"},
    {"inertia_triangle.json", TML_BAD_ARGUMENT,
     ":4: body 'rod': inertia violates the triangle inequality"},
    {"inertia_negative.json", TML_BAD_ARGUMENT,
     ":4: body 'rod': inertia must be positive definite"},
    {"inertia_zero.json", TML_BAD_ARGUMENT,
     ":4: body 'rod': inertia must be positive definite"},
    {"orientation_of_three.json", TML_BAD_ARGUMENT,
     ":4: orientation of body 'rod' must be 4 numbers, not 3"},
    {"orientation_zero.json", TML_BAD_ARGUMENT,
     ":4: orientation of body 'rod' must be a unit quaternion (w, x, y, z), but its length is 0"},
    {"orientation_long.json", TML_BAD_ARGUMENT,
     "must be a unit quaternion (w, x, y, z), but its length is 1.41421"},
    {"fixed_number.json", TML_BAD_ARGUMENT,
     ":4: fixed of body 'rod' must be true or false, not a number"},
    {"fixed_and_moving.json", TML_BAD_ARGUMENT,
     ":4: body 'rod' is fixed, so it cannot have a velocity"},
    {"com_contradicts.json", TML_BAD_ARGUMENT,
     ":4: com of body 'rod' is (1, 0, 0), but its shapes, which give the inertia, have theirs at (0, 0, 0)"},
    {"shape_without_type.json", TML_BAD_ARGUMENT,
     ":4: shape 0 of body 'rod' needs 'type'"},
    {"shape_unknown.json", TML_BAD_ARGUMENT,
     ":4: unknown type 'cone' of shape 0 of body 'rod'; known are sphere, ellipsoid, capsule, cylinder, box, plane"},
    {"shape_wrong_key.json", TML_BAD_ARGUMENT,
     ":4: unknown key 'length' in shape 0 of body 'rod'"},
    {"shape_without_size.json", TML_BAD_ARGUMENT,
     ":4: shape 0 of body 'rod' needs 'size'"},
    {"shape_negative.json", TML_BAD_ARGUMENT,
     ":4: radius of shape 0 of body 'rod' must be positive, but is -1"},
    {"shape_flat.json", TML_BAD_ARGUMENT,
     ":4: size of shape 0 of body 'rod' must be positive"},
    {"shape_color.json", TML_BAD_ARGUMENT,
     ":4: color of shape 0 of body 'rod' must look like \"#c8963e\", not \"red\""},
    {"shape_restitution.json", TML_BAD_ARGUMENT,
     ":4: restitution of shape 0 of body 'rod' must be at most 1, but is 1.5"},
    {"shape_mesh.json", TML_BAD_ARGUMENT,
     ":4: shape 0 of body 'rod' needs 'file'"},
    {"collision_key.json", TML_BAD_ARGUMENT,
     "'include'"},
    {"collision_self.json", TML_BAD_ARGUMENT,
     "body 'rod' is paired with itself"},
    {"collision_three.json", TML_BAD_ARGUMENT,
     ":5: an entry of exclude names two bodies, not 3 things"},
    {"grid_one_row.json", TML_BAD_ARGUMENT,
     "must be 2 to 2048 rows"},
    {"grid_ragged.json", TML_BAD_ARGUMENT,
     "heights of shape 0 of body 'rod'"},
    {"grid_size.json", TML_BAD_ARGUMENT,
     "size of shape 0 of body 'rod' must be positive"},
    {"mesh_both.json", TML_BAD_ARGUMENT,
     "has a file and lists of vertices or triangles"},
    {"mesh_empty.json", TML_BAD_ARGUMENT,
     "a mesh has 3 to"},
    {"mesh_fraction.json", TML_BAD_ARGUMENT,
     "1.5 is none of its 3 vertices"},
    {"mesh_index.json", TML_BAD_ARGUMENT,
     ":4: triangle 0 of shape 0 of body 'rod': 3 is none of its 3 vertices"},
    {"mesh_missing_file.json", TML_BAD_FILE,
     ":4: file of shape 0 of body 'rod': "},
    {"pair_restitution.json", TML_BAD_ARGUMENT,
     "restitution at most 1"},
    {"weightless_shapes.json", TML_BAD_ARGUMENT,
     ":4: body 'rod' has a mass but neither inertia nor shapes that could give it"},
    {"unknown_joint_key.json", TML_BAD_ARGUMENT,
     ":5: unknown key 'axs' in joint 'pin'; did you mean 'axis'?"},
    {"unknown_type.json", TML_BAD_ARGUMENT,
     ":5: unknown type 'hinge' of joint 'pin'; known are fixed, prismatic, revolute"},
    {"no_type.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin' needs either 'type' or 'free'"},
    {"type_and_free.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin' needs either 'type' or 'free', not both"},
    {"free_letters.json", TML_BAD_ARGUMENT,
     ":5: rotation in free of joint 'pin' must be different letters of x, y, z, not"},
    {"no_base.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin' needs 'base'"},
    {"no_follower.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin' needs 'follower'"},
    {"unknown_body.json", TML_BAD_ARGUMENT,
     ":5: follower of joint 'pin': there is no body 'rud'; did you mean 'rod'?"},
    {"self_joint.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin': base and follower are the same body 'rod'"},
    {"duplicate_joint.json", TML_BAD_ARGUMENT,
     ":6: joint 'pin': the name is used twice"},
    {"axis_zero.json", TML_BAD_ARGUMENT,
     ":5: axis of joint 'pin' must not be zero"},
    {"axis_of_two.json", TML_BAD_ARGUMENT,
     ":5: axis of joint 'pin' must be 3 numbers, not 2"},
    {"axis_and_axes.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin' has both 'axis' and 'axes'"},
    {"axes_not_orthonormal.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin': axes must be orthonormal to 1e-9"},
    {"axes_left_handed.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin': axes must be right-handed"},
    {"axes_two.json", TML_BAD_ARGUMENT,
     ":5: axes of joint 'pin' must be three vectors, not 2"},
    {"follower_frame_key.json", TML_BAD_ARGUMENT,
     ":5: unknown key 'pos' in follower_frame of joint 'pin'"},
    {"limits_reversed.json", TML_BAD_ARGUMENT,
     ":5: limits rx of joint 'pin' must be [low, high], but are [1, -1]"},
    {"limits_bare.json", TML_BAD_ARGUMENT,
     ":5: limits of joint 'pin' must be an object by axis name, not a list"},
    {"limits_held.json", TML_BAD_ARGUMENT,
     ":5: limits of joint 'pin': ty is held by the joint; free are rx"},
    {"limits_and_position.json", TML_BAD_ARGUMENT,
     ":5: joint 'pin': rx is position-actuated and cannot have limits too"},
    {"unknown_axis.json", TML_BAD_ARGUMENT,
     ":5: unknown axis 'rw' in stiffness of joint 'pin'; axes are tx ty tz rx ry rz"},
    {"stiffness_negative.json", TML_BAD_ARGUMENT,
     ":5: stiffness of joint 'pin' must not be negative, but is -1"},
    {"stiffness_on_fixed.json", TML_BAD_ARGUMENT,
     ":5: stiffness of joint 'pin': the joint has no axis that takes it"},
    {"compliance_on_free.json", TML_BAD_ARGUMENT,
     ":5: compliance of joint 'pin': rx has no row, because it is free; rows are on tx ty tz ry rz"},
    {"weight_zero.json", TML_BAD_ARGUMENT,
     ":5: weight of joint 'pin' must be positive, but is 0"},
    {"actuation_unknown.json", TML_BAD_ARGUMENT,
     ":5: actuation of joint 'pin' must be \"passive\", \"position\" or \"force\", not \"motor\""},
    {"actuation_held.json", TML_BAD_ARGUMENT,
     ":5: actuation of joint 'pin': tx is held by the joint; free are rx"},
    {"control_passive.json", TML_BAD_ARGUMENT,
     ":5: control of joint 'pin' is given, but no axis of the joint is actuated"},
    {"control_passive_axis.json", TML_BAD_ARGUMENT,
     ":5: control of joint 'pin': rx is not actuated, so it takes no control; actuated are none"},
    {"control_bare_for_two.json", TML_BAD_ARGUMENT,
     ":5: control of joint 'pin' must be an object by axis name, because 2 axes are actuated"},
    {"control_text.json", TML_BAD_ARGUMENT,
     ":5: control rx of joint 'pin' must be a number, a {"},
    {"sine_incomplete.json", TML_BAD_ARGUMENT,
     ":5: sine of control of joint 'pin' needs 'frequency'"},
    {"sine_unknown_key.json", TML_BAD_ARGUMENT,
     ":5: unknown key 'fase' in sine of control of joint 'pin'"},
    {"table_backwards.json", TML_BAD_ARGUMENT,
     ":6: the times in the table of control of joint 'pin' must increase strictly, but 1 s follows 1 s"},
    {"table_empty.json", TML_BAD_ARGUMENT,
     ":5: table of control of joint 'pin' is empty"},
    {"table_of_triples.json", TML_BAD_ARGUMENT,
     ":5: each point in the table of control of joint 'pin' must be 2 numbers, not 3"},
    {"table_interpolation.json", TML_BAD_ARGUMENT,
     ":5: unknown interpolation 'step' of control of joint 'pin'; known are linear, cubic"},
    {"servo_held.json", TML_BAD_ARGUMENT,
     ":5: servo of joint 'pin': tx is held by the joint; free are rx"},
    {"servo_no_target.json", TML_BAD_ARGUMENT,
     ":5: servo rx of joint 'pin' needs 'target'"},
    {"coupling_unknown_joint.json", TML_BAD_ARGUMENT,
     ":8: a term of coupling 'gear': there is no joint 'pim'"},
    {"coupling_no_axis.json", TML_BAD_ARGUMENT,
     ":8: a term of coupling 'gear' must name a coordinate like \"joint.rx\", not \"pin\""},
    {"coupling_held_axis.json", TML_BAD_ARGUMENT,
     ":8: coupling 'gear': axis tx of joint 'pin' is not free"},
    {"coupling_no_terms.json", TML_BAD_ARGUMENT,
     ":8: coupling 'gear': it has no terms"},
    {"coupling_short_term.json", TML_BAD_ARGUMENT,
     ":8: each of the terms of coupling 'gear' must be ["},
    {"coupling_degree.json", TML_BAD_ARGUMENT,
     ":8: the coefficient of a term of coupling 'gear' must be 1 to 8 numbers, not 9"},
    {"force_unknown.json", TML_BAD_ARGUMENT,
     ":8: unknown type 'magnet' of force 0; known are spring, tendon, wrench, drag"},
    {"force_no_type.json", TML_BAD_ARGUMENT,
     ":8: force 0 needs 'type'"},
    {"spring_no_end.json", TML_BAD_ARGUMENT,
     ":8: spring 0 needs 'b'"},
    {"spring_unknown_body.json", TML_BAD_ARGUMENT,
     ":8: a of spring 0: there is no body 'rot'; did you mean 'rod'?"},
    {"spring_point.json", TML_BAD_ARGUMENT,
     ":8: a of spring 0 must be ["},
    {"spring_does_nothing.json", TML_BAD_ARGUMENT,
     ":8: spring 0 needs 'stiffness' or 'damping'"},
    {"spring_table_and_stiffness.json", TML_BAD_ARGUMENT,
     ":8: spring 0 has a table, which says all about its force: leave out 'stiffness'"},
    {"spring_table_backwards.json", TML_BAD_ARGUMENT,
     ":8: spring 's': the extensions of its table must be finite and increase strictly"},
    {"tendon_one_point.json", TML_BAD_ARGUMENT,
     ":8: points of tendon 0 must be two or more, not 1"},
    {"wrench_on_world.json", TML_BAD_ARGUMENT,
     ":8: body of wrench 0 must be one that moves, not the world"},
    {"wrench_of_two.json", TML_BAD_ARGUMENT,
     ":8: force of wrench 0 must be three numbers or controls, not 2"},
    {"wrench_nothing.json", TML_BAD_ARGUMENT,
     ":8: wrench 0 needs 'force' or 'torque'"},
    {"drag_negative.json", TML_BAD_ARGUMENT,
     ":8: linear of drag 0 must not be negative, but is -1"},
    {"chain_no_links.json", TML_BAD_ARGUMENT,
     ":5: generator 0 needs 'links'"},
    {"chain_half_link.json", TML_BAD_ARGUMENT,
     ":5: links of generator 0 must be a whole number from 1 to 2000000, but is 2.5"},
    {"chain_too_many.json", TML_BAD_ARGUMENT,
     ":5: links of generator 0 must be a whole number from 1 to 2000000, but is 1e+300"},
    {"chain_no_size.json", TML_BAD_ARGUMENT,
     ":5: link of generator 'c' needs 'mass'"},
    {"chain_pose.json", TML_BAD_ARGUMENT,
     ":5: unknown pose 'lying' of generator 'c'; known are horizontal, hanging, zigzag, coil"},
    {"chain_name_taken.json", TML_BAD_ARGUMENT,
     ":5: body 'c.0': the name is used twice"},
    {"net_narrow.json", TML_BAD_ARGUMENT,
     ":5: pitch of generator 'n' must exceed the length of its links, 0.1"},
    {"net_too_large.json", TML_BAD_ARGUMENT,
     ":5: generator 'n' is too large"},
    {"tree_seed.json", TML_BAD_ARGUMENT,
     ":5: seed of generator 't' must be a whole number from 0 to 2147483647, but is -1"},
    {"pulley.json", TML_BAD_ARGUMENT,
     ":5: generator 0 needs 'links'"},
    {"generate_unknown.json", TML_BAD_ARGUMENT,
     ":5: unknown type 'ladder' of generator 0; known are chain, net, tree, pulley"},
    {"nonholonomic.json", TML_BAD_ARGUMENT,
     ":4: radius of nonholonomic 'k' must be positive, but is 0"},
    {"nonholonomic_axis.json", TML_BAD_ARGUMENT, ":4: nonholonomic 'k' needs 'axis'"},
    {"nonholonomic_type.json", TML_BAD_ARGUMENT,
     ":4: unknown type 'knife' of nonholonomic 'k'; known are knife_edge, rolling"},
    {"nonholonomic_key.json", TML_BAD_ARGUMENT, ":4: unknown key 'radius' in nonholonomic 'k'"},
    {"nonholonomic_plane.json", TML_BAD_ARGUMENT,
     ":4: nonholonomic 'k': its plane needs a normal and a finite offset"},
    {"collision.json", TML_BAD_ARGUMENT,
     ":5: exclude of collision: there is no body 'roda'; did you mean 'rod'?"},
    {"deformables.json", TML_BAD_ARGUMENT,
     ":4: deformable 'jelly' needs 'vertices'"},
    {"soft_friction.json", TML_BAD_ARGUMENT,
     ":4: friction of deformable 'jelly' must not be negative, but is -1"},
    {"soft_corner.json", TML_BAD_ARGUMENT,
     ":4: tetrahedra of deformable 'jelly': entry 0 names vertex 4, but there are 4"},
    {"soft_flat.json", TML_BAD_ARGUMENT, ":4: deformable 'jelly': tetrahedron 0 (vertices 0, 1, 2, 3) is flat"},
    {"soft_poisson.json", TML_BAD_ARGUMENT,
     ":4: deformable 'jelly': poisson must lie between -1 and 0.5, but is 0.5"},
    {"soft_massless.json", TML_BAD_ARGUMENT, ":4: deformable 'jelly': vertex 4 belongs to no tetrahedron"},
    {"soft_point_far.json", TML_BAD_ARGUMENT,
     ":4: deformable 'jelly': the point of attachment 0, (4, 0, 0), lies in none of its tetrahedra"},
    {"soft_point_both.json", TML_BAD_ARGUMENT,
     ":4: attachment 0 of deformable 'jelly' has a vertex and a point: give one of them"},
    {"soft_point_held.json", TML_BAD_ARGUMENT,
     ":4: deformable 'jelly': the point of attachment 4 is held already"},
    {"soft_twice.json", TML_BAD_ARGUMENT, ":4: deformable 'jelly': vertex 1 is fixed or attached twice"},
    {"soft_surface.json", TML_BAD_ARGUMENT,
     ":4: deformable 'jelly': point 2 of its surface, at (9, 9, 9), lies outside"},
    {"soft_spring_vertex.json", TML_BAD_ARGUMENT,
     ":5: a of spring 0: 'jelly' has no vertex 4, but 4 of them"},
    {"soft_spring_place.json", TML_BAD_ARGUMENT,
     ":5: spring 'spring0': point 0, at (7, 7, 7), is no vertex of deformable 'jelly'"},
    {"rayleigh.json", TML_BAD_ARGUMENT, ":4: mass of rayleigh must not be negative, but is -0.1"},
    {"step_zero.json", TML_BAD_ARGUMENT,
     ":4: step of simulation must be positive, but is 0"},
    {"step_long.json", TML_BAD_ARGUMENT,
     ":4: step of simulation must be from 0 to 1000, but is 10000"},
    {"duration_negative.json", TML_BAD_ARGUMENT,
     ":4: duration of simulation must not be negative, but is -1"},
    {"tolerance_loose.json", TML_BAD_ARGUMENT,
     ":4: tolerance of simulation must be from 1e-15 to 0.01, but is 0.5"},
    {"tolerance_zero.json", TML_BAD_ARGUMENT,
     ":4: tolerance of simulation must be positive, but is 0"},
    {"iterations_zero.json", TML_BAD_ARGUMENT,
     ":4: max_iterations of simulation must be a whole number from 1 to 10000, but is 0"},
    {"formulation_unknown.json", TML_BAD_ARGUMENT,
     ":4: unknown formulation 'quaternions' of simulation; known are quaternion, variational, affine, generalized"},
    {"integrator_unknown.json", TML_BAD_ARGUMENT,
     ":4: unknown integrator 'euler' of simulation; known are forward_euler, semi_implicit_euler"},
    {"solver_unknown.json", TML_BAD_ARGUMENT,
     ":4: unknown solver 'magic' of simulation; known are auto"},
    {"start_unknown.json", TML_BAD_ARGUMENT,
     ":4: unknown start 'slow' of simulation; known are accurate, sdirk2"},
    {"threads_zero.json", TML_BAD_ARGUMENT,
     ":4: threads of simulation must be a whole number from 1 to 1024, but is 0"},
    {"simulation_unknown_key.json", TML_BAD_ARGUMENT,
     ":4: unknown key 'stepp' in simulation; did you mean 'step'?"},
    {"contact_text.json", TML_BAD_ARGUMENT, ":4: contact of simulation must be true or false, not a string"},
    {"contact_margin.json", TML_BAD_ARGUMENT, ":4: margin of contact must be from 0 to 1, but is 7"},
    {"bad_young.json", TML_BAD_ARGUMENT, ":4: young of simulation must be positive, but is -1e+09"},
    {"bad_poisson.json", TML_BAD_ARGUMENT,
     ":4: poisson of simulation must lie between -1 and 0.5, but is 0.5"},
    {"bad_strain.json", TML_BAD_ARGUMENT, ":4: unknown strain 'cauchy' of simulation; known are green, corotated"},
    {"lone_strain.json", TML_BAD_ARGUMENT,
     ":4: strain of simulation needs young: without it bodies are rigid"},
    {"lone_poisson.json", TML_BAD_ARGUMENT,
     ":4: poisson of simulation needs young: without it bodies are rigid"},
    {"bad_newmark.json", TML_BAD_ARGUMENT,
     ":4: gamma of newmark must be from 0.5 to 1, but is 0.3"},
    {"small_newmark.json", TML_BAD_ARGUMENT,
     ":4: beta of newmark must be from 0.08 to 1, but is 1e-300"},
    {"bad_multistep.json", TML_BAD_ARGUMENT,
     ":4: alpha of multistep must be 2 to 7 numbers, not 1"},
    {"bad_linearised.json", TML_BAD_ARGUMENT,
     ":4: "},
    {"bad_unknowns.json", TML_BAD_ARGUMENT,
     ":4: "},
    {"constraint_level_word.json", TML_BAD_ARGUMENT,
     ":4: unknown constraint_level 'speed' of simulation; known are position, velocity, acceleration"},
};
// clang-format on

enum {
    TABLE_COUNT = sizeof table / sizeof *table
};

// One line, that starts with the file and a line number or a colon.
static void check_message(const char* message, const char* path, const char* piece)
{
    CHECK(strchr(message, '\n') == NULL);
    CHECK(strncmp(message, path, strlen(path)) == 0 && message[strlen(path)] == ':');
    CHECK_CONTAINS(message, piece);
}

TEST(every_broken_scene_is_refused_with_its_line_and_reason)
{
    for (int i = 0; i < TABLE_COUNT; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", SCENES, table[i].file);
        tml_scene* scene = tml_scene_create();
        const tml_status status = tml_scene_read_file(scene, path);
        if (status != table[i].status) {
            printf("%s: %s: %s\n", table[i].file, tml_status_name(status),
                   tml_scene_message(scene));
        }
        CHECK(status == table[i].status);
        check_message(tml_scene_message(scene), path, table[i].piece);

        // and what is left is an empty scene
        tml_model* model = NULL;
        CHECK(tml_spec_status(tml_scene_spec(scene)) == TML_OK);
        CHECK(tml_spec_find_body(tml_scene_spec(scene), "rod").index == -2);
        CHECK(tml_scene_build(scene, &model) != TML_OK || tml_model_body_count(model) == 0);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
}

TEST(every_file_in_the_folder_is_in_the_table)
{
    DIR* folder = opendir(SCENES);
    CHECK(folder != NULL);
    int count = 0;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        int is_listed = 0;
        for (int i = 0; i < TABLE_COUNT; i++)
            is_listed |= strcmp(entry->d_name, table[i].file) == 0;
        if (!is_listed) printf("%s is not in the table\n", entry->d_name);
        CHECK(is_listed);
        count++;
    }
    closedir(folder);
    CHECK(count == TABLE_COUNT);
}

TEST(a_folder_and_a_missing_file_are_refused_by_name)
{
    static const struct {
        const char* path;
        const char* piece;
    } cases[] = {{SCENES, ": cannot be read: Is a directory"},
                 {SCENES "/no such file.json", ": cannot be read: No such file or directory"},
                 {"", ": cannot be read: No such file or directory"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tml_scene* scene = tml_scene_create();
        CHECK(tml_scene_read_file(scene, cases[i].path) == TML_BAD_FILE);
        check_message(tml_scene_message(scene), cases[i].path, cases[i].piece);
        tml_scene_destroy(scene);
    }
}
