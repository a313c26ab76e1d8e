#define _GNU_SOURCE
#include "CHeapWatch.h"
#include "CRegistry.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#if defined(__linux__)
#include <execinfo.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t (*size_of)(const void *block);

// MARK: Blocks

// A hash table by address, with open addressing. Empty places have the address 0. It is never more than half full.
static rxtrace_watched_block *blocks;
static size_t places, used;
enum { first_places = 1 << 12 };

static size_t place_of(uintptr_t address) { return (size_t)(rx_spread(address) >> 24) & (places - 1); }

static rxtrace_watched_block *find(uintptr_t address) {
    size_t place = place_of(address);
    while (blocks[place].address != 0 && blocks[place].address != address) place = (place + 1) & (places - 1);
    return &blocks[place];
}

static void grow(void) {
    rxtrace_watched_block *before = blocks, *grown = rx_reserve(2 * places * sizeof *blocks);
    // Without room, later blocks are not watched.
    if (grown == NULL) return;
    size_t end = places;
    blocks = grown;
    places *= 2;
    for (size_t place = 0; place < end; place++) {
        if (before[place].address != 0) *find(before[place].address) = before[place];
    }
    rx_release(before, end * sizeof *blocks);
}

static void add(rxtrace_watched_block block) {
    if (used >= places / 2) grow();
    if (used >= places / 2) return;
    rxtrace_watched_block *place = find(block.address);
    // If the free of an earlier block was not seen, the new block at its address replaces it.
    if (place->address == 0) used++;
    *place = block;
}

// Removes an entry, and moves back the entries after it that could no longer be found. D. E. Knuth, "The Art of
// Computer Programming", volume 3, algorithm 6.4 R.
static void take_out(rxtrace_watched_block *block) {
    used--;
    size_t hole = (size_t)(block - blocks), place = hole;
    for (;;) {
        blocks[hole].address = 0;
        size_t wanted;
        do {
            place = (place + 1) & (places - 1);
            if (blocks[place].address == 0) return;
            wanted = place_of(blocks[place].address);
        } while (hole <= place ? hole < wanted && wanted <= place : hole < wanted || wanted <= place);
        blocks[hole] = blocks[place];
        hole = place;
    }
}

// MARK: Replacements of the allocator's functions

// Whether this thread is watched, and whether its allocations are recorded now.
static _Thread_local bool is_watched, is_running;
// Whether another library reports the blocks of all threads, and whether they are recorded now.
static bool is_called, is_any_running;
// Whether this thread is recording a block, so that its allocations belong to the recording.
static _Thread_local bool is_recording;
static uint32_t run_now;
static bool records_stacks;

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void (*free)(void *);
} real;

// Records the current call stack. Does not use frame pointers, because the Swift runtime and the C library are built
// without them. The stack begins at `caller`, if that is one of the return addresses.
static rx_stack rxtrace_watch_record(const void *caller) {
#if defined(__linux__)
    void *calls[rx_stack_depth];
    int count = backtrace(calls, rx_stack_depth), first = 0;
    for (int index = 0; index < count && first == 0; index++) first = calls[index] == caller ? index : 0;
    uintptr_t addresses[rx_stack_depth];
    for (int index = first; index < count; index++) addresses[index - first] = (uintptr_t)calls[index];
    return count > 0 ? rx_stack_store(addresses, (uint32_t)(count - first)) : 0;
#else
    (void)caller;
    return 0;
#endif
}

static void put(rxtrace_watched_block block) {
    pthread_mutex_lock(&lock);
    if (blocks != NULL) add(block);
    pthread_mutex_unlock(&lock);
}

