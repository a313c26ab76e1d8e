#include "src/inner.h"
static inline __attribute__((always_inline)) int fourfold(int x) {
    return twice(x)
        + twice(x + 1);
}

int sumOnTop(int x) {
    int a = fourfold(x);
    return a
        + x;
}

void nothingOnTop(void) {}
