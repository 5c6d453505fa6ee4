// trammel/scene.h - scenes in files: a spec, how to run it, and where everything stood in the text.
#ifndef TRAMMEL_SCENE_H
#define TRAMMEL_SCENE_H

#include <trammel/sim.h>

TML_BEGIN_C

typedef struct tml_scene tml_scene;  // opaque

// How the scene asks to be run.
typedef struct tml_run_settings {
    tml_sim_settings sim;
    double duration;      // s
    bool has_integrator;  // the scene names one; else the formulation's default was taken
} tml_run_settings;

TML_API tml_scene* tml_scene_create(void);  // empty, default settings; NULL without memory
TML_API void tml_scene_destroy(tml_scene* scene);

// How a robot model (MJCF, URDF, SDF) becomes a scene, and which files may be read. Copied, texts included.
typedef struct tml_load_options {
    int float_base;  // URDF, SDF: the root link is free; else it is welded to the world
    const char*
        closures;  // URDF, SDF: file of loop closures (docs/models.md). NULL: NAME.yaml beside
                   // NAME.urdf, when there is one; "": none
    const char* keyframe;   // MJCF: start there; NULL: the first; "": at the zero pose
    const char* packages;   // "NAME=DIR,NAME=DIR": folders of package://NAME/..., whose meshes may
                            // be read; NULL: none
    bool without_armature;  // of joints: for formulations that do not simulate it
    bool without_joint_friction;  // the same of dry friction
    bool as_written;  // joints start where the file says, outside their limits too; else at the
                      // nearest limit
    const char*
        allow_outside;  // "DIR,DIR": files that a scene or a model names may lie below these too,
                        // not only below its own folder; NULL: none
} tml_load_options;

TML_API tml_load_options tml_load_options_default(void);
TML_API tml_status tml_scene_set_load_options(tml_scene* scene, const tml_load_options* options);

// Read a scene, or a robot model, into an empty scene: a text that starts with '<' is a model, MJCF,
// URDF or SDF by its root element, anything else is JSON. Errors are TML_BAD_FILE (the file cannot be read or is not JSON)
// or TML_BAD_ARGUMENT (it is not a scene) or TML_UNSUPPORTED, with one line "FILE:LINE: what is
// wrong with which element" in tml_scene_message.
TML_API tml_status tml_scene_read_file(tml_scene* scene, const char* path);
TML_API tml_status tml_scene_read_text(tml_scene* scene, const char* text, size_t length,
                                       const char* name);
TML_API const char* tml_scene_message(const tml_scene* scene);

// Whether it was read from a robot model: contact is on by default where its shapes can touch, and its
// loops may come open.
TML_API bool tml_scene_is_model(const tml_scene* scene);

// Masses of a robot model as its file has them, kg: of all links, and of those that can move (what is welded to the
// world, and what is lent to links without mass, is no part of that). Zero for a scene.
TML_API void tml_scene_masses(const tml_scene* scene, double* all, double* moving);

// What the model uses and we do not simulate, one sentence a feature: "FILE:LINE: joint armature (20
// times, first 'hip'): ...". Empty for a scene in JSON, which is refused instead. Borrowed.
TML_API int tml_scene_lint_count(const tml_scene* scene);
TML_API const char* tml_scene_lint(tml_scene* scene, int index);  // NULL outside of the list

// Borrowed; changed through tml_spec_add_... and by assigning the settings.
TML_API tml_spec* tml_scene_spec(tml_scene* scene);
TML_API tml_run_settings* tml_scene_settings(tml_scene* scene);

// Forget bodies, joints and all other elements, and keep the settings: once its model is built, a
// scene of a million links is only memory.
TML_API tml_status tml_scene_forget(tml_scene* scene);

// Build the model; a failure names the file and line of the element.
TML_API tml_status tml_scene_build(tml_scene* scene, tml_model** model);

// Write the resolved scene (generated bodies listed one by one) as JSON, or as a robot model where the
// path ends with ".xml" (MJCF) or ".urdf". TML_UNSUPPORTED, with a sentence that names the element,
// when the format cannot say what the scene does; no file is written then.
TML_API tml_status tml_scene_write_file(tml_scene* scene, const char* path);

// The same into memory: the caller frees *text with tml_text_free.
TML_API tml_status tml_scene_write_text(tml_scene* scene, char** text, size_t* length);
TML_API void tml_text_free(char* text);

TML_END_C

#endif
