// The reader of line tables: its table, the compilation units of `.debug_info` and their entries, and how its parts
// call one another.
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

enum { abbreviations_limit = 4096 };

typedef struct {
    const rx_line_sections *sections;
    // From the unit's first byte: what references within it count from.
    cursor whole;
    cursor entries;
    uint64_t offset;
    uint16_t version;
    uint8_t address_size;
    uint64_t abbreviations_offset;
    // Where each code's abbreviation stands in `.debug_abbrev`, plus 1; 0: nowhere. Filled by `unit_open`.
    uint32_t abbreviations[abbreviations_limit];
    // Of its first entry.
    uint64_t program;
    bool has_program;
    uint64_t low;
    uint64_t text_base, address_base, range_base;
    const char *directory;
} unit;

// An entry ("DIE") as far as anybody asks; a form of 0: not there.
typedef struct {
    uint64_t tag;
    bool has_children;
    value low, high, ranges, origin, specification, linkage_name, name, sibling;
    value declaration_file, declaration_line, call_file, call_line;
    value program, directory, text_base, address_base, range_base;
} entry;

enum { tag_subprogram = 0x2E, tag_inlined = 0x1D };

// The unit at an offset, without its abbreviations. `false` at the end, or where no sense can be made of it; `next` is
// where the next one begins.
bool unit_header(const rx_line_sections *sections, uint64_t offset, unit *u, uint64_t *next);

// Reads its first entry; with `all`, finds the abbreviations of the others too. `false` if it is no unit that holds
// code.
bool unit_open(unit *u, bool all);

// Reads an entry. `false` for an empty one, which ends its parent, and where reading has failed.
bool unit_entry(const unit *u, cursor *c, entry *e);

const char *unit_text(const unit *u, value v);

// Whether the entry's code includes an address.
bool unit_covers(const unit *u, const entry *e, uint64_t address);
