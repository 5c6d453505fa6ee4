// Doubles as text: reading against the C library's own reader, writing against reading.
#include "io/number.h"

#include "test/check.h"

#include <locale.h>
#include <stdint.h>

static uint64_t next_random(uint64_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double read_whole(const char* text)
{
    double value = -12345.0;
    const char* stop = NULL;
    const number_result result = tml__number_read(text, &value, &stop);
    CHECK(result == NUMBER_OK);
    CHECK(*stop == '\0');
    return value;
}

static int same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

// strtod of the C library is correctly rounded in the "C" locale, which tests start in.
static void check_like_strtod(const char* text)
{
    const double expected = strtod(text, NULL);
    const double actual = read_whole(text);
    if (!same_bits(actual, expected)) {
        printf("%s read as %.17g, expected %.17g\n", text, actual, expected);
        CHECK(same_bits(actual, expected));
    }
}

TEST(numbers_that_are_hard_to_round_are_read_like_the_c_library_does)
{
    static const char* const texts[] = {
        "0",
        "-0",
        "-0.0e5",
        "0.1",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.0000000000000000000000000000000000000000000001",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-323",
        "1e-324",
        "1e-400",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "179769313486231580793728971405301e276",
        "8.5e-315",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000000000123456789",
        "5708990770823839207320493820740630171355185151999e-3",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "6631236846766476e-316",
        "323788391330290128958835241250153217486303766942310805990129704955230197067067656578683574"
        "2"
        "587799557860615776559838283435514391084153169252689190564396459577394618038928365305143463"
        "95510388530450800e-350",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_like_strtod(texts[i]);
}

// The exact halfway point between 0 and the least subnormal has 751 digits; one unit in a digit
// far behind it must still be seen.
TEST(digits_beyond_the_eight_hundredth_still_decide_a_tie)
{
    static char text[2000];
    strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
    CHECK(read_whole(text) == 1.0);

    const size_t length = strlen(text);
    memset(text + length, '0', 1500);
    text[length + 1500] = '\0';
    CHECK(read_whole(text) == 1.0);
    text[length + 1499] = '1';
    CHECK(read_whole(text) > 1.0);
}

TEST(a_long_run_of_zeros_is_balanced_by_the_exponent)
{
    enum {
        ZEROS = 200000
    };
    char* text = malloc(ZEROS + 40);
    strcpy(text, "0.");
    memset(text + 2, '0', ZEROS);
    strcpy(text + 2 + ZEROS, "125e200001");
    CHECK(read_whole(text) == 1.25);
    free(text);
}

TEST(every_double_written_with_17_digits_reads_back_with_the_same_bits)
{
    uint64_t seed = 20240607;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 60000; i++) {
        const uint64_t bits = next_random(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;

        char text[NUMBER_CHARS];
        tml__number_write17(text, value);
        CHECK(same_bits(read_whole(text), value));
        tml__number_write(text, value);
        CHECK(same_bits(read_whole(text), value));
    }
}

TEST(random_digit_strings_are_read_like_the_c_library_does)
{
    uint64_t seed = 99;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 100000; i++) {
        char text[80];
        const int digits = 1 + (int)(next_random(&seed) % 30);
        int n = 0;
        text[n++] = (char)('1' + next_random(&seed) % 9);
        text[n++] = '.';
        for (int k = 0; k < digits; k++) text[n++] = (char)('0' + next_random(&seed) % 10);
        const int range = i % 3 == 0 ? 620 : 60;
        const int exponent = (int)(next_random(&seed) % (uint64_t)range) - range / 2;
        snprintf(text + n, sizeof text - (size_t)n, "e%d", exponent);
        if (exponent < 308) check_like_strtod(text);
    }
}

TEST(numbers_beyond_the_largest_double_are_refused)
{
    static const char* const texts[] = {"1e309", "1.7976931348623159e308", "-2e308",
                                        "1e999999999999", "1e99999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 0.0;
        const char* stop = NULL;
        CHECK(tml__number_read(texts[i], &value, &stop) == NUMBER_HUGE);
    }
}

TEST(what_json_does_not_call_a_number_is_refused)
{
    static const char* const texts[] = {"",     "-",  "+1",  ".5", "1.", "01",
                                        "1.e3", "1e", "1e+", "x",  "-x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 0.0;
        const char* stop = NULL;
        CHECK(tml__number_read(texts[i], &value, &stop) == NUMBER_MALFORMED);
    }
}

TEST(seventeen_digits_are_those_of_printf)
{
    static const double values[] = {0.0,
                                    -0.0,
                                    1.0,
                                    -1.0,
                                    0.1,
                                    -1.0 / 3.0,
                                    12345678901234567.0,
                                    1e16,
                                    -1e15,
                                    1e22,
                                    1e-5,
                                    5e-324,
                                    9007199254740991.0,
                                    -42.0,
                                    1e100,
                                    100.25,
                                    1e17,
                                    -9007199254740992.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[NUMBER_CHARS];
        char expected[NUMBER_CHARS];
        snprintf(expected, sizeof expected, "%.17g", values[i]);  // the "C" locale
        CHECK(tml__number_write17(text, values[i]) == (int)strlen(expected));
        CHECK_TEXT(text, expected);
    }
}

TEST(short_numbers_are_written_short)
{
    static const struct {
        double value;
        const char* text;
    } cases[] = {{0.1, "0.1"},
                 {-9.81, "-9.81"},
                 {1.0, "1"},
                 {1e-10, "1e-10"},
                 {0.0, "0"},
                 {-0.0, "-0"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {1e300, "1e+300"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[NUMBER_CHARS];
        CHECK(tml__number_write(text, cases[i].value) == (int)strlen(cases[i].text));
        CHECK_TEXT(text, cases[i].text);
    }
}

// What printf gives under a locale with a comma, or with the two-byte separator of Pashto.
TEST(the_decimal_sign_of_any_locale_becomes_a_point)
{
    static const struct {
        const char* text;
        const char* expected;
    } cases[] = {{"0,5", "0.5"},
                 {"-1,25e-07", "-1.25e-07"},
                 {"3\xd9\xab"
                  "75e+10",
                  "3.75e+10"},
                 {"2.5", "2.5"},
                 {"12", "12"},
                 {"1e+22", "1e+22"},
                 {"-0", "-0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[NUMBER_CHARS];
        strcpy(text, cases[i].text);
        CHECK(tml__number_replace_point(text, (int)strlen(text)) == (int)strlen(cases[i].expected));
        CHECK_TEXT(text, cases[i].expected);
    }
}

TEST(a_locale_with_a_decimal_comma_changes_nothing)
{
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8",
                                        "ps_AF.utf8"};
    const char* found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && found == NULL; i++) {
        found = setlocale(LC_NUMERIC, names[i]);
    }
    if (found == NULL) SKIP("no locale with a decimal comma is installed");

    char text[NUMBER_CHARS];
    tml__number_write17(text, 0.1);
    CHECK_TEXT(text, "0.10000000000000001");
    CHECK(read_whole("2.5") == 2.5);
    CHECK(same_bits(read_whole("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022));
    setlocale(LC_NUMERIC, "C");
}
