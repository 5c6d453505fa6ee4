// app/draw_png.c - the drawing as pixels: anti-aliased strokes, deflated into a PNG.
//
// A mark is first drawn into a mask of coverage, so that a line which crosses itself is not darker
// there, then blended once. Coverage of a pixel by a stroke is taken from the distance of its centre
// to the line: half a pixel of softness on both sides.
#include "app/drawing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    CHANNELS = 3,
    MOST_PIXELS = 1 << 27
};

typedef struct picture {
    int width, height;
    double scale;
    unsigned char* pixels;  // rows of one filter byte and CHANNELS a pixel
    unsigned char* mask;
    int left, top, right, bottom;  // the part of the mask in use
} picture;

static size_t row_bytes(const picture* p) { return 1 + (size_t)p->width * CHANNELS; }

static int clamp(double x, int low, int high) { return x < low ? low : x > high ? high : (int)x; }

// ---- strokes into the mask

static double distance_to_segment(point2 p, point2 a, point2 b)
{
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double square = dx * dx + dy * dy;
    double s = square > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0.0;
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    return sqrt((a.x + s * dx - p.x) * (a.x + s * dx - p.x) +
                (a.y + s * dy - p.y) * (a.y + s * dy - p.y));
}

static void cover(picture* p, int x, int y, double share)
{
    unsigned char* m = &p->mask[(size_t)y * (size_t)p->width + (size_t)x];
    const unsigned char value = share >= 1.0 ? 255 : (unsigned char)(255.0 * share);
    if (value > *m) *m = value;
}

static void stroke(picture* p, point2 a, point2 b, double width)
{
    const double reach = 0.5 * width + 1.0;
    if (!isfinite(a.x + a.y + b.x + b.y)) return;
    const int top = clamp(floor((a.y < b.y ? a.y : b.y) - reach), 0, p->height);
    const int bottom = clamp(ceil((a.y > b.y ? a.y : b.y) + reach), 0, p->height);
    const int left = clamp(floor((a.x < b.x ? a.x : b.x) - reach), 0, p->width);
    const int right = clamp(ceil((a.x > b.x ? a.x : b.x) + reach), 0, p->width);

    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            const point2 centre = {x + 0.5, y + 0.5};
            const double share = 0.5 * width + 0.5 - distance_to_segment(centre, a, b);
            if (share > 0.0) cover(p, x, y, share);
        }
    }
    if (top < p->top) p->top = top;
    if (bottom > p->bottom) p->bottom = bottom;
    if (left < p->left) p->left = left;
    if (right > p->right) p->right = right;
}

static void clear_mask(picture* p)
{
    for (int y = p->top; y < p->bottom; y++) {
        memset(&p->mask[(size_t)y * (size_t)p->width], 0, (size_t)p->width);
    }
    p->left = p->width;
    p->top = p->height;
    p->right = p->bottom = 0;
}

static void blend(picture* p, color paint)
{
    for (int y = p->top; y < p->bottom; y++) {
        unsigned char* row = p->pixels + (size_t)y * row_bytes(p) + 1;
        for (int x = p->left; x < p->right; x++) {
            const int share = p->mask[(size_t)y * (size_t)p->width + (size_t)x];
            for (int k = 0; share > 0 && k < CHANNELS; k++) {
                const int to = (int)(paint >> (16 - 8 * k) & 0xff);
                unsigned char* c = &row[(size_t)x * CHANNELS + (size_t)k];
                *c = (unsigned char)((*c * (255 - share) + to * share + 127) / 255);
            }
        }
    }
    clear_mask(p);
}

// ---- marks

static void paint_box(picture* p, const mark* m)
{
    const int left = clamp(floor(m->at.x * p->scale + 0.5), 0, p->width);
    const int top = clamp(floor(m->at.y * p->scale + 0.5), 0, p->height);
    const int right = clamp(floor((m->at.x + m->size.x) * p->scale + 0.5), 0, p->width);
    const int bottom = clamp(floor((m->at.y + m->size.y) * p->scale + 0.5), 0, p->height);

    for (int y = top; y < bottom; y++) {
        unsigned char* row = p->pixels + (size_t)y * row_bytes(p) + 1;
        for (int i = left * CHANNELS; i < right * CHANNELS; i++) {
            row[i] = (unsigned char)(m->paint >> (16 - 8 * (i % CHANNELS)) & 0xff);
        }
    }
}

