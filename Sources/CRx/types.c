#include "CTypes.h"
#include "CThread.h"
#include <pthread.h>
#include <stddef.h>

// Both tables are zero until they are used. Pages of the program's image that are never accessed take no memory.
enum { sink_kind = 2 }; // the raw value of `Resources.Kind.sink`
static rx_type_parts parts[rx_types_limit] = {
    [rx_subscribe] = { .operator_name = "subscribe", .kind = sink_kind },
    [rx_pending_work] = { .kind = rx_no_kind },
    [rx_pending_timers] = { .kind = rx_no_kind },
};
rx_type rx_sink_types[rx_types_limit];
enum { places = rx_types_limit * 2 };
static rx_type index_of[places];
static rx_type end = rx_named;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t place_of(rx_type_parts wanted) {
    // One multiplication: three multiplications, each waiting for the previous one, took most of the time to count a
    // disposable.
    uint64_t name = (uintptr_t)wanted.operator_name, source = (uintptr_t)wanted.source;
    uint64_t parts =
        (uintptr_t)wanted.metadata ^ (name << 21 | name >> 43) ^ (source << 42 | source >> 22) ^ wanted.kind;
    return (uint32_t)(rx_spread(parts) >> 40) % places;
}

static int equal(const rx_type_parts *one, const rx_type_parts *other) {
    return one->metadata == other->metadata && one->operator_name == other->operator_name &&
           one->source == other->source && one->kind == other->kind;
}

// Returns the type, or 0. In that case `*place` is the index where the type belongs. The table is never more than half
// full.
static rx_type find(const rx_type_parts *wanted, uint32_t *place) {
    for (;; *place = (*place + 1) % places) {
        // Acquire: a thread that sees a type sees its parts.
        rx_type type = __atomic_load_n(&index_of[*place], __ATOMIC_ACQUIRE);
        if (type == 0 || equal(&parts[type], wanted)) return type;
    }
}

rx_type rx_type_of(const void *metadata, const char *operator_name, const void *source, uint32_t kind) {
    rx_type_parts wanted = { metadata, operator_name, source, kind };
    uint32_t place = place_of(wanted);
    rx_type type = find(&wanted, &place);
    if (__builtin_expect(type != 0, 1)) return type;
    pthread_mutex_lock(&lock);
    type = find(&wanted, &place);
    if (type == 0 && end < rx_types_limit) {
        type = end;
        parts[type] = wanted;
        __atomic_store_n(&end, type + 1, __ATOMIC_RELEASE);
        __atomic_store_n(&index_of[place], type, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return type != 0 ? type : rx_unnamed + kind;
}

rx_type_parts rx_parts_of(rx_type type) {
    if (type < rx_unnamed + rx_kinds) return (rx_type_parts){ .kind = type - rx_unnamed };
    return parts[type];
}

uint64_t rx_classes[rx_classes_size];

rx_type rx_remember_class(const void *metadata, uint32_t kind) {
    rx_type type = rx_type_of(metadata, NULL, NULL, kind);
    uintptr_t address = (uintptr_t)metadata;
    if (address >> 48 == 0) {
        uint64_t entry = (uint64_t)address << 16 | kind << 12 | type;
        // Release: a thread that counts by the type may read its parts.
        __atomic_store_n(&rx_classes[rx_class_place(metadata)], entry, __ATOMIC_RELEASE);
    }
    return type;
}

rx_type rx_make_sink_type(rx_type type) {
    rx_type_parts of = rx_parts_of(type);
    rx_type sink =
        of.metadata == NULL ? rx_unnamed + sink_kind : rx_type_of(of.metadata, of.operator_name, of.source, sink_kind);
    __atomic_store_n(&rx_sink_types[type], sink, __ATOMIC_RELEASE);
    return sink;
}

rx_type rx_types_end(void) { return __atomic_load_n(&end, __ATOMIC_ACQUIRE); }
