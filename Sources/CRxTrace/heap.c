#define _GNU_SOURCE
#include "heapreader.h"
#include <string.h>

#if defined(__linux__)
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

/// The result of jemalloc's `experimental.utilization.batch_query` for an address.
///
/// The query for a single address also locks the bin that the extent belongs to. If another thread frees the extent at
/// this moment, the bin is found by an index that is no longer valid, and the lock is arbitrary memory.
typedef struct utilization {
    size_t free_regions, regions, size;
} utilization;

static bool ask(rxtrace_allocator_query query, const size_t *mib, uintptr_t address, utilization *answer) {
    size_t size = sizeof *answer;
    memset(answer, 0, sizeof *answer);
    return query(mib, 3, answer, &size, &address, sizeof address) == 0 && answer->size != 0;
}

// A lookup of an unknown gibibyte reads through a null pointer of the allocator, and leaves that pointer in a cache of
// the thread. Therefore it is made on a thread that then ends. Only that thread handles the fault here; a fault on
// another thread goes to the previous handler.
static _Thread_local sigjmp_buf *probing;
static struct sigaction handler_before;
/// Held while the process's handler is replaced, because two threads may read heaps.
static pthread_mutex_t replacing = PTHREAD_MUTEX_INITIALIZER;

static void fault(int signal_number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    if (probing) siglongjmp(*probing, 1);
    sigaction(signal_number, &handler_before, NULL);
}

typedef struct probe {
    rxtrace_allocator_query query;
    const size_t *mib;
    uintptr_t address;
    bool is_known;
} probe;

static void *run_probe(void *argument) {
    probe *asked = argument;
    sigjmp_buf back;
    if (sigsetjmp(back, 1) == 0) {
        probing = &back;
        utilization answer;
        ask(asked->query, asked->mib, asked->address, &answer);
        asked->is_known = true;
    }
    probing = NULL;
    return NULL;
}

static bool is_known(rxtrace_allocator_query query, const size_t *mib, uintptr_t address) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = fault;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSEGV, &action, &handler_before) != 0) return false;
    // The C library sets only the first 8 of the mask's 128 bytes. The rest keeps old words of the stack, which look
    // like references to objects.
    enum { used_mask = 8 };
    memset((char *)&handler_before.sa_mask + used_mask, 0, sizeof handler_before.sa_mask - used_mask);
    probe asked = {query, mib, address, false};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_probe, &asked) == 0) pthread_join(thread, NULL);
    sigaction(SIGSEGV, &handler_before, NULL);
    return asked.is_known;
}

bool rxtrace_heap_is_known(rxtrace_allocator_query query, const size_t *mib, uintptr_t address) {
    pthread_mutex_lock(&replacing);
    bool known = is_known(query, mib, address);
    pthread_mutex_unlock(&replacing);
    return known;
}

bool rxtrace_heap_extent_at(
    rxtrace_allocator_query query, const size_t *mib, uintptr_t address, rxtrace_extent *extent) {
    utilization answer;
    if (!ask(query, mib, address, &answer) || answer.regions == 0) return false;
    *extent = (rxtrace_extent){address, answer.size, answer.regions};
    return true;
}

typedef struct collection {
    rxtrace_segment *segments;
    size_t capacity, count;
} collection;

static int collect(struct dl_phdr_info *image, size_t size, void *argument) {
    (void)size;
    collection *all = argument;
    for (int index = 0; index < image->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &image->dlpi_phdr[index];
        if (header->p_type != PT_LOAD) continue;
        if (all->count < all->capacity) {
            uintptr_t start = image->dlpi_addr + header->p_vaddr;
            all->segments[all->count] = (rxtrace_segment){
                start, start + header->p_memsz, (header->p_flags & PF_W) != 0, (header->p_flags & PF_X) != 0,
                image->dlpi_name};
        }
        all->count++;
    }
    return 0;
}

