/// What is wrong with a coded body, in words that follow "the gzip body".
struct ContentFlaw: Error, Equatable {
    let words: String

    /// The coding's own checks have failed, in its library's words.
    static func broken(_ words: UnsafePointer<CChar>?) -> ContentFlaw {
        let reason = words.map { String(cString: $0) } ?? ""
        return ContentFlaw(words: reason.isEmpty ? "is broken" : "is broken (\(reason))")
    }

    /// The body is over, and what holds its data is not.
    static func endsInside(_ part: String) -> ContentFlaw {
        ContentFlaw(words: "ends inside a \(part)")
    }

    /// There is more than the coding knows of.
    static let goesOn = ContentFlaw(words: "goes on with something else")
    /// There is no memory for a window.
    static let noMemory = ContentFlaw(words: "wants more memory than there is")
}
