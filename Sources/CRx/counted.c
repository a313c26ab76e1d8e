#include "CCounters.h"

// In a file of its own, as what reads counts is not part of a program that traces nothing: a file is linked as a whole.
extern rx_counters *rx_all_counters;

long rx_counted(uint32_t type) {
    long sum = 0;
    for (rx_counters *counters = __atomic_load_n(&rx_all_counters, __ATOMIC_ACQUIRE); counters != NULL;
        counters = counters->next) {
        sum += __atomic_load_n(&counters->counts[type], __ATOMIC_RELAXED);
    }
    return sum;
}
