#include "lines.h"

bool unit_header(const rxtrace_line_sections *sections, uint64_t offset, unit *u, uint64_t *next) {
    cursor c = cursor_at(sections->info, offset);
    u->whole = c;
    if (c.failed || !enter_unit(&c)) return false;
    u->sections = sections;
    u->offset = offset;
    u->whole.end = c.end;
    u->whole.wide = c.wide;
    *next = (uint64_t)(c.end - sections->info.start);
    u->version = (uint16_t)read_number(&c, 2);
    if (u->version == 5) {
        // A compilation unit or a partial unit. Type units and units in separate files contain no code.
        uint64_t kind = read_number(&c, 1);
        if (kind != 1 && kind != 3) u->version = 0;
        u->address_size = (uint8_t)read_number(&c, 1);
        u->abbreviations_offset = read_offset(&c);
    } else {
        u->abbreviations_offset = read_offset(&c);
        u->address_size = (uint8_t)read_number(&c, 1);
    }
    u->entries = c;
    return true;
}

// Skips the attributes of one abbreviation (DWARF 5, section 7.5.3).
static void skip_attributes(cursor *c) {
    while (!c->failed) {
        uint64_t name = read_unsigned(c), form = read_unsigned(c);
        if (form == form_implicit_const) read_signed(c);
        if (name == 0 && form == 0) return;
    }
}

// Records the positions of abbreviations: all of them, or only up to `wanted` if that is not 0.
static void find_abbreviations(unit *u, uint64_t wanted) {
    rxtrace_bytes bytes = u->sections->abbrev;
    cursor c = cursor_at(bytes, u->abbreviations_offset);
    while (!c.failed) {
        uint64_t code = read_unsigned(&c);
        if (code == 0 || c.failed) return;
        uint64_t at = (uint64_t)(c.at - bytes.start);
        if (code < abbreviations_limit && at < UINT32_MAX) u->abbreviations[code] = (uint32_t)at + 1;
        if (code == wanted) return;
        read_unsigned(&c);
        read_number(&c, 1);
        skip_attributes(&c);
    }
}

static value *place_of(entry *e, uint64_t attribute) {
    switch (attribute) {
    case 0x01: return &e->sibling;
    case 0x03: return &e->name;
    case 0x10: return &e->program;
    case 0x11: return &e->low;
    case 0x12: return &e->high;
    case 0x1B: return &e->directory;
    case 0x31: return &e->origin;
    case 0x3A: return &e->declaration_file;
    case 0x3B: return &e->declaration_line;
    case 0x47: return &e->specification;
    case 0x55: return &e->ranges;
    case 0x58: return &e->call_file;
    case 0x59: return &e->call_line;
    case 0x6E: case 0x2007: return &e->linkage_name;
    case 0x72: return &e->text_base;
    case 0x73: return &e->address_base;
    case 0x74: return &e->range_base;
    default: return NULL;
    }
}

bool unit_entry(const unit *u, cursor *c, entry *e) {
    uint64_t code = read_unsigned(c);
    if (code == 0 || c->failed) return false;
    if (code >= abbreviations_limit || u->abbreviations[code] == 0) {
        cursor_fail(c);
        return false;
    }
    memset(e, 0, sizeof *e);
    cursor abbreviation = cursor_at(u->sections->abbrev, u->abbreviations[code] - 1);
    e->tag = read_unsigned(&abbreviation);
    e->has_children = read_number(&abbreviation, 1) != 0;
    while (!abbreviation.failed && !c->failed) {
        uint64_t attribute = read_unsigned(&abbreviation), form = read_unsigned(&abbreviation);
        if (attribute == 0 && form == 0) return true;
        uint64_t constant = form == form_implicit_const ? (uint64_t)read_signed(&abbreviation) : 0;
        value v = u->version == 2 && form == form_ref_addr
                      ? (value){.form = form, .number = read_number(c, u->address_size == 4 ? 4 : 8)}
                      : read_value(c, form, u->address_size);
        if (form == form_implicit_const) v.number = constant;
        value *place = place_of(e, attribute);
        if (place != NULL) *place = v;
    }
    cursor_fail(c);
    return false;
}

// Reads a number from an indexed table whose entries start at `base`.
static uint64_t indexed(rxtrace_bytes table, uint64_t base, uint64_t index, size_t size, bool *failed) {
    cursor c = cursor_at(table, base);
    *failed = index > table.size / size;
    if (*failed) return 0;
    cursor_skip(&c, index * size);
    uint64_t number = read_number(&c, size);
    *failed = c.failed;
    return number;
}

