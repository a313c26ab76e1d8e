#include "CRegistry.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

rx_tag rx_register(rx_type type, uintptr_t address, rx_stack stack, uint32_t due);
void rx_unregister(rx_tag tag);
void rx_registered_retype(rx_tag tag, rx_type type);

// Walks the stack from the caller of the function that `frame` belongs to. Defined in `walk.c`.
uint32_t rx_stack_walk_from(const uintptr_t *frame, uintptr_t *addresses, uint32_t limit);

unsigned char rx_level = rx_level_unread;
// The number of resources that are registered, out of 2^32.
static uint64_t share = (uint64_t)1 << 32;
static const char *refused;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// MARK: The environment

static const char *const names[] = { "off", "counts", "stacks", "paranoid" };

// Returns whether the text from `text` to `end` equals `word`.
static bool is_word(const char *text, const char *end, const char *word) {
    size_t length = (size_t)(end - text);
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

// Parses ',exit' or ',exit=1', which must be the rest of the text.
static bool parse_exit(const char *text, rx_environment *said) {
    const char *sign = strchr(text, '=');
    if (!is_word(text, sign != NULL ? sign : text + strlen(text), "exit")) return false;
    said->reports_at_exit = true;
    if (sign == NULL) return true;
    char *rest = NULL;
    long code = strtol(sign + 1, &rest, 10);
    // An exit status of a process is one byte.
    if (sign[1] < '0' || sign[1] > '9' || *rest != 0 || code < 1 || code > 255) return false;
    said->exit_code = (int)code;
    return true;
}

bool rx_environment_parse(const char *text, rx_environment *said) {
    *said = (rx_environment){ .rate = 1 };
    const char *end = text + strcspn(text, ","), *colon = memchr(text, ':', (size_t)(end - text));
    if (*end == ',' && !parse_exit(end + 1, said)) return false;
    if (colon != NULL) {
        char *rest = NULL;
        said->rate = strtod(colon + 1, &rest);
        // 'x >= 0' alone is not sufficient: "nan" is a number to strtod.
        if (rest == colon + 1 || rest != end || !isfinite(said->rate) || said->rate < 0 || said->rate > 1) return false;
    }
    for (said->level = rx_level_off; said->level <= rx_level_paranoid; ++said->level) {
        if (is_word(text, colon != NULL ? colon : end, names[said->level])) return true;
    }
    return false;
}

// Writes the warning immediately, even in programs that never query the level: the variable has no effect there.
static void write_warning(const char *value) {
    fprintf(stderr,
        "RX_TRACE is '%s'. Use off, counts, stacks or paranoid, with a sampling rate in 0...1 and ',exit' for a report "
        "at exit if you like: RX_TRACE=stacks:0.1,exit.\n", value);
}

void (*rx_environment_warning)(const char *value) = write_warning;

static void store(unsigned level, double rate) {
    __atomic_store_n(&share, (uint64_t)(rate * 4294967296.0), __ATOMIC_RELAXED);
    __atomic_store_n(&rx_level, (unsigned char)level, __ATOMIC_RELAXED);
}

// Replaced by the definition in `RxTrace`, if that is linked.
__attribute__((weak)) void rx_exit_report(int code) {
    (void)code;
    fprintf(stderr, "RX_TRACE asks for a report at exit, which 'RxTrace' writes. Link that product.\n");
}

static int exit_code;

static void report_exit(void) { rx_exit_report(exit_code); }

static void read_environment(void) {
    const char *text = getenv("RX_TRACE");
    rx_environment said = { .level = rx_level_counts, .rate = 1 };
    if (text != NULL && !rx_environment_parse(text, &said)) {
        // A copy, because the environment may change.
        refused = strdup(text);
        if (refused != NULL) rx_environment_warning(refused);
        said = (rx_environment){ .level = rx_level_counts, .rate = 1 };
    }
    store(said.level, said.rate);
    exit_code = said.exit_code;
    // Handlers that are registered later, which is most of a program's handlers, have run before this one.
    if (said.reports_at_exit) atexit(report_exit);
}

const char *rx_environment_refused(void) {
    pthread_once(&once, read_environment);
    return refused;
}

// MARK: Levels

unsigned rx_level_now(void) {
    pthread_once(&once, read_environment);
    return __atomic_load_n(&rx_level, __ATOMIC_RELAXED);
}

void rx_level_set(unsigned level, double sampling_rate) {
    pthread_once(&once, read_environment);
    store(level, sampling_rate);
}

double rx_sampling_rate(void) {
    pthread_once(&once, read_environment);
    return (double)__atomic_load_n(&share, __ATOMIC_RELAXED) / 4294967296.0;
}

static bool is_sampled(unsigned level) {
    uint64_t wanted = __atomic_load_n(&share, __ATOMIC_RELAXED);
    if (level == rx_level_paranoid || wanted >> 32 != 0) return true;
    // G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), section 3, with the triple 13, 7, 17.
    // Random, not every n-th resource: a round trip that creates n resources would always show the same one.
    rx_counters *mine = rx_counters_mine();
    mine->random ^= mine->random << 13;
    mine->random ^= mine->random >> 7;
    mine->random ^= mine->random << 17;
    return mine->random >> 32 < wanted;
}

// Records the call stack of the function that called this one. The first entry is the return address of that function.
static __attribute__((noinline)) rx_stack record_stack(void) {
    uintptr_t addresses[rx_stack_depth];
    uint32_t count = rx_stack_walk_from(__builtin_frame_address(0), addresses, rx_stack_depth);
    return rx_stack_store(addresses, count);
}

// Not inlined, so that the walk starts at a frame whose caller created the resource.
__attribute__((noinline)) rx_tag rx_made_otherwise(rx_type type, const void *address) {
    unsigned level = __atomic_load_n(&rx_level, __ATOMIC_RELAXED);
    if (level == rx_level_unread) level = rx_level_now();
    if (level == rx_level_off) return 0;
    rx_count(type, 1);
    if (level < rx_level_stacks || address == NULL || !is_sampled(level)) return type;
    return rx_register(type, (uintptr_t)address, record_stack(), 0);
}

uint32_t rx_hundredths_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)(now.tv_sec * 100 + now.tv_nsec / 10000000);
}

__attribute__((noinline)) rx_tag rx_scheduled(rx_type type, const void *address, double seconds) {
    rx_count(type, 1);
    bool has_stack = rx_level_now() >= rx_level_stacks;
    if (!has_stack && seconds <= 0) return type;
    // The clock wraps after 497 days. Work that waits longer is due at the end of that time.
    double left = UINT32_MAX - rx_hundredths_now();
    uint32_t due = seconds <= 0           ? 0
                   : seconds * 100 < left ? rx_hundredths_now() + (uint32_t)(seconds * 100)
                                          : UINT32_MAX;
    return rx_register(type, (uintptr_t)address, has_stack ? record_stack() : 0, due);
}

void rx_gone_otherwise(rx_tag tag) {
    rx_count(rx_registered_type(tag), -1);
    rx_unregister(tag);
}

rx_tag rx_retyped_otherwise(rx_tag tag, rx_type type) {
    if (tag == 0) return 0;
    rx_count(rx_registered_type(tag), -1);
    rx_count(type, 1);
    rx_registered_retype(tag, type);
    return tag;
}
