// Generated chains, nets and trees: geometry against the words of the format.
#include "math/quat.h"
#include "test/io/scene_text.h"

static const double L = 0.1;   // length of the links in these tests
static const double r = 0.01;  // their radius

#define LINK            "'link': {'length': 0.1, 'radius': 0.01, 'mass': 0.2}"
#define GENERATED(text) "{'trammel': 1, 'bodies': [], 'generate': [" text "]}"
#define CHAIN(text)     GENERATED("{'type': 'chain', 'name': 'c', " LINK ", " text "}")

static vec3 end_of(const tml_body_def* b, double side)
{
    return v3_add(b->pose.p, q_rotate(b->pose.q, v3(side * L / 2.0, 0.0, 0.0)));
}

static double apart(vec3 a, vec3 b) { return v3_norm(v3_sub(a, b)); }

// Every joint lies at the end of the links it joins: a few roundings of numbers of order 1.
static void check_chain(const definitions* all, int links)
{
    for (int k = 0; k < all->joint_count; k++) {
        const tml_joint_def j = tml__joint_expand(&all->joints[k]);
        const int base = j.base.index;
        const int follower = j.follower.index;
        if (base >= 0 && base < links) {
            CHECK(apart(end_of(&all->bodies[base], 1.0), j.position) < 1e-14);
        }
        if (follower >= 0 && follower < links && base == follower - 1) {
            CHECK(apart(end_of(&all->bodies[follower], -1.0), j.position) < 1e-14);
        }
    }
}

TEST(links_are_solid_cylinders_along_x)
{
    tml_scene* scene = scene_from(CHAIN("'links': 2"));
    const tml_body_def* b = &scene_all(scene)->bodies[1];
    tml_shape_def shape = b->shapes[0];
    CHECK(b->shape_count == 1 && shape.kind == TML_SHAPE_CYLINDER);
    CHECK_NEAR(shape.size.x, r, 0.0);
    CHECK_NEAR(shape.size.z, L, 0.0);

    // the shape itself, weighed, is the independent source of the inertia
    shape.density = 1.0;
    tml_mass_properties weighed;
    CHECK(tml_shapes_mass(&shape, 1, &weighed) == TML_OK);
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(b->inertia[k], weighed.inertia[k] * 0.2 / weighed.mass, 1e-18);
    }
    CHECK_NEAR(b->mass, 0.2, 0.0);
    tml_scene_destroy(scene);
}

TEST(a_horizontal_chain_hangs_from_its_start_along_x)
{
    tml_scene* scene = scene_from(CHAIN("'links': 30, 'start': [1, 2, 3]"));
    const definitions* all = scene_all(scene);
    CHECK(all->body_count == 30 && all->joint_count == 30);
    CHECK_TEXT(all->bodies[29].name, "c.29");
    CHECK_TEXT(all->joints[0].name, "c.0");
    CHECK(all->joints[0].kind == TML_JOINT_SPHERICAL);
    CHECK(all->joints[0].base.index == -1 && all->joints[0].follower.index == 0);
    CHECK(apart(all->joints[0].position, v3(1.0, 2.0, 3.0)) == 0.0);
    CHECK(apart(end_of(&all->bodies[29], 1.0), v3(4.0, 2.0, 3.0)) < 1e-14);
    check_chain(all, 30);
    tml_scene_destroy(scene);
}

TEST(a_hanging_chain_of_revolutes_turns_about_y)
{
    tml_scene* scene = scene_from(CHAIN("'links': 30, 'pose': 'hanging', 'joint': 'revolute'"));
    const definitions* all = scene_all(scene);
    CHECK(apart(end_of(&all->bodies[29], 1.0), v3(0.0, 0.0, -3.0)) < 1e-14);
    for (int k = 0; k < 30; k++) {
        CHECK(all->joints[k].kind == TML_JOINT_REVOLUTE);
        CHECK(apart(all->joints[k].axis, v3(0.0, 1.0, 0.0)) < 1e-15);
    }
    check_chain(all, 30);
    tml_scene_destroy(scene);
}

TEST(a_zigzag_chain_turns_by_a_right_angle_in_the_plane)
{
    tml_scene* scene = scene_from(CHAIN("'links': 31, 'pose': 'zigzag', 'joint': 'revolute'"));
    const definitions* all = scene_all(scene);
    check_chain(all, 31);
    for (int k = 0; k + 1 < 31; k++) {
        const vec3 a = q_rotate(all->bodies[k].pose.q, v3(1.0, 0.0, 0.0));
        const vec3 b = q_rotate(all->bodies[k + 1].pose.q, v3(1.0, 0.0, 0.0));
        CHECK_NEAR(v3_dot(a, b), 0.0, 1e-15);
        CHECK_NEAR(a.z, 0.0, 0.0);
        CHECK(a.x > 0.7);
    }
    tml_scene_destroy(scene);
}

