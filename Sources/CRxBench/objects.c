#include "CRxBench.h"
#include <stddef.h>

#if defined(__linux__)
// The result of `objects_of_all_threads`, in CObjects.h.
typedef struct counts {
    uint64_t allocations, deallocations, retains, releases;
} counts;

// Weak: NULL in a program that does not link CObjects.
extern const char *objects_obstacle(void) __attribute__((weak));
extern counts objects_of_all_threads(void) __attribute__((weak));

const char *rxbench_objects_obstacle(void) {
    if (objects_obstacle == NULL || objects_of_all_threads == NULL)
        return "this tool does not interpose the functions of Swift's runtime; link it with the product "
               "'RxTraceObjects'";
    return objects_obstacle();
}

rxbench_objects rxbench_objects_of_all_threads(void) {
    if (objects_of_all_threads == NULL) return (rxbench_objects){ 0 };
    counts now = objects_of_all_threads();
    return (rxbench_objects){ now.allocations, now.retains, now.releases };
}
#else
const char *rxbench_objects_obstacle(void) { return "objects are counted on Linux for x86-64 alone"; }
rxbench_objects rxbench_objects_of_all_threads(void) { return (rxbench_objects){ 0 }; }
#endif
