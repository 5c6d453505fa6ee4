// test/model/names.c - the table from names to indices.
#include "model/names.h"

#include "test/check.h"

#include <trammel/model.h>

enum {
    MANY = 20000
};

TEST(names_are_found_while_the_table_grows)
{
    static char text[MANY][20];
    name_table* t = tml__names_create();
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "link.%d", i);
        CHECK(tml__names_find(t, text[i]) == -1);
        CHECK(tml__names_add(t, text[i], i) == 1);
        CHECK(tml__names_find(t, text[i / 2]) == i / 2);
    }
    for (int i = 0; i < MANY; i++) CHECK(tml__names_find(t, text[i]) == i);
    CHECK(tml__names_find(t, "link.20000") == -1);
    CHECK(tml__names_find(t, "link.") == -1);
    tml__names_destroy(t);
}

TEST(adding_a_name_again_replaces_its_index)
{
    name_table* t = tml__names_create();
    CHECK(tml__names_add(t, "a", 1) == 1);
    CHECK(tml__names_add(t, "a", 2) == 1);
    CHECK(tml__names_find(t, "a") == 2);
    tml__names_destroy(t);
}

TEST(any_bytes_make_a_name)
{
    const char* const odd[] = {"", " ", "\t\n", "Gelenk-\xc3\xa4", "\xff\xfe", "a", "A"};
    name_table* t = tml__names_create();
    for (int i = 0; i < 7; i++) CHECK(tml__names_add(t, odd[i], 100 + i) == 1);
    for (int i = 0; i < 7; i++) CHECK(tml__names_find(t, odd[i]) == 100 + i);
    tml__names_destroy(t);
    tml__names_destroy(NULL);
}

// A body without a name finds one, also where somebody else is called so already.
TEST(default_names_make_way)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_body_def def = tml_body_def_default();
    def.name = "body1";
    tml_spec_add_body(spec, &def);
    def.name = NULL;
    tml_spec_add_body(spec, &def);
    tml_spec_add_body(spec, &def);
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK_TEXT(tml_model_body_name(model, (tml_body){1}), "body1_2");
    CHECK_TEXT(tml_model_body_name(model, (tml_body){2}), "body2");
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}
