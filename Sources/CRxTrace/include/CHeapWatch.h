#pragma once
#include "CStacks.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The blocks that a run allocates and that are not freed. Either one thread is watched, and the calls of all images to
/// the allocator are redirected; or a library that interposes the allocator reports the blocks of all threads.
///
/// A block is removed when any thread frees it. The table of blocks is stored outside the heap. A process has at most
/// one watch at a time. Watching is possible on 64-bit Linux.

/// A block that is alive.
typedef struct rxtrace_watched_block {
    uintptr_t address;
    /// The bytes that the allocator has reserved for the block.
    size_t size;
    /// The call stack that allocated the block; 0 unless stacks were requested.
    rx_stack stack;
    /// The run in which it was allocated.
    uint32_t run;
} rxtrace_watched_block;

/// Begins to watch the calling thread. Returns false if another watch is active, or if watching is not possible.
/// - Parameter with_stacks: whether the stack of each allocation is recorded, which takes some microseconds each.
bool rxtrace_watch_begin(bool with_stacks);
/// Begins to watch all threads. The library that interposes the allocator reports each following block by the two
/// functions below.
bool rxtrace_watch_begin_called(bool with_stacks);
/// Reports a block that was allocated. `caller` is the return address of the call to the allocator; the recorded stack
/// begins there. The block is ignored unless a run is being watched.
void rxtrace_watch_allocated(void *_Nullable block, const void *_Nullable caller);
/// Reports a block that is about to be freed.
void rxtrace_watch_freed(void *_Nullable block);
/// Ends the watch of the calling thread, or of all threads, if there is one.
void rxtrace_watch_end(void);

/// Starts recording allocations as part of a run: the allocations of the calling thread, or of all threads after
/// `rxtrace_watch_begin_called`.
void rxtrace_watch_resume(uint32_t run);
/// Stops recording allocations until the next `rxtrace_watch_resume`. Blocks that are freed are still removed.
void rxtrace_watch_pause(void);

/// Calls `body` on a new thread, and returns after that thread has ended. Calls it on the current thread if no thread
/// can be created.
///
/// With jemalloc, the program never uses the memory of the new thread. Freed memory keeps its content, so the addresses
/// that a search leaves in it would otherwise look like references of the program.
void rxtrace_on_thread(void (*_Nonnull body)(void *_Nullable context), void *_Nullable context);

/// The number of places for blocks in the table; 0 without a watch. Call it only from the code that has the watch.
size_t rxtrace_watch_places(void);
/// Copies the block at a place, which must be less than `rxtrace_watch_places`. Returns false if the place is empty.
bool rxtrace_watch_block(size_t place, rxtrace_watched_block *_Nonnull block);

/// The work of all threads except the calling one since the process began.
typedef struct rxtrace_others {
    /// The number of their voluntary context switches: how often they went to sleep. 0 on systems other than Linux.
    int64_t sleeps;
    /// The lower and upper bounds of their processor time. The bounds differ because two clocks are read in succession.
    int64_t least_nanoseconds, most_nanoseconds;
} rxtrace_others;

rxtrace_others rxtrace_others_now(void);

/// Stops Swift Testing from storing the stack of each error that is thrown, until `rxtrace_resume_stacks_of_testing` is
/// called as often. It stores them until the test ends, so that code which throws an error would seem to leak.
void rxtrace_pause_stacks_of_testing(void);
void rxtrace_resume_stacks_of_testing(void);
