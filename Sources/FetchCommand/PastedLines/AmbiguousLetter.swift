import URLLoading

/// A single-letter flag that was probably written for another tool, and what to write instead.
struct AmbiguousLetter: Equatable {
    /// The letter's meaning in the other tool.
    let reason: String
    let hint: String

    private init(_ reason: String, _ hint: String) {
        self.reason = reason
        self.hint = hint
    }

    /// Checks a letter with its value; `nil` if it can be fetch's own.
    init?(_ name: String, value: String, in line: PastedArguments) {
        let bytes = value.utf8
        let isNumber = !bytes.isEmpty && bytes.allSatisfy(\.isDigit)
        switch name {
        case "-A" where Self.isList(bytes) || Self.extensions.contains(value.asciiLowercased):
            self.init("an accept list of wget's recursion", PastedSpelling.recursion)
        case "-e" where Self.isSetting(bytes):
            self.init(
                "a .wgetrc command in wget, which has no meaning here",
                "omit robots=off, robots.txt is never read; use --referer=URL for the referer"
            )
        case "-m" where DecimalText.split(value) == nil:
            self.init("mirroring in wget, the time limit in curl", Self.mirror)
        case "-r" where !bytes.contains(UInt8(ascii: "-")) || value.contains("://"):
            self.init("recursion in wget, a range of bytes in curl", Self.range)
        case "-x" where isNumber:
            self.init("connections to a server in aria2", "use --split N")
        case "-x" where value.contains("://") && value.split(separator: "/").count > 2:
            self.init("a proxy in curl, folders in wget", "for wget's -x use --force-directories")
        case "-w" where DecimalText.split(value) != nil:
            self.init("a wait between downloads in wget", "use --wait SECONDS")
        case "-T" where isNumber && FileFacts.isFile(value):
            self.init(
                "a file to send in curl, a time limit in wget",
                "use --upload-file \(value), or --timeout \(value)"
            )
        case "-U"
        where bytes.contains(UInt8(ascii: ":"))
            && !bytes.contains(where: { " /".utf8.contains($0) }):
            self.init(
                "the user agent in wget, a proxy's user in curl",
                "use --proxy-user NAME:PASSWORD, or --user-agent=TEXT"
            )
        case "-H" where ["http://", "https://"].contains(where: { value.startsWithBytes(of: $0) }):
            self.init("a part of wget's recursion, a header line in curl", Self.hosts)
        case "-D" where line.hasURL && Self.isDomains(value):
            self.init("hosts that wget's recursion may visit", PastedSpelling.recursion)
        default: return nil
        }
    }

    /// Checks a letter without a value against the next argument; `nil` without evidence.
    init?(_ name: String, before next: String?, in line: PastedArguments) {
        guard let next, next == "-" || next.utf8.first != UInt8(ascii: "-") else { return nil }
        switch name {
        case "-b" where line.isNoURL(next, needsDomain: true):
            self.init(cookies: next.utf8.contains(UInt8(ascii: "=")))
        case "-c" where line.isNoURL(next): self = Self.jar
        case "-i"
        where !FileFacts.exists(next) && HostName.isDomain(next)
            && !Self.listTypes.contains { next.asciiLowercased.endsWithBytes(of: $0) }:
            self.init(
                "the header with the body in curl, a list of URLs in wget",
                "use --include, or --input-file=FILE"
            )
        case "-s" where next.isDigits:
            self.init("the number of connections in aria2", "use --split N")
        case "-R" where line.hasURL && !next.contains("://"):
            self.init("a reject list of wget's recursion", PastedSpelling.recursion)
        default: return nil
        }
    }

    /// Checks `-b`, `-c` and `-R` against the letters after them in the same argument.
    init?(_ name: String, cluster letters: Substring, of argument: String) {
        let isWhole = argument.utf8.count == letters.utf8.count + 2
        if name == "-R", isWhole, Self.extensions.contains(String(letters).asciiLowercased) {
            self.init("a reject list of wget's recursion", PastedSpelling.recursion)
            return
        }
        guard name == "-b" || name == "-c" else { return nil }
        let flag = letters.utf8.drop { "bcnqvNS46kdH".utf8.contains($0) }.first
        let isValue = letters.utf8.contains(UInt8(ascii: "="))
        guard isValue || flag.map({ !"OPtTi".utf8.contains($0) }) == true else { return nil }
        if name == "-c" { self = Self.jar } else { self.init(cookies: isValue) }
    }

