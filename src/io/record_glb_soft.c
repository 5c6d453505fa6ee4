// io/record_glb_soft.c - deformables in a glTF file: a mesh each, whose shapes over time are morph
// targets.
//
// The first state is the mesh itself; every other key is a target that holds how far the points are
// from there, and the animation moves one weight at a time from 0 to 1 and back, so that a viewer goes
// along straight lines between keys. Graphics hardware must offer 256 such targets and often offers
// not many more, so longer recordings are thinned to as many; the last state is always one of them.
#include "base/memory.h"
#include "io/record_glb.h"

#include <string.h>

enum {
    KEYS_MOST = 250,
    POSE_WIDTH = 7
};

static size_t row_of_key(const glb_soft* f, size_t key)
{
    const size_t row = key * f->every;
    return row < f->rows ? row : f->rows - 1;
}

// ---- preparing

bool tml__glb_soft_prepare(const tml_recorder* r, glb_soft* out)
{
    const tml_model* model = r->model;
    *out = (glb_soft){.model = model,
                      .count = tml_model_deformable_count(model),
                      .kept = r->kept,
                      .stride = (size_t)r->count,
                      .rows = r->kept_rows,
                      .every = 1};
    int most = 0;
    for (int i = 0; i < out->count; i++) {
        const tml_skin skin = tml_model_skin(model, i);
        if (skin.point_count > most) most = skin.point_count;
        if (tml_model_deformable(model, i)->vertex_count > most) {
            most = tml_model_deformable(model, i)->vertex_count;
        }
        out->points += (size_t)skin.point_count;
        out->triangles += (size_t)skin.triangle_count;
    }
    if (out->count == 0) return true;
    if (out->rows > 1) {
        out->every = (out->rows - 1 + KEYS_MOST - 2) / (KEYS_MOST - 1);
        out->keys = 1 + (out->rows - 1 + out->every - 1) / out->every;
    }
    out->place = tml__allocate(NULL, 3 * (size_t)most, sizeof *out->place);
    out->base = tml__allocate(NULL, 3 * (size_t)most, sizeof *out->base);
    out->rest = tml__allocate(NULL, 3 * (size_t)most, sizeof *out->rest);
    return out->place != NULL && out->base != NULL && out->rest != NULL;
}

void tml__glb_soft_free(glb_soft* f)
{
    tml__release(NULL, f->place);
    tml__release(NULL, f->base);
    tml__release(NULL, f->rest);
    *f = (glb_soft){0};
}

// The points of deformable i at a key, into `to`; where it begins when no state was kept.
static void find_points(const glb_soft* f, int i, size_t key, double* to)
{
    const tml_deformable_def* def = tml_model_deformable(f->model, i);
    if (f->rows == 0) {
        for (int k = 0; k < def->vertex_count; k++) {
            const tml_vec3 x = def->vertices[k];
            const double numbers[3] = {x.x, x.y, x.z};
            memcpy(&f->rest[3 * (size_t)k], numbers, sizeof numbers);
        }
        tml_model_skin_places(f->model, i, f->rest, to);
        return;
    }
    size_t at = 1 + POSE_WIDTH * (size_t)tml_model_body_count(f->model);
    for (int k = 0; k < i; k++) {
        at += 3 * (size_t)tml_model_deformable(f->model, k)->vertex_count;
    }
    tml_model_skin_places(f->model, i, f->kept + row_of_key(f, key) * f->stride + at, to);
}

// What the file has for a key: the points themselves, then what they moved.
static void find_key(const glb_soft* f, int i, size_t key)
{
    if (key == 0) find_points(f, i, 0, f->base);
    find_points(f, i, key, f->place);
    const int count = 3 * tml_model_skin(f->model, i).point_count;
    for (int k = 0; key > 0 && k < count; k++) f->place[k] -= f->base[k];
}

// ---- describing

static size_t targets_of(const glb_soft* f) { return f->keys > 0 ? f->keys - 1 : 0; }

// Accessors of one deformable: positions, targets, and indices where it has triangles.
static size_t accessors_before(const glb_soft* f, int i)
{
    size_t sum = f->keys > 0 ? 2 : 0;  // times and weights, which all share
    for (int k = 0; k < i; k++) {
        sum += 1 + targets_of(f) + (tml_model_skin(f->model, k).triangle_count > 0);
    }
    return sum;
}

void tml__glb_soft_meshes(const glb_soft* f, size_t first_accessor, int material, writer* w)
{
    for (int i = 0; i < f->count; i++) {
        const size_t at = first_accessor + accessors_before(f, i);
        const bool is_points = tml_model_skin(f->model, i).triangle_count == 0;
        tml__glb_format(w, ",{\"primitives\":[{\"attributes\":{\"POSITION\":%zu},\"material\":%d",
                        at, material);
        if (is_points) {
            tml__put(w, ",\"mode\":0");
        } else {
            tml__glb_format(w, ",\"indices\":%zu", at + 1 + targets_of(f));
        }
        for (size_t k = 0; k < targets_of(f); k++) {
            tml__glb_format(w, "%s{\"POSITION\":%zu}", k == 0 ? ",\"targets\":[" : ",", at + 1 + k);
        }
        tml__put(w, targets_of(f) > 0 ? "]}]}" : "}]}");
    }
}

