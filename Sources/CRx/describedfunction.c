#include "units.h"

enum { tag_parameter = 0x05 };

// Reads the parameters of the function whose entry was read last. None if one of them has no name: then they say
// nothing of each other's places.
static void read_parameters(const unit *u, cursor c, rx_described_function *found) {
    size_t depth = 1;
    entry e;
    while (depth > 0 && cursor_left(&c) > 0) {
        if (!unit_entry(u, &c, &e)) {
            depth = c.failed ? 0 : depth - 1;
            continue;
        }
        if (depth == 1 && e.tag == tag_parameter) {
            const char *name = unit_text(u, e.name);
            if (name == NULL || found->count == rx_parameter_limit) {
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

// A function of a type is declared within it, without its parameters' names; its definition refers to that.
static bool find_function(const unit *u, const sequence *of, const char *function, rx_described_function *found) {
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
            rx_line_file(u->sections, of->unit, e.declaration_file.number, u->directory, &found->place);
        }
        if (e.has_children && found->count == 0) read_parameters(u, c, found);
        if (found->place.file != NULL && found->count > 0) return true;
    }
    return declaration != 0;
}

bool rx_function_described(uintptr_t address, const char *function, rx_described_function *found) {
    uintptr_t bias = 0;
    const rx_line_table *table = rx_lines_table_at(address, &bias);
    *found = (rx_described_function){ .count = 0 };
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

const char *rx_parameter_name(const rx_described_function *function, uint32_t index) {
    return index < function->count ? function->names[index] : NULL;
}
