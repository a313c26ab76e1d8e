#if TRACE_RESOURCES
    import CRx

    /// Counts what schedulers that keep real time have before them, so that who waits for them knows how long.
    ///
    /// Once per piece of work, which takes two allocations anyway; a timer's ticks are not counted. `Resources.gone`
    /// takes each out again.
    enum Pending {
        /// A scheduler has taken a piece of work, to do it after `seconds`; its tag.
        @inline(__always) static func work(_ item: ObjectIdentifier, after seconds: Double) -> UInt32 {
            rx_scheduled(UInt32(rx_pending_work), Resources.address(item), seconds)
        }

        /// A timer has begun to run, until it is disposed; its tag.
        @inline(__always) static func timer(_ item: ObjectIdentifier, after seconds: Double) -> UInt32 {
            rx_scheduled(UInt32(rx_pending_timers), Resources.address(item), seconds)
        }
    }
#endif
