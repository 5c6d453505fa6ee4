// test/scenario/table.h - a table of numbers with named columns: the stored reference solutions.
#ifndef TRAMMEL_TEST_SCENARIO_TABLE_H
#define TRAMMEL_TEST_SCENARIO_TABLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE_COLUMNS = 48,
    TABLE_LINE = 4096
};

typedef struct table {
    int columns, rows, capacity;
    char names[TABLE_COLUMNS][24];
    double* values;  // row by row
} table;

static inline void table_close(table* t)
{
    free(t->values);
    *t = (table){0};
}

static inline void table_read_names(table* t, char* line)
{
    for (char* name = strtok(line, ",\r\n"); name != NULL && t->columns < TABLE_COLUMNS;
         name = strtok(NULL, ",\r\n")) {
        snprintf(t->names[t->columns++], sizeof t->names[0], "%s", name);
    }
}

// 0 when the line does not have a number for every column.
static inline int table_read_row(table* t, char* line)
{
    if (t->rows == t->capacity) {
        t->capacity = t->capacity == 0 ? 1024 : 2 * t->capacity;
        double* more =
            realloc(t->values, (size_t)t->capacity * (size_t)t->columns * sizeof *t->values);
        if (more == NULL) return 0;
        t->values = more;
    }
    char* at = line;
    for (int i = 0; i < t->columns; i++) {
        char* end = at;
        t->values[t->rows * t->columns + i] = strtod(at, &end);
        if (end == at) return 0;
        at = *end == ',' ? end + 1 : end;
    }
    t->rows++;
    return 1;
}

// Read a CSV file whose comments start with #. 0 when it is not there or not a table.
static inline int table_open(table* t, const char* path)
{
    char line[TABLE_LINE];
    int is_good = 1;
    *t = (table){0};
    FILE* file = fopen(path, "r");
    if (file == NULL) return 0;
    while (is_good && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n') continue;
        if (t->columns == 0)
            table_read_names(t, line);
        else
            is_good = table_read_row(t, line);
    }
    fclose(file);
    if (is_good && t->rows > 0) return 1;
    table_close(t);
    return 0;
}

// The value of a column, NaN when there is no such column, so that no comparison holds.
static inline double table_at(const table* t, int row, const char* name)
{
    for (int i = 0; i < t->columns; i++) {
        if (strcmp(t->names[i], name) == 0) return t->values[row * t->columns + i];
    }
    return 0.0 / 0.0;
}

#endif
