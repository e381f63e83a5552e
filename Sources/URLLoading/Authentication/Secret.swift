/// A text that is never shown, whatever prints it: it describes itself as `(redacted)`.
package struct Secret: Sendable, Hashable {
    /// What stands in a secret's place.
    package static let placeholder = "(redacted)"

    /// The text itself, for those who send or store it.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Self.placeholder }
    package var debugDescription: String { Self.placeholder }
    /// Nothing to be seen for `dump` either.
    package var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
