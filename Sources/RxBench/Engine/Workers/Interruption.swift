import Foundation
import Synchronization

/// Ends the workers when the tool is interrupted, and records the interruption. The tool is interrupted if it receives
/// a signal, or if the machine cannot start another process.
package enum Interruption {
    private struct State {
        var signal: Int32?
        var shortage: String?
        /// The child processes, each with the signal that ends it.
        var children: [pid_t: Int32] = [:]
        var sources: [any DispatchSourceSignal] = []
    }

    /// Unchecked: dispatch sources are created and stored only while the lock is held.
    private struct Guarded: @unchecked Sendable {
        var state = State()
    }

    private static let guarded = Mutex(Guarded())

    /// The signal that interrupted the tool, 0 if the machine ran out of processes, or `nil` if the tool was not
    /// interrupted.
    package static var signal: Int32? { guarded.withLock { $0.state.signal } }

    /// A sentence that says why the machine could not start another process, with the remedy. It is `nil` if there was
    /// no shortage. After a shortage, figures are not evidence about the code.
    package static var shortage: String? { guarded.withLock { $0.state.shortage } }

    /// Ends the run in the same way as a signal. A benchmark that was not started does not count as failed.
    package static func stop(forShortage code: Int32) {
        guarded.withLock { guarded in
            guarded.state.shortage = """
                The machine can start no further process: \(String(cString: strerror(code))). \
                End others or raise the limit ('ulimit -a'), and run this again.
                """
            if guarded.state.signal == nil { guarded.state.signal = 0 }
        }
    }

    /// Makes SIGINT and SIGTERM end the workers and not the tool. The run then stops with ``Interrupted``.
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

    /// Sends `signal` to the group of `child` when the tool is interrupted, or immediately if it has already been
    /// interrupted.
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

/// The error of a run that was ended by a signal or by a shortage of processes.
package struct Interrupted: Error, Equatable {
    /// SIGINT, SIGTERM, or 0 if the machine could not start another process. See ``Interruption/shortage``.
    package let signal: Int32

    /// Creates an interruption by `signal`.
    package init(signal: Int32) { self.signal = signal }
}
