#define _GNU_SOURCE
#include "CPerformance.h"
#include <errno.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int platform_try_instruction_counter(void) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    // glibc has no wrapper for this call.
    int descriptor = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    if (descriptor < 0) return errno;
    uint64_t count = 0;
    ssize_t size = read(descriptor, &count, sizeof count);
    close(descriptor);
    // A counter that never runs reads 0: some hypervisors accept the event and count nothing.
    return size == (ssize_t)sizeof count && count > 0 ? 0 : ENODEV;
}
#else
int platform_try_instruction_counter(void) { return ENOSYS; }
#endif
