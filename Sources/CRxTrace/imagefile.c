#if defined(__linux__) && __SIZEOF_POINTER__ == 8
#include "images.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Searches a list of notes for the build id. A note has the size of its name, the size of its content, its kind, and
// then name and content, each padded to four bytes.
static bool find_build_id(rxtrace_bytes notes, rxtrace_image_identity *identity) {
    for (cursor c = cursor_at(notes, 0); cursor_left(&c) >= 12;) {
        uint64_t name_size = read_number(&c, 4), size = read_number(&c, 4), kind = read_number(&c, 4);
        const uint8_t *name = c.at;
        cursor_skip(&c, (name_size + 3) & ~(uint64_t)3);
        const uint8_t *content = c.at;
        cursor_skip(&c, size);
        if (c.failed) return false;
        if (kind == NT_GNU_BUILD_ID && name_size == 4 && memcmp(name, "GNU", 4) == 0 && size > 0) {
            identity->is_build_id = true;
            identity->count = (uint8_t)(size < sizeof identity->bytes ? size : sizeof identity->bytes);
            memcpy(identity->bytes, content, identity->count);
            return true;
        }
        size_t fill = (4 - size % 4) % 4;
        cursor_skip(&c, fill < cursor_left(&c) ? fill : cursor_left(&c));
    }
    return false;
}

static rxtrace_image_identity hash_of(const ElfW(Phdr) *parts, size_t count) {
    rxtrace_image_identity identity = { .count = 8 };
    uint64_t hash = count;
    const uint8_t *bytes = (const uint8_t *)parts;
    for (size_t index = 0; index < count * sizeof *parts; index++) hash = (hash ^ bytes[index]) * 0x100000001B3u;
    memcpy(identity.bytes, &hash, sizeof hash);
    return identity;
}

rxtrace_image_identity rxtrace_identity_of_loaded(uintptr_t bias, const ElfW(Phdr) *parts, size_t count) {
    rxtrace_image_identity identity = { .count = 0 };
    for (size_t index = 0; index < count; index++) {
        if (parts[index].p_type != PT_NOTE) continue;
        rxtrace_bytes notes = { .start = (const uint8_t *)(bias + parts[index].p_vaddr), .size = parts[index].p_memsz };
        if (find_build_id(notes, &identity)) return identity;
    }
    return hash_of(parts, count);
}

bool rxtrace_identities_equal(const rxtrace_image_identity *one, const rxtrace_image_identity *other) {
    return one->is_build_id == other->is_build_id && one->count == other->count &&
           memcmp(one->bytes, other->bytes, one->count) == 0;
}

static rxtrace_bytes part_of(rxtrace_bytes file, uint64_t offset, uint64_t size) {
    if (offset > file.size || size > file.size - offset) return (rxtrace_bytes){ .start = NULL };
    return (rxtrace_bytes){ .start = file.start + offset, .size = size };
}

static bool is_loaded(rxtrace_bytes file, const ElfW(Ehdr) *head, const rxtrace_image_identity *loaded) {
    if (head->e_phentsize != sizeof(ElfW(Phdr))) return false;
    rxtrace_bytes bytes = part_of(file, head->e_phoff, (uint64_t)head->e_phnum * sizeof(ElfW(Phdr)));
    // The linker aligns the headers. It did not create a file whose headers are not aligned.
    if (bytes.start == NULL || (uintptr_t)bytes.start % _Alignof(ElfW(Phdr)) != 0) return false;
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)bytes.start;
    rxtrace_image_identity found = { .count = 0 };
    for (size_t index = 0; index < head->e_phnum && !found.is_build_id; index++) {
        if (parts[index].p_type == PT_NOTE)
            find_build_id(part_of(file, parts[index].p_offset, parts[index].p_filesz), &found);
    }
    if (!found.is_build_id) found = hash_of(parts, head->e_phnum);
    return rxtrace_identities_equal(&found, loaded);
}

// Returns whether a debug information file exists in one of the places where debuggers search ("Debugging Information
// in Separate Files", GDB manual, section 18.3).
static bool is_beside(const char *path, const rxtrace_image_identity *identity, const char *link) {
    char candidate[4096 + 256];
    if (identity->is_build_id && identity->count > 1) {
        int length = snprintf(candidate, sizeof candidate, "/usr/lib/debug/.build-id/%02x/", identity->bytes[0]);
        for (size_t index = 1; index < identity->count; index++) {
            length += snprintf(candidate + length, sizeof candidate - (size_t)length, "%02x", identity->bytes[index]);
        }
        snprintf(candidate + length, sizeof candidate - (size_t)length, ".debug");
        if (access(candidate, R_OK) == 0) return true;
    }
    char real[4096];
    ssize_t length = readlink(path, real, sizeof real - 1);
    bool isProgram = strcmp(path, "/proc/self/exe") == 0 && length > 0;
    if (isProgram) real[length] = 0;
    const char *file = isProgram ? real : path, *slash = strrchr(file, '/');
    if (link == NULL || slash == NULL || strlen(link) > 200) return false;
    int folder = (int)(slash - file);
    static const char *const places[] = { "%.*s/%s", "%.*s/.debug/%s", "/usr/lib/debug%.*s/%s" };
    for (size_t index = 0; index < 3; index++) {
        snprintf(candidate, sizeof candidate, places[index], folder, file, link);
        if (access(candidate, R_OK) == 0) return true;
    }
    return false;
}

