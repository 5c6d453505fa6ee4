// viewer/frames.c - what a frame holds, and how many of them are kept.
#include "viewer/frames.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POSE = 7,
    LOAD = 6,
    POINT = 3,
    LEAST_FRAMES = 16,  // however small the budget
};

// ---- layout

static tml_status count_coordinates(stage* s)
{
    const int joints = tml_model_joint_count(s->model);
    free(s->coordinate_first);
    s->coordinate_first = calloc((size_t)joints + 1, sizeof *s->coordinate_first);
    if (s->coordinate_first == NULL) return TML_NO_MEMORY;
    for (int j = 0; j < joints; j++) {
        tml_axis axes[TML_AXES];
        s->coordinate_first[j + 1] =
            s->coordinate_first[j] + tml_model_joint_axes(s->model, (tml_joint){j}, axes);
    }
    return TML_OK;
}

static tml_status count_points(stage* s)
{
    size_t most_vertices = 0;
    size_t most_points = 0;
    s->point_count = 0;
    for (int i = 0; i < tml_model_deformable_count(s->model); i++) {
        const size_t vertices = (size_t)tml_model_deformable(s->model, i)->vertex_count;
        const size_t points = (size_t)tml_model_skin(s->model, i).point_count;
        if (vertices > most_vertices) most_vertices = vertices;
        if (points > most_points) most_points = points;
        s->point_count += (int)points;
    }
    free(s->soft_vertices);
    free(s->soft_points);
    s->soft_vertices = calloc(POINT * most_vertices + 1, sizeof *s->soft_vertices);
    s->soft_points = calloc(POINT * most_points + 1, sizeof *s->soft_points);
    return s->soft_vertices != NULL && s->soft_points != NULL ? TML_OK : TML_NO_MEMORY;
}

tml_status frames_prepare(stage* s)
{
    const int bodies = tml_model_body_count(s->model);
    const int joints = tml_model_joint_count(s->model);
    tml_status status = count_coordinates(s);
    if (status == TML_OK) status = count_points(s);
    if (status != TML_OK) return status;

    s->has_detail = bodies <= STAGE_DETAIL_MOST && joints <= STAGE_DETAIL_MOST;
    const int detail = s->has_detail ? 1 : 0;
    s->loads_at = STAGE_POSES + POSE * bodies + detail * LOAD * bodies;
    s->coordinates_at = s->loads_at + detail * LOAD * joints;
    s->wrenches_at = s->coordinates_at + detail * s->coordinate_first[joints];
    s->skins_at = s->wrenches_at + detail * LOAD * tml_model_wrench_count(s->model);
    s->ghost_at = s->skins_at + POINT * s->point_count;
    s->width = s->ghost_at + (s->ghost != NULL ? POSE * bodies + POINT * s->point_count : 0);
    free(s->scratch);
    s->scratch = calloc((size_t)s->width, sizeof *s->scratch);
    return s->scratch != NULL ? TML_OK : TML_NO_MEMORY;
}

static size_t frame_bytes(const stage* s, int contacts)
{
    return sizeof(stage_frame) +
           ((size_t)s->width + (size_t)STAGE_CONTACT * (size_t)contacts) * sizeof(float);
}

// ---- the list

void frames_clear(stage* s)
{
    for (int i = 0; i < s->frame_count; i++) free(s->frames[i]);
    s->frame_count = 0;
}

