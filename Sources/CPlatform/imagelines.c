#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "lines.h"
#if defined(__linux__) && __SIZEOF_POINTER__ == 8
#include "imagefile.h"
#include <link.h>
#include <pthread.h>

// An image that was asked for, kept for as long as the process lives: texts in its file are handed out.
typedef struct {
    uintptr_t bias;
    rx_image_identity identity;
    rx_line_table *table;
    rx_lines_answer without; // What is answered if there is no table.
} image;

enum { images_limit = 256 };
static image images[images_limit];
static size_t images_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
    uintptr_t address;
    uintptr_t bias;
    char path[4096];
    rx_image_identity identity;
    bool found;
} search;

// Called with the loader's lock held: copies, no more.
static int look_at(struct dl_phdr_info *loaded, size_t size, void *context) {
    search *s = context;
    (void)size;
    for (size_t index = 0; index < loaded->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &loaded->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || s->address - loaded->dlpi_addr - part->p_vaddr >= part->p_memsz) continue;
        s->found = true;
        s->bias = loaded->dlpi_addr;
        // The program itself has no name here.
        const char *name = loaded->dlpi_name == NULL || loaded->dlpi_name[0] == 0 ? "/proc/self/exe" : loaded->dlpi_name;
        size_t length = strlen(name);
        if (length >= sizeof s->path) length = 0;
        memcpy(s->path, name, length);
        s->path[length] = 0;
        s->identity = rx_identity_of_loaded(loaded->dlpi_addr, loaded->dlpi_phdr, loaded->dlpi_phnum);
        return 1;
    }
    return 0;
}

static image opened(const search *s) {
    image new = { .bias = s->bias, .identity = s->identity, .without = rx_lines_unknown };
    rx_line_sections sections;
    switch (rx_image_sections(s->path, &s->identity, &sections)) {
    case rx_image_has_lines: new.table = rx_line_table_make(&sections); break;
    case rx_image_lines_elsewhere: new.without = rx_lines_elsewhere; break;
    case rx_image_without_lines: break;
    }
    return new;
}

// With `lock` held, so that an image is indexed once.
static const image *image_of(const search *s) {
    for (size_t index = 0; index < images_count; index++) {
        if (images[index].bias == s->bias && rx_identities_equal(&images[index].identity, &s->identity)) return &images[index];
    }
    if (images_count == images_limit) return NULL;
    images[images_count] = opened(s);
    return &images[images_count++];
}

// The image that holds an address. NULL, and what to answer instead, where there is none.
static const image *image_at(uintptr_t address, rx_lines_answer *without) {
    search s = { .address = address };
    *without = rx_lines_unknown;
    dl_iterate_phdr(look_at, &s);
    if (!s.found) return NULL;
    pthread_mutex_lock(&lock);
    const image *known = image_of(&s);
    pthread_mutex_unlock(&lock);
    *without = known == NULL ? rx_lines_elsewhere : known->without;
    return known != NULL && known->table != NULL ? known : NULL;
}

const rx_line_table *rx_lines_table_at(uintptr_t address, uintptr_t *bias) {
    rx_lines_answer without;
    const image *known = image_at(address, &without);
    if (known == NULL) return NULL;
    *bias = known->bias;
    return known->table;
}

rx_lines_answer rx_lines_at(uintptr_t address, rx_line *line) {
    rx_lines_answer without;
    const image *known = image_at(address, &without);
    if (known == NULL) return without;
    return rx_line_table_find(known->table, address - known->bias, line) ? rx_lines_found : rx_lines_unknown;
}
#else
const rx_line_table *rx_lines_table_at(uintptr_t address, uintptr_t *bias) {
    (void)address;
    (void)bias;
    return NULL;
}

rx_lines_answer rx_lines_at(uintptr_t address, rx_line *line) {
    (void)address;
    (void)line;
    return rx_lines_elsewhere;
}
#endif