const char *unit_text(const unit *u, value v) {
    bool failed = false;
    switch (v.form) {
    case form_string: return v.text;
    case form_strp: return text_at(u->sections->str, v.number);
    case form_line_strp: return text_at(u->sections->line_str, v.number);
    case form_strx: case form_strx1: case form_strx2: case form_strx3: case form_strx4: {
        uint64_t offset = indexed(u->sections->str_offsets, u->text_base, v.number, u->whole.wide ? 8 : 4, &failed);
        return failed ? NULL : text_at(u->sections->str, offset);
    }
    default: return NULL;
    }
}

static uint64_t address_at(const unit *u, uint64_t index) {
    bool failed = false;
    return indexed(u->sections->addr, u->address_base, index, u->address_size == 4 ? 4 : 8, &failed);
}

static uint64_t address_of(const unit *u, value v) {
    bool isIndexed = v.form == form_addrx || (v.form >= form_addrx1 && v.form <= form_addrx4);
    return isIndexed ? address_at(u, v.number) : v.number;
}

bool unit_open(unit *u, bool all) {
    if (u->version < 2 || u->version > 5 || (u->address_size != 4 && u->address_size != 8)) return false;
    cursor c = u->entries;
    uint64_t first = read_unsigned(&c);
    if (first == 0 || first >= abbreviations_limit) return false;
    if (all) memset(u->abbreviations, 0, sizeof u->abbreviations);
    u->abbreviations[first] = 0;
    find_abbreviations(u, all ? 0 : first);
    c = u->entries;
    entry e;
    if (!unit_entry(u, &c, &e)) return false;
    u->has_program = e.program.form != 0;
    u->program = e.program.number;
    u->text_base = e.text_base.number;
    u->address_base = e.address_base.number;
    u->range_base = e.range_base.number;
    u->low = address_of(u, e.low);
    u->directory = unit_text(u, e.directory);
    return true;
}

// DWARF 4, section 2.17.3.
static bool covers_old_ranges(const unit *u, uint64_t offset, uint64_t address) {
    cursor c = cursor_at(u->sections->ranges, offset);
    size_t size = u->address_size;
    uint64_t base = u->low, highest = size == 4 ? UINT32_MAX : UINT64_MAX;
    while (!c.failed) {
        uint64_t low = read_number(&c, size), high = read_number(&c, size);
        if (low == 0 && high == 0) return false;
        if (low == highest) base = high;
        else if (!c.failed && address >= base + low && address < base + high) return true;
    }
    return false;
}

// DWARF 5, section 7.25.
static bool covers_ranges(const unit *u, uint64_t offset, uint64_t address) {
    cursor c = cursor_at(u->sections->rnglists, offset);
    size_t size = u->address_size;
    uint64_t base = u->low;
    while (!c.failed) {
        uint64_t low = 0, high = 0;
        switch (read_number(&c, 1)) {
        case 1: base = address_at(u, read_unsigned(&c)); break;
        case 2: low = address_at(u, read_unsigned(&c)); high = address_at(u, read_unsigned(&c)); break;
        case 3: low = address_at(u, read_unsigned(&c)); high = low + read_unsigned(&c); break;
        case 4: low = base + read_unsigned(&c); high = base + read_unsigned(&c); break;
        case 5: base = read_number(&c, size); break;
        case 6: low = read_number(&c, size); high = read_number(&c, size); break;
        case 7: low = read_number(&c, size); high = low + read_unsigned(&c); break;
        default: return false;
        }
        if (!c.failed && low <= address && address < high) return true;
    }
    return false;
}

bool unit_covers(const unit *u, const entry *e, uint64_t address) {
    if (e->ranges.form != 0) {
        if (u->version < 5) return covers_old_ranges(u, e->ranges.number, address);
        if (e->ranges.form != form_rnglistx) return covers_ranges(u, e->ranges.number, address);
        bool failed = false;
        uint64_t offset =
            indexed(u->sections->rnglists, u->range_base, e->ranges.number, u->whole.wide ? 8 : 4, &failed);
        return !failed && covers_ranges(u, u->range_base + offset, address);
    }
    if (e->low.form == 0 || e->high.form == 0) return false;
    uint64_t low = address_of(u, e->low);
    bool isLength = e->high.form != form_addr && e->high.form != form_addrx &&
                    !(e->high.form >= form_addrx1 && e->high.form <= form_addrx4);
    return address >= low && address < (isLength ? low + e->high.number : address_of(u, e->high));
}
