#include "races.h"

#ifdef RXRACES_INSTRUMENTED
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static void (*run_body)(void *, int);

const char *rxraces_obstacle(void) {
    enum { FSGSBASE = 2 };
    return getauxval(AT_HWCAP2) & FSGSBASE
        ? NULL : "This kernel or processor does not let programs exchange the base of thread-local storage (FSGSBASE).";
}

// A crash ends the execution, not the search.
static void crash(int signal, siginfo_t *info, void *context) {
    (void)info;
    actor *self = rxraces_self;
    if (self == NULL || self == &rxraces.controller || rxraces.phase == IDLE) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal, &usual, NULL);
        raise(signal);
        return;
    }
    uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] + 1;
    const char *known = rxraces_known_trap(pc);
    if (known != NULL) rxraces_refuse(self, known, pc);
    rxraces_fail((rxraces_failure){
        .kind = rxraces_crash, .actor = self->index, .other = -1, .pc = pc, .signal = signal,
        .stack = rxraces_record_stack(self, pc)});
    rxraces_abandon(self);
}

// MARK: The time limit

enum { TICK = 50000000, TICKS = 20, PATIENCE = 30, GRACE = 10 };
static volatile sig_atomic_t is_over;
// The number of ticks until the time limit, since the time limit, and since the last step.
static volatile int left, late, idle;
// The number of ticks for which the actor has waited in one system call.
static volatile int waiting;
static volatile greg_t waits_at;
static volatile uint64_t last_progress;

bool rxraces_is_over(void) { return is_over; }

// Whether the signal has interrupted a waiting system call: either a call that restarts, or a call that returns EINTR
// to its caller.
static bool is_interrupted_call(const greg_t *registers) {
    const uint8_t *next = (const uint8_t *)registers[REG_RIP];
    const uint8_t *call = registers[REG_RAX] == -EINTR ? next - 2 : next;
    return call[0] == 0x0F && call[1] == 0x05;
}

// Abandons an actor that takes no step for a second, and an actor that still runs half a second after the time limit. A
// library gets half a second more, because it may hold locks that the rest of this process needs.
static void tick(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    if (left > 0) left--;
    else late++;
    if (left == 0) is_over = 1;
    actor *self = rxraces_self;
    bool acts = self != NULL && self != &rxraces.controller && rxraces.phase != IDLE;
    uint64_t progress = rxraces.counts.steps + rxraces.generation;
    idle = acts && progress == last_progress ? idle + 1 : 0;
    last_progress = progress;
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    waiting = idle > 0 && registers[REG_RIP] == waits_at && is_interrupted_call(registers) ? waiting + 1 : 0;
    waits_at = registers[REG_RIP];
    if (!acts || (idle < TICKS && late < GRACE)) return;
    static rxraces_image program;
    if (program.high == 0) program = rxraces_image_around((const void *)tick);
    uintptr_t pc = (uintptr_t)registers[REG_RIP] + 1;
    bool is_waiting = waiting >= TICKS - 2;
    if (!is_waiting && !rxraces_is_in(&program, pc) && idle < PATIENCE && late < TICKS) return;
    if (is_waiting) rxraces_refuse(self, rxraces_waiting_call(registers[REG_RAX]), pc);
    rxraces_fail((rxraces_failure){.kind = rxraces_unfinished, .actor = self->index, .other = -1, .pc = pc});
    self->pending.pc = pc;
    idle = 0;
    rxraces_abandon(self);
}

void rxraces_limit(double seconds) {
    static timer_t timer;
    static bool is_made;
    left = (int)(seconds * TICKS) + 1;
    late = idle = 0;
    is_over = 0;
    if (is_made) return;
    is_made = true;
    struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO | SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    // The signal goes to this thread, which runs all actors.
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
    event._sigev_un._tid = (int)rxraces_system_call(SYS_gettid, 0, 0, 0, 0);
    struct itimerspec times = {.it_interval = {.tv_nsec = TICK}, .it_value = {.tv_nsec = TICK}};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &times, NULL) != 0) abort();
}

static void ready(void) {
    static bool is_ready;
    static char stack[1 << 16];
    if (is_ready) return;
    is_ready = true;
    rxraces_take_tasks();
    rxraces_self = &rxraces.controller;
    rxraces.controller.index = ACTORS;
    rxraces.controller.fs = (uint64_t)pthread_self();
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    static const int signals[] = {SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGABRT, SIGFPE};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
        sigaction(signals[i], &action, NULL);
    }
}

