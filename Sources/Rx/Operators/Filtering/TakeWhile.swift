/// Whether the element that ends a sequence is still part of the sequence.
public enum TakeBehavior: Sendable {
    /// The element is delivered.
    case inclusive
    /// The element is dropped.
    case exclusive
}

extension ObservableType {
    /// Delivers the elements up to the first one for which `predicate` does not hold.
    ///
    ///     _ = Observable.of(1, 5, 2).take(while: { $0 < 3 }).subscribe(onNext: { print($0) })  // 1
    ///
    /// Completes at that element, which is delivered if `behavior` is `.inclusive`. If `predicate` throws, the sequence
    /// ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func take(
        while predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        let deliversLast = behavior == .inclusive
        return lift(state: true) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Bool>, element: inout Element) in
                guard sink.state else { return }
                do {
                    if try predicate(element) { return sink.send(&element) }
                    // Set first, because the receiver of the last element may send another element.
                    sink.state = false
                    if deliversLast { sink.send(&element) }
                    sink.finish()
                } catch {
                    sink.finish(error)
                }
            }
        }
    }
    /// Delivers the elements up to the first one for which `predicate` holds.
    ///
    ///     _ = Observable.of(1, 5, 2).take(until: { $0 > 3 }).subscribe(onNext: { print($0) })  // 1
    ///
    /// Completes at that element, which is delivered if `behavior` is `.inclusive`. If `predicate` throws, the sequence
    /// ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func take(
        until predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        take(while: { try !predicate($0) }, behavior: behavior)
    }
}
