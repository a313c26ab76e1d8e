#pragma once
#include <stddef.h>

// Sorts items of at most 64 bytes by the number of eight bytes that each begins with. In place, without memory, and never quadratic.
void rx_sort(void *items, size_t count, size_t size);
