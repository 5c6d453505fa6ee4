// app/report.h - the pieces of a report that live in files of their own.
#ifndef TRAMMEL_APP_REPORT_H
#define TRAMMEL_APP_REPORT_H

#include "app/shown.h"

#include <stdio.h>

typedef struct report {
    shown_recording* shown;
    const arguments* given;
    FILE* to;
    double* loads;      // |force| of the joints in the plot
    bool lacks_memory;  // something could not be put: the page is not worth keeping
} report;

void put_escaped(FILE* to, const char* words);
__attribute__((format(printf, 2, 3))) void put_item(FILE* to, const char* format, ...);

// A recorded column; NULL where it was not recorded.
const double* report_column(const recorded* r, const char* name);
// A column of a joint, "NAME.SUFFIX".
const double* report_joint_column(const recorded* r, int joint, const char* suffix);
// A free coordinate of a joint by its axis, whichever name the recording gives it.
const double* report_coordinate(const recorded* r, int joint, tml_axis axis);
// The largest size of the values; at which row, where `at` is given.
double report_largest(const double* values, int count, int* at);

// The rates of a free coordinate; NULL where they were not recorded.
const double* report_rates(const recorded* r, int joint, tml_axis axis);
// The slope of values over time at a row, by central differences.
double report_slope(const recorded* r, const double* values, int row);

// Pieces of a table that sorts; of its columns the first `texts` hold words. The caller ends it.
void put_head(FILE* to, const char* const* names, int count, int texts);
void put_words(FILE* to, const char* words);
void put_number(FILE* to, double value);

// Work of the motors, J; *unknown counts those whose power no recorded number tells.
double report_motor_work(report* r, int* unknown);

// Tables of what joints carry and what motors do, and what came of the energy. Nothing where the
// recording has no columns for it.
void put_joint_table(const report* r);
void put_motor_table(report* r);
void put_energy_account(report* r);

// The doctor's findings in the words of a designer.
void put_doctor(report* r);

#endif