// Bounds that are those of the floats in the file.
static void put_bounds(const double* x, int points, writer* w)
{
    float low[3] = {0};
    float high[3] = {0};
    for (int i = 0; i < 3 * points; i++) {
        const float v = (float)x[i];
        if (i < 3 || v < low[i % 3]) low[i % 3] = v;
        if (i < 3 || v > high[i % 3]) high[i % 3] = v;
    }
    tml__glb_format(w, "\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]}", (double)low[0],
                    (double)low[1], (double)low[2], (double)high[0], (double)high[1],
                    (double)high[2]);
}

void tml__glb_soft_accessors(const glb_soft* f, int view, writer* w)
{
    size_t positions = 0;
    size_t indices = 0;
    if (f->keys > 0) {
        const double last = f->kept[(f->rows - 1) * f->stride];
        tml__glb_format(w,
                        ",{\"bufferView\":%d,\"componentType\":5126,\"count\":%zu,"
                        "\"type\":\"SCALAR\",\"min\":[%.9g],\"max\":[%.9g]}",
                        view + 1, f->keys, (double)(float)f->kept[0], (double)(float)last);
        tml__glb_format(w,
                        ",{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,"
                        "\"count\":%zu,\"type\":\"SCALAR\"}",
                        view + 1, f->keys * sizeof(float), f->keys * targets_of(f));
    }
    for (int i = 0; i < f->count; i++) {
        const tml_skin skin = tml_model_skin(f->model, i);
        for (size_t key = 0; key <= targets_of(f); key++) {
            find_key(f, i, key);
            tml__glb_format(w,
                            ",{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,"
                            "\"count\":%d,\"type\":\"VEC3\",",
                            view, positions, skin.point_count);
            put_bounds(f->place, skin.point_count, w);
            positions += 3 * sizeof(float) * (size_t)skin.point_count;
        }
        if (skin.triangle_count == 0) continue;
        tml__glb_format(w,
                        ",{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5125,"
                        "\"count\":%d,\"type\":\"SCALAR\"}",
                        f->keys > 0 ? view + 2 : view + 1, indices, 3 * skin.triangle_count);
        indices += 3 * sizeof(uint32_t) * (size_t)skin.triangle_count;
    }
}

void tml__glb_soft_samplers(const glb_soft* f, size_t first_accessor, bool is_first, writer* w)
{
    if (f->keys == 0) return;
    tml__glb_format(w, "%s{\"input\":%zu,\"output\":%zu}", is_first ? "" : ",", first_accessor,
                    first_accessor + 1);
}

void tml__glb_soft_channels(const glb_soft* f, size_t sampler, size_t first_node, bool is_first,
                            writer* w)
{
    for (int i = 0; f->keys > 0 && i < f->count; i++) {
        tml__glb_format(w, "%s{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"weights\"}}",
                        is_first && i == 0 ? "" : ",", sampler, first_node + (size_t)i);
    }
}

// ---- writing

size_t tml__glb_soft_position_bytes(const glb_soft* f)
{
    return 3 * sizeof(float) * f->points * (1 + targets_of(f));
}

size_t tml__glb_soft_index_bytes(const glb_soft* f) { return 3 * sizeof(uint32_t) * f->triangles; }

size_t tml__glb_soft_weight_bytes(const glb_soft* f)
{
    return sizeof(float) * f->keys * (1 + targets_of(f));
}

static void put_float(tml_recorder* r, double value)
{
    const float x = (float)value;
    tml__record_put(r, &x, sizeof x);
}

void tml__glb_soft_write(const glb_soft* f, tml_recorder* r)
{
    for (int i = 0; i < f->count; i++) {
        const int count = 3 * tml_model_skin(f->model, i).point_count;
        for (size_t key = 0; key <= targets_of(f); key++) {
            find_key(f, i, key);
            for (int k = 0; k < count; k++) put_float(r, f->place[k]);
        }
    }
    for (size_t key = 0; key < f->keys; key++) {
        put_float(r, f->kept[row_of_key(f, key) * f->stride]);
    }
    for (size_t key = 0; key < f->keys; key++) {
        for (size_t k = 1; k < f->keys; k++) put_float(r, k == key ? 1.0 : 0.0);
    }
    for (int i = 0; i < f->count; i++) {
        const tml_skin skin = tml_model_skin(f->model, i);
        for (int k = 0; k < 3 * skin.triangle_count; k++) {
            record_put_u32(r, (uint32_t)skin.triangles[k]);
        }
    }
}
