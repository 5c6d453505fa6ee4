// The JSON reader: what it accepts, where it says things stand, and what it refuses.
#include "io/json.h"

#include "base/memory.h"
#include "test/check.h"

static tml_status parse_bytes(const char* text, size_t length, json_document* document,
                              json_error* error)
{
    char* copy = tml__allocate(NULL, length + 1, 1);
    memcpy(copy, text, length);
    return tml__json_read(copy, length, document, error);
}

static tml_status parse(const char* text, json_document* document, json_error* error)
{
    return parse_bytes(text, strlen(text), document, error);
}

TEST(values_keep_their_kind_order_and_place)
{
    json_document document;
    json_error error;
    CHECK(parse("{\n  \"a\": [1, -2.5e1,\n true, null],\n  \"b\": {\"c\": \"x\"}\n}\n", &document,
                &error) == TML_OK);

    const json* a = tml__json_find(document.root, "a");
    CHECK(a->kind == JSON_ARRAY && tml__json_count(a) == 4);
    CHECK(a->line == 2 && a->column == 8);
    CHECK(a->first->number == 1.0 && a->first->next->number == -25.0);
    CHECK(a->first->next->next->is_true && a->first->next->next->line == 3);
    CHECK(a->first->next->next->column == 2);
    CHECK(a->first->next->next->next->kind == JSON_NULL);

    const json* b = tml__json_find(document.root, "b");
    CHECK(b->kind == JSON_OBJECT && b->line == 4);
    CHECK_TEXT(tml__json_find(b, "c")->text, "x");
    CHECK(tml__json_find(b, "d") == NULL);
    tml__json_destroy(&document);
}

