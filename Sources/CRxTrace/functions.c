#include "lines.h"

// Returns the first sequence of the line program at `offset`. The sequences are still in the order of their units.
static size_t first_sequence(const rxtrace_line_table *table, uint64_t offset) {
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->sequences[middle].unit < offset) low = middle + 1;
        else high = middle;
    }
    return low;
}

void rxtrace_line_link(rxtrace_line_table *table) {
    unit u;
    for (uint64_t offset = 0, next = 0; unit_header(&table->sections, offset, &u, &next); offset = next) {
        if (!unit_open(&u, false) || !u.has_program) continue;
        size_t index = first_sequence(table, u.program);
        for (; index < table->count && table->sequences[index].unit == u.program; index++) {
            table->sequences[index].info = offset + 1;
        }
    }
}

static bool find_unit_of_entry(const rxtrace_line_sections *sections, uint64_t entry_offset, unit *u) {
    for (uint64_t offset = 0, next = 0; unit_header(sections, offset, u, &next); offset = next) {
        if (entry_offset < next) return unit_open(u, true);
    }
    return false;
}

// Returns the name of a function that is described in another entry, possibly in another unit.
static const char *name_of(const unit *u, const entry *e) {
    entry described = *e;
    unit other;
    // The number of steps is limited: an entry that refers to itself would never end.
    for (int steps = 0; steps < 8; steps++) {
        if (described.linkage_name.form != 0) return unit_text(u, described.linkage_name);
        value reference = described.origin.form != 0 ? described.origin : described.specification;
        if (reference.form == 0 || reference.form == form_ref_sig8) return unit_text(u, described.name);
        uint64_t offset = reference.form == form_ref_addr ? reference.number : u->offset + reference.number;
        uint64_t size = (uint64_t)(u->whole.end - u->whole.at);
        if (offset < u->offset || offset - u->offset >= size) {
            if (!find_unit_of_entry(u->sections, offset, &other)) return NULL;
            u = &other;
        }
        cursor c = u->whole;
        cursor_skip(&c, offset - u->offset);
        if (!unit_entry(u, &c, &described)) return NULL;
    }
    return NULL;
}

typedef struct {
    entry entries[rx_inlined_limit];
    size_t depths[rx_inlined_limit];
    size_t count;
} chain;

// Walks the unit's tree to the function that contains the address, and through the functions that were inlined into it
// there, outermost first.
static void find_chain(const unit *u, uint64_t address, chain *found) {
    cursor c = u->entries;
    size_t depth = 0, inside = 0;
    entry e;
    while (cursor_left(&c) > 0) {
        if (!unit_entry(u, &c, &e)) {
            // An empty entry returns to the parent, and ends the function if the walk was inside it.
            if (c.failed || depth == 0) return;
            depth--;
            if (inside > 0 && depth <= inside) return;
            continue;
        }
        if (e.tag == tag_subprogram && inside == 0 && unit_covers(u, &e, address)) {
            if (!e.has_children) return;
            inside = depth;
        } else if (e.tag == tag_inlined && inside > 0 && unit_covers(u, &e, address)) {
            while (found->count > 0 && found->depths[found->count - 1] >= depth) found->count--;
            if (found->count == rx_inlined_limit) return;
            found->entries[found->count] = e;
            found->depths[found->count++] = depth;
        }
        if (e.has_children) depth++;
    }
}

const char *rxtrace_line_inlined(const rxtrace_line_table *table, const sequence *of, uint64_t address, rx_line *line) {
    const rxtrace_line_sections *sections = &table->sections;
    unit u;
    uint64_t next;
    line->inlined_count = 0;
    if (of->info == 0 || !unit_header(sections, of->info - 1, &u, &next) || !unit_open(&u, true)) return NULL;
    chain found = { .count = 0 };
    find_chain(&u, address, &found);
    while (found.count > 0) {
        const entry *e = &found.entries[--found.count];
        rx_inlined_function *function = &line->inlined[line->inlined_count++];
        function->name = name_of(&u, e);
        function->call.line = (uint32_t)e->call_line.number;
        rxtrace_line_file(sections, of->unit, e->call_file.number, u.directory, &function->call);
    }
    return u.directory;
}

enum { tag_parameter = 0x05 };

// Reads the parameters of the function whose entry was read last. Reads no parameters if one of them has no name,
// because their positions are then unknown.
static void read_parameters(const unit *u, cursor c, rxtrace_described_function *found) {
    size_t depth = 1;
    entry e;
    while (depth > 0 && cursor_left(&c) > 0) {
        if (!unit_entry(u, &c, &e)) {
            depth = c.failed ? 0 : depth - 1;
            continue;
        }
        if (depth == 1 && e.tag == tag_parameter) {
            const char *name = unit_text(u, e.name);
            if (name == NULL || found->count == rxtrace_parameter_limit) {
                found->count = 0;
                return;
            }
            found->names[found->count++] = name;
        }
        if (e.has_children) depth++;
    }
}

static bool is_named(const unit *u, const entry *e, const char *function) {
    if (e->tag != tag_subprogram || e->linkage_name.form == 0) return false;
    const char *name = unit_text(u, e->linkage_name);
    return name != NULL && strcmp(name, function) == 0;
}

static bool refers_to(const unit *u, value reference, uint64_t offset) {
    if (reference.form == 0) return false;
    return (reference.form == form_ref_addr ? reference.number - u->offset : reference.number) == offset;
}

// A method is declared within its type, without its parameters' names. Its definition refers to that declaration.
static bool find_function(const unit *u, const sequence *of, const char *function, rxtrace_described_function *found) {
    cursor c = u->entries;
    uint64_t declaration = 0;
    entry e;
    while (cursor_left(&c) > 0) {
        uint64_t offset = (uint64_t)(c.at - u->whole.at);
        if (!unit_entry(u, &c, &e)) {
            if (c.failed) break;
            continue;
        }
        if (is_named(u, &e, function)) {
            declaration = offset;
        } else if (e.tag != tag_subprogram || declaration == 0
                   || (!refers_to(u, e.specification, declaration) && !refers_to(u, e.origin, declaration))) {
            continue;
        }
        if (found->place.file == NULL && e.declaration_line.number != 0) {
            found->place.line = (uint32_t)e.declaration_line.number;
            rxtrace_line_file(u->sections, of->unit, e.declaration_file.number, u->directory, &found->place);
        }
        if (e.has_children && found->count == 0) read_parameters(u, c, found);
        if (found->place.file != NULL && found->count > 0) return true;
    }
    return declaration != 0;
}

bool rxtrace_function_described(uintptr_t address, const char *function, rxtrace_described_function *found) {
    uintptr_t bias = 0;
    const rxtrace_line_table *table = rxtrace_lines_table_at(address, &bias);
    *found = (rxtrace_described_function){ .count = 0 };
    if (table == NULL) return false;
    for (size_t index = 0; index < table->count; index++) {
        const sequence *candidate = &table->sequences[index];
        if (candidate->info == 0 || candidate->low > address - bias || candidate->high <= address - bias) continue;
        unit u;
        uint64_t next;
        return unit_header(&table->sections, candidate->info - 1, &u, &next) && unit_open(&u, true)
            && find_function(&u, candidate, function, found);
    }
    return false;
}

const char *rxtrace_parameter_name(const rxtrace_described_function *function, uint32_t index) {
    return index < function->count ? function->names[index] : NULL;
}