void rxraces_start(const rxraces_plan *plan) {
    ready();
    rxraces.plan = *plan;
    if (plan->strategy == rxraces_reduced) rxraces.plan.classifies = true;
    rxraces.counts = (rxraces_statistics){0};
    rxraces.must_restart = rxraces.has_learnt = false;
    rxraces.divergences = 0;
    rxraces_restart();
}

static void (*last_body)(void *);

static void check(void *context) {
    last_body(context);
    rxraces_run_left_jobs();
    rxraces_drop_values();
}

// Calls `body` as the first actor.
static bool run_alone(void (*body)(void *), void *context) {
    actor *first = &rxraces.actors[0];
    rxraces_prepare(first, body, context);
    rxraces_switch(&rxraces.controller, first);
    return !first->is_live;
}

bool rxraces_set_up(void (*body)(void *), void *context) {
    for (int i = 0; i < ACTORS; i++) {
        actor *each = &rxraces.actors[i];
        if (!each->is_employed || each->is_live || each->is_left) rxraces_employ(each);
    }
    rxraces.count = 1;
    rxraces.length = rxraces.strayed = rxraces.late_count = 0;
    rxraces.is_redundant = false;
    rxraces.failure = (rxraces_failure){.kind = rxraces_no_failure, .other = -1};
    rxraces.generation++;
    rxraces.alive = 0;
    rxraces_forget_stacks();
    rxraces_add_contested();
    rxraces_forget_jobs();
    rxraces_close_files();
    rxraces_begin_heap();
    rxraces.phase = SET_UP;
    bool is_done = run_alone(body, context);
    rxraces.phase = IDLE;
    return is_done;
}

static void act(void *context) { run_body(context, rxraces_self->index); }

bool rxraces_run(int count, void (*body)(void *, int), void *context) {
    run_body = body;
    rxraces.count = count;
    for (int i = 0; i < count; i++) rxraces_prepare(&rxraces.actors[i], act, context);
    rxraces_add_early_jobs();
    rxraces.phase = RUN;
    rxraces.is_starting = true;
    // Before its first step an actor may wait for another one without a known order. After such an execution, the next
    // one starts the actors in the reverse order, which may avoid the wait.
    static bool is_reversed;
    for (int i = 0; i < count && rxraces_goes_on(); i++)
        rxraces_switch(&rxraces.controller, &rxraces.actors[is_reversed ? count - 1 - i : i]);
    is_reversed ^= rxraces.failure.kind == rxraces_unfinished;
    rxraces.is_starting = false;
    actor *first = rxraces_decide();
    if (first != NULL) rxraces_switch(&rxraces.controller, first);
    rxraces_keep_suspended_jobs();
    rxraces.phase = IDLE;
    rxraces_learn_choices();
    rxraces.counts.executions++;
    if (rxraces.length > rxraces.counts.most_steps) rxraces.counts.most_steps = rxraces.length;
    bool is_done = true;
    for (int i = 0; i < rxraces.count; i++) {
        if (!rxraces.actors[i].is_live) continue;
        is_done = false;
        if (rxraces.plan.strategy == rxraces_reduced && !rxraces.is_redundant)
            rxraces_reverse(i, &rxraces.actors[i].pending);
    }
    if (is_done) return true;
    for (int i = 0; i < rxraces.count; i++) {
        const actor *each = &rxraces.actors[i];
        if (!each->is_live || each->pending.guard != WHEN_READY_BY_OTHERS) continue;
        rxraces_fail((rxraces_failure){
            .kind = rxraces_refused, .actor = i, .other = -1, .pc = each->pending.pc, .name = rxraces_waits_for_peer});
    }
    rxraces_fail((rxraces_failure){.kind = rxraces_deadlock, .other = -1});
    rxraces_empty_quarantine();
    return false;
}

bool rxraces_finish(void (*body)(void *), void *context) {
    rxraces.phase = FINISH;
    last_body = body;
    bool is_done = run_alone(check, context);
    rxraces.phase = IDLE;
    rxraces_empty_quarantine();
    return is_done;
}

rxraces_failure rxraces_failed(void) { return rxraces.failure; }
rxraces_statistics rxraces_counts(void) { return rxraces.counts; }
int rxraces_length(void) { return rxraces.length; }
int rxraces_strayed(void) { return rxraces.strayed; }

typedef struct { uintptr_t inside; rxraces_image found; } image_search;

static int find_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    image_search *search = context;
    rxraces_image image = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) continue;
        uintptr_t low = info->dlpi_addr + header->p_vaddr;
        if (low < image.low) image.low = low;
        if (low + header->p_memsz > image.high) image.high = low + header->p_memsz;
    }
    if (!rxraces_is_in(&image, search->inside)) return 0;
    search->found = image;
    return 1;
}

