extension ObservableType {
    /// This sequence, or `element` if it completes without one.
    ///
    ///     _ = Observable<Int>.empty().ifEmpty(default: 7).subscribe(onNext: { print($0) })  // 7
    ///
    /// One allocation per subscription, none per element.
    @inlinable
    public func ifEmpty(default element: Element) -> Observable<Element> {
        // The state tells whether nothing has come yet.
        link(
            state: true,
            onEnd: { (link: StatefulLink<Bool>, error) in
                if let error { return link.fail(error) }
                if link.state {
                    link.state = false
                    var element = element
                    link.forward(&element)
                }
                link.complete()
            },
            { address, sink in
                sink.receive(address) { (link: StatefulLink<Bool>, element: inout Element) in
                    link.state = false
                    link.forward(&element)
                }
            })
    }

    /// This sequence, or `other` if it completes without an element.
    ///
    ///     let rows = cached.ifEmpty(switchTo: loaded)
    ///
    /// `other` is subscribed to at the moment of that completion. One allocation per subscription and one more for
    /// `other`, none per element.
    @inlinable
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        joint(
            state: true,
            onEnd: { (joint: StatefulJoint<Bool>, error) in
                if let error { return joint.fail(error) }
                guard joint.state else { return joint.complete() }
                joint.subscribe(other, through: Input(next: Input.forwardUncontended, joint: joint))
            },
            { address, sink in
                sink.receive(address) { (joint: StatefulJoint<Bool>, element: inout Element) in
                    // Without the lock: `other` begins only after this sequence has ended.
                    joint.state = false
                    joint.forwardUncontended(&element)
                }
            })
    }
}
