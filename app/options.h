// app/options.h - the command line: long options from a table, and what is left.
//
// A value follows its option after a space or an equals sign. Everything that is wrong is one
// error line, and an unknown name comes with the nearest known one.
#ifndef TRAMMEL_APP_OPTIONS_H
#define TRAMMEL_APP_OPTIONS_H

#include <stdbool.h>

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_NUMBER,  // finite, between least and most
    OPTION_WHOLE,   // the same without fractions
} option_kind;

typedef struct option {
    const char* name;  // without the dashes
    option_kind kind;
    const char* value;  // how help writes the value, "SECONDS"; NULL for a flag
    const char* help;   // NULL: known, so that it can be refused by name, but not offered
    double least, most;
} option;

typedef struct option_table {
    int count;
    const option* options;
} option_table;

typedef struct option_value {
    const char* text;  // NULL: not given; a flag that is given has ""
    double number;
} option_value;

enum {
    OPTION_LIMIT = 32,  // options of one command
    POSITIONAL_LIMIT = 4,
};

typedef struct arguments {
    int option_count;
    const option* options[OPTION_LIMIT];
    option_value values[OPTION_LIMIT];
    int positional_count;
    const char* positionals[POSITIONAL_LIMIT];
    bool wants_help;
} arguments;

// Read the words after the command's name. False, with an error line, when something is wrong.
bool options_parse(const option_table tables[2], int word_count, char* const* words,
                   arguments* out);

bool option_is_given(const arguments* given, const char* name);
const char* option_text(const arguments* given, const char* name);  // NULL when not given
double option_number(const arguments* given, const char* name);     // 0 when not given
long long option_whole(const arguments* given, const char* name);   // 0 when not given

// The name nearest to a misspelt word, or NULL when none is near. Feed it name by name.
typedef struct nearest {
    const char* word;
    const char* name;
    int distance;
} nearest;

nearest nearest_to(const char* word);
void nearest_offer(nearest* best, const char* name);

// "; did you mean 'NAME'?" or "", in a buffer of the caller.
const char* nearest_hint(const nearest* best, const char* dashes, char* text, int capacity);

#endif
