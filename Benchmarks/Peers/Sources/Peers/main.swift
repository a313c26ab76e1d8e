import PeersSuite
import RxBenchCommands

RxBenchMain.run([peersSuite])
