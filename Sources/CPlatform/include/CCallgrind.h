#pragma once
#include <stdint.h>

/// Asks callgrind, under which this process may run, for something. On a processor, and where valgrind has no such
/// sequence, it does nothing.
///
/// Valgrind recognises four rotations that leave a register as it was, followed by an instruction that does nothing;
/// the request lies in memory. Its header has the same as macros (valgrind.h, "amd64-linux" and "arm64-linux"); written
/// out, a build needs no valgrind, and one program serves machines with and without it.
static inline uint64_t platform_valgrind_request(uint64_t request) {
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
enum { platform_callgrind_base = 0x43540000 };

/// 1 when the process runs under valgrind.
static inline int platform_runs_on_valgrind(void) { return platform_valgrind_request(0x1001) != 0; }

/// Writes what was counted to callgrind's next file, and counts from 0 again.
static inline void platform_callgrind_dump(void) { platform_valgrind_request(platform_callgrind_base + 0); }

/// Counts from 0 again.
static inline void platform_callgrind_zero(void) { platform_valgrind_request(platform_callgrind_base + 1); }

/// Begins to count.
static inline void platform_callgrind_start(void) { platform_valgrind_request(platform_callgrind_base + 4); }
