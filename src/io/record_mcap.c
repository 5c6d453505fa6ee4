// io/record_mcap.c - recordings as MCAP with ROS 2's messages: what Foxglove, Rerun and `ros2 bag` read.
//
// A state is one message on each topic. Time is that of the simulation. The shapes of all bodies are
// one message at the start, markers that move with the bodies' frames.
#include "io/cdr.h"
#include "io/mcap_schemas.h"
#include "io/record.h"

#include <trammel/contact.h>
#include <trammel/state.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
    CHUNK_BYTES = 1 << 20,
    FLOAT64 = 8,  // of a PointField
    CUBE = 1,     // of a Marker
    SPHERE = 2,
    CYLINDER = 3,
    TRIANGLES = 11,
};

// Of simulated time, so that equal recordings are equal files: what a program that is killed may lose.
static const uint64_t chunk_time = 1000000000u;  // ns

typedef struct mcap_log {
    mcap file;
    byte_list message, out;
    int tf, poses, velocities, joints, energy, gap, contacts, shapes, soft;  // -1: not recorded
    long long waiting;                                                       // states in the chunk
    bool has_shapes;                                                         // they were put
} mcap_log;

// ---- what messages have in common

typedef struct stamp {
    int32_t seconds;
    uint32_t nanoseconds;
    uint64_t time;
} stamp;

// To the nearest nanosecond.
static stamp stamp_of(double time)
{
    const double nanoseconds = time > 0.0 ? floor(time * 1e9 + 0.5) : 0.0;
    const uint64_t whole = (uint64_t)nanoseconds;
    return (stamp){(int32_t)(whole / 1000000000u), (uint32_t)(whole % 1000000000u), whole};
}

static void put_header(byte_list* b, stamp at, const char* frame)
{
    cdr_i32(b, at.seconds);
    cdr_u32(b, at.nanoseconds);
    cdr_text(b, frame);
}

static void put_pose(byte_list* b, tml_pose pose)
{
    cdr_vector(b, pose.p);
    cdr_rotation(b, pose.q);
}

static void begin(mcap_log* g, stamp at)
{
    cdr_begin(&g->message);
    put_header(&g->message, at, "world");
}

static void end(mcap_log* g, int channel, stamp at)
{
    tml__mcap_message(&g->file, channel, at.time, &g->message);
}

// ---- bodies

static void put_transforms(mcap_log* g, const tml_sim* sim, stamp at)
{
    const tml_model* model = tml_sim_model(sim);
    const int count = tml_model_body_count(model);
    cdr_begin(&g->message);
    cdr_u32(&g->message, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        put_header(&g->message, at, "world");
        cdr_text(&g->message, tml_model_body_name(model, (tml_body){i}));
        put_pose(&g->message, tml_sim_pose(sim, (tml_body){i}));
    }
    end(g, g->tf, at);
}

static void put_poses(mcap_log* g, const tml_sim* sim, stamp at)
{
    const int count = tml_model_body_count(tml_sim_model(sim));
    begin(g, at);
    cdr_u32(&g->message, (uint32_t)count);
    for (int i = 0; i < count; i++) put_pose(&g->message, tml_sim_pose(sim, (tml_body){i}));
    end(g, g->poses, at);
}

static void put_velocities(mcap_log* g, const tml_sim* sim, stamp at)
{
    const tml_model* model = tml_sim_model(sim);
    const int count = tml_model_body_count(model);
    begin(g, at);
    cdr_u32(&g->message, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        cdr_text(&g->message, tml_model_body_name(model, (tml_body){i}));
    }
    cdr_u32(&g->message, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        const tml_velocity v = tml_sim_velocity(sim, (tml_body){i});
        cdr_vector(&g->message, v.linear);
        cdr_vector(&g->message, v.angular);
    }
    end(g, g->velocities, at);
}

// ---- joints

