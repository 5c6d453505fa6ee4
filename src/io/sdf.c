#include "io/robot.h"
void tml__sdf_read(robot* r, const xml* root, const robot_source* source)
{
    (void)source;
    tml__robot_refuse(r, root, TML_UNSUPPORTED, "SDF is not read yet");
}
