// io/closures.c - the side-car file of a model's loops, in the small part of YAML that it needs.
//
//     closed_loop: [["foot_A", "foot_B"], ...]   frames (links, or joints: their child) that meet
//     type: ["6d", "3d", "2d", ...]              welded, only their points, or their points but for
//                                                the y axis of the first frame
//     position: [[0, 0, 0, 0, 0, 0], ...]        points in the two frames (ours; zero when left out)
//     name_mot: ["hip", ...]                     the driven joints
//     joint_name, joint_type: [...]              joints that are SPHERICAL or UJOINT_XY in truth
//
// Every value is a list between brackets, of words or of such lists, on one line or many.
#include "base/memory.h"
#include "io/file.h"
#include "io/path.h"
#include "io/robot.h"

#include <trammel/scene.h>

#include <stdio.h>
#include <string.h>

enum {
    MAX_WORDS = 1 << 16,
    MAX_BYTES = 1 << 24,
};

// A value: a word, or the words of a list, flat, each with the index of the inner list it was in.
typedef struct word {
    const char* text;
    int group;  // which inner list; for a plain list its own index
    unsigned line;
} word;

typedef struct key_list {
    const char* key;
    int count;
    int capacity;
    word* words;
    int groups;
} key_list;

typedef struct yaml {
    robot* r;
    const char* file;
    char* p;
    unsigned line;
} yaml;

static void refuse(yaml* y, unsigned line, const char* what)
{
    const xml place = {.name = "", .text = "", .file = y->file, .line = line};
    tml__robot_refuse(y->r, &place, TML_BAD_FILE, "%s", what);
}

// Over spaces, line ends and comments.
static void skip(yaml* y)
{
    for (;;) {
        while (*y->p == ' ' || *y->p == '\t' || *y->p == '\r' || *y->p == '\n') {
            if (*y->p == '\n') y->line++;
            y->p++;
        }
        if (*y->p != '#') return;
        while (*y->p != '\0' && *y->p != '\n') y->p++;
    }
}

// A word, quoted or not, into memory of the robot.
static const char* read_word(yaml* y)
{
    const char quote = *y->p == '"' || *y->p == '\'' ? *y->p++ : '\0';
    const char* start = y->p;
    while (*y->p != '\0' && *y->p != '\n') {
        if (quote != '\0' ? *y->p == quote : strchr(",[]:# \t\r", *y->p) != NULL) break;
        y->p++;
    }
    const size_t length = (size_t)(y->p - start);
    if ((quote != '\0' && *y->p != quote) || (quote == '\0' && length == 0)) {
        refuse(y, y->line, "a word or a list between brackets is expected here");
        return "";
    }
    if (quote != '\0') y->p++;
    char* text = tml__robot_take(y->r, length + 1, 1);
    if (text == NULL) return "";
    memcpy(text, start, length);
    return text;
}

static void add_word(yaml* y, key_list* list, int group)
{
    const unsigned line = y->line;
    const char* text = read_word(y);
    if (list->count >= MAX_WORDS) refuse(y, line, "there are too many words");
    word* wide =
        tml__robot_grow(y->r, list->words, list->count, &list->capacity, sizeof *list->words);
    if (wide == NULL) return;
    list->words = wide;
    list->words[list->count++] = (word){text, group, line};
}

static void read_list(yaml* y, key_list* list)
{
    int depth = 0;
    do {
        skip(y);
        if (*y->p == '[') {
            if (++depth > 2) refuse(y, y->line, "lists are nested too deep");
            y->p++;
        } else if (*y->p == ']') {
            depth--;
            if (depth == 1) list->groups++;
            y->p++;
        } else if (*y->p == ',') {
            y->p++;
        } else if (*y->p == '\0') {
            refuse(y, y->line, "a list is not closed");
        } else {
            add_word(y, list, depth < 2 ? list->count : list->groups);
            if (depth < 2) list->groups = list->count;
        }
    } while (depth > 0 && y->r->status == TML_OK);
}

enum {
    LOOPS,
    TYPES,
    POSITIONS,
    MOTORS,
    JOINT_NAMES,
    JOINT_TYPES,
    KEYS,
};

