// io/record.c - recordings being written: which columns, which values, which format.
//
// The file is written through one buffer. Its first error is kept: every call after it fails too,
// and leaves errno as that error set it. What is said to be recorded is what a reader finds: a table
// that could not be written on is cut behind its last whole line.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; fileno, ftruncate, pwrite

#include "io/record.h"

#include "base/memory.h"

#include <trammel/sensor.h>
#include <trammel/state.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const record_format* const formats[] = {&tml__record_csv, &tml__record_npz, &tml__record_glb,
                                               &tml__record_mcap};

static const struct {
    const char* word;
    int column;
} words[] = {
    {"pose", TML_RECORD_POSE},       {"velocity", TML_RECORD_VELOCITY},
    {"joints", TML_RECORD_JOINTS},   {"energy", TML_RECORD_ENERGY},
    {"gap", TML_RECORD_GAP},         {"contacts", TML_RECORD_CONTACTS},
    {"sensors", TML_RECORD_SENSORS},
};

int tml_record_find(const char* list, int* columns, const char** bad)
{
    if (list == NULL || columns == NULL) return 0;
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

static void count_lines(tml_recorder* r, size_t written)
{
    for (size_t i = 0; i < written; i++) {
        if (r->buffer[i] != '\n') continue;
        r->lines++;
        r->line_end = r->file_bytes + (long long)i + 1;
    }
    r->file_bytes += (long long)written;
}

static bool is_regular(FILE* stream)
{
    struct stat about;
    return fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode);
}

void tml__record_flush(tml_recorder* r)
{
    const bool is_growing = r->format->close == NULL;
    if (r->error == 0) {
        errno = 0;
        const size_t written = fwrite(r->buffer, 1, r->used, r->stream);
        // a device may refuse without a reason
        if (written != r->used) r->error = errno != 0 ? errno : EIO;
        if (is_growing && r->format->log == NULL) count_lines(r, written);
        if (is_growing && r->error != 0 && is_regular(r->stream)) {
            (void)!ftruncate(fileno(r->stream), (off_t)r->line_end);
        }
    }
    r->used = 0;
    if (r->contacts != NULL && fflush(r->contacts) != 0 && r->error == 0) r->error = errno;
}

void tml__record_patch(tml_recorder* r, long long at, const void* bytes, size_t length)
{
    const long long in_file = r->bytes - (long long)r->used;
    if (at < in_file && at + (long long)length > in_file) tml__record_flush(r);
    if (at >= r->bytes - (long long)r->used && r->used > 0) {
        memcpy(r->buffer + (at - (r->bytes - (long long)r->used)), bytes, length);
    } else if (r->error == 0) {
        errno = 0;
        const ssize_t written = pwrite(fileno(r->stream), bytes, length, (off_t)at);
        if (written != (ssize_t)length) r->error = errno != 0 ? errno : EIO;
    }
}

void tml__record_put(tml_recorder* r, const void* bytes, size_t length)
{
    const char* from = bytes;

    r->bytes += (long long)length;
    while (length > 0) {
        if (r->used == RECORD_BUFFER) tml__record_flush(r);
        const size_t room = RECORD_BUFFER - r->used;
        const size_t part = length < room ? length : room;
        memcpy(r->buffer + r->used, from, part);
        r->used += part;
        from += part;
        length -= part;
    }
}

// ---- columns

static void put_names(record_name put, void* to, const char* element, const char* const* suffixes)
{
    for (; *suffixes != NULL; suffixes++) put(to, element, *suffixes);
}

// The columns of a deformable, vertex by vertex: NAME.12.px and so on.
static void put_vertices(record_name put, void* to, int columns, const tml_deformable_def* def)
{
    static const char* const place[] = {"px", "py", "pz"};
    static const char* const velocity[] = {"vx", "vy", "vz"};
    for (int vertex = 0; vertex < def->vertex_count; vertex++) {
        char suffix[24];
        for (int k = 0; k < 3 && (columns & TML_RECORD_POSE) != 0; k++) {
            snprintf(suffix, sizeof suffix, "%d.%s", vertex, place[k]);
            put(to, def->name, suffix);
        }
        for (int k = 0; k < 3 && (columns & TML_RECORD_VELOCITY) != 0; k++) {
            snprintf(suffix, sizeof suffix, "%d.%s", vertex, velocity[k]);
            put(to, def->name, suffix);
        }
    }
}

