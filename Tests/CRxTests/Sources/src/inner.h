static inline __attribute__((always_inline)) int twice(int x) {
    volatile int y = x;
    return y * 2;
}
