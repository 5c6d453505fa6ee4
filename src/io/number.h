// io/number.h - doubles as text, read and written the same in every locale.
//
// Reading is correctly rounded (to nearest, ties to even) whatever the number of digits, so what
// the 17 digits of tml__number_write17 say is read back with the same bits.
#ifndef TML_IO_NUMBER_H
#define TML_IO_NUMBER_H

#include <stdbool.h>

enum {
    NUMBER_CHARS = 40
};  // room for any number written here, terminator included

typedef enum number_result {
    NUMBER_OK,
    NUMBER_MALFORMED,  // not a number as JSON writes them
    NUMBER_HUGE,       // larger than the largest double
} number_result;

// Read the JSON number at `text`, which ends at the latest with a zero byte. *stop is the first
// byte that is not part of it. Numbers too small for a double become zero.
number_result tml__number_read(const char* text, double* out, const char** stop);

// Write a finite number with 17 significant digits; returns the length.
int tml__number_write17(char out[NUMBER_CHARS], double value);

// Write a finite number with the fewest of 15, 16 or 17 digits that read back with the same bits.
int tml__number_write(char out[NUMBER_CHARS], double value);

// Put the point of JSON where printf put that of the locale, which may be several bytes long, into
// a number of `length` bytes; returns the new length.
int tml__number_replace_point(char* text, int length);

#endif
