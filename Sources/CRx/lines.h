// The reader of line tables: its table, and how its parts call one another.
#pragma once
#include "dwarf.h"

// A stretch of code without gaps (a "sequence"), with where its unit and its own instructions stand in `.debug_line`.
typedef struct {
    uint64_t low;
    uint64_t high;
    uint64_t unit;
    uint64_t program;
    // Its unit in `.debug_info`, plus 1; 0: none.
    uint64_t info;
    // The highest end of this one and all before it.
    uint64_t reach;
} sequence;

struct rx_line_table {
    rx_line_sections sections;
    size_t count;
    size_t limit;
    size_t size;
    sequence sequences[];
};

// Adds the sequences of all units.
void rx_line_units(rx_line_table *table);

// The row of a sequence that an address belongs to.
bool rx_line_row(const rx_line_table *table, const sequence *of, uint64_t address, uint64_t *file, uint32_t *line);

// The path of a unit's file; `base` is the directory of the compilation, which old versions do not say themselves.
void rx_line_file(
    const rx_line_sections *sections, uint64_t unit, uint64_t file, const char *base, rx_source_location *place);

// Tells each sequence which unit of `.debug_info` is about it. Before the sequences are sorted.
void rx_line_link(rx_line_table *table);

// Finds the functions that were inlined at an address of a sequence. The directory of the compilation; NULL where it is
// not said.
const char *rx_line_inlined(const rx_line_table *table, const sequence *of, uint64_t address, rx_line *line);