// Removes and returns the entry of a block. Returns an entry with the address 0 if the block was not in the table.
static rxtrace_watched_block take(void *address) {
    rxtrace_watched_block taken = { 0 };
    pthread_mutex_lock(&lock);
    rxtrace_watched_block *block = blocks != NULL && address != NULL ? find((uintptr_t)address) : NULL;
    if (block != NULL && block->address != 0) {
        taken = *block;
        take_out(block);
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

static void *rx_watch_note(void *address) {
    if (address == NULL || !is_watched || !is_running) return address;
    // Allocations of the recording are not the run's.
    is_running = false;
    put((rxtrace_watched_block){
        (uintptr_t)address, size_of(address), records_stacks ? rxtrace_watch_record(NULL) : 0, run_now});
    is_running = true;
    return address;
}

static void *rxtrace_watch_malloc(size_t size) { return rx_watch_note(real.malloc(size)); }

static void *rxtrace_watch_calloc(size_t count, size_t size) { return rx_watch_note(real.calloc(count, size)); }

static void *rxtrace_watch_aligned_alloc(size_t alignment, size_t size) {
    return rx_watch_note(real.aligned_alloc(alignment, size));
}

static int rxtrace_watch_posix_memalign(void **result, size_t alignment, size_t size) {
    int error = real.posix_memalign(result, alignment, size);
    if (error == 0) rx_watch_note(*result);
    return error;
}

static void *rxtrace_watch_realloc(void *address, size_t size) {
    rxtrace_watched_block before = take(address);
    void *result = real.realloc(address, size);
    if (before.address == 0) return rx_watch_note(result);
    if (result != NULL) {
        before.address = (uintptr_t)result;
        before.size = size_of(result);
    }
    // The block is stored again if it moved, or if the call failed and the block still exists. A call with size 0 that
    // returned NULL has freed it.
    if (result != NULL || size != 0) put(before);
    return result;
}

static void rxtrace_watch_free(void *address) {
    // Before the block is freed, because another thread may receive the same address immediately afterwards.
    take(address);
    real.free(address);
}

// MARK: Calls from a library that interposes the allocator

void rxtrace_watch_allocated(void *address, const void *caller) {
    if (!__atomic_load_n(&is_any_running, __ATOMIC_RELAXED) || is_recording || address == NULL) return;
    is_recording = true;
    put((rxtrace_watched_block){
        (uintptr_t)address, size_of(address), records_stacks ? rxtrace_watch_record(caller) : 0, run_now});
    is_recording = false;
}

void rxtrace_watch_freed(void *address) {
    if (!is_recording) take(address);
}

// MARK: Watching

static const struct { const char *name; void *instead; void **real; } calls[] = {
    { "malloc", (void *)rxtrace_watch_malloc, (void **)&real.malloc },
    { "calloc", (void *)rxtrace_watch_calloc, (void **)&real.calloc },
    { "realloc", (void *)rxtrace_watch_realloc, (void **)&real.realloc },
    { "posix_memalign", (void *)rxtrace_watch_posix_memalign, (void **)&real.posix_memalign },
    { "aligned_alloc", (void *)rxtrace_watch_aligned_alloc, (void **)&real.aligned_alloc },
    { "free", (void *)rxtrace_watch_free, (void **)&real.free },
};
enum { calls_count = sizeof calls / sizeof *calls };

// In `calls.c`.
bool rxtrace_calls_redirect(
    const char *const names[], void *const instead[], size_t count, const void *not_in_the_image_of);
void rxtrace_calls_restore(void);

static bool is_taken;

// A call that began before the calls were restored may still reach `put` or `take` later. They find that `blocks` is
// NULL.
static void give_back(void) {
    pthread_mutex_lock(&lock);
    if (blocks != NULL) rx_release(blocks, places * sizeof *blocks);
    blocks = NULL;
    is_taken = is_watched = is_running = is_called = false;
    __atomic_store_n(&is_any_running, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

static bool take_watch(void) {
    pthread_mutex_lock(&lock);
    bool is_free = !is_taken;
    is_taken = true;
    pthread_mutex_unlock(&lock);
    return is_free;
}

bool rxtrace_watch_begin_called(bool with_stacks) {
    if (!take_watch()) return false;
    size_of = (size_t (*)(const void *))dlsym(RTLD_DEFAULT, "malloc_usable_size");
    // The first call of `backtrace` loads a library, which allocates.
    if (with_stacks) rxtrace_watch_record(NULL);
    places = first_places;
    used = 0;
    records_stacks = with_stacks;
    blocks = size_of != NULL ? rx_reserve(places * sizeof *blocks) : NULL;
    is_called = blocks != NULL;
    if (!is_called) give_back();
    return is_called;
}

bool rxtrace_watch_begin(bool with_stacks) {
    if (!take_watch()) return false;
    const char *names[calls_count];
    void *instead[calls_count];
    size_of = (size_t (*)(const void *))dlsym(RTLD_DEFAULT, "malloc_usable_size");
    bool is_possible = size_of != NULL;
    for (size_t index = 0; index < calls_count; index++) {
        names[index] = calls[index].name;
        instead[index] = calls[index].instead;
        *calls[index].real = dlsym(RTLD_DEFAULT, calls[index].name);
        is_possible = is_possible && *calls[index].real != NULL;
    }
    // The first call of `backtrace` loads a library, which allocates.
    if (with_stacks) rxtrace_watch_record(NULL);
    places = first_places;
    used = 0;
    records_stacks = with_stacks;
    blocks = is_possible ? rx_reserve(places * sizeof *blocks) : NULL;
    is_watched = blocks != NULL;
    if (blocks != NULL && rxtrace_calls_redirect(names, instead, calls_count, (const void *)real.malloc)) return true;
    give_back();
    return false;
}

void rxtrace_watch_end(void) {
    if (is_called) give_back();
    if (!is_watched) return;
    rxtrace_calls_restore();
    give_back();
}

void rxtrace_watch_resume(uint32_t run) {
    run_now = run;
    is_running = is_watched;
    __atomic_store_n(&is_any_running, is_called, __ATOMIC_RELAXED);
}

void rxtrace_watch_pause(void) {
    is_running = false;
    __atomic_store_n(&is_any_running, false, __ATOMIC_RELAXED);
}

// MARK: The memory of the search

// Makes jemalloc take all further memory of this thread from an arena that the program does not use.
static void use_own_arena(void) {
    static unsigned arena;
    static bool is_made;
    int (*control)(const char *, void *, size_t *, void *, size_t) =
        (int (*)(const char *, void *, size_t *, void *, size_t))dlsym(RTLD_DEFAULT, "mallctl");
    if (control == NULL) return;
    pthread_mutex_lock(&lock);
    size_t size = sizeof arena;
    is_made = is_made || control("arenas.create", &arena, &size, NULL, 0) == 0;
    pthread_mutex_unlock(&lock);
    if (is_made) control("thread.arena", NULL, NULL, &arena, sizeof arena);
}

typedef struct { void (*body)(void *); void *context; long thread; } thread_call;

static void *run_call(void *argument) {
    thread_call *call = argument;
    use_own_arena();
#if defined(__linux__)
    call->thread = syscall(SYS_gettid);
#endif
    call->body(call->context);
    return NULL;
}

void rxtrace_on_thread(void (*body)(void *context), void *context) {
    thread_call call = { body, context, 0 };
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_call, &call) == 0) {
        pthread_join(thread, NULL);
#if defined(__linux__)
        // `pthread_join` returns before the system has ended the thread. Ending it takes processor time, which would
        // be counted in the next run.
        while (syscall(SYS_tgkill, getpid(), call.thread, 0) == 0) sched_yield();
#endif
    } else {
        body(context);
    }
}

size_t rxtrace_watch_places(void) { return blocks != NULL ? places : 0; }

bool rxtrace_watch_block(size_t place, rxtrace_watched_block *block) {
    pthread_mutex_lock(&lock);
    *block = blocks[place];
    pthread_mutex_unlock(&lock);
    return block->address != 0;
}
