#include "CRaceFixture.h"

static void lock(race_counter *counter) {
    while (atomic_exchange_explicit(&counter->lock, 1, memory_order_acquire)) {}
}

void race_counter_raise(race_counter *counter) { counter->value++; }

void race_counter_raise_locked(race_counter *counter) {
    lock(counter);
    counter->value++;
    atomic_store_explicit(&counter->lock, 0, memory_order_release);
}

// Unlocks with a relaxed store, which does not publish the value.
void race_counter_raise_hastily(race_counter *counter) {
    lock(counter);
    counter->value++;
    atomic_store_explicit(&counter->lock, 0, memory_order_relaxed);
}
