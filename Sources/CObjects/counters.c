#define _GNU_SOURCE
#include "counters.h"
#include <pthread.h>
#include <sys/mman.h>

OBJECTS_OF_THREAD objects_block *objects_thread_block;

// All blocks, and the blocks that no thread holds. Blocks are never freed: their number is the largest number of
// threads that were alive at the same time.
static objects_block *all;
static objects_block *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

// Called when a thread ends. If the thread counts again afterwards, from another destructor, it adopts a block again.
static void abandon(void *held) {
    objects_block *block = held;
    objects_thread_block = NULL;
    pthread_mutex_lock(&lock);
    block->next_free = unused;
    unused = block;
    pthread_mutex_unlock(&lock);
}

static void make_key(void) { pthread_key_create(&key, abandon); }

objects_block *objects_block_adopt(void) {
    pthread_once(&once, make_key);
    pthread_mutex_lock(&lock);
    objects_block *block = unused;
    if (block != NULL) {
        unused = block->next_free;
    } else {
        // From the system and not from malloc: it is not part of the heap that is measured. Pages come as types are
        // seen.
        void *pages = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) {
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        block = pages;
        block->next = all;
        // Release: a reader of the list sees the block's zeroes.
        __atomic_store_n(&all, block, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    // Before the system is informed, because that may allocate.
    objects_thread_block = block;
    pthread_setspecific(key, block);
    return block;
}

objects_block *objects_blocks(void) {
    // Acquired: as it was released.
    return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

static void add(objects_counts *sum, const objects_block *block) {
    sum->allocations += __atomic_load_n(&block->counts.allocations, __ATOMIC_RELAXED);
    sum->deallocations += __atomic_load_n(&block->counts.deallocations, __ATOMIC_RELAXED);
    sum->retains += __atomic_load_n(&block->counts.retains, __ATOMIC_RELAXED);
    sum->releases += __atomic_load_n(&block->counts.releases, __ATOMIC_RELAXED);
}

objects_counts objects_of_this_thread(void) {
    objects_counts counts = {0};
    objects_block *block = objects_current();
    if (block != NULL) add(&counts, block);
    return counts;
}

objects_counts objects_of_all_threads(void) {
    objects_counts counts = {0};
    for (objects_block *block = objects_blocks(); block != NULL; block = block->next) add(&counts, block);
    return counts;
}

size_t objects_live(objects_type *types, size_t capacity) {
    size_t written = 0;
    size_t end = objects_type_count();
    for (size_t number = 1; number < end && written < capacity; number++) {
        const void *metadata = objects_type_metadata(number);
        if (metadata == NULL) continue;
        int64_t live = 0;
        for (objects_block *block = objects_blocks(); block != NULL; block = block->next) {
            live += __atomic_load_n(&block->live[number], __ATOMIC_RELAXED);
        }
        types[written++] = (objects_type){ metadata, live };
    }
    return written;
}

#if defined(__linux__) && defined(__x86_64__)
#include <dlfcn.h>
#include <link.h>

uint64_t objects_table[objects_slots];
static const void *metadata_of[objects_most_types];
static uint32_t next_number = 1;

// The address ranges of the code of the standard library, whose own calls of the runtime are not interposed, and of the
// task library.
typedef struct { uintptr_t inside, begin, end; } code_range;
static code_range library, tasks;
static pthread_once_t types_once = PTHREAD_ONCE_INIT;

static int look_at(struct dl_phdr_info *image, size_t size, void *context) {
    (void)size;
    code_range *range = context;
    for (int index = 0; index < image->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &image->dlpi_phdr[index];
        uintptr_t begin = image->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || range->inside < begin || range->inside >= begin + part->p_memsz) continue;
        range->begin = begin;
        range->end = begin + part->p_memsz;
        return 1;
    }
    return 0;
}

// Finds the range around a function that is not interposed.
static void find(code_range *range, const char *function) {
    range->inside = (uintptr_t)dlsym(RTLD_DEFAULT, function);
    if (range->inside != 0) dl_iterate_phdr(look_at, range);
}

static void find_libraries(void) {
    find(&library, "swift_getTypeName");
    find(&tasks, "swift_job_run");
}

static bool is_in(const code_range *range, uintptr_t address) {
    return address >= range->begin && address < range->end;
}

// Returns whether the ends of a type's objects are seen, and matter. The function that ends them is two words before
// the metadata's address, which is the address of the kind: 0 for a class (docs/ABI/TypeMetadata.rst of the Swift
// repository, "Heap metadata"). Closures of the task library are its own: it keeps one of each cancelled sleep until
// the sleep would have ended. The objects that a task of the program holds belong to the program.
static bool is_followed(const void *metadata) {
    pthread_once(&types_once, find_libraries);
    const uintptr_t *words = metadata;
    uintptr_t destroyer = words[-2];
    bool is_closure = words[0] != 0;
    return destroyer != 0 && !is_in(&library, destroyer) && !(is_closure && is_in(&tasks, destroyer));
}

static uint64_t enter(uint64_t *slot, uint64_t address, const void *metadata) {
    uint64_t number = 0;
    if (is_followed(metadata)) {
        number = __atomic_fetch_add(&next_number, 1, __ATOMIC_RELAXED);
        if (number >= objects_most_types) number = 0;
    }
    uint64_t word = 0;
    // A number whose owner came second stays unused.
    if (!__atomic_compare_exchange_n(slot, &word, address << 16 | number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return word;
    if (number != 0) __atomic_store_n(&metadata_of[number], metadata, __ATOMIC_RELAXED);
    return address << 16 | number;
}

size_t objects_type_number_elsewhere(const void *metadata) {
    uint64_t address = (uint64_t)(uintptr_t)metadata;
    size_t index = objects_slot(address);
    for (size_t tries = 0; tries < objects_slots; tries++, index = (index + 1) % objects_slots) {
        uint64_t word = __atomic_load_n(&objects_table[index], __ATOMIC_RELAXED);
        if (word == 0) word = enter(&objects_table[index], address, metadata);
        if (word >> 16 == address) return word & 0xFFFF;
    }
    return 0;
}

const void *objects_type_metadata(size_t number) { return __atomic_load_n(&metadata_of[number], __ATOMIC_RELAXED); }

size_t objects_type_count(void) {
    size_t count = __atomic_load_n(&next_number, __ATOMIC_RELAXED);
    return count < objects_most_types ? count : objects_most_types;
}
#else
uint64_t objects_table[objects_slots];
size_t objects_type_number_elsewhere(const void *metadata) { (void)metadata; return 0; }
const void *objects_type_metadata(size_t number) { (void)number; return NULL; }
size_t objects_type_count(void) { return 0; }
#endif
