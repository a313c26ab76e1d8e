import Foundation
import Rx

// Runs one scenario a given number of times: 'TracingCost SCENARIO COUNT'. With a third argument, 'time', it prints the
// nanoseconds of the fastest of twenty rounds. Without it, it only runs, for tools that count instructions.

let arguments = CommandLine.arguments
guard arguments.count >= 3, let count = Int(arguments[2]), count > 0 else {
    print("usage: TracingCost isTracing|event|chain|flatMap|subscribe|resource COUNT [time]")
    exit(64)
}

// Each scenario has a separate function, so that the inlining does not depend on the other scenarios.

@inline(never) func assembled(_ source: Observable<Int>, _ scenario: String, _ k: Int) -> Observable<Int> {
    switch scenario {
    case "chain": chain(source, k)
    case "flatMap": inner(source)
    case "subscribe": pair(source, k)
    default: source
    }
}

@inline(never) func chain(_ source: Observable<Int>, _ k: Int) -> Observable<Int> {
    source.map { $0 &+ k }.filter { $0 > -1 }.scan(0) { $0 &+ $1 }.distinctUntilChanged()
}

@inline(never) func inner(_ source: Observable<Int>) -> Observable<Int> {
    let just = Observable.just(1)
    return source.flatMap { _ in just }
}

@inline(never) func pair(_ source: Observable<Int>, _ k: Int) -> Observable<Int> {
    source.map { $0 &- k }.filter { $0 > 0 }
}

@inline(never) func subscribe(_ sequence: Observable<Int>, _ cell: UnsafeMutablePointer<Int>) -> any Disposable {
    sequence.subscribe(onNext: { cell.pointee &+= $0 })
}

@inline(never) func push(_ count: Int, into subject: PublishSubject<Int>) {
    for value in 0..<count { subject.onNext(value) }
}

/// Makes and drops `count` resources that have no other cost, below `depth` calls.
@inline(never) func makeResources(_ count: Int, below depth: Int) -> Int {
    // The addition after the call prevents the compiler from turning the call into a jump.
    if depth > 0 { return makeResources(count, below: depth - 1) + 1 }
    var disposed = 0
    for _ in 0..<count where BooleanDisposable().isDisposed { disposed += 1 }
    return disposed
}

@inline(never) func run(_ count: Int, _ scenario: String) -> Int {
    // Two more calls lead to this function, and three lead from here to the code that records the stack.
    if scenario == "resource" { return makeResources(count, below: 24) }
    let cell = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    cell.initialize(to: 0)
    defer { cell.deallocate() }
    let subject = PublishSubject<Int>()
    let sequence = assembled(subject, scenario, count)
    if scenario == "subscribe" {
        for _ in 0..<count { subscribe(sequence, cell).dispose() }
    } else {
        let subscription = subscribe(sequence, cell)
        push(count, into: subject)
        subscription.dispose()
    }
    return cell.pointee
}

if arguments[1] == "isTracing" {
    print(Resources.isTracing)
} else if arguments.count > 3 {
    var best = UInt64.max
    for _ in 0..<20 {
        let start = DispatchTime.now().uptimeNanoseconds
        let sum = run(count, arguments[1])
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        if sum != .min { best = min(best, elapsed) }
    }
    print(Double(best) / Double(count))
} else {
    print(run(count, arguments[1]))
}
