#define _GNU_SOURCE
#include "CRxBench.h"
#include <errno.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int rxbench_open_instruction_counter(void) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    // Threads that are started later are counted too. A read returns the sum.
    attributes.inherit = 1;
    // glibc has no wrapper for this call.
    int descriptor = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int rxbench_read_instruction_counter(int descriptor, uint64_t *count) {
    ssize_t size = read(descriptor, count, sizeof *count);
    if (size == (ssize_t)sizeof *count) return 0;
    return size < 0 ? errno : ENODEV;
}

int rxbench_try_instruction_counter(void) {
    int descriptor = rxbench_open_instruction_counter();
    if (descriptor < 0) return -descriptor;
    uint64_t count = 0;
    int error = rxbench_read_instruction_counter(descriptor, &count);
    close(descriptor);
    if (error != 0) return error;
    // A counter that never runs reads 0. Some hypervisors accept the event but count nothing.
    return count > 0 ? 0 : ENODEV;
}
#else
int rxbench_open_instruction_counter(void) { return -ENOSYS; }
int rxbench_read_instruction_counter(int descriptor, uint64_t *count) { return ENOSYS; }
int rxbench_try_instruction_counter(void) { return ENOSYS; }
#endif
