// test/io/mujoco_sensors.c - sensors of MJCF say what MuJoCo's say, through scenes and MJCF written again too.
//
// Reference: test/mujoco/reference.h, RK4 in steps of 0.1 ms; here in steps of 0.25 ms. What is no acceleration agrees to
// 1e-8. Accelerations are means over the last step, MuJoCo's those of the instant: half a step of their rate apart.
#include "test/check.h"
#include "test/mujoco/reference.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct measuring {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
} measuring;

static void stop(measuring* m)
{
    tml_sim_destroy(m->sim);
    tml_model_destroy(m->model);
    tml_scene_destroy(m->scene);
}

static bool create(measuring* m, tml_status read, double step, tml_integrator integrator)
{
    const bool is_read = read == TML_OK && tml_scene_build(m->scene, &m->model) == TML_OK;
    if (!is_read) printf("%s\n", tml_scene_message(m->scene));
    CHECK(is_read);
    if (!is_read) return false;
    tml_sim_settings settings = tml_scene_settings(m->scene)->sim;
    settings.integrator = integrator;
    settings.contact.is_on = integrator != TML_TIME_RK4;
    settings.step = step;
    CHECK(tml_sim_create(m->model, &settings, &m->sim) == TML_OK);
    return m->sim != NULL;
}

static void walk(measuring* m, double time)
{
    const int steps = (int)lround(time / tml_sim_get_settings(m->sim)->step);
    for (int k = 0; k < steps; k++) CHECK(tml_sim_step(m->sim, NULL) == TML_OK);
}

static bool accelerates(tml_sensor_kind kind)
{
    return kind == TML_SENSOR_LINEAR_ACCELERATION || kind == TML_SENSOR_ANGULAR_ACCELERATION ||
           kind == TML_SENSOR_ACCELEROMETER;
}

// The largest difference of what is no acceleration, and of what is one.
static void compare(const measuring* m, const char* file, double* exact, double* mean)
{
    int count = 0;
    *exact = *mean = 0.0;
    for (size_t i = 0; i < sizeof sensed_values / sizeof *sensed_values; i++) {
        const sensed_value* r = &sensed_values[i];
        if (strcmp(r->file, file) != 0) continue;
        const int at = tml_model_find_sensor(m->model, r->sensor);
        double said[TML_SENSOR_WIDTH] = {0.0};
        CHECK(at >= 0);
        CHECK(tml_sim_sensor(m->sim, at, said) == r->width);
        const double sign = r->width == 4 && said[0] < 0.0 ? -1.0 : 1.0;
        double worst = 0.0;
        for (int k = 0; k < r->width; k++) worst = fmax(worst, fabs(sign * said[k] - r->value[k]));
        double* to = accelerates(tml_model_sensor(m->model, at)->kind) ? mean : exact;
        *to = fmax(*to, worst);
        if (to == exact && worst > 1e-8) printf("%s: off by %.2g\n", r->sensor, worst);
        count++;
    }
    CHECK(count > 30);
}

static void agree(const char* path, double* mean, double step)
{
    measuring m = {.scene = tml_scene_create()};
    double exact = 1.0;
    if (create(&m, tml_scene_read_file(m.scene, path), step, TML_TIME_RK4)) {
        walk(&m, 0.2);
        compare(&m, "sensors_arm.xml", &exact, mean);
        CHECK_NEAR(exact, 0.0, 1e-8);
    }
    stop(&m);
}

TEST(sensors_say_what_those_of_mujoco_say)
{
    char path[600];
    double coarse = 1.0;
    double fine = 1.0;
    snprintf(path, sizeof path, "%s/test/mujoco/sensors_arm.xml", TEST_SOURCE_DIR);
    agree(path, &coarse, 2.5e-4);
    agree(path, &fine, 1.25e-4);
    CHECK_NEAR(coarse, 0.0, 0.03);
    CHECK_NEAR(fine / coarse, 0.5, 0.02);
}

