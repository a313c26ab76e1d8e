/// How a probability of error is divided among several looks at growing data, so that it holds over all of them
/// together.
///
/// Lan, DeMets, "Discrete Sequential Boundaries for Clinical Trials" (Biometrika 70, 1983), with the power family of
/// Kim, DeMets (Biometrika 74, 1987), exponent 2: little is spent on early looks. Each look is tested at its own share;
/// that the shares add up to the whole is all that is used (Boole's inequality), so that the looks may depend on each
/// other in any way. The price beside boundaries that know the joint distribution: the interval of the last of four
/// looks is 10 % wider.
package struct AlphaSpending: Sendable, Equatable {
    /// The share of the data that has been looked at, 0 to 1.
    package private(set) var fraction = 0.0

    /// Nothing spent yet.
    package init() {}

    /// The share of the error that a look at so much of the data may spend; the last look, at 1, spends whatever is
    /// left.
    package mutating func look(at fraction: Double) -> Double {
        precondition(
            fraction > self.fraction && fraction <= 1,
            "A look at \(fraction) follows one at \(self.fraction); it must see more, and at most 1.")
        defer { self.fraction = fraction }
        return fraction * fraction - self.fraction * self.fraction
    }
}
