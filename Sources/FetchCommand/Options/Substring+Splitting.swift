extension Substring {
    /// What stands before and after the first such byte, or nil without one.
    ///
    /// Delimiters are looked for among bytes: to Swift, a `/` with a combining accent behind it is
    /// another character, and a host could be hidden so.
    func split(atFirst byte: UInt8) -> (before: Substring, after: Substring)? {
        guard let place = utf8.firstIndex(of: byte) else { return nil }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// What stands before and after the last such byte, or nil without one.
    func split(atLast byte: UInt8) -> (before: Substring, after: Substring)? {
        guard let place = utf8.lastIndex(of: byte) else { return nil }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// The text without its first byte, which is one of ASCII.
    var withoutFirstByte: Substring { Substring(utf8.dropFirst()) }
}
