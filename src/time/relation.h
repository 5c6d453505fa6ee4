// time/relation.h - what the past says about the end of a step.
//
// Every implicit formula reads
//     v = v_hat + c_v a          q = q_hat + c_q a
// so a stage is two numbers and two vectors. A formulation needs nothing else of an integrator.
#ifndef TML_TIME_RELATION_H
#define TML_TIME_RELATION_H

#include "base/message.h"

#include <trammel/time.h>

#include <stdbool.h>

enum {
    TIME_PAST = 6
};  // states that the highest BDF looks back on

// The accepted states, the newest first. q and v are flat vectors of the same length; for
// quaternions v is the full rate, its normal part included.
typedef struct time_history {
    double h;
    int count;  // how many of the pointers are valid
    const double* q[TIME_PAST];
    const double* v[TIME_PAST];
} time_history;

typedef struct time_relation {
    double c_v, c_q;
    double* v_hat;
    double* q_hat;
} time_relation;

// Backward differences of order 1 to 6; past->count >= order.            [QRBD (25) Sec 5.1]
void tml__bdf(const time_history* past, int order, int n, time_relation* out);

// The transpose of that map, for gradients: what v_hat and q_hat owe to the states before grows in
// past_q and past_v.
void tml__bdf_transposed(int order, double h, int n, const double* v_hat, const double* q_hat,
                         double* const* past_q, double* const* past_v);

// The order of a BDF member, 0 for anything else.
int tml__bdf_order(tml_integrator integrator);

// Where the past leads: the position that the relation gives to the velocity one step on, which is
// extrapolated with as many differences as shrink. Only a guess for the solver, but the nearer it is
// the fewer iterations follow. False: the motion is not smooth enough to tell.
bool tml__extrapolate(const time_history* past, const time_relation* relation, int n, double* q);

// The same by Adams-Bashforth: the velocities as they are, integrated. Further from the solution where
// they carry the error of a formula, but another place to start from.
bool tml__integrate_past(const time_history* past, int n, double* q);

// A two-stage singly diagonally implicit Runge-Kutta method.             [QRBD (26)-(28) App A]
typedef struct dirk {
    double a[2][2], b[2], c[2];
    int is_stiffly_accurate;  // the last stage is the step
} dirk;

// NULL when the integrator is not one of them.
const dirk* tml__dirk(tml_integrator integrator);

// Rates of finished stages: k_q = v_i, k_v = a_i.
typedef struct dirk_rates {
    double* q[2];
    double* v[2];
} dirk_rates;

// The relation of a stage, from the state at the start of the step and the finished stages.
void tml__dirk_stage(const dirk* method, int stage, double h, const double* q, const double* v,
                     const dirk_rates* k, int n, time_relation* out);

// The rates of a stage from its solution.
void tml__dirk_rate(const time_relation* relation, const double* q_stage, int n, double* k_q,
                    double* k_v);

// q1 = q + h sum b_i k_i, for a method that does not end on its last stage.
void tml__dirk_close(const dirk* method, double h, const double* q, const double* v,
                     const dirk_rates* k, int n, double* q1, double* v1);

// Newmark's method from a state and its acceleration; gamma = 1/2, beta = 1/4 is the trapezoidal rule
// (Crank-Nicolson). beta > 0.                                        [COOK Sec 7.5]
typedef struct newmark {
    double gamma, beta;
} newmark;

void tml__newmark(const newmark* method, double h, const double* q, const double* v,
                  const double* a, int n, time_relation* out);

// A general implicit linear multistep formula.
// `a` holds the accelerations of the past states, as past->q and past->v do. alpha_0 and beta_0 are
// not zero.                                                                          [COOK (164)]
void tml__multistep(const tml_multistep* method, const time_history* past, const double* const* a,
                    int n, time_relation* out);

// v at the end of a stage, given q there: v_hat + (c_v / c_q)(q - q_hat).
void tml__relation_velocity(const time_relation* relation, const double* q, int n, double* v);

#endif
