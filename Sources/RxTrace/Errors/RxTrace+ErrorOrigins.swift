import Rx

extension RxTrace {
    /// Whether it is recorded where errors come from, with functions, files and lines. Off at first.
    ///
    ///     RxTrace.recordsErrorOrigins = true
    ///     let failing = Observable.just("1o").map { text in try Int(text) ?? { throw RxError.noElements }() }
    ///     _ = failing.subscribe(onError: { error in
    ///         print(Hooks.origin(of: error)!.assembled.map(\.name))  // ["map(_:)", "just"]
    ///     })
    ///     RxTrace.recordsErrorOrigins = false
    ///
    /// Turns `Hooks.recordCallStackOnError` on, so that `Hooks.origin(of:)` knows an error's stacks, and names the
    /// calls in them; and `RxTrace.level` up to `stacks`, so that each operator made from now on is known by where it
    /// was put into its chain. Turning it off puts both back. Process-wide.
    ///
    /// Naming takes up to some milliseconds an error, on the thread where it arrives: for finding a fault, not for a
    /// service under load.
    public static var recordsErrorOrigins: Bool {
        get { levelBefore.withLock { $0 } != nil }
        set {
            let before = levelBefore.withLock { before in
                defer { before = newValue ? before ?? level : nil }
                return before
            }
            if newValue { level = max(level, .stacks) } else if let before { level = before }
            CallNames.current = newValue ? ErrorOrigin.namer : nil
            Hooks.recordCallStackOnError = newValue
        }
    }

    /// The level that holds where origins are not recorded; `nil` while they are not.
    private static let levelBefore = Guarded<Level?>(nil)
}

extension ErrorOrigin {
    /// The calls that threw the error, in words.
    public var thrownStack: CallStack { CallStack(addresses: thrown) }

    /// Names calls by function, file and line. Only those of the program itself, unless there are none.
    fileprivate static let namer = CallNames.Namer(
        lines: { addresses in
            let stack = CallStack(addresses: addresses)
            let own = stack.framesOfYours
            return (own.isEmpty ? stack.frames : own).map(\.description)
        },
        place: { addresses in
            CallStack(addresses: addresses).framesOfYours.first.map { $0.place ?? $0.function }
        })
}
