// test/app/tool.h - runs the real tool, the way a shell would, and keeps what it said.
//
// Each test program works in a folder of its own below the build folder, so that programs can run
// side by side. Include it before any system header: it asks for POSIX.
#ifndef TRAMMEL_TEST_APP_TOOL_H
#define TRAMMEL_TEST_APP_TOOL_H

#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "base/memory.h"
#include "io/json.h"
#include "test/check.h"
#include "test_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TOOL TEST_BINARY_DIR "/trammel"

enum {
    TOOL_TEXT = 1 << 20,  // of each stream that is kept
    TOOL_WORDS = 32,
};

typedef struct tool_result {
    int code;  // exit status; -1 when a signal ended it
    char out[TOOL_TEXT];
    char err[TOOL_TEXT];
} tool_result;

static inline void read_text(const char* path, char* text, size_t capacity)
{
    FILE* file = fopen(path, "rb");
    size_t length = 0;

    if (file != NULL) {
        length = fread(text, 1, capacity - 1, file);
        fclose(file);
    }
    text[length] = '\0';
}

static inline void write_text(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");

    CHECK(file != NULL);
    if (file == NULL) return;
    fputs(text, file);
    fclose(file);
}

// 1 when two files hold the same bytes, and at least one.
static inline int is_same_text(const char* a, const char* b)
{
    FILE* file_a = fopen(a, "rb");
    FILE* file_b = fopen(b, "rb");
    int is_same = file_a != NULL && file_b != NULL;
    long count = 0;

    for (int c = 0; is_same && c != EOF; count++) {
        c = fgetc(file_a);
        is_same = c == fgetc(file_b);
    }
    if (file_a != NULL) fclose(file_a);
    if (file_b != NULL) fclose(file_b);
    return is_same && count > 1;
}

// Make and enter the folder of this test program.
static inline void enter_folder(const char* name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/test/%s.files", TEST_BINARY_DIR, name);
    mkdir(path, 0777);
    CHECK(chdir(path) == 0);
}

// Where the streams of a program lead; stderr always goes to err.txt.
typedef struct streams {
    const char* in;
    const char* out;
} streams;

// Replace this process by a program with its streams on files.
static inline void become(const char* program, char* const* words, const streams* s)
{
    const int in = open(s->in, O_RDONLY);
    const int out = open(s->out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int err = open("err.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (in < 0 || out < 0 || err < 0) _exit(99);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv(program, words);
    _exit(98);
}

// Start a program with the words of a line, split at blanks.
static inline pid_t start_program(const char* program, const char* line, streams s)
{
    char buffer[4096];
    char* words[TOOL_WORDS] = {NULL};
    int count = 1;

    snprintf(buffer, sizeof buffer, "%s %s", "trammel", line);
    words[0] = strtok(buffer, " ");
    for (char* word = strtok(NULL, " "); word != NULL && count < TOOL_WORDS - 1;
         word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) become(program, words, &s);
    return child;
}

static inline void finish_program(pid_t child, tool_result* r)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    r->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_text("out.txt", r->out, sizeof r->out);
    read_text("err.txt", r->err, sizeof r->err);
}

// The answer of a program; overwritten by the next call.
static inline const tool_result* answer_of(const char* program, const char* line, streams s)
{
    static tool_result r;

    remove("out.txt");
    finish_program(start_program(program, line, s), &r);
    return &r;
}

static inline const tool_result* tool(const char* line)
{
    return answer_of(TOOL, line, (streams){"/dev/null", "out.txt"});
}

static inline const tool_result* tool_reading(const char* input, const char* line)
{
    return answer_of(TOOL, line, (streams){input, "out.txt"});
}

// ---- looking at text

// A copy that outlives the next call of the tool, cut where the room ends.
static inline void keep_text(const char* text, char* room, size_t capacity)
{
    const size_t length = strlen(text);
    const size_t kept = length < capacity ? length : capacity - 1;

    memcpy(room, text, kept);
    room[kept] = '\0';
}

static inline int count_lines(const char* text)
{
    int count = 0;
    for (; *text != '\0'; text++) count += *text == '\n';
    return count;
}

// One error line that names the tool, and nothing else.
static inline int is_one_error_line(const char* text)
{
    return strncmp(text, "trammel: ", 9) == 0 && count_lines(text) == 1 &&
           text[strlen(text) - 1] == '\n';
}

// The number behind "key": in a flat JSON object; NaN when there is none.
static inline double json_value(const char* text, const char* key)
{
    char pattern[80];
    char* end = NULL;

    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char* at = strstr(text, pattern);
    if (at == NULL) return strtod("nan", NULL);
    at += strlen(pattern);
    const double value = strtod(at, &end);
    return end != at ? value : strtod("nan", NULL);
}

// Whether the library's own strict reader takes a text; the members of its object in *count.
static inline int is_json(const char* text, int* count)
{
    const size_t length = strlen(text);
    char* copy = tml__allocate(NULL, length + 1, 1);
    json_document document;
    json_error error;

    memcpy(copy, text, length + 1);
    if (tml__json_read(copy, length, &document, &error) != TML_OK) {
        printf("line %u: %s\n", error.line, error.text);
        return 0;
    }
    *count = tml__json_count(document.root);
    tml__json_destroy(&document);
    return 1;
}

// ---- looking at recordings

enum {
    CSV_COLUMNS = 1 << 13
};

typedef struct csv {
    int columns;
    int rows;
    int is_regular;  // every line has as many numbers as the header has names, the last one too
    char header[1 << 18];
    double first[CSV_COLUMNS];
    double last[CSV_COLUMNS];
} csv;

static inline int csv_numbers(char* line, double out[CSV_COLUMNS])
{
    int count = 0;

    for (char* p = line; count < CSV_COLUMNS;) {
        char* end = NULL;
        out[count] = strtod(p, &end);
        if (end == p) return -1;
        count++;
        if (*end == '\n') return count;
        if (*end != ',') return -1;
        p = end + 1;
    }
    return -1;
}

// The answer is overwritten by the next call.
static inline const csv* read_csv(const char* path)
{
    static csv c;
    static char line[1 << 20];
    FILE* file = fopen(path, "r");

    c.is_regular = c.columns = c.rows = 0;
    if (file == NULL || fgets(c.header, sizeof c.header, file) == NULL) {
        if (file != NULL) fclose(file);
        return &c;
    }
    c.is_regular = 1;
    c.columns = 1;
    for (const char* p = c.header; *p != '\0'; p++) c.columns += *p == ',';
    while (fgets(line, sizeof line, file) != NULL) {
        if (csv_numbers(line, c.last) != c.columns) c.is_regular = 0;
        if (c.rows == 0) memcpy(c.first, c.last, sizeof c.first);
        c.rows++;
    }
    fclose(file);
    return &c;
}

// The index of a column by its name; -1 when there is none.
static inline int csv_column(const csv* c, const char* name)
{
    const size_t length = strlen(name);
    const char* p = c->header;

    for (int i = 0; i < c->columns; i++) {
        if (strncmp(p, name, length) == 0 && strchr(",\n", p[length]) != NULL) return i;
        p = strchr(p, ',');
        if (p == NULL) break;
        p++;
    }
    return -1;
}

static inline double csv_first(const csv* c, const char* name)
{
    const int i = csv_column(c, name);
    return i < 0 ? strtod("nan", NULL) : c->first[i];
}

static inline double csv_last(const csv* c, const char* name)
{
    const int i = csv_column(c, name);
    return i < 0 ? strtod("nan", NULL) : c->last[i];
}

#endif
