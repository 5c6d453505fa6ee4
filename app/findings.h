// app/findings.h - how the doctor's findings are put into words.
#ifndef TRAMMEL_APP_FINDINGS_H
#define TRAMMEL_APP_FINDINGS_H

#include <trammel/trammel.h>

// "elbow.rx", or "coupling 2".
void row_name(const tml_model* model, const tml_row_id* row, char* words, size_t capacity);

#endif
