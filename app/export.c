// app/export.c - `trammel export`: a scene as a unit of FMI 3.0 that other simulators step.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/load.h"
#include "app/modules.h"
#include "app/zip.h"
#include "fmi/variables.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option export_options[] = {
    {"inputs", OPTION_TEXT, "LIST",
     "JOINT.AXIS of actuated axes, BODY.fx ... BODY.mz (all actuated axes)", 0, 0},
    {"outputs", OPTION_TEXT, "LIST",
     "columns of recordings: BODY.px, JOINT.rx, JOINT.rx.rate, ... (all coordinates and rates)", 0,
     0},
};

typedef struct exporting {
    loaded scene;
    const char* out;
    char identifier[256];
    char token[40];
    unit_variable* variables;
    int input_count, count, room;
    bool has_derivatives;
    char* scene_text;
    size_t scene_length;
} exporting;

static int no_memory(void)
{
    app_error("no memory");
    return APP_FAILED;
}

// ---- which variables

static unit_variable* more(exporting* x)
{
    if (x->count == x->room) {
        const int room = 2 * x->room + 32;
        unit_variable* longer = realloc(x->variables, (size_t)room * sizeof *longer);
        if (longer == NULL) return NULL;
        x->variables = longer;
        x->room = room;
    }
    return &x->variables[x->count];
}

static int add(exporting* x, const char* name, bool is_input)
{
    unit_variable* v = more(x);
    if (v == NULL) return no_memory();
    const bool is_found = is_input ? unit_find_input(x->scene.model, name, v)
                                   : unit_find_output(x->scene.model, name, v);
    if (!is_found) {
        app_error("%s: nothing is called '%s' that could be an %s; %s", x->scene.name, name,
                  is_input ? "input" : "output",
                  is_input ? "inputs are JOINT.AXIS of actuated axes and BODY.fx to BODY.mz"
                           : "outputs are columns of recordings, such as BODY.px, JOINT.rx.rate, "
                             "energy.total");
        return APP_BAD_INPUT;
    }
    for (int i = 0; i < x->count; i++) {
        if (strcmp(x->variables[i].name, v->name) != 0) continue;
        app_error("'%s' is there twice", name);
        return APP_BAD_INPUT;
    }
    x->count++;
    if (is_input) x->input_count++;
    return APP_DONE;
}

static int add_list(exporting* x, const char* list, bool is_input)
{
    char name[512];
    for (const char* p = list; *p != '\0';) {
        const size_t length = strcspn(p, ",");
        if (length == 0 || length >= sizeof name) {
            app_error("--%s %s: a name is missing or too long", is_input ? "inputs" : "outputs",
                      list);
            return APP_BAD_INPUT;
        }
        memcpy(name, p, length);
        name[length] = '\0';
        const int code = add(x, name, is_input);
        if (code != APP_DONE) return code;
        p += length;
        if (*p == ',') p++;
    }
    return APP_DONE;
}

static int add_all_inputs(exporting* x)
{
    const tml_model* model = x->scene.model;
    int code = APP_DONE;
    for (int c = 0; c < tml_model_control_count(model) && code == APP_DONE; c++) {
        tml_joint joint;
        tml_axis axis;
        char name[512];
        tml_actuation actuation;
        if (tml_model_control(model, c, &joint, &axis, &actuation) != TML_OK) continue;
        snprintf(name, sizeof name, "%.500s.%s", tml_model_joint_name(model, joint),
                 tml_axis_name(axis));
        code = add(x, name, true);
    }
    return code;
}

