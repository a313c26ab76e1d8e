/// Something that is both an observer and a sequence.
public protocol SubjectType<Element>: ObservableType {
    /// The observer that sends into the subject.
    associatedtype Observer: ObserverType

    /// Returns the observer that sends into the subject.
    func asObserver() -> Observer
}

extension ObservableBase {
    /// Begins to send an event to the observers of this subject or relay. A debug build detects other threads that send
    /// at the same time.
    @_alwaysEmitIntoClient @inline(__always)
    final func beginSending(to observers: SubjectObservers) -> Sending {
        #if DEBUG
            Sending(visit: observers.visit(type(of: self)))
        #else
            Sending()
        #endif
    }

    /// Ends the event that `beginSending` began, and keeps the subject alive until then, because its deinitialiser
    /// removes the observers.
    @_alwaysEmitIntoClient @inline(__always)
    final func end(_ sending: Sending) {
        #if DEBUG
            sending.visit.end()
        #endif
        withExtendedLifetime(self) {}
    }

    /// Sends a value of a relay.
    @_alwaysEmitIntoClient @inline(__always)
    final func send<Element>(_ element: Element, to observers: SubjectObservers) {
        let sending = beginSending(to: observers)
        var element = element
        observers.send(&element)
        end(sending)
    }

    /// Sends a value of a relay, and remembers it for later subscribers.
    @_alwaysEmitIntoClient @inline(__always)
    final func sendAndRemember<Memory>(_ element: Memory.Element, by observers: RememberingObservers<Memory>) {
        var element = element
        let sending = beginSending(to: observers)
        observers.sendAndRemember(&element)
        end(sending)
    }

    /// Counts this object as a subject. `init` has counted it as an observable.
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
