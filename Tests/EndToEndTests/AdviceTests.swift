import Foundation
import TestSupport
import Testing

/// What is advised works.
@Suite("Advice that is true", .timeLimit(.minutes(1)))
struct AdviceTests {
    @Test("a secret on the command line is warned about, with ways around that its flag has")
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

    @Test("a port without a scheme that speaks no TLS is one to try with http")
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
        #expect(
            result.stderr.contains("try http://web:\(port)/files/hello.txt?a=1\n"),
            "\(result)"
        )
    }

    @Test("a Unix socket that is not there is named")
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

    @Test("what a terminal cannot show is not written to it, unless it is forced")
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
            // What the terminal has taken is read by another thread.
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
