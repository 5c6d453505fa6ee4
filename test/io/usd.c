// test/io/usd.c - stages of USD move as the MJCF that says the same.
#include "test/check.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct moving {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
} moving;

static void stop(moving* m)
{
    tml_sim_destroy(m->sim);
    tml_model_destroy(m->model);
    tml_scene_destroy(m->scene);
}

static bool start(const char* text, const char* name, moving* m)
{
    *m = (moving){.scene = tml_scene_create()};
    const bool is_read = tml_scene_read_text(m->scene, text, strlen(text), name) == TML_OK &&
                         tml_scene_build(m->scene, &m->model) == TML_OK;
    if (!is_read) printf("%s\n", tml_scene_message(m->scene));
    CHECK(is_read);
    if (!is_read) return false;
    tml_sim_settings s = tml_scene_settings(m->scene)->sim;
    s.contact.is_on = false;
    s.step = 1e-3;
    const bool is_made = tml_sim_create(m->model, &s, &m->sim) == TML_OK;
    if (!is_made) printf("%s: %s\n", name, tml_sim_message(m->sim));
    CHECK(is_made);
    return is_made;
}

#define HEAD                                                                                       \
    "#usda 1.0\n(\n  metersPerUnit = 1\n  upAxis = \"Z\"\n  doc = \"\"\"a ( note }\"\"\"\n)\n"
#define BODY(name, x, more)                                                                        \
    "def Xform \"" name "\" ( prepend apiSchemas = [\"PhysicsRigidBodyAPI\", # why\n"              \
    "\"PhysicsMassAPI\"] ) {\n float physics:mass = 2\n point3f physics:centerOfMass = "           \
    "(0.2, 0, 0)\n float3 physics:diagonalInertia = (0.01, 0.02, 0.03)\n double3 "                 \
    "xformOp:translate = (" x ")\n uniform token[] xformOpOrder = "                                \
    "[\"xformOp:translate\"]\n" more "}\n"
#define INERTIAL "<inertial pos='.2 0 0' mass='2' diaginertia='.01 .02 .03'/>"

// The largest difference of coordinates after 0.3 s.
static double differ(const char* stage, const char* mjcf)
{
    moving a;
    moving b;
    double worst = 1.0;
    if (start(stage, "a.usda", &a) && start(mjcf, "b.xml", &b)) {
        const int count = tml_model_coordinate_count(a.model);
        CHECK(count == tml_model_coordinate_count(b.model) && count <= 12);
        for (int k = 0; k < 300; k++) {
            CHECK(tml_sim_step(a.sim, NULL) == TML_OK);
            CHECK(tml_sim_step(b.sim, NULL) == TML_OK);
        }
        double q[12] = {0.0};
        double p[12] = {0.0};
        tml_sim_coordinates(a.sim, q);
        tml_sim_coordinates(b.sim, p);
        worst = 0.0;
        for (int k = 0; k < count; k++) worst = fmax(worst, fabs(q[k] - p[k]));
        CHECK(count == 0 || fabs(p[0]) > 1e-3);  // something moves
    }
    stop(&a);
    stop(&b);
    return worst;
}

static const char pendulum[] = HEAD
    "def PhysicsScene \"s\" { vector3f physics:gravityDirection = (0, 0, -1)\n float "
    "physics:gravityMagnitude = 9.81 }\ndef Xform \"w\" {\n" BODY("one", "0, 0, 0", "") BODY(
        "two", "0.5, 0, 0",
        "") "def PhysicsRevoluteJoint \"a\" { rel physics:body1 = </w/one>\n uniform token "
            "physics:axis = "
            "\"Y\"\n float drive:angular:physics:stiffness = 0.05\n float "
            "drive:angular:physics:damping = "
            "0.002\n float drive:angular:physics:targetPosition = 10 }\n"
            "def PhysicsRevoluteJoint \"b\" { rel physics:body0 = </w/two>\n rel physics:body1 = "
            "</w/one>\n"
            "uniform token physics:axis = \"Y\"\n point3f physics:localPos1 = (0.5, 0, 0)\n float "
            "mjc:armature = 0.03\n float physics:lowerLimit = -170\n float physics:upperLimit = 5 "
            "}\n}\n";

// Joint b is told from its other side: its coordinate is minus that of a child on its parent.
static const char pendulum_mjcf[] =
    "<mujoco><worldbody><body name='one'><joint name='a' axis='0 1 0'/>" INERTIAL
    "<body name='two' pos='.5 0 0'><joint name='b' axis='0 -1 0' armature='.03' range='-170 "
    "5'/>" INERTIAL
    "</body></body></worldbody><actuator><position joint='a' kp='2.8647889756541161' "
    "kv='.11459155902616464'/></actuator><keyframe><key qpos='0 0' "
    "ctrl='.17453292519943295'/></keyframe></mujoco>";

