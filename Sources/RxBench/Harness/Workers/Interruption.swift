import Foundation
import Synchronization

/// Ends the workers when the tool is interrupted, and records the interruption. The tool is interrupted by a signal, or
/// if the machine cannot start another process.
package enum Interruption {
    private struct State {
        var signal: Int32?
        var shortage: String?
        /// The children, each with the signal that ends it.
        var children: [pid_t: Int32] = [:]
        var sources: [any DispatchSourceSignal] = []
    }

    /// Unchecked: dispatch sources are created and stored under the lock.
    private struct Guarded: @unchecked Sendable {
        var state = State()
    }

    private static let guarded = Mutex(Guarded())

    /// The signal that interrupted the tool, 0 for a shortage, or `nil`.
    package static var signal: Int32? { guarded.withLock { $0.state.signal } }

    /// The reason why the machine could not start another process, as a sentence with the remedy; `nil` if there was no
    /// shortage. After a shortage, the figures are no evidence about the code.
    package static var shortage: String? { guarded.withLock { $0.state.shortage } }

    /// Ends the run like a signal. A benchmark that was not started does not count as failed.
    package static func stop(forShortage code: Int32) {
        guarded.withLock { guarded in
            guarded.state.shortage = """
                The machine can start no further process: \(String(cString: strerror(code))). \
                End others or raise the limit ('ulimit -a'), and run this again.
                """
            if guarded.state.signal == nil { guarded.state.signal = 0 }
        }
    }

    /// Makes SIGINT and SIGTERM end the workers instead of the tool. The run then stops with ``Interrupted``.
    package static func install() {
        for number in [SIGINT, SIGTERM] {
            #if canImport(Darwin)
                Darwin.signal(number, SIG_IGN)
            #elseif canImport(Glibc)
                Glibc.signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { raise(number) }
            source.resume()
            guarded.withLock { $0.state.sources.append(source) }
        }
    }

    /// Sends `signal` to the group of `child` when the tool is interrupted, or now if it was interrupted already.
    static func watch(_ child: pid_t, endingWith signal: Int32) {
        guarded.withLock { guarded in
            if guarded.state.signal != nil { kill(-child, signal) } else { guarded.state.children[child] = signal }
        }
    }

    /// Stops watching a child that has ended.
    static func forget(_ child: pid_t) {
        _ = guarded.withLock { $0.state.children.removeValue(forKey: child) }
    }

    private static func raise(_ number: Int32) {
        guarded.withLock { guarded in
            guarded.state.signal = number
            for (child, signal) in guarded.state.children { kill(-child, signal) }
        }
    }
}

/// The run was ended by a signal or a shortage of processes.
package struct Interrupted: Error, Equatable {
    /// SIGINT or SIGTERM; 0 if the machine could not start another process, see ``Interruption/shortage``.
    package let signal: Int32

    /// Creates an interruption by `signal`.
    package init(signal: Int32) { self.signal = signal }
}
