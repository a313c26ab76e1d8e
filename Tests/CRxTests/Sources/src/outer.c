#include "inner.h"
static inline __attribute__((always_inline)) int fourfold(int x) {
    return twice(x)
        + twice(x + 1);
}

int sum(int x) {
    int a = fourfold(x);
    return a
        + x;
}

void nothing(void) {}

__attribute__((visibility("hidden"))) int dropped(int x) { return x; }
