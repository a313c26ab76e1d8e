#include "images.h"
#include <pthread.h>
#include <unistd.h>

#if defined(__linux__) && __SIZEOF_POINTER__ == 8
enum { images_limit = 256 };
static rxtrace_loaded_image images[images_limit];
static size_t images_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
    uintptr_t address;
    uintptr_t bias;
    char path[4096];
    rxtrace_image_identity identity;
    bool found;
} search;

// Copies the path of an image. The copy is empty if the path does not fit.
static void copy_path(char *path, size_t size, const struct dl_phdr_info *loaded) {
    // The program itself has no name here.
    const char *name = loaded->dlpi_name == NULL || loaded->dlpi_name[0] == 0 ? "/proc/self/exe" : loaded->dlpi_name;
    size_t length = strlen(name);
    if (length >= size) length = 0;
    memcpy(path, name, length);
    path[length] = 0;
}

// Called while the loader's lock is held, so it only copies.
static int look_at(struct dl_phdr_info *loaded, size_t size, void *context) {
    search *s = context;
    (void)size;
    for (size_t index = 0; index < loaded->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &loaded->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || s->address - loaded->dlpi_addr - part->p_vaddr >= part->p_memsz) continue;
        s->found = true;
        s->bias = loaded->dlpi_addr;
        copy_path(s->path, sizeof s->path, loaded);
        s->identity = rxtrace_identity_of_loaded(loaded->dlpi_addr, loaded->dlpi_phdr, loaded->dlpi_phnum);
        return 1;
    }
    return 0;
}

// Replaces `/proc/self/exe` with the path it refers to.
static void resolve(char path[4096]) {
    char real[4096];
    ssize_t length = strcmp(path, "/proc/self/exe") == 0 ? readlink(path, real, sizeof real - 1) : -1;
    if (length <= 0) return;
    memcpy(path, real, (size_t)length);
    path[length] = 0;
}

static void set_name(rxtrace_loaded_image *new, const char *path) {
    const char *slash = strrchr(path, '/');
    strncpy(new->name, slash == NULL ? path : slash + 1, sizeof new->name - 1);
}

static rxtrace_loaded_image opened(search *s) {
    rxtrace_loaded_image new = { .bias = s->bias, .identity = s->identity, .without = rx_lines_unknown };
    rxtrace_image_file file = rxtrace_image_open(s->path, &s->identity);
    resolve(s->path);
    set_name(&new, s->path);
    new.symbols = rxtrace_symbols_make(file.symbols, file.symbol_names, s->bias);
    if (file.lines == rxtrace_image_has_lines) new.lines = rxtrace_line_table_make(&file.sections);
    if (file.lines == rxtrace_image_lines_elsewhere) new.without = rx_lines_elsewhere;
    return new;
}

// Called while `lock` is held, so that an image is indexed once.
static const rxtrace_loaded_image *image_of(search *s) {
    for (size_t index = 0; index < images_count; index++) {
        if (images[index].bias == s->bias && rxtrace_identities_equal(&images[index].identity, &s->identity))
            return &images[index];
    }
    if (images_count == images_limit) return NULL;
    images[images_count] = opened(s);
    return &images[images_count++];
}

const rxtrace_loaded_image *rxtrace_loaded_image_at(uintptr_t address, rx_lines_answer *without) {
    search s = { .address = address };
    *without = rx_lines_unknown;
    dl_iterate_phdr(look_at, &s);
    if (!s.found) return NULL;
    pthread_mutex_lock(&lock);
    const rxtrace_loaded_image *known = image_of(&s);
    pthread_mutex_unlock(&lock);
    *without = known == NULL ? rx_lines_elsewhere : known->without;
    return known;
}

typedef struct {
    rxtrace_listed_image *images;
    size_t limit, count;
} list;

