import FoundationEssentials

/// A cookie file in Netscape's format: its content, and changes to it.
enum CookieFile {
    /// The first lines; browsers' tools require the first one, curl and wget do not.
    private static let head = """
        # Netscape HTTP Cookie File
        # Written by fetch, and changed by other programs at their own risk.

        """

    /// The first lines of cookie files of various programs.
    private static let firstLines = ["# Netscape HTTP Cookie File", "# HTTP Cookie File"]

    /// An unusable line.
    struct InvalidLine {
        let bytes: Data
        /// The line number, from 1.
        let number: Int
        /// The reason, as text after "line 4 ".
        let reason: String
    }

    /// The content of a file.
    struct Content {
        var cookies: [HTTPCookie] = []
        /// The ignored lines, in order.
        var invalidLines: [InvalidLine] = []
        /// Whether any line is from a cookie file.
        var isCookieFile = false

        /// Why the file is not a cookie file; `nil`: it is one.
        var formatError: String? {
            guard !isCookieFile, let line = invalidLines.first else { return nil }
            return "line \(line.number) \(line.reason)"
        }

        /// Warnings about the ignored lines.
        var warnings: [String] {
            // Many such lines must not fill the screen.
            let named = invalidLines.prefix(CookieFile.maximumNamed)
            let more = invalidLines.count - named.count
            return named.map { "line \($0.number) \($0.reason), and is ignored" }
                + (more > 0 ? ["\(more) more lines are ignored"] : [])
        }
    }

    /// The largest number of lines that warnings name.
    private static let maximumNamed = 10

    /// Reads a file, and ignores malformed lines.
    static func read(_ data: Data) -> Content {
        var content = Content()
        LineFile.forEachLine(of: data) { bytes, number, text in
            var reason = HTTPCookie.unknownLine
            if let text {
                switch HTTPCookie.read(line: text[...]) {
                case .cookie(let cookie) where cookie.isForPublicSuffix:
                    content.isCookieFile = true
                    reason = "is for all hosts of a public suffix"
                case .cookie(let cookie):
                    content.isCookieFile = true
                    return content.cookies.append(cookie)
                case .nothing:
                    if number == 1, firstLines.contains(where: text.startsWithBytes) {
                        content.isCookieFile = true
                    }
                    return
                case .invalid(let words): reason = words
                }
            }
            content.invalidLines.append(InvalidLine(bytes: bytes, number: number, reason: reason))
        }
        return content
    }

    /// Applies changes to a file's content; `nil` where it does not change, or no file is made.
    ///
    /// It drops expired cookies. It keeps other cookies, and also ignored lines, byte for byte. Throws
    /// `malformed` where the file is not a cookie file.
    static func merged(
        _ data: Data?,
        path: String,
        _ changes: StateChanges<CookieKey, HTTPCookie>,
        _ now: Date,
        keepsSessionCookies: Bool,
        makesFile: Bool = false
    ) throws(PrivateFileError) -> Data? {
        let before = data.map(read) ?? Content()
        if let reason = before.formatError { throw .malformed(path: path, reason: reason) }
        var jar = CookieJar()
        jar.set(before.cookies, created: now, now)
        for (key, cookie) in changes.all {
            if let cookie, keepsSessionCookies || !cookie.isSessionOnly {
                jar.set([cookie], created: now, now)
            } else {
                jar.remove(key)
            }
        }
        let after = jar.cookies(now)
        let isMissing = data == nil && makesFile
        guard isMissing || after != before.cookies else { return nil }
        var content = Data(head.utf8)
        for line in before.invalidLines { content += line.bytes + [UInt8(ascii: "\n")] }
        content += after.map { $0.fileLine + "\n" }.joined().utf8
        return content
    }
}

