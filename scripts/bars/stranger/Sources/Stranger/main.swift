import RxBenchCommands
import StrangerBenchmarks

RxBenchMain.run([strangerSuite])
