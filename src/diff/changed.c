// diff/changed.c - the part of a differentiable run that changes its model, without the run.
#include "diff/changed.h"

#include "diff/derivatives.h"

struct changer {
    tml_derivatives d;  // base, sim, inputs and why of it
};

tml_status tml__changer_create(const tml_model* model, const tml_sim_settings* settings,
                               message* why, changer** out)
{
    *out = NULL;
    changer* c = tml__allocate(&settings->allocator, 1, sizeof *c);
    if (c == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    tml_derivatives* d = &c->d;
    d->allocator = settings->allocator;
    tml_status status = tml_sim_create(model, settings, &d->base);
    if (status != TML_OK) {
        tml__fail(why, status, "%s", d->base != NULL ? tml_sim_message(d->base) : "out of memory");
    } else {
        d->sim = d->base;
        d->input_count = tml__run_input_count(d->base);
        d->inputs = tml__allocate(&d->allocator, d->input_count, sizeof(double));
        if (d->inputs == NULL) status = tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    if (status == TML_OK) {
        *out = c;
    } else {
        tml__changer_destroy(c);
    }
    return status;
}

static void forget(tml_derivatives* d)
{
    if (d->sim == NULL) return;
    tml__closed_from_release(d->base, &d->from);
    if (d->model != NULL) tml__perturb_destroy(d->base, d->model);
    d->model = NULL;
}

void tml__changer_destroy(changer* c)
{
    if (c == NULL) return;
    const tml_allocator allocator = c->d.allocator;
    forget(&c->d);
    tml__release(&allocator, c->d.inputs);
    tml_sim_destroy(c->d.base);
    tml__release(&allocator, c);
}

tml_status tml__changer_check(changer* c, const tml_parameter* p, message* why)
{
    const tml_status status = tml__parameter_check(&c->d, p);
    if (status != TML_OK) *why = c->d.why;
    return status;
}

tml_status tml__changer_check_quantity(changer* c, const tml_quantity* q, message* why)
{
    const tml_status status = tml__quantity_check(&c->d, q);
    if (status != TML_OK) *why = c->d.why;
    return status;
}

tml_status tml__changer_make(changer* c, int count, const tml_parameter* parameters,
                             const double* change, message* why, const tml_model** out)
{
    tml_derivatives* d = &c->d;
    forget(d);
    const tml_status status =
        tml__derivatives_model(d, count, parameters, change, &d->from, &d->model);
    if (status != TML_OK) {
        *why = d->why;
        forget(d);
    }
    *out = d->model;
    return status;
}
