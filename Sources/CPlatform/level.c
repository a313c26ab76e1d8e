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

unsigned char rx_level = rx_level_unread;
// Of 2^32 resources so many are registered.
static uint64_t share = (uint64_t)1 << 32;
static const char *refused;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// MARK: The environment

static const char *const names[] = { "off", "counts", "stacks", "paranoid" };

// 'stacks' or 'stacks:0.1'; true if it can be understood.
bool rx_level_parse(const char *text, unsigned *level, double *rate) {
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    *rate = 1;
    if (colon != NULL) {
        char *rest = NULL;
        *rate = strtod(colon + 1, &rest);
        // Not 'x >= 0' alone: "nan" is a number to strtod.
        if (rest == colon + 1 || *rest != 0 || !isfinite(*rate) || *rate < 0 || *rate > 1) return false;
    }
    for (*level = rx_level_off; *level <= rx_level_paranoid; ++*level) {
        if (strlen(names[*level]) == length && strncmp(text, names[*level], length) == 0) return true;
    }
    return false;
}

// Whoever sets the variable wants to know at once that it does nothing, in programs too that never ask for the level.
static void write_warning(const char *value) {
    fprintf(stderr, "RX_TRACE is '%s'. Use off, counts, stacks or paranoid, with a sampling rate in 0...1 if you like: RX_TRACE=stacks:0.1.\n", value);
}

void (*rx_environment_warning)(const char *value) = write_warning;

static void store(unsigned level, double rate) {
    __atomic_store_n(&share, (uint64_t)(rate * 4294967296.0), __ATOMIC_RELAXED);
    __atomic_store_n(&rx_level, (unsigned char)level, __ATOMIC_RELAXED);
}

static void read_environment(void) {
    const char *text = getenv("RX_TRACE");
    unsigned level = rx_level_counts;
    double rate = 1;
    if (text != NULL && !rx_level_parse(text, &level, &rate)) {
        // A copy: the environment may change.
        refused = strdup(text);
        if (refused != NULL) rx_environment_warning(refused);
        level = rx_level_counts;
        rate = 1;
    }
    store(level, rate);
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
    // Not every n-th one: a round trip that makes n resources would show the same one for ever.
    rx_counters *mine = rx_counters_mine();
    mine->random ^= mine->random << 13;
    mine->random ^= mine->random >> 7;
    mine->random ^= mine->random << 17;
    return mine->random >> 32 < wanted;
}

// Not inlined, so that the walk begins at a frame whose caller made the resource.
__attribute__((noinline)) rx_tag rx_made_otherwise(rx_type type, const void *address) {
    unsigned level = __atomic_load_n(&rx_level, __ATOMIC_RELAXED);
    if (level == rx_level_unread) level = rx_level_now();
    if (level == rx_level_off) return 0;
    rx_count(type, 1);
    if (level < rx_level_stacks || address == NULL || !is_sampled(level)) return type;
    return rx_register(type, (uintptr_t)address, rx_stack_record(), 0);
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
    // A clock of 497 days; what waits longer is due at its end.
    double left = UINT32_MAX - rx_hundredths_now();
    uint32_t due = seconds <= 0 ? 0 : seconds * 100 < left ? rx_hundredths_now() + (uint32_t)(seconds * 100) : UINT32_MAX;
    return rx_register(type, (uintptr_t)address, has_stack ? rx_stack_record() : 0, due);
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