typedef struct {
    const char *name;
    rxtrace_bytes *bytes;
} wanted;

static void find_symbols(rxtrace_bytes file, rxtrace_bytes table, const ElfW(Shdr) *section, rxtrace_image_file *into) {
    rxtrace_bytes head = part_of(table, (uint64_t)section->sh_link * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr)));
    if (head.start == NULL || (section->sh_flags & SHF_COMPRESSED)) return;
    ElfW(Shdr) names;
    memcpy(&names, head.start, sizeof names);
    into->symbols = part_of(file, section->sh_offset, section->sh_size);
    into->symbol_names = part_of(file, names.sh_offset, names.sh_size);
}

// Finds the sections. `*link` receives the name of the debug information file, and `*compressed` whether there are
// lines that this code cannot read.
static void find_sections(
    rxtrace_bytes file, const ElfW(Ehdr) * head, rxtrace_image_file *into, const char **link, bool *compressed) {
    rxtrace_line_sections *sections = &into->sections;
    rxtrace_bytes linked = { .start = NULL };
    const wanted all[] = {
        {".debug_line", &sections->line},
        {".debug_line_str", &sections->line_str},
        {".debug_str", &sections->str},
        {".debug_info", &sections->info},
        {".debug_abbrev", &sections->abbrev},
        {".debug_str_offsets", &sections->str_offsets},
        {".debug_addr", &sections->addr},
        {".debug_ranges", &sections->ranges},
        {".debug_rnglists", &sections->rnglists},
        {".gnu_debuglink", &linked},
    };
    rxtrace_bytes table = part_of(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr)));
    if (table.start == NULL || head->e_shentsize != sizeof(ElfW(Shdr)) || head->e_shstrndx >= head->e_shnum) return;
    ElfW(Shdr) names, section;
    memcpy(&names, table.start + head->e_shstrndx * sizeof names, sizeof names);
    rxtrace_bytes texts = part_of(file, names.sh_offset, names.sh_size);
    for (size_t index = 0; index < head->e_shnum; index++) {
        memcpy(&section, table.start + index * sizeof section, sizeof section);
        if (section.sh_type == SHT_SYMTAB || (section.sh_type == SHT_DYNSYM && into->symbols.start == NULL)) {
            find_symbols(file, table, &section, into);
        }
        const char *name = text_at(texts, section.sh_name);
        if (name == NULL || section.sh_type == SHT_NOBITS) continue;
        if (strcmp(name, ".zdebug_line") == 0) *compressed = true;
        for (size_t which = 0; which < sizeof all / sizeof *all; which++) {
            if (strcmp(name, all[which].name) != 0) continue;
            if (section.sh_flags & SHF_COMPRESSED) *compressed = true;
            else *all[which].bytes = part_of(file, section.sh_offset, section.sh_size);
        }
    }
    *link = text_at(linked, 0);
}

static rxtrace_bytes mapped(const char *path) {
    rxtrace_bytes file = { .start = NULL };
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return file;
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size >= sizeof(ElfW(Ehdr))) {
        void *start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (start != MAP_FAILED) file = (rxtrace_bytes){ .start = start, .size = (size_t)status.st_size };
    }
    close(descriptor);
    return file;
}

rxtrace_image_file rxtrace_image_open(const char *path, const rxtrace_image_identity *loaded) {
    rxtrace_image_file opened;
    memset(&opened, 0, sizeof opened);
    rxtrace_bytes file = mapped(path);
    if (file.start == NULL) return opened;
    // A mapping starts at a page, so that the header is aligned.
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)file.start;
    bool isElf = memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 &&
                 head->e_ident[EI_DATA] == ELFDATA2LSB;
    if (isElf && (loaded == NULL || is_loaded(file, head, loaded))) {
        const char *link = NULL;
        bool compressed = false;
        find_sections(file, head, &opened, &link, &compressed);
        if (compressed) opened.lines = rxtrace_image_lines_elsewhere;
        else if (opened.sections.line.start != NULL) opened.lines = rxtrace_image_has_lines;
        else if (loaded != NULL && is_beside(path, loaded, link)) opened.lines = rxtrace_image_lines_elsewhere;
    }
    if (opened.lines != rxtrace_image_has_lines && opened.symbols.start == NULL) munmap((void *)file.start, file.size);
    return opened;
}
#endif
