// test/mujoco/reference.h - what MuJoCo 3.12.0 makes of the micro-models.
// Printed by tools/mujoco_reference; do not edit.
#ifndef TRAMMEL_TEST_MUJOCO_REFERENCE_H
#define TRAMMEL_TEST_MUJOCO_REFERENCE_H

// clang-format off
typedef struct touching_pair {
    const char* file;
    const char* a;
    const char* b;
    double friction;
    int dimensions;
} touching_pair;

static const touching_pair touching_pairs[] = {
    {"contacts_joined.xml", "arm", "base", 0.25, 3},
    {"contacts_joined.xml", "arm", "floor", 1, 3},
    {"contacts_joined.xml", "arm", "tray", 1, 3},
    {"contacts_joined.xml", "base", "floor", 1, 3},
    {"contacts_joined.xml", "base", "hand", 1, 3},
    {"contacts_joined.xml", "hand", "tray", 1, 3},
    {"contacts_joined.xml", "lid", "tray", 1, 3},
    {"contacts_masks.xml", "a", "b", 0.90000000000000002, 3},
    {"contacts_masks.xml", "b", "c", 0.29999999999999999, 3},
    {"contacts_masks.xml", "b", "floor", 0.90000000000000002, 3},
    {"contacts_masks.xml", "e", "f", 1, 3},
    {"contacts_masks.xml", "e", "floor", 0.55000000000000004, 3},
    {"contacts_masks.xml", "f", "floor", 0, 1},
};

typedef struct moved_joint {
    const char* file;
    const char* joint;
    double time;
    double value;
    double rate;
} moved_joint;

static const moved_joint moved_joints[] = {
    {"motion_activation.xml", "upper", 0.4, 0.35424087660040859, 0.95313346515536235},
    {"motion_activation.xml", "lower", 0.4, 1.1094500860748289, 1.510916737913776},
    {"motion_activation.xml", "slide", 0.4, 0.85624917044158821, 3.2474351668784345},
    {"motion_armature.xml", "upper", 0.4, 1.3749677108670948, 3.8628162599340481},
    {"motion_armature.xml", "lower", 0.4, -0.063785516531380024, 2.823884476127422},
    {"motion_armature.xml", "slide", 0.4, 0.13151785659329582, 0.98983974868213032},
    {"motion_free.xml", "upper", 0.4, 1.3606627969634268, 4.082267000569189},
    {"motion_free.xml", "lower", 0.4, 0.72309053976913928, 9.1843027811828932},
    {"motion_gain.xml", "upper", 0.4, 1.3034475349648234, 2.5550021277497033},
    {"motion_gain.xml", "lower", 0.4, -0.1993475784212525, 0.2375522451834097},
    {"motion_gain.xml", "slide", 0.4, 0.65017066532777179, 4.3177788816514386},
    {"motion_hip.xml", "yaw", 0.4, 2.2372723763693569, 8.1174790996806099},
    {"motion_hip.xml", "roll", 0.4, -0.24810094340636385, 4.2780600832761513},
    {"motion_hip.xml", "pitch", 0.4, 1.425325799493508, 2.6167417956930006},
    {"motion_servo.xml", "upper", 0.4, 0.31644495897086122, 0.12518310076239653},
    {"motion_servo.xml", "lower", 0.4, 1.8097041402282006, 6.2940661973211789},
    {"motion_servo.xml", "slide", 0.4, 0.14743035442779343, -0.055902702797134336},
    {"motion_velocity.xml", "upper", 0.4, 1.3464342906322795, 1.4333520404003544},
    {"motion_velocity.xml", "lower", 0.4, -0.034908323092321628, 6.2188996011617377},
    {"motion_velocity.xml", "slide", 0.4, 0.16550138697107739, 1.2464639446341605},
};

typedef struct sensed_value {
    const char* file;
    const char* sensor;
    double time;
    int width;
    double value[4];
} sensed_value;

