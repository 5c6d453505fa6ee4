// app/options.c - reads long options against a table.
#include "app/options.h"

#include "app/app.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the nearest known name

enum {
    WORD_LIMIT = 40  // longer words are not misspellings of anything here
};

static int smaller(int a, int b) { return a < b ? a : b; }

// How many letters must be changed, added or dropped to turn one word into the other.
static int edit_distance(const char* a, const char* b)
{
    const int m = (int)strlen(a);
    const int n = (int)strlen(b);
    int above[WORD_LIMIT + 1];

    if (m > WORD_LIMIT || n > WORD_LIMIT) return WORD_LIMIT;
    for (int j = 0; j <= n; j++) above[j] = j;
    for (int i = 1; i <= m; i++) {
        int diagonal = above[0];
        above[0] = i;
        for (int j = 1; j <= n; j++) {
            const int change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = above[j];
            above[j] = smaller(change, smaller(above[j], above[j - 1]) + 1);
        }
    }
    return above[n];
}

nearest nearest_to(const char* word) { return (nearest){word, NULL, WORD_LIMIT}; }

void nearest_offer(nearest* best, const char* name)
{
    const int distance = edit_distance(best->word, name);

    // two slips, and less than half of the word: "stp" is near "step", "x" is near nothing
    if (distance < best->distance && distance <= 2 && 2 * distance < (int)strlen(name)) {
        best->name = name;
        best->distance = distance;
    }
}

const char* nearest_hint(const nearest* best, const char* dashes, char* text, int capacity)
{
    text[0] = '\0';
    if (best->name != NULL) {
        snprintf(text, (size_t)capacity, "; did you mean '%s%s'?", dashes, best->name);
    }
    return text;
}

// ---- values

// A decimal number and nothing else: no blanks, no hexadecimal, no "inf". The tool never calls
// setlocale, so strtod reads a point in every locale.
static bool read_number(const char* text, double* out)
{
    const char* p = text;
    int digits = 0;
    char* end = NULL;

    if (*p == '+' || *p == '-') p++;
    while (isdigit((unsigned char)*p)) p++, digits++;
    if (*p == '.') p++;
    while (isdigit((unsigned char)*p)) p++, digits++;
    if (digits == 0) return false;
    if (*p == 'e' || *p == 'E') {
        p++;
        if (*p == '+' || *p == '-') p++;
        if (!isdigit((unsigned char)*p)) return false;
        while (isdigit((unsigned char)*p)) p++;
    }
    if (*p != '\0') return false;
    *out = strtod(text, &end);
    return *end == '\0';
}

static bool read_value(const option* o, const char* text, option_value* out)
{
    out->text = text;
    if (o->kind == OPTION_TEXT) {
        if (text[0] == '\0') app_error("--%s needs a value, %s", o->name, o->value);
        return text[0] != '\0';
    }
    if (!read_number(text, &out->number)) {
        app_error("--%s needs a number, not '%s'", o->name, text);
        return false;
    }
    if (!(out->number >= o->least && out->number <= o->most)) {
        app_error("--%s must be between %g and %g, not %s", o->name, o->least, o->most, text);
        return false;
    }
    if (o->kind == OPTION_WHOLE && floor(out->number) != out->number) {
        app_error("--%s must be a whole number, not %s", o->name, text);
        return false;
    }
    return true;
}

// ---- words

// The option whose name is the first `length` characters of a word; -1 when there is none.
static int find_option(const arguments* given, const char* word, size_t length)
{
    for (int i = 0; i < given->option_count; i++) {
        const char* name = given->options[i]->name;
        if (strlen(name) == length && strncmp(name, word, length) == 0) return i;
    }
    return -1;
}

static void refuse_unknown(const arguments* given, const char* word, size_t length)
{
    char name[WORD_LIMIT + 1];
    char hint[2 * WORD_LIMIT];

    snprintf(name, sizeof name, "%.*s", (int)(length < WORD_LIMIT ? length : WORD_LIMIT), word);
    nearest best = nearest_to(name);
    for (int i = 0; i < given->option_count; i++) nearest_offer(&best, given->options[i]->name);
    app_error("unknown option '--%s'%s", name, nearest_hint(&best, "--", hint, sizeof hint));
}

// One option that starts at words[*at]; moves *at to the last word it used.
static bool parse_option(arguments* out, int word_count, char* const* words, int* at)
{
    const char* word = words[*at] + 2;
    const char* equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const int index = find_option(out, word, length);

    if (length == 4 && strncmp(word, "help", 4) == 0 && equals == NULL) {
        out->wants_help = true;
        return true;
    }
    if (index < 0) {
        refuse_unknown(out, word, length);
        return false;
    }
    const option* o = out->options[index];
    if (o->kind == OPTION_FLAG) {
        if (equals != NULL) app_error("--%s takes no value", o->name);
        out->values[index].text = "";
        return equals == NULL;
    }
    if (equals != NULL) return read_value(o, equals + 1, &out->values[index]);
    if (*at + 1 >= word_count) {
        app_error("--%s needs a value, %s", o->name, o->value);
        return false;
    }
    (*at)++;
    return read_value(o, words[*at], &out->values[index]);
}

static bool take_positional(arguments* out, const char* word)
{
    if (out->positional_count == POSITIONAL_LIMIT) {
        app_error("too many arguments at '%s'", word);
        return false;
    }
    out->positionals[out->positional_count++] = word;
    return true;
}

bool options_parse(const option_table tables[2], int word_count, char* const* words, arguments* out)
{
    bool is_over = false;  // "--" ends the options

    *out = (arguments){0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < tables[k].count && out->option_count < OPTION_LIMIT; i++) {
            out->options[out->option_count++] = &tables[k].options[i];
        }
    }
    for (int i = 0; i < word_count; i++) {
        const char* word = words[i];
        bool is_fine = true;

        if (is_over || word[0] != '-' || strcmp(word, "-") == 0) {
            is_fine = take_positional(out, word);
        } else if (strcmp(word, "--") == 0) {
            is_over = true;
        } else if (strcmp(word, "-h") == 0) {
            out->wants_help = true;
        } else if (strncmp(word, "--", 2) == 0) {
            is_fine = parse_option(out, word_count, words, &i);
        } else {
            app_error("unknown option '%s'; options are written out, like '--step 0.01'", word);
            is_fine = false;
        }
        if (!is_fine) return false;
    }
    return true;
}

// ---- asking

static const option_value* value_of(const arguments* given, const char* name)
{
    static const option_value none = {NULL, 0.0};
    const int index = find_option(given, name, strlen(name));

    return index < 0 ? &none : &given->values[index];
}

bool option_is_given(const arguments* given, const char* name)
{
    return value_of(given, name)->text != NULL;
}

const char* option_text(const arguments* given, const char* name)
{
    return value_of(given, name)->text;
}

double option_number(const arguments* given, const char* name)
{
    return value_of(given, name)->number;
}

long long option_whole(const arguments* given, const char* name)
{
    return (long long)value_of(given, name)->number;
}
