import RxBenchCommands
import HeapTrace
import RxTraceObjects
import StrangerBenchmarks

HeapTrace.followsObjects = true
RxBenchMain.run([strangerSuite])
