import Foundation
import Synchronization

/// Ends the workers when the tool is interrupted, and remembers that it was: by a signal, or by a machine that can
/// start no further process.
package enum Interruption {
    private struct State {
        var signal: Int32?
        var shortage: String?
        /// Each with the signal that ends it.
        var children: [pid_t: Int32] = [:]
        var sources: [any DispatchSourceSignal] = []
    }

    /// Unchecked: dispatch sources are made and kept under the lock.
    private struct Guarded: @unchecked Sendable {
        var state = State()
    }

    private static let guarded = Mutex(Guarded())

    /// The signal that interrupted the tool, 0 for a shortage, or `nil`.
    package static var signal: Int32? { guarded.withLock { $0.state.signal } }

    /// Why the machine could start no further process, in a sentence with the remedy; `nil` while it could.
    /// Figures say nothing of the code then.
    package static var shortage: String? { guarded.withLock { $0.state.shortage } }

    /// Ends the run as a signal does: a benchmark that was not started has not failed.
    package static func stop(forShortage code: Int32) {
        guarded.withLock { guarded in
            guarded.state.shortage = """
                The machine can start no further process: \(String(cString: strerror(code))). \
                End others or raise the limit ('ulimit -a'), and run this again.
                """
            if guarded.state.signal == nil { guarded.state.signal = 0 }
        }
    }

    /// From now on SIGINT and SIGTERM end the workers instead of the tool; the run then stops with ``Interrupted``.
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

    /// Sends `signal` to the group of `child` when the tool is, or already was, interrupted.
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

/// The run was ended by a signal, or for want of processes.
package struct Interrupted: Error, Equatable {
    /// SIGINT or SIGTERM; 0 where the machine could start no further process, see ``Interruption/shortage``.
    package let signal: Int32

    /// An end by `signal`.
    package init(signal: Int32) { self.signal = signal }
}
