extension ObservableType {
    /// Returns a sequence that holds a resource while it runs.
    ///
    ///     let open = { CompositeDisposable(disposables: [Disposables.create { print("closed") }]) }
    ///     _ = Observable.using(open, observableFactory: { _ in .of(1, 2) })
    ///         .subscribe(onNext: { print($0) })  // 1, 2, closed
    ///
    /// Each subscription makes its own resource, and disposes it after the sequence has ended or the subscription was
    /// disposed, but not while the sequence is being subscribed to. If `resourceFactory` throws, the sequence ends with
    /// that error; if `observableFactory` throws, the resource is disposed too.
    ///
    /// - Complexity: One allocation per subscription, plus the allocations of the closures; none per element.
    @_alwaysEmitIntoClient
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        observableFactory: @escaping (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        CoordinatorObservable(
            primary: nil,
            makeCoordinator: { down in
                StatefulCoordinator<HeldResource<Resource>>(
                    next: Coordinator.sendUncontended, down: down, state: .vacant, onEnd: nil,
                    onClose: { coordinator in coordinator.leave()?.dispose() })
            },
            start: { coordinator in
                let coordinator = coordinator.known(as: StatefulCoordinator<HeldResource<Resource>>.self)
                if coordinator.isStopped { return }
                let resource: Resource
                do {
                    resource = try resourceFactory()
                } catch {
                    return coordinator.finish(error)
                }
                do {
                    if !coordinator.isStopped { coordinator.subscribe(toPrimary: try observableFactory(resource)) }
                } catch {
                    coordinator.finish(error)
                }
                // Not earlier, because a sequence that has ended may still use the resource while it is being
                // subscribed to.
                if !coordinator.holds(resource) { resource.dispose() }
            })
    }
}

/// The storage for the resource of one subscription of `using`.
@usableFromInline
enum HeldResource<Resource> {
    case vacant
    case held(Resource)
    /// The subscription has ended. A resource that arrives in this state is disposed at once.
    case closed
}

extension StatefulCoordinator {
    /// Stores the resource while the sequence runs. Returns `false` if the sequence has already ended.
    @_alwaysEmitIntoClient
    func holds<Resource>(_ resource: Resource) -> Bool where State == HeldResource<Resource> {
        serial.withLock {
            if case .closed = state { return false }
            state = .held(resource)
            return true
        }
    }

    /// Closes the storage at the end of the sequence. Returns the resource, if it is stored here.
    @_alwaysEmitIntoClient
    func leave<Resource>() -> Resource? where State == HeldResource<Resource> {
        serial.withLock {
            defer { state = .closed }
            if case .held(let resource) = state { return resource }
            return nil
        }
    }
}
