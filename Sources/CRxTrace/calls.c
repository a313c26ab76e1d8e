#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Temporarily redirects calls from one image to another. It writes to each image's table of the functions that the
// image calls (its global offset table; "System V Application Binary Interface, AMD64 Architecture Processor
// Supplement", section 5.2). Calls within an image, and function addresses that were stored before, are not redirected.
bool rxtrace_calls_redirect(
    const char *const names[], void *const instead[], size_t count, const void *not_in_the_image_of);
void rxtrace_calls_restore(void);

#if defined(__linux__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { table_kind = R_X86_64_JUMP_SLOT, data_kind = R_X86_64_GLOB_DAT };
#else
enum { table_kind = R_AARCH64_JUMP_SLOT, data_kind = R_AARCH64_GLOB_DAT };
#endif

enum { entries_limit = 1024 };
static struct { void **entry; void *before; bool is_sealed; } redirected[entries_limit];
static size_t redirected_count;

typedef struct {
    const char *const *names;
    void *const *instead;
    size_t count;
    uintptr_t except;
} request;

static bool is_within(const struct dl_phdr_info *image, const ElfW(Phdr) *part, uintptr_t address) {
    uintptr_t start = image->dlpi_addr + part->p_vaddr;
    return address >= start && address < start + part->p_memsz;
}

// Pages that the loader has made read-only are made writable for the write.
static void store(void **entry, void *value, bool is_sealed) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)entry & ~(page - 1);
    if (is_sealed && mprotect((void *)start, page, PROT_READ | PROT_WRITE) != 0) return;
    // Atomic, because other threads call through it at the same time.
    __atomic_store_n(entry, value, __ATOMIC_RELEASE);
    if (is_sealed) mprotect((void *)start, page, PROT_READ);
}

static void redirect(const struct dl_phdr_info *image, const ElfW(Rela) * relocations, size_t size,
    const ElfW(Sym) * symbols, const char *strings, const ElfW(Phdr) * sealed, const request *wanted) {
    for (size_t index = 0; index < size / sizeof *relocations; index++) {
        const ElfW(Rela) *relocation = &relocations[index];
        uint32_t kind = (uint32_t)ELF64_R_TYPE(relocation->r_info);
        if (kind != table_kind && kind != data_kind) continue;
        const char *name = strings + symbols[ELF64_R_SYM(relocation->r_info)].st_name;
        for (size_t call = 0; call < wanted->count; call++) {
            if (strcmp(name, wanted->names[call]) != 0 || redirected_count == entries_limit) continue;
            void **entry = (void **)(image->dlpi_addr + relocation->r_offset);
            bool is_sealed = sealed != NULL && is_within(image, sealed, (uintptr_t)entry);
            redirected[redirected_count].entry = entry;
            redirected[redirected_count].before = *entry;
            redirected[redirected_count++].is_sealed = is_sealed;
            store(entry, wanted->instead[call], is_sealed);
        }
    }
}

static int visit(struct dl_phdr_info *image, size_t size, void *context) {
    (void)size;
    const request *wanted = context;
    const ElfW(Dyn) *entry = NULL;
    const ElfW(Phdr) *sealed = NULL;
    for (int index = 0; index < image->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &image->dlpi_phdr[index];
        if (part->p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(image->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_GNU_RELRO) sealed = part;
        // Calls within the allocator itself are not redirected.
        if (part->p_type == PT_LOAD && is_within(image, part, wanted->except)) return 0;
    }
    const ElfW(Rela) *calls = NULL, *data = NULL;
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    size_t calls_size = 0, data_size = 0;
    for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_JMPREL: calls = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: calls_size = entry->d_un.d_val; break;
        case DT_RELA: data = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: data_size = entry->d_un.d_val; break;
        case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: strings = (const void *)entry->d_un.d_ptr; break;
        }
    }
    // The addresses of the kernel's own image are not relocated.
    if (symbols == NULL || strings == NULL || (uintptr_t)strings < image->dlpi_addr) return 0;
    if (calls != NULL) redirect(image, calls, calls_size, symbols, strings, sealed, wanted);
    if (data != NULL) redirect(image, data, data_size, symbols, strings, sealed, wanted);
    return 0;
}

bool rxtrace_calls_redirect(
    const char *const names[], void *const instead[], size_t count, const void *not_in_the_image_of) {
    request wanted = { names, instead, count, (uintptr_t)not_in_the_image_of };
    redirected_count = 0;
    dl_iterate_phdr(visit, &wanted);
    return redirected_count > 0;
}

void rxtrace_calls_restore(void) {
    while (redirected_count > 0) {
        redirected_count--;
        store(redirected[redirected_count].entry, redirected[redirected_count].before,
            redirected[redirected_count].is_sealed);
    }
}
#else
bool rxtrace_calls_redirect(
    const char *const names[], void *const instead[], size_t count, const void *not_in_the_image_of) {
    (void)names, (void)instead, (void)count, (void)not_in_the_image_of;
    return false;
}

void rxtrace_calls_restore(void) {}
#endif
