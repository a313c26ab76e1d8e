import Foundation
import Rx

/// Every `NSObject` has a reactive side.
extension NSObject: ReactiveCompatible {}
