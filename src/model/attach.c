// model/attach.c - points of tetrahedra that bodies carry: which vertices follow from them.
//
// An embedded point is a sum of vertices, p = sum w_i x_i, and the body says where p is. That is a row
// for each of its coordinates, linear with constant weights, so it can be solved once and for all: of
// the vertices of each point one becomes the unknown of its row,
//
//   x_k = (p - sum_(i != k) w_i x_i) / w_k,
//
// and where its three numbers stood in a state, those of p stand. Forces, masses and stiffness follow
// by the transpose of this map; the force that holds the point is what they leave at p, and no row can
// open. Points that share vertices are solved together, by elimination with the largest weight that is
// left as pivot.                                                         [COOK (289) (290) Sec 9]
#include "geom/embed.h"
#include "model/deformable.h"

#include <math.h>
#include <string.h>

// A point that others leave less than this share of a vertex does not determine it.
static const double least_pivot = 1e-6;

// The rows of all points of a deformable: left x = right p.
typedef struct tie_rows {
    int count;
    int width;      // vertices that take part
    int* vertex;    // per column
    int* column;    // per vertex of the deformable, one more; 0: none
    int* pivot;     // per row: its column
    bool* is_used;  // per column: somebody's pivot
    double* left;   // count x width
    double* right;  // count x count
    int* attachment;
} tie_rows;

static int points_of(const tml_deformable_def* def)
{
    int count = 0;
    for (int i = 0; i < def->attachment_count; i++) {
        count += def->attachments[i].vertex == TML_EMBEDDED;
    }
    return count;
}

static tml_status no_memory(message* why) { return tml__fail(why, TML_NO_MEMORY, "out of memory"); }

// Where a point is: four vertices and their weights.
static tml_status place(const tml_deformable_def* def, int attachment, mapping_term terms[4],
                        message* why)
{
    const vec3 p = def->attachments[attachment].position;
    const embed_mesh mesh = {def->vertices, def->tetrahedron_count, def->tetrahedra};
    embed_worst worst = {.weight = -2.0};
    if (def->tetrahedron_count > 0 && v3_is_finite(p) &&
        tml__embed(&mesh, 1, &p, terms, &worst) != TML_OK) {
        return no_memory(why);
    }
    // a little outside, as surfaces of round things are
    if (worst.weight >= -1.0) return TML_OK;
    return tml__fail(
        why, TML_BAD_ARGUMENT,
        "deformable '%s': the point of attachment %d, (%g, %g, %g), lies in none of its "
        "tetrahedra",
        def->name, attachment, p.x, p.y, p.z);
}

static tml_status take_rows(const tml_deformable_def* def, pool* scratch, tie_rows* t, message* why)
{
    const size_t count = (size_t)t->count;
    mapping_term* terms = tml__pool_take(scratch, 4 * count, sizeof *terms);
    t->column = tml__pool_take(scratch, (size_t)def->vertex_count, sizeof *t->column);
    t->vertex = tml__pool_take(scratch, 4 * count, sizeof *t->vertex);
    t->is_used = tml__pool_take(scratch, 4 * count, sizeof *t->is_used);
    t->pivot = tml__pool_take(scratch, count, sizeof *t->pivot);
    t->attachment = tml__pool_take(scratch, count, sizeof *t->attachment);
    t->right = tml__pool_take(scratch, count * count, sizeof *t->right);
    if (!terms || !t->column || !t->vertex || !t->is_used || !t->pivot || !t->attachment ||
        !t->right) {
        return no_memory(why);
    }
    int row = 0;
    for (int i = 0; i < def->attachment_count; i++) {
        if (def->attachments[i].vertex != TML_EMBEDDED) continue;
        const tml_status status = place(def, i, &terms[4 * row], why);
        if (status != TML_OK) return status;
        for (int a = 0; a < 4; a++) {
            const int vertex = terms[4 * row + a].input;
            if (t->column[vertex] != 0) continue;
            t->vertex[t->width++] = vertex;
            t->column[vertex] = t->width;
        }
        t->right[(size_t)row * count + (size_t)row] = 1.0;
        t->attachment[row++] = i;
    }
    t->left = tml__pool_take(scratch, count * (size_t)t->width, sizeof *t->left);
    if (t->left == NULL) return no_memory(why);
    for (int k = 0; k < 4 * t->count; k++) {
        const size_t at = (size_t)(k / 4) * (size_t)t->width;
        t->left[at + (size_t)t->column[terms[k].input] - 1] += terms[k].weight;
    }
    return TML_OK;
}

