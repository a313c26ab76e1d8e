#if TRACE_RESOURCES
    import CRx
#endif

// The maker of a sink counts it, by one of these: it alone knows what its user calls it. Counting it in `init` and
// then as something else took twice as long. Emitted into the caller, so that nothing is left of them in a build that
// does not trace.

extension Sink {
    /// Counts this as a sink of the operator that made `observable`.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSink(of observable: ObservableBase) {
        #if TRACE_RESOURCES
            tag = Resources.made(rx_sink_type_of(observable.resourceType), at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this as what `coordinator` is counted as, which it belongs to.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsInput(of coordinator: Sink) {
        #if TRACE_RESOURCES
            let type = rx_type_of_tag(coordinator.tag)
            // A coordinator that was made while nothing was counted has none.
            tag = Resources.made(type == 0 ? UInt32(rx_unnamed + 2) : type, at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this as the subscriber of a sequence.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSubscriber() {
        #if TRACE_RESOURCES
            tag = Resources.made(UInt32(rx_subscribe), at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this under its own class and a name that users know.
    @_alwaysEmitIntoClient @inline(__always)
    final func count(as name: StaticString, _ kind: ResourceKind = .sink) {
        #if TRACE_RESOURCES
            tag = Resources.made(
                Resources.type(of: ObjectIdentifier(self), kind, named: name), at: ObjectIdentifier(self))
        #endif
    }
}