static int add_all_outputs(exporting* x)
{
    const tml_model* model = x->scene.model;
    int code = APP_DONE;
    for (int k = 0; k < tml_model_coordinate_count(model) && code == APP_DONE; k++) {
        tml_joint joint;
        tml_axis axis;
        char name[512];
        if (tml_model_coordinate(model, k, &joint, &axis) != TML_OK) continue;
        snprintf(name, sizeof name, "%.490s.%s", tml_model_joint_name(model, joint),
                 tml_axis_name(axis));
        code = add(x, name, false);
        strcat(name, ".rate");
        if (code == APP_DONE) code = add(x, name, false);
    }
    for (int b = 0; tml_model_coordinate_count(model) == 0 && b < tml_model_body_count(model);
         b++) {
        static const char* const words[] = {"px", "py", "pz", "qw", "qx", "qy", "qz"};
        for (int k = 0; k < 7 && code == APP_DONE; k++) {
            char name[512];
            snprintf(name, sizeof name, "%.500s.%s", tml_model_body_name(model, (tml_body){b}),
                     words[k]);
            code = add(x, name, false);
        }
    }
    return code;
}

static int choose(exporting* x, const arguments* given)
{
    const char* inputs = option_text(given, "inputs");
    const char* outputs = option_text(given, "outputs");
    int code = inputs != NULL ? add_list(x, inputs, true) : add_all_inputs(x);
    if (code == APP_DONE) code = outputs != NULL ? add_list(x, outputs, false) : add_all_outputs(x);
    if (code == APP_DONE && x->count == x->input_count) {
        app_error("%s: a unit without outputs is of no use; name some by --outputs", x->scene.name);
        code = APP_BAD_INPUT;
    }
    return code;
}

// Whether there are derivatives of this scene; without memory nobody knows.
static int find_derivatives(exporting* x)
{
    tml_derivatives* d = NULL;
    for (int i = 0; i < x->input_count; i++) {
        if (x->variables[i].kind == UNIT_PUSH) return APP_DONE;
    }
    const tml_status status =
        tml_derivatives_create(x->scene.model, &loaded_settings(&x->scene)->sim, 0, &d);
    tml_derivatives_destroy(d);
    x->has_derivatives = status == TML_OK;
    if (status != TML_NO_MEMORY) return APP_DONE;
    app_error("%s: out of memory", x->scene.name);
    return APP_FAILED;
}

// ---- texts

typedef struct page {
    char* text;
    size_t length;
    FILE* stream;
} page;

static bool page_open(page* p)
{
    *p = (page){NULL, 0, NULL};
    p->stream = open_memstream(&p->text, &p->length);
    return p->stream != NULL;
}

static bool page_close(page* p)
{
    const bool is_good = !ferror(p->stream);
    return fclose(p->stream) == 0 && is_good;
}

static void put_escaped(FILE* to, const char* text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc((unsigned char)*text < 0x20 ? '?' : *text, to); break;
        }
    }
}

// Lines of resources/unit.txt, which fmi/unit.c reads.
static void put_list(const exporting* x, FILE* to)
{
    fprintf(to, "token %s\n", x->token);
    for (int i = 0; i < x->count; i++) {
        fprintf(to, "%s %s\n", i < x->input_count ? "input" : "output", x->variables[i].name);
    }
}

static void put_units(FILE* to)
{
    fputs("  <UnitDefinitions>\n"
          "    <Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>\n"
          "    <Unit name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/></Unit>\n"
          "    <Unit name=\"rad\"><BaseUnit rad=\"1\"/></Unit>\n"
          "    <Unit name=\"rad/s\"><BaseUnit rad=\"1\" s=\"-1\"/></Unit>\n"
          "    <Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/></Unit>\n"
          "    <Unit name=\"N.m\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\"/></Unit>\n"
          "    <Unit name=\"J\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\"/></Unit>\n"
          "  </UnitDefinitions>\n",
          to);
}

static void put_variable(const exporting* x, FILE* to, int index)
{
    const unit_variable* v = &x->variables[index];
    const bool is_input = index < x->input_count;
    fputs("    <Float64 name=\"", to);
    put_escaped(to, v->name);
    fprintf(to, "\" valueReference=\"%d\" causality=\"%s\" variability=\"continuous\"", index + 1,
            is_input ? "input" : "output");
    if (v->unit != NULL && v->unit[0] != '\0') fprintf(to, " unit=\"%s\"", v->unit);
    if (is_input) fprintf(to, " start=\"%.17g\"", v->start);
    fputs(is_input ? "/>\n" : " initial=\"calculated\"/>\n", to);
}

