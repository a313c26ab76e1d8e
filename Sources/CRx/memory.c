#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CRegistry.h"
#include <sys/mman.h>

// In a file of its own, as the readers of images need it in programs that trace nothing: a file is linked as a whole,
// and the registry would come with it.

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
