#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "lines.h"
#if defined(__linux__) && __SIZEOF_POINTER__ == 8
#include "imagefile.h"
#include <link.h>
#include "functionnames.h"
#include <pthread.h>
#include <unistd.h>

// An image that was asked for, kept for as long as the process lives: texts in its file are handed out.
typedef struct {
    uintptr_t bias;
    rx_image_identity identity;
    rx_line_table *table;
    rx_lines_answer without; // What is answered if there is no table.
    rx_symbol_table *symbols;
    char name[128];
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

static void set_name(image *new, const char *path) {
    char real[4096];
    ssize_t length = strcmp(path, "/proc/self/exe") == 0 ? readlink(path, real, sizeof real - 1) : -1;
    if (length > 0) {
        real[length] = 0;
        path = real;
    }
    const char *slash = strrchr(path, '/');
    strncpy(new->name, slash == NULL ? path : slash + 1, sizeof new->name - 1);
}

static image opened(const search *s) {
    image new = { .bias = s->bias, .identity = s->identity, .without = rx_lines_unknown };
    rx_image_file file = rx_image_open(s->path, &s->identity);
    set_name(&new, s->path);
    new.symbols = rx_symbol_table_make(file.symbols, file.symbol_names);
    if (file.lines == rx_image_has_lines) new.table = rx_line_table_make(&file.sections);
    if (file.lines == rx_image_lines_elsewhere) new.without = rx_lines_elsewhere;
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

// The image that holds an address; NULL, and what to answer of its lines, where none is known.
static const image *image_at(uintptr_t address, rx_lines_answer *without) {
    search s = { .address = address };
    *without = rx_lines_unknown;
    dl_iterate_phdr(look_at, &s);
    if (!s.found) return NULL;
    pthread_mutex_lock(&lock);
    const image *known = image_of(&s);
    pthread_mutex_unlock(&lock);
    *without = known == NULL ? rx_lines_elsewhere : known->without;
    return known;
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
    if (known == NULL || known->table == NULL) return without;
    return rx_line_table_find(known->table, address - known->bias, line) ? rx_lines_found : rx_lines_unknown;
}

const char *rx_function_at(uintptr_t address, const char **name_of_image) {
    rx_lines_answer without;
    const image *known = image_at(address, &without);
    if (known == NULL || known->symbols == NULL) return NULL;
    *name_of_image = known->name;
    return rx_symbol_table_find(known->symbols, address - known->bias);
}

bool rx_image_is_read(uintptr_t address) {
    rx_lines_answer without;
    const image *known = image_at(address, &without);
    return known != NULL && known->symbols != NULL && without != rx_lines_elsewhere;
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

const char *rx_function_at(uintptr_t address, const char **name_of_image) {
    (void)address;
    (void)name_of_image;
    return NULL;
}

bool rx_image_is_read(uintptr_t address) {
    (void)address;
    return false;
}
#endif