// A coordinate is called as its joint where that has one, else JOINT.AXIS.
static void put_joint_names(mcap_log* g, const tml_model* model)
{
    for (int i = 0; i < tml_model_joint_count(model); i++) {
        const char* name = tml_model_joint_name(model, (tml_joint){i});
        tml_axis axes[TML_AXES];
        const int count = tml_model_joint_axes(model, (tml_joint){i}, axes);
        for (int k = 0; k < count; k++) {
            char text[512];
            if (count == 1) {
                cdr_text(&g->message, name);
                continue;
            }
            snprintf(text, sizeof text, "%.480s.%s", name, tml_axis_name(axes[k]));
            cdr_text(&g->message, text);
        }
    }
}

typedef enum joint_number {
    JOINT_POSITION,
    JOINT_VELOCITY,
    JOINT_EFFORT,
} joint_number;

static void put_joint_numbers(mcap_log* g, const tml_sim* sim, joint_number which)
{
    const tml_model* model = tml_sim_model(sim);
    for (int i = 0; i < tml_model_joint_count(model); i++) {
        const tml_joint joint = {i};
        tml_axis axes[TML_AXES];
        double x[TML_AXES];
        const int count = tml_model_joint_axes(model, joint, axes);
        if (which == JOINT_POSITION) tml_sim_joint_coordinates(sim, joint, x);
        if (which == JOINT_VELOCITY) tml_sim_joint_rates(sim, joint, x);
        if (which == JOINT_EFFORT) {
            const tml_load load = tml_sim_joint_load(sim, joint);
            const double all[TML_AXES] = {load.force.x,  load.force.y,  load.force.z,
                                          load.moment.x, load.moment.y, load.moment.z};
            for (int k = 0; k < count; k++) x[k] = all[axes[k]];
        }
        for (int k = 0; k < count; k++) cdr_f64(&g->message, x[k]);
    }
}

static void put_joints(mcap_log* g, const tml_sim* sim, stamp at)
{
    const tml_model* model = tml_sim_model(sim);
    const uint32_t count = (uint32_t)tml_model_coordinate_count(model);
    begin(g, at);
    cdr_u32(&g->message, count);
    put_joint_names(g, model);
    for (int which = JOINT_POSITION; which <= JOINT_EFFORT; which++) {
        cdr_u32(&g->message, count);
        put_joint_numbers(g, sim, (joint_number)which);
    }
    end(g, g->joints, at);
}

// ---- contacts, energy, gap

static void put_contacts(mcap_log* g, const tml_sim* sim, stamp at)
{
    const tml_model* model = tml_sim_model(sim);
    const int count = tml_sim_contact_count(sim);
    begin(g, at);
    cdr_u32(&g->message, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        const tml_contact c = tml_sim_contact(sim, i);
        const record_contact sides = {.a = c.a,
                                      .b = c.b,
                                      .deformable = c.deformable,
                                      .vertex = c.vertex,
                                      .surface_point = c.surface_point};
        char room[RECORD_NAME];
        cdr_text(&g->message, tml__record_contact_name(model, &sides, 0, room));
        cdr_text(&g->message, tml__record_contact_name(model, &sides, 1, room));
        cdr_vector(&g->message, c.point);
        cdr_vector(&g->message, c.normal);
        cdr_f64(&g->message, c.gap);
        cdr_vector(&g->message, c.force);
    }
    end(g, g->contacts, at);
}

static void put_energy(mcap_log* g, const tml_sim* sim, stamp at)
{
    const tml_energy energy = tml_sim_energy(sim);
    begin(g, at);
    cdr_f64(&g->message, energy.kinetic);
    cdr_f64(&g->message, energy.potential);
    cdr_f64(&g->message, energy.kinetic + energy.potential);
    end(g, g->energy, at);
}

static void put_gap(mcap_log* g, const tml_sim* sim, stamp at)
{
    cdr_begin(&g->message);
    cdr_f64(&g->message, tml_sim_gap(sim));
    end(g, g->gap, at);
}

// ---- vertices of deformables, as one cloud

