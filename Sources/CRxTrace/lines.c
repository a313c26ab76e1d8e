#include "lines.h"

// The header of a line program's unit (DWARF 5, section 6.2.4).
typedef struct {
    cursor tables;   // Directories and files.
    cursor program;
    uint16_t version;
    uint8_t address_size;
    uint8_t step;    // minimum_instruction_length
    int8_t line_base;
    uint8_t line_range;
    uint8_t opcode_base;
    const uint8_t *lengths;
} header;

static bool read_header(cursor unit, header *h) {
    cursor c = unit;
    h->version = (uint16_t)read_number(&c, 2);
    if (h->version < 2 || h->version > 5) return false;
    h->address_size = 8;
    if (h->version == 5) {
        h->address_size = (uint8_t)read_number(&c, 1);
        read_number(&c, 1);
    }
    uint64_t length = read_offset(&c);
    if (c.failed || length > cursor_left(&c)) return false;
    h->program = c;
    h->program.at += length;
    c.end = h->program.at;
    h->step = (uint8_t)read_number(&c, 1);
    // More than one operation per instruction occurs on no machine that this code supports.
    if (h->version >= 4 && read_number(&c, 1) != 1) return false;
    read_number(&c, 1);
    h->line_base = (int8_t)read_number(&c, 1);
    h->line_range = (uint8_t)read_number(&c, 1);
    h->opcode_base = (uint8_t)read_number(&c, 1);
    h->lengths = c.at;
    if (h->opcode_base == 0 || h->line_range == 0) return false;
    cursor_skip(&c, h->opcode_base - 1u);
    h->tables = c;
    return !c.failed;
}

// One row of the matrix (DWARF 5, section 6.2.2), limited to the columns that are used.
typedef struct {
    uint64_t address;
    uint64_t file;
    uint32_t line;
} row;

typedef enum { step_none, step_row, step_end, step_failed } step;

static step extended(const header *h, cursor *c, row *r) {
    uint64_t length = read_unsigned(c);
    if (length == 0 || length > cursor_left(c)) return step_failed;
    cursor operands = *c;
    operands.end = c->at + length;
    c->at += length;
    switch (read_number(&operands, 1)) {
    case 1: return step_end;
    case 2: r->address = read_number(&operands, length - 1 <= 8 ? length - 1 : h->address_size); break;
    // Skipped: a file name between instructions, a discriminator, or a vendor extension.
    default: break;
    }
    return operands.failed ? step_failed : step_none;
}

// Runs one instruction (DWARF 5, section 6.2.5).
static step advance(const header *h, cursor *c, row *r) {
    uint8_t opcode = (uint8_t)read_number(c, 1);
    if (c->failed) return step_failed;
    if (opcode >= h->opcode_base) {
        uint8_t adjusted = opcode - h->opcode_base;
        r->address += (uint64_t)h->step * (adjusted / h->line_range);
        r->line += (uint32_t)(h->line_base + adjusted % h->line_range);
        return step_row;
    }
    switch (opcode) {
    case 0: return extended(h, c, r);
    case 1: return step_row;
    case 2: r->address += h->step * read_unsigned(c); break;
    case 3: r->line += (uint32_t)read_signed(c); break;
    case 4: r->file = read_unsigned(c); break;
    case 8: r->address += (uint64_t)h->step * ((255u - h->opcode_base) / h->line_range); break;
    case 9: r->address += read_number(c, 2); break;
    default:
        for (uint8_t count = h->lengths[opcode - 1]; count > 0 && !c->failed; count--) read_unsigned(c);
    }
    return c->failed ? step_failed : step_none;
}

static const row first_row = { .address = 0, .file = 1, .line = 1 };

// Adds the sequences of one unit.
static void add_unit(rxtrace_line_table *table, cursor unit, uint64_t offset) {
    header h;
    if (!read_header(unit, &h)) return;
    cursor c = h.program;
    row r = first_row;
    sequence new = { .unit = offset, .program = (uint64_t)(c.at - table->sections.line.start) };
    for (bool begun = false; c.at < c.end && table->count < table->limit;) {
        switch (advance(&h, &c, &r)) {
        case step_failed: return;
        case step_none: break;
        case step_row:
            if (!begun) new.low = r.address;
            begun = true;
            break;
        case step_end:
            new.high = r.address;
            // Code that the linker has removed remains in the table, at address 0.
            if (begun && new.low != 0 && new.high > new.low) table->sequences[table->count++] = new;
            r = first_row;
            begun = false;
            new.program = (uint64_t)(c.at - table->sections.line.start);
        }
    }
}

void rxtrace_line_units(rxtrace_line_table *table) {
    cursor all = cursor_at(table->sections.line, 0);
    while (cursor_left(&all) > 0) {
        cursor unit = all;
        if (!enter_unit(&unit)) return;
        add_unit(table, unit, (uint64_t)(all.at - table->sections.line.start));
        all.at = unit.end;
    }
}

