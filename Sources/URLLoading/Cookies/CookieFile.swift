import FoundationEssentials

/// A cookie file in Netscape's form: what is in it, and how it changes.
enum CookieFile {
    /// The first lines; curl and wget look for none, browsers' tools for the first.
    private static let head = """
        # Netscape HTTP Cookie File
        # Written by fetch, and changed by other programs at their own risk.

        """

    /// The first words of a file of this form, whoever has written it.
    private static let marks = ["# Netscape HTTP Cookie File", "# HTTP Cookie File"]

    /// A line that cannot be used.
    struct StrangeLine {
        let bytes: Data
        /// From 1.
        let number: Int
        /// What is wrong with it: the words follow "line 4 ".
        let flaw: String
    }

    /// What was read of a file.
    struct Content {
        var cookies: [HTTPCookie] = []
        /// The lines that are passed over, in their order.
        var strangeLines: [StrangeLine] = []
        /// Whether something in it is of a cookie file.
        var isCookieFile = false

        /// What is wrong with a file of another form; `nil`: it is none.
        var foreignness: String? {
            guard !isCookieFile, let line = strangeLines.first else { return nil }
            return "line \(line.number) \(line.flaw)"
        }

        /// What is said of the lines that are passed over.
        var warnings: [String] {
            // A file of many such lines is not to fill the screen.
            let named = strangeLines.prefix(CookieFile.mostNamed)
            let more = strangeLines.count - named.count
            return named.map { "line \($0.number) \($0.flaw), and is passed over" }
                + (more > 0 ? ["\(more) more of its lines are passed over"] : [])
        }
    }

    /// The lines that warnings name at most.
    private static let mostNamed = 10

    /// Reads a file; what is not understood is passed over.
    static func read(_ data: Data) -> Content {
        var content = Content()
        LineFile.forEachLine(of: data) { bytes, number, text in
            var flaw = HTTPCookie.unknownLine
            if let text {
                switch HTTPCookie.read(line: text[...]) {
                case .cookie(let cookie) where cookie.isForPublicSuffix:
                    content.isCookieFile = true
                    flaw = "is for all hosts of a public suffix"
                case .cookie(let cookie):
                    content.isCookieFile = true
                    return content.cookies.append(cookie)
                case .nothing:
                    if number == 1, marks.contains(where: text.startsWithBytes) {
                        content.isCookieFile = true
                    }
                    return
                case .strange(let words): flaw = words
                }
            }
            content.strangeLines.append(StrangeLine(bytes: bytes, number: number, flaw: flaw))
        }
        return content
    }

    /// A file's content with changes made to it.
    ///
    /// What has ended is left out; what the changes do not mention stays, whoever wrote it. So do
    /// lines that cannot be used, byte for byte.
    ///
    /// - Parameters:
    ///   - data: what there is; `nil`: no file.
    ///   - path: its name, for the error.
    ///   - changes: what is set, and what is gone.
    ///   - now: what counts as ended.
    ///   - keepsSessionCookies: whether those are written that end with the session.
    /// - Returns: the new content; `nil` where it would be no other, or a file without cookies would
    ///   be made.
    /// - Throws: `garbled` where the file is one of another form.
    static func merged(
        _ data: Data?,
        path: String,
        _ changes: StateChanges<CookieKey, HTTPCookie>,
        _ now: Date,
        keepsSessionCookies: Bool
    ) throws(PrivateFileError) -> Data? {
        let before = data.map(read) ?? Content()
        if let reason = before.foreignness { throw .garbled(path: path, reason: reason) }
        var jar = CookieJar()
        for cookie in before.cookies { _ = jar.set(cookie, created: now, now) }
        for key in changes.keys {
            guard let change = changes.change(of: key) else { continue }
            if let cookie = change, keepsSessionCookies || !cookie.isSessionOnly {
                _ = jar.set(cookie, created: now, now)
            } else {
                jar.remove(key)
            }
        }
        let after = jar.cookies(now)
        guard data != nil || !after.isEmpty, after != before.cookies else { return nil }
        var content = Data(head.utf8)
        for line in before.strangeLines { content += line.bytes + [UInt8(ascii: "\n")] }
        content += after.map { $0.fileLine + "\n" }.joined().utf8
        return content
    }
}
