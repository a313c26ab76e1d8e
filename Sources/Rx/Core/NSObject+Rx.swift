import class Foundation.NSObject

/// Every `NSObject` has a reactive side.
extension NSObject: ReactiveCompatible {}
