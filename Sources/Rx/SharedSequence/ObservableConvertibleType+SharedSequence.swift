extension ObservableConvertibleType {
    /// A shared sequence that sends `element` in place of an error, and completes.
    ///
    ///     let name: Driver<String> = load().asSharedSequence(onErrorJustReturn: "nobody")
    ///
    /// - Parameter sharingStrategy: how it shares; inferred from what the result is used for.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn element: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catchAndReturn(element))
    }

    /// A shared sequence that goes on with another in place of an error.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith other: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        asSharedSequence { _ in other }
    }

    /// A shared sequence that goes on, in place of an error, with what `onErrorRecover` makes of it.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorRecover: @escaping (any Error) -> SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catch { onErrorRecover($0).asObservable() })
    }
}
