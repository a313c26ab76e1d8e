@_exported import RxBlocking
