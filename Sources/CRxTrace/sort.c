#include "images.h"
#include "CRegistry.h"
#include <stdint.h>
#include <string.h>

typedef struct {
    char *start;
    size_t count, size;
} list;

static inline uint64_t key(const char *item) {
    uint64_t number;
    memcpy(&number, item, sizeof number);
    return number;
}

// Returns the bits in which the numbers differ, or 0 if the numbers are already in order.
static uint64_t differences(list l) {
    uint64_t first = l.count == 0 ? 0 : key(l.start), last = first, different = 0;
    bool is_sorted = true;
    for (const char *item = l.start, *end = l.start + l.count * l.size; item < end; item += l.size) {
        uint64_t number = key(item);
        different |= number ^ first;
        is_sorted = is_sorted && last <= number;
        last = number;
    }
    return is_sorted ? 0 : different;
}

static void distribute(list from, char *to, unsigned shift) {
    size_t before[257] = { 0 };
    const char *end = from.start + from.count * from.size;
    for (const char *item = from.start; item < end; item += from.size) before[(key(item) >> shift & 0xFF) + 1]++;
    for (size_t digit = 1; digit < 256; digit++) before[digit] += before[digit - 1];
    for (const char *item = from.start; item < end; item += from.size) {
        memcpy(to + before[key(item) >> shift & 0xFF]++ * from.size, item, from.size);
    }
}

// Radix sort, starting with the lowest byte (D. E. Knuth, The Art of Computer Programming, vol. 3, 5.2.5, algorithm R).
// Sorting took most of the time to read a program's symbols: decision 15.
bool rxtrace_sort(void *items, size_t count, size_t size) {
    list from = { items, count, size };
    uint64_t different = differences(from);
    if (different == 0) return true;
    char *room = rx_reserve(count * size), *to = room;
    if (room == NULL) return false;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((different >> shift & 0xFF) == 0) continue;
        distribute(from, to, shift);
        char *sorted = to;
        to = from.start;
        from.start = sorted;
    }
    if (from.start == room) memcpy(items, room, count * size);
    rx_release(room, count * size);
    return true;
}
