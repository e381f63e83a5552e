/// Users and passwords in URLs that stand in a text, such as libcurl's words or a server's header.
package enum UserInfo {
    /// The text with `(redacted)` in the place of each.
    ///
    /// It stands between `//` and the last `@` before the path; or before the next white space,
    /// where what seems to be a port is none: then a password has a slash in it, and is not to be
    /// shown by half.
    package static func redacted(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var shown = ""
        var rest = text[...]
        while let start = slashes(in: rest) {
            shown += rest[..<start]
            let word = rest[start...].prefix { !$0.isWhitespace && $0 != "\"" }
            if let at = endOfUserInfo(word) {
                shown += "(redacted)"
                shown += word[at...]
            } else {
                shown += word
            }
            rest = rest[word.endIndex...]
        }
        return shown + rest
    }

    private static func endOfUserInfo(_ word: Substring) -> Substring.Index? {
        let authority = word.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { return at }
        let seemingPort = authority.split(separator: ":", omittingEmptySubsequences: false).last
        let isHost = authority.first == "[" || !authority.contains(":")
        guard !isHost, seemingPort?.allSatisfy(\.isNumber) == false else { return nil }
        return word.lastIndex(of: "@")
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
