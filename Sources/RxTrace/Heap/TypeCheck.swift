#if os(Linux)
    import CRxTrace

    /// Tells words that refer to types from all others, before anything is read through them.
    struct TypeCheck {
        // Unsafe: as long as the heap is open, which is that of who asks.
        let heap: OpaquePointer

        /// Whether so many bytes can be read.
        func isReadable(_ address: UInt, _ bytes: Int) -> Bool { rxtrace_heap_is_readable(heap, address, bytes) }

        /// Whether the program or a library contains what an address refers to.
        func isInImage(_ address: UInt) -> Bool { rxtrace_heap_segment_at(heap, address) != nil }

        /// Whether the type of objects lies at an address.
        func isObjectType(_ address: UInt) -> Bool { rxtrace_heap_is_object_type(heap, address) }

        /// Whether the type of a value lies at an address.
        func isType(_ address: UInt) -> Bool { rxtrace_heap_is_type(heap, address) }
    }
#endif
