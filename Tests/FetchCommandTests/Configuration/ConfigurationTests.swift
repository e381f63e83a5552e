import Glibc
import TestSupport
import Testing
import URLLoading

@testable import FetchCommand

/// The flags of a file together with those of a command line.
@Suite struct ConfigurationTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func invocation(_ text: String, _ arguments: String...) throws -> Invocation {
        let path = try folder.file("config", text)
        return try Invocation(["--config", path] + arguments)
    }

    private func error(_ text: String, _ arguments: String...) throws -> UsageError? {
        let path = try folder.file("config", text)
        return error(["--config", path] + arguments)
    }

    private func error(_ arguments: [String]) -> UsageError? {
        do throws(UsageError) {
            _ = try Invocation(arguments)
            return nil
        } catch {
            return error
        }
    }

    @Test func flagsComeBeforeTheCommandLines() throws {
        let text = "# mine\n--timeout 5\r\n\n-H A: 1\n--user-agent=me\n-q"
        let options = try invocation(text, "-T", "6", "-H", "B: 2", "h/").options
        #expect(options.session.settings.timeoutForRequest == 6)
        #expect(options.headers.map(\.name) == ["A", "B"])
        #expect(options.userAgent == "me")
        #expect(options.verbosity == .quiet)
        #expect(options.urls == ["h/"])
    }

    @Test func anEmptyFileIsNothing() throws {
        for text in ["", "\n", "\u{FEFF}", "\u{FEFF}# x\n", "\n\n#\n"] {
            #expect(try invocation(text, "h/").options.urls == ["h/"])
        }
        #expect(try invocation("\u{FEFF}-q", "h/").options.verbosity == .quiet)
    }

    @Test(
        arguments: [
            ("--tiemout 3", 1, "unknown option --tiemout", "did you mean --timeout?"),
            ("\n# x\n-T x", 3, "-T: 'x' is not", nil),
            ("-q yes", 1, "too many words after --quiet", "one flag"),
            ("-H A: 1\n--quiet=yes", 2, "--quiet takes no value", nil),
            ("--timeout", 1, "--timeout: missing value", nil),
            ("http://me:s3cret@h/", 1, "a URL belongs", nil),
            ("-q\nhttps://h/", 2, "a URL belongs", nil),
            ("--config other", 1, "can only be used on the command line", nil),
            ("--no-config", 1, "can only be used on the command line", nil),
            ("-i list", 1, "--input-file can only be used on the command line", nil),
            ("--help", 1, "can only be used on the command line", nil),
            ("-qV", 1, "on the command line", nil),
            ("-q\n\0", 2, "contains a NUL", nil), ("-p", 1, "-p: ", "--proxytunnel"),
            ("-U 'x'", 1, "single quotes", "double quotes"),
            ("--doh-url x", 1, "--doh-url: ", "--resolve"),
        ] as [(String, Int, String, String?)]
    )
    func errorsNameFileAndLine(
        _ text: String,
        _ line: Int,
        _ words: String,
        _ hint: String?
    ) throws {
        let found = try #require(try error(text, "h/"))
        guard case .configurationLine(let path, line, let message, _) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(path == folder.path + "/config")
        #expect(message.contains(words))
        if let hint { #expect(found.hint?.contains(hint) == true) }
        #expect(found.message.hasPrefix("\(path):\(line): "))
        #expect(!found.message.contains("s3cret"))
    }

    @Test func textThatIsNotUTF8IsRefused() throws {
        let path = try folder.file("config", "-q\n-U ")
        let descriptor = open(path, O_WRONLY | O_APPEND)
        write(descriptor, "\u{E9}".unicodeScalars.map { UInt8($0.value) }, 1)
        close(descriptor)
        #expect(error(["--config", path, "h/"])?.message == "\(path):2: is not UTF-8")
    }

    @Test(
        arguments: [
            ("--auto", ["-O", "x"]), ("--content-disposition", ["-O", "x"]), ("-c", ["-I"]),
            ("-c\n--content-disposition", ["-O", "-"]), ("-c", ["-O", "-"]),
            ("--http2", ["--http1.1"]),
            ("-c", ["-d", "x"]), ("-4", ["-6"]),
            ("-P .", ["-d", "x"]), ("--content-disposition\n-nc", ["-c"]),
        ]
    )
    func theCommandLineHasPrecedence(_ text: String, _ arguments: [String]) throws {
        let path = try folder.file("config", text)
        let both = try Invocation(["--config", path] + arguments + ["h/"])
        #expect(throws: Never.self) { try Plan(both.options) }
        let alone = try FlagParser.parse(arguments + ["h/"])
        #expect(both.options.continues == alone.continues)
        #expect(both.options.decidesByResponse == alone.decidesByResponse)
        #expect(both.options.transport.httpVersion == alone.transport.httpVersion)
        #expect(both.configuration?.summary.contains("without") == true)
    }

    @Test(
        "a flag of the file that applies only beside another flag is no error without that flag",
        arguments: [
            "--on-complete ./done", "--discretionary", "--keep-session-cookies",
            "--content-length 5", "--upload-offset 5", "--private-key k",
        ]
    )
    func flagsWithoutUse(_ text: String) throws {
        let both = try invocation(text, "h/")
        #expect(throws: Never.self) { try Plan(both.options) }
        #expect(both.configuration?.summary.contains("without --") == true)
        let name = text.prefix { $0 != " " }
        guard
            case .unusable(let flag, _, _) = usageError(
                try Invocation(text.split(separator: " ").map(String.init) + ["h/"])
            )
        else {
            Issue.record("the command line's own \(name) is taken")
            return
        }
        #expect(flag == name)
    }

    @Test func twoConflictingFlagsInTheFileAreBothNamed() throws {
        let both = try invocation("-4\n\n-6", "h/")
        guard case .conflict = usageError(both) else {
            Issue.record("they are taken together")
            return
        }
        let hint = usageError(both).flatMap { both.configuration?.hint(for: $0) }
        let path = folder.path + "/config"
        #expect(hint == "-4 is in \(path):1, -6 is in \(path):3")
    }

    @Test func aConflictWithoutAFlagNamesTheLine() throws {
        let both = try invocation("-O x", "h/a", "h/b")
        let hint = usageError(both).flatMap { both.configuration?.hint(for: $0) }
        #expect(hint == "--output FILE is in \(folder.path)/config:1")
    }

    private func usageError(_ invocation: Invocation) -> UsageError? {
        do {
            _ = try Plan(invocation.options)
            return nil
        } catch {
            return error
        }
    }

    @Test func secretsInTheFileCauseNoWarningAboutArguments() throws {
        let both = try invocation("--password s3cret", "--bearer", "tok", "h/")
        #expect(both.secrets.map(\.flag) == ["--bearer", "a URL"])
        #expect(both.secrets.map(\.argument) == [3, 4])
    }

    @Test(
        arguments: [
            (0o600, []), (0o640, []), (0o604, ["--password"]), (0o644, ["--password"]),
        ] as [(mode_t, [String])]
    )
    func aSecretThatOthersCanReadCausesAWarning(_ mode: mode_t, _ flags: [String]) throws {
        let path = try folder.file("config", "--password s3cret\n--user me\n--bearer @file")
        chmod(path, mode)
        chown(path, geteuid(), gid_t(geteuid()))
        // A group whose number differs from the user's is shared with other users.
        var status = stat()
        try #require(stat(path, &status) == 0)
        guard status.st_gid == status.st_uid || mode != 0o640 else { return }
        #expect(try Invocation(["--config", path, "h/"]).configuration?.exposedFlags == flags)
    }

    @Test(arguments: [0o602, 0o666, 0o646] as [mode_t])
    func aFileThatOthersCanWriteIsRefused(_ mode: mode_t) throws {
        let path = try folder.file("config", "-q")
        chmod(path, mode)
        let found = try #require(error(["--config", path, "h/"]))
        #expect(
            found.message
                == "\(path) can be written by other users, and could be used to run programs"
        )
        #expect(found.hint?.contains("chmod") == true)
    }

    @Test(.needs(.root)) func anotherUsersFileIsRefused() throws {
        let path = try folder.file("config", "-q")
        chown(path, 65_534, 65_534)
        let found = try #require(error(["--config", path, "h/"]))
        #expect(found.message.contains("belongs to another user"))
    }

    @Test func anIrregularFileIsRefused() throws {
        let path = folder.path
        try folder.fifo("fifo")
        try folder.makeFolder("folder")
        try folder.link("nowhere", to: "gone")
        for name in ["fifo", "folder"] {
            let found = try #require(error(["--config", "\(path)/\(name)", "h/"]))
            #expect(found.message == "\(path)/\(name) is not a regular file")
        }
        for name in ["nowhere", "missing", "folder/x/y"] {
            let found = try #require(error(["--config", "\(path)/\(name)", "h/"]))
            #expect(found.message.hasPrefix("\(path)/\(name) cannot be read: "))
        }
        #expect(error(["--config", "/dev/null", "h/"]) == nil)
        #expect(error(["--config", "-", "h/"])?.message.contains("is not a file") == true)
    }

    @Test func aFileThatIsTooLargeIsRefused() throws {
        let fits = try folder.file("config", String(repeating: "#\n", count: 1 << 19))
        #expect(error(["--config", fits, "h/"]) == nil)
        let large = try folder.file("large", String(repeating: "#\n", count: 1 << 19) + "\n")
        #expect(error(["--config", large, "h/"])?.message.contains("1 MiB") == true)
    }

    @Test func aLinkIsFollowed() throws {
        _ = try folder.file("real", "-q")
        try folder.link("link", to: "real")
        let both = try Invocation(["--config", folder.path + "/link", "h/"])
        #expect(both.options.verbosity == .quiet)
    }

    @Test(
        arguments: [
            (["h/"], [:], nil), (["h/"], ["FETCH_CONFIG": "/x"], "/x"),
            (["h/"], ["FETCH_CONFIG": ""], nil),
            (["--no-config", "h/"], ["FETCH_CONFIG": "/x"], nil),
            (["--config", "/y", "h/"], ["FETCH_CONFIG": "/x"], "/y"),
            (["--config", "/y", "--config", "/z"], [:], "/z"),
            (["--config", "/y", "--no-config"], [:], nil),
            (["--no-config", "--config", "/y"], [:], "/y"),
        ] as [([String], [String: String], String?)]
    )
    func whichFile(
        _ arguments: [String],
        _ environment: [String: String],
        _ path: String?
    ) throws {
        let place = try FlagParser.parse(arguments).configuration.path { environment[$0] }
        #expect(place?.isNamed == true ? place?.path == path : path == nil)
    }

    @Test func onlyFlagsAreAllowedInTheFile() throws {
        let both = try invocation("-q", "-O", "-", "--events-file", folder.path + "/config", "h/")
        guard case .conflict(let one, let other, _) = usageError(both) else {
            Issue.record("the file would be lost")
            return
        }
        #expect(one.hasPrefix("--events-file") && other.contains("--config"))
    }
}
