extension ObservableConvertibleType {
    /// Returns this sequence as an infallible. If the sequence fails, the infallible delivers `element` and completes.
    ///
    ///     let answer = Observable<Int>.error(RxError.unknown).asInfallible(onErrorJustReturn: 0)
    ///     _ = answer.subscribe(onNext: { print($0) })  // 0
    ///
    /// - Complexity: The same as `catchAndReturn(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(raw: asObservable().catchAndReturn(element))
    }

    /// Returns this sequence as an infallible. If the sequence fails, the infallible continues with `infallible`.
    ///
    ///     let names = request.map(\.name).asInfallible(onErrorFallbackTo: .of("Ada", "Grace"))
    ///
    /// - Complexity: The same as `catch(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { _ in infallible.source })
    }

    /// Returns this sequence as an infallible. If the sequence fails, the infallible continues with the sequence that
    /// `onErrorRecover` returns.
    ///
    ///     let names = request.map(\.name).asInfallible(onErrorRecover: { error in .just("\(error)") })
    ///
    /// - Complexity: The same as `catch(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asInfallible(onErrorRecover: @escaping (any Error) -> Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { onErrorRecover($0).source })
    }
}

extension ObservableType {
    /// Delivers the elements of the latest sequence that `selector` returned. The result is assumed not to fail.
    ///
    ///     let name: Infallible<String> = request.flatMapLatest { person in Infallible.just(person.name) }
    ///
    /// Neither this sequence nor `selector` should fail. See `Infallible`.
    ///
    /// - Complexity: The same as `flatMapLatest(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapLatest<Source: InfallibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Infallible<Source.Element> {
        let latest: Observable<Source.Element> = flatMapLatest(selector)
        return Infallible(raw: latest)
    }
}

// Relays accept only values, so the sequence of a relay is already infallible.
extension PublishRelay {
    /// Returns the values that the relay receives after the subscription, as a sequence that cannot fail.
    ///
    ///     let taps = PublishRelay<Void>()
    ///     let subscription = taps.asInfallible().subscribe(onNext: { print("tap") })
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: self) }
}

extension BehaviorRelay {
    /// Returns the latest value and all later values, as a sequence that cannot fail.
    ///
    ///     let level = BehaviorRelay(value: 1)
    ///     let subscription = level.asInfallible().subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: self) }
}

extension ReplayRelay {
    /// Returns the most recent values and all later values, as a sequence that cannot fail.
    ///
    ///     let news = ReplayRelay<String>.create(bufferSize: 2)
    ///     let subscription = news.asInfallible().subscribe(onNext: { print($0) })
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: self) }
}
