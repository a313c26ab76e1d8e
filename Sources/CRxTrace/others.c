#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CHeapWatch.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int64_t nanoseconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

rxtrace_others rxtrace_others_now(void) {
    rxtrace_others now = { 0 };
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

size_t rxtrace_thread_times_now(rxtrace_thread_time *threads, size_t room) {
    size_t count = 0;
#if defined(__linux__)
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL) return 0;
    for (struct dirent *entry; count < room && (entry = readdir(folder)) != NULL;) {
        long thread = strtol(entry->d_name, NULL, 10);
        if (thread <= 0 || thread == gettid()) continue;
        char path[64];
        snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", thread);
        FILE *file = fopen(path, "r");
        // It has ended meanwhile.
        if (file == NULL) continue;
        long long time;
        if (fscanf(file, "%lld", &time) == 1) threads[count++] = (rxtrace_thread_time){ thread, time };
        fclose(file);
    }
    closedir(folder);
#endif
    return count;
}
