#define _GNU_SOURCE
#include "CSymbols.h"

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
    uintptr_t address;
    size_t size;
    uint32_t name;
    /// Its number in the file, of which the lowest bit says whether it is a variable: equal addresses stay in the file's order.
    uint32_t order;
} entry;

struct rx_symbols {
    const char *names;
    size_t count;
    entry entries[];
};

typedef struct file {
    const char *bytes;
    size_t size;
} file;

static bool contains(file file, uint64_t offset, uint64_t size) { return offset <= file.size && size <= file.size - offset; }

static bool map_file(const char *path, file *file) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    struct stat status;
    void *bytes = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && status.st_size > (off_t)sizeof(Elf64_Ehdr)) {
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        file->size = (size_t)status.st_size;
    }
    close(descriptor);
    file->bytes = bytes;
    return bytes != MAP_FAILED;
}

static bool section_at(file file, const Elf64_Ehdr *header, uint32_t index, Elf64_Shdr *section) {
    uint64_t offset = header->e_shoff + (uint64_t)index * header->e_shentsize;
    if (index >= header->e_shnum || !contains(file, offset, sizeof *section)) return false;
    memcpy(section, file.bytes + offset, sizeof *section);
    return contains(file, section->sh_offset, section->sh_type == SHT_NOBITS ? 0 : section->sh_size);
}

static bool find_table(file file, const Elf64_Ehdr *header, uint32_t type, Elf64_Shdr *table) {
    for (uint32_t index = 0; index < header->e_shnum; index++) {
        if (section_at(file, header, index, table) && table->sh_type == type) return true;
    }
    return false;
}

static int compare(const void *one, const void *other) {
    const entry *left = one, *right = other;
    if (left->address != right->address) return left->address < right->address ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static size_t collect(file file, Elf64_Shdr table, uint64_t names_size, uintptr_t bias, entry *entries) {
    size_t count = 0;
    bool is_sorted = true;
    for (uint64_t index = 0; index < table.sh_size / sizeof(Elf64_Sym) && index < UINT32_MAX / 2; index++) {
        Elf64_Sym symbol;
        memcpy(&symbol, file.bytes + table.sh_offset + index * sizeof symbol, sizeof symbol);
        uint32_t type = ELF64_ST_TYPE(symbol.st_info);
        if (symbol.st_value == 0 || (type != STT_OBJECT && type != STT_FUNC) || symbol.st_name >= names_size) continue;
        entries[count] = (entry){symbol.st_value + bias, symbol.st_size, symbol.st_name, (uint32_t)index << 1 | (type == STT_OBJECT)};
        is_sorted = is_sorted && (count == 0 || entries[count - 1].address <= entries[count].address);
        count++;
    }
    if (!is_sorted) qsort(entries, count, sizeof *entries, compare);
    return count;
}

const rx_symbols *rx_symbols_read(const char *path, uintptr_t bias) {
    file file;
    if (!map_file(path, &file)) return NULL;
    Elf64_Ehdr header;
    Elf64_Shdr table, names;
    memcpy(&header, file.bytes, sizeof header);
    bool is_readable = memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64
        && (find_table(file, &header, SHT_SYMTAB, &table) || find_table(file, &header, SHT_DYNSYM, &table))
        && section_at(file, &header, table.sh_link, &names) && names.sh_type == SHT_STRTAB && names.sh_size > 0
        // So that every name ends within them.
        && file.bytes[names.sh_offset + names.sh_size - 1] == 0;
    size_t most = is_readable ? table.sh_size / sizeof(Elf64_Sym) : 0;
    rx_symbols *symbols = MAP_FAILED;
    if (most > 0) {
        size_t room = sizeof *symbols + most * sizeof(entry);
        symbols = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (symbols == MAP_FAILED) {
        munmap((void *)file.bytes, file.size);
        return NULL;
    }
    symbols->names = file.bytes + names.sh_offset;
    symbols->count = collect(file, table, names.sh_size, bias, symbols->entries);
    return symbols;
}

static rx_symbol symbol_of(const rx_symbols *symbols, const entry *entry) {
    return (rx_symbol){entry->address, entry->size, symbols->names + entry->name, entry->order & 1};
}

static const rx_symbol none = {0, 0, NULL, false};

rx_symbol rx_symbol_at(const rx_symbols *symbols, uintptr_t address) {
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (symbols->entries[middle].address <= address) low = middle + 1; else high = middle;
    }
    if (low == 0) return none;
    const entry *entry = &symbols->entries[low - 1];
    return address - entry->address < (entry->size == 0 ? 1 : entry->size) ? symbol_of(symbols, entry) : none;
}

rx_symbol rx_symbol_named(const rx_symbols *symbols, const char *name) {
    for (size_t index = 0; index < symbols->count; index++) {
        const entry *entry = &symbols->entries[index];
        if (strcmp(symbols->names + entry->name, name) == 0) return symbol_of(symbols, entry);
    }
    return none;
}
#endif