// A format of DWARF 5 (section 6.2.4.1): pairs of content and form.
typedef struct {
    cursor pairs;
    uint64_t count;
} format;

static format read_format(cursor *c) {
    format f = { .count = read_number(c, 1) };
    f.pairs = *c;
    for (uint64_t index = 0; index < 2 * f.count; index++) read_unsigned(c);
    return f;
}

static const char *read_entry(
    const rxtrace_line_sections *sections, format f, uint8_t address_size, cursor *c, uint64_t *directory) {
    const char *path = NULL;
    for (uint64_t index = 0; index < f.count; index++) {
        uint64_t content = read_unsigned(&f.pairs);
        value v = read_value(c, read_unsigned(&f.pairs), address_size);
        if (content == 2) *directory = v.number;
        if (content != 1) continue;
        path = v.form == form_string ? v.text
            : v.form == form_line_strp ? text_at(sections->line_str, v.number)
            : v.form == form_strp ? text_at(sections->str, v.number) : NULL;
    }
    return path;
}

// Returns the entry `wanted` of the table at `c`. Changes the directory if the table specifies one. Stops after the
// entry.
static const char *read_table(
    const rxtrace_line_sections *sections, uint8_t address_size, cursor *c, uint64_t wanted, uint64_t *directory) {
    format f = read_format(c);
    uint64_t count = read_unsigned(c);
    const char *path = NULL;
    for (uint64_t index = 0; index < count && !c->failed; index++) {
        uint64_t of = 0;
        const uint8_t *before = c->at;
        const char *entry = read_entry(sections, f, address_size, c, &of);
        // Without this check, a table of empty entries could claim an unlimited number of entries.
        if (c->at == before) return NULL;
        if (index != wanted) continue;
        path = entry;
        if (directory != NULL) *directory = of;
    }
    return c->failed ? NULL : path;
}

static void find_file_in_tables(
    const rxtrace_line_sections *sections, const header *h, uint64_t file, rx_source_location *place) {
    cursor directories = h->tables, files = h->tables;
    read_table(sections, h->address_size, &files, UINT64_MAX, NULL);
    uint64_t directory = 0;
    place->file = read_table(sections, h->address_size, &files, file, &directory);
    if (place->file == NULL) return;
    place->directory = read_table(sections, h->address_size, &directories, directory, NULL);
    directories = h->tables;
    place->base = read_table(sections, h->address_size, &directories, 0, NULL);
}

// Before DWARF 5: a list of texts that ends with an empty one. Directory 0, the compilation's directory, is not in the
// list.
static void find_file_in_lists(const header *h, uint64_t file, const char *base, rx_source_location *place) {
    cursor c = h->tables, directories = h->tables;
    place->base = base;
    for (const char *text = read_text(&c); text != NULL && text[0] != 0;) text = read_text(&c);
    for (uint64_t index = 1; !c.failed; index++) {
        const char *name = read_text(&c);
        if (name == NULL || name[0] == 0) return;
        uint64_t directory = read_unsigned(&c);
        read_unsigned(&c);
        read_unsigned(&c);
        if (index != file || c.failed) continue;
        place->file = name;
        for (uint64_t at = 1; at <= directory && !directories.failed; at++) {
            place->directory = read_text(&directories);
            if (place->directory == NULL || place->directory[0] == 0) { place->directory = NULL; return; }
        }
        return;
    }
}

void rxtrace_line_file(
    const rxtrace_line_sections *sections, uint64_t unit_offset, uint64_t file, const char *base,
    rx_source_location *place) {
    cursor unit = cursor_at(sections->line, unit_offset);
    header h;
    place->base = place->directory = place->file = NULL;
    if (unit.failed || !enter_unit(&unit) || !read_header(unit, &h)) return;
    if (h.version == 5) find_file_in_tables(sections, &h, file, place);
    else find_file_in_lists(&h, file, base, place);
}

bool rxtrace_line_row(
    const rxtrace_line_table *table, const sequence *of, uint64_t address, uint64_t *file, uint32_t *line) {
    cursor unit = cursor_at(table->sections.line, of->unit);
    header h;
    if (unit.failed || !enter_unit(&unit) || !read_header(unit, &h)) return false;
    cursor c = h.program;
    c.at = table->sections.line.start + of->program;
    row r = first_row, last = first_row;
    for (bool begun = false;;) {
        step done = advance(&h, &c, &r);
        if (done == step_failed) return false;
        if (done == step_none) continue;
        if (begun && last.address <= address && address < r.address) {
            *file = last.file;
            *line = last.line;
            return true;
        }
        if (done == step_end) return false;
        last = r;
        begun = true;
    }
}
