// trammel/sweep_results.h - the file of a sweep read back: its columns, and the texts it was made from.
//
// Whatever the file says is checked: sizes before memory is taken, places, checksums.
#ifndef TRAMMEL_SWEEP_RESULTS_H
#define TRAMMEL_SWEEP_RESULTS_H

#include <trammel/base.h>

TML_BEGIN_C

typedef struct tml_sweep_results tml_sweep_results;  // opaque

// An array of the file. Numbers are as they stand there: `type` is NPY's, "<f8", "|i1" or "|S200".
typedef struct tml_sweep_array {
    const char* name;
    const char* type;
    long long rows;    // of the first axis
    int width;         // of the second; 1 where there is none
    size_t item;       // bytes of one
    const void* data;  // borrowed; may be unaligned
} tml_sweep_array;

// Read a file that tml_sweep_run_file has finished. TML_BAD_FILE, with a sentence in `why`: it is not one.
TML_API tml_status tml_sweep_results_read(const char* path, char* why, size_t capacity,
                                          tml_sweep_results** out);
TML_API void tml_sweep_results_destroy(tml_sweep_results* r);  // NULL is fine

TML_API long long tml_sweep_results_row_count(const tml_sweep_results* r);
TML_API int tml_sweep_results_count(const tml_sweep_results* r);
TML_API tml_sweep_array tml_sweep_results_array(const tml_sweep_results* r, int index);
TML_API int tml_sweep_results_find(const tml_sweep_results* r, const char* name);  // -1: none

// A number of an array of doubles; not a number where there is none.
TML_API double tml_sweep_results_number(const tml_sweep_results* r, int array, long long row,
                                        int k);

// The texts: "scene.json", "sweep.json", "trammel.version". Not terminated; NULL: there is none.
TML_API const char* tml_sweep_results_text(const tml_sweep_results* r, const char* name,
                                           size_t* length);

TML_END_C

#endif
