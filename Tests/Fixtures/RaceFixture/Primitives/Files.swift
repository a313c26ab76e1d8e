import Foundation
import RxBenchRaces
import Synchronization

/// Both ends of a pipe or of a pair of sockets, with memory that the sent bytes must order. Unchecked: where they do
/// not, a data race must be found.
private final class Ends: @unchecked Sendable {
    let first, second: Int32
    var value = 0

    init(isSocket: Bool = false) {
        var ends: [Int32] = [0, 0]
        let result = isSocket ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
        precondition(result == 0)
        (first, second) = (ends[0], ends[1])
    }

    deinit {
        close(first)
        close(second)
    }

    func send(_ byte: UInt8 = 1) {
        var byte = byte
        precondition(write(second, &byte, 1) == 1)
    }

    @discardableResult func receive() -> Int {
        var byte: UInt8 = 0
        return read(first, &byte, 1) == 1 ? Int(byte) : 0
    }

    /// The number of ready files.
    func poll(milliseconds: Int32) -> Int32 {
        var file = pollfd(fd: first, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&file, 1, milliseconds)
    }

    func select() -> Int32 {
        var reads = fd_set()
        withUnsafeMutableBytes(of: &reads) { $0[Int(first) / 8] |= 1 << (UInt8(first) & 7) }
        return Glibc.select(first + 1, &reads, nil, nil, nil)
    }
}

/// A server on an unnamed Unix socket, and its client. Unchecked, as above.
private final class Server: @unchecked Sendable {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var value = 0
    private var address = sockaddr_un()
    private let length = socklen_t(MemoryLayout<sa_family_t>.size)
    private var bound = socklen_t(MemoryLayout<sockaddr_un>.size)

    init() {
        address.sun_family = sa_family_t(AF_UNIX)
        // The kernel chooses an abstract name.
        withAddress { _ = bind(socket, $0, length) }
        withAddress { _ = getsockname(socket, $0, &bound) }
        listen(socket, 4)
    }

    deinit { close(socket) }

    private func withAddress(_ body: (UnsafeMutablePointer<sockaddr>) -> Void) {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    func connect() {
        let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        withAddress { precondition(Glibc.connect(client, $0, bound) == 0) }
        close(client)
    }

    func serve() { close(accept(socket, nil, nil)) }
}

/// A pipe of Foundation, with memory. Unchecked, as above.
private final class Piped: @unchecked Sendable {
    let pipe = Pipe()
    var value = 0
}

/// Reads, waits and connections. The kernel reports which files are ready, and only actors change that.
let filePrograms: [Race] = [
    program(
        "clean/file/pipe", { Ends() },
        { state in
            state.value += 1
            state.send()
        },
        { state in
            state.receive()
            state.value += 1
        }, finish: { sum($0.value, 2) }),
    // Sends the byte before it writes the value.
    program(
        "planted/file/pipe", { Ends() },
        { state in
            state.send()
            state.value += 1
        },
        { state in
            state.receive()
            state.value += 1
        }),
    program("planted/file/nobody-writes", { Ends() }, { $0.receive() }, { $0.value += 1 }),
    program(
        "clean/file/end", { Ends() }, { $0.receive() }, { shutdownWriting($0) },
        finish: { $0.receive() == 0 ? .acceptable("the end") : .forbidden("a byte") }),
    // Either reader may take the byte that the other waits for.
    program("planted/file/two-readers", { Ends() }, { $0.receive() }, { $0.receive() }, { $0.send() }),
    program(
        "clean/file/two-readers", { Ends() }, { $0.receive() }, { $0.receive() },
        { state in
            state.send()
            state.send()
        }),
    program(
        "clean/file/socket-pair", { Ends(isSocket: true) },
        { state in
            state.value += 1
            state.send(7)
        },
        { state in
            var byte: UInt8 = 0
            _ = recv(state.first, &byte, 1, 0)
            state.value += Int(byte)
        }, finish: { sum($0.value, 8) }),
    program(
        "planted/file/socket-pair", { Ends(isSocket: true) }, { $0.send() },
        { state in
            var byte: UInt8 = 0
            // Doesn't wait for the byte, so `value` may stay 0.
            if recv(state.first, &byte, 1, Int32(MSG_DONTWAIT)) == 1 { state.value = 1 }
        }, finish: { sum($0.value, 1) }),
    program(
        "clean/file/poll", { Ends() },
        { state in
            state.value += 1
            state.send()
        },
        { state in
            if state.poll(milliseconds: -1) == 1 { state.value += 1 }
        }, finish: { sum($0.value, 2) }),
    program("planted/file/poll", { Ends() }, { _ = $0.poll(milliseconds: -1) }, { $0.value += 1 }),
    program(
        "clean/file/poll-time", { Ends() },
        { state in if state.poll(milliseconds: 10) == 0 { state.value += 1 } }, { _ in },
        finish: { sum($0.value, 1) }),
    // The time limit may be reached before the byte arrives.
    program(
        "planted/file/poll-time", { Ends() },
        { state in if state.poll(milliseconds: 10) == 1 { state.value += 1 } }, { $0.send() },
        finish: { sum($0.value, 1) }),
    program(
        "clean/file/select", { Ends() },
        { state in
            state.value += 1
            state.send()
        },
        { state in
            if state.select() == 1 { state.value += 1 }
        }, finish: { sum($0.value, 2) }),
    program("planted/file/select", { Ends() }, { _ = $0.select() }, { $0.value += 1 }),
    program(
        "clean/file/accept", { Server() },
        { state in
            state.value += 1
            state.connect()
        },
        { state in
            state.serve()
            state.value += 1
        }, finish: { sum($0.value, 2) }),
    program(
        "planted/file/accept", { Server() },
        { state in
            state.connect()
            state.value += 1
        },
        { state in
            state.serve()
            state.value += 1
        }),
    // No actor connects, but another process might.
    program("refused/file/accept", { Server() }, { $0.serve() }, { $0.value += 1 }),
    program("refused/file/standard-input", { Ends() }, { _ in wait(for: 0) }, { $0.send() }),
    program(
        "clean/file/handle", { Piped() },
        { state in
            state.value += 1
            state.pipe.fileHandleForWriting.write(Data([1]))
        },
        { state in
            _ = state.pipe.fileHandleForReading.availableData
            state.value += 1
        }, finish: { sum($0.value, 2) }),
    program("planted/file/handle", { Piped() }, { _ = $0.pipe.fileHandleForReading.availableData }, { $0.value += 1 }),
    // Waits in the kernel, in C library calls that are not modelled.
    program("refused/file/lines", { Ends() }, { readLine(from: $0.first) }, { $0.value += 1 }),
    program("refused/file/lock", { Ends() }, { _ in lockFileTwice() }, { $0.value += 1 }),
]

private func shutdownWriting(_ ends: Ends) { precondition(close(dup2(open("/dev/null", O_WRONLY), ends.second)) == 0) }

private func wait(for file: Int32) {
    var file = pollfd(fd: file, events: Int16(POLLPRI), revents: 0)
    _ = Glibc.poll(&file, 1, -1)
}

private func readLine(from file: Int32) {
    guard let stream = fdopen(dup(file), "r") else { return }
    var line = [CChar](repeating: 0, count: 8)
    _ = fgets(&line, 8, stream)
    fclose(stream)
}

private func lockFileTwice() {
    let path = "/proc/self/exe"
    let (first, second) = (open(path, O_RDONLY), open(path, O_RDONLY))
    _ = flock(first, LOCK_EX)
    _ = flock(second, LOCK_EX)
    close(first)
    close(second)
}