static void put_cloud(mcap_log* g, const tml_sim* sim, stamp at)
{
    static const char* const names[3] = {"x", "y", "z"};
    const tml_model* model = tml_sim_model(sim);
    byte_list* b = &g->message;
    uint32_t count = 0;
    for (int i = 0; i < tml_model_deformable_count(model); i++) {
        count += (uint32_t)tml_model_deformable(model, i)->vertex_count;
    }
    const uint32_t step = 3 * (uint32_t)sizeof(double);
    begin(g, at);
    cdr_u32(b, 1);
    cdr_u32(b, count);
    cdr_u32(b, 3);
    for (uint32_t k = 0; k < 3; k++) {
        cdr_text(b, names[k]);
        cdr_u32(b, k * (uint32_t)sizeof(double));
        cdr_u8(b, FLOAT64);
        cdr_u32(b, 1);
    }
    cdr_u8(b, 0);
    cdr_u32(b, step);
    cdr_u32(b, step * count);
    cdr_u32(b, step * count);
    for (int i = 0; i < tml_model_deformable_count(model); i++) {
        for (int k = 0; k < tml_model_deformable(model, i)->vertex_count; k++) {
            const tml_vec3 p = tml_sim_vertex(sim, i, k);
            const double x[3] = {p.x, p.y, p.z};
            tml__bytes_put(b, x, sizeof x);
        }
    }
    cdr_u8(b, 1);
    end(g, g->soft, at);
}

// ---- shapes

typedef struct marker_list {
    byte_list* b;
    const char* frame;
    const tml_shape_def* shape;
    uint32_t count;
    bool is_counted;  // only counted, not put
} marker_list;

static tml_vec3 along_z(tml_pose pose, double z)
{
    const tml_quat q = pose.q;
    const double x = 2.0 * (q.x * q.z + q.w * q.y);
    const double y = 2.0 * (q.y * q.z - q.w * q.x);
    const double w = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);
    return (tml_vec3){pose.p.x + z * x, pose.p.y + z * y, pose.p.z + z * w};
}

static void put_grid_point(byte_list* b, const tml_shape_def* s, int row, int column)
{
    cdr_f64(b, s->size.x * ((double)column / (s->columns - 1) - 0.5));
    cdr_f64(b, s->size.y * ((double)row / (s->rows - 1) - 0.5));
    cdr_f64(b, s->heights[row * s->columns + column]);
}

// Two triangles a cell.
static void put_grid(byte_list* b, const tml_shape_def* s)
{
    static const int corner[6][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {1, 0}};
    cdr_u32(b, 6 * (uint32_t)(s->rows - 1) * (uint32_t)(s->columns - 1));
    for (int i = 0; i < s->rows - 1; i++) {
        for (int k = 0; k < s->columns - 1; k++) {
            for (int c = 0; c < 6; c++) put_grid_point(b, s, i + corner[c][0], k + corner[c][1]);
        }
    }
}

static void put_mesh(byte_list* b, const tml_shape_def* s)
{
    if (s->kind == TML_SHAPE_HEIGHTFIELD) {
        put_grid(b, s);
        return;
    }
    cdr_u32(b, 3 * (uint32_t)s->triangle_count);
    for (int i = 0; i < 3 * s->triangle_count; i++) cdr_vector(b, s->vertices[s->triangles[i]]);
}

static void put_marker(marker_list* m, int type, tml_pose pose, tml_vec3 scale)
{
    const tml_shape_def* s = m->shape;
    byte_list* b = m->b;
    const uint32_t id = m->count++;
    if (m->is_counted) return;
    put_header(b, (stamp){0, 0, 0}, m->frame);
    cdr_text(b, "shapes");
    cdr_i32(b, (int32_t)id);
    cdr_i32(b, type);
    cdr_i32(b, 0);  // add
    put_pose(b, pose);
    cdr_vector(b, scale);
    for (int k = 0; k < 3; k++) cdr_f32(b, (float)s->color[k] / 255.0f);
    cdr_f32(b, 1.0f);
    cdr_i32(b, 0);  // for ever
    cdr_u32(b, 0);
    cdr_u8(b, 1);  // it moves with its frame
    if (type == TRIANGLES) {
        put_mesh(b, s);
    } else {
        cdr_u32(b, 0);
    }
    cdr_u32(b, 0);  // colours
    cdr_text(b, "");
    put_header(b, (stamp){0, 0, 0}, "");  // no texture
    cdr_text(b, "");
    cdr_u32(b, 0);
    cdr_u32(b, 0);  // coordinates of it
    cdr_text(b, "");
    cdr_text(b, "");
    cdr_text(b, "");  // no mesh file
    cdr_u32(b, 0);
    cdr_u8(b, 0);
}