static void read_keys(yaml* y, key_list lists[KEYS])
{
    for (skip(y); *y->p != '\0' && y->r->status == TML_OK; skip(y)) {
        const unsigned line = y->line;
        const char* key = read_word(y);
        if (*y->p == ':') {
            y->p++;
        } else {
            refuse(y, line, "a key and a colon are expected here");
        }
        key_list* list = NULL;
        for (int k = 0; k < KEYS; k++) {
            if (strcmp(lists[k].key, key) == 0) list = &lists[k];
        }
        if (list == NULL) {
            refuse(y, line,
                   "the keys are closed_loop, type, position, name_mot, joint_name and "
                   "joint_type");
            return;
        }
        read_list(y, list);
    }
}

// ---- what the lists say

static int find_frame(yaml* y, const word* w)
{
    const int of = tml__robot_find_frame(y->r, w->text);
    if (of != -2) return of;
    char what[200];
    snprintf(what, sizeof what, "there is no link or joint '%.120s'", w->text);
    refuse(y, w->line, what);
    return -1;
}

static void read_position(yaml* y, const key_list* positions, int loop, closure* c)
{
    double x[6];
    int count = 0;
    for (int i = 0; i < positions->count && count < 6; i++) {
        const char* stop = NULL;
        if (positions->words[i].group != loop) continue;
        if (!tml__xml_number(positions->words[i].text, &x[count], &stop) || *stop != '\0') {
            refuse(y, positions->words[i].line, "positions are numbers");
            return;
        }
        count++;
    }
    if (count != 6) {
        refuse(y, positions->count > 0 ? positions->words[0].line : 1,
               "position needs six numbers for every closed loop");
        return;
    }
    c->frame_base.p = v3_load(x);
    c->frame_follower.p = v3_load(x + 3);
}

static void make_loop(yaml* y, const key_list lists[KEYS], int loop, const word* a, const word* b)
{
    const key_list* types = &lists[TYPES];
    const char* type = loop < types->count ? types->words[loop].text : "6d";
    const bool is_point = strcmp(type, "3d") == 0 || strcmp(type, "3D") == 0;
    const bool is_plane = strcmp(type, "2d") == 0;
    if (!is_point && !is_plane && strcmp(type, "6d") != 0 && strcmp(type, "6D") != 0) {
        refuse(y, types->words[loop].line, "the type of a loop is 2d, 3d or 6d");
        return;
    }
    char name[32];
    snprintf(name, sizeof name, "loop%d", loop);
    char* kept = tml__robot_take(y->r, sizeof name, 1);
    const int base = find_frame(y, a);
    const int follower = find_frame(y, b);
    closure* c = kept != NULL ? tml__robot_add_closure(y->r, NULL, kept) : NULL;
    if (c == NULL) return;
    memcpy(kept, name, sizeof name);
    c->kind = is_point ? TML_JOINT_SPHERICAL : TML_JOINT_FIXED;
    c->base = base;
    c->follower = follower;
    if (lists[POSITIONS].count > 0) read_position(y, &lists[POSITIONS], loop, c);
    if (is_plane) {
        c->kind = TML_JOINT_SLOT;  // slides along its x, which is the frame's y
        c->frame_base.q = c->frame_follower.q = q_about(2, 0.5 * TML_PI);
    }
}

static void make_loops(yaml* y, const key_list lists[KEYS])
{
    const key_list* loops = &lists[LOOPS];
    for (int i = 0; i < loops->count && y->r->status == TML_OK; i += 2) {
        const word* a = &loops->words[i];
        const bool is_pair = i + 1 < loops->count && a[1].group == a[0].group &&
                             (i + 2 >= loops->count || a[2].group != a[0].group);
        if (!is_pair) {
            refuse(y, a->line, "closed_loop is a list of pairs of names");
            return;
        }
        make_loop(y, lists, i / 2, a, a + 1);
    }
}

