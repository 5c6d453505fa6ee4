// model/sensor.c - sensors as parts of a model: their kinds, and what makes sense.
#include "model/sensor.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

static const struct {
    const char* name;
    int width;
    sensor_needs needs;
} kinds[TML_SENSOR_KINDS] = {
    [TML_SENSOR_POSITION] = {"position", 3, SENSOR_FRAME},
    [TML_SENSOR_QUATERNION] = {"quaternion", 4, SENSOR_FRAME},
    [TML_SENSOR_X_AXIS] = {"x_axis", 3, SENSOR_FRAME},
    [TML_SENSOR_Y_AXIS] = {"y_axis", 3, SENSOR_FRAME},
    [TML_SENSOR_Z_AXIS] = {"z_axis", 3, SENSOR_FRAME},
    [TML_SENSOR_LINEAR_VELOCITY] = {"linear_velocity", 3, SENSOR_FRAME},
    [TML_SENSOR_ANGULAR_VELOCITY] = {"angular_velocity", 3, SENSOR_FRAME},
    [TML_SENSOR_LINEAR_ACCELERATION] = {"linear_acceleration", 3, SENSOR_FRAME},
    [TML_SENSOR_ANGULAR_ACCELERATION] = {"angular_acceleration", 3, SENSOR_FRAME},
    [TML_SENSOR_VELOCIMETER] = {"velocimeter", 3, SENSOR_FRAME},
    [TML_SENSOR_GYRO] = {"gyro", 3, SENSOR_FRAME},
    [TML_SENSOR_ACCELEROMETER] = {"accelerometer", 3, SENSOR_FRAME},
    [TML_SENSOR_MAGNETOMETER] = {"magnetometer", 3, SENSOR_FRAME},
    [TML_SENSOR_FORCE] = {"force", 3, SENSOR_CARRIED},
    [TML_SENSOR_TORQUE] = {"torque", 3, SENSOR_CARRIED},
    [TML_SENSOR_TOUCH] = {"touch", 1, SENSOR_ZONE},
    [TML_SENSOR_RANGE] = {"range", 1, SENSOR_FRAME},
    [TML_SENSOR_INSIDE] = {"inside", 1, SENSOR_ZONE},
    [TML_SENSOR_COORDINATE] = {"coordinate", 1, SENSOR_AXIS},
    [TML_SENSOR_RATE] = {"rate", 1, SENSOR_AXIS},
    [TML_SENSOR_MOTOR] = {"motor", 1, SENSOR_AXIS},
    [TML_SENSOR_LENGTH] = {"length", 1, SENSOR_SPRING},
    [TML_SENSOR_LENGTH_RATE] = {"length_rate", 1, SENSOR_SPRING},
    [TML_SENSOR_SUBTREE_COM] = {"subtree_com", 3, SENSOR_BODY},
    [TML_SENSOR_SUBTREE_LINEAR_VELOCITY] = {"subtree_linear_velocity", 3, SENSOR_BODY},
    [TML_SENSOR_SUBTREE_ANGULAR_MOMENTUM] = {"subtree_angular_momentum", 3, SENSOR_BODY},
    [TML_SENSOR_TIME] = {"time", 1, SENSOR_NOTHING},
    [TML_SENSOR_KINETIC] = {"kinetic", 1, SENSOR_NOTHING},
    [TML_SENSOR_POTENTIAL] = {"potential", 1, SENSOR_NOTHING},
};

static bool is_kind(tml_sensor_kind kind) { return (unsigned)kind < TML_SENSOR_KINDS; }

tml_sensor_def tml_sensor_def_default(void)
{
    return (tml_sensor_def){.kind = TML_SENSOR_POSITION,
                            .body = TML_WORLD,
                            .pose = {.q = {1.0, 0.0, 0.0, 0.0}},
                            .reference = TML_WORLD,
                            .reference_pose = {.q = {1.0, 0.0, 0.0, 0.0}},
                            .joint = {-1},
                            .spring = -1,
                            .scale = 1.0};
}

const char* tml_sensor_kind_name(tml_sensor_kind kind)
{
    return is_kind(kind) ? kinds[kind].name : "?";
}

bool tml_sensor_kind_find(const char* name, tml_sensor_kind* out)
{
    for (int k = 0; k < TML_SENSOR_KINDS && name != NULL && out != NULL; k++) {
        if (strcmp(kinds[k].name, name) != 0) continue;
        *out = (tml_sensor_kind)k;
        return true;
    }
    return false;
}

