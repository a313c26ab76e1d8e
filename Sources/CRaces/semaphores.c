#define _GNU_SOURCE
#include "races.h"

// Semaphores, modelled: whoever waits for one is not chosen until its value is not 0.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <semaphore.h>

// MARK: The first word of glibc's is the value.

MODELLED(int, sem_wait, (sem_t *semaphore), (semaphore),
    rxraces_point(self, (operation){
        .kind = rxraces_wait, .address = (uintptr_t)semaphore, .size = 4, .writes = true, .guard = ONLY_DIFFERENT,
        .pc = pc});
    rxraces_synchronise(self, (uintptr_t)semaphore, 2, true, true);
    return NEXT(sem_wait)(semaphore);)
MODELLED(int, sem_post, (sem_t *semaphore), (semaphore),
    rxraces_point(self, (operation){
        .kind = rxraces_wake, .address = (uintptr_t)semaphore, .size = 4, .writes = true, .pc = pc});
    rxraces_synchronise(self, (uintptr_t)semaphore, 4, true, true);
    return NEXT(sem_post)(semaphore);)

// MARK: Dispatch's: the value that they were made with is known; what an execution adds is not theirs to keep.

typedef void *object;
enum { SEMAPHORES = 256, USED = 64 };
static struct { object semaphore; intptr_t made_with; } semaphores[SEMAPHORES];
static int semaphore_count;
static struct { object semaphore; uint32_t generation; int64_t value; } values[USED];

object dispatch_semaphore_create(intptr_t value);
object dispatch_semaphore_create(intptr_t value) {
    object made = NEXT(dispatch_semaphore_create)(value);
    if (rxraces_self == NULL) return made;
    int place = 0;
    while (place < semaphore_count && semaphores[place].semaphore != made) place++;
    if (place == SEMAPHORES) place = semaphore_count = 0;
    if (place == semaphore_count) semaphore_count++;
    semaphores[place].semaphore = made;
    semaphores[place].made_with = value;
    return made;
}

static int64_t *value_of(actor *self, object semaphore, uintptr_t pc) {
    for (int i = 0; i < USED; i++) {
        if (values[i].generation == rxraces.generation && values[i].semaphore != semaphore) continue;
        if (values[i].generation == rxraces.generation) return &values[i].value;
        for (int j = 0; j < semaphore_count; j++) {
            if (semaphores[j].semaphore != semaphore) continue;
            values[i].semaphore = semaphore;
            values[i].generation = rxraces.generation;
            values[i].value = semaphores[j].made_with;
            return &values[i].value;
        }
        break;
    }
    rxraces_refuse(self, "a semaphore that is not known", pc);
}

MODELLED(intptr_t, dispatch_semaphore_wait, (object semaphore, uint64_t time), (semaphore, time),
    int64_t *value = value_of(self, semaphore, pc);
    if (time != ~0ull) rxraces_refuse(self, "dispatch_semaphore_wait with a time", pc);
    rxraces_point(self, (operation){
        .kind = rxraces_wait, .address = (uintptr_t)value, .size = 8, .writes = true, .guard = ONLY_DIFFERENT,
        .pc = pc});
    --*value;
    rxraces_synchronise(self, (uintptr_t)value, 2, true, true);
    return 0;)
MODELLED(intptr_t, dispatch_semaphore_signal, (object semaphore), (semaphore),
    int64_t *value = value_of(self, semaphore, pc);
    rxraces_point(self, (operation){
        .kind = rxraces_wake, .address = (uintptr_t)value, .size = 8, .writes = true, .pc = pc});
    rxraces_synchronise(self, (uintptr_t)value, 4, true, true);
    ++*value;
    return 0;)
#endif
