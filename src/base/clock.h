// base/clock.h - processor time of this thread, for reports only; never an input to the numbers.
#ifndef TML_BASE_CLOCK_H
#define TML_BASE_CLOCK_H

double tml__clock(void);  // s

#endif