void tml__record_names(const tml_model* model, int columns, record_name put, void* to)
{
    static const char* const pose[] = {"px", "py", "pz", "qw", "qx", "qy", "qz", NULL};
    static const char* const velocity[] = {"vx", "vy", "vz", "wx", "wy", "wz", NULL};
    static const char* const load[] = {"fx", "fy", "fz", "mx", "my", "mz", NULL};
    static const char* const quaternion[] = {"w", "x", "y", "z", NULL};
    static const char* const energy[] = {"kinetic", "potential", "total", NULL};
    const bool has_bodies = (columns & (TML_RECORD_POSE | TML_RECORD_VELOCITY)) != 0;
    const bool has_joints = (columns & TML_RECORD_JOINTS) != 0;

    put(to, "", "t");
    for (int i = 0; has_bodies && i < tml_model_body_count(model); i++) {
        const char* name = tml_model_body_name(model, (tml_body){i});
        if (columns & TML_RECORD_POSE) put_names(put, to, name, pose);
        if (columns & TML_RECORD_VELOCITY) put_names(put, to, name, velocity);
    }
    for (int i = 0; has_bodies && i < tml_model_deformable_count(model); i++) {
        put_vertices(put, to, columns, tml_model_deformable(model, i));
    }
    for (int i = 0; has_joints && i < tml_model_joint_count(model); i++) {
        const tml_joint joint = {i};
        const char* name = tml_model_joint_name(model, joint);
        tml_axis axes[TML_AXES];
        const int free_count = tml_model_joint_axes(model, joint, axes);
        put_names(put, to, name, load);
        for (int k = 0; k < free_count; k++) put(to, name, tml_axis_name(axes[k]));
        for (int k = 0; k < free_count; k++) {
            char rate[16];
            snprintf(rate, sizeof rate, "%s.rate", tml_axis_name(axes[k]));
            put(to, name, rate);
        }
    }
    if (columns & TML_RECORD_ENERGY) put_names(put, to, "energy", energy);
    if (columns & TML_RECORD_GAP) put(to, "", "gap");
    for (int i = 0; (columns & TML_RECORD_SENSORS) && i < tml_model_sensor_count(model); i++) {
        const tml_sensor_def* s = tml_model_sensor(model, i);
        const int width = tml_sensor_width(s->kind);
        if (width == 1) put(to, "", s->name);
        if (width > 1) put_names(put, to, s->name, quaternion + (TML_SENSOR_WIDTH - width));
    }
}

static void count_name(void* to, const char* element, const char* suffix)
{
    (void)element;
    (void)suffix;
    ++*(int*)to;
}

// ---- values, in the order of the names

static double* store(double* to, tml_vec3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
    return to + 3;
}

// q and -q are one rotation, and formulations that turn matrices into quaternions choose by w. A
// curve, or an animation between two states, must not jump where w changes its sign: of the two,
// the one on the side of the state before, which is still there (zeros for the first).
static double* store_turn(double* to, tml_quat q)
{
    const double side = to[0] * q.w + to[1] * q.x + to[2] * q.y + to[3] * q.z;
    const double sign = side < 0.0 ? -1.0 : 1.0;
    to[0] = sign * q.w;
    return store(to + 1, (tml_vec3){sign * q.x, sign * q.y, sign * q.z});
}

static double* store_body(double* to, int columns, const tml_sim* sim, tml_body body)
{
    if (columns & TML_RECORD_POSE) {
        const tml_pose pose = tml_sim_pose(sim, body);
        to = store(to, pose.p);
        to = store_turn(to, pose.q);
    }
    if (columns & TML_RECORD_VELOCITY) {
        const tml_velocity velocity = tml_sim_velocity(sim, body);
        to = store(to, velocity.linear);
        to = store(to, velocity.angular);
    }
    return to;
}

static double* store_vertices(double* to, int columns, const tml_sim* sim, int deformable)
{
    const int count = tml_model_deformable(tml_sim_model(sim), deformable)->vertex_count;
    for (int vertex = 0; vertex < count; vertex++) {
        if (columns & TML_RECORD_POSE) to = store(to, tml_sim_vertex(sim, deformable, vertex));
        if (columns & TML_RECORD_VELOCITY) {
            to = store(to, tml_sim_vertex_velocity(sim, deformable, vertex));
        }
    }
    return to;
}

static double* store_joint(double* to, const tml_sim* sim, tml_joint joint)
{
    const tml_load load = tml_sim_joint_load(sim, joint);
    double q[TML_AXES] = {0};
    const int count = tml_sim_joint_coordinates(sim, joint, q);

    to = store(to, load.force);
    to = store(to, load.moment);
    for (int k = 0; k < count; k++) *to++ = q[k];
    return to + tml_sim_joint_rates(sim, joint, to);
}

