#define _GNU_SOURCE
#include "counters.h"

#if defined(__linux__) && defined(__x86_64__)
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

uint64_t objects_table[objects_slots];
static const void *metadata_of[objects_most_types];
static uint32_t next_number = 1;

// Where the code of the standard library lies, whose own calls of the runtime do not come by us, and that of the
// library of tasks.
typedef struct { uintptr_t inside, begin, end; } code_range;
static code_range library, tasks;
static pthread_once_t once = PTHREAD_ONCE_INIT;

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

// The range around a function that nobody stands before.
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

// Whether the ends of a type's objects are seen, and say something. The function that ends them stands two words before
// the metadata's address, which is that of the kind: 0 for a class (docs/ABI/TypeMetadata.rst of the Swift repository,
// "Heap metadata"). Closures of the library of tasks are its own: it keeps one of each sleep that was cancelled until
// the sleep would have ended. What a task of the program holds are objects of the program.
static bool is_followed(const void *metadata) {
    pthread_once(&once, find_libraries);
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
