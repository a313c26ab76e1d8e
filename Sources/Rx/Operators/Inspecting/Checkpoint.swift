extension ObservableType {
    /// Names this place in the chain. An error that passes records the name.
    ///
    ///     Hooks.recordCallStackOnError = true
    ///     let results = Observable<Int>.error(RxError.noElements).checkpoint("search results")
    ///     _ = results.subscribe(onError: { print(Hooks.origin(of: $0)!.checkpoints) })  // ["search results" at …]
    ///     Hooks.recordCallStackOnError = false
    ///
    /// Names a place where stacks cannot: in builds without debug information, and for an error from another thread. It
    /// has no other effect, and it records nothing unless `Hooks.recordCallStackOnError` is on.
    ///
    /// - Parameters:
    ///   - name: the name of the place in `ErrorOrigin`.
    ///   - fileID: the file of the place; by default the caller's file.
    ///   - line: the line in that file.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func checkpoint(_ name: String, fileID: StaticString = #fileID, line: UInt = #line) -> Observable<Element> {
        lift(
            state: (),
            onEnd: { sink, error in
                if let error { ErrorOrigin.Checkpoint.pass(error, name, fileID, line) }
                // Kernel-internal: receiveEnd. Passes on the end as it came, at the lowest cost.
                sink.down.receiveEnd(error)
            }
        ) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Void>, element: inout Element) in sink.send(&element)
            }
        }
    }
}

extension ErrorOrigin.Checkpoint {
    /// Records that an error has passed a checkpoint.
    @usableFromInline
    static func pass(_ error: any Error, _ name: String, _ fileID: StaticString, _ line: UInt) {
        ErrorOrigins.origin(of: error) { origin in
            let checkpoint = ErrorOrigin.Checkpoint(name: name, fileID: "\(fileID)", line: line)
            if !origin.checkpoints.contains(checkpoint) { origin.checkpoints.append(checkpoint) }
        }
    }
}
