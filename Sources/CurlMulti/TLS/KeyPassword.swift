/// A pass phrase, which never shows itself.
public struct KeyPassword: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let text: String

    /// Keeps a pass phrase.
    public init(_ text: String) {
        self.text = text
    }

    /// Never the pass phrase.
    public var description: String { "(redacted)" }
    /// Nothing to be seen for `dump`.
    public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
