/// What a flag's value is, for shells to complete it.
package enum FlagValueKind: Equatable, Sendable {
    /// Nothing that a shell could know.
    case text
    /// A file, and where said so `-` for a standard stream.
    case file
    case directory
    /// A text, or `@` and a file.
    case data
    /// `NAME=` and a text, or `NAME=@` and a file.
    case formField
    case number
    case seconds
    case byteSize
    /// One of these words.
    case choice([String])
    /// Any word; these are the usual ones.
    case suggestion([String])
    /// What begins like one of these, and goes on as the user knows.
    case beginning([String])

    /// A URL that can be fetched.
    package static let url = beginning(["http://", "https://"])
}
