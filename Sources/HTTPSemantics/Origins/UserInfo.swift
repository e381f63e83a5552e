/// Hides users and passwords of URLs in a text, such as libcurl's messages or a server's header.
public enum UserInfo {
    /// Replaces each of them with `(redacted)`.
    ///
    /// They are between `//` and the last `@` before the path. If the apparent port is not a number, they
    /// end at the last `@` before the next space. So the text never shows a part of a password with a slash.
    public static func redacted(in text: String) -> String {
        redacted(text, isScheme: false)
    }

    /// The same for messages about files: in a path, two slashes belong to a URL only after a colon.
    public static func redacted(inPaths text: String) -> String {
        redacted(text, isScheme: true)
    }

    /// Removes the user and password of a URL, which are between `//` and the last `@` before the path.
    ///
    /// A text without a scheme is returned unchanged.
    public static func removed(from url: String) -> String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8)
        else { return url }
        let start = bytes.index(colon, offsetBy: 3)
        let authority = bytes[start...].prefix { !"/?#".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return url }
        return String(url[..<start]) + url[bytes.index(after: at)...]
    }

    private static func redacted(_ text: String, isScheme: Bool) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        var place = 0
        var word = Word(place: 0, of: bytes)
        var authority = Authority(place: 0, of: bytes[..<0])
        while let slashes = slashes(in: bytes[place...]) {
            shown += bytes[place..<slashes.upperBound]
            place = slashes.upperBound
            guard !isScheme || bytes[..<slashes.lowerBound].last == UInt8(ascii: ":") else {
                continue
            }
            // We search each word and each authority once, however many slashes it has.
            if place >= word.end { word = Word(place: place, of: bytes) }
            if place >= authority.end {
                authority = Authority(place: place, of: bytes[..<word.end])
            }
            guard let at = endOfUserInfo(bytes[place..<word.end], authority, word) else { continue }
            shown += "(redacted)".utf8
            place = at
        }
        shown += bytes[place...]
        return String(decoding: shown, as: UTF8.self)
    }

    private static func isSlash(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }

    /// The text between two spaces.
    private struct Word {
        let end: Int
        let lastAt: Int?

        init(place: Int, of bytes: [UInt8]) {
            // We split only at ASCII spaces: a password may contain others, and a server may send anything.
            end = bytes[place...].firstIndex { $0 <= 0x20 || $0 == 0x7f } ?? bytes.endIndex
            lastAt = bytes[place..<end].lastIndex(of: UInt8(ascii: "@"))
        }
    }

    /// The text up to a slash, query or fragment; backslashes do not end it.
    private struct Authority {
        let end: Int
        let lastAt: Int?
        let lastColon: Int?
        let lastBracket: Int?
        /// Whether a port may follow the last colon.
        let hasPort: Bool

        init(place: Int, of word: ArraySlice<UInt8>) {
            let text = word[place...].prefix { !"/?#<>".utf8.contains($0) }
            end = text.endIndex
            lastAt = text.lastIndex(of: UInt8(ascii: "@"))
            lastColon = text.lastIndex(of: UInt8(ascii: ":"))
            lastBracket = text.lastIndex(of: UInt8(ascii: "]"))
            // We skip a port, and the characters that may close the text around the URL.
            hasPort =
                lastColon.map { colon in
                    text[(colon + 1)...].drop(while: \.isDigit)
                        .allSatisfy { "\"')]};,.".utf8.contains($0) }
                } ?? false
        }
    }

    private static func endOfUserInfo(
        _ rest: ArraySlice<UInt8>,
        _ authority: Authority,
        _ word: Word
    ) -> Int? {
        let start = rest.startIndex
        if let at = authority.lastAt, at >= start { return at }
        guard let colon = authority.lastColon, colon >= start else { return nil }
        if rest.first == UInt8(ascii: "["), authority.lastBracket ?? -1 > start { return nil }
        guard !authority.hasPort else { return nil }
        return word.lastAt.flatMap { $0 >= authority.end ? $0 : nil }
    }

    /// The first two or more slashes, or any number of them after a scheme's colon.
    ///
    /// Some programs accept backslashes as slashes.
    private static func slashes(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var start = bytes.startIndex
        while let first = bytes[start...].firstIndex(where: isSlash) {
            let end = bytes[first...].firstIndex { !isSlash($0) } ?? bytes.endIndex
            let follows = first > bytes.startIndex && bytes[first - 1] == UInt8(ascii: ":")
            if end - first > 1 || follows { return first..<end }
            start = end
        }
        return nil
    }
}