    /// Checks `-d`, `-H` and `-x` against a value in the same argument, which may be further letters of wget's.
    init?(_ name: String, attached value: String) {
        switch name {
        case "-H" where value.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }:
            self.init("a part of wget's recursion, a header line in curl", Self.hosts)
        case "-d" where Self.isCluster(value):
            self.init("debugging in wget, a body in curl", "use --verbose, or --data TEXT")
        case "-x"
        where !HostName.isLoopback(value)
            && value.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }:
            self.init("folders in wget, a proxy in curl", "use --force-directories or --proxy HOST")
        default: return nil
        }
    }

    /// Whether the text consists of letters that follow `-d` in wget's lines: `q`, `nv`, `qO-`.
    private static func isCluster(_ text: String) -> Bool {
        var letters = text.utf8[...]
        while let letter = letters.popFirst() {
            if letter == UInt8(ascii: "O") { return true }
            if letter == UInt8(ascii: "n"), let next = letters.popFirst() {
                guard "vcdH".utf8.contains(next) else { return false }
            } else if !"qvScNF".utf8.contains(letter) {
                return false
            }
        }
        return true
    }

    /// The hint for a letter of wget or curl that is followed by a flag, and not by its value.
    static func hint(beforeFlag name: String) -> String? {
        switch name {
        case "-d": "for wget's -d use --verbose"
        case "-x": "for wget's -x use --force-directories"
        case "-r": "wget's -r is recursion, which is not part of fetch"
        case "-H": hosts
        case "-D": "use --dump-header FILE for the header"
        case "-m": mirror
        default: nil
        }
    }

    private init(cookies isText: Bool) {
        self.init(
            "cookies in curl, the background in wget",
            isText
                ? "send cookies with --cookie 'NAME=VALUE'"
                : "read cookies with --load-cookies FILE, and send them with --cookie 'NAME=VALUE'"
        )
    }

    private static let listTypes = [".txt", ".list", ".lst", ".urls", ".csv", ".html", ".md"]

    private static let jar = AmbiguousLetter(
        "a file for cookies in curl, continuing in wget",
        "save cookies with --save-cookies FILE --keep-session-cookies"
    )
    static let tunnel = AmbiguousLetter(
        "a page with all its parts in wget, a tunnel through a proxy in curl",
        "use --proxytunnel, or -p with --proxy URL; \(PastedSpelling.recursion)"
    )
    private static let hosts = "wget's -H belongs to recursion, which is not part of fetch"
    private static let mirror =
        "mirroring is not part of fetch; use --max-time SECONDS for the time limit"
    private static let range =
        "recursion is not part of fetch; use --range 0-499, 500- or -500 for a range"

    /// Whether the text is a list of names: `*.pdf`, `.zip` or `jpg,png`.
    private static func isList(_ text: String.UTF8View) -> Bool {
        guard !text.contains(where: { " /;()".utf8.contains($0) }) else { return false }
        return text.first == UInt8(ascii: ".") || text.contains { "*,".utf8.contains($0) }
    }

    /// Extensions that wget's lists often have alone.
    private static let extensions: Set = [
        "bz2", "css", "csv", "gif", "gz", "htm", "html", "ico", "iso", "jpeg", "jpg", "js", "json",
        "mp3", "mp4", "pdf", "png", "svg", "tar", "tgz", "tmp", "txt", "xml", "xz", "zip",
    ]

    /// Whether the text is a setting of wget's: `robots=off`.
    private static func isSetting(_ text: String.UTF8View) -> Bool {
        let name = text.prefix { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
        return !name.isEmpty && text.dropFirst(name.count).first { $0 != 0x20 } == UInt8(ascii: "=")
    }

    /// Whether the text is a domain, or domains with commas between, none of which is a file.
    private static func isDomains(_ text: String) -> Bool {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        return names.allSatisfy { name in
            guard let last = name.split(separator: ".").last, last.utf8.count < name.utf8.count,
                HostName.isValid(String(name)), !FileFacts.exists(String(name))
            else { return false }
            return last.utf8.count == 2 || domains.contains(last.lowercased())
        }
    }

    private static let domains: Set = ["com", "org", "net", "edu", "gov", "info", "dev", "example"]
}
