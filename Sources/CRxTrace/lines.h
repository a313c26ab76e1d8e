// The reader of line tables: its table, the compilation units of `.debug_info` and their entries, and the interfaces
// between its parts.
#pragma once
#include "dwarf.h"

// A contiguous range of code (a "sequence"), with the positions of its unit and its own instructions in `.debug_line`.
typedef struct {
    uint64_t low;
    uint64_t high;
    uint64_t unit;
    uint64_t program;
    // Its unit in `.debug_info`, plus 1, or 0 if there is no unit.
    uint64_t info;
    // The highest end of this sequence and all sequences before it.
    uint64_t reach;
} sequence;

struct rxtrace_line_table {
    rxtrace_line_sections sections;
    size_t count;
    size_t limit;
    size_t size;
    sequence sequences[];
};

// Adds the sequences of all units.
void rxtrace_line_units(rxtrace_line_table *table);

// Finds the row of a sequence that an address belongs to.
bool rxtrace_line_row(
    const rxtrace_line_table *table, const sequence *of, uint64_t address, uint64_t *file, uint32_t *line);

// Finds the path of a unit's file. `base` is the directory of the compilation, which old versions do not store
// themselves.
void rxtrace_line_file(
    const rxtrace_line_sections *sections, uint64_t unit, uint64_t file, const char *base, rx_source_location *place);

// Links each sequence to its unit of `.debug_info`. Call it before the sequences are sorted.
void rxtrace_line_link(rxtrace_line_table *table);

// Finds the functions that were inlined at an address of a sequence. Returns the directory of the compilation, or NULL
// if it is not specified.
const char *rxtrace_line_inlined(const rxtrace_line_table *table, const sequence *of, uint64_t address, rx_line *line);

enum { abbreviations_limit = 4096 };

typedef struct {
    const rxtrace_line_sections *sections;
    // Starts at the unit's first byte, the base of references within the unit.
    cursor whole;
    cursor entries;
    uint64_t offset;
    uint16_t version;
    uint8_t address_size;
    uint64_t abbreviations_offset;
    // The position of each code's abbreviation in `.debug_abbrev`, plus 1, or 0 if there is no such code. Filled by
    // `unit_open`.
    uint32_t abbreviations[abbreviations_limit];
    // From the unit's first entry.
    uint64_t program;
    bool has_program;
    uint64_t low;
    uint64_t text_base, address_base, range_base;
    const char *directory;
} unit;

// An entry ("DIE"), limited to the attributes that are used. A form of 0 means that the attribute is missing.
typedef struct {
    uint64_t tag;
    bool has_children;
    value low, high, ranges, origin, specification, linkage_name, name, sibling;
    value declaration_file, declaration_line, call_file, call_line;
    value program, directory, text_base, address_base, range_base;
} entry;

enum { tag_subprogram = 0x2E, tag_inlined = 0x1D };

// Reads the unit at an offset, without its abbreviations. Returns `false` at the end or if the unit is invalid. `next`
// receives the offset of the next unit.
bool unit_header(const rxtrace_line_sections *sections, uint64_t offset, unit *u, uint64_t *next);

// Reads the unit's first entry. With `all`, also finds the other abbreviations. Returns `false` if the unit does not
// hold code.
bool unit_open(unit *u, bool all);

// Reads an entry. Returns `false` for an empty entry, which ends its parent, and if reading has failed.
bool unit_entry(const unit *u, cursor *c, entry *e);

const char *unit_text(const unit *u, value v);

// Returns whether the entry's code includes an address.
bool unit_covers(const unit *u, const entry *e, uint64_t address);
