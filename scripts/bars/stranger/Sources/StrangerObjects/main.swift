import RxBenchCommands
import RxTrace
import RxTraceObjects
import StrangerBenchmarks

RxTrace.followsObjects = true
RxBenchMain.run([strangerSuite])