TEST(hinges_with_drives_limits_and_rotors_move_as_in_mjcf)
{
    CHECK_NEAR(differ(pendulum, pendulum_mjcf), 0.0, 1e-10);
}

// In centimetres, turned and scaled above the bodies; one body slides in a ball's place.
TEST(units_scales_and_turns_above_are_those_of_the_bodies)
{
    static const char stage[] =
        "#usda 1.0\n( upAxis = \"Z\" )\ndef Xform \"w\" {\n float3 xformOp:rotateXYZ = (0, 0, "
        "90)\n "
        "float3 xformOp:scale = (2, 2, 2)\n uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\", "
        "\"xformOp:scale\"]\n"
        "def Xform \"one\" ( apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"] ) {\n "
        "float "
        "physics:mass = 2\n point3f physics:centerOfMass = (10, 0, 0)\n float3 "
        "physics:diagonalInertia = (100, 200, 300) }\n"
        "def PhysicsRevoluteJoint \"a\" { rel physics:body1 = </w/one>\n uniform token "
        "physics:axis "
        "= \"Y\"\n quatf physics:localRot0 = (0.70710678118654757, 0, 0, 0.70710678118654757) }\n"
        "def Xform \"two\" ( apiSchemas = [\"PhysicsRigidBodyAPI\"] ) {\n double3 "
        "xformOp:translate = (10, 0, 0)\n uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
        "def Cube \"box\" ( apiSchemas = [\"PhysicsCollisionAPI\"] ) { double size = 5 }\n}\n"
        "def PhysicsPrismaticJoint \"b\" { rel physics:body0 = </w/one>\n rel physics:body1 = "
        "</w/two>\n uniform token physics:axis = \"X\"\n point3f physics:localPos0 = (10, 0, 0) "
        "}\n}\n";
    static const char mjcf[] =
        "<mujoco><compiler eulerseq='XYZ'/><worldbody><body name='one' euler='0 0 90'><joint "
        "name='a' "
        "axis='0 1 0'/>" INERTIAL
        "<body name='two' pos='.2 0 0'><joint name='b' type='slide' axis='1 0 0'/><geom type='box' "
        "size='.05 .05 .05'/></body></body></worldbody></mujoco>";
    CHECK_NEAR(differ(stage, mjcf), 0.0, 1e-9);
}

TEST(balls_and_loops_are_joints_too)
{
    moving m;
    static const char stage[] =
        HEAD "def Xform \"w\" {\n" BODY("one", "0, 0, 0", "") BODY("two", "0.5, 0, 0", "")
            BODY("three", "0.5, 0, 0.5",
                 "") "def PhysicsSphericalJoint \"a\" { rel physics:body1 = </w/one> }\n"
                     "def PhysicsRevoluteJoint \"b\" { rel physics:body0 = </w/one>\n rel "
                     "physics:body1 = "
                     "</w/two>\n uniform token physics:axis = \"Y\"\n point3f physics:localPos0 = "
                     "(0.5, 0, 0) }\n"
                     "def PhysicsSphericalJoint \"c\" { rel physics:body0 = </w/two>\n rel "
                     "physics:body1 = "
                     "</w/three>\n point3f physics:localPos0 = (0, 0, 0.5) }\n"
                     "def PhysicsSphericalJoint \"d\" { rel physics:body0 = </w/three>\n point3f "
                     "physics:localPos1 = (0.5, 0, 0.5) }\n}\n";
    if (start(stage, "loop.usda", &m)) {
        CHECK(tml_model_body_count(m.model) == 3 && tml_model_joint_count(m.model) == 4);
        for (int k = 0; k < 200; k++) CHECK(tml_sim_step(m.sim, NULL) == TML_OK);
        CHECK_NEAR(tml_sim_gap(m.sim), 0.0, 1e-9);
    }
    stop(&m);
}

// Whatever is cut off or spoiled is refused or read, and nothing else.
TEST(spoiled_stages_are_refused_with_a_line)
{
    char text[sizeof pendulum];
    int refused = 0;
    for (size_t n = 5; n + 1 < sizeof pendulum; n++) {
        for (int k = 0; k < 2; k++) {
            memcpy(text, pendulum, sizeof pendulum);
            if (k == 1) text[n] = "(){}[]\"'<>=#x"[n % 13];
            const size_t length = k == 0 ? n : sizeof pendulum - 1;
            tml_scene* scene = tml_scene_create();
            const tml_status status = tml_scene_read_text(scene, text, length, "spoiled.usda");
            if (status != TML_OK) CHECK_CONTAINS(tml_scene_message(scene), "spoiled.usda");
            refused += status != TML_OK;
            tml_scene_destroy(scene);
        }
    }
    CHECK(refused > 1000);
}
