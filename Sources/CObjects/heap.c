#define _GNU_SOURCE
#include "counters.h"

// The allocator's functions with counting, for any allocator. A block counts with the size that the allocator gave it,
// so that an allocation and its end always agree.
//
// Sanitizers define these functions themselves.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OBJECTS_SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(OBJECTS_SANITIZED)
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdalign.h>
#include <string.h>

static bool is_counting;
// Called for each block during a watch.
static void (*allocated_hook)(void *, const void *), (*freed_hook)(void *);

// MARK: Memory for the search of the allocator

// `dlsym` may allocate. These few blocks are never freed.
typedef struct early_block {
    alignas(16) size_t size;
} early_block;
static alignas(16) char early_memory[1 << 16];
static size_t early_used;
static OBJECTS_OF_THREAD bool is_searching;

static bool is_early(const void *block) {
    return (const char *)block >= early_memory && (const char *)block < early_memory + sizeof early_memory;
}

static void *early_allocate(size_t size) {
    size_t whole = sizeof(early_block) + ((size + 15) & ~(size_t)15);
    size_t start = __atomic_fetch_add(&early_used, whole, __ATOMIC_RELAXED);
    if (whole < size || start + whole > sizeof early_memory) return NULL;
    early_block *block = (early_block *)(early_memory + start);
    block->size = size;
    return block + 1;
}

static void *find_next(const char *name) {
    is_searching = true;
    void *found = dlsym(RTLD_NEXT, name);
    is_searching = false;
    return found;
}

#define NEXT(name) ({ \
    static __typeof__(&name) known; \
    __typeof__(&name) next = __atomic_load_n((void **)&known, __ATOMIC_RELAXED); \
    if (__builtin_expect(next == NULL, 0)) { \
        next = (__typeof__(&name))find_next(#name); \
        __atomic_store_n((void **)&known, (void *)next, __ATOMIC_RELAXED); \
    } \
    next; })

// MARK: Counting

size_t malloc_usable_size(void *block);
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
void *pvalloc(size_t size);

static void count(int64_t bytes) {
    objects_block *block = objects_current();
    if (block != NULL) OBJECTS_ADD(block->heap_bytes, bytes);
}

// Dispatch keeps finished work items, up to 1,024 of them per thread: a thread that enqueues work allocates an item,
// and the queue's thread keeps it. These items are not a leak, and do not count. Objects that an item held are released
// when it has finished, and count. All blocks of that size that Dispatch allocates or frees are left out.
enum { dispatch_item_size = 64 };
// The bytes that the allocator sets aside for an item: jemalloc 64; glibc 72, or 88 where what would be left of a free
// block is too small to be one.
static size_t dispatch_item_bytes, dispatch_item_slack;

// The code of a library.
typedef struct code {
    uintptr_t begin, size;
} code;

// The loader allocates and frees the thread-local memory of each thread. It frees it when a thread has ended, on that
// thread or on another one that ends, which may never have used the allocator. There `malloc_usable_size` of jemalloc
// enters the thread into its lists, and nothing removes it from them. So these blocks do not count.
static code dispatch, loader;

static bool is_in(const code *code, const void *caller) { return (uintptr_t)caller - code->begin < code->size; }

static int look_at(struct dl_phdr_info *image, size_t size, void *argument) {
    (void)size;
    code *found = argument;
    for (int index = 0; index < image->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &image->dlpi_phdr[index];
        uintptr_t begin = image->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0 || found->begin - begin >= part->p_memsz) continue;
        *found = (code){ begin, part->p_memsz };
        return 1;
    }
    return 0;
}

// The code of the library that defines a function. Empty if no library does.
static code find_code(const char *function) {
    code found = { (uintptr_t)dlsym(RTLD_DEFAULT, function), 0 };
    if (found.begin != 0) dl_iterate_phdr(look_at, &found);
    return found;
}

static bool is_dispatch_item(size_t bytes, const void *caller) {
    return bytes - dispatch_item_bytes <= dispatch_item_slack && is_in(&dispatch, caller);
}

static void note_allocation(void *block, const void *caller) {
    if (is_in(&loader, caller)) return;
    size_t bytes = NEXT(malloc_usable_size)(block);
    if (is_dispatch_item(bytes, caller)) return;
    count((int64_t)bytes);
    void (*hook)(void *, const void *) = __atomic_load_n(&allocated_hook, __ATOMIC_RELAXED);
    if (hook != NULL) hook(block, caller);
}

// Before the block is freed: its size cannot be asked for afterwards, and another thread may have it then.
static void note_end(void *block, const void *caller) {
    if (is_in(&loader, caller)) return;
    size_t bytes = NEXT(malloc_usable_size)(block);
    if (is_dispatch_item(bytes, caller)) return;
    count(-(int64_t)bytes);
    void (*hook)(void *) = __atomic_load_n(&freed_hook, __ATOMIC_RELAXED);
    if (hook != NULL) hook(block);
}

OBJECTS_INLINE bool counts(const void *block) {
    return __builtin_expect(__atomic_load_n(&is_counting, __ATOMIC_RELAXED), 0) && block != NULL;
}

