// opt/ipopt.c - the one wrapper of IPOPT, an interior-point method for large sparse problems.
//
// The library is loaded when it is asked for: linked, its BLAS would start threads in every program
// that uses ours, whether it optimises or not.
#include "base/memory.h"
#include "opt/nlp.h"

#ifdef TRAMMEL_IPOPT

#include <coin/IpStdCInterface.h>
#include <dlfcn.h>
#include <string.h>

typedef struct library {
    void* handle;
    IpoptProblem (*create)(Index n, Number* x_L, Number* x_U, Index m, Number* g_L, Number* g_U,
                           Index nele_jac, Index nele_hess, Index index_style, Eval_F_CB eval_f,
                           Eval_G_CB eval_g, Eval_Grad_F_CB eval_grad_f, Eval_Jac_G_CB eval_jac_g,
                           Eval_H_CB eval_h);
    void (*destroy)(IpoptProblem problem);
    Bool (*set_text)(IpoptProblem problem, char* keyword, char* value);
    Bool (*set_number)(IpoptProblem problem, char* keyword, Number value);
    Bool (*set_whole)(IpoptProblem problem, char* keyword, Int value);
    Bool (*set_progress)(IpoptProblem problem, Intermediate_CB progress);
    enum ApplicationReturnStatus (*solve)(IpoptProblem problem, Number* x, Number* g,
                                          Number* obj_val, Number* mult_g, Number* mult_x_L,
                                          Number* mult_x_U, UserDataPtr user_data);
} library;

// C keeps pointers to functions and to objects apart; loaders do not.
static bool find(const library* l, const char* name, void* function)
{
    void* found = dlsym(l->handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static tml_status load(library* l, message* why)
{
    l->handle = dlopen(TRAMMEL_IPOPT, RTLD_NOW | RTLD_LOCAL);
    if (l->handle == NULL) {
        return tml__fail(why, TML_UNSUPPORTED, "method 'shooting' needs IPOPT: no %s here",
                         TRAMMEL_IPOPT);
    }
    const bool is_whole =
        find(l, "CreateIpoptProblem", &l->create) && find(l, "FreeIpoptProblem", &l->destroy) &&
        find(l, "AddIpoptStrOption", &l->set_text) &&
        find(l, "AddIpoptNumOption", &l->set_number) &&
        find(l, "AddIpoptIntOption", &l->set_whole) &&
        find(l, "SetIntermediateCallback", &l->set_progress) && find(l, "IpoptSolve", &l->solve);
    if (is_whole) return TML_OK;
    return tml__fail(why, TML_UNSUPPORTED, "method 'shooting' needs IPOPT: %s is another one",
                     TRAMMEL_IPOPT);
}

// ---- what IPOPT asks

static Bool value_of(Index n, Number* x, Bool is_new, Number* value, UserDataPtr self)
{
    const nlp* p = self;
    (void)n, (void)is_new;
    return p->value(p->self, x, value);
}

static Bool gradient_of(Index n, Number* x, Bool is_new, Number* gradient, UserDataPtr self)
{
    const nlp* p = self;
    (void)n, (void)is_new;
    return p->gradient(p->self, x, gradient);
}

static Bool rows_of(Index n, Number* x, Bool is_new, Index m, Number* rows, UserDataPtr self)
{
    const nlp* p = self;
    (void)n, (void)is_new, (void)m;
    return p->rows(p->self, x, rows);
}

static Bool entries_of(Index n, Number* x, Bool is_new, Index m, Index count, Index* row,
                       Index* column, Number* values, UserDataPtr self)
{
    const nlp* p = self;
    (void)n, (void)is_new, (void)m;
    if (values != NULL) return p->entries(p->self, x, values);
    memcpy(row, p->row, (size_t)count * sizeof *row);
    memcpy(column, p->column, (size_t)count * sizeof *column);
    return TRUE;
}

static Bool curvature_of(Index n, Number* x, Bool is_new, Number factor, Index m, Number* lambda,
                         Bool is_new_lambda, Index count, Index* row, Index* column, Number* values,
                         UserDataPtr self)
{
    const nlp* p = self;
    (void)n, (void)is_new, (void)m, (void)is_new_lambda;
    if (values != NULL) return p->curvature(p->self, x, factor, lambda, values);
    memcpy(row, p->curve_row, (size_t)count * sizeof *row);
    memcpy(column, p->curve_column, (size_t)count * sizeof *column);
    return TRUE;
}

static Bool tell(Index mode, Index iteration, Number value, Number inf_pr, Number inf_du, Number mu,
                 Number d_norm, Number regularization, Number alpha_du, Number alpha_pr,
                 Index trials, UserDataPtr self)
{
    const nlp* p = self;
    (void)mode, (void)value, (void)inf_pr, (void)inf_du, (void)mu, (void)d_norm;
    (void)regularization, (void)alpha_du, (void)alpha_pr, (void)trials;
    return !p->progress(p->self, iteration);
}

// ---- solving

static bool set_up(const library* l, IpoptProblem own, const nlp_settings* settings)
{
    static char* const texts[][2] = {
        {"mu_strategy", "adaptive"},
        {"sb", "yes"},             // no banner: the library does not print
        {"option_file_name", ""},  // what lies in the folder does not count
    };
    bool is_done = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        is_done = is_done && l->set_text(own, texts[i][0], texts[i][1]);
    }
    return is_done && l->set_whole(own, "print_level", 0) &&
           l->set_whole(own, "max_iter", settings->iterations) &&
           // converged means to the tolerance, not to what would be acceptable
           l->set_whole(own, "acceptable_iter", 0) &&
           l->set_number(own, "tol", settings->tolerance) && l->set_progress(own, tell);
}

tml_status tml__nlp_solve(const nlp* problem, const nlp_settings* settings, double* x,
                          bool* has_converged, message* why)
{
    library l = {0};
    nlp kept = *problem;
    tml_status status = load(&l, why);
    IpoptProblem own = NULL;
    double* zero = NULL;
    *has_converged = false;
    if (status == TML_OK) {
        zero = tml__allocate(NULL, (size_t)kept.row_count + 1, sizeof *zero);
        if (zero != NULL) {
            own = l.create(kept.count, kept.lower, kept.upper, kept.row_count, zero, zero,
                           kept.entry_count, kept.curve_count, 0, value_of, rows_of, gradient_of,
                           entries_of, curvature_of);
        }
        if (own == NULL) status = tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    if (status == TML_OK && !set_up(&l, own, settings)) {
        status = tml__fail(why, TML_UNSUPPORTED, "IPOPT refuses an option of method 'shooting'");
    }
    if (status == TML_OK) {
        *has_converged = l.solve(own, x, NULL, NULL, NULL, NULL, NULL, &kept) == Solve_Succeeded;
    }
    if (own != NULL) l.destroy(own);
    tml__release(NULL, zero);
    // the library stays loaded: its threads may not be pulled from under it
    return status;
}

#else

tml_status tml__nlp_solve(const nlp* problem, const nlp_settings* settings, double* x,
                          bool* has_converged, message* why)
{
    (void)problem, (void)settings, (void)x;
    *has_converged = false;
    return tml__fail(why, TML_UNSUPPORTED, "method 'shooting': this build has no IPOPT");
}

#endif
