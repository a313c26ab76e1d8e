#pragma once

// Tells the optimiser that whatever `address` points to is read and may be changed here. Costs no instruction: a call
// would cost one, and a Swift function that does nothing can be seen through and removed.
static inline void platform_use(const void *address) {
    __asm__ volatile("" : : "r"(address) : "memory");
}

// The version of the compiler that built this file; the C compiler comes with Swift's, so it identifies the toolchain.
static inline const char *platform_compiler(void) {
    return __clang_version__;
}
