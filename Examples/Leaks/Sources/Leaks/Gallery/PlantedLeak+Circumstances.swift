extension PlantedLeak {
    /// Mistakes under circumstances in which a detector is easily misled: work on other threads, noise, saw-teeth,
    /// work that waits, tasks.
    ///
    /// Beside each stands the same circumstance without the mistake, which must not be taken for one.
    public static let circumstances: [PlantedLeak] = [
        queueWorker, detachedTask, fulfilledExpectation, noisyPool, flushedCache, longLivedBag, hourTimer, lateTimer,
        everyOtherRound, abandonedValue,
    ]
}
