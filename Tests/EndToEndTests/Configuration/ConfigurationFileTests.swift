import Foundation
import TestSupport
import Testing

@Suite("The configuration file", .timeLimit(.minutes(1)))
struct ConfigurationFileTests {
    private let home: TemporaryFolder
    private let folder: TemporaryFolder

    init() throws {
        home = try TemporaryFolder("home")
        folder = try TemporaryFolder("configured")
    }

    private func run(
        _ arguments: String...,
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder, home: home, environment: environment).run()
    }

    private func echo() throws -> String { try Nginx.shared.url("/echo/configured") }

    private func configure(_ text: String, _ name: String = ".config/fetch/config") throws {
        chmod(try home.write(text, to: name), 0o600)
    }

    @Test("the user's configuration file sets flags that the command line does not set")
    func own() async throws {
        try configure("# mine\n-U from-file\n-O -\n-q\n")
        let result = try await run(echo())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("from-file"))
        let over = try await run("-U", "from-line", echo())
        #expect(over.stdoutText.contains("from-line") && !over.stdoutText.contains("from-file"))
        let none = try await run("--no-config", "-qO-", echo())
        #expect(none.status == 0 && !none.stdoutText.contains("from-file"))
        #expect(folder.names() == [])
    }

    @Test("--config counts before FETCH_CONFIG, and that before the user's own file")
    func order() async throws {
        try configure("-U own")
        try configure("-U environment", "environment")
        try configure("-U flag", "flag")
        let variable = ["FETCH_CONFIG": home.path("environment")]
        let own = try await run("-qO-", echo())
        #expect(own.stdoutText.contains("own"))
        let named = try await run("-qO-", echo(), environment: variable)
        #expect(named.stdoutText.contains("environment"))
        let flag = try await run(
            "-qO-",
            "--config",
            home.path("flag"),
            echo(),
            environment: variable
        )
        #expect(flag.stdoutText.contains("flag"))
        let empty = try await run("-qO-", echo(), environment: ["FETCH_CONFIG": ""])
        #expect(empty.status == 0 && !empty.stdoutText.contains("own"))
        let missing = try await run(echo(), environment: ["FETCH_CONFIG": home.path("missing")])
        #expect(missing.status == 2)
        #expect(missing.stderr.contains("missing cannot be read: No such file or directory"))
    }

    @Test("the file is in ~/.config without XDG_CONFIG_HOME, and fetch reads none without HOME")
    func folders() async throws {
        try configure("-U own")
        let plain = try await FetchProcess.shell(
            #"unset XDG_CONFIG_HOME; exec "$FETCH" -qO- "$1""#,
            echo(),
            in: folder,
            home: home
        )
        #expect(plain.stdoutText.contains("own"))
        let homeless = try await FetchProcess.shell(
            #"unset XDG_CONFIG_HOME HOME; exec "$FETCH" -qO- "$1""#,
            echo(),
            in: folder,
            home: home
        )
        #expect(homeless.status == 0 && !homeless.stdoutText.contains("own"))
    }

    @Test("fetch reports an invalid line with file and line, and sends nothing")
    func invalidLine() async throws {
        try configure("-q\n\n--tiemout 3\n")
        let server = try SocketServer { try $0.respond() }
        let result = try await run(server.url())
        #expect(result.status == 2, "\(result)")
        let path = home.path(".config/fetch/config")
        #expect(
            result.stderrLines == [
                "fetch: \(path):3: unknown option --tiemout", "fetch: did you mean --timeout?",
            ]
        )
        #expect(server.connectionCount == 0)
    }

    @Test("fetch refuses a file that others can write to")
    func writable() async throws {
        try configure("--use-askpass ./evil")
        chmod(home.path(".config/fetch/config"), 0o666)
        let result = try await run(echo())
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("can be written by other users"))
        let version = try await run("--version")
        #expect(version.status == 0, "\(version)")
    }

    @Test("fetch uses a secret in the file, and warns only where others can read it")
    func secrets() async throws {
        try configure("--user name\n--password secret")
        let nginx = try Nginx.shared
        let url = nginx.url("/private/hello.txt")
        let safe = try await run("-O", "-", url)
        #expect(safe.status == 0, "\(safe)")
        #expect(!safe.stderr.contains("warning"))
        chmod(home.path(".config/fetch/config"), 0o644)
        let open = try await run("-O", "-", url)
        #expect(open.status == 0, "\(open)")
        #expect(open.stderr.contains("can be read by other users, and contains --password"))
        #expect(!open.stderr.contains("secret "))
    }

    @Test("--dry-run names the file, and its flags that do not apply")
    func dryRun() async throws {
        try configure("--auto\n-q")
        let result = try await run("--dry-run", "-O", "x", echo())
        #expect(result.status == 0, "\(result)")
        let path = home.path(".config/fetch/config")
        #expect(
            result.stdoutText.hasPrefix("configuration: \(path), without --auto (line 1)\nGET ")
        )
    }

    @Test("a conflict within the file is reported with its lines")
    func conflict() async throws {
        try configure("--http2\n--http1.1\n")
        let result = try await run(echo())
        #expect(result.status == 2, "\(result)")
        let path = home.path(".config/fetch/config")
        #expect(
            result.stderrLines.last
                == "fetch: --http1.1 is in \(path):2, --http2 is in \(path):1"
        )
    }

    @Test("fetch opens no other file without a configuration file")
    func quick() async throws {
        let result = try await FetchProcess.shell(
            #"""
            command -v strace >/dev/null || exit 77
            # The search for leaks cannot do with another tracer.
            export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
            exec strace -f -e trace=file "$FETCH" --dry-run h
            """#,
            in: folder,
            home: home
        )
        guard result.status != 77 else { return }
        let looks = result.stderrLines.filter { $0.contains(".config") }
        #expect(looks.count == 1, "\(looks)")
    }
}
