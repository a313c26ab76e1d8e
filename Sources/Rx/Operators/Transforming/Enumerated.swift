extension ObservableType {
    /// Each element with its index, counted from 0.
    ///
    ///     _ = Observable.of("a", "b").enumerated().subscribe(onNext: { print($0.index, $0.element) })  // 0 a, 1 b
    ///
    /// Fails with `RxError.overflow` at the element whose successor could not be counted. One allocation per
    /// subscription, none per element.
    @inlinable
    public func enumerated() -> Observable<(index: Int, element: Element)> { enumerated(from: 0) }

    /// As `enumerated()`, counted from another number: the overflow cannot be reached otherwise.
    @inlinable
    package func enumerated(from start: Int) -> Observable<(index: Int, element: Element)> {
        link(state: start) { address, sink in
            sink.receive(address) { (link: StatefulLink<Int>, element: inout Element) in
                let following = link.state.addingReportingOverflow(1)
                if following.overflow { return link.fail(RxError.overflow) }
                var result = (index: link.state, element: element)
                link.state = following.partialValue
                link.forward(&result)
            }
        }
    }
}
