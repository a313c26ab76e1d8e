import Rx
import RxTest

/// An element that is only equatable.
private struct OnlyEquatable: Equatable {
    let value: Int
}

extension OperatorContract {
    static let filtering: [OperatorContract] = choosing + beginnings + ends

    private static let choosing: [OperatorContract] = [
        OperatorContract("filter(_:)", gives: "1 3") { source, _ in source.filter { $0 != 2 } }
            .throwing("predicate") { source, _ in source.filter { _ in try fault() } },
        OperatorContract("ignoreElements()", gives: "") { source, _ in source.ignoreElements() },
        OperatorContract("distinctUntilChanged()", gives: "0 1") { source, _ in
            source.map { $0 / 2 }.distinctUntilChanged()
        },
        OperatorContract("distinctUntilChanged(_:)", "keySelector", gives: "1 2") { source, _ in
            source.distinctUntilChanged { $0 / 2 }
        }
        .throwing("keySelector") { source, _ in source.distinctUntilChanged { _ -> Int in try fault() } },
        OperatorContract("distinctUntilChanged(_:)", "comparer", gives: "1 2") { source, _ in
            source.distinctUntilChanged { $0 / 2 == $1 / 2 }
        }
        .throwing("comparer", at: 220) { source, _ in
            source.distinctUntilChanged { (_: Int, _: Int) -> Bool in try fault() }
        },
        OperatorContract("distinctUntilChanged(_:comparer:)", gives: "1 2") { source, _ in
            source.distinctUntilChanged({ $0 / 2 }, comparer: ==)
        }
        .throwing("keySelector") { source, _ in source.distinctUntilChanged({ _ -> Int in try fault() }, comparer: ==) }
        .throwing("comparer", at: 220) { source, _ in
            source.distinctUntilChanged({ $0 }, comparer: { _, _ in try fault() })
        },
        OperatorContract("distinctUntilChanged(at:)", gives: "1 3") { source, _ in
            source.distinctUntilChanged(at: \.nonzeroBitCount)
        },
        OperatorContract("distinct()", gives: "1 0") { source, _ in source.map { $0 % 2 }.distinct() },
        OperatorContract("distinct()", "not hashable", gives: "1 0") { source, _ in
            source.map { OnlyEquatable(value: $0 % 2) }.distinct().map(\.value)
        },
        OperatorContract("partition(_:)", gives: "2") { source, _ in source.partition { $0 == 2 }.matches }
            .throwing("predicate") { source, _ in source.partition { _ in try fault() }.nonMatches },
        OperatorContract("pausable(_:)", gives: "2") { source, scheduler in
            source.pausable(scheduler.other([.next(215, 1), .next(225, 0)]).map { $0 == 1 })
        },
        OperatorContract("pausableBuffered(_:limit:flushOnCompleted:flushOnError:)", gives: "1 2 3") {
            source, scheduler in
            source.pausableBuffered(
                scheduler.other([.next(215, 1), .next(225, 0)]).map { $0 == 1 }, limit: nil, flushOnError: false)
        },
        OperatorContract("sample(_:defaultValue:)", gives: "1 3") { source, scheduler in
            source.sample(scheduler.other([.next(215, 0), .next(235, 0), .next(245, 0)]))
        }
        .completing(.completed, at: 245),
        OperatorContract("ifEmpty(default:)", gives: "1 2 3") { source, _ in source.ifEmpty(default: 9) },
        OperatorContract("ifEmpty(default:)", "empty", gives: "9") { source, _ in
            source.filter { _ in false }.ifEmpty(default: 9)
        },
        OperatorContract("ifEmpty(switchTo:)", gives: "1 2 3") { source, _ in source.ifEmpty(switchTo: .just(9)) },
        OperatorContract("ifEmpty(switchTo:)", "empty", gives: "8 9") { source, _ in
            source.filter { _ in false }.ifEmpty(switchTo: .of(8, 9))
        },
    ]

    private static let beginnings: [OperatorContract] = [
        OperatorContract("element(at:)", gives: "2") { source, _ in source.element(at: 1) }.ending(.completed, at: 220),
        OperatorContract("element(at:)", "beyond the end", gives: "") { source, _ in source.element(at: 5) }.completing(
            .failed),
        OperatorContract("first()", gives: "Optional(1)") { source, _ in source.first() }.ending(.completed, at: 210),
        OperatorContract("single()", gives: "1") { source, _ in source.single() }.ending(.failed, at: 220),
        OperatorContract("single(_:)", gives: "2") { source, _ in source.single { $0 == 2 } }
            .throwing("predicate") { source, _ in source.single { _ in try fault() } },
        OperatorContract("take(_:)", gives: "1 2") { source, _ in source.take(2) }.ending(.completed, at: 220),
        OperatorContract("take(for:scheduler:)", gives: "1 2 3") { source, scheduler in
            source.take(for: .seconds(100), scheduler: scheduler)
        },
        OperatorContract("take(for:scheduler:)", "in time", gives: "1") { source, scheduler in
            source.take(for: .seconds(15), scheduler: scheduler)
        }
        .ending(.completed, at: 215),
        OperatorContract("take(while:behavior:)", gives: "1 2") { source, _ in source.take(while: { $0 < 3 }) }.ending(
            .completed, at: 230
        )
        .throwing("predicate") { source, _ in source.take(while: { _ in try fault() }) },
        OperatorContract("take(while:behavior:)", "inclusive", gives: "1 2 3") { source, _ in
            source.take(while: { $0 < 3 }, behavior: .inclusive)
        }
        .ending(.completed, at: 230),
        OperatorContract("take(until:behavior:)", gives: "1 2") { source, _ in source.take(until: { $0 == 3 }) }.ending(
            .completed, at: 230
        )
        .throwing("predicate") { source, _ in source.take(until: { _ in try fault() }) },
        OperatorContract("take(until:)", gives: "1 2 3") { source, scheduler in source.take(until: scheduler.other([]))
        },
        OperatorContract("take(until:)", "stopped", gives: "1") { source, scheduler in
            source.take(until: scheduler.other([.next(215, 0)]))
        }
        .ending(.completed, at: 215),
    ]

    private static let ends: [OperatorContract] = [
        OperatorContract("takeLast(_:)", gives: "2 3") { source, _ in source.takeLast(2) },
        OperatorContract("skip(_:)", gives: "2 3") { source, _ in source.skip(1) },
        OperatorContract("skip(_:scheduler:)", gives: "2 3") { source, scheduler in
            source.skip(.seconds(15), scheduler: scheduler)
        },
        OperatorContract("skip(while:)", gives: "2 3") { source, _ in source.skip(while: { $0 < 2 }) }
            .throwing("predicate") { source, _ in source.skip(while: { _ in try fault() }) },
        OperatorContract("skip(until:)", gives: "2 3") { source, scheduler in
            source.skip(until: scheduler.other([.next(215, 0)]))
        },
        OperatorContract("skip(until:)", "never opened", gives: "") { source, _ in
            source.skip(until: Observable<Int>.never())
        }
        .completing(.none, [Subscription(200, 240)]),
    ]
}
