// `trammel plot`: which columns, and that the picture shows the numbers that were recorded.
#include "test/app/tool.h"

#include <stdint.h>
#include <zlib.h>

// A line from 1 at t = 0 to 3 at t = 10 and a constant, as a recording.
static void write_recording(void)
{
    FILE* file = fopen("line.csv", "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fprintf(file, "t,a.px,a.vx,\"<b>&.px\"\n");
    for (int i = 0; i <= 100; i++) fprintf(file, "%g,%g,5,%g\n", 0.1 * i, 1.0 + 0.02 * i, 2.0);
    fclose(file);
}

static char picture[1 << 22];

TEST(an_svg_puts_every_sample_where_its_numbers_say)
{
    enter_folder("app_plot");
    write_recording();
    const tool_result* r = tool("plot line.csv --columns a.px --out line.svg");
    CHECK(r->code == 0);
    CHECK_TEXT(r->out, "line.svg: 1 column, 101 states\n");
    read_text("line.svg", picture, sizeof picture);
    CHECK_CONTAINS(picture, "<svg xmlns=");
    CHECK_CONTAINS(picture, ">a.px</text>");
    CHECK_CONTAINS(picture, ">[m]</text>");
    CHECK_CONTAINS(picture, "time [s]");

    // the first line of the first colour is the series: equidistant, and straight
    const char* at = strstr(picture, "stroke=\"#0072b2\"");
    CHECK(at != NULL);
    if (at == NULL) return;
    at = strstr(at, "points=\"") + 8;
    double x[101];
    double y[101];
    int count = 0;
    for (char* end = NULL; count < 101; count++) {
        x[count] = strtod(at, &end);
        if (*end != ',') break;
        y[count] = strtod(end + 1, &end);
        at = end + 1;
        if (*end == '"') {
            count++;
            break;
        }
    }
    CHECK(count == 101);
    for (int i = 0; i < count; i++) {
        // written with two decimals
        CHECK_NEAR(x[i], x[0] + (x[100] - x[0]) * i / 100.0, 0.011);
        CHECK_NEAR(y[i], y[0] + (y[100] - y[0]) * i / 100.0, 0.011);
    }
    CHECK(x[100] > x[0] + 500.0 && y[100] < y[0] - 50.0);
}

// ---- PNG, decoded here

static uint32_t big_endian(const unsigned char* p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

typedef struct decoded {
    uint32_t width, height;
    unsigned char* rows;  // a filter byte, then red, green, blue
} decoded;

static decoded decode(const char* path)
{
    decoded d = {0};
    FILE* file = fopen(path, "rb");
    CHECK(file != NULL);
    if (file == NULL) return d;
    const size_t length = fread(picture, 1, sizeof picture, file);
    fclose(file);
    const unsigned char* p = (const unsigned char*)picture;
    CHECK(length > 57 && memcmp(p, "\x89PNG\r\n\x1a\n", 8) == 0);
    d.width = big_endian(p + 16);
    d.height = big_endian(p + 20);
    const uint32_t packed = big_endian(p + 33);
    CHECK(memcmp(p + 37, "IDAT", 4) == 0);
    CHECK(crc32(0, p + 37, packed + 4) == big_endian(p + 41 + packed));
    uLongf bytes = (uLongf)d.height * (1 + 3 * d.width);
    d.rows = malloc(bytes);
    CHECK(uncompress(d.rows, &bytes, p + 41, packed) == Z_OK);
    CHECK(bytes == (uLongf)d.height * (1 + 3 * d.width));
    return d;
}

static const unsigned char* pixel(const decoded* d, uint32_t x, uint32_t y)
{
    return d->rows + y * (1 + 3 * d->width) + 1 + 3 * x;
}

// In each column the blue line stands higher than in the one before, by the slope of the numbers.
TEST(a_png_shows_the_same_line_as_pixels)
{
    enter_folder("app_plot");
    write_recording();
    CHECK(tool("plot line.csv --columns a.px --out line.png")->code == 0);
    decoded d = decode("line.png");
    if (d.rows == NULL) return;
    CHECK(d.width == 1800);
    double centre[1800];
    int found = 0;
    uint32_t first = 0;
    uint32_t last = 0;
    for (uint32_t x = 160; x < 1756; x++) {
        double sum = 0.0;
        double weight = 0.0;
        for (uint32_t y = 110; y < d.height; y++) {
            const unsigned char* c = pixel(&d, x, y);
            // the share of the blue pen in a pixel between it and the paper
            const double blue = c[0] < 100 && c[2] > 140 ? 1.0 - c[0] / 255.0 : 0.0;
            sum += blue * y;
            weight += blue;
        }
        if (weight < 0.5) continue;
        centre[x] = sum / weight;
        if (found++ == 0) first = x;
        last = x;
    }
    CHECK(found > 1500);
    CHECK(pixel(&d, 5, 5)[0] == 255 && pixel(&d, 5, 5)[2] == 255);
    for (uint32_t x = first; found > 1500 && x <= last; x++) {
        const double straight =
            centre[first] + (centre[last] - centre[first]) * (x - first) / (double)(last - first);
        CHECK_NEAR(centre[x], straight, 1.5);  // pixels; the pen is 3.2 wide
    }
    free(d.rows);
}

TEST(names_from_a_file_are_text_in_the_picture)
{
    enter_folder("app_plot");
    write_recording();
    CHECK(tool("plot line.csv --columns *.px --out names.svg")->code == 0);
    read_text("names.svg", picture, sizeof picture);
    CHECK_CONTAINS(picture, "&lt;b&gt;&amp;.px");
    CHECK(strstr(picture, "<b>") == NULL);
}

TEST(wrong_columns_and_endings_are_named)
{
    enter_folder("app_plot");
    write_recording();
    static const struct {
        const char* line;
        const char* why;
    } cases[] = {
        {"plot line.csv --columns a.pxx", "has no column 'a.pxx'; did you mean 'a.px'?"},
        {"plot line.csv --columns a.px,", "has no column ''"},
        {"plot line.csv --columns zzzzzz", "its first line names them"},
        {"plot line.csv --out line.gif", "written as .svg or .png"},
        {"plot line.json", "recordings end with .csv or .npz"},
        {"plot missing.csv", "missing.csv: cannot be read"},
        {"plot line.csv --out no/such/line.svg", "cannot be written: No such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tool_result* r = tool(cases[i].line);
        CHECK(r->code == (i == 6 ? 1 : 2));
        CHECK(is_one_error_line(r->err));
        CHECK_CONTAINS(r->err, cases[i].why);
    }
}

TEST(a_run_can_be_plotted_from_either_format)
{
    enter_folder("app_plot");
    CHECK(tool("scene four-bar --out four.json")->code == 0);
    CHECK(tool("run four.json --duration 0.2 --out four.npz --record energy,joints")->code == 0);
    CHECK(tool("plot four.npz")->code == 0);
    read_text("four.svg", picture, sizeof picture);
    CHECK_CONTAINS(picture, "energy.total");
    CHECK_CONTAINS(picture, ">[J]</text>");
    // a hinge's coordinate is an angle, which the scene beside the recording tells
    CHECK(tool("plot four.npz --columns *.rx --out four.q.svg")->code == 0);
    read_text("four.q.svg", picture, sizeof picture);
    CHECK_CONTAINS(picture, ">[rad]</text>");
    CHECK(tool("plot four.npz --columns *.rate --out four.q.svg")->code == 0);
    read_text("four.q.svg", picture, sizeof picture);
    CHECK_CONTAINS(picture, ">[rad/s]</text>");
}
