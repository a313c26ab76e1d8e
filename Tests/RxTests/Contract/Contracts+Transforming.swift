import Foundation
import Rx
import RxTest

extension OperatorContract {
    static let creating: [OperatorContract] = [
        OperatorContract("create(_:)", gives: "1 2 3") { source, _ in Observable.create { source.subscribe($0) } },
        OperatorContract("deferred(_:)", gives: "1 2 3") { source, _ in Observable.deferred { source } }
            .throwing("observableFactory", at: 200, subscribes: false) { _, _ in
                Observable<Int>.deferred { try fault() }
            },
        OperatorContract("using(_:observableFactory:)", gives: "1 2 3") { source, _ in
            Observable.using({ BooleanDisposable() }, observableFactory: { _ in source })
        }
        .throwing("resourceFactory", at: 200, subscribes: false) { source, _ in
            Observable.using({ try fault() as BooleanDisposable }, observableFactory: { _ in source })
        }
        .throwing("observableFactory", at: 200, subscribes: false) { _, _ in
            Observable<Int>.using({ BooleanDisposable() }, observableFactory: { _ in try fault() })
        },
    ]

    static let transforming: [OperatorContract] = elementwise + flattening + gathering

    private static let elementwise: [OperatorContract] = [
        OperatorContract("map(_:)", gives: "10 20 30") { source, _ in source.map { $0 * 10 } }
            .throwing("transform") { source, _ in source.map { _ -> Int in try fault() } },
        OperatorContract("map(_:)", "a run of four", gives: "5 6 7") { source, _ in
            source.map { $0 + 1 }.map { $0 + 1 }.map { $0 + 1 }.map { $0 + 1 }
        }
        .throwing("transform, the third") { source, _ in
            source.map { $0 }.map { $0 }.map { _ -> Int in try fault() }.map { $0 }
        },
        OperatorContract("compactMap(_:)", gives: "1 3") { source, _ in source.compactMap { $0 == 2 ? nil : $0 } }
            .throwing("transform") { source, _ in source.compactMap { _ -> Int? in try fault() } },
        OperatorContract("scan(_:accumulator:)", gives: "1 3 6") { source, _ in source.scan(0, accumulator: +) }
            .throwing("accumulator") { source, _ in source.scan(0) { _, _ in try fault() } },
        OperatorContract("scan(into:accumulator:)", gives: "1 3 6") { source, _ in source.scan(into: 0) { $0 += $1 } }
            .throwing("accumulator") { source, _ in source.scan(into: 0) { _, _ in try fault() } },
        OperatorContract("enumerated()", gives: "0-1 1-2 2-3") { source, _ in
            source.enumerated().map { "\($0.index)-\($0.element)" }
        },
        OperatorContract("materialize()", gives: "next(1) next(2) next(3) completed") { source, _ in
            source.materialize()
        }.failing(.completed),
        OperatorContract("dematerialize()", gives: "1 2 3") { source, _ in source.materialize().dematerialize() },
        OperatorContract("decode(type:decoder:)", gives: "[1] [2] [3]") { source, _ in
            source.map { Data("[\($0)]".utf8) }.decode(type: [Int].self, decoder: JSONDecoder())
        }
        .throwing("decoder") { source, _ in source.map { _ in Data() }.decode(type: Int.self, decoder: FaultyDecoder())
        },
        OperatorContract("withUnretained(_:)", gives: "1 2 3") { source, _ in
            source.withUnretained(LastingObject.instance).map { $1 }
        },
        OperatorContract("withUnretained(_:resultSelector:)", gives: "1 2 3") { source, _ in
            source.withUnretained(LastingObject.instance) { $1 }
        },
    ]

