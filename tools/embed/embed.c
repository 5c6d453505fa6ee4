// tools/embed/embed.c - writes files as a C table, when Trammel is built: the viewer's page, and the
// built-in scenes that are JSON.
//   embed OUT.c HEADER TYPE TABLE FOLDER NAME...
// HEADER declares `typedef struct {name, type, data, length} TYPE`, `TABLE[]` and `TABLE_count`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* type_of(const char* name)
{
    const char* dot = strrchr(name, '.');
    if (dot != NULL && strcmp(dot, ".js") == 0) return "text/javascript; charset=utf-8";
    if (dot != NULL && strcmp(dot, ".css") == 0) return "text/css; charset=utf-8";
    if (dot != NULL && strcmp(dot, ".html") == 0) return "text/html; charset=utf-8";
    if (dot != NULL && strcmp(dot, ".json") == 0) return "application/json";
    return "text/plain; charset=utf-8";
}

// One array; answers its length, -1 when the file cannot be read.
static long write_array(FILE* to, const char* folder, const char* name, int index)
{
    char path[4096];
    long count = 0;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* from = fopen(path, "rb");
    if (from == NULL) return -1;
    fprintf(to, "static const unsigned char file_%d[] = {", index);
    for (int c = fgetc(from); c != EOF; c = fgetc(from), count++) {
        fprintf(to, "%s%d,", count % 32 == 0 ? "\n" : "", c);
    }
    fprintf(to, "0};\n\n");
    fclose(from);
    return count;
}

// Answers 0, or the exit code after a message.
static int write_table(FILE* to, char** argv, int names)
{
    long length[64] = {0};

    fprintf(to, "// Made by tools/embed; not to be changed by hand.\n#include \"%s\"\n\n", argv[2]);
    for (int i = 0; i < names; i++) {
        length[i] = write_array(to, argv[5], argv[6 + i], i);
        if (length[i] < 0) {
            fprintf(stderr, "%s/%s cannot be read\n", argv[5], argv[6 + i]);
            return 1;
        }
    }
    fprintf(to, "const %s %s[] = {\n", argv[3], argv[4]);
    for (int i = 0; i < names; i++) {
        fprintf(to, "    {\"%s\", \"%s\", file_%d, %ld},\n", argv[6 + i], type_of(argv[6 + i]), i,
                length[i]);
    }
    fprintf(to, "};\nconst int %s_count = %d;\n", argv[4], names);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc < 7 || argc > 60) {
        fprintf(stderr, "embed OUT.c HEADER TYPE TABLE FOLDER NAME...\n");
        return 2;
    }
    FILE* to = fopen(argv[1], "wb");
    if (to == NULL) {
        fprintf(stderr, "%s cannot be written\n", argv[1]);
        return 1;
    }
    int code = write_table(to, argv, argc - 6);
    return fclose(to) == 0 ? code : 1;
}
