import Rx
import RxTest

extension OperatorContract {
    static let sharing: [OperatorContract] = [
        OperatorContract("share(replay:scope:)", gives: "1 2 3") { source, _ in source.share() },
        OperatorContract("share(replay:scope:)", "1", gives: "1 2 3") { source, _ in source.share(replay: 1) },
        OperatorContract("share(replay:scope:)", "2", gives: "1 2 3") { source, _ in source.share(replay: 2) },
        OperatorContract("share(replay:scope:)", "forever", gives: "1 2 3") { source, _ in source.share(scope: .forever)
        },
        OperatorContract("share(replay:scope:)", "1, forever", gives: "1 2 3") { source, _ in
            source.share(replay: 1, scope: .forever)
        },
        OperatorContract("refCount()", gives: "1 2 3") { source, _ in source.publish().refCount() },
        OperatorContract("publish()", gives: "1 2 3") { source, _ in source.publish().refCount() },
        OperatorContract("replay(_:)", gives: "1 2 3") { source, _ in source.replay(1).refCount() },
        OperatorContract("replayAll()", gives: "1 2 3") { source, _ in source.replayAll().refCount() },
        OperatorContract("multicast(_:)", gives: "1 2 3") { source, _ in source.multicast(PublishSubject()).refCount()
        },
        OperatorContract("multicast(makeSubject:)", gives: "1 2 3") { source, _ in
            source.multicast { PublishSubject() }.refCount()
        },
        OperatorContract("multicast(_:selector:)", gives: "2 4 6") { source, _ in
            source.multicast({ PublishSubject() }, selector: { shared in Observable.zip(shared, shared) { $0 + $1 } })
        }
        .throwing("subjectSelector", at: 200, subscribes: false) { source, _ in
            source.multicast({ try fault() as PublishSubject<Int> }, selector: { $0 })
        }
        .throwing("selector", at: 200, subscribes: false) { source, _ in
            source.multicast({ PublishSubject<Int>() }, selector: { _ -> Observable<Int> in try fault() })
        },
    ]

    private static let doName =
        "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)"

    static let inspecting: [OperatorContract] = [
        OperatorContract(doName, gives: "1 2 3") { source, _ in
            source.do(
                onNext: { _ in }, afterNext: { _ in }, onError: { _ in }, afterError: { _ in }, onCompleted: {},
                afterCompleted: {})
        }
        .throwing("onNext") { source, _ in source.do(onNext: { _ in try fault() }) }
        .throwing("afterNext") { source, _ in source.do(afterNext: { _ in try fault() }) }
        .throwing("onError", at: 240, sourceFails: true) { source, _ in source.do(onError: { _ in try fault() }) }
        .throwing("onCompleted", at: 240) { source, _ in source.do(onCompleted: { try fault() }) },
        OperatorContract(doName, "with its subscription", gives: "1 2 3") { source, _ in
            source.do(onNext: { _ in }, onSubscribe: {}, onSubscribed: {}, onDispose: {})
        }
        .throwing("onNext") { source, _ in source.do(onNext: { _ in try fault() }, onDispose: {}) }
        .throwing("afterNext") { source, _ in source.do(afterNext: { _ in try fault() }, onDispose: {}) }
        .throwing("onError", at: 240, sourceFails: true) { source, _ in
            source.do(onError: { _ in try fault() }, onDispose: {})
        }
        .throwing("onCompleted", at: 240) { source, _ in source.do(onCompleted: { try fault() }, onDispose: {}) },
        OperatorContract("checkpoint(_:fileID:line:)", gives: "1 2 3") { source, _ in source.checkpoint("contract") },
        // Like the public form, except for the destination of the lines.
        OperatorContract("debug(_:trimOutput:file:line:function:)", gives: "1 2 3") { source, _ in
            source.debug(EventLog(identifier: "contract", trimsOutput: false, now: { .init() }, write: { _ in }))
        },
    ]
}
