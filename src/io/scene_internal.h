// io/scene_internal.h - what the files that read and write scenes share.
//
// Reading fills a fresh spec from a JSON tree. Errors are sticky: the first one is kept in the
// reader with its file and line, and everything after it does nothing, so that a function that
// reads an element is a plain list of its keys.
#ifndef TML_IO_SCENE_INTERNAL_H
#define TML_IO_SCENE_INTERNAL_H

#include "base/message.h"
#include "io/json.h"
#include "io/lint.h"
#include "io/mesh.h"
#include "model/spec.h"

#include <trammel/recording.h>
#include <trammel/scene.h>

// The line of each element, by index.
typedef struct line_list {
    int count;
    int capacity;
    unsigned* lines;
} line_list;

struct tml_scene {
    tml_spec* spec;
    tml_run_settings settings;
    char* file;  // as messages name it; NULL: nothing was read
    line_list body_lines;
    line_list joint_lines;
    tml_load_options options;  // of models
    pool option_texts;
    lint_list lint;
    bool is_model;                 // read from a robot model
    double mass_all, mass_moving;  // of one, kg
    message why;
};

typedef struct reader {
    const char* file;
    tml_spec* spec;  // being filled
    tml_run_settings settings;
    line_list body_lines;
    line_list joint_lines;
    lint_list lint;                // of a model
    double mass_all, mass_moving;  // of one
    pool scratch;                  // tables and lists until the spec has copied them
    tml_recording* recording;      // the last one that was read
    const char* recording_path;
    const char* outside;  // folders that files may lie in beside the scene's own; NULL: none
    tml_status status;
    message why;
} reader;

// An object of the scene and what messages call it: "body 'rod'".
typedef struct element {
    reader* r;
    const json* object;
    char label[160];
} element;

// ---- scene_fields.c: values with their checks. A missing key leaves *out as it was.

// Remember the first error as "FILE:LINE: ...".
__attribute__((format(printf, 4, 5))) void tml__refuse(reader* r, const json* at, tml_status status,
                                                       const char* format, ...);

// Turn a refusal of the spec into one of the reader.
void tml__take_refusal(reader* r, const json* at);

// Memory of the reader for `count` items; NULL and TML_NO_MEMORY when there is none.
void* tml__take(reader* r, int count, size_t size);

// Start on an object: its label is "KIND 'NAME'", or "KIND INDEX" when it has no name. Refuses what
// is not an object and keys that are not in the list (which ends with NULL).
element tml__open(reader* r, const json* value, const char* kind, int index,
                  const char* const* keys);
void tml__check_keys(const element* e, const char* const* keys);

typedef enum number_range {
    ANY_NUMBER,
    NOT_NEGATIVE,
    POSITIVE,
} number_range;

const json* tml__find(const element* e, const char* key);  // NULL when absent
const json* tml__need(const element* e, const char* key);  // absent: an error
bool tml__is_list(reader* r, const json* value, const char* what);

double tml__number(reader* r, const json* value, const char* what, number_range range);
void tml__numbers(reader* r, const json* value, const char* what, int count, double* out);
void tml__read_number(const element* e, const char* key, number_range range, double* out);
void tml__read_integer(const element* e, const char* key, int least, int most, int* out);
void tml__read_bool(const element* e, const char* key, bool* out);
void tml__read_vector(const element* e, const char* key, tml_vec3* out);
void tml__read_orientation(const element* e, const char* key, tml_quat* out);
const char* tml__text(reader* r, const json* value, const char* what);
const char* tml__read_text(const element* e, const char* key);  // NULL when absent
const char* tml__read_name(const element* e);                   // NULL when absent

// One of a list of words that ends with NULL; its index, -1 when refused or absent.
int tml__read_word(const element* e, const char* key, const char* const* words);

// The body that a value under a key of the element names; refuses names that nobody has.
tml_body tml__body(const element* e, const json* value, const char* key);

// The word of the list that differs little from `word`; NULL when none does.
const char* tml__nearest(const char* word, const char* const* words);

// ---- one file a topic

void tml__read_bodies(reader* r, const json* list);      // scene_bodies.c
void tml__read_collision(reader* r, const json* value);  // scene_collision.c
// The path of the file that a key names: below the folder of the scene, or where the options allow it. NULL:
// absent or refused (scene_fields.c).
const char* tml__read_path(const element* e, const char* key);
// The mesh of the file that a key names, in the reader's scratch; false and refused where there is none.
bool tml__read_mesh(const element* e, const char* key, mesh_data* out);  // scene_shapes.c
// The shapes of an element; NULL and a count of 0 when it has none.
const tml_shape_def* tml__read_shapes(const element* e, int* count);       // scene_shapes.c
void tml__read_joints(reader* r, const json* list);                        // scene_joints.c
tml_control tml__control(reader* r, const json* value, const char* what);  // scene_control.c
bool tml__is_control(const json* value);
// The same, where a recording that names no column stands for the first of two columns that it has; NULL: for
// none.
tml_control tml__control_of(reader* r, const json* value, const char* what,
                            const char* const own[2]);

// The recording that a key names, beside the scene; it is the reader's. NULL: absent or refused (scene_recording.c).
const tml_recording* tml__read_recording(const element* e, const char* key);
const double* tml__recording_column(reader* r, const json* at, const tml_recording* recording,
                                    const char* name);  // NULL: refused
void tml__forget_recording(reader* r);
void tml__read_couplings(reader* r, const json* list);  // scene_forces.c
void tml__read_nonholonomics(reader* r, const json* list);
void tml__read_forces(reader* r, const json* list);
void tml__read_sensors(reader* r, const json* list);      // scene_sensors.c
void tml__read_deformables(reader* r, const json* list);  // scene_deformables.c
void tml__read_simulation(reader* r, const json* value);  // scene_settings.c

// Large systems come in two passes, so that the joints of the file keep their place before the
// generated ones.
struct generator;
struct generator* tml__read_generators(reader* r, const json* list);  // scene_generate.c
void tml__generate_joints(reader* r, struct generator* first);

// Add to the spec and remember the line. The index of a refused element is meaningless.
tml_body tml__add_body(reader* r, const json* at, const tml_body_def* def);
tml_joint tml__add_joint(reader* r, const json* at, const tml_joint_def* def);

tml_run_settings tml__run_settings_default(void);

// Read a model's XML text. `path` is NULL when it came without a file (model_read.c).
void tml__read_model(reader* r, const char* text, size_t length, const char* path,
                     const tml_load_options* options);
bool tml__is_model(const char* text, size_t length);

// The scene as MJCF or URDF, by the ending of the path, which is not touched (write_robot.c). *text
// is freed with tml_text_free.
bool tml__is_robot_path(const char* path);
tml_status tml__write_robot(tml_scene* scene, const char* path, char** text, size_t* length);

#endif
