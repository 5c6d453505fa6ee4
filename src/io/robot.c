// io/robot.c - a robot's growing lists, its one error and its lint.
#include "io/robot.h"

#include "model/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tml__robot_refuse(robot* r, const xml* at, tml_status status, const char* format, ...)
{
    if (r->status != TML_OK) return;

    char what[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    tml__one_line(what);
    r->status = at != NULL ? tml__fail(&r->why, status, "%.200s:%u: %s", at->file, at->line, what)
                           : tml__fail(&r->why, status, "%.200s: %s", r->file, what);
}

void tml__robot_lint(robot* r, const xml* at, const char* feature, const char* what)
{
    const char* name = at != NULL ? tml__xml_attribute(at, "name") : NULL;
    if (r->status != TML_OK) return;
    if (!tml__lint_add(r->lint, feature, what, at != NULL ? at->file : r->file,
                       at != NULL ? at->line : 1, name != NULL ? name : "")) {
        tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
    }
}

void* tml__robot_take(robot* r, size_t count, size_t size)
{
    void* memory = r->status == TML_OK ? tml__pool_take(&r->memory, count, size) : NULL;
    if (memory == NULL) tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
    return memory;
}

void* tml__robot_grow(robot* r, void* list, int count, int* capacity, size_t size)
{
    if (r->status != TML_OK) return NULL;
    if (count < *capacity) return list;
    if (count >= ROBOT_MAX_ITEMS) {
        tml__robot_refuse(r, NULL, TML_BAD_FILE, "it has more than a million elements of one kind");
        return NULL;
    }
    const int wide = *capacity == 0 ? 16 : 2 * *capacity;
    void* larger = tml__robot_take(r, (size_t)wide, size);
    if (larger == NULL) return NULL;
    if (count > 0) memcpy(larger, list, (size_t)count * size);
    *capacity = wide;
    return larger;
}

// Remember a name; a second element of that name is refused.
static void remember(robot* r, struct name_table** table, const xml* at, const char* name,
                     int index)
{
    if (name == NULL || r->status != TML_OK) return;
    if (*table == NULL) *table = tml__names_create();
    if (*table != NULL && tml__names_find(*table, name) >= 0) {
        tml__robot_refuse(r, at, TML_BAD_ARGUMENT, "the name '%.120s' is taken by another '%s'",
                          name, at != NULL ? at->name : "element");
        return;
    }
    if (*table == NULL || !tml__names_add(*table, name, index)) {
        tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
    }
}

robot_link* tml__robot_add_link(robot* r, const xml* at, const char* name, int parent, pose local)
{
    robot_link* list = tml__robot_grow(r, r->links, r->link_count, &r->link_capacity, sizeof *list);
    if (list == NULL) return NULL;
    r->links = list;
    robot_link* one = &list[r->link_count];
    *one = (robot_link){.name = name,
                        .at = at,
                        .parent = parent,
                        .local = local,
                        .inertia = m3_zero(),
                        .first_movement = r->movement_count,
                        .into = r->link_count,
                        .offset = pose_identity()};
    remember(r, &r->link_names, at, name, r->link_count);
    r->link_count++;
    return one;
}

movement* tml__robot_add_movement(robot* r, const xml* at, const char* name, int of,
                                  movement_kind kind)
{
    movement* list =
        tml__robot_grow(r, r->movements, r->movement_count, &r->movement_capacity, sizeof *list);
    if (list == NULL) return NULL;
    r->movements = list;
    movement* one = &list[r->movement_count];
    *one = (movement){.name = name,
                      .at = at,
                      .kind = kind,
                      .link = of,
                      .axis = v3_unit(2),
                      .place = pose_identity(),
                      .moved_to = -1,
                      .joint = {-1}};
    one->drive.weight = 1.0;
    if (r->links[of].movement_count == 0) r->links[of].first_movement = r->movement_count;
    r->links[of].movement_count++;
    remember(r, &r->movement_names, at, name, r->movement_count);
    r->movement_count++;
    return one;
}

closure* tml__robot_add_closure(robot* r, const xml* at, const char* name)
{
    closure* list =
        tml__robot_grow(r, r->closures, r->closure_count, &r->closure_capacity, sizeof *list);
    if (list == NULL) return NULL;
    r->closures = list;
    closure* one = &list[r->closure_count++];
    *one = (closure){.name = name,
                     .at = at,
                     .kind = TML_JOINT_SPHERICAL,
                     .base = -1,
                     .follower = -1,
                     .frame_base = pose_identity(),
                     .frame_follower = pose_identity()};
    one->turn.weight = 1.0;
    return one;
}

tie* tml__robot_add_tie(robot* r, const xml* at, const char* name, int term_count)
{
    tie* list = tml__robot_grow(r, r->ties, r->tie_count, &r->tie_capacity, sizeof *list);
    tie_term* terms = list != NULL ? tml__robot_take(r, (size_t)term_count, sizeof *terms) : NULL;
    if (terms == NULL) return NULL;
    r->ties = list;
    tie* one = &list[r->tie_count++];
    *one = (tie){.name = name, .at = at, .term_count = term_count, .terms = terms};
    return one;
}

strand* tml__robot_add_strand(robot* r, const xml* at, const char* name, int point_count)
{
    strand* list =
        tml__robot_grow(r, r->strands, r->strand_count, &r->strand_capacity, sizeof *list);
    strand_point* points =
        list != NULL ? tml__robot_take(r, (size_t)point_count, sizeof *points) : NULL;
    if (points == NULL) return NULL;
    r->strands = list;
    strand* one = &list[r->strand_count++];
    *one = (strand){
        .name = name, .at = at, .point_count = point_count, .points = points, .rest_length = -1.0};
    return one;
}

void tml__robot_add_exclusion(robot* r, const exclusion* one)
{
    exclusion* list =
        tml__robot_grow(r, r->exclusions, r->exclusion_count, &r->exclusion_capacity, sizeof *list);
    if (list == NULL) return;
    r->exclusions = list;
    list[r->exclusion_count++] = *one;
}

void tml__robot_add_sensor(robot* r, const robot_sensor* one)
{
    robot_sensor* list =
        tml__robot_grow(r, r->sensors, r->sensor_count, &r->sensor_capacity, sizeof *list);
    if (list == NULL) return;
    r->sensors = list;
    list[r->sensor_count++] = *one;
}

void tml__robot_add_shape(robot* r, int of, int source, const tml_shape_def* shape)
{
    robot_link* l = of >= 0 ? &r->links[of] : NULL;
    int* count = l != NULL ? &l->shape_count : &r->world_shape_count;
    int* capacity = l != NULL ? &l->shape_capacity : &r->world_shape_capacity;
    int* room = l != NULL ? &l->source_capacity : &r->world_source_capacity;
    tml_shape_def** shapes = l != NULL ? &l->shapes : &r->world_shapes;
    int** sources = l != NULL ? &l->sources : &r->world_sources;
    tml_shape_def* list = tml__robot_grow(r, *shapes, *count, capacity, sizeof *list);
    int* from = list != NULL ? tml__robot_grow(r, *sources, *count, room, sizeof *from) : NULL;
    if (from == NULL) return;
    *shapes = list;
    *sources = from;
    from[*count] = source;
    list[(*count)++] = *shape;
}

// Two solids as one, about their common centre of mass.
void tml__robot_add_mass(robot* r, int of, double mass, vec3 com, mat3 inertia)
{
    robot_link* l = &r->links[of];
    const double sum = l->mass + mass;
    if (!(sum > 0.0)) {
        l->inertia = m3_add(l->inertia, inertia);
        return;
    }
    const vec3 centre = v3_scale(1.0 / sum, v3_add(v3_scale(l->mass, l->com), v3_scale(mass, com)));
    const vec3 d = v3_sub(l->com, centre);
    const vec3 e = v3_sub(com, centre);
    l->inertia = m3_sub(m3_add(l->inertia, inertia), m3_add(m3_scale(l->mass, m3_skew_skew(d, d)),
                                                            m3_scale(mass, m3_skew_skew(e, e))));
    l->mass = sum;
    l->com = centre;
}

int tml__robot_find_link(const robot* r, const char* name)
{
    const int index = r->link_names != NULL ? tml__names_find(r->link_names, name) : -1;
    if (index >= 0) return index;
    return strcmp(name, "world") == 0 ? -1 : -2;
}

int tml__robot_find_movement(const robot* r, const char* name)
{
    return r->movement_names != NULL ? tml__names_find(r->movement_names, name) : -1;
}

void tml__robot_name_joint(robot* r, const xml* at, const char* name, int of)
{
    remember(r, &r->joint_names, at, name, of);
}

int tml__robot_find_frame(const robot* r, const char* name)
{
    const int index = tml__robot_find_link(r, name);
    if (index != -2) return index;
    const int child = r->joint_names != NULL ? tml__names_find(r->joint_names, name) : -1;
    return child >= 0 ? child : -2;
}

void tml__robot_destroy(robot* r)
{
    if (r->joint_names != NULL) tml__names_destroy(r->joint_names);
    if (r->link_names != NULL) tml__names_destroy(r->link_names);
    if (r->movement_names != NULL) tml__names_destroy(r->movement_names);
    tml__pool_destroy(&r->memory);
    *r = (robot){0};
}
