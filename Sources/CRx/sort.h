#pragma once
#include <stdbool.h>
#include <stddef.h>

// Sorts items by the number of eight bytes that each begins with; equal ones stay in their order. O(n) for each byte in
// which numbers differ, never more than eight. As much memory of the system again meanwhile; `false`, and nothing is
// moved, where there is none.
bool rx_sort(void *items, size_t count, size_t size);
