import DisposeRaceBenchmarks
import OperatorBenchmarks
import RxBenchCommands
import SchedulerBenchmarks

RxBenchMain.run([operatorSuite, schedulerSuite, disposeRaceSuite])
