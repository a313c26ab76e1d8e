// Compilation units of `.debug_info` and their entries.
#pragma once
#include "lines.h"

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
