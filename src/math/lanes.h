// math/lanes.h - pieces that are compiled once for every machine and once for vectors of four doubles.
//
// A piece is written with gcc's vector types and inlined into two functions, one of them for AVX2; whoever
// calls asks the processor. Every lane sees the same operations in the same order, none of them fused, so that
// both give the same bits.
#ifndef TML_MATH_LANES_H
#define TML_MATH_LANES_H

#define KERNEL static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define FOR_AVX2 __attribute__((target("avx2")))
#else
#define FOR_AVX2
#endif

#endif
