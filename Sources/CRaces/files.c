#include "jobs.h"

// Pipes, sockets and events that actors wait for. Only actors change whether a file is ready, so the search asks the
// kernel. An actor that would wait is not chosen until its file is ready.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

// MARK: Files that an execution has made. Other files can be made ready by another process.

enum { FILES = 256 };

// Both ends of a pipe or of a pair of sockets belong to this process; a socket's peer may not.
typedef enum { OF_OTHERS, OF_SOCKETS, OF_ACTORS } owner;
static struct { int number; owner owner; } made[FILES];
static int made_count;

// Closes the files that an execution has left open, because thousands of executions follow. Files that a global's
// initialiser opened stay open.
void rxraces_close_files(void) {
    while (made_count > 0) NEXT(close)(made[--made_count].number);
}

static void note_made(const actor *self, int number, owner owner) {
    if (number < 0 || self->quiet || made_count == FILES) return;
    made[made_count].number = number;
    made[made_count++].owner = owner;
}

static void forget_made(int number) {
    for (int i = 0; i < made_count; i++)
        if (made[i].number == number) made[i--] = made[--made_count];
}

static owner owner_of(int number) {
    for (int i = 0; i < made_count; i++) if (made[i].number == number) return made[i].owner;
    return OF_OTHERS;
}

#define MAKES_PAIR(name, parameters, arguments) \
    int name parameters { \
        actor *self = rxraces_executed(); \
        int result = NEXT(name) arguments; \
        if (self == NULL || result != 0) return result; \
        note_made(self, files[0], OF_ACTORS); \
        note_made(self, files[1], OF_ACTORS); \
        return 0; \
    }
MAKES_PAIR(pipe, (int files[2]), (files))
MAKES_PAIR(pipe2, (int files[2], int flags), (files, flags))
MAKES_PAIR(socketpair, (int domain, int type, int protocol, int files[2]), (domain, type, protocol, files))

int eventfd(unsigned count, int flags) {
    actor *self = rxraces_executed();
    int result = NEXT(eventfd)(count, flags);
    if (self != NULL) note_made(self, result, OF_ACTORS);
    return result;
}

int socket(int domain, int type, int protocol) {
    actor *self = rxraces_executed();
    int result = NEXT(socket)(domain, type, protocol);
    if (self != NULL) note_made(self, result, OF_SOCKETS);
    return result;
}

#define MAKES_COPY(name, parameters, arguments) \
    int name parameters { \
        actor *self = rxraces_executed(); \
        owner owner = owner_of(file); \
        int result = NEXT(name) arguments; \
        if (self != NULL && owner != OF_OTHERS && result >= 0 && result != file) { \
            forget_made(result); \
            note_made(self, result, owner); \
        } \
        return result; \
    }
MAKES_COPY(dup, (int file), (file))
MAKES_COPY(dup2, (int file, int wanted), (file, wanted))
MAKES_COPY(dup3, (int file, int wanted, int flags), (file, wanted, flags))

// MARK: Steps. All of them depend on each other, because one call can wait for many files.

static uint64_t files_changed;

// The memory orders of the channels that files lead to. Both ends of a pipe share one channel. All sockets share one
// channel, and so do all events.
static struct { dev_t device; ino_t inode; uint32_t generation; char order; } channels[FILES];

static char *order_of(int number) {
    struct stat status;
    if (fstat(number, &status) != 0) return NULL;
    if (S_ISSOCK(status.st_mode)) status.st_dev = 0, status.st_ino = 0;
    int i = 0;
    while (i < FILES - 1 && channels[i].generation == rxraces.generation
           && (channels[i].device != status.st_dev || channels[i].inode != status.st_ino))
        i++;
    channels[i].device = status.st_dev;
    channels[i].inode = status.st_ino;
    channels[i].generation = rxraces.generation;
    return &channels[i].order;
}