// Called while the loader's lock is held, so it only copies.
static int list_image(struct dl_phdr_info *loaded, size_t size, void *context) {
    list *l = context;
    (void)size;
    rxtrace_listed_image image = { .start = UINTPTR_MAX };
    copy_path(image.path, sizeof image.path, loaded);
    // The kernel's own mapping has a name without a directory, and no file.
    if (strchr(image.path, '/') == NULL) return 0;
    for (size_t index = 0; index < loaded->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &loaded->dlpi_phdr[index];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t start = loaded->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (start < image.start) image.start = start;
        if ((part->p_flags & PF_X) != 0 && end > image.end) image.end = end;
    }
    if (image.end == 0) return 0;
    rxtrace_image_identity identity =
        rxtrace_identity_of_loaded(loaded->dlpi_addr, loaded->dlpi_phdr, loaded->dlpi_phnum);
    if (identity.is_build_id) {
        image.build_id_count = identity.count;
        memcpy(image.build_id, identity.bytes, identity.count);
    }
    if (l->count < l->limit) l->images[l->count] = image;
    l->count++;
    return 0;
}

size_t rxtrace_images_list(rxtrace_listed_image *images, size_t limit) {
    list l = { .images = images, .limit = limit };
    dl_iterate_phdr(list_image, &l);
    size_t written = l.count < limit ? l.count : limit;
    for (size_t index = 0; index < written; index++) resolve(images[index].path);
    return l.count;
}

const rxtrace_line_table *rxtrace_lines_table_at(uintptr_t address, uintptr_t *bias) {
    rx_lines_answer without;
    const rxtrace_loaded_image *known = rxtrace_loaded_image_at(address, &without);
    if (known == NULL) return NULL;
    *bias = known->bias;
    return known->lines;
}

rx_lines_answer rxtrace_lines_at(uintptr_t address, rx_line *line) {
    rx_lines_answer without;
    const rxtrace_loaded_image *known = rxtrace_loaded_image_at(address, &without);
    if (known == NULL || known->lines == NULL) return without;
    return rxtrace_line_table_find(known->lines, address - known->bias, line) ? rx_lines_found : rx_lines_unknown;
}

const rxtrace_symbols *rxtrace_symbols_at(uintptr_t address) {
    rx_lines_answer without;
    const rxtrace_loaded_image *known = rxtrace_loaded_image_at(address, &without);
    return known == NULL ? NULL : known->symbols;
}

const rxtrace_symbols *rxtrace_symbols_read(const char *path, uintptr_t bias) {
    rxtrace_image_file file = rxtrace_image_open(path, NULL);
    return rxtrace_symbols_make(file.symbols, file.symbol_names, bias);
}

const char *rxtrace_function_at(uintptr_t address, const char **name_of_image) {
    rx_lines_answer without;
    const rxtrace_loaded_image *known = rxtrace_loaded_image_at(address, &without);
    if (known == NULL || known->symbols == NULL) return NULL;
    *name_of_image = known->name;
    return rxtrace_symbol_before(known->symbols, address).name;
}

bool rxtrace_image_is_read(uintptr_t address) {
    rx_lines_answer without;
    const rxtrace_loaded_image *known = rxtrace_loaded_image_at(address, &without);
    return known != NULL && known->symbols != NULL && without != rx_lines_elsewhere;
}
#else
const rxtrace_line_table *rxtrace_lines_table_at(uintptr_t address, uintptr_t *bias) {
    return (void)address, (void)bias, NULL;
}
rx_lines_answer rxtrace_lines_at(uintptr_t address, rx_line *line) {
    return (void)address, (void)line, rx_lines_elsewhere;
}
const rxtrace_symbols *rxtrace_symbols_at(uintptr_t address) { return (void)address, NULL; }
const rxtrace_symbols *rxtrace_symbols_read(const char *path, uintptr_t bias) { return (void)path, (void)bias, NULL; }
const char *rxtrace_function_at(uintptr_t address, const char **name_of_image) {
    return (void)address, (void)name_of_image, NULL;
}
bool rxtrace_image_is_read(uintptr_t address) { return (void)address, false; }
#endif

static const rx_image_reader reader = { rxtrace_lines_at, rxtrace_function_at, rxtrace_image_is_read };

__attribute__((constructor)) static void link_reader(void) { (void)rx_image_reader_link(&reader); }
