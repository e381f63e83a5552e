/// What a flag's value is, for shells to complete it.
enum FlagValueKind: Equatable {
    /// Nothing that a shell could know.
    case text
    /// A file, and where said so `-` for a standard stream.
    case file
    case directory
    case url
    case number
    case seconds
    case byteSize
    /// One of these words.
    case choice([String])
}