TEST(they_survive_the_way_through_a_scene)
{
    char path[600];
    double mean = 1.0;
    snprintf(path, sizeof path, "%s/test/mujoco/sensors_arm.xml", TEST_SOURCE_DIR);
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, path) == TML_OK);
    snprintf(path, sizeof path, "%s/sensors_again.json", TEST_BINARY_DIR);
    CHECK(tml_scene_write_file(scene, path) == TML_OK);
    tml_scene_destroy(scene);
    agree(path, &mean, 2.5e-4);
    CHECK_NEAR(mean, 0.0, 0.03);
    remove(path);
}

// A file says no gears of sensors.
TEST(they_survive_the_way_through_mjcf)
{
    char path[600];
    char again[600];
    snprintf(path, sizeof path, "%s/test/mujoco/sensors_arm.xml", TEST_SOURCE_DIR);
    snprintf(again, sizeof again, "%s/sensors_again.xml", TEST_BINARY_DIR);
    measuring a = {.scene = tml_scene_create()};
    measuring b = {.scene = tml_scene_create()};
    if (create(&a, tml_scene_read_file(a.scene, path), 1e-3, TML_TIME_RK4) &&
        tml_scene_write_file(a.scene, again) == TML_OK &&
        create(&b, tml_scene_read_file(b.scene, again), 1e-3, TML_TIME_RK4)) {
        walk(&a, 0.1);
        walk(&b, 0.1);
        CHECK(tml_model_sensor_count(b.model) == tml_model_sensor_count(a.model));
        for (int i = 0; i < tml_model_sensor_count(a.model); i++) {
            const tml_sensor_def* def = tml_model_sensor(a.model, i);
            double first[TML_SENSOR_WIDTH] = {0.0};
            double second[TML_SENSOR_WIDTH] = {0.0};
            if (def->scale < 1.0 || def->scale > 1.0) continue;
            const int width = tml_sim_sensor(a.sim, i, first);
            CHECK(tml_sim_sensor(b.sim, i, second) == width);
            for (int k = 0; k < width; k++) CHECK_NEAR(second[k], first[k], 1e-8);
        }
    }
    stop(&a);
    stop(&b);
    remove(again);
}

// Two kilograms stand on a plane: the pad below feels their weight, the one above nothing, the accelerometer gravity; and
// a saved state has what was measured.
TEST(a_pad_feels_the_weight_that_stands_on_it)
{
    static const char text[] =
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom "
        "type='box' size='.1 .1 .1' mass='2'/><site name='below' type='box' size='.11 .11 .02' "
        "pos='0 0 "
        "-.1'/><site name='above' type='sphere' size='.02' pos='0 0 .1'/></body></worldbody>"
        "<sensor><touch name='low' site='below'/><touch name='high' site='above'/>"
        "<accelerometer name='acc' site='above'/></sensor></mujoco>";
    measuring m = {.scene = tml_scene_create()};
    if (create(&m, tml_scene_read_text(m.scene, text, strlen(text), "pad.xml"), 1e-3,
               TML_TIME_SEMI_IMPLICIT_EULER)) {
        double low[TML_SENSOR_WIDTH] = {0.0};
        double high[TML_SENSOR_WIDTH] = {1.0};
        double felt[TML_SENSOR_WIDTH] = {0.0};
        double kept[TML_SENSOR_WIDTH] = {0.0};
        unsigned char state[20000];
        walk(&m, 0.05);
        CHECK(tml_sim_sensor(m.sim, 0, low) == 1 && tml_sim_sensor(m.sim, 1, high) == 1);
        CHECK_NEAR(low[0], 2.0 * 9.81, 1e-6);
        CHECK_NEAR(high[0], 0.0, 0.0);
        CHECK(tml_sim_sensor(m.sim, 2, felt) == 3);
        CHECK_NEAR(felt[2], 9.81, 1e-6);
        CHECK(tml_sim_state_size(m.sim) <= sizeof state);
        CHECK(tml_sim_save(m.sim, state) == TML_OK);
        CHECK(tml_sim_reset(m.sim) == TML_OK);
        CHECK(tml_sim_restore(m.sim, state, tml_sim_state_size(m.sim)) == TML_OK);
        CHECK(tml_sim_sensor(m.sim, 2, kept) == 3);
        CHECK(memcmp(kept, felt, sizeof kept) == 0);
    }
    stop(&m);
}
