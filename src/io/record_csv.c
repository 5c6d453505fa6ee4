// io/record_csv.c - recordings as text: a line of column names, then a line a recorded step.
//
// Lines gather in a buffer that goes to the file when a line has filled half of it, so a file that
// is cut short by a crash ends, as a rule, at the end of a line. The first error of the file is kept:
// every call after it fails too, and leaves errno as that error set it.
#include "base/memory.h"
#include "base/message.h"
#include "io/number.h"

#include <trammel/record.h>

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    BUFFER_BYTES = 1 << 20
};

struct tml_recorder {
    FILE* stream;
    const tml_model* model;  // borrowed
    int columns;
    int error;  // of the file, as errno has it; 0: none
    size_t used;
    char buffer[BUFFER_BYTES];
};

static const struct {
    const char* word;
    int column;
} words[] = {
    {"pose", TML_RECORD_POSE},     {"velocity", TML_RECORD_VELOCITY}, {"joints", TML_RECORD_JOINTS},
    {"energy", TML_RECORD_ENERGY}, {"gap", TML_RECORD_GAP},
};

int tml_record_find(const char* list, int* columns, const char** bad)
{
    int found = 0;
    for (const char* p = list;; p++) {
        const size_t length = strcspn(p, ",");
        int column = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const bool is_word =
                strlen(words[i].word) == length && strncmp(p, words[i].word, length) == 0;
            if (is_word) column = words[i].column;
        }
        if (column == 0) {
            if (bad != NULL) *bad = p;
            return 0;
        }
        found |= column;
        p += length;
        if (*p == '\0') break;
    }
    *columns = found;
    return 1;
}

// ---- bytes

static void flush(tml_recorder* r)
{
    if (r->error == 0) {
        errno = 0;
        const size_t written = fwrite(r->buffer, 1, r->used, r->stream);
        // a device may refuse without a reason
        if (written != r->used) r->error = errno != 0 ? errno : EIO;
    }
    r->used = 0;
}

static void put(tml_recorder* r, const char* bytes, size_t length)
{
    while (length > 0) {
        if (r->used == BUFFER_BYTES) flush(r);
        const size_t room = BUFFER_BYTES - r->used;
        const size_t part = length < room ? length : room;
        memcpy(r->buffer + r->used, bytes, part);
        r->used += part;
        bytes += part;
        length -= part;
    }
}

static void end_line(tml_recorder* r)
{
    put(r, "\n", 1);
    if (r->used > BUFFER_BYTES / 2) flush(r);
}

// ---- the header

