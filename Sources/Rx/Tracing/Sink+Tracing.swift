#if TRACE_RESOURCES
import CPlatform
#endif

extension Sink {
    /// Counts this as a sink of the operator that made `observable`.
    @inlinable @inline(__always)
    final func countAsSink(of observable: ObservableBase) {
#if TRACE_RESOURCES
        tag = Resources.retyped(tag, rx_sink_type_of(observable.resourceType))
#endif
    }

    /// Counts this as what `joint` is counted as, which it belongs to.
    @inlinable @inline(__always)
    final func countAsInput(of joint: Sink) {
#if TRACE_RESOURCES
        let type = rx_type_of_tag(joint.tag)
        if type != 0 { tag = Resources.retyped(tag, type) }
#endif
    }

    /// Counts this as the subscriber of a sequence.
    @inlinable @inline(__always)
    final func countAsSubscriber() {
#if TRACE_RESOURCES
        tag = Resources.retyped(tag, UInt32(rx_subscribe))
#endif
    }

    /// Counts this under its own class and a name that users know.
    @inlinable @inline(__always)
    final func count(as name: StaticString, _ kind: ResourceKind = .sink) {
#if TRACE_RESOURCES
        tag = Resources.retyped(tag, Resources.type(of: self, kind, named: name))
#endif
    }
}
