import Foundation

/// Whether two bodies are equal; `#expect(a == b)` would search for the shortest difference.
public func isSameBytes(_ one: (some Sequence<UInt8>)?, _ other: some Sequence<UInt8>) -> Bool {
    one.map { Data($0) == Data(other) } ?? false
}
