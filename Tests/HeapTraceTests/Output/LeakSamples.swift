@testable import HeapTrace

/// Reports with every kind of content that a format has to handle.
enum LeakSamples {
    static let slope = GrowthSlope(perRun: 1, interval: 1...1)

    static let stack = CallStack(frames: [
        StackFrame(
            address: 1, function: "Observable.map<A>(_:)", file: "/src/rx/Sources/Rx/Operators/Map.swift", line: 9,
            image: "app", isInternal: true),
        StackFrame(
            address: 2, function: "closure #1 in Screen.open(); or <not> \"&\"", file: "/src/app/My Screen.swift",
            line: 42, image: "app"),
        StackFrame(address: 3, function: "main", image: "app"),
    ])

    static func group(
        _ metric: GrowthMetric, _ verdict: GrowthVerdict, counts: [Int] = [1, 2, 3], stack: CallStack? = nil,
        retention: Retention? = nil,
        companions: [GrowthCompanion] = []
    ) -> GrowthGroup {
        GrowthGroup(
            metric: metric, counts: counts, verdict: verdict, creationStack: stack, retention: retention,
            companions: companions)
    }

    static let leaking = GrowthReport(
        name: "search/open & close", runs: 163,
        groups: [
            group(.kind(.observable), .clean, counts: [0, 0, 0]),
            group(.kind(.subject), .lazy(kept: 2), counts: [2, 2, 2]),
            group(
                .type("map<Int, String>", .sink), .growing(slope), stack: stack, retention: retention,
                companions: [GrowthCompanion(.type("DisposeBag", .disposable), perRun: 2)]),
            group(.heapBytes, .growing(GrowthSlope(perRun: 512, interval: 500...524)), counts: [512, 1024, 1536]),
        ],
        lookedAt: [.resources, .heapBytes],
        unavailable: [.init(metric: .objects, reason: "interposition is not linked.")],
        pendingWork: PendingWork(pieces: 1, timers: 0))

    static let clean = GrowthReport(name: "clean", runs: 23, groups: [group(.kind(.sink), .clean, counts: [0, 0])])
    static let pending = GrowthReport(name: "waiting", runs: 23, groups: [group(.kind(.sink), .pending)])
    static let allowed = GrowthReport(
        name: "known", runs: 163, groups: [group(.type("filter<Int>", .sink), .growing(slope))])
    static let unjudged = GrowthReport(
        name: "unjudged", runs: 23, groups: [], lookedAt: [.objects],
        unavailable: [.resources, .init(metric: .heapBytes, reason: "a sanitizer has replaced the allocator.")])

    static let allowances = LeakAllowances([
        LeakAllowance(.type("filter<*>"), until: CalendarDay("2999-12-31")!, because: "The vendor's cache."),
        LeakAllowance(.type("gone"), until: CalendarDay("2999-12-31")!, because: "Mended."),
    ])

    static let all = [leaking, clean, pending, allowed, unjudged]

    static let document = LeakDocument(
        all.map { GrowthReport($0, seconds: 0.25).allowing(allowances) } + [
            GrowthReport(name: "broken", failure: "An iteration threw 'planted'.")
        ],
        staleAllowances: allowances.stale(after: all))

    static let retention = Retention(
        target: "Screen",
        steps: [
            RetentionStep(holder: "Screen", through: .init(property: "bag"), isTyped: true),
            RetentionStep(holder: "DisposeBag", through: .init(property: "", position: "0"), isTyped: true),
            RetentionStep(
                holder: "closure in Screen.open()", through: .init(.capture, "capture self"), file: "Screen.swift",
                line: 42, isTyped: true, isNamedClosure: true),
        ],
        cycleLength: 3, grade: .likely(because: "one reference was not found"),
        advice: "capture 'self' weakly in the closure at Screen.swift:42")
}
