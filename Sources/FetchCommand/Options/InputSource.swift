/// Where bytes to send come from.
enum InputSource: Equatable, Sendable {
    case text(String)
    /// `@FILE`
    case file(String)
    /// `@-`
    case standardInput

    /// A file's path, where `-` is standard input.
    init(path value: FlagValue) throws(UsageError) {
        let path = try value.path()
        self = path == "-" ? .standardInput : .file(path)
    }
}
