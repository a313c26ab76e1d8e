#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CLines.h"
#include "CSymbols.h"
#if defined(__linux__) && __SIZEOF_POINTER__ == 8
#include "images.h"

const rx_line_table *rx_lines_table_at(uintptr_t address, uintptr_t *bias) {
    rx_lines_answer without;
    const rx_loaded_image *known = rx_loaded_image_at(address, &without);
    if (known == NULL) return NULL;
    *bias = known->bias;
    return known->lines;
}

rx_lines_answer rx_lines_at(uintptr_t address, rx_line *line) {
    rx_lines_answer without;
    const rx_loaded_image *known = rx_loaded_image_at(address, &without);
    if (known == NULL || known->lines == NULL) return without;
    return rx_line_table_find(known->lines, address - known->bias, line) ? rx_lines_found : rx_lines_unknown;
}

const rx_symbols *rx_symbols_at(uintptr_t address) {
    rx_lines_answer without;
    const rx_loaded_image *known = rx_loaded_image_at(address, &without);
    return known == NULL ? NULL : known->symbols;
}

const rx_symbols *rx_symbols_read(const char *path, uintptr_t bias) {
    rx_image_file file = rx_image_open(path, NULL);
    return rx_symbols_make(file.symbols, file.symbol_names, bias);
}

const char *rx_function_at(uintptr_t address, const char **name_of_image) {
    rx_lines_answer without;
    const rx_loaded_image *known = rx_loaded_image_at(address, &without);
    if (known == NULL || known->symbols == NULL) return NULL;
    *name_of_image = known->name;
    return rx_symbol_before(known->symbols, address).name;
}

bool rx_image_is_read(uintptr_t address) {
    rx_lines_answer without;
    const rx_loaded_image *known = rx_loaded_image_at(address, &without);
    return known != NULL && known->symbols != NULL && without != rx_lines_elsewhere;
}
#else
const rx_line_table *rx_lines_table_at(uintptr_t address, uintptr_t *bias) {
    (void)address;
    (void)bias;
    return NULL;
}

rx_lines_answer rx_lines_at(uintptr_t address, rx_line *line) {
    (void)address;
    (void)line;
    return rx_lines_elsewhere;
}

const rx_symbols *rx_symbols_at(uintptr_t address) {
    (void)address;
    return NULL;
}

const rx_symbols *rx_symbols_read(const char *path, uintptr_t bias) {
    (void)path;
    (void)bias;
    return NULL;
}

const char *rx_function_at(uintptr_t address, const char **name_of_image) {
    (void)address;
    (void)name_of_image;
    return NULL;
}

bool rx_image_is_read(uintptr_t address) {
    (void)address;
    return false;
}
#endif
