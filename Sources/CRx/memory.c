#include "CRegistry.h"
#include <sys/mman.h>

// In a separate file, so that a program that needs memory but does not trace does not link the registry.

void *rx_reserve(size_t size) {
#if defined(MAP_NORESERVE)
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#else
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#endif
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void rx_release(void *memory, size_t size) { munmap(memory, size); }
