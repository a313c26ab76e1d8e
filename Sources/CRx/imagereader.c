#include "CLines.h"

static const rx_image_reader *linked;

static const rx_image_reader *reader(void) { return __atomic_load_n(&linked, __ATOMIC_ACQUIRE); }

const rx_image_reader *rx_image_reader_link(const rx_image_reader *reader) {
    return __atomic_exchange_n(&linked, reader, __ATOMIC_ACQ_REL);
}

const rx_inlined_function *rx_inlined_at(const rx_line *line, uint32_t index) {
    return index < line->inlined_count ? &line->inlined[index] : NULL;
}

rx_lines_answer rx_lines_at(uintptr_t address, rx_line *line) {
    return reader() == NULL ? rx_lines_elsewhere : reader()->lines_at(address, line);
}

const char *rx_function_at(uintptr_t address, const char **name_of_image) {
    return reader() == NULL ? NULL : reader()->function_at(address, name_of_image);
}

bool rx_image_is_read(uintptr_t address) { return reader() != NULL && reader()->image_is_read(address); }
