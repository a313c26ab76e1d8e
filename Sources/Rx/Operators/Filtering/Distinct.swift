extension ObservableType where Element: Hashable {
    /// Delivers each element that was not sent before.
    ///
    ///     _ = Observable.of(1, 2, 1, 3, 2).distinct().subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// All elements that were sent stay in memory. `distinctUntilChanged()` remembers only one element.
    ///
    /// - Complexity: O(1) amortised an element. One allocation per subscription, and more when the set of elements
    ///   grows.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinct() -> Observable<Element> {
        lift(state: [] as Set<Element>) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Set<Element>>, element: inout Element) in
                if sink.state.insert(element).inserted { sink.send(&element) }
            }
        }
    }
}

extension ObservableType where Element: Equatable {
    /// Delivers each element that was not sent before, for a type that cannot be hashed.
    ///
    /// All elements that were sent stay in memory.
    ///
    /// - Complexity: O(*n*) an element after *n* different elements. One allocation per subscription, and more when the
    ///   list of elements grows.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinct() -> Observable<Element> {
        lift(state: [] as [Element]) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<[Element]>, element: inout Element) in
                if sink.state.contains(element) { return }
                sink.state.append(element)
                sink.send(&element)
            }
        }
    }
}