// ",NAME.suffix", in quotation marks where the name holds a comma or quotation marks itself.
static void put_column(tml_recorder* r, const char* name, const char* suffix)
{
    const bool is_plain = strpbrk(name, ",\"\r\n") == NULL;
    put(r, is_plain ? "," : ",\"", is_plain ? 1 : 2);
    for (const char* p = name; *p != '\0'; p++) put(r, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
    put(r, ".", 1);
    put(r, suffix, strlen(suffix));
    if (!is_plain) put(r, "\"", 1);
}

static void put_columns(tml_recorder* r, const char* name, const char* const* suffixes)
{
    for (; *suffixes != NULL; suffixes++) put_column(r, name, *suffixes);
}

static void put_header(tml_recorder* r)
{
    static const char* const pose[] = {"px", "py", "pz", "qw", "qx", "qy", "qz", NULL};
    static const char* const velocity[] = {"vx", "vy", "vz", "wx", "wy", "wz", NULL};
    static const char* const load[] = {"fx", "fy", "fz", "mx", "my", "mz", NULL};
    static const char* const coordinate[] = {"q0", "q1", "q2", "q3", "q4", "q5"};
    static const char* const energy[] = {"kinetic", "potential", "total", NULL};

    put(r, "t", 1);
    const bool has_bodies = (r->columns & (TML_RECORD_POSE | TML_RECORD_VELOCITY)) != 0;
    for (int i = 0; has_bodies && i < tml_model_body_count(r->model); i++) {
        const char* name = tml_model_body_name(r->model, (tml_body){i});
        if (r->columns & TML_RECORD_POSE) put_columns(r, name, pose);
        if (r->columns & TML_RECORD_VELOCITY) put_columns(r, name, velocity);
    }
    const bool has_joints = (r->columns & TML_RECORD_JOINTS) != 0;
    for (int i = 0; has_joints && i < tml_model_joint_count(r->model); i++) {
        const tml_joint joint = {i};
        const char* name = tml_model_joint_name(r->model, joint);
        tml_axis axes[TML_AXES];
        const int free_count = tml_model_joint_axes(r->model, joint, axes);
        put_columns(r, name, load);
        for (int k = 0; k < free_count; k++) put_column(r, name, coordinate[k]);
    }
    if (r->columns & TML_RECORD_ENERGY) put_columns(r, "energy", energy);
    if (r->columns & TML_RECORD_GAP) put(r, ",gap", 4);
    end_line(r);
}

// ---- a line

static void put_number(tml_recorder* r, double value)
{
    char digits[NUMBER_CHARS] = "nan";
    int length = 3;
    if (isfinite(value)) {
        length = tml__number_write17(digits, value);
    } else if (isinf(value)) {
        length = snprintf(digits, sizeof digits, "%s", value < 0.0 ? "-inf" : "inf");
    }
    put(r, digits, (size_t)length);
}

static void put_cell(tml_recorder* r, double value)
{
    put(r, ",", 1);
    put_number(r, value);
}

static void put_vector(tml_recorder* r, tml_vec3 a)
{
    put_cell(r, a.x);
    put_cell(r, a.y);
    put_cell(r, a.z);
}

static void put_body(tml_recorder* r, const tml_sim* sim, tml_body body)
{
    if (r->columns & TML_RECORD_POSE) {
        const tml_pose pose = tml_sim_pose(sim, body);
        put_vector(r, pose.p);
        put_cell(r, pose.q.w);
        put_vector(r, (tml_vec3){pose.q.x, pose.q.y, pose.q.z});
    }
    if (r->columns & TML_RECORD_VELOCITY) {
        const tml_velocity velocity = tml_sim_velocity(sim, body);
        put_vector(r, velocity.linear);
        put_vector(r, velocity.angular);
    }
}

static void put_joint(tml_recorder* r, const tml_sim* sim, tml_joint joint)
{
    const tml_load load = tml_sim_joint_load(sim, joint);
    put_vector(r, load.force);
    put_vector(r, load.moment);

    double q[TML_AXES] = {0};
    const int count = tml_sim_joint_coordinates(sim, joint, q);
    for (int k = 0; k < count; k++) put_cell(r, q[k]);
}

tml_status tml_recorder_write(tml_recorder* recorder, const tml_sim* sim)
{
    tml_recorder* r = recorder;

    put_number(r, tml_sim_time(sim));
    const bool has_bodies = (r->columns & (TML_RECORD_POSE | TML_RECORD_VELOCITY)) != 0;
    for (int i = 0; has_bodies && i < tml_model_body_count(r->model); i++) {
        put_body(r, sim, (tml_body){i});
    }
    const bool has_joints = (r->columns & TML_RECORD_JOINTS) != 0;
    for (int i = 0; has_joints && i < tml_model_joint_count(r->model); i++) {
        put_joint(r, sim, (tml_joint){i});
    }
    if (r->columns & TML_RECORD_ENERGY) {
        const tml_energy energy = tml_sim_energy(sim);
        put_cell(r, energy.kinetic);
        put_cell(r, energy.potential);
        put_cell(r, energy.kinetic + energy.potential);
    }
    if (r->columns & TML_RECORD_GAP) put_cell(r, tml_sim_gap(sim));
    end_line(r);

    if (r->error != 0) errno = r->error;
    return r->error == 0 ? TML_OK : TML_BAD_FILE;
}

// ---- opening and closing

static bool ends_with(const char* path, const char* ending)
{
    const size_t n = strlen(path);
    const size_t m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static tml_status check_ending(const char* path, message* why)
{
    static const char* const later[] = {".npz", ".glb"};
    if (ends_with(path, ".csv")) return TML_OK;

    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        if (!ends_with(path, later[i])) continue;
        return tml__fail(why, TML_UNSUPPORTED,
                         "%.300s: recordings in %s are not written by this version; use .csv", path,
                         later[i]);
    }
    return tml__fail(why, TML_BAD_ARGUMENT,
                     "%.300s: the ending says how to record, and only .csv is known", path);
}

static tml_status open_recorder(const tml_sim* sim, const char* path, int columns, message* why,
                                tml_recorder** out)
{
    tml_status status = check_ending(path, why);
    if (status != TML_OK) return status;

    tml_recorder* r = tml__allocate(NULL, 1, sizeof *r);
    if (r == NULL) return tml__fail(why, TML_NO_MEMORY, "%.300s: out of memory", path);
    r->model = tml_sim_model(sim);
    r->columns = columns;
    r->stream = fopen(path, "wb");
    if (r->stream == NULL) {
        status =
            tml__fail(why, TML_BAD_FILE, "%.300s: cannot be written: %s", path, strerror(errno));
        tml__release(NULL, r);
        return status;
    }
    // one buffer is enough, and errors then show where they happen
    setvbuf(r->stream, NULL, _IONBF, 0);
    put_header(r);
    flush(r);
    if (r->error != 0) {
        status =
            tml__fail(why, TML_BAD_FILE, "%.300s: cannot be written: %s", path, strerror(r->error));
        tml_recorder_close(r);
        return status;
    }
    *out = r;
    return TML_OK;
}

tml_status tml_recorder_create(const tml_sim* sim, const char* path, int columns, char* why,
                               size_t capacity, tml_recorder** out)
{
    message text = {{0}};
    *out = NULL;
    const tml_status status = open_recorder(sim, path, columns, &text, out);
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}

tml_status tml_recorder_close(tml_recorder* recorder)
{
    if (recorder == NULL) return TML_OK;

    flush(recorder);
    int error = recorder->error;
    if (fclose(recorder->stream) != 0 && error == 0) error = errno;
    tml__release(NULL, recorder);
    if (error != 0) errno = error;
    return error == 0 ? TML_OK : TML_BAD_FILE;
}
