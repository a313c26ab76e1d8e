#define _GNU_SOURCE
#include "CRxTrace.h"
#include "CHeapWatch.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { signals = 65 };

static struct {
    // The descriptor plus 1; 0 if nothing is written.
    int descriptor;
    // Whether `handle` is installed for this signal, either directly or below a handler that was installed later.
    bool is_entered;
    struct sigaction previous;
} installed[signals];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t owner;

// Calls only functions that POSIX.1-2017, 2.4.3 allows in a handler.
static void handle(int signal, siginfo_t *info, void *context) {
    int error = errno;
    // Acquire: pairs with the release in `rxtrace_signal_install`, so that `previous` is visible as well.
    int descriptor = __atomic_load_n(&installed[signal].descriptor, __ATOMIC_ACQUIRE) - 1;
    if (descriptor >= 0 && getpid() == owner) {
        unsigned char byte = (unsigned char)signal;
        ssize_t written = write(descriptor, &byte, 1);
        (void)written;
    }
    const struct sigaction *previous = &installed[signal].previous;
    if (previous->sa_flags & SA_SIGINFO) {
        previous->sa_sigaction(signal, info, context);
    } else if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
        previous->sa_handler(signal);
    }
    errno = error;
}

static int enter(int signal) {
    if (sigaction(signal, NULL, &installed[signal].previous) != 0) return errno;
    struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
    action.sa_mask = installed[signal].previous.sa_mask;
    if (sigaction(signal, &action, NULL) != 0) return errno;
    installed[signal].is_entered = true;
    return 0;
}

int rxtrace_signal_install(int signal, int descriptor) {
    if (signal <= 0 || signal >= signals) return EINVAL;
    pthread_mutex_lock(&lock);
    owner = getpid();
    int error = installed[signal].is_entered ? 0 : enter(signal);
    // Release: a handler that sees the descriptor also sees the previous handler, to which it forwards.
    if (error == 0) __atomic_store_n(&installed[signal].descriptor, descriptor + 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return error;
}

void rxtrace_signal_remove(int signal) {
    if (signal <= 0 || signal >= signals) return;
    pthread_mutex_lock(&lock);
    __atomic_store_n(&installed[signal].descriptor, 0, __ATOMIC_RELAXED);
    struct sigaction current;
    if (installed[signal].is_entered && sigaction(signal, NULL, &current) == 0 && (current.sa_flags & SA_SIGINFO) &&
        current.sa_sigaction == handle) {
        sigaction(signal, &installed[signal].previous, NULL);
        installed[signal].is_entered = false;
    }
    pthread_mutex_unlock(&lock);
}

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
