extension Optional {
    /// Puts a value in. What was there takes the value's place, so that the caller lets go of it: outside the lock that
    /// guards this, as its deinitialiser may be user code.
    @inlinable @inline(__always)
    mutating func exchange(_ value: inout Wrapped) {
        let new = value
        if let old = self { value = old }
        self = new
    }
}
