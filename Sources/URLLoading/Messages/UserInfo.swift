/// Users and passwords in URLs that stand in a text, such as libcurl's words or a server's header.
package enum UserInfo {
    /// The text with `(redacted)` in the place of each: between `//` and the last `@` before the
    /// next white space or quote, so that a password with a slash in it is not shown by half.
    package static func redacted(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var shown = ""
        var rest = text[...]
        while let start = slashes(in: rest) {
            shown += rest[..<start]
            let word = rest[start...].prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            if let at = word.lastIndex(of: "@") {
                shown += "(redacted)"
                shown += word[at...]
            } else {
                shown += word
            }
            rest = rest[word.endIndex...]
        }
        return shown + rest
    }

    /// Where the first `//` ends.
    private static func slashes(in text: Substring) -> Substring.Index? {
        var isSlash = false
        for index in text.indices {
            let isAnother = text[index] == "/"
            if isSlash, isAnother { return text.index(after: index) }
            isSlash = isAnother
        }
        return nil
    }
}
