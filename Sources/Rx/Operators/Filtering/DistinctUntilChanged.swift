extension ObservableType {
    /// Delivers the elements whose key differs from the key of the previously delivered one.
    ///
    ///     _ = names.distinctUntilChanged({ $0.first }, comparer: { $0 == $1 })
    ///
    /// If `keySelector` or `comparer` throws, the sequence ends with that error.
    ///
    /// - Parameters:
    ///   - keySelector: returns the key of an element; called once for each element.
    ///   - comparer: whether two keys, the earlier one first, count as equal.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key, comparer: @escaping (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        lift(state: Key?.none) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Key?>, element: inout Element) in
                do {
                    let key = try keySelector(element)
                    if let last = sink.state, try comparer(last, key) { return }
                    sink.state = key
                    sink.send(&element)
                } catch {
                    sink.finish(error)
                }
            }
        }
    }

    /// Delivers the elements whose key differs from the key of the previously delivered one.
    ///
    ///     _ = Observable.of(1, 3, 4).distinctUntilChanged { $0 % 2 }.subscribe(onNext: { print($0) })  // 1, 4
    ///
    /// If `keySelector` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) throws -> Key
    ) -> Observable<Element> {
        distinctUntilChanged(keySelector, comparer: { $0 == $1 })
    }

    /// Delivers the elements that `comparer` does not find equal to the previously delivered one.
    ///
    ///     _ = Observable.of(1, 2, 9).distinctUntilChanged { abs($0 - $1) < 5 }
    ///         .subscribe(onNext: { print($0) })  // 1, 9
    ///
    /// If `comparer` throws, the sequence ends with that error.
    ///
    /// - Parameter comparer: whether two elements, the earlier one first, count as equal.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged(
        _ comparer: @escaping (Element, Element) throws -> Bool
    ) -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: comparer)
    }

    /// Delivers the elements whose property at `keyPath` differs from the property of the previously delivered one.
    ///
    ///     _ = words.distinctUntilChanged(at: \.count)
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged<Property: Equatable>(
        at keyPath: KeyPath<Element, Property>
    ) -> Observable<Element> {
        distinctUntilChanged({ $0[keyPath: keyPath] }, comparer: { $0 == $1 })
    }
}

extension ObservableType where Element: Equatable {
    /// Delivers the elements that differ from the previously delivered one.
    ///
    ///     _ = Observable.of(1, 1, 2, 1).distinctUntilChanged().subscribe(onNext: { print($0) })  // 1, 2, 1
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged() -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: { $0 == $1 })
    }
}
