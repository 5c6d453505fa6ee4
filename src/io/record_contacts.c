// io/record_contacts.c - contacts beside a recording: X.contacts.csv, one line a contact; or kept for
// the arrays of an archive.
//
// Their number differs from step to step, so they are no columns of the table.
#include "io/number.h"
#include "io/record.h"

#include <trammel/contact.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_MOST = 4096
};

static bool name_beside(const tml_recorder* r, const char* path, char beside[PATH_MOST])
{
    const size_t stem = strlen(path) - strlen(r->format->ending);
    const int length = snprintf(beside, PATH_MOST, "%.*s.contacts.csv", (int)stem, path);
    return length >= 0 && length < PATH_MOST;
}

void tml__record_contacts_forget(const tml_recorder* r, const char* path)
{
    char beside[PATH_MOST];
    if (name_beside(r, path, beside)) (void)remove(beside);
}

tml_status tml__record_contacts_open(tml_recorder* r, const char* path, message* why)
{
    char beside[PATH_MOST];
    if (!name_beside(r, path, beside)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "%.300s: the name is too long", path);
    }
    r->contacts = fopen(beside, "wb");
    if (r->contacts == NULL || fputs("t,a,b,px,py,pz,nx,ny,nz,gap,fx,fy,fz\n", r->contacts) < 0) {
        return tml__fail(why, TML_BAD_FILE, "%.300s: cannot be written: %s", beside,
                         strerror(errno));
    }
    return TML_OK;
}

// In quotation marks where the name holds a comma or quotation marks itself.
static void put_name(FILE* to, const char* name)
{
    const bool is_plain = strpbrk(name, ",\"\r\n") == NULL;
    fputc(',', to);
    if (!is_plain) fputc('"', to);
    for (const char* p = name; *p != '\0'; p++) {
        if (*p == '"') fputc('"', to);
        fputc(*p, to);
    }
    if (!is_plain) fputc('"', to);
}

static void put_number(FILE* to, const char* before, double value)
{
    char digits[NUMBER_CHARS];
    const int length = tml__number_write17(digits, value);
    fputs(before, to);
    (void)fwrite(digits, 1, (size_t)length, to);
}

static void put_vector(FILE* to, tml_vec3 a)
{
    put_number(to, ",", a.x);
    put_number(to, ",", a.y);
    put_number(to, ",", a.z);
}

const char* tml__record_contact_name(const tml_model* model, const record_contact* c, int side,
                                     char room[RECORD_NAME])
{
    if (side == 1) return tml_model_body_name(model, c->b);
    if (c->deformable < 0) return tml_model_body_name(model, c->a);
    const tml_deformable_def* soft = tml_model_deformable(model, c->deformable);
    const bool is_surface = c->vertex < 0;
    snprintf(room, RECORD_NAME, "%.*s.%s%d", RECORD_NAME - 24, soft->name,
             is_surface ? "surface." : "", is_surface ? c->surface_point : c->vertex);
    return room;
}

void tml__record_contacts_write(tml_recorder* r, const tml_sim* sim)
{
    FILE* to = r->contacts;
    const int count = tml_sim_contact_count(sim);
    for (int i = 0; i < count; i++) {
        const tml_contact c = tml_sim_contact(sim, i);
        const record_contact sides = {.a = c.a,
                                      .b = c.b,
                                      .deformable = c.deformable,
                                      .vertex = c.vertex,
                                      .surface_point = c.surface_point};
        char room[RECORD_NAME];
        put_number(to, "", tml_sim_time(sim));
        put_name(to, tml__record_contact_name(r->model, &sides, 0, room));
        put_name(to, tml__record_contact_name(r->model, &sides, 1, room));
        put_vector(to, c.point);
        put_vector(to, c.normal);
        put_number(to, ",", c.gap);
        put_vector(to, c.force);
        fputc('\n', to);
    }
    if (ferror(to) && r->error == 0) r->error = errno != 0 ? errno : EIO;
}

void tml__record_contacts_keep(tml_recorder* r, const tml_sim* sim)
{
    const int count = tml_sim_contact_count(sim);
    const size_t before = r->touches.count;
    for (int i = 0; i < count && r->error == 0; i++) {
        const tml_contact c = tml_sim_contact(sim, i);
        const record_contact kept = {{tml_sim_time(sim), c.point.x, c.point.y, c.point.z,
                                      c.normal.x, c.normal.y, c.normal.z, c.gap, c.force.x,
                                      c.force.y, c.force.z},
                                     c.a,
                                     c.b,
                                     c.deformable,
                                     c.vertex,
                                     c.surface_point};
        r->error = tml__spool_add(&r->touches, &kept);
    }
    // those of a state are there together or not at all
    if (r->error != 0 && r->touches.count > before) r->touches.count = before;
}

int tml__record_contacts_close(tml_recorder* r)
{
    if (r->contacts == NULL) return 0;
    const int error = fclose(r->contacts) != 0 ? errno : 0;
    r->contacts = NULL;
    return error;
}
