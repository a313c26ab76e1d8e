#pragma once
#include "CThread.h"
#include "CStacks.h"
#include "CTypes.h"
#include <stdbool.h>

/// The tracing levels. Each level includes the previous levels.
enum {
    /// Resources that are created at this level are not counted, regardless of when they are deallocated.
    rx_level_off,
    /// Resources are counted by type.
    rx_level_counts,
    /// Resources are also registered: address, type and the calls that created them.
    rx_level_stacks,
    /// All resources are registered, regardless of the sampling rate.
    rx_level_paranoid,
    /// The environment was not read yet.
    rx_level_unread,
};

/// Stored in a resource, to remove it from the counts: 0 if the resource is not counted, its type, or `rx_registered`
/// and its place in the registry.
typedef uint32_t rx_tag;

#define rx_registered 0x80000000u

extern unsigned char rx_level;

/// Returns the level. Reads the environment first if necessary.
unsigned rx_level_now(void);
/// - Parameter sampling_rate: the share of resources that are registered, in 0...1.
void rx_level_set(unsigned level, double sampling_rate);
double rx_sampling_rate(void);

/// The parsed variable RX_TRACE.
typedef struct {
    unsigned level;
    /// The share of resources that are registered, in 0...1.
    double rate;
    /// Whether a report of the live resources is written when the process exits.
    bool reports_at_exit;
    /// The exit status of the process if a resource is alive then, or 0 to leave the status unchanged.
    int exit_code;
} rx_environment;

/// Parses a value of the variable RX_TRACE: 'stacks', 'stacks:0.1' or 'stacks,exit=1'. Returns false if it is invalid.
bool rx_environment_parse(const char *_Nonnull text, rx_environment *_Nonnull said);
/// Called once, with an invalid value. Writes a line to standard error unless this pointer is replaced before the first
/// resource is created.
extern void (*_Nonnull rx_environment_warning)(const char *_Nonnull value);
/// Returns the value of the variable RX_TRACE if it was invalid, otherwise NULL.
const char *_Nullable rx_environment_refused(void);

rx_tag rx_made_otherwise(rx_type type, const void *_Nullable address);
void rx_gone_otherwise(rx_tag tag);
rx_tag rx_retyped_otherwise(rx_tag tag, rx_type type);
rx_type rx_registered_type(rx_tag tag);

/// Counts a resource that was created. Returns the tag to pass to `rx_gone` when the resource is deallocated.
static inline rx_tag rx_made(rx_type type, const void *_Nullable address) {
    unsigned char level = __atomic_load_n(&rx_level, __ATOMIC_RELAXED);
    if (__builtin_expect(level != rx_level_counts, 0))
        return level == rx_level_off ? 0 : rx_made_otherwise(type, address);
    rx_count(type, 1);
    return type;
}

/// Counts work, or a timer, that a scheduler has accepted. Returns the tag to pass to `rx_gone` when it is finished.
/// Work that waits for its time is registered at any level. If stacks are recorded, all work is registered, with its
/// stack.
/// - Parameter seconds: the length of the wait, or 0 for work that is due immediately.
rx_tag rx_scheduled(rx_type type, const void *_Nonnull address, double seconds);
/// Returns the monotonic clock in hundredths of a second.
uint32_t rx_hundredths_now(void);

/// Removes a deallocated resource from the counts, if it was counted when it was created. So changing the level in
/// between makes no count wrong.
static inline void rx_gone(rx_tag tag) {
    // Checks for 0 and registered tags in one comparison.
    if (__builtin_expect(tag - 1 >= rx_registered - 1, 0)) {
        if (tag != 0) rx_gone_otherwise(tag);
        return;
    }
    rx_count(tag, -1);
}

/// Changes the type under which a resource is counted to `type`. Returns its new tag.
static inline rx_tag rx_retyped(rx_tag tag, rx_type type) {
    if (__builtin_expect(tag - 1 >= rx_registered - 1, 0)) return rx_retyped_otherwise(tag, type);
    rx_count(tag, -1);
    rx_count(type, 1);
    return type;
}

/// Returns the type of a tag, or 0 if the resource is not counted.
static inline rx_type rx_type_of_tag(rx_tag tag) { return tag < rx_registered ? tag : rx_registered_type(tag); }

/// A live registered resource.
typedef struct {
    uintptr_t address;
    rx_type type;
    rx_stack stack;
    /// The last mark that `rx_registry_mark` had set when the resource was created.
    uint32_t mark;
    /// The due time of work that waits for its time, in hundredths of a second of the monotonic clock, or 0 for all
    /// other resources.
    uint32_t due;
} rx_resource;

/// Sets the mark of resources that are created after this call.
void rx_registry_mark(uint32_t mark);
/// Returns an upper bound: all places that were ever in use are less than this.
uint32_t rx_registry_end(void);
/// Reads the resource at a place. Returns false if there is no resource.
bool rx_registry_read(uint32_t place, rx_resource *_Nonnull resource);

/// Reserves zeroed memory outside the heap. Pages are allocated when they are first accessed. Returns NULL on failure.
void *_Nullable rx_reserve(size_t size);
/// Frees memory that `rx_reserve` has returned.
void rx_release(void *_Nonnull memory, size_t size);
