extension PublishedLeak {
    /// All cases, in the order of the table.
    static let all: [PublishedLeak] = [
        sinkInOwnSet, assignToSelf, timerPublisher, subscriptionsOfModel, innerPublishers,
        strongDelegate, parentAndChild, doublyLinkedList, recursiveClosure, cellCallback, observationToken,
        neverRemovedObserver, notificationObserver, staticCallbacks, childCoordinators, deadWeakReferences,
        cacheByUUID, eventsOfSingleton, loggerCache, reusedCellBindings, scopedStore,
        unbalancedRetain, unfreedBuffer, copiedArguments,
        sessionDelegate, foundationTimer, operationCompletion, databaseObservation,
        dispatchTimerHandler, debouncedWorkItem, dispatchGroupNotify,
        pollingTask, streamInOwnTask, streamRegistry, terminationHandler, neverResumedContinuation,
        undrainedTaskGroup, actorHistory, suspendedSend,
        handlerKeepsContext, repeatedTask, closeFutureCallbacks, pendingPromises,
    ]
}
