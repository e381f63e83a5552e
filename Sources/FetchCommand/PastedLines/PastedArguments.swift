import URLLoading

/// Evidence in the arguments about the program that they were written for.
struct PastedArguments {
    /// Whether any argument is a URL with its scheme.
    let hasURL: Bool
    private let arguments: [String]

    init(_ arguments: [String]) {
        hasURL = arguments.contains { $0.utf8.first != UInt8(ascii: "-") && $0.contains("://") }
        self.arguments = arguments
    }

    /// The arguments that are plainly addresses without a scheme: a host with a port or a path.
    private var addresses: [String] {
        arguments.indices.filter { index in
            // A flag's value, such as a proxy or a file, is no address of the line's.
            let before = index > 0 ? arguments[index - 1] : ""
            return Flags.named(before)?.placeholder == nil && Self.isAddress(arguments[index])
        }.map { arguments[$0] }
    }

    private static func isAddress(_ argument: String) -> Bool {
        guard let parts = parts(of: argument), parts.port.allSatisfy(\.isDigit) else {
            return false
        }
        if HostName.isLoopback(parts.host) { return true }
        return parts.host.utf8.contains(UInt8(ascii: ".")) && (!parts.port.isEmpty || parts.hasPath)
            && !FileFacts.exists(argument)
    }

    /// The parts of an argument without a scheme; `nil` if it begins with no host.
    private static func parts(
        of argument: String
    ) -> (host: String, port: Substring.UTF8View, hasPath: Bool)? {
        let authority = argument.prefix { !"/?#".contains($0) }
        let name = authority[...].split(atLast: UInt8(ascii: "@"))?.after ?? authority
        let host = String(name.prefix { $0 != ":" })
        guard host.utf8.first != UInt8(ascii: "."), HostName.isValid(host) else { return nil }
        let port = name.utf8.dropFirst(host.utf8.count + 1)
        return (host, port, authority.endIndex < argument.endIndex)
    }

    /// Whether an argument is no URL; `needsDomain`: a host without a dot never is one.
    func isNoURL(_ argument: String, needsDomain: Bool = false) -> Bool {
        guard !argument.contains("://") else { return false }
        guard !hasURL, !FileFacts.exists(argument) else { return true }
        let addresses = addresses
        guard addresses.isEmpty || addresses.contains(where: { $0.hasBytes(of: argument) }) else {
            return true
        }
        let host = argument.prefix { !"/:?#".contains($0) }
        let hasPath = argument.utf8.contains(UInt8(ascii: "/"))
        guard hasPath || !argument.hasSuffix(".txt"), HostName.isValid(String(host)) else {
            return true
        }
        if !needsDomain, hasPath { return false }
        return !host.utf8.contains(UInt8(ascii: ".")) && !HostName.isLoopback(String(host))
    }

    /// The host in an argument such as `example.org/a`, which has no scheme and is no file.
    static func host(of argument: String) -> String? {
        guard !argument.contains("://"), !FileFacts.exists(argument),
            let parts = parts(of: argument), parts.hasPath
        else { return nil }
        return parts.host.asciiLowercased
    }

    /// Spellings beside which `-o` with the name of a log is probably wget's.
    static let wgets: Set<String> = [
        "-nv", "--no-verbose", "-nc", "-P", "--directory-prefix", "-t", "--tries", "-N",
        "--timestamping", "-q", "--quiet", "-c", "--continue", "-b", "--background", "-i",
        "--input-file", "-S", "-T", "--no-check-certificate", "--spider", "--http-user",
        "--http-password", "--password", "--progress", "--waitretry", "--read-timeout",
        "--dns-timeout", "-nd", "-nH", "--force-directories",
    ]

    /// Those of them that no line of curl's for HTTP has.
    static let wgetsAlone = wgets.subtracting(["-N", "-q", "-c", "-b", "-i", "-S", "-T"])

    /// Spellings beside which curl sends the user and password of a netrc file at once.
    static let netrcs: Set<String> = ["--netrc", "--netrc-optional", "-n", "--netrc-file"]

    /// Spellings that only curl has: ambiguous letters and an unnamed body are then curl's too.
    static let curls: Set<String> = [
        "--fail", "-f", "--silent", "-s", "-sS", "--show-error", "--location", "-L",
        "--fail-with-body", "--location-trusted", "--get", "-G", "--url", "--url-query", "--retry",
        "--retry-all-errors", "--retry-delay", "--retry-max-time", "--speed-limit", "--speed-time",
        "--include", "--show-headers", "--proto", "--proto-redir", "--tlsv1", "--tlsv1.0",
        "--tlsv1.1",
        "--tlsv1.2", "--tlsv1.3", "-1", "--globoff", "-g", "--netrc", "--netrc-optional", "-n",
        "-Z",
        "--no-buffer", "--no-progress-meter", "--progress-bar", "-#", "--anyauth", "--basic",
        "--digest", "--ntlm", "--negotiate", "-m", "-A", "-w", "-0", "-z", "--time-cond",
        "--connect-to", "--max-redirs", "--cacert", "--capath", "--cert", "--key", "--insecure",
        "--proxytunnel", "--post301", "--post302", "--post303",
    ]
}

extension Options {
    /// The options with standard output for curl's unnamed body, unless that is a terminal.
    func choosingOutput(isTerminal: Bool) -> Options {
        let places = Set([
            "--directory-prefix", "--output-dir", "--continue", "--timestamping", "--no-clobber",
            "--content-disposition", "--trust-server-names", "--force-directories", "--split",
            "--input-file", "--auto",
            "--background", "--head", "--create-dirs", "--remote-name-all",
        ]).subtracting(curlsFileFlags)
        guard usesCurlFlags, !isTerminal, outputs.isEmpty, !urls.isEmpty,
            given.isDisjoint(with: places)
        else { return self }
        var options = self
        options.outputs = [.standardOutput]
        options.given.subtract(curlsFileFlags)
        if curlsFileFlags.contains("--content-disposition") { options.contentDisposition = false }
        if curlsFileFlags.contains("--continue") { options.continues = false }
        return options
    }
}