static void store_state(tml_recorder* r, const tml_sim* sim)
{
    const bool has_bodies = (r->columns & (TML_RECORD_POSE | TML_RECORD_VELOCITY)) != 0;
    const bool has_joints = (r->columns & TML_RECORD_JOINTS) != 0;
    double* to = r->values;

    *to++ = tml_sim_time(sim);
    for (int i = 0; has_bodies && i < tml_model_body_count(r->model); i++) {
        to = store_body(to, r->columns, sim, (tml_body){i});
    }
    for (int i = 0; has_bodies && i < tml_model_deformable_count(r->model); i++) {
        to = store_vertices(to, r->columns, sim, i);
    }
    for (int i = 0; has_joints && i < tml_model_joint_count(r->model); i++) {
        to = store_joint(to, sim, (tml_joint){i});
    }
    if (r->columns & TML_RECORD_ENERGY) {
        const tml_energy energy = tml_sim_energy(sim);
        *to++ = energy.kinetic;
        *to++ = energy.potential;
        *to++ = energy.kinetic + energy.potential;
    }
    if (r->columns & TML_RECORD_GAP) *to++ = tml_sim_gap(sim);
    for (int i = 0; (r->columns & TML_RECORD_SENSORS) && i < tml_model_sensor_count(r->model);
         i++) {
        double said[TML_SENSOR_WIDTH] = {0.0};
        const int width = tml_sim_sensor(sim, i, said);
        memcpy(to, said, (size_t)width * sizeof *to);
        to += width;
    }
}

bool tml__record_keep(tml_recorder* r)
{
    const int error = tml__spool_add(&r->states, r->values);
    if (error != 0) r->error = error;
    return error == 0;
}

tml_status tml_recorder_write(tml_recorder* recorder, const tml_sim* sim)
{
    if (recorder == NULL) return TML_BAD_ARGUMENT;
    if (recorder->is_finished) return TML_BAD_ARGUMENT;
    if (recorder->error == 0) {
        store_state(recorder, sim);
        if (recorder->keeps_contacts) tml__record_contacts_keep(recorder, sim);
        if (recorder->error == 0 && recorder->format->write != NULL) {
            recorder->format->write(recorder);
        }
        if (recorder->error == 0 && recorder->format->log != NULL) {
            recorder->format->log(recorder, sim);
        }
        if (recorder->contacts != NULL) tml__record_contacts_write(recorder, sim);
        if (recorder->format->close != NULL) tml__record_whole_write(recorder);
    }
    if (recorder->error != 0) errno = recorder->error;
    return recorder->error == 0 ? TML_OK : TML_BAD_FILE;
}

long long tml_recorder_states(const tml_recorder* recorder)
{
    if (recorder == NULL) return 0;
    const bool has_lines = recorder->format->close == NULL;
    return has_lines ? recorder->lines : (long long)recorder->whole_rows;
}

// Bytes that a number takes at least while a run goes on: a digit and a comma; a double that waits, and
// the room to write it.
tml_status tml_recorder_expect(const tml_recorder* recorder, long long states, char* why,
                               size_t capacity)
{
    if (recorder == NULL) return TML_BAD_ARGUMENT;
    const bool has_lines = recorder->format->close == NULL;
    const double bytes = (double)states * (double)recorder->count * (has_lines ? 2.0 : 16.0);
    struct statvfs disk;
    message text = {{0}};
    tml_status status = TML_OK;

    if (is_regular(recorder->stream) && fstatvfs(fileno(recorder->stream), &disk) == 0) {
        const double room = (double)disk.f_bavail * (double)disk.f_frsize;
        if (bytes > room) {
            status = tml__fail(&text, TML_BAD_FILE,
                               "%lld states of %d numbers take %.3g MB at least, and the disk has "
                               "%.3g MB left; record every Nth, for less time, or fewer columns",
                               states, recorder->count, 1e-6 * bytes, 1e-6 * room);
        }
    }
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}

// ---- opening and closing

static bool ends_with(const char* path, const char* ending)
{
    const size_t n = strlen(path);
    const size_t m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static const record_format* find_format(const char* path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (ends_with(path, formats[i]->ending)) return formats[i];
    }
    return NULL;
}

