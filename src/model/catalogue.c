// model/catalogue.c - what each joint leaves free.                                 [QRBD Tab 3]
#include "model/catalogue.h"

#include <string.h>

typedef struct catalogue_row {
    const char* name;
    joint_freedom freedom;
} catalogue_row;

// The two strings say everything. The rows that hold the other directions (maximal coordinates)
// and the motion subspace (generalized coordinates) are both derived from them.
// clang-format off
static const catalogue_row catalogue[TML_JOINT_KINDS] = {
    //                                          slides along   turns about
    [TML_JOINT_FIXED]       = {"fixed",       {"",            ""}},
    [TML_JOINT_PRISMATIC]   = {"prismatic",   {"x",           ""}},
    [TML_JOINT_REVOLUTE]    = {"revolute",    {"",            "x"}},
    [TML_JOINT_RECTANGULAR] = {"rectangular", {"xy",          ""}},
    [TML_JOINT_CYLINDRICAL] = {"cylindrical", {"x",           "x"}},
    [TML_JOINT_PIN_IN_SLOT] = {"pin_in_slot", {"x",           "y"}},
    [TML_JOINT_UNIVERSAL]   = {"universal",   {"",            "xy"}},
    [TML_JOINT_CARTESIAN]   = {"cartesian",   {"xyz",         ""}},
    [TML_JOINT_PLANAR]      = {"planar",      {"xy",          "z"}},
    [TML_JOINT_SPHERICAL]   = {"spherical",   {"",            "xyz"}},
    [TML_JOINT_SLOT]        = {"slot",        {"x",           "xyz"}},
    [TML_JOINT_FREE]        = {"free",        {"xyz",         "xyz"}},
};

static const char* const axis_names[TML_AXES] = {"tx", "ty", "tz", "rx", "ry", "rz"};
// clang-format on

static int is_kind(tml_joint_kind kind) { return (unsigned)kind < TML_JOINT_KINDS; }

joint_freedom tml__joint_freedom(const tml_joint_def* def)
{
    if (is_kind(def->kind)) return catalogue[def->kind].freedom;
    return (joint_freedom){def->free_translation, def->free_rotation};
}

const char* tml_joint_kind_name(tml_joint_kind kind)
{
    return is_kind(kind) ? catalogue[kind].name : "custom";
}

const char* tml_joint_kind_slides(tml_joint_kind kind)
{
    return is_kind(kind) ? catalogue[kind].freedom.slides : "";
}

const char* tml_joint_kind_turns(tml_joint_kind kind)
{
    return is_kind(kind) ? catalogue[kind].freedom.turns : "";
}

bool tml_joint_kind_find(const char* name, tml_joint_kind* out)
{
    if (name == NULL) return false;
    for (int i = 0; i < TML_JOINT_KINDS; i++) {
        if (strcmp(name, catalogue[i].name) == 0) {
            *out = (tml_joint_kind)i;
            return 1;
        }
    }
    return 0;
}

const char* tml_axis_name(tml_axis axis)
{
    return (unsigned)axis < TML_AXES ? axis_names[axis] : "?";
}
