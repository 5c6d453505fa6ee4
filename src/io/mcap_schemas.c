// io/mcap_schemas.c - names and types of fields, which are all that a reader needs.
#include "io/mcap_schemas.h"

#define OF(name)                                                                                   \
    "================================================================================\n"           \
    "MSG: " name "\n"

#define TIME     OF("builtin_interfaces/Time") "int32 sec\nuint32 nanosec\n"
#define DURATION OF("builtin_interfaces/Duration") "int32 sec\nuint32 nanosec\n"
#define HEADER   OF("std_msgs/Header") "builtin_interfaces/Time stamp\nstring frame_id\n" TIME
#define VECTOR   OF("geometry_msgs/Vector3") "float64 x\nfloat64 y\nfloat64 z\n"
#define POINT    OF("geometry_msgs/Point") "float64 x\nfloat64 y\nfloat64 z\n"
#define ROTATION OF("geometry_msgs/Quaternion") "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"
#define POSE                                                                                       \
    OF("geometry_msgs/Pose")                                                                       \
    "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n" POINT ROTATION

const char tml__schema_tf[] = "geometry_msgs/TransformStamped[] transforms\n"  //
    OF("geometry_msgs/TransformStamped") "std_msgs/Header header\nstring "
                                         "child_frame_id\ngeometry_msgs/Transform transform\n"  //
    OF("geometry_msgs/Transform") "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion "
                                  "rotation\n"  //
    HEADER VECTOR ROTATION;

const char tml__schema_poses[] = "std_msgs/Header header\ngeometry_msgs/Pose[] poses\n" HEADER POSE;

const char tml__schema_velocities[] =
    "std_msgs/Header header\nstring[] name\ngeometry_msgs/Twist[] twist\n"                     //
    OF("geometry_msgs/Twist") "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"  //
    HEADER VECTOR;

const char tml__schema_joints[] =
    "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
    "float64[] effort\n" HEADER;

const char tml__schema_contacts[] = "std_msgs/Header header\ntrammel_msgs/Contact[] contacts\n"  //
    OF("trammel_msgs/Contact") "string a\nstring b\ngeometry_msgs/Point "
                               "position\ngeometry_msgs/Vector3 normal\n"
                               "float64 gap\ngeometry_msgs/Vector3 force\n"  //
    HEADER POINT VECTOR;

const char tml__schema_energy[] =
    "std_msgs/Header header\nfloat64 kinetic\nfloat64 potential\nfloat64 total\n" HEADER;

const char tml__schema_number[] = "float64 data\n";

const char tml__schema_markers[] = "visualization_msgs/Marker[] markers\n"  //
    OF("visualization_msgs/Marker") "std_msgs/Header header\nstring ns\nint32 id\nint32 "
                                    "type\nint32 action\n"
                                    "geometry_msgs/Pose pose\ngeometry_msgs/Vector3 "
                                    "scale\nstd_msgs/ColorRGBA color\n"
                                    "builtin_interfaces/Duration lifetime\nbool "
                                    "frame_locked\ngeometry_msgs/Point[] points\n"
                                    "std_msgs/ColorRGBA[] colors\nstring "
                                    "texture_resource\nsensor_msgs/CompressedImage texture\n"
                                    "visualization_msgs/UVCoordinate[] uv_coordinates\nstring "
                                    "text\nstring mesh_resource\n"
                                    "visualization_msgs/MeshFile mesh_file\nbool "
                                    "mesh_use_embedded_materials\n"                            //
    OF("std_msgs/ColorRGBA") "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"                    //
    OF("sensor_msgs/CompressedImage") "std_msgs/Header header\nstring format\nuint8[] data\n"  //
    OF("visualization_msgs/UVCoordinate") "float32 u\nfloat32 v\n"                             //
    OF("visualization_msgs/MeshFile") "string filename\nuint8[] data\n" HEADER DURATION VECTOR POSE;

const char tml__schema_cloud[] =
    "std_msgs/Header header\nuint32 height\nuint32 width\nsensor_msgs/PointField[] fields\n"
    "bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n"  //
    OF("sensor_msgs/PointField") "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 "
                                 "UINT16=4\nuint8 INT32=5\n"
                                 "uint8 UINT32=6\nuint8 FLOAT32=7\nuint8 FLOAT64=8\n"
                                 "string name\nuint32 offset\nuint8 datatype\nuint32 "
                                 "count\n" HEADER;