static void synchronise(actor *self, int number, bool releases) {
    if (rxraces.phase != RUN) return;
    char *order = order_of(number);
    if (order != NULL) rxraces_synchronise(self, (uintptr_t)order, releases ? 4 : 2, true, releases);
}

typedef struct { struct pollfd *files; nfds_t count; } wanted_files;

static int ready_count(const wanted_files *wanted) {
    static const struct timespec at_once;
    long found = rxraces_system_call(SYS_ppoll, (long)wanted->files, (long)wanted->count, (long)&at_once, 0);
    // The call itself reports an error.
    return found < 0 ? 1 : (int)found;
}

bool rxraces_is_ready(const operation *next) { return ready_count((const wanted_files *)next->value) > 0; }

// Waits until one of the files is ready; returns `false` if the deadline passed first.
static bool wait_for(actor *self, wanted_files wanted, uint64_t due, const char *name, uintptr_t pc) {
    bool is_of_sockets = false;
    for (nfds_t i = 0; i < wanted.count; i++) {
        if (wanted.files[i].fd < 0) continue;
        owner owner = owner_of(wanted.files[i].fd);
        is_of_sockets |= owner == OF_SOCKETS;
        if (owner == OF_OTHERS && due == 0 && ready_count(&wanted) == 0) rxraces_refuse(self, name, pc);
    }
    operation next = {
        .kind = rxraces_wait, .address = (uintptr_t)&files_changed, .size = 8, .writes = true,
        .guard = is_of_sockets ? WHEN_READY_BY_OTHERS : WHEN_READY, .value = (uintptr_t)&wanted, .due = due,
        .thing = "file", .pc = pc};
    if (rxraces.phase == RUN || !is_of_sockets || due != 0) return rxraces_wait_until(self, next);
    while (ready_count(&wanted) == 0) if (!rxraces_run_early_job(self, NULL)) rxraces_refuse(self, name, pc);
    return true;
}

static void change(actor *self, int number, uintptr_t pc) {
    rxraces_take_step(self, rxraces_wake, &files_changed, 8, "file", pc);
    synchronise(self, number, true);
    files_changed++;
}

// Standard input, output and error belong to the tool. Files on a disk and devices have no other end in this process.
static bool is_searched(const actor *self, int number) {
    struct stat status;
    if (self == NULL || self->quiet || number <= 2) return false;
    if (owner_of(number) != OF_OTHERS) return true;
    if (fstat(number, &status) != 0) return false;
    return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

static bool is_blocking(int number) { return (fcntl(number, F_GETFL) & O_NONBLOCK) == 0; }

// Returns the time at which a call on the socket times out; 0 for never.
static uint64_t due_of_socket(int number, int option) {
    struct timeval span = {0};
    socklen_t size = sizeof span;
    if (getsockopt(number, SOL_SOCKET, option, &span, &size) != 0) return 0;
    uint64_t nanoseconds = (uint64_t)span.tv_sec * 1000000000 + (uint64_t)span.tv_usec * 1000;
    return nanoseconds == 0 ? 0 : rxraces_now() + nanoseconds;
}

// Returns whether the call continues.
static bool transfer(actor *self, int number, short events, bool may_wait, const char *name, uintptr_t pc) {
    bool is_input = events == POLLIN;
    if (may_wait && is_blocking(number)) {
        struct pollfd file = {.fd = number, .events = events};
        uint64_t due = due_of_socket(number, is_input ? SO_RCVTIMEO : SO_SNDTIMEO);
        if (!wait_for(self, (wanted_files){&file, 1}, due, name, pc)) {
            errno = EAGAIN;
            return false;
        }
        files_changed++;
    } else {
        rxraces_take_step(self, is_input ? rxraces_wait : rxraces_wake, &files_changed, 8, "file", pc);
    }
    if (is_input) synchronise(self, number, false);
    // A writer that waits for space is ordered after the read that makes it.
    synchronise(self, number, true);
    return true;
}

#define ADVICE \
    "; it waits for a file that no actor makes ready. Replace the file by something in memory, or by a pipe or a " \
    "pair of sockets that 'makeState' makes"
#define TRANSFERS(result, name, parameters, arguments, events, may_wait) \
    result name parameters { \
        actor *self = rxraces_executed(); \
        if (!is_searched(self, file)) return NEXT(name) arguments; \
        return transfer(self, file, events, may_wait, #name ADVICE, RXRACES_PC) ? NEXT(name) arguments : -1; \
    }
TRANSFERS(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), POLLIN, true)
TRANSFERS(ssize_t, readv, (int file, const struct iovec *parts, int count), (file, parts, count), POLLIN, true)
TRANSFERS(ssize_t, recv, (int file, void *bytes, size_t count, int flags), (file, bytes, count, flags), POLLIN,
    !(flags & MSG_DONTWAIT))
TRANSFERS(ssize_t, recvfrom,
    (int file, void *bytes, size_t count, int flags, struct sockaddr *sender, socklen_t *length),
    (file, bytes, count, flags, sender, length), POLLIN, !(flags & MSG_DONTWAIT))
TRANSFERS(ssize_t, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags), POLLIN,
    !(flags & MSG_DONTWAIT))
