#pragma once

/// 0 when this process can count its own instructions in user mode through the system's performance events; else the system's error number.
int platform_try_instruction_counter(void);
