// app/findings.c - the words for rows, for `info` and `report`.
#include "app/findings.h"

#include <stdio.h>

void row_name(const tml_model* model, const tml_row_id* row, char* words, size_t capacity)
{
    if (row->joint.index >= 0) {
        snprintf(words, capacity, "%s.%s", tml_model_joint_name(model, row->joint),
                 tml_axis_name(row->axis));
    } else if (row->coupling < 0) {
        static const char* const what[] = {"height", "first slip", "second slip"};
        snprintf(words, capacity, "%s (%s)", tml_model_nonholonomic_name(model, row->nonholonomic),
                 what[row->tie_row]);
    } else {
        snprintf(words, capacity, "coupling %d", row->coupling);
    }
}