TRANSFERS(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), POLLOUT, true)
TRANSFERS(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count), POLLOUT, true)
TRANSFERS(ssize_t, send, (int file, const void *bytes, size_t count, int flags), (file, bytes, count, flags), POLLOUT,
    !(flags & MSG_DONTWAIT))
TRANSFERS(ssize_t, sendto,
    (int file, const void *bytes, size_t count, int flags, const struct sockaddr *receiver, socklen_t length),
    (file, bytes, count, flags, receiver, length), POLLOUT, !(flags & MSG_DONTWAIT))
TRANSFERS(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags), POLLOUT,
    !(flags & MSG_DONTWAIT))

#define ACCEPTS(name, parameters, arguments) \
    int name parameters { \
        actor *self = rxraces_executed(); \
        if (!is_searched(self, file)) return NEXT(name) arguments; \
        if (!transfer(self, file, POLLIN, true, #name ADVICE, RXRACES_PC)) return -1; \
        int result = NEXT(name) arguments; \
        note_made(self, result, OF_SOCKETS); \
        return result; \
    }
ACCEPTS(accept, (int file, struct sockaddr *peer, socklen_t *length), (file, peer, length))
ACCEPTS(accept4, (int file, struct sockaddr *peer, socklen_t *length, int flags), (file, peer, length, flags))

int close(int file) {
    actor *self = rxraces_executed();
    if (is_searched(self, file)) change(self, file, RXRACES_PC);
    if (self != NULL) forget_made(file);
    return NEXT(close)(file);
}

#define CHANGES(name, parameters, arguments) \
    int name parameters { \
        actor *self = rxraces_executed(); \
        if (is_searched(self, file)) change(self, file, RXRACES_PC); \
        return NEXT(name) arguments; \
    }
CHANGES(shutdown, (int file, int how), (file, how))
CHANGES(connect, (int file, const struct sockaddr *peer, socklen_t length), (file, peer, length))

// MARK: Waiting for several files

// Returns the number of ready files once one is ready or the time has passed. A span of 0 is due at once, and a
// negative span never.
static int poll_files(actor *self, wanted_files wanted, int64_t span, const char *name, uintptr_t pc) {
    uint64_t due = span < 0 ? 0 : rxraces_now() + (uint64_t)span;
    if (span == 0) rxraces_take_step(self, rxraces_wait, &files_changed, 8, "file", pc);
    else if (!wait_for(self, wanted, due, name, pc)) return 0;
    int found = NEXT(poll)(wanted.files, wanted.count, 0);
    for (nfds_t i = 0; i < wanted.count; i++) if (wanted.files[i].revents) synchronise(self, wanted.files[i].fd, false);
    return found;
}

static int64_t span_of(const struct timespec *time) {
    return time == NULL ? -1 : (int64_t)time->tv_sec * 1000000000 + (int64_t)time->tv_nsec;
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(poll)(files, count, timeout);
    int64_t span = timeout < 0 ? -1 : timeout * 1000000ll;
    return poll_files(self, (wanted_files){files, count}, span, "poll" ADVICE, RXRACES_PC);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(ppoll)(files, count, timeout, mask);
    return poll_files(self, (wanted_files){files, count}, span_of(timeout), "ppoll" ADVICE, RXRACES_PC);
}

static int select_files(
    actor *self, int count, fd_set *reads, fd_set *writes, fd_set *errors, int64_t span, uintptr_t pc
) {
    struct pollfd files[FD_SETSIZE];
    nfds_t wanted = 0;
    for (int i = 0; i < count && i < FD_SETSIZE; i++) {
        short events = 0;
        if (reads != NULL && FD_ISSET(i, reads)) events |= POLLIN;
        if (writes != NULL && FD_ISSET(i, writes)) events |= POLLOUT;
        if (errors != NULL && FD_ISSET(i, errors)) events |= POLLPRI;
        if (events) files[wanted++] = (struct pollfd){.fd = i, .events = events};
    }
    if (poll_files(self, (wanted_files){files, wanted}, span, "select" ADVICE, pc) < 0) return -1;
    struct timeval at_once = {0};
    return NEXT(select)(count, reads, writes, errors, &at_once);
}

int select(int count, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *timeout) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(select)(count, reads, writes, errors, timeout);
    int64_t span = timeout == NULL ? -1 : (int64_t)timeout->tv_sec * 1000000000 + (int64_t)timeout->tv_usec * 1000;
    return select_files(self, count, reads, writes, errors, span, RXRACES_PC);
}

int pselect(
    int count, fd_set *reads, fd_set *writes, fd_set *errors, const struct timespec *timeout, const sigset_t *mask
) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(pselect)(count, reads, writes, errors, timeout, mask);
    return select_files(self, count, reads, writes, errors, span_of(timeout), RXRACES_PC);
}

