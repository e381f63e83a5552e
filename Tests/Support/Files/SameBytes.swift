/// Whether two bodies are the same: one response, where `#expect(a == b)` would look for the
/// shortest difference between megabytes.
public func isSameBytes(_ one: [UInt8]?, _ other: [UInt8]) -> Bool {
    one == other
}