// 20 links a turn: the joint 20 links on is straight above, 3 radii higher.
TEST(a_coil_has_twenty_links_a_turn_and_climbs_three_radii)
{
    tml_scene* scene = scene_from(CHAIN("'links': 90, 'pose': 'coil', 'start': [1, 0, 2]"));
    const definitions* all = scene_all(scene);
    check_chain(all, 90);
    CHECK(apart(all->joints[0].position, v3(1.0, 0.0, 2.0)) < 1e-15);
    for (int k = 0; k + 20 < 90; k++) {
        const vec3 up = v3_sub(all->joints[k + 20].position, all->joints[k].position);
        CHECK(apart(up, v3(0.0, 0.0, 3.0 * r)) < 1e-14);
    }
    for (int k = 0; k + 1 < 90; k++) {
        CHECK_NEAR(apart(all->joints[k].position, all->joints[k + 1].position), L, 1e-15);
    }
    tml_scene_destroy(scene);
}

TEST(a_chain_without_anchor_is_free_and_a_closed_one_is_pinned_at_its_end)
{
    tml_scene* scene = scene_from(CHAIN("'links': 5, 'anchored': false"));
    CHECK(scene_all(scene)->joint_count == 4);
    CHECK_TEXT(scene_all(scene)->joints[0].name, "c.1");
    CHECK(scene_all(scene)->joints[0].base.index == 0);
    tml_scene_destroy(scene);

    scene = scene_from(CHAIN("'links': 5, 'closed': true"));
    const definitions* all = scene_all(scene);
    CHECK(all->joint_count == 6);
    CHECK(all->joints[5].base.index == -1 && all->joints[5].follower.index == 4);
    CHECK(apart(all->joints[5].position, v3(0.5, 0.0, 0.0)) < 1e-15);
    tml_scene_destroy(scene);
}

TEST(a_heavy_end_is_a_ball_of_the_links_density_that_touches_the_last_link)
{
    tml_scene* scene = scene_from(CHAIN("'links': 5, 'end_mass': 50, 'closed': true"));
    const definitions* all = scene_all(scene);
    CHECK(all->body_count == 6 && all->joint_count == 7);
    const tml_body_def* ball = &all->bodies[5];
    const double radius = ball->shapes[0].size.x;
    CHECK_TEXT(ball->name, "c.5");
    CHECK_NEAR(ball->mass, 50.0, 0.0);

    // densities of the link and of the ball, each from its own shape
    tml_shape_def link_shape = all->bodies[0].shapes[0];
    tml_shape_def ball_shape = ball->shapes[0];
    tml_mass_properties link_volume;
    tml_mass_properties ball_volume;
    link_shape.density = ball_shape.density = 1.0;
    CHECK(tml_shapes_mass(&link_shape, 1, &link_volume) == TML_OK);
    CHECK(tml_shapes_mass(&ball_shape, 1, &ball_volume) == TML_OK);
    CHECK_NEAR(50.0 / ball_volume.mass / (0.2 / link_volume.mass), 1.0, 1e-14);
    CHECK_NEAR(ball->inertia[0], 0.4 * 50.0 * radius * radius, 1e-15);

    CHECK(all->joints[5].base.index == 4 && all->joints[5].follower.index == 5);
    CHECK_NEAR(apart(all->joints[5].position, ball->pose.p), radius, 1e-15);
    CHECK(apart(all->joints[5].position, end_of(&all->bodies[4], 1.0)) < 1e-15);
    CHECK(all->joints[6].follower.index == 5);
    CHECK_NEAR(all->joints[6].position.x, 0.5 + 2.0 * radius, 1e-15);
    tml_scene_destroy(scene);
}

TEST(a_coil_of_links_that_are_too_thick_is_refused)
{
    tml_scene* scene = tml_scene_create();
    CHECK(scene_read(scene, GENERATED("{'type': 'chain', 'links': 3, 'pose': 'coil', 'link': "
                                      "{'length': 0.1, 'radius': 0.7, 'mass': 1}}")) ==
          TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "too thick for a coil");
    tml_scene_destroy(scene);
}

#define NET(text) GENERATED("{'type': 'net', 'name': 'n', 'pitch': 0.15, " LINK ", " text "}")

