#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Waits until the counts are steady after a run.
///
/// Counts that are as they were after the run before are taken at once: whatever is still to come, is to come after each run. Others
/// have to stay equal for five readings 5 ms apart (they settled within 21 ms in every case that was measured).
struct Settling {
    /// The last reading.
    private(set) var latest: ResourceSnapshot
    /// Whether the counts came to rest within a second.
    private(set) var isSteady = true

    private let before: ResourceSnapshot
    private var equalReadings = 0
    private var readings = 0

    init(from before: ResourceSnapshot) {
        self.before = before
        latest = before
    }

    /// Takes a reading; the pause before the next one, or `nil` once no further one is needed.
    mutating func pause(at reading: ResourceSnapshot) -> Pause? {
        equalReadings = reading == latest && readings > 0 ? equalReadings + 1 : 0
        readings += 1
        latest = reading
        if readings == 1, reading == before { return nil }
        if equalReadings >= 5 { return nil }
        isSteady = readings < 200
        return isSteady ? Pause() : nil
    }

    /// 5 ms.
    struct Pause {
        private static let milliseconds = 5

        func sleep() { usleep(useconds_t(Self.milliseconds * 1_000)) }

        /// A cancelled task does not wait: its body is to find that out.
        nonisolated(nonsending) func suspend() async { try? await Task.sleep(for: .milliseconds(Self.milliseconds)) }
    }
}
