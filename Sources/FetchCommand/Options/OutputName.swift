/// What `-O` names.
enum OutputName: Hashable, Sendable {
    /// `-`
    case standardOutput
    case path(String)

    init(_ value: FlagValue) throws(UsageError) {
        let path = try value.path()
        guard path.utf8.last != UInt8(ascii: "/") else {
            throw value.invalid(
                "names a folder",
                hint: "-P DIR saves under the URL's own name in DIR"
            )
        }
        self = path == "-" ? .standardOutput : .path(path)
    }
}