rxraces_image rxraces_image_around(const void *inside) {
    image_search search = {.inside = (uintptr_t)inside};
    dl_iterate_phdr(find_image, &search);
    return search.found;
}

// Hashes the code of the program. The steps of a schedule belong to this code.
static int hash_code(struct dl_phdr_info *info, size_t size, void *result) {
    (void)size;
    uint64_t *hash = result;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        const uint64_t *words = (const uint64_t *)(info->dlpi_addr + header->p_vaddr);
        for (size_t word = 0; word < header->p_memsz / 8; word++) *hash = (*hash ^ words[word]) * 0x100000001B3ull;
    }
    // The first image is the program itself, so a nonzero result stops the iteration.
    return 1;
}

uint64_t rxraces_build(void) {
    uint64_t hash = 0xCBF29CE484222325ull;
    dl_iterate_phdr(hash_code, &hash);
    return hash;
}

// MARK: Fibers

// An actor is a fiber. It runs on the stack of a separate sleeping thread, with that thread's local storage, so that
// its code sees the same thread identity throughout. A switch exchanges registers and the base of the thread-local
// storage.

struct rxraces_state rxraces;
_Thread_local actor *rxraces_self;

// `syscall` itself is replaced by the model of the calls that actors make.
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

// A naked function, because the variables of an ordinary C function would be on the stack that the switch leaves.
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
        // The switch returns here for the next execution.
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
    rxraces_note_stack(self);
    // The actor's stack begins well below the frame in which this thread sleeps.
    self->top = (void *)((((uintptr_t)__builtin_frame_address(0) - 65536) & ~63ull) - 64);
    reset_stack(self);
    __atomic_store_n(&self->is_ready, 1, __ATOMIC_RELEASE);
    rxraces_system_call(SYS_futex, (long)&self->is_ready, FUTEX_WAKE_PRIVATE, 1, 0);
    while (true) sleep_until(&never);
}

void rxraces_employ(actor *employee) {
    static int left_behind;
    employee->is_live |= employee->is_left;
    employee->is_left = false;
    // The frames of an actor that did not reach its end cannot be unwound, so they stay with their thread. This would
    // exhaust the threads, so later frames are overwritten, and their values in thread-local storage stay.
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
#pragma clang attribute pop
#else
#include "CRaces.h"

const char *rxraces_obstacle(void) { return "This program is not instrumented for the search of races."; }
void rxraces_start(const rxraces_plan *plan) { (void)plan; }
void rxraces_forget_choices(void) {}
void rxraces_follow(const uint8_t *choices, int count) { (void)choices, (void)count; }
bool rxraces_set_up(void (*body)(void *), void *context) { return (void)body, (void)context, false; }
bool rxraces_run(int count, void (*body)(void *, int), void *context) {
    return (void)count, (void)body, (void)context, false;
}
bool rxraces_finish(void (*body)(void *), void *context) { return (void)body, (void)context, false; }
void rxraces_repeat(void) {}
void rxraces_limit(double seconds) { (void)seconds; }
bool rxraces_is_over(void) { return true; }
bool rxraces_next(void) { return false; }
rxraces_failure rxraces_failed(void) { return (rxraces_failure){.kind = rxraces_no_failure}; }
rxraces_statistics rxraces_counts(void) { return (rxraces_statistics){0}; }
int rxraces_length(void) { return 0; }
rxraces_step rxraces_step_at(int index) { return (void)index, (rxraces_step){0}; }
uint64_t rxraces_class(void) { return 0; }
int rxraces_preemptions(void) { return 0; }
int rxraces_strayed(void) { return 0; }
bool rxraces_has_new_steps(void) { return false; }
uint32_t rxraces_actor_stack(int actor, uintptr_t *addresses, uint32_t limit) {
    return (void)actor, (void)addresses, (void)limit, 0;
}
rxraces_step rxraces_pending(int actor) { return (void)actor, (rxraces_step){0}; }
uint32_t rxraces_stack(uint32_t stack, uintptr_t *addresses, uint32_t limit) {
    return (void)stack, (void)addresses, (void)limit, 0;
}
int64_t rxraces_allocations_alive(void) { return 0; }
uint32_t rxraces_blocks_alive(rxraces_block *blocks, uint32_t limit) { return (void)blocks, (void)limit, 0; }
bool rxraces_is_own_code(uintptr_t pc) { return (void)pc, false; }
uint64_t rxraces_build(void) { return 0; }
#endif