static void put_description(const exporting* x, FILE* to)
{
    const tml_run_settings* run = loaded_settings(&x->scene);
    const char* can = x->has_derivatives ? "true" : "false";
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"",
          to);
    put_escaped(to, x->identifier);
    fprintf(to,
            "\" instantiationToken=\"%s\" generationTool=\"trammel %s\" "
            "variableNamingConvention=\"flat\">\n",
            x->token, tml_version());
    fprintf(
        to,
        "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" "
        "fixedInternalStepSize=\"%.17g\" canBeInstantiatedOnlyOncePerProcess=\"false\" "
        "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
        "providesDirectionalDerivatives=\"%s\" providesAdjointDerivatives=\"%s\"/>\n",
        x->identifier, run->sim.step, can, can);
    put_units(to);
    fputs("  <LogCategories>\n"
          "    <Category name=\"logStatusError\"/>\n"
          "    <Category name=\"logStatusWarning\"/>\n"
          "    <Category name=\"logStatusDiscard\"/>\n"
          "  </LogCategories>\n",
          to);
    fprintf(to, "  <DefaultExperiment startTime=\"0\" stopTime=\"%.17g\" stepSize=\"%.17g\"/>\n",
            run->duration, run->sim.step);
    fputs("  <ModelVariables>\n"
          "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
          "variability=\"continuous\"/>\n",
          to);
    for (int i = 0; i < x->count; i++) put_variable(x, to, i);
    fputs("  </ModelVariables>\n  <ModelStructure>\n", to);
    for (int i = x->input_count; i < x->count; i++) {
        fprintf(to, "    <Output valueReference=\"%d\"/>\n", i + 1);
    }
    // outputs of the initial state depend on no input: inputs act from the first step on
    for (int i = x->input_count; i < x->count; i++) {
        fprintf(to, "    <InitialUnknown valueReference=\"%d\" dependencies=\"\"/>\n", i + 1);
    }
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", to);
}

// ---- the archive

// The file's name without folder and ending, as an identifier of C.
static void name_unit(exporting* x)
{
    const char* slash = strrchr(x->out, '/');
    const char* name = slash != NULL ? slash + 1 : x->out;
    const size_t length = strlen(name) - strlen(".fmu");
    size_t at = 0;
    if (name[0] >= '0' && name[0] <= '9') x->identifier[at++] = '_';
    for (size_t i = 0; i < length && at + 1 < sizeof x->identifier; i++) {
        const char c = name[i];
        const bool is_good =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
        x->identifier[at++] = is_good ? c : '_';
    }
    x->identifier[at] = '\0';
}

// FNV-1a twice: what tells one unit from another.
static void make_token(exporting* x)
{
    uint64_t h[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < x->scene_length; i++) {
            h[k] = (h[k] ^ (unsigned char)x->scene_text[i]) * 0x100000001b3u;
        }
        for (int i = 0; i < x->count; i++) {
            for (const char* p = x->variables[i].name; *p != '\0'; p++) {
                h[k] = (h[k] ^ (unsigned char)*p) * 0x100000001b3u;
            }
            h[k] = (h[k] ^ (unsigned)(i < x->input_count)) * 0x100000001b3u;
        }
    }
    snprintf(x->token, sizeof x->token, "{%016llx%016llx}", (unsigned long long)h[0],
             (unsigned long long)h[1]);
}

static unsigned char* read_binary(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    unsigned char* bytes = NULL;
    long length = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length > 0 && fseek(file, 0, SEEK_SET) == 0) bytes = malloc((size_t)length);
    if (bytes != NULL && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    if (file != NULL) fclose(file);
    *size = (size_t)(length > 0 ? length : 0);
    return bytes;
}

