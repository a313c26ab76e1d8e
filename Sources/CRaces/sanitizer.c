#define _GNU_SOURCE
#include "CRaces.h"

// The reports of ThreadSanitizer's own library, in a program that is compiled with it, for races on real threads.
#ifndef __has_feature
#define __has_feature(name) 0
#endif

rxraces_instrumentation_kind rxraces_instrumentation(void) {
#if __has_feature(thread_sanitizer)
    return rxraces_sanitized;
#elif defined(RXRACES_DEEP)
    return rxraces_deep;
#elif defined(RXRACES_INSTRUMENTED)
    return rxraces_ordinary;
#else
    return rxraces_not_instrumented;
#endif
}

#if __has_feature(thread_sanitizer)
#include <dlfcn.h>
#include <string.h>

// llvm, compiler-rt/lib/tsan/rtl/tsan_debugging.cpp
int __tsan_get_report_data(
    void *report, const char **description, int *count, int *stack_count, int *access_count, int *location_count,
    int *mutex_count, int *thread_count, int *unique_count, void **sleep_trace, uintptr_t trace_size);
int __tsan_get_report_mop(
    void *report, uintptr_t index, int *thread, void **address, int *size, int *writes, int *is_atomic, void **trace,
    uintptr_t trace_size);

#define UNSEEN __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))

static rxraces_failure reported;
static void *traces[2][rxraces_frames];

// Called by the library, under its lock, once it has printed a report.
UNSEEN void __tsan_on_report(void *report);
UNSEEN void __tsan_on_report(void *report) {
    const char *description = NULL;
    int unused[6], accesses = 0;
    void *sleep[1];
    __tsan_get_report_data(
        report, &description, &unused[0], &unused[1], &accesses, &unused[2], &unused[3], &unused[4], &unused[5], sleep,
        1);
    // One of overlapping accesses to a variable, which Swift's compiler marks besides loads and stores, is a data race.
    bool is_race = strcmp(description, "data-race") == 0 || strcmp(description, "external-race") == 0;
    if (reported.kind != rxraces_no_failure || accesses < 2 || !is_race) return;
    int size, is_atomic, writes[2];
    void *address;
    // The first access is the one that has noticed it.
    for (int i = 0; i < 2; i++) {
        int thread;
        __tsan_get_report_mop(
            report, (uintptr_t)i, &thread, &address, &size, &writes[i], &is_atomic, traces[i], rxraces_frames);
    }
    reported = (rxraces_failure){
        .kind = rxraces_data_race, .address = (uintptr_t)address, .actor = -1, .other = -1, .writes = writes[0],
        .other_writes = writes[1]};
}

UNSEEN rxraces_failure rxraces_reported(void) { return reported; }

UNSEEN uint32_t rxraces_reported_stack(bool is_other, uintptr_t *addresses, uint32_t limit) {
    uint32_t written = 0;
    // Behind each call, as return addresses are.
    while (written < limit && written < rxraces_frames && traces[is_other][written] != NULL) {
        addresses[written] = (uintptr_t)traces[is_other][written] + 1;
        written++;
    }
    return written;
}

// A contended Mutex of Swift is locked and unlocked in a library that is not instrumented: without an order that the
// sanitizer knows of, it would report what the lock guards.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define MUTEX(name) __asm__("$s15Synchronization12_MutexHandleV" name)
#define MUTEX_ORIGINAL(name) dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV" name)
#define SWIFT __attribute__((swiftcall))
#define WORD __attribute__((swift_context)) uint32_t *word

UNSEEN SWIFT void rxraces_lock_slowly(uint32_t thread, WORD) MUTEX("9_lockSlowyys6UInt32VF");
UNSEEN SWIFT bool rxraces_try_slowly(WORD) MUTEX("12_tryLockSlowSbyF");
UNSEEN SWIFT void rxraces_unlock_slowly(WORD) MUTEX("11_unlockSlowyyF");

UNSEEN SWIFT void rxraces_lock_slowly(uint32_t thread, WORD) {
    SWIFT void (*original)(uint32_t, WORD) = MUTEX_ORIGINAL("9_lockSlowyys6UInt32VF");
    original(thread, word);
    __tsan_acquire(word);
}

UNSEEN SWIFT bool rxraces_try_slowly(WORD) {
    SWIFT bool (*original)(WORD) = MUTEX_ORIGINAL("12_tryLockSlowSbyF");
    bool is_locked = original(word);
    if (is_locked) __tsan_acquire(word);
    return is_locked;
}

UNSEEN SWIFT void rxraces_unlock_slowly(WORD) {
    SWIFT void (*original)(WORD) = MUTEX_ORIGINAL("11_unlockSlowyyF");
    __tsan_release(word);
    original(word);
}
#else
rxraces_failure rxraces_reported(void) { return (rxraces_failure){.kind = rxraces_no_failure}; }
uint32_t rxraces_reported_stack(bool is_other, uintptr_t *addresses, uint32_t limit) {
    return (void)is_other, (void)addresses, (void)limit, 0;
}
#endif
