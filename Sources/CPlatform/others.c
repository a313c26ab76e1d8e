#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CHeapWatch.h"
#include <sys/resource.h>
#include <time.h>

static int64_t nanoseconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

rx_others rx_others_now(void) {
    rx_others now = { 0 };
#if defined(__linux__)
    struct rusage all, own;
    getrusage(RUSAGE_SELF, &all);
    getrusage(RUSAGE_THREAD, &own);
    now.sleeps = all.ru_nvcsw - own.ru_nvcsw;
#endif
    int64_t before = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID), whole = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
    now.most_nanoseconds = whole - before;
    now.least_nanoseconds = whole - nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
    return now;
}