    private static let flattening: [OperatorContract] = [
        OperatorContract("flatMap(_:)", gives: "1 10 2 20 3 30") { source, _ in
            source.flatMap { Observable.of($0, $0 * 10) }
        }
        .throwing("selector") { source, _ in source.flatMap { _ -> Observable<Int> in try fault() } },
        OperatorContract("flatMap(_:)", "over just", gives: "1 2 3") { source, _ in
            source.flatMap { Observable.just($0) }
        },
        OperatorContract("flatMapFirst(_:)", gives: "1 10 2 20 3 30") { source, _ in
            source.flatMapFirst { Observable.of($0, $0 * 10) }
        }
        .throwing("selector") { source, _ in source.flatMapFirst { _ -> Observable<Int> in try fault() } },
        OperatorContract("flatMapLatest(_:)", gives: "1 10 2 20 3 30") { source, _ in
            source.flatMapLatest { Observable.of($0, $0 * 10) }
        }
        .throwing("selector") { source, _ in source.flatMapLatest { _ -> Observable<Int> in try fault() } },
        OperatorContract("concatMap(_:)", gives: "1 10 2 20 3 30") { source, _ in
            source.concatMap { Observable.of($0, $0 * 10) }
        }
        .throwing("selector") { source, _ in source.concatMap { _ -> Observable<Int> in try fault() } },
        OperatorContract("switchLatest()", gives: "1 10 2 20 3 30") { source, _ in
            source.map { Observable.of($0, $0 * 10) }.switchLatest()
        },
        OperatorContract("merge()", gives: "1 10 2 20 3 30") { source, _ in
            source.map { Observable.of($0, $0 * 10) }.merge()
        },
        OperatorContract("merge(maxConcurrent:)", gives: "1 10 2 20 3 30") { source, _ in
            source.map { Observable.of($0, $0 * 10) }.merge(maxConcurrent: 2)
        },
        OperatorContract("concat()", gives: "1 10 2 20 3 30") { source, _ in
            source.map { Observable.of($0, $0 * 10) }.concat()
        },
        OperatorContract("groupBy(keySelector:)", gives: "1:1 0:2 1:3") { source, _ in
            source.groupBy { $0 % 2 }.flatMap { group in group.map { "\(group.key):\($0)" } }
        }
        .throwing("keySelector") { source, _ in source.groupBy { _ -> Int in try fault() }.map { $0.key } },
        OperatorContract("window(timeSpan:count:scheduler:)", gives: "[1, 2] [3]") { source, scheduler in
            source.window(timeSpan: .seconds(100), count: 2, scheduler: scheduler).flatMap { $0.toArray() }
        },
    ]

    private static let gathering: [OperatorContract] = [
        OperatorContract("reduce(_:accumulator:)", gives: "6") { source, _ in source.reduce(0, accumulator: +) }
            .throwing("accumulator") { source, _ in source.reduce(0) { _, _ in try fault() } },
        OperatorContract("reduce(_:accumulator:mapResult:)", gives: "60") { source, _ in
            source.reduce(0, accumulator: +, mapResult: { $0 * 10 })
        }
        .throwing("accumulator") { source, _ in
            source.reduce(0, accumulator: { _, _ in try fault() }, mapResult: { $0 })
        }
        .throwing("mapResult", at: 240) { source, _ in
            source.reduce(0, accumulator: +, mapResult: { _ -> Int in try fault() })
        },
        OperatorContract("toArray()", gives: "[1, 2, 3]") { source, _ in source.toArray() },
        OperatorContract("pairwise()", gives: "3 5") { source, _ in source.pairwise().map { $0 + $1 } },
        OperatorContract("count()", gives: "3") { source, _ in source.count() },
        OperatorContract("count(_:)", gives: "2") { source, _ in source.count { $0 > 1 } }
            .throwing("predicate") { source, _ in source.count { _ in try fault() } },
        OperatorContract("expand(_:)", gives: "1 10 2 20 3 30") { source, _ in
            source.expand { $0 < 10 ? Observable.just($0 * 10) : .empty() }
        }
        .throwing("selector") { source, _ in source.expand { _ -> Observable<Int> in try fault() } },
        OperatorContract("bufferWithTrigger(_:)", gives: "[1, 2] [3]") { source, scheduler in
            source.bufferWithTrigger(scheduler.other([.next(225, 0)]))
        },
        OperatorContract("buffer(timeSpan:count:scheduler:)", gives: "[1, 2] [3]") { source, scheduler in
            source.buffer(timeSpan: .seconds(100), count: 2, scheduler: scheduler)
        },
    ]
}

private struct FaultyDecoder: DataDecoder {
    func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item { try fault() }
}
