/// Something that is both an observer and a sequence.
public protocol SubjectType<Element>: ObservableType {
    /// The observer through which it is sent to.
    associatedtype Observer: ObserverType

    /// The side that receives.
    func asObserver() -> Observer
}

extension ObservableBase {
    /// Begins to send an event to the observers of this subject or relay; a debug build notices who else does.
    @inlinable @inline(__always)
    final func beginSending(to observers: SubjectObservers) -> Sending {
        #if DEBUG
            Sending(visit: observers.visit(type(of: self)))
        #else
            Sending()
        #endif
    }

    /// Ends what `beginSending` has begun, and keeps the subject until then: its deinitialiser forgets the observers.
    @inlinable @inline(__always)
    final func end(_ sending: Sending) {
        #if DEBUG
            sending.visit.end()
        #endif
        withExtendedLifetime(self) {}
    }

    /// Sends a value of a relay.
    @inlinable @inline(__always)
    final func send<Element>(_ element: Element, to observers: SubjectObservers) {
        let sending = beginSending(to: observers)
        var element = element
        observers.send(&element)
        end(sending)
    }

    /// Sends a value of a relay, which later subscribers get too.
    @inlinable @inline(__always)
    final func sendAndRemember<Memory>(_ element: Memory.Element, by observers: RememberingObservers<Memory>) {
        var element = element
        let sending = beginSending(to: observers)
        observers.sendAndRemember(&element)
        end(sending)
    }

    /// Counts a subject, where `init` has counted an observable.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSubject() {
        #if TRACE_RESOURCES
            resourceType = Resources.type(of: ObjectIdentifier(self), .subject, named: nil)
            tag = Resources.retyped(tag, resourceType)
        #endif
    }
}

/// An event that a subject or a relay is sending.
@usableFromInline
struct Sending {
    #if DEBUG
        @usableFromInline let visit: EventMonitor.Visit

        @inlinable init(visit: EventMonitor.Visit) { self.visit = visit }
    #else
        @inlinable init() {}
    #endif
}
