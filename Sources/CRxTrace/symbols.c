#include "images.h"
#include "CRegistry.h"

// A symbol as stored in a little-endian 64-bit file ("System V ABI", chapter 4, "Symbol Table").
typedef struct {
    uint32_t name;
    uint8_t kind, visibility;
    uint16_t section;
    uint64_t address, size;
} file_symbol;

_Static_assert(sizeof(file_symbol) == 24, "has no gaps");

enum { kind_variable = 1, kind_function = 2 };

// Sorted by the address in the file. The other fields are read from the file.
typedef struct {
    uint64_t address, index;
} indexed;

typedef struct {
    const indexed *entries;
    size_t count;
} list;

struct rxtrace_symbols {
    rxtrace_bytes table, names;
    uintptr_t bias;
    list functions, variables;
    indexed entries[];
};

static file_symbol symbol_in(rxtrace_bytes table, size_t index) {
    file_symbol symbol;
    memcpy(&symbol, table.start + index * sizeof symbol, sizeof symbol);
    return symbol;
}

static unsigned kind_of(const file_symbol *symbol) {
    return symbol->section == 0 || symbol->address == 0 ? 0 : symbol->kind & 0xF;
}

// Keeps only the last of several entries with equal addresses. Returns the number of remaining entries.
static size_t unite(indexed *entries, size_t count) {
    size_t kept = 0;
    for (size_t index = 0; index < count; index++) {
        if (kept > 0 && entries[kept - 1].address == entries[index].address) kept--;
        entries[kept++] = entries[index];
    }
    return kept;
}

static list collect(rxtrace_bytes table, rxtrace_bytes names, unsigned kind, indexed *entries) {
    size_t count = 0;
    for (size_t index = 0; index < table.size / sizeof(file_symbol); index++) {
        file_symbol symbol = symbol_in(table, index);
        if (kind_of(&symbol) != kind || symbol.name >= names.size) continue;
        entries[count++] = (indexed){ symbol.address, index };
    }
    // Entries with equal addresses stay in the file's order.
    return (list){ entries, rxtrace_sort(entries, count, sizeof *entries) ? unite(entries, count) : 0 };
}

const rxtrace_symbols *rxtrace_symbols_make(rxtrace_bytes table, rxtrace_bytes names, uintptr_t bias) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    return NULL;
#endif
    size_t limit = table.start == NULL || names.start == NULL ? 0 : table.size / sizeof(file_symbol);
    if (limit == 0) return NULL;
    size_t size = sizeof(rxtrace_symbols) + limit * sizeof(indexed);
    rxtrace_symbols *symbols = rx_reserve(size);
    if (symbols == NULL) return NULL;
    symbols->table = table;
    symbols->names = names;
    symbols->bias = bias;
    symbols->functions = collect(table, names, kind_function, symbols->entries);
    // The variables follow the functions, whose number has not grown.
    symbols->variables = collect(table, names, kind_variable, symbols->entries + symbols->functions.count);
    if (symbols->functions.count + symbols->variables.count == 0) {
        rx_release(symbols, size);
        return NULL;
    }
    return symbols;
}

static const rxtrace_symbol none = { 0, 0, NULL, false };

static rxtrace_symbol symbol_of(const rxtrace_symbols *symbols, size_t index) {
    file_symbol symbol = symbol_in(symbols->table, index);
    return (rxtrace_symbol){
        .address = (uintptr_t)symbol.address + symbols->bias,
        .size = (size_t)symbol.size,
        .name = text_at(symbols->names, symbol.name),
        .is_variable = kind_of(&symbol) == kind_variable,
    };
}

static rxtrace_symbol last_before(const rxtrace_symbols *symbols, list list, uintptr_t address) {
    uint64_t wanted = address - symbols->bias;
    size_t low = 0, high = list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list.entries[middle].address <= wanted) low = middle + 1;
        else high = middle;
    }
    return low == 0 ? none : symbol_of(symbols, list.entries[low - 1].index);
}

rxtrace_symbol rxtrace_symbol_before(const rxtrace_symbols *symbols, uintptr_t address) {
    return last_before(symbols, symbols->functions, address);
}

static bool holds(const rxtrace_symbol *symbol, uintptr_t address) {
    return symbol->name != NULL && address - symbol->address < (symbol->size == 0 ? 1 : symbol->size);
}

rxtrace_symbol rxtrace_symbol_at(const rxtrace_symbols *symbols, uintptr_t address) {
    rxtrace_symbol symbol = last_before(symbols, symbols->functions, address);
    if (holds(&symbol, address)) return symbol;
    symbol = last_before(symbols, symbols->variables, address);
    return holds(&symbol, address) ? symbol : none;
}

rxtrace_symbol rxtrace_symbol_named(const rxtrace_symbols *symbols, const char *name) {
    // Includes the terminating zero.
    size_t size = strlen(name) + 1;
    for (size_t index = 0; index < symbols->table.size / sizeof(file_symbol); index++) {
        file_symbol symbol = symbol_in(symbols->table, index);
        unsigned kind = kind_of(&symbol);
        if ((kind != kind_function && kind != kind_variable) || symbol.name > symbols->names.size) continue;
        if (symbols->names.size - symbol.name >= size && memcmp(symbols->names.start + symbol.name, name, size) == 0)
            return symbol_of(symbols, index);
    }
    return none;
}
