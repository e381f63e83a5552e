import FoundationEssentials

/// A cookie file in Netscape's form: what is in it, and how it changes.
enum CookieFile {
    /// The first lines; curl and wget look for none, browsers' tools for the first.
    private static let head = """
        # Netscape HTTP Cookie File
        # Written by fetch, and changed by other programs at their own risk.

        """

    /// What was read of a file.
    struct Content {
        var cookies: [HTTPCookie] = []
        /// The first line that is not understood, from 1.
        var strangeLine: Int?
    }

    /// Reads a file; what is not understood is passed over.
    static func read(_ data: Data) -> Content {
        var content = Content()
        var cookies: [HTTPCookie] = []
        content.strangeLine = LineFile.firstStrangeLine(of: data) { line in
            switch HTTPCookie.read(line: line[...]) {
            case .cookie(let cookie): cookies.append(cookie)
            case .nothing: break
            case .strange: return false
            }
            return true
        }
        content.cookies = cookies
        return content
    }

    /// A file's content with changes made to it.
    ///
    /// What has ended is left out; what the changes do not mention stays, whoever wrote it.
    ///
    /// - Parameters:
    ///   - data: what there is; `nil`: no file.
    ///   - path: its name, for the error.
    ///   - changes: what is set, and what is gone.
    ///   - now: what counts as ended.
    ///   - keepsSessionCookies: whether those are written that end with the session.
    /// - Returns: the new content; `nil` where it would be no other, or a file without cookies would
    ///   be made.
    /// - Throws: `garbled` where there is a line that would be lost.
    static func merged(
        _ data: Data?,
        path: String,
        _ changes: StateChanges<CookieKey, HTTPCookie>,
        _ now: Date,
        keepsSessionCookies: Bool
    ) throws(PrivateFileError) -> Data? {
        let before = data.map(read) ?? Content()
        if let line = before.strangeLine {
            throw .garbled(path: path, reason: "line \(line) is none of a cookie file")
        }
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
        return Data((head + after.map { $0.fileLine + "\n" }.joined()).utf8)
    }
}
