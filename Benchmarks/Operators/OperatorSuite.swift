import RxBench

/// All benchmarks of operators, subjects and subscriptions, with one list for each family.
public let operatorSuite = Suite(
    "Operators",
    chains + sources + transforming + filtering + inspecting + combining + sharing + recovering + timing + subjects
        + subjectCurves + values + traits + sharedSequences + subscribing + subscribingToOperators + contention)
