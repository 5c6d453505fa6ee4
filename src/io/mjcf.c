#include "io/robot.h"
void tml__mjcf_read(robot* r, xml* root, const robot_source* source)
{
    (void)source;
    tml__robot_refuse(r, root, TML_UNSUPPORTED, "MJCF is not read yet");
}
