#include "lines.h"
#include "CRegistry.h"
#include "images.h"

// A sequence takes at least nine bytes of a line program: an instruction that sets an address of four bytes, and an end
// instruction of three bytes.
enum { bytes_per_sequence = 9 };

rxtrace_line_table *rxtrace_line_table_make(const rxtrace_line_sections *sections) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    return NULL;
#endif
    if (sections->line.start == NULL || sections->line.size > SIZE_MAX / 32) return NULL;
    size_t limit = sections->line.size / bytes_per_sequence + 1;
    size_t size = sizeof(rxtrace_line_table) + limit * sizeof(sequence);
    // Reserved. A page is allocated when it is first written.
    rxtrace_line_table *table = rx_reserve(size);
    if (table == NULL) return NULL;
    *table = (rxtrace_line_table){ .sections = *sections, .limit = limit, .size = size };
    rxtrace_line_units(table);
    if (table->count > 0) rxtrace_line_link(table);
    if (table->count == 0 || !rxtrace_sort(table->sequences, table->count, sizeof(sequence))) {
        rxtrace_line_table_free(table);
        return NULL;
    }
    uint64_t reach = 0;
    for (size_t index = 0; index < table->count; index++) {
        if (table->sequences[index].high > reach) reach = table->sequences[index].high;
        table->sequences[index].reach = reach;
    }
    return table;
}

void rxtrace_line_table_free(rxtrace_line_table *table) {
    if (table != NULL) rx_release(table, table->size);
}

size_t rxtrace_line_table_count(const rxtrace_line_table *table) { return table->count; }

void rxtrace_line_table_range(const rxtrace_line_table *table, size_t index, uint64_t *low, uint64_t *high) {
    *low = table->sequences[index].low;
    *high = table->sequences[index].high;
}

bool rxtrace_line_table_find(const rxtrace_line_table *table, uint64_t address, rx_line *line) {
    line->inlined_count = 0;
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->sequences[middle].low <= address) low = middle + 1;
        else high = middle;
    }
    // Searches backwards through the sequences that start before the address, while one of them can still contain it.
    for (size_t index = low; index > 0 && table->sequences[index - 1].reach > address; index--) {
        const sequence *candidate = &table->sequences[index - 1];
        uint64_t file = 0;
        if (candidate->high <= address) continue;
        if (!rxtrace_line_row(table, candidate, address, &file, &line->place.line)) continue;
        const char *base = rxtrace_line_inlined(table, candidate, address, line);
        rxtrace_line_file(&table->sections, candidate->unit, file, base, &line->place);
        return line->place.file != NULL;
    }
    return false;
}