const char *const rxraces_waits_for_peer =
    "a socket whose peer may be another process; replace it by a pair of sockets that 'makeState' makes with "
    "'socketpair', or by something in memory";

// MARK: Calls that are not modelled, but may wait in the kernel. An actor that waits in one is refused with the name of
// the call.

#define WAITING(name) [SYS_##name] = #name "; replace the wait by one for something in memory"
const char *rxraces_waiting_call(long number) {
    static const char *const names[] = {
        WAITING(read), WAITING(write), WAITING(readv), WAITING(writev), WAITING(pread64), WAITING(pwrite64),
        WAITING(recvfrom), WAITING(recvmsg), WAITING(sendto), WAITING(sendmsg), WAITING(recvmmsg), WAITING(sendmmsg),
        WAITING(accept), WAITING(accept4), WAITING(connect), WAITING(poll), WAITING(ppoll), WAITING(select),
        WAITING(pselect6), WAITING(epoll_wait), WAITING(epoll_pwait), WAITING(wait4), WAITING(waitid), WAITING(flock),
        WAITING(fcntl), WAITING(open), WAITING(openat), WAITING(futex), WAITING(nanosleep), WAITING(clock_nanosleep),
        WAITING(pause), WAITING(rt_sigsuspend), WAITING(rt_sigtimedwait), WAITING(semop), WAITING(semtimedop),
        WAITING(msgrcv), WAITING(msgsnd), WAITING(mq_timedreceive), WAITING(mq_timedsend), WAITING(splice),
        WAITING(tee), WAITING(sendfile), WAITING(copy_file_range), WAITING(io_getevents), WAITING(fsync),
    };
    bool is_known = number >= 0 && number < (long)(sizeof names / sizeof *names) && names[number] != NULL;
    return is_known ? names[number]
        : "a system call that does not return; replace the wait by one for something in memory";
}
#pragma clang attribute pop
#endif