static const sensed_value sensed_values[] = {
    {"sensors_arm.xml", "p", 0.2, 3, {0.76496709572513311, 0.10006704325332336, -0.039077895679314405}},
    {"sensors_arm.xml", "q", 0.2, 4, {0.95716935573734951, 0.012055036643185938, 0.28891535552238545, -0.014471277492058437}},
    {"sensors_arm.xml", "ax", 0.2, 3, {0.27823659680556539, -0.077158744298222767, -0.95740844177204676}},
    {"sensors_arm.xml", "ay", 0.2, 3, {-0.134331512562851, 0.98384628581928513, -0.11832806350217182}},
    {"sensors_arm.xml", "az", 0.2, 3, {0.95107278424452546, 0.16153332181911842, 0.26337719151712286}},
    {"sensors_arm.xml", "v", 0.2, 3, {-0.87477169318539505, 0.70845150728570294, -2.6048742700562197}},
    {"sensors_arm.xml", "w", 0.2, 3, {0.70549192810933037, 5.0028276726509917, 1.2254767673278673}},
    {"sensors_arm.xml", "com", 0.2, 3, {0.61629185406889841, 0.45290727475880288, 0.22974858516847679}},
    {"sensors_arm.xml", "com_v", 0.2, 3, {0.41310784506761428, -0.33764467299389384, -1.8543923841682619}},
    {"sensors_arm.xml", "seen_p", 0.2, 3, {0.033673148043284307, -0.33450194567240993, 0.32701581417396358}},
    {"sensors_arm.xml", "seen_q", 0.2, 4, {0.97529707584945846, 0.00017419377493973348, 0.16123429648495588, -0.15099365924774977}},
    {"sensors_arm.xml", "seen_v", 0.2, 3, {0.83624643505344076, -0.094140613961880004, -1.2646135281935003}},
    {"sensors_arm.xml", "seen_w", 0.2, 3, {1.3115137546074156, 3.4813228392038873, -0.90721958081263077}},
    {"sensors_arm.xml", "a", 0.2, 3, {-19.253024576498834, -0.24097302000656851, 12.773328740691063}},
    {"sensors_arm.xml", "alpha", 0.2, 3, {-4.844494562454118, -5.9349744086261751, -4.2214791186789373}},
    {"sensors_arm.xml", "own_v", 0.2, 3, {0.91858132831713879, -1.6735823552079774, 0.29516807847242388}},
    {"sensors_arm.xml", "gyro", 0.2, 3, {1.3851917518701107, -0.37717966141773718, -2.2739549559375716}},
    {"sensors_arm.xml", "acc", 0.2, 3, {-4.0112846895746346, 1.0161236662020425, -1.1844108764805465}},
    {"sensors_arm.xml", "acc_fly", 0.2, 3, {-0.18623609020465537, -0.085449286418411763, -0.035468577886849317}},
    {"sensors_arm.xml", "north", 0.2, 3, {-0.115444454157704, -0.0049849791812219268, 0.44344980323233091}},
    {"sensors_arm.xml", "f_wrist", 0.2, 3, {-9.8994213335506842, 0.348723302118082, -6.0495482654434989}},
    {"sensors_arm.xml", "t_wrist", 0.2, 3, {0.061101882533376978, 0.03770750768935395, -0.07824672451012965}},
    {"sensors_arm.xml", "f_upper", 0.2, 3, {-5.2930045933580727, 12.882718615164592, 12.190966250744159}},
    {"sensors_arm.xml", "t_upper", 0.2, 3, {-1.0754492484830398, -2.4178832852425329, 2.3917121714913074}},
    {"sensors_arm.xml", "far", 0.2, 1, {2.3265788097301772}},
    {"sensors_arm.xml", "jp", 0.2, 1, {0.16050305249697666}},
    {"sensors_arm.xml", "jv", 0.2, 1, {0.42996983844223169}},
    {"sensors_arm.xml", "jf", 0.2, 1, {-4.3803088701834598}},
    {"sensors_arm.xml", "ap", 0.2, 1, {0.81047883438997592}},
    {"sensors_arm.xml", "av", 0.2, 1, {2.741195487659132}},
    {"sensors_arm.xml", "af", 0.2, 1, {-2.1901544350917299}},
    {"sensors_arm.xml", "af_cut", 0.2, 1, {0.5}},
    {"sensors_arm.xml", "tp", 0.2, 1, {0.57857559587388352}},
    {"sensors_arm.xml", "tv", 0.2, 1, {0.44176510639827499}},
    {"sensors_arm.xml", "sc", 0.2, 3, {0.37264495824757604, 0.068998941093679489, 0.14528929594486098}},
    {"sensors_arm.xml", "sv", 0.2, 3, {-0.24993345056921409, 0.21521749399432794, -0.84983297526795287}},
    {"sensors_arm.xml", "sl", 0.2, 3, {0.0066969752200765446, 0.48734097177865054, 0.13109985446876635}},
    {"sensors_arm.xml", "now", 0.2, 1, {0.19999999999999429}},
    {"sensors_arm.xml", "T", 0.2, 1, {3.070511484741953}},
    {"sensors_arm.xml", "V", 0.2, 1, {5.4166546505755813}},
};

// clang-format on
#endif