// Row r less `factor` times row s.
static void subtract(tie_rows* t, int r, int s, double factor)
{
    const size_t width = (size_t)t->width;
    const size_t count = (size_t)t->count;
    if (factor == 0.0) return;
    for (size_t c = 0; c < width; c++) {
        t->left[(size_t)r * width + c] -= factor * t->left[(size_t)s * width + c];
    }
    for (size_t c = 0; c < count; c++) {
        t->right[(size_t)r * count + c] -= factor * t->right[(size_t)s * count + c];
    }
}

static int largest_of(const tie_rows* t, int r, const unsigned char* is_taken)
{
    const double* row = &t->left[(size_t)r * (size_t)t->width];
    int best = -1;
    for (int c = 0; c < t->width; c++) {
        if (is_taken[t->vertex[c]] || t->is_used[c]) continue;
        if (best < 0 || fabs(row[c]) > fabs(row[best])) best = c;
    }
    return best >= 0 && fabs(row[best]) >= least_pivot ? best : -1;
}

static tml_status eliminate(const tml_deformable_def* def, const unsigned char* is_taken,
                            tie_rows* t, message* why)
{
    const size_t width = (size_t)t->width;
    for (int r = 0; r < t->count; r++) {
        double* row = &t->left[(size_t)r * width];
        for (int s = 0; s < r; s++) subtract(t, r, s, row[t->pivot[s]]);
        const int pivot = largest_of(t, r, is_taken);
        if (pivot < 0) {
            return tml__fail(
                why, TML_BAD_ARGUMENT,
                "deformable '%s': the point of attachment %d is held already: other "
                "attachments and fixed vertices leave its tetrahedron no freedom there",
                def->name, t->attachment[r]);
        }
        const double scale = 1.0 / row[pivot];
        for (size_t c = 0; c < width; c++) row[c] *= scale;
        for (int s = 0; s < t->count; s++)
            t->right[(size_t)r * (size_t)t->count + (size_t)s] *= scale;
        row[pivot] = 1.0;
        t->pivot[r] = pivot;
        t->is_used[pivot] = true;
        for (int s = 0; s < r; s++) subtract(t, s, r, t->left[(size_t)s * width + (size_t)pivot]);
    }
    return TML_OK;
}

// x_k of row r: the points that take part, under the vertices whose numbers they have, and the vertices
// that stay as they are.
static tml_status take_tie(const tie_rows* t, int r, const tml_deformable_def* def, pool* memory,
                           soft_tie* out)
{
    const size_t most = (size_t)t->count + (size_t)t->width;
    out->vertex = t->vertex[t->pivot[r]];
    out->attachment = t->attachment[r];
    out->place = def->attachments[out->attachment].position;
    out->count = 0;
    out->others = tml__pool_take(memory, most, sizeof *out->others);
    out->weights = tml__pool_take(memory, most, sizeof *out->weights);
    if (out->others == NULL || out->weights == NULL) return TML_NO_MEMORY;
    for (int s = 0; s < t->count; s++) {
        const double w = t->right[(size_t)r * (size_t)t->count + (size_t)s];
        if (w == 0.0) continue;
        out->others[out->count] = t->vertex[t->pivot[s]];
        out->weights[out->count++] = w;
    }
    for (int c = 0; c < t->width; c++) {
        const double w = t->left[(size_t)r * (size_t)t->width + (size_t)c];
        if (t->is_used[c] || w == 0.0) continue;
        out->others[out->count] = t->vertex[c];
        out->weights[out->count++] = -w;
    }
    return TML_OK;
}

tml_status tml__find_ties(const tml_deformable_def* def, const unsigned char* is_taken,
                          pool* memory, message* why, soft_tie** ties, int* count)
{
    tie_rows t = {.count = points_of(def)};
    pool scratch = {.allocator = memory->allocator};
    *count = 0;
    *ties = NULL;
    if (t.count == 0) return TML_OK;
    tml_status status = take_rows(def, &scratch, &t, why);
    if (status == TML_OK) status = eliminate(def, is_taken, &t, why);
    if (status == TML_OK) *ties = tml__pool_take(memory, (size_t)t.count, sizeof **ties);
    if (status == TML_OK && *ties == NULL) status = no_memory(why);
    for (int r = 0; r < t.count && status == TML_OK; r++) {
        if (take_tie(&t, r, def, memory, &(*ties)[r]) != TML_OK) status = no_memory(why);
    }
    if (status == TML_OK) *count = t.count;
    tml__pool_destroy(&scratch);
    return status;
}
