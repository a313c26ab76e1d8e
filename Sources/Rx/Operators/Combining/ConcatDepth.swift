#if TRACE_RESOURCES
    import Synchronization

    /// The most concatenations that were nested within one another so far in this process, in builds that trace.
    ///
    /// 1 as long as only the last sequence of a collection is again a concatenation. Set it to 0 before a measurement.
    public var maxTailRecursiveSinkStackSize: Int {
        get { ConcatDepth.most.load(ordering: .relaxed) }
        set { ConcatDepth.most.store(newValue, ordering: .relaxed) }
    }

    enum ConcatDepth {
        static let most = Atomic<Int>(0)

        static func record(_ depth: Int) { most.max(depth, ordering: .relaxed) }
    }
#endif