int tml_sensor_width(tml_sensor_kind kind) { return is_kind(kind) ? kinds[kind].width : 0; }

sensor_needs tml__sensor_needs(tml_sensor_kind kind) { return kinds[kind].needs; }

bool tml__sensor_accelerates(tml_sensor_kind kind)
{
    return kind == TML_SENSOR_LINEAR_ACCELERATION || kind == TML_SENSOR_ANGULAR_ACCELERATION ||
           kind == TML_SENSOR_ACCELEROMETER;
}

static bool is_pose(const tml_pose* x)
{
    const double square = q_dot(x->q, x->q);
    return v3_is_finite(x->p) && fabs(square - 1.0) <= 1e-6;
}

static bool is_body(const definitions* all, tml_body body)
{
    return body.index >= -1 && body.index < all->body_count;
}

static const char* missing_zone(const tml_sensor_def* def)
{
    const bool is_round = def->zone == TML_SHAPE_SPHERE;
    const bool is_long = def->zone == TML_SHAPE_CAPSULE || def->zone == TML_SHAPE_CYLINDER;
    if (!is_round && !is_long && def->zone != TML_SHAPE_ELLIPSOID && def->zone != TML_SHAPE_BOX) {
        return "a zone must be a sphere, an ellipsoid, a capsule, a cylinder or a box";
    }
    const bool has_size = def->zone_size.x > 0.0 && (is_round || def->zone_size.z > 0.0) &&
                          (is_round || is_long || def->zone_size.y > 0.0);
    return has_size && v3_is_finite(def->zone_size) ? NULL
                                                    : "the size of its zone must be positive";
}

// The joint whose follower the body is, which no loop closes: the first one; -1: none.
int tml__sensor_carrier(const definitions* all, int body)
{
    for (int j = 0; j < all->joint_count; j++) {
        if (all->joints[j].follower.index == body) return j;
    }
    return -1;
}

static const char* what_is_wrong(const definitions* all, const tml_sensor_def* def)
{
    if (!is_kind(def->kind)) return "unknown kind";
    const sensor_needs needs = kinds[def->kind].needs;
    if (!isfinite(def->scale) || !isfinite(def->cutoff) || def->cutoff < 0.0 ||
        !v3_is_finite(def->vector)) {
        return "numbers must be finite, and a cutoff not negative";
    }
    if (!is_body(all, def->body) || (def->has_reference && !is_body(all, def->reference))) {
        return "there is no such body";
    }
    if (!is_pose(&def->pose) || (def->has_reference && !is_pose(&def->reference_pose))) {
        return "poses must be finite and their quaternions of length one";
    }
    if (needs == SENSOR_ZONE) return missing_zone(def);
    if (needs == SENSOR_BODY && def->body.index < 0) return "it needs a body that moves";
    if (needs == SENSOR_CARRIED && tml__sensor_carrier(all, def->body.index) < 0) {
        return "no joint carries its body";
    }
    if (needs == SENSOR_AXIS) {
        const bool is_there = def->joint.index >= 0 && def->joint.index < all->joint_count &&
                              (unsigned)def->axis < TML_AXES;
        return is_there ? NULL : "there is no such joint or axis";
    }
    if (needs == SENSOR_SPRING) {
        const bool is_there = def->spring >= 0 && def->spring < all->spring_count;
        if (!is_there) return "there is no such spring or tendon";
        const tml_spring_def* spring = &all->springs[def->spring];
        for (int i = 0; i < spring->point_count; i++) {
            if (spring->points[i].body.index < -1) return "its spring ends on a deformable";
        }
    }
    return NULL;
}

tml_status tml__check_sensor(const definitions* all, const tml_sensor_def* def, message* why)
{
    const char* wrong = what_is_wrong(all, def);
    if (wrong == NULL) return TML_OK;
    return tml__fail(why, TML_BAD_ARGUMENT, "sensor '%.120s': %s", def->name, wrong);
}

// ---- asking

int tml_model_sensor_count(const tml_model* model)
{
    return model != NULL ? model->all.sensor_count : 0;
}

const tml_sensor_def* tml_model_sensor(const tml_model* model, int index)
{
    const bool is_there = model != NULL && index >= 0 && index < model->all.sensor_count;
    return is_there ? &model->all.sensors[index] : NULL;
}

int tml_model_find_sensor(const tml_model* model, const char* name)
{
    for (int i = 0; model != NULL && name != NULL && i < model->all.sensor_count; i++) {
        if (strcmp(model->all.sensors[i].name, name) == 0) return i;
    }
    return -1;
}
