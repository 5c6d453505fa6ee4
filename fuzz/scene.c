// fuzz/scene.c - any bytes as a scene or a robot model: libFuzzer looks for those that crash.
//
// MJCF, URDF, SDF and JSON share one entry, which tells them apart by their text; each has a corpus
// of its own. What can be read is built, asked for its lint and written back in every format.
// `make fuzz` runs it.
#include <trammel/trammel.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    if (scene == NULL) return 0;
    if (tml_scene_read_text(scene, (const char*)data, size, "fuzz") == TML_OK) {
        char* text = NULL;
        size_t length = 0;
        for (int i = 0; i < tml_scene_lint_count(scene); i++) tml_scene_lint(scene, i);
        if (tml_scene_build(scene, &model) == TML_OK) tml_model_summarise(model);
        if (tml_scene_write_text(scene, &text, &length) == TML_OK) tml_text_free(text);
        tml_scene_write_file(scene, "/dev/null.xml");
        tml_scene_write_file(scene, "/dev/null.urdf");
    }
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return 0;
}
