#define _GNU_SOURCE
#include "races.h"

// An actor is a fiber: it runs on the stack of a thread of its own that sleeps, with that thread's local storage, so
// that code inside finds one thread's identity all along. A switch exchanges registers and the base of the storage.
#ifdef RXRACES_INSTRUMENTED
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

struct rxraces_state rxraces;
_Thread_local actor *rxraces_self;

// `syscall` itself stands for what actors call.
long rxraces_system_call(long number, long a, long b, long c, long d) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
}

// The variables of a C function stand on the stack that is left.
__attribute__((naked)) static void exchange(
    void **left __attribute__((unused)), void *entered __attribute__((unused)), uint64_t fs __attribute__((unused))
) {
    __asm__("push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15;"
            "mov %rsp, (%rdi); mov %rsi, %rsp; wrfsbase %rdx;"
            "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp; ret");
}

void rxraces_switch(actor *from, actor *to) { exchange(&from->sp, to->sp, to->fs); }

void rxraces_abandon(actor *self) {
    rxraces_switch(self, &rxraces.controller);
    abort();
}

static void live(void) {
    while (true) {
        actor *self = rxraces_self;
        self->body(self->context);
        self->is_live = false;
        actor *next = rxraces.phase == RUN && !rxraces.is_starting ? rxraces_decide() : NULL;
        // Comes back for the next execution.
        rxraces_switch(self, next != NULL ? next : &rxraces.controller);
    }
}

static void sleep_until(uint32_t *word) {
    while (!__atomic_exchange_n(word, 0, __ATOMIC_ACQUIRE))
        rxraces_system_call(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, 0, 0);
}

static void reset_stack(actor *self) {
    uint64_t *sp = self->top;
    memset(sp, 0, 6 * sizeof *sp);
    sp[6] = (uint64_t)live;
    sp[7] = 0;
    self->sp = sp;
}

static void *lend(void *argument) {
    actor *self = argument;
    uint32_t never = 0;
    rxraces_self = self;
    self->fs = (uint64_t)pthread_self();
    self->thread_id = (int)rxraces_system_call(SYS_gettid, 0, 0, 0, 0);
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    self->stack_low = (uintptr_t)low;
    self->stack_high = (uintptr_t)low + size;
    // Deep enough below where this thread sleeps.
    self->top = (void *)((((uintptr_t)__builtin_frame_address(0) - 65536) & ~63ull) - 64);
    reset_stack(self);
    __atomic_store_n(&self->is_ready, 1, __ATOMIC_RELEASE);
    rxraces_system_call(SYS_futex, (long)&self->is_ready, FUTEX_WAKE_PRIVATE, 1, 0);
    while (true) sleep_until(&never);
}

void rxraces_employ(actor *employee) {
    static int left_behind;
    // Frames of an actor that did not get to its end cannot be unwound: they stay, with their thread. Threads would
    // run out: later ones are written over, and what they have in local storage stays.
    if (employee->is_employed && (!employee->is_live || ++left_behind > 200)) {
        if (employee->is_live) reset_stack(employee);
        employee->is_live = false;
        return;
    }
    employee->is_ready = 0;
    employee->is_live = false;
    employee->is_employed = true;
    pthread_t thread;
    if (pthread_create(&thread, NULL, lend, employee) != 0) abort();
    pthread_detach(thread);
    sleep_until(&employee->is_ready);
}
#endif
