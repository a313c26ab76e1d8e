// Reads DWARF without trusting it. Every read is checked against its buffer. A read that is not possible returns 0 and
// ends the reading.
#pragma once
#include "CImages.h"
#include <string.h>

typedef struct {
    const uint8_t *at;
    const uint8_t *end;
    // Whether a read was not possible.
    bool failed;
    // Whether offsets take eight bytes (DWARF 5, section 7.4).
    bool wide;
} cursor;

static inline cursor cursor_at(rxtrace_bytes bytes, uint64_t offset) {
    bool outside = bytes.start == NULL || offset > bytes.size;
    const uint8_t *at = outside ? NULL : bytes.start + offset;
    return (cursor){ .at = at, .end = outside ? NULL : bytes.start + bytes.size, .failed = outside };
}

static inline size_t cursor_left(const cursor *c) { return (size_t)(c->end - c->at); }

static inline void cursor_fail(cursor *c) {
    c->failed = true;
    c->at = c->end;
}

static inline void cursor_skip(cursor *c, uint64_t count) {
    if (count > cursor_left(c)) cursor_fail(c);
    else c->at += count;
}

// Reads an unsigned little-endian number of up to eight bytes.
static inline uint64_t read_number(cursor *c, size_t size) {
    uint64_t value = 0;
    if (size > cursor_left(c)) {
        cursor_fail(c);
        return 0;
    }
    memcpy(&value, c->at, size);
    c->at += size;
    return value;
}

static inline uint64_t read_offset(cursor *c) { return read_number(c, c->wide ? 8 : 4); }

// Reads a LEB128 number (DWARF 5, section 7.6). `extend` enables sign extension.
static inline uint64_t read_leb(cursor *c, bool extend) {
    uint64_t value = 0;
    for (unsigned shift = 0; c->at < c->end; shift += 7) {
        uint8_t byte = *c->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte & 0x80) continue;
        if (extend && (byte & 0x40) && shift + 7 < 64) value |= ~(uint64_t)0 << (shift + 7);
        return value;
    }
    cursor_fail(c);
    return 0;
}

static inline uint64_t read_unsigned(cursor *c) { return read_leb(c, false); }
static inline int64_t read_signed(cursor *c) { return (int64_t)read_leb(c, true); }

// Reads a text that ends within the buffer. Returns NULL if it does not end there.
static inline const char *read_text(cursor *c) {
    const char *text = (const char *)c->at;
    const void *zero = cursor_left(c) == 0 ? NULL : memchr(c->at, 0, cursor_left(c));
    if (zero == NULL) {
        cursor_fail(c);
        return NULL;
    }
    c->at = (const uint8_t *)zero + 1;
    return text;
}

static inline const char *text_at(rxtrace_bytes bytes, uint64_t offset) {
    cursor c = cursor_at(bytes, offset);
    return read_text(&c);
}

// Reads the length at the start of a unit and limits the cursor to the unit. Returns `false` if the unit does not fit.
static inline bool enter_unit(cursor *c) {
    uint64_t length = read_number(c, 4);
    c->wide = length == 0xFFFFFFFF;
    if (c->wide) length = read_number(c, 8);
    if (c->failed || length > cursor_left(c)) return false;
    c->end = c->at + length;
    return true;
}

// The forms of attributes (DWARF 5, section 7.5.6).
enum {
    form_addr = 0x01,
    form_block2 = 0x03,
    form_block4,
    form_data2,
    form_data4,
    form_data8,
    form_string,
    form_block,
    form_block1,
    form_data1,
    form_flag,
    form_sdata,
    form_strp,
    form_udata,
    form_ref_addr,
    form_ref1,
    form_ref2,
    form_ref4,
    form_ref8,
    form_ref_udata,
    form_indirect,
    form_sec_offset,
    form_exprloc,
    form_flag_present,
    form_strx,
    form_addrx,
    form_ref_sup4,
    form_strp_sup,
    form_data16,
    form_line_strp,
    form_ref_sig8,
    form_implicit_const,
    form_loclistx,
    form_rnglistx,
    form_ref_sup8,
    form_strx1,
    form_strx2,
    form_strx3,
    form_strx4,
    form_addrx1,
    form_addrx2,
    form_addrx3,
    form_addrx4,
};

// An attribute's value. A text that is stored in the unit itself is `text`. A text that is stored elsewhere is a
// number: its offset or index.
typedef struct {
    uint64_t form;
    uint64_t number;
    const char *text;
} value;

static inline value read_value(cursor *c, uint64_t form, uint8_t address_size) {
    value v = { .form = form };
    switch (form) {
    case form_addr: v.number = read_number(c, address_size == 4 ? 4 : 8); break;
    case form_data1: case form_flag: case form_ref1: case form_strx1: case form_addrx1:
        v.number = read_number(c, 1); break;
    case form_data2: case form_ref2: case form_strx2: case form_addrx2: v.number = read_number(c, 2); break;
    case form_strx3: case form_addrx3: v.number = read_number(c, 3); break;
    case form_data4: case form_ref4: case form_ref_sup4: case form_strx4: case form_addrx4:
        v.number = read_number(c, 4); break;
    case form_data8: case form_ref8: case form_ref_sig8: case form_ref_sup8: v.number = read_number(c, 8); break;
    case form_data16: cursor_skip(c, 16); break;
    case form_udata: case form_ref_udata: case form_strx: case form_addrx: case form_loclistx: case form_rnglistx:
        v.number = read_unsigned(c); break;
    case form_sdata: v.number = (uint64_t)read_signed(c); break;
    case form_strp: case form_line_strp: case form_strp_sup: case form_sec_offset: case form_ref_addr:
        v.number = read_offset(c); break;
    case form_string: v.text = read_text(c); break;
    case form_block1: cursor_skip(c, read_number(c, 1)); break;
    case form_block2: cursor_skip(c, read_number(c, 2)); break;
    case form_block4: cursor_skip(c, read_number(c, 4)); break;
    case form_block: case form_exprloc: cursor_skip(c, read_unsigned(c)); break;
    case form_flag_present: v.number = 1; break;
    case form_implicit_const: break;
    // An indirect form, or a form of unknown size.
    default: cursor_fail(c);
    }
    return v;
}
