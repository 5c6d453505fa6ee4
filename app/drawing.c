// app/drawing.c - the list grows; and its SVG.
#include "app/drawing.h"

#include <stdlib.h>
#include <string.h>

// ---- growing

static bool grow(drawing* d, void** list, size_t* capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return true;
    size_t more = *capacity > 0 ? 2 * *capacity : 256;
    while (more < needed) more *= 2;
    void* larger = realloc(*list, more * size);
    if (larger == NULL) {
        d->is_broken = true;
        return false;
    }
    *list = larger;
    *capacity = more;
    return true;
}

static mark* add_mark(drawing* d, mark m)
{
    void* list = d->marks;
    const bool fits = grow(d, &list, &d->mark_capacity, d->mark_count + 1, sizeof *d->marks);
    d->marks = list;
    if (!fits) return NULL;
    d->marks[d->mark_count] = m;
    return &d->marks[d->mark_count++];
}

void drawing_free(drawing* d)
{
    free(d->marks);
    free(d->points);
    free(d->text);
    *d = (drawing){0};
}

void draw_line(drawing* d, color paint, double width)
{
    add_mark(d, (mark){.kind = MARK_LINE, .paint = paint, .width = width, .first = d->point_count});
}

void draw_to(drawing* d, double x, double y)
{
    void* list = d->points;
    const bool fits = grow(d, &list, &d->point_capacity, d->point_count + 1, sizeof *d->points);
    d->points = list;
    if (!fits || d->mark_count == 0) return;
    d->points[d->point_count++] = (point2){x, y};
    d->marks[d->mark_count - 1].count++;
}

void draw_box(drawing* d, color paint, point2 at, point2 size)
{
    add_mark(d, (mark){.kind = MARK_BOX, .paint = paint, .at = at, .size = size});
}

void draw_text(drawing* d, text_style style, double x, double y, const char* text)
{
    const size_t length = strlen(text);
    void* list = d->text;
    const bool fits = grow(d, &list, &d->text_capacity, d->text_count + length + 1, 1);
    d->text = list;
    if (!fits) return;
    memcpy(d->text + d->text_count, text, length + 1);
    add_mark(d, (mark){.kind = MARK_TEXT,
                       .paint = style.paint,
                       .width = style.size,
                       .first = d->text_count,
                       .count = length,
                       .at = {x, y},
                       .side = style.side,
                       .is_upright = style.is_upright,
                       .is_bold = style.is_bold});
    d->text_count += length + 1;
}

unsigned int next_character(const char** text)
{
    const unsigned char* p = (const unsigned char*)*text;
    const int extra = *p < 0x80 ? 0 : *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : -1;
    unsigned int c = extra == 0 ? *p : *p & (0x3fu >> (extra < 0 ? 0 : extra));

    for (int i = 1; i <= extra; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *text += i;
            return 0xfffd;
        }
        c = c << 6 | (p[i] & 0x3f);
    }
    *text += extra < 0 ? 1 : extra + 1;
    return extra < 0 ? 0xfffd : c;
}

double text_width(const char* text, double size)
{
    double units = 0.0;
    while (*text != '\0') units += font_advance(next_character(&text));
    return units * 0.72 * size / FONT_CAPITAL;
}

// ---- SVG

static void put_escaped(const char* text, FILE* to)
{
    const char* from = text;
    while (*from != '\0') {
        const char* start = from;
        const unsigned int c = next_character(&from);
        switch (c) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        case 0xfffd: fputs("&#xfffd;", to); break;
        default:
            // control characters are not XML
            if (c < ' ') {
                fputc(' ', to);
            } else {
                fwrite(start, 1, (size_t)(from - start), to);
            }
        }
    }
}

static void put_line(const drawing* d, const mark* m, FILE* to)
{
    if (m->count < 2) return;
    fprintf(to, "<polyline fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" points=\"", m->paint,
            m->width);
    for (size_t i = 0; i < m->count; i++) {
        const point2 p = d->points[m->first + i];
        fprintf(to, "%s%.2f,%.2f", i > 0 ? " " : "", p.x, p.y);
    }
    fputs("\"/>\n", to);
}

static void put_text(const drawing* d, const mark* m, FILE* to)
{
    static const char* const sides[] = {"start", "middle", "end"};

    fprintf(to, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" fill=\"#%06x\" text-anchor=\"%s\"",
            m->at.x, m->at.y, m->width, m->paint, sides[m->side]);
    if (m->is_upright) fprintf(to, " transform=\"rotate(-90 %.2f %.2f)\"", m->at.x, m->at.y);
    if (m->is_bold) fputs(" font-weight=\"600\"", to);
    fputc('>', to);
    put_escaped(d->text + m->first, to);
    fputs("</text>\n", to);
}

bool drawing_write_svg(const drawing* d, FILE* to)
{
    if (d->is_broken) return false;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
            "height=\"%g\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" "
            "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
            d->width, d->height, d->width, d->height);
    for (size_t i = 0; i < d->mark_count; i++) {
        const mark* m = &d->marks[i];
        switch (m->kind) {
        case MARK_LINE: put_line(d, m, to); break;
        case MARK_BOX:
            fprintf(to,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"/>\n",
                    m->at.x, m->at.y, m->size.x, m->size.y, m->paint);
            break;
        case MARK_TEXT: put_text(d, m, to); break;
        default: break;
        }
    }
    fputs("</svg>\n", to);
    return !ferror(to);
}