int frames_find(const stage* s, double time)
{
    int low = 0;
    int high = s->frame_count - 1;
    // times are sums of steps: one that is meant to be equal may be an ulp or two later
    const double t = time + 1e-12 * (fabs(time) + 1.0);
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (s->frames[middle]->time <= t) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

// Half as many: every second frame goes, and from now on every second step is skipped.
static void thin(stage* s)
{
    int kept = 0;
    for (int i = 0; i < s->frame_count; i++) {
        if (i % 2 == 0) {
            s->frames[kept++] = s->frames[i];
        } else {
            free(s->frames[i]);
        }
    }
    s->frame_count = kept;
    s->stride *= 2;
    s->shown = frames_find(s, s->cursor);
    s->version++;
}

static stage_frame* add_frame(stage* s, int contacts)
{
    size_t most = s->budget / frame_bytes(s, contacts);
    if (most < LEAST_FRAMES) most = LEAST_FRAMES;
    if (s->sim != NULL && (size_t)s->frame_count >= most) thin(s);
    if (s->frame_count == s->frame_capacity) {
        const int capacity = s->frame_capacity > 0 ? 2 * s->frame_capacity : 256;
        stage_frame** larger = realloc(s->frames, (size_t)capacity * sizeof *larger);
        if (larger == NULL) return NULL;
        s->frames = larger;
        s->frame_capacity = capacity;
    }
    stage_frame* f = malloc(frame_bytes(s, contacts));
    if (f == NULL) return NULL;
    *f = (stage_frame){.contact_count = contacts};
    s->frames[s->frame_count++] = f;
    return f;
}

// ---- from a simulation

static float* put(float* to, tml_vec3 a)
{
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
    return to + 3;
}

static float* put_poses(float* to, const stage* s, const tml_sim* sim)
{
    for (int i = 0; i < tml_model_body_count(s->model); i++) {
        const tml_pose pose = tml_sim_pose(sim, (tml_body){i});
        to = put(to, pose.p);
        *to++ = (float)pose.q.w;
        to = put(to, (tml_vec3){pose.q.x, pose.q.y, pose.q.z});
    }
    return to;
}

// The skin of one deformable whose vertices stand in s->soft_vertices.
static float* put_skin(float* to, const stage* s, int deformable)
{
    const int count = POINT * tml_model_skin(s->model, deformable).point_count;
    tml_model_skin_places(s->model, deformable, s->soft_vertices, s->soft_points);
    for (int k = 0; k < count; k++) *to++ = (float)s->soft_points[k];
    return to;
}

static void set_vertex(const stage* s, int vertex, tml_vec3 x)
{
    s->soft_vertices[POINT * (size_t)vertex] = x.x;
    s->soft_vertices[POINT * (size_t)vertex + 1] = x.y;
    s->soft_vertices[POINT * (size_t)vertex + 2] = x.z;
}

static float* put_skins(float* to, const stage* s, const tml_sim* sim)
{
    for (int i = 0; i < tml_model_deformable_count(s->model); i++) {
        const int count = tml_model_deformable(s->model, i)->vertex_count;
        for (int k = 0; k < count; k++) set_vertex(s, k, tml_sim_vertex(sim, i, k));
        to = put_skin(to, s, i);
    }
    return to;
}

// What the scene's own wrenches are at a time.
static float* put_wrenches(float* to, const stage* s, double time)
{
    for (int i = 0; i < tml_model_wrench_count(s->model); i++) {
        tml_vec3 force = {0.0, 0.0, 0.0};
        tml_vec3 torque = {0.0, 0.0, 0.0};
        (void)tml_model_wrench_value(s->model, i, time, &force, &torque);
        to = put(put(to, force), torque);
    }
    return to;
}

static float* put_detail(float* to, const stage* s)
{
    for (int i = 0; i < tml_model_body_count(s->model); i++) {
        const tml_velocity v = tml_sim_velocity(s->sim, (tml_body){i});
        to = put(to, v.linear);
        to = put(to, v.angular);
    }
    for (int j = 0; j < tml_model_joint_count(s->model); j++) {
        const tml_load load = tml_sim_joint_load(s->sim, (tml_joint){j});
        to = put(to, load.force);
        to = put(to, load.moment);
    }
    for (int j = 0; j < tml_model_joint_count(s->model); j++) {
        double q[TML_AXES] = {0};
        const int count = tml_sim_joint_coordinates(s->sim, (tml_joint){j}, q);
        for (int k = 0; k < count; k++) *to++ = (float)q[k];
    }
    return put_wrenches(to, s, tml_sim_time(s->sim));
}

static void put_contacts(float* to, const tml_sim* sim, int count)
{
    for (int i = 0; i < count; i++) {
        const tml_contact c = tml_sim_contact(sim, i);
        to = put(to, c.point);
        to = put(to, c.force);
        *to++ = (float)c.a.index;
        *to++ = (float)c.b.index;
    }
}

bool frames_keep(stage* s)
{
    const int contacts = tml_sim_contact_count(s->sim);
    stage_frame* f = add_frame(s, contacts);
    if (f == NULL) return false;
    const tml_energy energy = tml_sim_energy(s->sim);
    f->time = tml_sim_time(s->sim);
    f->values[0] = (float)energy.kinetic;
    f->values[1] = (float)energy.potential;
    f->values[STAGE_GAP] = (float)tml_sim_gap(s->sim);
    float* to = put_poses(f->values + STAGE_POSES, s, s->sim);
    if (s->has_detail) to = put_detail(to, s);
    to = put_skins(to, s, s->sim);
    if (s->ghost != NULL) put_skins(put_poses(to, s, s->ghost), s, s->ghost);
    put_contacts(f->values + s->width, s->sim, contacts);
    return true;
}

// A copy of a frame with the ghost's numbers behind the others, the ghost where the bodies are; or
// without them.
static stage_frame* reshaped(const stage* s, const stage_frame* from, bool has_ghost, int width)
{
    const size_t plain = (size_t)s->ghost_at;
    const size_t poses = (size_t)(POSE * tml_model_body_count(s->model));
    const size_t points = (size_t)(POINT * s->point_count);
    const size_t contacts = (size_t)STAGE_CONTACT * (size_t)from->contact_count;
    stage_frame* to = malloc(sizeof *to + ((size_t)width + contacts) * sizeof(float));

    if (to == NULL) return NULL;
    to->time = from->time;
    to->contact_count = from->contact_count;
    memcpy(to->values, from->values, plain * sizeof(float));
    if (has_ghost) {
        memcpy(to->values + plain, from->values + STAGE_POSES, poses * sizeof(float));
        memcpy(to->values + plain + poses, from->values + s->skins_at, points * sizeof(float));
    }
    memcpy(to->values + width, from->values + s->width, contacts * sizeof(float));
    return to;
}

bool frames_reshape(stage* s, bool has_ghost)
{
    const int ghost = POSE * tml_model_body_count(s->model) + POINT * s->point_count;
    const int width = s->ghost_at + (has_ghost ? ghost : 0);
    stage_frame** list = calloc((size_t)s->frame_capacity + 1, sizeof *list);
    float* scratch = calloc((size_t)width, sizeof *scratch);
    int made = 0;

    for (; list != NULL && scratch != NULL && made < s->frame_count; made++) {
        list[made] = reshaped(s, s->frames[made], has_ghost, width);
        if (list[made] == NULL) break;
    }
    if (list == NULL || scratch == NULL || made < s->frame_count) {
        for (int i = 0; list != NULL && i < made; i++) free(list[i]);
        free(list);
        free(scratch);
        return false;
    }
    for (int i = 0; i < s->frame_count; i++) free(s->frames[i]);
    free(s->frames);
    free(s->scratch);
    s->frames = list;
    s->scratch = scratch;
    s->width = width;
    return true;
}

// ---- from a recording

// Columns of a frame by name; NULL where the recording has none.
typedef struct reader {
    const tml_recording* recording;
    const double** columns;  // width of them
    const double** places;   // 3 a vertex of all deformables
    int missing_poses;       // bodies that the recording does not move
} reader;

static const double* find(const tml_recording* r, const char* element, const char* suffix)
{
    char name[1200];
    const int length = snprintf(name, sizeof name, "%s.%s", element, suffix);
    if (length >= (int)sizeof name) return NULL;
    return tml_recording_column(r, tml_recording_find(r, name));
}

static bool find_list(const reader* r, int at, const char* element, const char* const* suffixes)
{
    bool is_found = true;
    for (int k = 0; suffixes[k] != NULL; k++) {
        r->columns[at + k] = find(r->recording, element, suffixes[k]);
        is_found = is_found && r->columns[at + k] != NULL;
    }
    return is_found;
}

static void find_bodies(stage* s, reader* r)
{
    static const char* const pose[] = {"px", "py", "pz", "qw", "qx", "qy", "qz", NULL};
    static const char* const velocity[] = {"vx", "vy", "vz", "wx", "wy", "wz", NULL};
    const int bodies = tml_model_body_count(s->model);

    for (int i = 0; i < bodies; i++) {
        const char* name = tml_model_body_name(s->model, (tml_body){i});
        if (!find_list(r, STAGE_POSES + POSE * i, name, pose)) r->missing_poses++;
        if (!s->has_detail) continue;
        const bool has = find_list(r, STAGE_POSES + POSE * bodies + LOAD * i, name, velocity);
        s->has_velocity = s->has_velocity || has;
    }
}

static void find_joints(stage* s, reader* r)
{
    static const char* const load[] = {"fx", "fy", "fz", "mx", "my", "mz", NULL};
    // as they were called in version 0.1
    static const char* const q[] = {"q0", "q1", "q2", "q3", "q4", "q5"};
    tml_axis axes[TML_AXES];

    for (int j = 0; s->has_detail && j < tml_model_joint_count(s->model); j++) {
        const char* name = tml_model_joint_name(s->model, (tml_joint){j});
        const bool has = find_list(r, s->loads_at + LOAD * j, name, load);
        s->has_joints = s->has_joints || has;
        const int first = s->coordinate_first[j];
        (void)tml_model_joint_axes(s->model, (tml_joint){j}, axes);
        for (int k = 0; k < s->coordinate_first[j + 1] - first; k++) {
            const double** column = &r->columns[s->coordinates_at + first + k];
            *column = find(r->recording, name, tml_axis_name(axes[k]));
            if (*column == NULL) *column = find(r->recording, name, q[k]);
        }
    }
}

static void find_columns(stage* s, reader* r)
{
    r->columns[0] = find(r->recording, "energy", "kinetic");
    r->columns[1] = find(r->recording, "energy", "potential");
    r->columns[STAGE_GAP] =
        tml_recording_column(r->recording, tml_recording_find(r->recording, "gap"));
    s->has_energy = r->columns[0] != NULL && r->columns[1] != NULL;
    s->has_gap = r->columns[STAGE_GAP] != NULL;
    find_bodies(s, r);
    find_joints(s, r);
}

// Bodies that a recording does not move stay where the scene has them.
static void fill_initial(const stage* s, float* values)
{
    for (int i = 0; i < tml_model_body_count(s->model); i++) {
        const tml_body_def* def = tml_model_body(s->model, (tml_body){i});
        float* to = put(values + STAGE_POSES + POSE * i, def->pose.p);
        *to++ = (float)def->pose.q.w;
        put(to, (tml_vec3){def->pose.q.x, def->pose.q.y, def->pose.q.z});
    }
}

// How many contacts have this time; moves *at to the first. They stand in the order of time.
static int count_contacts(const stage* s, double time, int* at)
{
    const int count = tml_recording_contact_count(s->recording);
    const tml_recorded_contact* c = tml_recording_contacts(s->recording);
    const double slack = 1e-9 * (fabs(time) + 1.0);

    while (*at < count && c[*at].time < time - slack) ++*at;
    int end = *at;
    while (end < count && c[end].time <= time + slack) end++;
    return end - *at;
}

static void copy_contacts(const stage* s, stage_frame* f, int first)
{
    float* to = f->values + s->width;
    for (int i = 0; i < f->contact_count; i++) {
        const tml_recorded_contact* c = &tml_recording_contacts(s->recording)[first + i];
        to = put(to, c->position);
        to = put(to, c->force);
        *to++ = (float)tml_model_find_body(s->model, c->a).index;
        *to++ = (float)tml_model_find_body(s->model, c->b).index;
    }
}

static bool find_vertices(const stage* s, reader* r)
{
    static const char* const axis[] = {"px", "py", "pz"};
    size_t count = 0;
    size_t at = 0;
    for (int i = 0; i < tml_model_deformable_count(s->model); i++) {
        count += POINT * (size_t)tml_model_deformable(s->model, i)->vertex_count;
    }
    r->places = calloc(count + 1, sizeof *r->places);
    if (r->places == NULL) return false;
    for (int i = 0; i < tml_model_deformable_count(s->model); i++) {
        const tml_deformable_def* def = tml_model_deformable(s->model, i);
        for (int k = 0; k < POINT * def->vertex_count; k++) {
            char suffix[24];
            snprintf(suffix, sizeof suffix, "%d.%s", k / POINT, axis[k % POINT]);
            r->places[at++] = find(r->recording, def->name, suffix);
        }
    }
    return true;
}

// Vertices that a recording does not move stay where they are at rest.
static void read_skins(const stage* s, const reader* r, int row, float* to)
{
    const double* const* column = r->places;
    for (int i = 0; i < tml_model_deformable_count(s->model); i++) {
        const tml_deformable_def* def = tml_model_deformable(s->model, i);
        for (int k = 0; k < def->vertex_count; k++, column += POINT) {
            set_vertex(s, k, def->vertices[k]);
            for (int c = 0; c < POINT; c++) {
                if (column[c] != NULL) s->soft_vertices[POINT * k + c] = column[c][row];
            }
        }
        to = put_skin(to, s, i);
    }
}

static bool read_rows(stage* s, const reader* r, int stride)
{
    const int rows = tml_recording_row_count(s->recording);
    const double* times = tml_recording_column(s->recording, tml_recording_find(s->recording, "t"));
    int contact = 0;

    for (int row = 0; row < rows; row++) {
        // the last row is always there
        if (row % stride != 0 && row != rows - 1) continue;
        stage_frame* f = add_frame(s, count_contacts(s, times[row], &contact));
        if (f == NULL) return false;
        f->time = times[row];
        memcpy(f->values, s->scratch, (size_t)s->width * sizeof(float));
        for (int k = 0; k < s->width; k++) {
            if (r->columns[k] != NULL) f->values[k] = (float)r->columns[k][row];
        }
        if (s->has_detail) put_wrenches(f->values + s->wrenches_at, s, f->time);
        read_skins(s, r, row, f->values + s->skins_at);
        copy_contacts(s, f, contact);
    }
    return true;
}

tml_status frames_read(stage* s)
{
    reader r = {.recording = s->recording};
    tml_status status = frames_prepare(s);
    if (status != TML_OK) return status;

    r.columns = calloc((size_t)s->width, sizeof *r.columns);
    if (r.columns == NULL || !find_vertices(s, &r)) {
        free(r.columns);
        return TML_NO_MEMORY;
    }
    find_columns(s, &r);
    s->has_contacts = tml_recording_contact_count(s->recording) > 0;
    fill_initial(s, s->scratch);
    const double bytes = (double)frame_bytes(s, 0) * tml_recording_row_count(s->recording);
    s->stride = bytes > (double)s->budget ? (int)ceil(bytes / (double)s->budget) : 1;
    status = read_rows(s, &r, s->stride) ? TML_OK : TML_NO_MEMORY;
    free(r.columns);
    free(r.places);
    const int bodies = tml_model_body_count(s->model);
    if (status == TML_OK && r.missing_poses > 0) {
        snprintf(s->message, sizeof s->message,
                 "%d of %d bodies have no poses in the recording and stand still", r.missing_poses,
                 bodies);
    }
    if (status == TML_OK) s->head = s->frames[s->frame_count - 1]->time;
    return status;
}

// ---- asking

unsigned long long stage_hash(const stage* s)
{
    // FNV-1a over all frames
    uint64_t h = 0xcbf29ce484222325u;
    for (int i = 0; i < s->frame_count; i++) {
        const unsigned char* p = (const unsigned char*)s->frames[i]->values;
        for (size_t k = 0; k < (size_t)s->width * sizeof(float); k++) {
            h = (h ^ p[k]) * 0x100000001b3u;
        }
    }
    return h;
}

int stage_series(const stage* s, const int* offsets, int count, int most, float* out)
{
    const int every = (s->frame_count + most - 1) / most;
    const int points = every > 0 ? (s->frame_count + every - 1) / every : 0;

    for (int i = 0; i < points; i++) {
        const stage_frame* f = s->frames[i * every];
        out[i] = (float)f->time;
        for (int k = 0; k < count; k++) {
            out[(k + 1) * points + i] =
                offsets[k] >= 0 ? f->values[offsets[k]] : f->values[0] + f->values[1];
        }
    }
    return points;
}
