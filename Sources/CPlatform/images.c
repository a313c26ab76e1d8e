#define _GNU_SOURCE
#include "CImages.h"
#include <dlfcn.h>

const char *rx_image_of(uintptr_t address, uintptr_t *offset) {
    Dl_info information;
    if (dladdr((void *)address, &information) == 0) return 0;
    *offset = address - (uintptr_t)information.dli_fbase;
    return information.dli_fname;
}
