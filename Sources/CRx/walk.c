#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CStacks.h"
#include "CThread.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// Separate from the store of recorded stacks: errors need the walk in programs that do not trace, and a file is linked
// as a whole.
uint32_t rx_stack_walk_from(const uintptr_t *frame, uintptr_t *addresses, uint32_t limit);

static uintptr_t end_of_stack(void) {
#if defined(__APPLE__)
    return (uintptr_t)pthread_get_stackaddr_np(pthread_self());
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    return (uintptr_t)low + size;
#else
    return 0;
#endif
}

static uintptr_t my_stack_end(void) {
    rx_counters *mine = rx_counters_mine();
    if (__builtin_expect(mine->stack_end == 0, 0)) mine->stack_end = end_of_stack();
    return mine->stack_end;
}

// Swift marks the frame of an asynchronous function in the frame pointer that it saves.
static const uintptr_t asynchronous = (uintptr_t)1 << (sizeof(uintptr_t) * 8 - 4);

// Returns the frame of the caller of the function that `frame` belongs to, or NULL if it cannot be determined. A frame
// is at a higher address than the frame it called, aligned, and within the stack. Any other value comes from a register
// that was used for something else.
static inline const uintptr_t *outer(const uintptr_t *frame, uintptr_t end) {
    uintptr_t next = frame[0] & ~asynchronous;
    int sound = next > (uintptr_t)frame && next <= end - 2 * sizeof(uintptr_t) && next % sizeof(uintptr_t) == 0;
    return sound ? (const uintptr_t *)next : NULL;
}

// Return addresses are in code, and the first page contains no code.
static inline int is_code(uintptr_t address) { return address >= 4096; }

uint32_t rx_stack_walk_from(const uintptr_t *frame, uintptr_t *addresses, uint32_t limit) {
    uintptr_t end = my_stack_end();
    // On a stack other than the thread's, such as a signal handler's stack, the end is not known.
    if ((uintptr_t)frame >= end) return 0;
    uint32_t count = 0;
    for (frame = outer(frame, end); frame != NULL && count < limit && is_code(frame[1]); frame = outer(frame, end)) {
        addresses[count++] = frame[1];
    }
    return count;
}

__attribute__((noinline)) uint32_t rx_stack_walk(uintptr_t *addresses, uint32_t limit) {
    return rx_stack_walk_from(__builtin_frame_address(0), addresses, limit);
}

const char *rx_image_of(uintptr_t address, uintptr_t *offset) {
    Dl_info information;
    if (dladdr((void *)address, &information) == 0) return NULL;
    *offset = address - (uintptr_t)information.dli_fbase;
    return information.dli_fname;
}
