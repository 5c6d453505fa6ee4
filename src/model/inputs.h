// model/inputs.h - the values of all inputs of a model (trammel/inputs.h) at a time.
#ifndef TML_MODEL_INPUTS_H
#define TML_MODEL_INPUTS_H

#include "model/model.h"

#include <trammel/inputs.h>

void tml__inputs_eval(const tml_model* m, double time, double* out);

#endif