TEST(a_net_has_cubes_at_its_nodes_and_rods_between_their_faces)
{
    tml_scene* scene = scene_from(NET("'rows': 4, 'columns': 3"));
    const definitions* all = scene_all(scene);
    const int rods = 4 * 2 + 3 * 3;
    CHECK(all->body_count == 12 + rods);
    CHECK(all->joint_count == 2 * rods + 3);  // row 0 is pinned

    const tml_body_def* cube = &all->bodies[3 * 2 + 1];  // row 2, column 1
    CHECK(cube->shapes[0].kind == TML_SHAPE_BOX);
    CHECK_NEAR(cube->shapes[0].size.x, 0.05, 1e-16);
    CHECK_NEAR(cube->mass, 0.2, 0.0);
    CHECK(apart(cube->pose.p, v3(0.15, 0.30, 0.0)) < 1e-15);
    tml_shape_def shape = cube->shapes[0];
    tml_mass_properties weighed;
    shape.density = 1.0;
    CHECK(tml_shapes_mass(&shape, 1, &weighed) == TML_OK);
    CHECK_NEAR(cube->inertia[1], weighed.inertia[1] * 0.2 / weighed.mass, 1e-18);

    for (int k = 0; k < 2 * rods; k++) {
        const tml_joint_def j = tml__joint_expand(&all->joints[k]);
        const int rod = j.base.index >= 12 ? j.base.index : j.follower.index;
        const int node = j.base.index >= 12 ? j.follower.index : j.base.index;
        CHECK(rod >= 12 && node < 12 && j.kind == TML_JOINT_SPHERICAL);
        const double side = j.base.index >= 12 ? 1.0 : -1.0;
        CHECK(apart(end_of(&all->bodies[rod], side), j.position) < 1e-15);
        // on a face: half an edge from the centre
        CHECK_NEAR(apart(all->bodies[node].pose.p, j.position), 0.025, 1e-15);
    }
    for (int k = 0; k < 3; k++) {
        const tml_joint_def j = tml__joint_expand(&all->joints[2 * rods + k]);
        CHECK(j.base.index == -1 && j.follower.index == k);
        // at the outer face, off the line of the rods
        CHECK(apart(j.position, v3_add(all->bodies[k].pose.p, v3(0.0, -0.025, 0.0))) < 1e-15);
    }
    tml_scene_destroy(scene);
}

