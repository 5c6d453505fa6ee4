// app/chart.c - axes, ticks, legends and lines of time series.
//
// Long series are thinned for the eye: of all samples that share a column of the picture the first,
// the smallest, the largest and the last are drawn, so that no peak is lost.
#include "app/chart.h"

#include <math.h>
#include <string.h>

static const double width = 900.0;
static const double left_margin = 78.0;
static const double right_margin = 20.0;
static const double panel_height = 190.0;
static const double panel_gap = 46.0;  // the legend of a panel stands in it
static const double title_height = 34.0;
static const double foot_height = 44.0;
static const double tick_size = 11.0;
static const double label_size = 12.0;

static const color ink = 0x22303c;
static const color faint = 0xe3e8ec;
static const color soft = 0x66747f;
static const color paper = 0xffffff;
// distinguishable with every kind of sight, after Okabe and Ito
static const color palette[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                0xe69f00, 0x56b4e9, 0x6b4c9a, 0x4d4d4d};

enum {
    COLORS = sizeof palette / sizeof palette[0],
    MOST_TICKS = 12,
};

// ---- scales

typedef struct scale {
    double low, high;  // shown
    double step;       // between ticks
    double from, to;   // where low and high stand, in points
    double unit;       // ticks are written in multiples of it, a power of ten
    int exponent;      // of the unit
    int decimals;
} scale;

static double place(const scale* s, double value)
{
    return s->from + (value - s->low) / (s->high - s->low) * (s->to - s->from);
}

// 1, 2 or 5 times a power of ten, such that about `wanted` steps fit.
static double nice_step(double range, int wanted)
{
    const double rough = range / wanted;
    const double power = pow(10.0, floor(log10(rough)));
    const double share = rough / power;
    return power * (share > 5.0 ? 10.0 : share > 2.0 ? 5.0 : share > 1.0 ? 2.0 : 1.0);
}

static scale make_scale(double low, double high, int wanted)
{
    scale s = {0};
    if (!(low <= high)) low = high = 0.0;
    const double size = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    // a constant, up to round-off, still needs an axis
    if (!(high - low > 1e-13 * size) || high - low < 1e-300) {
        const double margin = size > 0.0 ? 0.1 * size : 1.0;
        low -= margin;
        high += margin;
    }
    s.step = nice_step(high - low, wanted);
    s.low = low;
    s.high = high;

    const double largest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    const double power = floor(log10(largest) + 1e-9);
    // powers of thousand, so that 0.0000021 reads "2.1" beside "1e-6"
    s.exponent = power >= 5.0 || power < -2.0 ? 3 * (int)floor(power / 3.0) : 0;
    s.unit = pow(10.0, s.exponent);
    const double digits = -floor(log10(s.step / s.unit) + 1e-9);
    s.decimals = digits < 0.0 ? 0 : digits > 12.0 ? 12 : (int)digits;
    return s;
}

static void widen(double* low, double* high, double value)
{
    if (!isfinite(value)) return;
    if (value < *low) *low = value;
    if (value > *high) *high = value;
}

static scale scale_of_times(const chart* c)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int i = 0; i < c->count; i++) widen(&low, &high, c->times[i]);
    scale s = make_scale(low, high, 9);
    s.from = left_margin;
    s.to = width - right_margin;
    return s;
}

static scale scale_of_unit(const chart* c, const char* unit)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int k = 0; k < c->series_count; k++) {
        if (strcmp(c->series[k].unit, unit) != 0) continue;
        for (int i = 0; i < c->count; i++) widen(&low, &high, c->series[k].values[i]);
    }
    scale s = make_scale(low, high, 4);
    // room above and below, up to the next half tick
    s.low = s.step * (floor(2.0 * s.low / s.step - 0.1) / 2.0);
    s.high = s.step * (ceil(2.0 * s.high / s.step + 0.1) / 2.0);
    return s;
}

// ---- axes

static void write_tick(const scale* s, double value, char* text, size_t capacity)
{
    snprintf(text, capacity, "%.*f", s->decimals, value / s->unit);
    // no minus before zero
    if (strspn(text, "-0.") == strlen(text) && text[0] == '-') {
        memmove(text, text + 1, strlen(text));
    }
}

static double first_tick(const scale* s) { return ceil(s->low / s->step - 1e-9) * s->step; }

static void draw_value_axis(drawing* d, const scale* y)
{
    const double first = first_tick(y);
    for (int k = 0; k <= MOST_TICKS && first + k * y->step <= y->high + 1e-9 * y->step; k++) {
        const double value = first + k * y->step;
        const double at = place(y, value);
        char text[64];
        draw_line(d, faint, 1.0);
        draw_to(d, left_margin, at);
        draw_to(d, width - right_margin, at);
        write_tick(y, value, text, sizeof text);
        draw_text(d, (text_style){tick_size, soft, ANCHOR_END, false, false}, left_margin - 8.0,
                  at + 0.35 * tick_size, text);
    }
}