TEST(escapes_become_what_they_mean)
{
    json_document document;
    json_error error;
    const char* text = "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\", "
                       "\"\xc3\xa9\xf0\x9f\x98\x80\", \"\"]";
    CHECK(parse(text, &document, &error) == TML_OK);
    const json* v = document.root->first;
    CHECK_TEXT(v->text, "\"\\/\b\f\n\r\t");
    CHECK_TEXT(v->next->text, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK_TEXT(v->next->next->text, "\xc3\xa9\xf0\x9f\x98\x80");
    CHECK_TEXT(v->next->next->next->text, "");
    tml__json_destroy(&document);
}

TEST(a_byte_order_mark_is_skipped_and_empty_containers_are_fine)
{
    json_document document;
    json_error error;
    CHECK(parse("\xef\xbb\xbf{\"a\": [], \"b\": {}}", &document, &error) == TML_OK);
    CHECK(tml__json_count(document.root) == 2);
    CHECK(tml__json_count(document.root->first) == 0);
    tml__json_destroy(&document);
}

TEST(what_is_not_json_is_refused_with_its_line_and_reason)
{
    static const struct {
        const char* text;
        unsigned line;
        unsigned column;
        const char* what;
    } cases[] = {
        {"", 1, 1, "nothing here"},
        {" \n ", 2, 2, "nothing here"},
        {"[1, 2", 1, 6, "expected ',' or ']', but the text ends here"},
        {"{\"a\": 1", 1, 8, "expected ',' or '}', but the text ends here"},
        {"[1,\n2,\n]", 3, 1, "a comma too many"},
        {"{\"a\": 1,}", 1, 9, "a comma too many"},
        {"[,]", 1, 2, "expected a value, not ','"},
        {"{a: 1}", 1, 2, "expected a key in quotation marks, not 'a'"},
        {"{\"a\" 1}", 1, 6, "expected ':' after the key, not '1'"},
        {"{\"a\": 1 \"b\": 2}", 1, 9, "expected ',' or '}', not '\"'"},
        {"[1] x", 1, 5, "expected nothing more after the closing bracket, not 'x'"},
        {"[NaN]", 1, 2, "NaN and Infinity are not JSON numbers"},
        {"[Infinity]", 1, 2, "NaN and Infinity are not JSON numbers"},
        {"[-Infinity]", 1, 2, "not a number"},
        {"[1e999]", 1, 2, "too large for a double"},
        {"[01]", 1, 2, "not a number"},
        {"[1.]", 1, 2, "not a number"},
        {"[+1]", 1, 2, "expected a value, not '+'"},
        {"[tru]", 1, 2, "expected a value, not 't'"},
        {"['a']", 1, 2, "expected a value, not '''"},
        {"[\"a\nb\"]", 1, 4, "not closed on its line"},
        {"[\"a", 1, 4, "not closed on its line"},
        {"[\"a\tb\"]", 1, 4, "control characters"},
        {"[\"\\x\"]", 1, 4, "a backslash must be followed"},
        {"[\"\\u12g4\"]", 1, 5, "four hexadecimal digits"},
        {"[\"\\ud800\"]", 1, 9, "lacks its second"},
        {"[\"\\udc00\"]", 1, 9, "stands alone"},
        {"[\"\\u0000\"]", 1, 9, "\\u0000 is not allowed"},
        {"[\"\xff\"]", 1, 3, "not valid UTF-8"},
        {"[\"\xc0\xaf\"]", 1, 3, "not valid UTF-8"},          // too long for '/'
        {"[\"\xed\xa0\x80\"]", 1, 3, "not valid UTF-8"},      // a surrogate
        {"[\"\xf4\x90\x80\x80\"]", 1, 3, "not valid UTF-8"},  // beyond U+10FFFF
        {"[\"\xe2\x82\"]", 1, 3, "not valid UTF-8"},          // cut off
        {"[\xc3\xa9]", 1, 2, "not the byte 0xc3"},
        {"{\"a\": 1,\n \"b\": {\"a\": 2},\n \"a\": 3}", 3, 2, "the key 'a' stands twice"},
        {"// note\n[]", 1, 1, "expected a value, not '/'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_document document;
        json_error error;
        const tml_status status = parse(cases[i].text, &document, &error);
        CHECK(status == TML_BAD_FILE);
        CHECK(document.root == NULL);
        CHECK_CONTAINS(error.text, cases[i].what);
        const int is_there = error.line == cases[i].line && error.column == cases[i].column;
        if (!is_there) printf("%s: found at %u:%u\n", cases[i].text, error.line, error.column);
        CHECK(is_there);
        tml__json_destroy(&document);
    }
}

TEST(a_zero_byte_in_the_text_is_refused_wherever_it_stands)
{
    static const struct {
        const char* text;
        size_t length;
    } cases[] = {{"[1\0]", 4}, {"[\"a\0b\"]", 7}, {"[]\0", 3}, {"\0[]", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_document document;
        json_error error;
        CHECK(parse_bytes(cases[i].text, cases[i].length, &document, &error) == TML_BAD_FILE);
        CHECK(error.text[0] != '\0');
        tml__json_destroy(&document);
    }
}

TEST(sixty_four_levels_are_read_and_one_more_is_refused)
{
    for (int depth = 64; depth <= 65; depth++) {
        char text[200] = {0};
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        json_document document;
        json_error error;
        CHECK(parse(text, &document, &error) == (depth == 64 ? TML_OK : TML_BAD_FILE));
        if (depth == 65) CHECK_CONTAINS(error.text, "64 levels");
        tml__json_destroy(&document);
    }
}

TEST(an_object_with_too_many_keys_is_refused)
{
    char text[8000] = "{";
    size_t n = 1;
    for (int i = 0; i < 257; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"k%d\":0", i > 0 ? "," : "", i);
    }
    snprintf(text + n, sizeof text - n, "}");
    json_document document;
    json_error error;
    CHECK(parse(text, &document, &error) == TML_BAD_FILE);
    CHECK_CONTAINS(error.text, "at most 256 keys");
    tml__json_destroy(&document);
}

TEST(every_prefix_of_a_document_is_refused_without_reading_past_its_end)
{
    const char* text =
        "{\"a\": [1.5e-3, \"\\ud83d\\ude00\xc3\xa9\", true, false, null, {\"b\": {}}]}";
    for (size_t length = 0; length < strlen(text); length++) {
        json_document document;
        json_error error;
        CHECK(parse_bytes(text, length, &document, &error) == TML_BAD_FILE);
        CHECK(error.text[0] != '\0');
        tml__json_destroy(&document);
    }
}

// Two million numbers: the reader must stay linear in the size of the text.
TEST(a_large_document_is_read_in_linear_time_and_memory)
{
    enum {
        COUNT = 500000
    };
    char* text = tml__allocate(NULL, 40 * (size_t)COUNT + 10, 1);
    size_t n = 0;
    text[n++] = '[';
    for (int i = 0; i < COUNT; i++) {
        n += (size_t)sprintf(text + n, "%s[0.%06d, %d]", i > 0 ? ",\n" : "", i, i);
    }
    text[n++] = ']';
    json_document document;
    json_error error;
    CHECK(tml__json_read(text, n, &document, &error) == TML_OK);
    const json* last = document.root->first;
    while (last->next != NULL) last = last->next;
    CHECK(last->line == COUNT);
    CHECK_NEAR(last->first->number, 0.499999, 0.0);
    CHECK(last->first->next->number == COUNT - 1);
    tml__json_destroy(&document);
}
