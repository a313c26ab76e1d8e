import Rx

/// An operator of a trait with at most one value, in the tests of the contract. It has an entry for a source that has a
/// value, and an entry for a source that ends without a value.
///
/// The value, which is 1, is sent at 210. The end without a value, or the error, is sent at 240.
struct TraitContract<Input>: @unchecked Sendable {
    // @unchecked: for the same reason as `OperatorContract`.
    /// Makes a trait from the source of the contract.
    struct Source {
        let name: String
        /// With the first element of the source as its value; `nil` for a trait without values.
        let valued: ((Observable<Int>) -> Input)?
        /// Without a value.
        let silent: (Observable<Int>) -> Input
        /// The event of the silent trait when its source completes.
        let silentEnd: OperatorContract.End
    }

    private let source: Source
    /// The entry for a source with a value; `nil` for a trait without values.
    private var valued: OperatorContract?
    /// The entry for a source that ends without a value.
    private var silent: OperatorContract

    /// The cases of the tests of the contract.
    var contracts: [OperatorContract] { [valued, silent].compactMap(\.self) }

    /// The operator `name`, which delivers `values` for the value 1, and no value for an end.
    init<Result: ObservableConvertibleType>(
        _ source: Source, _ name: String, _ form: String = "", gives values: String = "",
        _ apply: @escaping (Input, ContractScheduler) -> Result
    ) {
        self.source = source
        let name = "\(source.name).\(name)"
        if let make = source.valued {
            valued = OperatorContract(name, form, gives: values) { apply(make($0), $1) }.ending(.completed, at: 210)
        }
        let silentForm = source.valued == nil ? form : form.isEmpty ? "without a value" : "\(form), without a value"
        silent = OperatorContract(name, silentForm, gives: "") { apply(source.silent($0), $1) }.completing(
            source.silentEnd)
    }

    /// Declares the tick at which a value causes an end, and the end of the subscription to the source.
    func ending(_ end: OperatorContract.End = .completed, at tick: Int, sourceEnd: Int? = nil) -> TraitContract {
        var changed = self
        changed.valued = valued?.ending(end, at: tick)
        if let sourceEnd {
            changed.valued = changed.valued?.subscribing(200, until: sourceEnd, whenDisposed: sourceEnd)
        }
        return changed
    }

    /// Declares the values for a source that ends without a value, and the end: completed or failed.
    func recovering(
        _ values: String, completed: OperatorContract.End = .completed, failed: OperatorContract.End = .completed
    ) -> TraitContract {
        var changed = self
        changed.silent = silent.giving(values).completing(completed).failing(failed)
        return changed
    }

    /// Changes the entry for a source with a value.
    func valuably(_ change: (OperatorContract) -> OperatorContract) -> TraitContract {
        var changed = self
        changed.valued = valued.map(change)
        return changed
    }

    /// Changes the entry for a source without a value.
    func silently(_ change: (OperatorContract) -> OperatorContract) -> TraitContract {
        var changed = self
        changed.silent = change(silent)
        return changed
    }

    /// Adds a form in which one of its functions throws: at the value, or at an end without a value.
    func throwing<Result: ObservableConvertibleType>(
        _ closure: String, atEnd: Bool = false, sourceFails: Bool = false,
        _ apply: @escaping (Input, ContractScheduler) -> Result
    ) -> TraitContract {
        var changed = self
        if let make = source.valued, !atEnd {
            changed.valued = valued?.throwing(closure) { apply(make($0), $1) }
        } else {
            changed.silent = silent.throwing(closure, at: 240, sourceFails: sourceFails) { [source] in
                apply(source.silent($0), $1)
            }
        }
        return changed
    }
}

extension TraitContract<Single<Int>>.Source {
    static var single: Self {
        .init(
            name: "Single", valued: { $0.take(1).asSingle() }, silent: { $0.filter { _ in false }.asSingle() },
            // The sequence fails, because there are no elements.
            silentEnd: .failed)
    }
}

extension TraitContract<Maybe<Int>>.Source {
    static var maybe: Self { named("Maybe") }
    /// The operations that all primitive sequences share, tested with a `Maybe`.
    static var primitiveSequence: Self { named("PrimitiveSequence") }

    private static func named(_ name: String) -> Self {
        .init(
            name: name, valued: { $0.take(1).asMaybe() }, silent: { $0.filter { _ in false }.asMaybe() },
            silentEnd: .completed)
    }
}

extension TraitContract<Completable>.Source {
    static var completable: Self {
        .init(name: "Completable", valued: nil, silent: { $0.ignoreElements().asCompletable() }, silentEnd: .completed)
    }
}
