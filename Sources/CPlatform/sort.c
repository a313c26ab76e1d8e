#include "sort.h"
#include <stdint.h>
#include <string.h>

typedef struct {
    char *start;
    size_t size;
} list;

static inline char *at(list l, size_t index) { return l.start + index * l.size; }

static inline uint64_t key(const char *item) {
    uint64_t number;
    memcpy(&number, item, sizeof number);
    return number;
}

static void sift(list l, size_t root, size_t count) {
    char moving[64];
    memcpy(moving, at(l, root), l.size);
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && key(at(l, child)) < key(at(l, child + 1))) child++;
        if (key(moving) >= key(at(l, child))) break;
        memcpy(at(l, root), at(l, child), l.size);
    }
    memcpy(at(l, root), moving, l.size);
}

// Heap sort (Williams, "Algorithm 232", Communications of the ACM, 1964).
void rx_sort(void *items, size_t count, size_t size) {
    list l = { .start = items, .size = size };
    char highest[64];
    for (size_t root = count / 2; root > 0; root--) sift(l, root - 1, count);
    for (size_t last = count; last > 1; last--) {
        memcpy(highest, at(l, 0), size);
        memcpy(at(l, 0), at(l, last - 1), size);
        memcpy(at(l, last - 1), highest, size);
        sift(l, 0, last - 1);
    }
}
