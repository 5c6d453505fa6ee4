// geom/shape.c - names of shapes and the shape a definition starts from.
#include <trammel/shape.h>

#include <string.h>

static const char* const names[TML_SHAPE_KINDS] = {
    [TML_SHAPE_SPHERE] = "sphere",
    [TML_SHAPE_ELLIPSOID] = "ellipsoid",
    [TML_SHAPE_CAPSULE] = "capsule",
    [TML_SHAPE_CYLINDER] = "cylinder",
    [TML_SHAPE_BOX] = "box",
    [TML_SHAPE_PLANE] = "plane",
    [TML_SHAPE_HEIGHTFIELD] = "heightfield",
    [TML_SHAPE_MESH] = "mesh",
};

// A grey sphere of 0.1 m radius that weighs nothing. Friction 0.5 is a common pair of dry solids.
tml_shape_def tml_shape_def_default(void)
{
    return (tml_shape_def){.kind = TML_SHAPE_SPHERE,
                           .size = {0.1, 0.0, 0.0},
                           .pose = {.q = {1.0, 0.0, 0.0, 0.0}},
                           .friction = 0.5,
                           .collide = 1,
                           .mask = 1,
                           .groups = 1,
                           .dimensions = 3,
                           .color = {0xb0, 0xb7, 0xbf}};
}

const char* tml_shape_kind_name(tml_shape_kind kind)
{
    return (unsigned)kind < TML_SHAPE_KINDS ? names[kind] : "?";
}

bool tml_shape_kind_find(const char* name, tml_shape_kind* out)
{
    if (name == NULL) return false;
    for (int i = 0; i < TML_SHAPE_KINDS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (tml_shape_kind)i;
            return 1;
        }
    }
    return 0;
}
