#include "CRoles.h"
#include <stddef.h>

// Replaced by the definitions in `Rx`, if that is linked.
__attribute__((weak)) rx_role rx_role_of(const void *class) {
    (void)class;
    return rx_role_unknown;
}

__attribute__((weak)) bool rx_counts_resources(void) { return false; }

__attribute__((weak)) const void *rx_element_type(const void *class) {
    (void)class;
    return NULL;
}