int tml_record_usual(const char* path)
{
    const record_format* format = path != NULL ? find_format(path) : NULL;
    const int usual = TML_RECORD_POSE | TML_RECORD_VELOCITY;
    if (format != &tml__record_mcap) return usual;
    return usual | TML_RECORD_JOINTS | TML_RECORD_ENERGY | TML_RECORD_GAP | TML_RECORD_CONTACTS;
}

static void release(tml_recorder* r)
{
    if (r->format->free != NULL) r->format->free(r);
    tml__spool_close(&r->states);
    tml__spool_close(&r->touches);
    free(r->path);
    free(r->part);
    tml__release(NULL, r->values);
    tml__release(NULL, r);
}

// A recording that could not begin: nothing is in it.
static void discard(const char* path)
{
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISREG(about.st_mode)) remove(path);
}

static tml_status open_recorder(const tml_sim* sim, const char* path, int columns, message* why,
                                tml_recorder** out)
{
    const record_format* format = find_format(path);
    if (format == NULL) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "%.300s: the ending says how to record: .csv, .npz, .glb or .mcap", path);
    }
    tml_recorder* r = tml__allocate(NULL, 1, sizeof *r);
    if (r == NULL) return tml__fail(why, TML_NO_MEMORY, "%.300s: out of memory", path);
    r->format = format;
    r->model = tml_sim_model(sim);
    // an animation is made of poses, whatever else was asked for
    r->columns = format == &tml__record_glb ? TML_RECORD_POSE : columns;
    r->wanted = columns;
    if (format->log != NULL) r->columns = 0;  // messages are no table
    tml__record_names(r->model, r->columns, count_name, &r->count);
    r->values = tml__allocate(NULL, (size_t)r->count, sizeof *r->values);
    if (r->values == NULL) {
        release(r);
        return tml__fail(why, TML_NO_MEMORY, "%.300s: out of memory", path);
    }
    r->stream = fopen(path, "wb");
    if (r->stream == NULL) {
        release(r);
        return tml__fail(why, TML_BAD_FILE, "%.300s: cannot be written: %s", path, strerror(errno));
    }
    // one buffer is enough, and errors then show where they happen
    setvbuf(r->stream, NULL, _IONBF, 0);
    if (format->open != NULL) format->open(r);
    const bool has_contacts = (columns & TML_RECORD_CONTACTS) != 0;
    r->keeps_contacts = has_contacts && format == &tml__record_npz;
    if (format->close != NULL) tml__record_whole_begin(r, path);
    tml__record_flush(r);
    r->lines = 0;  // that of the names is no state
    if (r->error != 0) {
        const int error = r->error;
        discard(path);
        (void)fclose(r->stream);
        release(r);
        return tml__fail(why, TML_BAD_FILE, "%.300s: cannot be written: %s", path, strerror(error));
    }
    *out = r;
    if (format != &tml__record_csv) return TML_OK;
    if (!has_contacts) {
        // those of an older run under this name would be read as this one's
        tml__record_contacts_forget(r, path);
        return TML_OK;
    }
    const tml_status status = tml__record_contacts_open(r, path, why);
    if (status != TML_OK) {
        (void)tml_recorder_close(r);
        *out = NULL;
        discard(path);
    }
    return status;
}

tml_status tml_recorder_create(const tml_sim* sim, const char* path, int columns, char* why,
                               size_t capacity, tml_recorder** out)
{
    if (path == NULL || out == NULL) return TML_BAD_ARGUMENT;
    message text = {{0}};
    *out = NULL;
    const tml_status status = open_recorder(sim, path, columns, &text, out);
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}

tml_status tml_recorder_finish(tml_recorder* recorder)
{
    if (recorder == NULL) return TML_BAD_ARGUMENT;
    if (!recorder->is_finished) {
        recorder->is_finished = true;
        if (recorder->format->close != NULL) tml__record_whole_end(recorder);
        if (recorder->format->finish != NULL) recorder->format->finish(recorder);
        tml__record_flush(recorder);
        const int beside = tml__record_contacts_close(recorder);
        if (recorder->error == 0) recorder->error = beside;
        if (fclose(recorder->stream) != 0 && recorder->error == 0) recorder->error = errno;
        recorder->stream = NULL;
    }
    if (recorder->error != 0) errno = recorder->error;
    return recorder->error == 0 ? TML_OK : TML_BAD_FILE;
}

tml_status tml_recorder_close(tml_recorder* recorder)
{
    if (recorder == NULL) return TML_OK;

    const tml_status status = tml_recorder_finish(recorder);
    const int error = errno;
    release(recorder);
    errno = error;
    return status;
}
