#pragma once
#include <stdint.h>

/// Opens a counter of the instructions that this process executes in user mode, in this thread and in all that it
/// starts from now on. Returns its file descriptor, or the system's error number, negated.
int platform_open_instruction_counter(void);

/// Reads the counter; 0 on success, else the system's error number.
int platform_read_instruction_counter(int descriptor, uint64_t *_Nonnull count);

/// 0 when this process can count its own instructions in user mode through the system's performance events; else the
/// system's error number.
int platform_try_instruction_counter(void);
