#pragma once
#include "CThread.h"
#include "CStacks.h"
#include "CTypes.h"
#include <stdbool.h>

/// How much is traced. Each level does what the ones before it do.
enum {
    /// Resources that are made now are not counted, whenever they go.
    rx_level_off,
    /// Resources are counted by type.
    rx_level_counts,
    /// They are registered besides: address, type and the calls that made them.
    rx_level_stacks,
    /// All of them are, whatever is sampled.
    rx_level_paranoid,
    /// Nobody has asked yet what the environment says.
    rx_level_unread,
};

/// Kept by a resource, to be taken out of the counts: 0 if it is not counted, its type, or `rx_registered` and its
/// place in the registry.
typedef uint32_t rx_tag;

#define rx_registered 0x80000000u

extern unsigned char rx_level;

/// The level, after the environment was asked.
unsigned rx_level_now(void);
/// - Parameter sampling_rate: the share of resources that are registered, in 0...1.
void rx_level_set(unsigned level, double sampling_rate);
double rx_sampling_rate(void);

/// The variable RX_TRACE, parsed.
typedef struct {
    unsigned level;
    /// The share of resources that are registered, in 0...1.
    double rate;
    /// Whether a report of what is alive is written when the process exits.
    bool reports_at_exit;
    /// How the process ends then if a resource is alive; 0: as it would anyway.
    int exit_code;
} rx_environment;

/// Reads a value of the variable RX_TRACE, 'stacks', 'stacks:0.1' or 'stacks,exit=1'; false if it is none.
bool rx_environment_parse(const char *_Nonnull text, rx_environment *_Nonnull said);
/// Called once, with a value that cannot be understood. Writes a line to standard error unless something else is put
/// here before the first resource is made.
extern void (*_Nonnull rx_environment_warning)(const char *_Nonnull value);
/// The value of the variable RX_TRACE that could not be understood; NULL if it could.
const char *_Nullable rx_environment_refused(void);

rx_tag rx_made_otherwise(rx_type type, const void *_Nullable address);
void rx_gone_otherwise(rx_tag tag);
rx_tag rx_retyped_otherwise(rx_tag tag, rx_type type);
rx_type rx_registered_type(rx_tag tag);

/// Counts a resource that was made; what to give `rx_gone` when it goes.
static inline rx_tag rx_made(rx_type type, const void *_Nullable address) {
    unsigned char level = __atomic_load_n(&rx_level, __ATOMIC_RELAXED);
    if (__builtin_expect(level != rx_level_counts, 0))
        return level == rx_level_off ? 0 : rx_made_otherwise(type, address);
    rx_count(type, 1);
    return type;
}

/// Counts work, or a timer, that a scheduler has accepted; what to give `rx_gone` when it is over. What waits for its
/// time is registered at any level, and all of it with its stack where stacks are recorded.
/// - Parameter seconds: how long it waits; 0 for what is to be done at once.
rx_tag rx_scheduled(rx_type type, const void *_Nonnull address, double seconds);
/// The monotonic clock in hundredths of a second.
uint32_t rx_hundredths_now(void);

/// Counts that a resource has gone, if it was counted when it came: so no level that is set in between makes a count
/// wrong.
static inline void rx_gone(rx_tag tag) {
    // 0 and registered tags in one comparison.
    if (__builtin_expect(tag - 1 >= rx_registered - 1, 0)) {
        if (tag != 0) rx_gone_otherwise(tag);
        return;
    }
    rx_count(tag, -1);
}

/// Counts as `type` what was counted as something else; its new tag.
static inline rx_tag rx_retyped(rx_tag tag, rx_type type) {
    if (__builtin_expect(tag - 1 >= rx_registered - 1, 0)) return rx_retyped_otherwise(tag, type);
    rx_count(tag, -1);
    rx_count(type, 1);
    return type;
}

/// The type of a tag; 0 if the resource is not counted.
static inline rx_type rx_type_of_tag(rx_tag tag) { return tag < rx_registered ? tag : rx_registered_type(tag); }

/// A registered resource that is alive.
typedef struct {
    uintptr_t address;
    rx_type type;
    rx_stack stack;
    /// The mark that `rx_registry_mark` had set last when it was made.
    uint32_t mark;
    /// When it is due, in hundredths of a second of the monotonic clock, for work that waits for its time; 0 for all
    /// else.
    uint32_t due;
} rx_resource;

/// Marks the resources that are made from now on.
void rx_registry_mark(uint32_t mark);
/// The places that were ever in use are less than this.
uint32_t rx_registry_end(void);
/// Reads the resource at a place; false if there is none.
bool rx_registry_read(uint32_t place, rx_resource *_Nonnull resource);

/// Memory outside the heap, zero, real once it is touched; NULL if there is none.
void *_Nullable rx_reserve(size_t size);
/// Gives back what `rx_reserve` has given.
void rx_release(void *_Nonnull memory, size_t size);