// The program calls the functions below, so their caller is its code. They read its address first, because the
// optimiser moves unlikely code into separate functions, where the return address is a different one.
#define CALLER ({ \
    const void *caller = __builtin_return_address(0); \
    __asm__ volatile("" : "+r"(caller)); \
    caller; })
#define COUNTED(allocation) ({ \
    const void *its_caller = CALLER; \
    void *allocated = (allocation); \
    if (counts(allocated)) note_allocation(allocated, its_caller); \
    allocated; })

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *malloc(size_t size) {
    return is_searching ? early_allocate(size) : COUNTED(NEXT(malloc)(size));
}

EXPORTED void *calloc(size_t items, size_t size) {
    if (!is_searching) return COUNTED(NEXT(calloc)(items, size));
    size_t bytes;
    // The memory is static, and was never used: it is zero.
    return __builtin_mul_overflow(items, size, &bytes) ? NULL : early_allocate(bytes);
}

EXPORTED void free(void *block) {
    const void *caller = CALLER;
    if (is_early(block)) return;
    if (counts(block)) note_end(block, caller);
    NEXT(free)(block);
}

EXPORTED void *realloc(void *block, size_t size) {
    const void *caller = CALLER;
    if (is_searching || is_early(block)) {
        void *moved = is_searching ? early_allocate(size) : malloc(size);
        if (moved != NULL && block != NULL) {
            size_t before = is_early(block) ? ((early_block *)block)[-1].size : size;
            memcpy(moved, block, before < size ? before : size);
        }
        return moved;
    }
    if (counts(block)) note_end(block, caller);
    void *moved = NEXT(realloc)(block, size);
    // It failed, and the block is still there.
    if (moved == NULL && size != 0) {
        if (counts(block)) note_allocation(block, caller);
        return NULL;
    }
    return COUNTED(moved);
}

EXPORTED int posix_memalign(void **result, size_t alignment, size_t size) {
    const void *caller = CALLER;
    int error = NEXT(posix_memalign)(result, alignment, size);
    if (error == 0 && counts(*result)) note_allocation(*result, caller);
    return error;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size) { return COUNTED(NEXT(aligned_alloc)(alignment, size)); }
EXPORTED void *memalign(size_t alignment, size_t size) { return COUNTED(NEXT(memalign)(alignment, size)); }
EXPORTED void *valloc(size_t size) { return COUNTED(NEXT(valloc)(size)); }
EXPORTED void *pvalloc(size_t size) { return COUNTED(NEXT(pvalloc)(size)); }

const char *objects_heap_obstacle(void) {
    if (dlsym(RTLD_DEFAULT, "malloc") == (void *)malloc) return NULL;
    return "another library stands before the allocator in this process. Run without what replaces 'malloc', such as a "
           "preloaded library.";
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_callers(void) {
    dispatch = find_code("dispatch_async_f");
    loader = find_code("__tls_get_addr");
    // The least of several: one may have got what was left of a free block.
    enum { samples = 16 };
    void *items[samples];
    for (int i = 0; i < samples; i++) {
        items[i] = NEXT(malloc)(dispatch_item_size);
        size_t bytes = items[i] == NULL ? 0 : NEXT(malloc_usable_size)(items[i]);
        if (bytes != 0 && (dispatch_item_bytes == 0 || bytes < dispatch_item_bytes)) dispatch_item_bytes = bytes;
    }
    for (int i = 0; i < samples; i++) NEXT(free)(items[i]);
    dispatch_item_slack = dispatch_item_bytes > dispatch_item_size ? 16 : 0;
}

void objects_heap_begin(void) {
    pthread_once(&once, find_callers);
    __atomic_store_n(&is_counting, true, __ATOMIC_RELAXED);
}

void objects_heap_watch(void (*allocated)(void *block, const void *caller), void (*freed)(void *block)) {
    __atomic_store_n(&allocated_hook, allocated, __ATOMIC_RELAXED);
    __atomic_store_n(&freed_hook, freed, __ATOMIC_RELAXED);
}

int64_t objects_heap_of_this_thread(void) {
    objects_block *block = objects_current();
    return block == NULL ? 0 : __atomic_load_n(&block->heap_bytes, __ATOMIC_RELAXED);
}

int64_t objects_heap_of_all_threads(void) {
    int64_t bytes = 0;
    for (objects_block *block = objects_blocks(); block != NULL; block = block->next) {
        bytes += __atomic_load_n(&block->heap_bytes, __ATOMIC_RELAXED);
    }
    return bytes;
}
#else
#if defined(OBJECTS_SANITIZED)
const char *objects_heap_obstacle(void) {
    return "a sanitizer has replaced the allocator. Look for leaks in a build without one.";
}
#else
const char *objects_heap_obstacle(void) { return "the heap's bytes are counted on Linux alone. Run it there."; }
#endif
void objects_heap_begin(void) {}
void objects_heap_watch(void (*allocated)(void *block, const void *caller), void (*freed)(void *block)) {
    (void)allocated, (void)freed;
}
int64_t objects_heap_of_this_thread(void) { return 0; }
int64_t objects_heap_of_all_threads(void) { return 0; }
#endif
