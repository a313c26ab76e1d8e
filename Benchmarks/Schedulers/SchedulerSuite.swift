import RxBench

/// All benchmarks of schedulers, with one list for each question.
public let schedulerSuite = Suite("Schedulers", throughput + latency + streams + timers + virtualTime)