TEST(a_net_is_pinned_at_its_corners_each_once_or_nowhere)
{
    static const struct {
        const char* text;
        int pins;
        int rods;
    } cases[] = {{NET("'rows': 4, 'columns': 3, 'pinned': 'corners'"), 4, 17},
                 {NET("'rows': 1, 'columns': 3, 'pinned': 'corners'"), 2, 2},
                 {NET("'rows': 1, 'columns': 1, 'pinned': 'corners'"), 1, 0},
                 {NET("'rows': 2, 'columns': 2, 'pinned': 'none'"), 0, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tml_scene* scene = scene_from(cases[i].text);
        CHECK(scene_all(scene)->joint_count == 2 * cases[i].rods + cases[i].pins);
        tml_scene_destroy(scene);
    }
}

#define TREE(text) GENERATED("{'type': 'tree', 'name': 't', " LINK ", " text "}")

TEST(a_tree_gives_no_link_more_than_three_children_and_its_joints_meet)
{
    enum {
        N = 2000
    };
    tml_scene* scene = scene_from(TREE("'links': 2000, 'seed': 5"));
    const definitions* all = scene_all(scene);
    int children[N] = {0};
    CHECK(all->body_count == N && all->joint_count == N);
    for (int k = 0; k < N; k++) {
        const tml_joint_def j = tml__joint_expand(&all->joints[k]);
        CHECK(j.follower.index == k && j.base.index < k);
        CHECK(apart(end_of(&all->bodies[k], -1.0), j.position) < 1e-14);
        if (j.base.index < 0) {
            CHECK(k == 0 && apart(j.position, v3_zero()) < 1e-15);
            continue;
        }
        CHECK(apart(end_of(&all->bodies[j.base.index], 1.0), j.position) < 1e-14);
        CHECK(++children[j.base.index] <= 3);
    }
    tml_scene_destroy(scene);
}

// With room everywhere, each earlier link is as likely as the others: link 3 of a tree has parents
// 0, 1 and 2 with 1/3 each. 3000 draws put 4 standard deviations at 103.
TEST(parents_are_drawn_uniformly_and_the_seed_decides)
{
    int count[3] = {0};
    for (int seed = 0; seed < 3000; seed++) {
        char text[200];
        snprintf(text, sizeof text, TREE("'links': 4, 'seed': %d"), seed);
        tml_scene* scene = scene_from(text);
        count[scene_all(scene)->joints[3].base.index]++;
        tml_scene_destroy(scene);
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(count[k], 1000.0, 103.0);
}

TEST(generated_joints_come_behind_those_of_the_file_which_may_use_generated_bodies)
{
    tml_scene* scene = scene_from(
        "{'trammel': 1, 'bodies': [{'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]}],"
        " 'generate': [{'type': 'chain', 'name': 'c', 'links': 2, " LINK "}],"
        " 'joints': [{'name': 'hook', 'type': 'fixed', 'base': 'c.1', 'follower': 'a'}]}");
    const definitions* all = scene_all(scene);
    CHECK_TEXT(all->joints[0].name, "hook");
    CHECK_TEXT(all->joints[1].name, "c.0");
    CHECK(all->joints[0].base.index == 2 && all->joints[1].follower.index == 1);
    tml_scene_destroy(scene);
}

#define PULLEY(text) GENERATED("{'type': 'pulley', 'name': 'p', " LINK ", " text "}")

TEST(a_pulley_runs_over_and_under_its_sheaves_and_touches_them)
{
    tml_scene* scene = scene_from(PULLEY("'links': 200, 'sheaves': 3, 'radius': 0.5, 'height': 3, "
                                         "'end_mass': 8, 'start': [1, 2, 3], 'drive': 0"));
    const definitions* all = scene_all(scene);
    CHECK(all->body_count == 201 && all->joint_count == 201 && all->world_shape_count == 3);
    check_chain(all, 200);
    double nearest[3] = {1.0, 1.0, 1.0};
    int touching[3] = {0, 0, 0};
    for (int k = 0; k < 200; k++) {
        CHECK_NEAR(all->bodies[k].pose.p.y, 2.0, 0.0);
        for (int s = 0; s < 3; s++) {
            const double gap = apart(all->bodies[k].pose.p, all->world_shapes[s].pose.p) - 0.5 - r;
            if (gap < nearest[s]) nearest[s] = gap;
            touching[s] += gap < 1e-12;
        }
    }
    for (int s = 0; s < 3; s++) {
        // none inside, up to rounding; half a turn of radius 0.51 is fifteen links, some of them half on
        CHECK_NEAR(nearest[s], 0.0, 1e-14);
        CHECK(touching[s] >= 13 && touching[s] <= 17);
    }
    // from the start upwards, and down to the anchor at the end
    const tml_joint_def drive = tml__joint_expand(&all->joints[0]);
    CHECK(drive.kind == TML_JOINT_SLOT && apart(drive.position, v3(1.0, 2.0, 3.0)) == 0.0);
    CHECK_NEAR(all->bodies[0].pose.p.z, 3.0 + L / 2.0, 1e-15);
    CHECK(all->bodies[200].pose.p.z < all->bodies[199].pose.p.z);
    CHECK_NEAR(all->bodies[200].pose.p.x, all->bodies[199].pose.p.x, 1e-12);
    tml_scene_destroy(scene);
}

TEST(pulleys_that_cannot_be_are_refused)
{
    static const struct {
        const char* text;
        const char* why;
    } cases[] = {
        {PULLEY("'links': 200, 'sheaves': 2, 'radius': 0.5, 'height': 3, 'end_mass': 8"), "odd"},
        {PULLEY("'links': 20, 'sheaves': 3, 'radius': 0.5, 'height': 3, 'end_mass': 8"),
         "20 links are 2 m, but the way over 3 sheaves is"},
        {PULLEY("'links': 200, 'sheaves': 3, 'radius': 0.1, 'height': 3, 'end_mass': 8"),
         "more than twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tml_scene* scene = tml_scene_create();
        CHECK(scene_read(scene, cases[i].text) == TML_BAD_ARGUMENT);
        CHECK_CONTAINS(tml_scene_message(scene), cases[i].why);
        tml_scene_destroy(scene);
    }
}

#define WINDY(drag)                                                                                \
    "{'trammel': 1, 'bodies': [{'name': 'other', 'mass': 1, 'inertia': [1, 1, 1]},"                \
    "{'name': 'c.wall', 'fixed': true}], 'generate': [{'type': 'chain', 'name': 'c', " LINK        \
    ", 'links': 3}], 'forces': [{'type': 'drag', " drag ", 'linear': 0.5, 'wind': [1, 2, 3]}]}"

TEST(a_field_of_wind_is_a_drag_on_every_body_of_its_name_that_moves)
{
    tml_scene* scene = scene_from(WINDY("'body': 'c.*'"));
    const definitions* all = scene_all(scene);
    CHECK(all->drag_count == 3);
    for (int i = 0; i < all->drag_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "c.%d", i);
        CHECK_TEXT(all->bodies[all->drags[i].body.index].name, name);
        CHECK_NEAR(all->drags[i].linear, 0.5, 0.0);
        CHECK_NEAR(all->drags[i].wind.z, 3.0, 0.0);
    }
    tml_scene_destroy(scene);

    scene = scene_from(WINDY("'body': '*'"));
    CHECK(scene_all(scene)->drag_count == 4);  // 'other' too, but nothing that is fixed
    tml_scene_destroy(scene);
    scene = tml_scene_create();
    CHECK(scene_read(scene, WINDY("'body': 'd.*'")) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "no body that moves has a name like 'd.*'");
    CHECK(scene_read(scene, WINDY("'body': 'c.*', 'name': 'gale'")) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "it cannot have a name");
    tml_scene_destroy(scene);
}
