/// An argument that holds a secret, or may hold one.
struct ArgumentSecret: Equatable, Sendable {
    /// Its place among the arguments, from 0 without the program's name.
    let argument: Int
    /// Where in it the flag's value begins, in bytes: 2 in `-uNAME:PASSWORD`.
    let offset: Int
    /// What holds it, for people: `--user`, or "a URL".
    let flag: String
    let part: SecretPart
    /// The value, as it was given.
    let value: String

    /// Its bytes within the argument; `nil` where there turns out to be none.
    ///
    /// To be asked once all of the command line was read: a later flag may say what is secret.
    var range: Range<Int>? {
        part.range(in: value).map { $0.lowerBound + offset..<$0.upperBound + offset }
    }

    /// Whether it deserves a warning: the user alone in a URL may be a token, but seldom is.
    var isPlain: Bool {
        guard case .userInfo = part, let range = part.range(in: value) else { return true }
        return value.utf8.dropFirst(range.lowerBound).prefix(range.count)
            .contains(UInt8(ascii: ":"))
    }
}

extension ArgumentSecret: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the value.
    var description: String { flag }
    var debugDescription: String { flag }
}
