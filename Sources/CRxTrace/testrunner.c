#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CHeapWatch.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The hooks that the Swift runtime calls for each thrown error, and those to which the hooks of CRx forward. Weak: a
// program may lack them.
extern void *_swift_willThrow __attribute__((weak));
extern void *_swift_willThrowTypedImpl __attribute__((weak));
extern void *rx_next_throw_hook __attribute__((weak));
extern void *rx_next_typed_throw_hook __attribute__((weak));

enum { hooks = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pauses;
// The hooks of Swift Testing, while they are paused.
static void *paused[hooks];

static void **place_of(int index) {
    void **places[hooks] = {
        &_swift_willThrow, &_swift_willThrowTypedImpl, &rx_next_throw_hook, &rx_next_typed_throw_hook,
    };
    return places[index];
}

static bool is_of_swift_testing(const void *function) {
    Dl_info image;
    if (function == NULL || dladdr(function, &image) == 0 || image.dli_fname == NULL) return false;
    const char *slash = strrchr(image.dli_fname, '/');
    const char *name = slash == NULL ? image.dli_fname : slash + 1;
    return strncmp(name, "libTesting.", 11) == 0 || strcmp(name, "Testing") == 0;
}

void rxtrace_pause_stacks_of_testing(void) {
    pthread_mutex_lock(&lock);
    for (int index = 0; pauses == 0 && index < hooks; index++) {
        void **place = place_of(index);
        void *hook = place == NULL ? NULL : __atomic_load_n(place, __ATOMIC_ACQUIRE);
        paused[index] = is_of_swift_testing(hook) ? hook : NULL;
        if (paused[index] != NULL) __atomic_store_n(place, NULL, __ATOMIC_RELEASE);
    }
    pauses++;
    pthread_mutex_unlock(&lock);
}

void rxtrace_resume_stacks_of_testing(void) {
    pthread_mutex_lock(&lock);
    pauses--;
    for (int index = 0; pauses == 0 && index < hooks; index++) {
        void *expected = NULL;
        // A hook that was installed in the meantime stays.
        if (paused[index] != NULL)
            __atomic_compare_exchange_n(
                place_of(index), &expected, paused[index], false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&lock);
}
