/// Letters and words that wget and curl use for what fetch does not do, does by another name, or
/// could take for two different things.
///
/// One that becomes a flag of fetch leaves these tables.
enum ForeignFlags {
    /// The error for `-p` and the like, or nil where the letter is simply unknown.
    static func error(for name: String) -> UsageError? {
        guard let (reason, hint) = explanation(of: name) ?? word(name) else { return nil }
        return .foreignFlag(flag: name, reason: reason, hint: hint)
    }

    /// What is said of one of `words`.
    private static func word(_ name: String) -> (reason: String, hint: String)? {
        words.first { $0.names.contains(name) }.map { ($0.reason, $0.hint) }
    }

    private static func explanation(of name: String) -> (reason: String, hint: String)? {
        switch name {
        case "-A":
            ("a filter of recursion in wget, the user agent in curl", "the user agent is -U TEXT")
        case "-E":
            (
                "renaming to .html in wget, the client certificate in curl",
                "the client certificate is --certificate FILE"
            )
        case "-C":
            (
                "where to continue in curl, which can be anywhere",
                "a part is continued by --continue"
            )
        case "-J":
            ("the server's name for the file in curl", "that is --content-disposition")
        case "-K":
            ("a file of flags in curl", "that is --config FILE")
        case "-l":
            ("part of recursion in wget, and recursion is not part of fetch", nothing)
        case "-e":
            ("a line of wgetrc in wget, the referer in curl", "the referer is --referer URL")
        case "-G":
            ("a query made of --data in curl", "write the query into the URL")
        case "-m":
            (
                "mirroring in wget, the longest time in curl",
                "mirroring is not part of fetch; the longest time is --max-time SECONDS"
            )
        case "-n":
            ("the beginning of words in wget, .netrc in curl", "one line per task is -nv")
        case "-w":
            (
                "a wait between downloads in wget, what is printed of them in curl",
                "what is printed is --write-out FORMAT"
            )
        case "-p":
            ("a page with all its parts in wget, a tunnel through a proxy in curl", nothing)
        default:
            nil
        }
    }

    static let nothing = "fetch has no such flag"
}