static int write_unit(exporting* x)
{
    char module[4096];
    char binary[512];
    size_t module_size = 0;
    if (!module_find("fmu", module, sizeof module)) {
        app_error("there is no libtrammel_fmu.so beside the tool, which goes into every unit");
        return APP_BAD_INPUT;
    }
    unsigned char* code = read_binary(module, &module_size);
    if (code == NULL) {
        app_error("%s: %s", module, strerror(errno));
        return APP_BAD_INPUT;
    }
    page description;
    page list;
    bool is_whole = page_open(&description);
    if (is_whole) put_description(x, description.stream);
    is_whole = is_whole && page_close(&description);
    is_whole = page_open(&list) && is_whole;
    if (list.stream != NULL) put_list(x, list.stream);
    is_whole = list.stream != NULL && page_close(&list) && is_whole;
    int error = is_whole ? 0 : ENOMEM;
    if (is_whole) {
        snprintf(binary, sizeof binary, "binaries/x86_64-linux/%s.so", x->identifier);
        const zip_file files[] = {
            {"modelDescription.xml", description.text, description.length},
            {binary, code, module_size},
            {"resources/scene.json", x->scene_text, x->scene_length},
            {"resources/unit.txt", list.text, list.length},
        };
        error = zip_write(x->out, files, sizeof files / sizeof *files);
    }
    free(description.text);
    free(list.text);
    free(code);
    if (error == 0) return APP_DONE;
    app_error("%s: %s", x->out, strerror(error));
    return error == ENOMEM ? APP_FAILED : APP_BAD_INPUT;
}

static void tell(const exporting* x)
{
    printf("%s: %d input%s, %d outputs, steps of %g s%s\n", x->out, x->input_count,
           x->input_count == 1 ? "" : "s", x->count - x->input_count,
           loaded_settings(&x->scene)->sim.step,
           x->has_derivatives ? ", directional and adjoint derivatives" : "");
    for (int i = 0; i < x->count; i++) {
        const unit_variable* v = &x->variables[i];
        printf("  %-6s  %s%s%s\n", i < x->input_count ? "input" : "output", v->name,
               v->unit != NULL && v->unit[0] != '\0' ? ", " : "", v->unit != NULL ? v->unit : "");
    }
}

static int run_export(exporting* x, const arguments* given)
{
    x->out = given->positionals[1];
    const size_t length = strlen(x->out);
    if (length < 5 || strcmp(x->out + length - 4, ".fmu") != 0) {
        app_error("%s: what is exported ends with .fmu", x->out);
        return APP_BAD_INPUT;
    }
    int code = load(given, &x->scene);
    if (code == APP_DONE) code = choose(x, given);
    if (code != APP_DONE) return code;
    // what an importer would only hear when it makes an instance
    char why[640];
    tml_sim* sim = NULL;
    code = create_sim(&x->scene, &sim, why, sizeof why);
    tml_sim_destroy(sim);
    if (code != APP_DONE) return code;
    if (tml_scene_write_text(x->scene.scene, &x->scene_text, &x->scene_length) != TML_OK) {
        app_error("%s", tml_scene_message(x->scene.scene));
        return APP_BAD_INPUT;
    }
    code = find_derivatives(x);
    if (code != APP_DONE) return code;
    name_unit(x);
    make_token(x);
    code = write_unit(x);
    if (code != APP_DONE) return code;
    tell(x);
    return app_finish_output();
}

static int export_scene(const arguments* given)
{
    exporting x = {.out = NULL};
    const int code = run_export(&x, given);
    tml_text_free(x.scene_text);
    free(x.variables);
    unload(&x.scene);
    return code;
}

const command command_export = {
    "export",
    "SCENE OUT.fmu",
    "a unit of FMI 3.0 for other simulators",
    "Writes a scene as a co-simulation unit (FMI 3.0, x86_64 Linux). Inputs are held through a\n"
    "communication step, whose length is any multiple of the scene's step (--step). docs/scale.md\n"
    "says what it offers.",
    {{sizeof export_options / sizeof export_options[0], export_options},
     {OVERRIDES, override_options}},
    2,
    2,
    export_scene,
};
