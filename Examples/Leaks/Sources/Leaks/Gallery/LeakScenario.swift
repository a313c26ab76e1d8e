/// A round trip (open something, use it, close it) and what is known of it: whether it leaks, and how its leak should
/// be reported.
public struct LeakScenario: Sendable {
    /// What reports call it: `self-in-own-bag/leak`.
    public let name: String
    /// The round trip.
    public let body: Body
    /// What a detector has to say of it.
    public let expected: Expectation
    /// How often it is repeated at most, warm-up apart.
    public let maximumRuns: Int

    /// Names a round trip and what is known of it.
    ///
    /// - Parameter maximumRuns: an exact leak shows itself in 40 runs, one behind noise in more.
    public init(_ name: String, expected: Expectation, maximumRuns: Int = 160, body: Body) {
        self.name = name
        self.body = body
        self.expected = expected
        self.maximumRuns = maximumRuns
    }

    /// A round trip, with or without suspension.
    public enum Body: Sendable {
        /// Runs on the caller's thread.
        case synchronous(@Sendable () -> Void)
        /// Runs in the caller's task.
        case asynchronous(@Sendable () async -> Void)
    }

    /// What a detector has to say of a round trip.
    public enum Expectation: Sendable, Equatable {
        /// It leaves nothing behind, or no more than the first runs made.
        case clean
        /// It fills something up to a bound.
        case bounded
        /// It leaves work behind that waits for its time: what the report has to say of that.
        case waiting(names: [String])
        /// It leaks: how sure the report may be, and the types, fields or closures that it has to name.
        case leak(Grade, names: [String])
    }

    /// How sure a report may be of who holds what leaks.
    public enum Grade: String, Sendable, Equatable {
        /// Every reference on the way is accounted for.
        case proven
        /// The best explanation there is, though something on the way may not be accounted for.
        case likely
    }
}

/// A mistake that leaks, and the same code without it.
public struct PlantedLeak: Sendable {
    /// What both are called: `self-in-own-bag`.
    public let name: String
    /// What is wrong, in one sentence.
    public let mistake: String
    /// What to do instead, in one sentence.
    public let remedy: String
    /// The round trip with the mistake.
    public let leak: LeakScenario
    /// The round trip without it.
    public let twin: LeakScenario

    /// A mistake: `body` makes it when it is told to.
    init(
        _ name: String, mistake: String, remedy: String, grade: LeakScenario.Grade, names: [String],
        twin: LeakScenario.Expectation = .clean, maximumRuns: Int = 40,
        body: @escaping @Sendable (_ leaking: Bool) -> Void
    ) {
        self.init(
            name, mistake: mistake, remedy: remedy, leak: .leak(grade, names: names), twin: twin,
            maximumRuns: maximumRuns,
            leakBody: .synchronous { body(true) }, twinBody: .synchronous { body(false) })
    }

    /// A mistake that leaves work waiting.
    init(
        _ name: String, mistake: String, remedy: String, waitingNames: [String],
        body: @escaping @Sendable (_ leaking: Bool) -> Void
    ) {
        self.init(
            name, mistake: mistake, remedy: remedy, leak: .waiting(names: waitingNames), twin: .clean, maximumRuns: 40,
            leakBody: .synchronous { body(true) }, twinBody: .synchronous { body(false) })
    }

    /// A mistake in asynchronous code.
    init(
        _ name: String, mistake: String, remedy: String, grade: LeakScenario.Grade, names: [String],
        body: @escaping @Sendable (_ leaking: Bool) async -> Void
    ) {
        self.init(
            name, mistake: mistake, remedy: remedy, leak: .leak(grade, names: names), twin: .clean, maximumRuns: 40,
            leakBody: .asynchronous { await body(true) }, twinBody: .asynchronous { await body(false) })
    }

    private init(
        _ name: String, mistake: String, remedy: String, leak: LeakScenario.Expectation, twin: LeakScenario.Expectation,
        maximumRuns: Int,
        leakBody: LeakScenario.Body, twinBody: LeakScenario.Body
    ) {
        self.name = name
        self.mistake = mistake
        self.remedy = remedy
        self.leak = LeakScenario("\(name)/leak", expected: leak, maximumRuns: maximumRuns, body: leakBody)
        self.twin = LeakScenario("\(name)/twin", expected: twin, body: twinBody)
    }
}

extension PlantedLeak {
    /// The whole gallery.
    public static let all: [PlantedLeak] = [
        selfInOwnBag, eachOthersBags, undisposedInterval, sharedForever, relayOutlivesScreen, subjectInGlobal,
        unretainedReplay,
        endlessTask, unboundedCache,
        privateRows, methodReference, notificationToken, unboundedReplay, groupSubscription, lazyHandler,
        capturedVariable, wizardStep,
        storedTask,
    ]

    /// Mistakes under circumstances in which a detector is easily misled: work on other threads, noise, saw-teeth,
    /// work that waits, tasks.
    ///
    /// Beside each stands the same circumstance without the mistake, which must not be taken for one.
    public static let circumstances: [PlantedLeak] = [
        queueWorker, detachedTask, fulfilledExpectation, noisyPool, flushedCache, longLivedBag, hourTimer, lateTimer,
        everyOtherRound, abandonedValue, longSleep,
    ]
}
