#include "functionnames.h"
#include "CRegistry.h"
#include "sort.h"

typedef struct {
    uint64_t address;
    uint64_t name;
} function;

struct rx_symbol_table {
    rx_bytes names;
    size_t count;
    function functions[];
};

enum { entry_size = 24, kind_function = 2 };

rx_symbol_table *rx_symbol_table_make(rx_bytes symbols, rx_bytes names) {
    size_t limit = symbols.start == NULL ? 0 : symbols.size / entry_size;
    if (limit == 0) return NULL;
    size_t size = sizeof(rx_symbol_table) + limit * sizeof(function);
    rx_symbol_table *table = rx_reserve(size);
    if (table == NULL) return NULL;
    table->names = names;
    cursor c = cursor_at(symbols, 0);
    for (size_t index = 0; index < limit; index++) {
        // Name, kind, visibility, section, address, size ("System V ABI", chapter 4, symbol table).
        uint64_t name = read_number(&c, 4), kind = read_number(&c, 1) & 0xF;
        read_number(&c, 1);
        uint64_t section = read_number(&c, 2), address = read_number(&c, 8);
        read_number(&c, 8);
        if (kind == kind_function && section != 0 && address != 0) table->functions[table->count++] = (function){ address, name };
    }
    if (table->count == 0) {
        rx_release(table, size);
        return NULL;
    }
    rx_sort(table->functions, table->count, sizeof(function));
    return table;
}

const char *rx_symbol_table_find(const rx_symbol_table *table, uint64_t address) {
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->functions[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low == 0 ? NULL : text_at(table->names, table->functions[low - 1].name);
}