static void draw_time_axis(drawing* d, const scale* t, double top, double bottom, bool is_last)
{
    const double first = first_tick(t);
    for (int k = 0; k <= 2 * MOST_TICKS && first + k * t->step <= t->high + 1e-9 * t->step; k++) {
        const double value = first + k * t->step;
        const double at = place(t, value);
        char text[64];
        draw_line(d, faint, 1.0);
        draw_to(d, at, top);
        draw_to(d, at, bottom);
        if (!is_last) continue;
        write_tick(t, value, text, sizeof text);
        draw_text(d, (text_style){tick_size, soft, ANCHOR_MIDDLE, false, false}, at, bottom + 17.0,
                  text);
    }
    if (!is_last) return;
    char label[64] = "time [s]";
    if (t->exponent != 0) snprintf(label, sizeof label, "time [1e%d s]", t->exponent);
    draw_text(d, (text_style){label_size, ink, ANCHOR_MIDDLE, false, false},
              0.5 * (left_margin + width - right_margin), bottom + 36.0, label);
}

static void draw_unit(drawing* d, const scale* y, const char* unit, double middle)
{
    char label[128];
    if (y->exponent != 0) {
        snprintf(label, sizeof label, "[1e%d %s]", y->exponent, unit);
    } else {
        snprintf(label, sizeof label, "[%s]", unit);
    }
    draw_text(d, (text_style){label_size, ink, ANCHOR_MIDDLE, true, false}, 24.0, middle, label);
}

// ---- lines

typedef struct bucket {
    int column, first, last, low, high;
} bucket;

static void draw_sample(drawing* d, const chart* c, const double* values, const scale* t,
                        const scale* y, int i)
{
    draw_to(d, place(t, c->times[i]), place(y, values[i]));
}

static void draw_bucket(drawing* d, const chart* c, const double* values, const scale* t,
                        const scale* y, const bucket* b)
{
    const int early = b->low < b->high ? b->low : b->high;
    const int late = b->low < b->high ? b->high : b->low;
    draw_sample(d, c, values, t, y, b->first);
    if (early > b->first) draw_sample(d, c, values, t, y, early);
    if (late > early) draw_sample(d, c, values, t, y, late);
    if (b->last > late) draw_sample(d, c, values, t, y, b->last);
}

static void draw_series(drawing* d, const chart* c, const double* values, const scale* t,
                        const scale* y, color paint)
{
    bucket b = {.column = -1};
    bool is_open = false;

    for (int i = 0; i < c->count; i++) {
        if (!isfinite(values[i]) || !isfinite(c->times[i])) {
            if (is_open) draw_bucket(d, c, values, t, y, &b);
            is_open = false;
            b.column = -1;
            continue;
        }
        const int column = (int)(2.0 * place(t, c->times[i]));
        if (is_open && column == b.column) {
            b.last = i;
            if (values[i] < values[b.low]) b.low = i;
            if (values[i] > values[b.high]) b.high = i;
            continue;
        }
        if (is_open) draw_bucket(d, c, values, t, y, &b);
        if (!is_open) draw_line(d, paint, 1.6);
        b = (bucket){column, i, i, i, i};
        is_open = true;
    }
    if (is_open) draw_bucket(d, c, values, t, y, &b);
}

static void draw_legend(drawing* d, const char* label, color paint, double* x, double y)
{
    const double needed = 26.0 + text_width(label, label_size) + 18.0;
    if (*x > left_margin && *x + needed > width - right_margin) return;
    draw_line(d, paint, 2.5);
    draw_to(d, *x, y - 4.0);
    draw_to(d, *x + 18.0, y - 4.0);
    draw_text(d, (text_style){label_size, ink, ANCHOR_START, false, false}, *x + 24.0, y, label);
    *x += needed;
}

// ---- panels

static bool is_first_of_unit(const chart* c, int k)
{
    for (int i = 0; i < k; i++) {
        if (strcmp(c->series[i].unit, c->series[k].unit) == 0) return false;
    }
    return true;
}

static void draw_panel(drawing* d, const chart* c, const char* unit, double top, bool is_last)
{
    const scale t = scale_of_times(c);
    scale y = scale_of_unit(c, unit);
    const double bottom = top + panel_height;
    double legend = left_margin;
    int n = 0;

    y.from = bottom;
    y.to = top;
    draw_time_axis(d, &t, top, bottom, is_last);
    draw_value_axis(d, &y);
    draw_unit(d, &y, unit, 0.5 * (top + bottom));
    draw_line(d, soft, 1.0);
    draw_to(d, left_margin, top);
    draw_to(d, left_margin, bottom);
    draw_to(d, width - right_margin, bottom);
    for (int k = 0; k < c->series_count; k++) {
        if (strcmp(c->series[k].unit, unit) != 0) continue;
        const color paint = palette[n++ % COLORS];
        draw_series(d, c, c->series[k].values, &t, &y, paint);
        draw_legend(d, c->series[k].label, paint, &legend, top - 10.0);
    }
}

void chart_time_axis(double* from, double* to)
{
    *from = left_margin / width;
    *to = (width - right_margin) / width;
}

drawing chart_draw(const chart* c)
{
    drawing d = {.width = width};
    int panels = 0;
    int done = 0;

    for (int k = 0; k < c->series_count; k++) panels += is_first_of_unit(c, k);
    d.height = title_height + panels * (panel_height + panel_gap) - panel_gap + 24.0 + foot_height;
    draw_box(&d, paper, (point2){0.0, 0.0}, (point2){d.width, d.height});
    draw_text(&d, (text_style){15.0, ink, ANCHOR_START, false, true}, left_margin, 24.0, c->title);
    for (int k = 0; k < c->series_count; k++) {
        if (!is_first_of_unit(c, k)) continue;
        const double top = title_height + 24.0 + done * (panel_height + panel_gap);
        done++;
        draw_panel(&d, c, c->series[k].unit, top, done == panels);
    }
    return d;
}
