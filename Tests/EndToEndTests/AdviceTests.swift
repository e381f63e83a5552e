import Foundation
import TestSupport
import Testing

/// Advice in messages, followed as a user would.
@Suite("Advice in messages", .timeLimit(.minutes(1)))
struct AdviceTests {
    @Test("fetch warns about a secret on the command line, and names safe alternatives of the flag")
    func exposed() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        try folder.write("X-One: 1\r\n\nAuthorization: Bearer t0ken\n", to: "lines")
        func run(_ arguments: String...) async throws -> ProcessResult {
            try await FetchProcess(
                ["-O-", nginx.url("/echo/x")] + arguments,
                in: folder,
                environment: ["TOKEN": "t0ken"]
            ).run()
        }
        let plain = try await run("-H", "Authorization: Bearer t0ken")
        #expect(plain.stdoutText.contains("authorization: Bearer t0ken\n"))
        #expect(
            plain.stderr.contains("-H @FILE, or env:NAME within the value, hides it"),
            "\(plain)"
        )
        for advised in ["@lines", "Authorization: Bearer env:TOKEN"] {
            let result = try await run("-H", advised)
            #expect(result.stdoutText.contains("authorization: Bearer t0ken\n"), "\(result)")
            #expect(!result.stderr.contains("other users"), "\(result)")
            let planned = try await run("-H", advised, "--dry-run")
            #expect(!planned.stdoutText.contains("t0ken"), "\(planned)")
        }
        let missing = try await run("-H", "@none")
        #expect(missing.status == 3, "\(missing)")
        try folder.write("no header\n", to: "wrong")
        let wrong = try await run("-H", "@wrong")
        #expect(wrong.status == 2)
        #expect(wrong.stderr.contains("line 1") && !wrong.stderr.contains("no header"), "\(wrong)")
    }

    @Test("fetch advises http for a URL without a scheme on a port without TLS")
    func plain() async throws {
        let address = try #require(URL(string: Nginx.shared.url("/")))
        let port = try #require(address.port)
        let result = try await FetchProcess.run(
            "-qO-",
            "--resolve",
            "web:\(port):127.0.0.1",
            "web:\(port)/files/hello.txt?a=1"
        )
        #expect(result.status == 4 || result.status == 5, "\(result)")
        #expect(result.stderr.contains("try http://web:\(port)/files/hello.txt?a=1\n"), "\(result)")
    }

    @Test("the error names a missing Unix socket")
    func socket() async throws {
        let result = try await FetchProcess.run(
            "-qO-",
            "--unix-socket",
            "run/missing.sock",
            "http://localhost/"
        )
        #expect(result.status == 4, "\(result)")
        #expect(
            result.stderr.contains("the socket run/missing.sock: No such file or directory"),
            "\(result)"
        )
    }

    @Test("CURL_CA_BUNDLE names the authorities to trust")
    func bundle() async throws {
        let url = try Nginx.shared.tlsURL("/files/hello.txt")
        let authority = try Certificates.shared.authority
        let process = try FetchProcess(["-qO-", url], environment: ["CURL_CA_BUNDLE": authority])
        let result = try await process.run()
        #expect(result.status == 0, "\(result)")
        #expect(try await FetchProcess.run("-qO-", url).status == 5)
    }

    @Test("fetch writes binary bytes to a terminal only with --force")
    func binary() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("advice-binary", bytes: [0x41, 0, 0x42])
        let url = nginx.url("/files/advice-binary")
        let cases: [([String], Int32)] = [
            (["-O", "-"], 11), (["--force", "-O-"], 0), (["-O", "-", "-O", "-"], 0),
        ]
        for (flags, status) in cases {
            let terminal = try PseudoTerminal()
            let result = try await FetchProcess(["-q"] + flags + [url], terminal: terminal).run()
            #expect(result.status == status, "\(flags)")
            // Another thread reads the terminal's output.
            let advice = Array("--force prints it".utf8)
            #expect(
                await eventually {
                    let bytes = terminal.bytes
                    return bytes.contains(0) == (status == 0)
                        && bytes.contains(advice) == (status == 11)
                },
                "\(String(decoding: terminal.bytes, as: UTF8.self))"
            )
        }
        let piped = try await FetchProcess.run("-qO-", nginx.url("/files/advice-binary"))
        #expect(piped.stdout == [0x41, 0, 0x42])
    }
}