// A joint that the file calls a hinge is a ball, or turns about x and y.
static void retype(yaml* y, const word* name, const word* type)
{
    robot* r = y->r;
    const int m = tml__robot_find_movement(r, name->text);
    if (m < 0) {
        // published files name joints that the model does not have: the others keep their type
        const xml place = {.name = "", .text = "", .file = y->file, .line = name->line};
        tml__robot_lint(r, &place, "joint to be re-typed that does not exist", "left out");
        return;
    }
    robot_link* l = &r->links[r->movements[m].link];
    if (l->movement_count != 1) {
        refuse(y, name->line, "only joints with one coordinate can change their type");
    } else if (strcmp(type->text, "SPHERICAL") == 0) {
        r->movements[m].kind = MOVE_BALL;
        r->movements[m].drive.has_limits = 0;
    } else if (strcmp(type->text, "UJOINT_XY") == 0) {
        const int of = r->movements[m].link;
        const xml* at = r->movements[m].at;
        l->movement_count = 0;
        movement* x = tml__robot_add_movement(r, at, NULL, of, MOVE_HINGE);
        movement* yy = x != NULL ? tml__robot_add_movement(r, at, NULL, of, MOVE_HINGE) : NULL;
        if (yy == NULL) return;
        yy[-1].axis = v3_unit(0);
        yy->axis = v3_unit(1);
        yy[-1].name = r->movements[m].name;
        r->movements[m].moved_to = r->movement_count - 2;
    } else {
        refuse(y, type->line, "the type of a joint is SPHERICAL or UJOINT_XY");
    }
}

static void apply(yaml* y, const key_list lists[KEYS])
{
    robot* r = y->r;
    const key_list* names = &lists[JOINT_NAMES];
    const key_list* types = &lists[JOINT_TYPES];
    if (names->count != types->count) {
        refuse(y, 1, "joint_name and joint_type must have the same length");
    }
    if (lists[TYPES].count > 0 && 2 * lists[TYPES].count != lists[LOOPS].count) {
        refuse(y, 1, "closed_loop and type must have the same length");
    }
    make_loops(y, lists);
    for (int i = 0; i < lists[MOTORS].count && r->status == TML_OK; i++) {
        const word* w = &lists[MOTORS].words[i];
        const int m = tml__robot_find_movement(r, w->text);
        if (m < 0) {
            char what[200];
            snprintf(what, sizeof what, "there is no joint '%.120s' that moves", w->text);
            refuse(y, w->line, what);
            return;
        }
        r->movements[m].drive.actuation = TML_FORCE;
    }
    for (int i = 0; i < names->count && r->status == TML_OK; i++) {
        retype(y, &names->words[i], &types->words[i]);
    }
}

static void read_file(robot* r, const char* path)
{
    char* text = NULL;
    size_t length = 0;
    message why;
    const tml_status status = tml__file_read(path, MAX_BYTES, &text, &length, &why);
    if (status != TML_OK) {
        tml__robot_refuse(r, NULL, status, "%.300s", why.text);
        return;
    }
    char* file = tml__robot_take(r, strlen(path) + 1, 1);
    if (file != NULL) {
        memcpy(file, path, strlen(path) + 1);
        yaml y = {.r = r, .file = file, .p = text, .line = 1};
        key_list lists[KEYS] = {{.key = "closed_loop"}, {.key = "type"},
                                {.key = "position"},    {.key = "name_mot"},
                                {.key = "joint_name"},  {.key = "joint_type"}};
        read_keys(&y, lists);
        if (r->status == TML_OK) apply(&y, lists);
    }
    tml__release(NULL, text);
}

void tml__closures_beside(robot* r, const robot_source* source)
{
    const char* given = source->options->closures;
    if (r->status != TML_OK) return;
    if (given != NULL) {
        if (given[0] != '\0') read_file(r, given);
        return;
    }
    char side[PATH_CHARS];
    const char* path = source->path;
    const char* dot = path != NULL ? strrchr(path, '.') : NULL;
    if (dot == NULL || strchr(dot, '/') != NULL) return;
    const int length = snprintf(side, sizeof side, "%.*s.yaml", (int)(dot - path), path);
    if (length > 0 && length < PATH_CHARS && tml__file_is_there(side)) read_file(r, side);
}
