extension PublishedLeak {
    /// All cases, in the order of the table.
    static let all: [PublishedLeak] = [
        sinkInOwnSet, assignToSelf, timerPublisher, subscriptionsOfModel, innerPublishers, publishedProperty,
        strongDelegate, parentAndChild, doublyLinkedList, recursiveClosure, cellCallback, observationToken,
        nestedFunction, weakOnlyInside, actionsInStruct, stateWithClosure, inheritedProperty, strategyKeepsOwner,
        errorKeepsOwner, indirectHistory, storedAutoclosure, selfRetaining, twoMistakes,
        neverRemovedObserver, notificationObserver, staticCallbacks, childCoordinators, deadWeakReferences,
        cacheByUUID, eventsOfSingleton, loggerCache, reusedCellBindings, scopedStore,
        eventEmitter, foundationDictionary, threadDictionary, orderedHistory, mutexRegistry, growingTranscript,
        unbalancedRetain, threadUserData, unfreedBuffer, copiedArguments,
        sessionDelegate, foundationTimer, operationCompletion, databaseObservation,
        dispatchTimerHandler, debouncedWorkItem, dispatchGroupNotify,
        pollingTask, streamInOwnTask, streamRegistry, terminationHandler, neverResumedContinuation,
        undrainedTaskGroup, actorHistory, suspendedSend, guardBeforeLoop, unboundedStreamBuffer,
        handlerKeepsContext, repeatedTask, closeFutureCallbacks, pendingPromises, bodyOfKeepAlive, ownPromise,
    ]
}
