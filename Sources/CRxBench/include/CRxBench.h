// Functions that Swift cannot express: an optimiser barrier, requests to callgrind, a counter of the processor's
// instructions, and counts of objects in programs that also link CObjects.
#pragma once
#include <stdint.h>

/// Makes the optimiser assume that the memory at `address` is read and may be changed here. Costs no instruction. A
/// call would cost one, and the optimiser can see through a Swift function that does nothing and remove it.
static inline void rxbench_use(const void *_Nonnull address) {
    __asm__ volatile("" : : "r"(address) : "memory");
}

/// Returns the version of the compiler that built this file. The C compiler is part of the Swift toolchain, so its
/// version identifies the toolchain.
static inline const char *_Nonnull rxbench_compiler(void) {
    return __clang_version__;
}

/// Sends a request to callgrind, under which this process may run. On a real processor, and on architectures for which
/// valgrind defines no such sequence, this function does nothing.
///
/// Valgrind recognises four rotations that leave a register unchanged, followed by an instruction that does nothing.
/// The request is in memory. Valgrind's header has the same sequence as macros (valgrind.h, "amd64-linux" and
/// "arm64-linux"). Because the sequence is written out here, a build needs no valgrind, and one program runs on
/// machines with and without it.
static inline uint64_t rxbench_valgrind_request(uint64_t request) {
    volatile uint64_t arguments[6] = { request, 0, 0, 0, 0, 0 };
    uint64_t result = 0;
#if defined(__linux__) && defined(__x86_64__)
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "=d"(result) : "a"(arguments), "0"(result) : "cc", "memory");
#elif defined(__linux__) && defined(__aarch64__)
    __asm__ volatile("mov x3, %1; mov x4, %2;"
                     "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; orr x10, x10, x10;"
                     "mov %0, x3"
                     : "=r"(result) : "r"(result), "r"(arguments) : "cc", "memory", "x3", "x4");
#endif
    return result;
}

/// Callgrind's requests: 'C', 'T' and a number (callgrind.h).
enum { rxbench_callgrind_base = 0x43540000 };

/// Returns 1 if the process runs under valgrind.
static inline int rxbench_runs_on_valgrind(void) { return rxbench_valgrind_request(0x1001) != 0; }

/// Writes the counts to callgrind's next file and resets them to 0.
static inline void rxbench_callgrind_dump(void) { rxbench_valgrind_request(rxbench_callgrind_base + 0); }

/// Resets the counts to 0.
static inline void rxbench_callgrind_zero(void) { rxbench_valgrind_request(rxbench_callgrind_base + 1); }

/// Starts counting.
static inline void rxbench_callgrind_start(void) { rxbench_valgrind_request(rxbench_callgrind_base + 4); }

/// Opens a counter of the instructions that this process executes in user mode, in this thread and in all threads that
/// it starts later. Returns the counter's file descriptor, or the negated error number of the system.
int rxbench_open_instruction_counter(void);

/// Reads the counter. Returns 0 on success, or else the system's error number.
int rxbench_read_instruction_counter(int descriptor, uint64_t *_Nonnull count);

/// Returns 0 if this process can count its own instructions in user mode through the system's performance events, or
/// else the system's error number.
int rxbench_try_instruction_counter(void);

/// The calls of the Swift runtime since the process began.
typedef struct rxbench_objects {
    uint64_t allocations, retains, releases;
} rxbench_objects;

/// Returns NULL if CObjects is linked and counts objects in this process, or else the reason as the end of a sentence.
const char *_Nullable rxbench_objects_obstacle(void);

/// Returns the counts of all threads, which are 0 if CObjects is not linked.
rxbench_objects rxbench_objects_of_all_threads(void);