static void put_shape(marker_list* m, const tml_shape_def* s)
{
    static const double plane = 40.0;  // m: a plane has no end, its picture has
    const double d = 2.0 * s->size.x;
    tml_pose end = s->pose;
    m->shape = s;
    if (s->hidden) return;
    switch (s->kind) {
    case TML_SHAPE_SPHERE: put_marker(m, SPHERE, s->pose, (tml_vec3){d, d, d}); return;
    case TML_SHAPE_ELLIPSOID:
        put_marker(m, SPHERE, s->pose, (tml_vec3){d, 2.0 * s->size.y, 2.0 * s->size.z});
        return;
    case TML_SHAPE_BOX: put_marker(m, CUBE, s->pose, s->size); return;
    case TML_SHAPE_CYLINDER: put_marker(m, CYLINDER, s->pose, (tml_vec3){d, d, s->size.z}); return;
    case TML_SHAPE_CAPSULE:
        put_marker(m, CYLINDER, s->pose, (tml_vec3){d, d, s->size.z});
        for (int k = -1; k <= 1; k += 2) {
            end.p = along_z(s->pose, 0.5 * k * s->size.z);
            put_marker(m, SPHERE, end, (tml_vec3){d, d, d});
        }
        return;
    case TML_SHAPE_PLANE:
        end.p = along_z(s->pose, -0.001);
        put_marker(m, CUBE, end, (tml_vec3){plane, plane, 0.002});
        return;
    case TML_SHAPE_MESH:
    case TML_SHAPE_HEIGHTFIELD:
        put_marker(m, TRIANGLES, s->pose, (tml_vec3){1.0, 1.0, 1.0});
        return;
    case TML_SHAPE_KINDS: return;
    }
}

static void for_shapes(marker_list* m, const tml_model* model)
{
    int count = 0;
    m->frame = "world";
    const tml_shape_def* shapes = tml_model_world_shapes(model, &count);
    for (int k = 0; k < count; k++) put_shape(m, &shapes[k]);
    for (int i = 0; i < tml_model_body_count(model); i++) {
        const tml_body_def* body = tml_model_body(model, (tml_body){i});
        m->frame = tml_model_body_name(model, (tml_body){i});
        for (int k = 0; k < body->shape_count; k++) put_shape(m, &body->shapes[k]);
    }
}

static void put_shapes(mcap_log* g, const tml_sim* sim, stamp at)
{
    marker_list m = {.b = &g->message, .is_counted = true};
    for_shapes(&m, tml_sim_model(sim));
    cdr_begin(&g->message);
    cdr_u32(&g->message, m.count);
    m = (marker_list){.b = &g->message};
    for_shapes(&m, tml_sim_model(sim));
    end(g, g->shapes, at);
}

// ---- the format

static void flush_out(tml_recorder* r)
{
    mcap_log* g = r->log;
    if (g->file.is_broken || g->out.is_broken) {
        if (r->error == 0) r->error = ENOMEM;
        return;
    }
    tml__record_put(r, g->out.data, g->out.count);
    g->out.count = 0;
    tml__record_flush(r);
}

static void end_chunk(tml_recorder* r)
{
    mcap_log* g = r->log;
    tml__mcap_end_chunk(&g->file, (uint64_t)r->bytes, &g->out);
    flush_out(r);
    if (r->error != 0) return;
    r->lines += g->waiting;
    r->line_end = r->bytes;  // where a full disk cuts the file off
    g->waiting = 0;
}

