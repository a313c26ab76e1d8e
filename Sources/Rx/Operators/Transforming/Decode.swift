import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.PropertyListDecoder

/// A type that decodes values.
public protocol DataDecoder {
    /// Returns the value that `data` encodes.
    ///
    /// - Throws: an error if `data` does not encode such a value.
    func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}

extension ObservableType where Element == Data {
    /// Decodes the elements.
    ///
    ///     let digits = Observable.just(Data("[1, 2]".utf8)).decode(type: [Int].self, decoder: JSONDecoder())
    ///     _ = digits.subscribe(onNext: { print($0) })  // [1, 2]
    ///
    /// An element that cannot be decoded ends the sequence with the decoder's error. `decoder` is used on the thread of
    /// each element, by every subscription.
    ///
    /// - Complexity: One allocation per subscription, none per element, except the allocations of the decoder.
    @_alwaysEmitIntoClient @inline(__always)
    public func decode<Item: Decodable, Decoder: DataDecoder>(type: Item.Type, decoder: Decoder) -> Observable<Item> {
        lift { address, sink in
            sink.receive(address) { (sink: OperatorSink, data: inout Data) in
                do {
                    var item = try decoder.decode(type, from: data)
                    sink.send(&item)
                } catch {
                    sink.finish(error)
                }
            }
        }
    }
}
