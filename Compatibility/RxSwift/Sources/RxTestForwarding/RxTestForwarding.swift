@_exported import RxTest