static int add_channel(mcap_log* g, bool is_wanted, const char* topic, const char* type,
                       const char* schema)
{
    return is_wanted ? tml__mcap_add_channel(&g->file, topic, type, schema) : -1;
}

static bool open_log(tml_recorder* r)
{
    mcap_log* g = calloc(1, sizeof *g);
    r->log = g;
    if (g == NULL) {
        r->error = ENOMEM;
        return false;
    }
    const int c = r->wanted;
    const bool has_pose = (c & TML_RECORD_POSE) != 0;
    const bool has_velocity = (c & TML_RECORD_VELOCITY) != 0;
    const bool has_soft = has_pose && tml_model_deformable_count(r->model) > 0;
    g->tf = add_channel(g, has_pose, "/tf", "tf2_msgs/msg/TFMessage", tml__schema_tf);
    g->poses = add_channel(g, has_pose, "/poses", "geometry_msgs/msg/PoseArray", tml__schema_poses);
    g->shapes = add_channel(g, has_pose, "/shapes", "visualization_msgs/msg/MarkerArray",
                            tml__schema_markers);
    g->soft =
        add_channel(g, has_soft, "/vertices", "sensor_msgs/msg/PointCloud2", tml__schema_cloud);
    g->velocities = add_channel(g, has_velocity, "/velocities", "trammel_msgs/msg/Velocities",
                                tml__schema_velocities);
    g->joints = add_channel(g, (c & TML_RECORD_JOINTS) != 0, "/joint_states",
                            "sensor_msgs/msg/JointState", tml__schema_joints);
    g->contacts = add_channel(g, (c & TML_RECORD_CONTACTS) != 0, "/contacts",
                              "trammel_msgs/msg/Contacts", tml__schema_contacts);
    g->energy = add_channel(g, (c & TML_RECORD_ENERGY) != 0, "/energy", "trammel_msgs/msg/Energy",
                            tml__schema_energy);
    g->gap = add_channel(g, (c & TML_RECORD_GAP) != 0, "/gap", "std_msgs/msg/Float64",
                         tml__schema_number);
    tml__mcap_begin(&g->file, &g->out);
    flush_out(r);
    r->line_end = r->bytes;
    return r->error == 0;
}

static bool write_log(tml_recorder* r, const tml_sim* sim)
{
    mcap_log* g = r->log;
    const stamp at = stamp_of(tml_sim_time(sim));
    if (g->shapes >= 0 && !g->has_shapes) put_shapes(g, sim, at);
    g->has_shapes = true;
    if (g->tf >= 0) put_transforms(g, sim, at);
    if (g->poses >= 0) put_poses(g, sim, at);
    if (g->soft >= 0) put_cloud(g, sim, at);
    if (g->velocities >= 0) put_velocities(g, sim, at);
    if (g->joints >= 0) put_joints(g, sim, at);
    if (g->contacts >= 0) put_contacts(g, sim, at);
    if (g->energy >= 0) put_energy(g, sim, at);
    if (g->gap >= 0) put_gap(g, sim, at);
    if (g->file.is_broken) r->error = ENOMEM;
    g->waiting++;
    if (g->file.records.count >= CHUNK_BYTES || at.time >= g->file.first_time + chunk_time) {
        end_chunk(r);
    }
    return r->error == 0;
}

static bool finish_log(tml_recorder* r)
{
    mcap_log* g = r->log;
    if (r->error == 0) end_chunk(r);
    if (r->error == 0) {
        tml__mcap_end(&g->file, (uint64_t)r->bytes, &g->out);
        flush_out(r);
    }
    return r->error == 0;
}

static void free_log(tml_recorder* r)
{
    mcap_log* g = r->log;
    if (g == NULL) return;
    tml__mcap_free(&g->file);
    tml__bytes_free(&g->message);
    tml__bytes_free(&g->out);
    free(g);
    r->log = NULL;
}

const record_format tml__record_mcap = {
    .ending = ".mcap", .open = open_log, .log = write_log, .finish = finish_log, .free = free_log};
