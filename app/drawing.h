// app/drawing.h - a flat list of lines, boxes and words that becomes SVG or PNG.
//
// Plots are drawn into the list once; each writer then walks it. Coordinates are in points from the
// top left corner, y down. Memory that runs out is remembered and told by the writers.
#ifndef TRAMMEL_APP_DRAWING_H
#define TRAMMEL_APP_DRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef unsigned int color;  // 0xrrggbb

typedef struct point2 {
    double x, y;
} point2;

typedef enum anchor {
    ANCHOR_START,
    ANCHOR_MIDDLE,
    ANCHOR_END,
} anchor;

typedef enum mark_kind {
    MARK_LINE,
    MARK_BOX,
    MARK_TEXT,
} mark_kind;

typedef struct mark {
    mark_kind kind;
    color paint;
    double width;  // of a line; height of the letters of a text
    size_t first;  // line: points; text: characters
    size_t count;
    point2 at, size;  // box, and where a text stands
    anchor side;
    bool is_upright;  // a text that reads from below
    bool is_bold;
} mark;

typedef struct drawing {
    double width, height;
    mark* marks;
    size_t mark_count, mark_capacity;
    point2* points;
    size_t point_count, point_capacity;
    char* text;
    size_t text_count, text_capacity;
    bool is_broken;  // memory ran out
} drawing;

void drawing_free(drawing* d);

// A line is begun, then grows point by point. A line of fewer than two points shows nothing.
void draw_line(drawing* d, color paint, double width);
void draw_to(drawing* d, double x, double y);

void draw_box(drawing* d, color paint, point2 at, point2 size);

typedef struct text_style {
    double size;
    color paint;
    anchor side;
    bool is_upright;
    bool is_bold;
} text_style;

void draw_text(drawing* d, text_style style, double x, double y, const char* text);

// How wide a text will be, near enough for laying out; the PNG writer's own letters decide.
double text_width(const char* text, double size);

// Write the whole picture. False when memory ran out or the stream failed.
bool drawing_write_svg(const drawing* d, FILE* to);
bool drawing_write_png(const drawing* d, double scale, FILE* to);

// The strokes of a character (font.c): pairs of digits x and y on a small grid, strokes separated by
// blanks. Grid: x 0 to 6, baseline at y = 3, capitals to 13, descenders to 0.
const char* font_strokes(unsigned int character);
double font_advance(unsigned int character);  // in units of the grid
enum {
    FONT_BASE = 3,
    FONT_CAPITAL = 10,  // height above the baseline
};

// The next character of UTF-8 text; moves *text behind it. 0xfffd where it is not valid.
unsigned int next_character(const char** text);

#endif
