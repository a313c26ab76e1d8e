import Rx
import RxTest

extension OperatorContract {
    static let combining: [OperatorContract] = oneAfterTheOther + together + rows

    private static let oneAfterTheOther: [OperatorContract] = [
        OperatorContract("startWith(_:)", gives: "8 9 1 2 3") { source, _ in source.startWith(8, 9) },
        OperatorContract("concat(_:)", gives: "1 2 3 9") { source, _ in source.concat(Observable.just(9)) },
        OperatorContract("concat(_:)", "second", gives: "9 1 2 3") { source, _ in Observable.just(9).concat(source) },
        OperatorContract("concat(_:)", "sequence", gives: "8 1 2 3 9") { source, _ in
            Observable.concat(AnySequence([Observable.of(8), source, .of(9)]))
        },
        OperatorContract("concat(_:)", "collection", gives: "8 1 2 3 9") { source, _ in
            Observable.concat([Observable.of(8), source, .of(9)])
        },
        OperatorContract("concat(_:)", "variadic", gives: "8 1 2 3 9") { source, _ in
            Observable.concat(.of(8), source, .of(9))
        },
    ]

    private static let together: [OperatorContract] = [
        OperatorContract("merge(_:)", "collection", gives: "9 1 2 3") { source, _ in
            Observable.merge(ArraySlice([source, .just(9)]))
        },
        OperatorContract("merge(_:)", "array", gives: "9 1 2 3") { source, _ in Observable.merge([source, .just(9)]) },
        OperatorContract("merge(_:)", "variadic", gives: "1 9 2 3") { source, scheduler in
            Observable.merge(source, scheduler.other([.next(215, 9), .completed(239)]))
        },
        OperatorContract("amb(_:)", gives: "1 2 3") { source, scheduler in source.amb(scheduler.other([.next(215, 9)]))
        },
        OperatorContract("amb(_:)", "sequence", gives: "1 2 3") { source, scheduler in
            Observable.amb([scheduler.other([.next(215, 9)]), source])
        },
        OperatorContract("withLatestFrom(_:)", gives: "9 9 9") { source, scheduler in
            source.withLatestFrom(scheduler.other([.next(205, 9)]))
        },
        OperatorContract("withLatestFrom(_:resultSelector:)", gives: "10 11 12") { source, _ in
            source.withLatestFrom(Observable.just(9)) { $0 + $1 }
        }
        .throwing("resultSelector") { source, _ in
            source.withLatestFrom(Observable.just(9)) { _, _ -> Int in try fault() }
        },
        OperatorContract("withLatestFrom(_:)", "second", gives: "2") { source, scheduler in
            scheduler.other([.next(225, 0), .completed(250)]).withLatestFrom(source)
        }
        .completing(.completed, at: 250, [Subscription(200, 240)]),
    ]

    // One entry covers all numbers of sources, from two to eight: `CombineLatestTests` and `ZipTests` cover each
    // number.
    private static let rows: [OperatorContract] = [
        OperatorContract("combineLatest(_:_:resultSelector:)", gives: "10 11 12") { source, _ in
            Observable.combineLatest(source, Observable.just(9)) { $0 + $1 }
        }
        .throwing("resultSelector") { source, _ in
            Observable.combineLatest(source, Observable.just(9)) { _, _ -> Int in try fault() }
        },
        OperatorContract("combineLatest(_:_:)", gives: "10 11 12") { source, scheduler in
            Observable.combineLatest(source, scheduler.other([.next(205, 9), .completed(239)])).map { $0 + $1 }
        },
        OperatorContract("combineLatest(_:resultSelector:)", gives: "10 11 12") { source, _ in
            Observable.combineLatest([source, .just(9)]) { $0[0] + $0[1] }
        }
        .throwing("resultSelector") { source, _ in
            Observable.combineLatest([source, .just(9)]) { _ -> Int in try fault() }
        },
        OperatorContract("combineLatest(_:)", gives: "[1, 9] [2, 9] [3, 9]") { source, _ in
            Observable.combineLatest([source, .just(9)])
        },
        OperatorContract("zip(_:_:resultSelector:)", gives: "11 22 33") { source, _ in
            Observable.zip(source, Observable.of(10, 20, 30)) { $0 + $1 }
        }
        .throwing("resultSelector") { source, _ in
            Observable.zip(source, Observable.of(10, 20, 30)) { _, _ -> Int in try fault() }
        },
        OperatorContract("zip(_:_:)", gives: "11 22 33") { source, scheduler in
            Observable.zip(source, scheduler.other([.next(201, 10), .next(215, 20), .next(225, 30), .completed(239)]))
                .map { $0 + $1 }
        },
        OperatorContract("zip(_:resultSelector:)", gives: "11 22 33") { source, _ in
            Observable.zip([source, .of(10, 20, 30)]) { $0[0] + $0[1] }
        }
        .throwing("resultSelector") { source, _ in
            Observable.zip([source, .of(10, 20, 30)]) { _ -> Int in try fault() }
        },
        OperatorContract("zip(_:)", gives: "[1, 10] [2, 20] [3, 30]") { source, _ in
            Observable.zip([source, .of(10, 20, 30)])
        },
    ]
}
