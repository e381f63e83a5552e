/// A text that is equal to another only where its bytes are, as a key of dictionaries and sets.
///
/// A `String` is also equal to one that only looks the same, such as U+212A and K.
package struct ExactText: Sendable, Hashable, Comparable {
    package let text: String

    package init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    init(_ bytes: some Sequence<UInt8>) {
        text = String(decoding: Array(bytes), as: UTF8.self)
    }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.hasBytes(of: other.text)
    }

    package static func < (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