static void paint_line(picture* p, const drawing* d, const mark* m)
{
    for (size_t i = 1; i < m->count; i++) {
        const point2 a = d->points[m->first + i - 1];
        const point2 b = d->points[m->first + i];
        stroke(p, (point2){a.x * p->scale, a.y * p->scale},
               (point2){b.x * p->scale, b.y * p->scale}, m->width * p->scale);
    }
    blend(p, m->paint);
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Where a text stands: its start, the direction it runs in, and the size of the grid of its letters.
typedef struct baseline {
    point2 start;
    point2 along, up;
    double unit;
    double width;  // of the pen
} baseline;

static point2 place(const baseline* b, double x, double y)
{
    return (point2){b->start.x + b->unit * (x * b->along.x + y * b->up.x),
                    b->start.y + b->unit * (x * b->along.y + y * b->up.y)};
}

static void paint_letter(picture* p, const baseline* b, double at, unsigned int c)
{
    bool has_last = false;
    point2 last = {0.0, 0.0};
    // narrow letters are drawn in the middle of the wide grid
    const double left = at - (font_advance(c) < 6.0 ? 1.0 : 0.0);

    for (const char* s = font_strokes(c); *s != '\0'; s++) {
        if (*s == ' ') {
            has_last = false;
            continue;
        }
        const point2 next = place(b, left + digit(s[0]), digit(s[1]) - FONT_BASE);
        if (has_last) stroke(p, last, next, b->width);
        last = next;
        has_last = true;
        s++;
    }
}

static void paint_text(picture* p, const drawing* d, const mark* m)
{
    static const double share[] = {0.0, 0.5, 1.0};
    const char* text = d->text + m->first;
    const double length = text_width(text, m->width) * share[m->side];
    baseline b = {.unit = p->scale * 0.72 * m->width / FONT_CAPITAL,
                  .width = p->scale * m->width * (m->is_bold ? 0.12 : 0.085)};
    double at = 0.0;

    b.along = m->is_upright ? (point2){0.0, -1.0} : (point2){1.0, 0.0};
    b.up = m->is_upright ? (point2){-1.0, 0.0} : (point2){0.0, -1.0};
    b.start = (point2){p->scale * (m->at.x - length * b.along.x),
                       p->scale * (m->at.y - length * b.along.y)};
    while (*text != '\0') {
        const unsigned int c = next_character(&text);
        paint_letter(p, &b, at, c);
        at += font_advance(c);
    }
    blend(p, m->paint);
}

// ---- PNG

static void put_u32(unsigned char* to, uint32_t x)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(x >> (24 - 8 * i));
}

static void put_chunk(FILE* to, const char* kind, const unsigned char* data, size_t length)
{
    unsigned char number[4];
    uLong crc = crc32(0, (const Bytef*)kind, 4);

    put_u32(number, (uint32_t)length);
    fwrite(number, 1, 4, to);
    fwrite(kind, 1, 4, to);
    if (length > 0) {
        fwrite(data, 1, length, to);
        crc = crc32(crc, data, (uInt)length);
    }
    put_u32(number, (uint32_t)crc);
    fwrite(number, 1, 4, to);
}

static bool write_file(const picture* p, FILE* to)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char header[13] = {0};
    const size_t bytes = row_bytes(p) * (size_t)p->height;
    uLongf packed_bytes = compressBound((uLong)bytes);
    unsigned char* packed = malloc(packed_bytes);

    if (packed == NULL) return false;
    put_u32(header, (uint32_t)p->width);
    put_u32(header + 4, (uint32_t)p->height);
    header[8] = 8;  // bits
    header[9] = 2;  // red, green, blue
    const bool is_packed =
        compress2(packed, &packed_bytes, p->pixels, (uLong)bytes, Z_BEST_COMPRESSION) == Z_OK;
    if (is_packed) {
        fwrite(signature, 1, sizeof signature, to);
        put_chunk(to, "IHDR", header, sizeof header);
        put_chunk(to, "IDAT", packed, packed_bytes);
        put_chunk(to, "IEND", NULL, 0);
    }
    free(packed);
    return is_packed && !ferror(to);
}

bool drawing_write_png(const drawing* d, double scale, FILE* to)
{
    picture p = {.width = (int)ceil(d->width * scale),
                 .height = (int)ceil(d->height * scale),
                 .scale = scale};
    bool is_written = false;

    if (d->is_broken || p.width < 1 || p.height < 1 || p.width > MOST_PIXELS / p.height) {
        return false;
    }
    p.pixels = calloc((size_t)p.height, row_bytes(&p));
    p.mask = calloc((size_t)p.height, (size_t)p.width);
    if (p.pixels != NULL && p.mask != NULL) {
        clear_mask(&p);
        for (size_t i = 0; i < d->mark_count; i++) {
            const mark* m = &d->marks[i];
            if (m->kind == MARK_BOX) paint_box(&p, m);
            if (m->kind == MARK_LINE) paint_line(&p, d, m);
            if (m->kind == MARK_TEXT) paint_text(&p, d, m);
        }
        is_written = write_file(&p, to);
    }
    free(p.pixels);
    free(p.mask);
    return is_written;
}
