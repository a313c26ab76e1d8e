// Hashing of words.
#pragma once
#include <stdint.h>

// A word's bits spread over the product's upper ones, which are what to take: multiplied by the golden ratio's fraction
// in 64 bits (D. E. Knuth, The Art of Computer Programming, vol. 3, 6.4).
static inline __attribute__((always_inline)) uint64_t rx_spread(uint64_t word) { return word * 0x9E3779B97F4A7C15u; }