// The lines of Netscape cookie files, which curl, wget and browser extensions use. Tabs separate the
// domain, whether it includes subdomains, the path, whether the cookie requires TLS, the expiry, the
// name and the value. The expiry is in seconds since 1970; 0 means the end of the session.
extension HTTPCookie {
    /// The prefix of the domain of a cookie that scripts must not see.
    private static let httpOnlyPrefix = "#HttpOnly_"

    enum FileLine {
        case cookie(HTTPCookie)
        /// An empty line, or a comment.
        case nothing
        /// An unusable line, with the reason as text after "line 4 ".
        case invalid(String)
    }

    /// The reason for a line that does not contain a cookie.
    static let unknownLine = "is not a line of a cookie file"

    /// Reads a line, without its end; `defaultPath` replaces a path that begins with no slash.
    static func read(line: Substring, defaultPath: String = "/") -> FileLine {
        var line = line
        let afterPrefix = line.droppingBytes(of: httpOnlyPrefix)
        let isHTTPOnly = afterPrefix != nil
        line = afterPrefix ?? line
        guard let first = line.utf8.first(where: { $0 != 0x20 && $0 != 0x09 }) else {
            return .nothing
        }
        if first == UInt8(ascii: "#"), !isHTTPOnly { return .nothing }
        var parts = line.split(
            byte: UInt8(ascii: "\t"),
            maxSplits: 6,
            omittingEmptySubsequences: false
        )
        // Some programs omit the tab of an empty value.
        if parts.count == 6 { parts.append("") }
        guard parts.count == 7, let isShared = boolean(parts[1]), let isSecure = boolean(parts[3]),
            let seconds = seconds(parts[4])
        else { return .invalid(unknownLine) }
        let host = withoutPort(parts[0].asciiLowercased.utf8.drop { $0 == UInt8(ascii: ".") })
        let path = unquoted(parts[2])
        let name = String(parts[5])
        let value = String(parts[6])
        guard CookieRules.isDomain(String(host)), CookieRules.isName(name),
            CookieRules.isValue(value), CookieRules.isValue(String(path))
        else {
            return .invalid(unknownLine)
        }
        return .cookie(
            HTTPCookie(
                name: name,
                value: value,
                domain: isShared ? "." + host : String(host),
                path: path.startsWithBytes(of: "/") ? String(path) : defaultPath,
                expiresDate: seconds == 0 ? nil : Date(timeIntervalSince1970: seconds),
                isSecure: isSecure,
                isHTTPOnly: isHTTPOnly
            )
        )
    }

    /// The cookie as a line, without its end.
    var fileLine: String {
        // A date before 1970 also means expired; 0 would mean a session cookie.
        let end = expiresDate.map { max(1, Int64(clamping: $0.timeIntervalSince1970)) } ?? 0
        let parts = [
            domain, isForSubdomains ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE", "\(end)",
            name, value,
        ]
        return (isHTTPOnly ? Self.httpOnlyPrefix : "") + parts.joined(separator: "\t")
    }

    /// The host of a domain to which wget has appended a port, which cookies do not have.
    private static func withoutPort(_ domain: Substring.UTF8View) -> Substring {
        let domain = Substring(domain)
        let parts = domain.split(byte: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.allSatisfy(\.isDigit) else { return domain }
        return parts[0]
    }

    /// A path without the quotes that some servers send, and that libcurl writes to files.
    private static func unquoted(_ path: Substring) -> Substring {
        var bytes = path.utf8
        if bytes.first == UInt8(ascii: "\"") { bytes.removeFirst() }
        if bytes.last == UInt8(ascii: "\"") { bytes.removeLast() }
        return Substring(bytes)
    }

    private static func boolean(_ word: Substring) -> Bool? {
        switch word.asciiLowercased {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// Whole seconds; some programs write fractions too.
    private static func seconds(_ word: Substring) -> TimeInterval? {
        guard let seconds = Double(word), seconds.isFinite, seconds >= 0 else { return nil }
        return seconds.rounded(.down)
    }
}
