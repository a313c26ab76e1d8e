#pragma once
#include "CStacks.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The blocks that a run allocates and that are not freed. Either one thread is watched, and the calls of all images to
/// the allocator are redirected; or a library that interposes the allocator reports the blocks of all threads.
///
/// A block is removed when any thread frees it. Kept outside the heap. One watch at a time in a process; on 64-bit
/// Linux.

/// A block that is alive.
typedef struct rxtrace_watched_block {
    uintptr_t address;
    /// The bytes that the allocator has set aside for it.
    size_t size;
    /// The calls that allocated it; 0 unless stacks were asked for.
    rx_stack stack;
    /// The run in which it was allocated.
    uint32_t run;
} rxtrace_watched_block;

/// Begins to watch the calling thread; false if somebody else watches, or it cannot be done.
/// - Parameter with_stacks: whether the calls that allocate are recorded: some microseconds each.
bool rxtrace_watch_begin(bool with_stacks);
/// Begins to watch all threads. The library that interposes the allocator reports each following block by the two
/// functions below.
bool rxtrace_watch_begin_called(bool with_stacks);
/// Reports a block that was allocated, and the address of the code that asked for it: stacks begin there.
void rxtrace_watch_allocated(void *_Nullable block, const void *_Nullable caller);
/// Reports a block that is about to be freed.
void rxtrace_watch_freed(void *_Nullable block);
/// Ends the watch of the calling thread, or of all threads, if there is one.
void rxtrace_watch_end(void);

/// Starts watching the allocations of the calling thread, as part of a run.
void rxtrace_watch_resume(uint32_t run);
/// Stops watching the allocations of the calling thread.
void rxtrace_watch_pause(void);

/// Calls `body` on a new thread, and returns once that has ended; on this one if there can be none.
void rxtrace_on_thread(void (*_Nonnull body)(void *_Nullable context), void *_Nullable context);

/// The places of blocks are less than this.
size_t rxtrace_watch_places(void);
/// The block at a place; false if there is none.
bool rxtrace_watch_block(size_t place, rxtrace_watched_block *_Nonnull block);

/// The work of all threads except the calling one since the process began.
typedef struct rxtrace_others {
    /// The number of times that they went to sleep; 0 if the system does not report it.
    int64_t sleeps;
    /// The least and the most processor time that they can have used: two clocks are read one after the other.
    int64_t least_nanoseconds, most_nanoseconds;
} rxtrace_others;

rxtrace_others rxtrace_others_now(void);
