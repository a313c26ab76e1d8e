import RxBench

/// Everything about schedulers: one list a question.
public let schedulerSuite = Suite("Schedulers", throughput + latency + streams + timers + virtualTime)
