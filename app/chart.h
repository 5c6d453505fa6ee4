// app/chart.h - time series as a drawing: panels below each other over one time axis.
#ifndef TRAMMEL_APP_CHART_H
#define TRAMMEL_APP_CHART_H

#include "app/drawing.h"

typedef struct chart_series {
    const char* label;
    const char* unit;      // series of one unit share a panel
    const double* values;  // borrowed
} chart_series;

typedef struct chart {
    const char* title;
    int count;            // values of each series
    const double* times;  // borrowed
    int series_count;
    const chart_series* series;
} chart;

enum {
    CHART_SERIES = 64  // more cannot be told apart anyway
};

// Lay out and draw. The caller frees the drawing.
drawing chart_draw(const chart* c);

// Where the first and the last time stand on the time axis, as shares of the drawing's width.
void chart_time_axis(double* from, double* to);

#endif