size_t rxtrace_segments(rxtrace_segment *segments, size_t capacity) {
    collection all = {segments, capacity, 0};
    dl_iterate_phdr(collect, &all);
    return all.count;
}

// The layout that `_ArrayBody`, `__RawSetStorage` and `__RawDictionaryStorage` of the standard library have in common.
typedef struct stored_collection { uint64_t metadata, references, count, capacity; } stored_collection;

// Freed memory keeps its last reference count until it is used again. A count in a side table is not looked up.
static bool is_freed(uint64_t references) {
    return !lives_for_ever(references) && !has_side_table(references) && is_deinitialising(references);
}

bool rxtrace_collections_read(rxtrace_collection *collections, size_t count) {
    enum { batch = 64 };
    stored_collection stored[batch];
    struct iovec from[batch];
    size_t done = 0;
    while (done < count) {
        size_t asked = count - done < batch ? count - done : batch;
        for (size_t index = 0; index < asked; index++) {
            uintptr_t address = rxtrace_disguised(collections[done + index].disguised_address);
            from[index] = (struct iovec){(void *)address, sizeof *stored};
        }
        struct iovec to = {stored, asked * sizeof *stored};
        ssize_t bytes = process_vm_readv(getpid(), &to, 1, from, asked, 0);
        if (bytes < 0 && errno != EFAULT) return false;
        size_t received = bytes < 0 ? 0 : (size_t)bytes / sizeof *stored;
        for (size_t index = 0; index < received; index++) {
            rxtrace_collection *read = &collections[done + index];
            const stored_collection *found = &stored[index];
            // An array stores twice its capacity, and a flag.
            uint64_t capacity = read->is_array ? found->capacity >> 1 : found->capacity;
            // A freed block may still begin with the type, followed by any other data.
            bool is_same = read->capacity == 0 || capacity == (uint64_t)read->capacity;
            bool is_there = found->metadata == rxtrace_disguised(read->disguised_type) && is_same &&
                            found->count <= capacity && capacity <= INT64_MAX && !is_freed(found->references);
            read->count = is_there ? (int64_t)found->count : -1;
            if (is_there) read->capacity = (int64_t)capacity;
        }
        // The call ended at a collection whose memory is no longer mapped.
        if (received < asked) collections[done + received++].count = -1;
        done += received;
    }
    return true;
}
#else
bool rxtrace_collections_read(rxtrace_collection *collections, size_t count) {
    return (void)collections, (void)count, false;
}

bool rxtrace_heap_is_known(rxtrace_allocator_query query, const size_t *mib, uintptr_t address) {
    return (void)query, (void)mib, (void)address, false;
}

bool rxtrace_heap_extent_at(
    rxtrace_allocator_query query, const size_t *mib, uintptr_t address, rxtrace_extent *extent) {
    return (void)query, (void)mib, (void)address, (void)extent, false;
}

size_t rxtrace_segments(rxtrace_segment *segments, size_t capacity) { return (void)segments, (void)capacity, 0; }
#endif

// Functions of the Swift runtime. Swift code must not declare them. The first two have Swift's calling convention.
extern const void *swift_getTypeByMangledNameInContext(
    const char *name, size_t length, const void *context, const void *arguments) __attribute__((swiftcall));
extern const void *swift_getTypeByMangledNameInEnvironment(
    const char *name, size_t length, const void *environment, const void *arguments) __attribute__((swiftcall));
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *buffer_size, uint32_t flags);

const void *rxtrace_type_by_mangled_name(const char *name, size_t length, const void *context, const void *arguments) {
    return swift_getTypeByMangledNameInContext(name, length, context, arguments);
}

const void *rxtrace_type_by_mangled_name_in_environment(
    const char *name, size_t length, const void *environment, const void *arguments) {
    return swift_getTypeByMangledNameInEnvironment(name, length, environment, arguments);
}

char *rxtrace_demangle(const char *name) { return swift_demangle(name, strlen(name), NULL, NULL, 0); }
