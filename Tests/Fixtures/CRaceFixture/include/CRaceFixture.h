#pragma once
#include <stdatomic.h>

// Code in C, which a search instruments in the same way as Swift code.
typedef struct {
    atomic_int lock;
    int value;
} race_counter;

static inline int race_counter_value(const race_counter *counter) { return counter->value; }
void race_counter_raise(race_counter *counter);
void race_counter_raise_locked(race_counter *counter);
void race_counter_raise_hastily(race_counter *counter);
