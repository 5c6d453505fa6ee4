// viewer/embed/embed.c - writes the files of the page as a C table, when Trammel is built.
//   embed OUT.c FOLDER NAME...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* type_of(const char* name)
{
    const char* dot = strrchr(name, '.');
    if (dot != NULL && strcmp(dot, ".js") == 0) return "text/javascript; charset=utf-8";
    if (dot != NULL && strcmp(dot, ".css") == 0) return "text/css; charset=utf-8";
    if (dot != NULL && strcmp(dot, ".html") == 0) return "text/html; charset=utf-8";
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

int main(int argc, char** argv)
{
    long length[64] = {0};

    if (argc < 4 || argc > 60) {
        fprintf(stderr, "embed OUT.c FOLDER NAME...\n");
        return 2;
    }
    FILE* to = fopen(argv[1], "wb");
    if (to == NULL) {
        fprintf(stderr, "%s cannot be written\n", argv[1]);
        return 1;
    }
    fprintf(to, "// Made by viewer/embed from viewer/bundle; not to be changed by hand.\n"
                "#include \"viewer/page.h\"\n\n");
    for (int i = 3; i < argc; i++) {
        length[i] = write_array(to, argv[2], argv[i], i - 3);
        if (length[i] < 0) {
            fprintf(stderr, "%s/%s cannot be read\n", argv[2], argv[i]);
            fclose(to);
            return 1;
        }
    }
    fprintf(to, "const page_file page_files[] = {\n");
    for (int i = 3; i < argc; i++) {
        fprintf(to, "    {\"%s\", \"%s\", file_%d, %ld},\n", argv[i], type_of(argv[i]), i - 3,
                length[i]);
    }
    fprintf(to, "};\nconst int page_file_count = %d;\n", argc - 3);
    return fclose(to) == 0 ? 0 : 1;
}
