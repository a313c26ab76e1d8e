import RxBench

/// Everything about operators, subjects and subscriptions: one list a family.
public let operatorSuite = Suite(
    "Operators",
    chains + sources + transforming + filtering + inspecting + combining + sharing + recovering + timing + subjects
        + subjectCurves + values + traits + sharedSequences + subscribing + subscribingToOperators + contention)
