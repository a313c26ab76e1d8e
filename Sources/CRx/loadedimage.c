#if defined(__linux__) && __SIZEOF_POINTER__ == 8
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "images.h"
#include <pthread.h>
#include <unistd.h>

enum { images_limit = 256 };
static rx_loaded_image images[images_limit];
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
        const char *name =
            loaded->dlpi_name == NULL || loaded->dlpi_name[0] == 0 ? "/proc/self/exe" : loaded->dlpi_name;
        size_t length = strlen(name);
        if (length >= sizeof s->path) length = 0;
        memcpy(s->path, name, length);
        s->path[length] = 0;
        s->identity = rx_identity_of_loaded(loaded->dlpi_addr, loaded->dlpi_phdr, loaded->dlpi_phnum);
        return 1;
    }
    return 0;
}

static void set_name(rx_loaded_image *new, const char *path) {
    char real[4096];
    ssize_t length = strcmp(path, "/proc/self/exe") == 0 ? readlink(path, real, sizeof real - 1) : -1;
    if (length > 0) {
        real[length] = 0;
        path = real;
    }
    const char *slash = strrchr(path, '/');
    strncpy(new->name, slash == NULL ? path : slash + 1, sizeof new->name - 1);
}

static rx_loaded_image opened(const search *s) {
    rx_loaded_image new = { .bias = s->bias, .identity = s->identity, .without = rx_lines_unknown };
    rx_image_file file = rx_image_open(s->path, &s->identity);
    set_name(&new, s->path);
    new.symbols = rx_symbols_make(file.symbols, file.symbol_names, s->bias);
    if (file.lines == rx_image_has_lines) new.lines = rx_line_table_make(&file.sections);
    if (file.lines == rx_image_lines_elsewhere) new.without = rx_lines_elsewhere;
    return new;
}

// With `lock` held, so that an image is indexed once.
static const rx_loaded_image *image_of(const search *s) {
    for (size_t index = 0; index < images_count; index++) {
        if (images[index].bias == s->bias && rx_identities_equal(&images[index].identity, &s->identity))
            return &images[index];
    }
    if (images_count == images_limit) return NULL;
    images[images_count] = opened(s);
    return &images[images_count++];
}

const rx_loaded_image *rx_loaded_image_at(uintptr_t address, rx_lines_answer *without) {
    search s = { .address = address };
    *without = rx_lines_unknown;
    dl_iterate_phdr(look_at, &s);
    if (!s.found) return NULL;
    pthread_mutex_lock(&lock);
    const rx_loaded_image *known = image_of(&s);
    pthread_mutex_unlock(&lock);
    *without = known == NULL ? rx_lines_elsewhere : known->without;
    return known;
}
#endif
