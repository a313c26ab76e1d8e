extension ObservableConvertibleType {
    /// This sequence, and in place of an error `element` and completion.
    ///
    ///     let answer = Observable<Int>.error(RxError.unknown).asInfallible(onErrorJustReturn: 0)
    ///     _ = answer.subscribe(onNext: { print($0) })  // 0
    ///
    /// - Complexity: As `catchAndReturn(_:)` of observables.
    @inlinable
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(raw: asObservable().catchAndReturn(element))
    }

    /// This sequence, which an error turns into `infallible`.
    ///
    ///     let names = request.map(\.name).asInfallible(onErrorFallbackTo: .of("Ada", "Grace"))
    ///
    /// - Complexity: As `catch(_:)` of observables.
    @inlinable
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { _ in infallible.source })
    }

    /// This sequence, which an error turns into the result of `onErrorRecover`.
    ///
    ///     let names = request.map(\.name).asInfallible(onErrorRecover: { error in .just("\(error)") })
    ///
    /// - Complexity: As `catch(_:)` of observables.
    @inlinable
    public func asInfallible(onErrorRecover: @escaping (any Error) -> Infallible<Element>) -> Infallible<Element> {
        Infallible(raw: asObservable().catch { onErrorRecover($0).source })
    }
}

extension ObservableType {
    /// The elements of the sequence that `selector` made last, as a sequence that is taken not to fail.
    ///
    ///     let name: Infallible<String> = request.flatMapLatest { person in Infallible.just(person.name) }
    ///
    /// Neither this sequence nor `selector` should fail: see `Infallible`.
    ///
    /// - Complexity: As `flatMapLatest(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMapLatest<Source: InfallibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Infallible<Source.Element> {
        let latest: Observable<Source.Element> = flatMapLatest(selector)
        return Infallible(raw: latest)
    }
}

// Relays take values only, so that their sequence is one already.
extension PublishRelay {
    /// The values from now on, as a sequence that cannot fail.
    ///
    ///     let taps = PublishRelay<Void>()
    ///     let subscription = taps.asInfallible().subscribe(onNext: { print("tap") })
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: self) }
}

extension BehaviorRelay {
    /// The latest value and those from now on, as a sequence that cannot fail.
    ///
    ///     let level = BehaviorRelay(value: 1)
    ///     let subscription = level.asInfallible().subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: self) }
}

extension ReplayRelay {
    /// The most recent values and those from now on, as a sequence that cannot fail.
    ///
    ///     let news = ReplayRelay<String>.create(bufferSize: 2)
    ///     let subscription = news.asInfallible().subscribe(onNext: { print($0) })
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: self) }
}
