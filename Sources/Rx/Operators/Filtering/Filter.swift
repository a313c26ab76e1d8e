extension ObservableType {
    /// The elements for which `predicate` holds.
    ///
    ///     _ = Observable.of(1, 2, 3).filter { $0 != 2 }.subscribe(onNext: { print($0) })  // 1, 3
    ///
    /// If `predicate` throws, the sequence ends with that error. One allocation per subscription, none per element.
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        link(stage: PredicateStage(predicate)) { address, sink in
            sink.receive(address) { (link: Link, element: inout Element) in
                do {
                    if try predicate(element) { link.forward(&element) }
                } catch {
                    link.fail(error)
                }
            }
        }
    }
}
