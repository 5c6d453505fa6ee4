// io/mcap_schemas.h - the definitions of the messages in a recording, as ROS 2 writes them.
#ifndef TML_IO_MCAP_SCHEMAS_H
#define TML_IO_MCAP_SCHEMAS_H

// Each is the text of a message and, behind lines of "=", of what it is made of. Those of
// trammel_msgs are ours.
extern const char tml__schema_tf[], tml__schema_poses[], tml__schema_velocities[],
    tml__schema_joints[], tml__schema_contacts[], tml__schema_energy[], tml__schema_number[],
    tml__schema_markers[], tml__schema_cloud[];

#endif
