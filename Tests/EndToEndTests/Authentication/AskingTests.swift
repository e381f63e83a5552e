import Foundation
import TestSupport
import Testing

/// Credentials from an askpass program, or from the user at a terminal.
@Suite("Prompts for passwords", .timeLimit(.minutes(2)))
struct AskingTests {
    /// A stand-in for an askpass program: it records the questions, and gives the replies in order.
    private static func program(_ replies: [String], in folder: TemporaryFolder) throws -> String {
        let lines = replies.joined(separator: "\n") + "\n"
        try folder.write(lines, to: "replies")
        let script = #"""
            #!/bin/sh
            cd "${0%/*}"
            printf '%s\n' "$1" >>questions
            sed -n "$(wc -l <questions)p" replies | grep .

            """#
        let path = try folder.write(script, to: "askpass")
        #expect(chmod(path, 0o755) == 0)
        return path
    }

    @Test("--use-askpass asks for user and password, in git's words")
    func askpass() async throws {
        let apache = try Apache.shared
        let folder = try TemporaryFolder("askpass")
        let user = TestUser.usual
        let program = try Self.program([user.name, user.password], in: folder)
        let url = apache.url("/digest/hello.txt")
        let result = try await FetchProcess.run("-O-", "--use-askpass", program, url)
        #expect(result.status == 0, "\(result)")
        let place = "http://127.0.0.1:\(apache.port)"
        #expect(
            folder.readText("questions") == """
                Username for '\(place)': 
                Password for '\(place.replacing("//", with: "//name@"))': 

                """
        )
    }

    @Test(
        "fetch asks a program again after a refusal, three times at most, and never repeats a password"
    )
    func askpassAgain() async throws {
        let apache = try Apache.shared
        let folder = try TemporaryFolder("askpass")
        let url = apache.url("/basic/hello.txt?askpass-again")
        let program = try Self.program(["a", "b", TestUser.usual.password], in: folder)
        let arguments = ["-O-", "--use-askpass", "", "-u", "name"]
        let process = try FetchProcess(arguments + [url], environment: ["SSH_ASKPASS": program])
        #expect(try await process.run().status == 0)

        let same = try TemporaryFolder("askpass")
        let stubborn = try Self.program(["same", "same", "same", "same"], in: same)
        let refused = try await FetchProcess(
            arguments + [url],
            environment: ["WGET_ASKPASS": stubborn]
        ).run()
        #expect(refused.status == 6, "\(refused)")
        #expect(same.readText("questions")?.split(separator: "\n").count == 2)
        let missing = try await FetchProcess.run("-O-", "--use-askpass", "/no/such", url)
        #expect(missing.status == 6)
        #expect(missing.stderr.contains("--use-askpass /no/such: No such file"))
    }

    @Test("fetch does not wait for an askpass program that ignores its end")
    func stubborn() async throws {
        let folder = try TemporaryFolder("askpass")
        let script = #"""
            #!/bin/sh
            trap '' TERM
            echo $$ >"${0%/*}/number"
            exec sleep 60 >&- 2>&-

            """#
        let program = try folder.write(script, to: "askpass")
        #expect(chmod(program, 0o755) == 0)
        let url = try Apache.shared.url("/basic/hello.txt?askpass-stubborn")
        let result = try await FetchProcess.run("-O-", "-u", "me", "--use-askpass", program, url)
        #expect(result.status == 6, "\(result)")
        let number = try #require(folder.readText("number").flatMap { Int32($0.dropLast()) })
        #expect(kill(number, SIGKILL) == 0)
    }

    @Test("a signal ends the program at a prompt while the terminal is stopped")
    func stoppedTerminal() async throws {
        let terminal = try PseudoTerminal(columns: 120)
        let url = try Apache.shared.url("/basic/hello.txt?stopped")
        let process = try FetchProcess(["-q", "-u", "me", "-O-", url], terminal: terminal).start()
        try await terminal.wait(for: "the password") {
            $0.text.last?.hasPrefix("Password for me") == true
        }
        // Control-S.
        try terminal.type("\u{13}")
        process.interrupt(SIGTERM)
        #expect(try await process.wait().signal == SIGTERM)
    }

    @Test("the terminal prompts without echo, and again after a refusal")
    func terminal() async throws {
        let terminal = try PseudoTerminal(columns: 120)
        let url = try Apache.shared.url("/digest/hello.txt")
        let process = try FetchProcess(["-O", "out", url], terminal: terminal).start()
        try await terminal.wait(for: "the user") { $0.text.last?.hasPrefix("User:") == true }
        try terminal.type("name\r")
        try await terminal.wait(for: "the password") {
            $0.text.last?.hasPrefix("Password for name") == true
        }
        try terminal.type("s3cretwrong\r")
        try await terminal.wait(for: "another try") { screen in
            screen.text.contains { $0.contains("refused") }
                && screen.text.last?.hasPrefix("User") == true
        }
        try terminal.type("name\r")
        try await terminal.wait(for: "the password again") {
            $0.text.count { $0.hasPrefix("Password for name") } == 2
        }
        try terminal.type("\(TestUser.usual.password)\r")
        let result = try await process.wait()
        #expect(result.status == 0, "\(terminal.screen.text)")
        #expect(result.folder.readText("out") == "Hello, world!\n")
        let shown = String(decoding: terminal.bytes, as: UTF8.self)
        #expect(shown.contains("realm “test realm”"))
        #expect(!shown.contains("s3cretwrong"))
        #expect(!shown.contains(TestUser.usual.password))
    }

    /// The output of `stty` after a run on a terminal: whether the echo is on.
    private static func echoAfter(
        _ url: String,
        _ keys: (PseudoTerminal) async throws -> Void
    ) async throws -> [String] {
        let terminal = try PseudoTerminal(columns: 120)
        let process = try FetchProcess(
            shell: #"""
                trap : INT
                "$FETCH" -u name -O out "$1"; echo "status $?"
                stty -a | grep -o '[-]*echo ' | sed 's/^/is /'
                """#,
            [url],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the question") {
            $0.text.last?.hasPrefix("Password for name") == true
        }
        try await keys(terminal)
        try await process.wait()
        return try await terminal.wait(for: "the echo") {
            $0.text.contains { $0.contains("is echo") || $0.contains("is -echo") }
        }.text
    }

    @Test("Control-C and the end of input leave the echo on")
    func echo() async throws {
        let url = try Apache.shared.url("/basic/hello.txt")
        let interrupted = try await Self.echoAfter(url) { try $0.type("\u{3}") }
        #expect(interrupted.contains("status 130"), "\(interrupted)")
        #expect(interrupted.last?.contains("is echo") == true, "\(interrupted)")
        let ended = try await Self.echoAfter(url) { try $0.type("\u{4}") }
        #expect(ended.contains("status 6"), "\(ended)")
        #expect(ended.last?.contains("is echo") == true, "\(ended)")
    }

    @Test("Control-Z leaves the echo on, and fetch prompts again in the foreground")
    func stopped() async throws {
        let terminal = try PseudoTerminal(columns: 120)
        let url = try Apache.shared.url("/basic/hello.txt")
        let process = try FetchProcess(
            shell: #"""
                set -m
                "$FETCH" -u name -O out "$1"
                stty -a | grep -o '[-]*echo ' | sed 's/^/is /'
                read -r line; fg >fg; echo "status $?"
                """#,
            [url],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the question") {
            $0.text.last?.hasPrefix("Password for name") == true
        }
        try terminal.type("\u{1a}")
        try await terminal.wait(for: "the shell") { $0.text.contains { $0.contains("is echo") } }
        try terminal.type("\r")
        try await terminal.wait(for: "the question again") {
            $0.text.last?.hasPrefix("(password)") == true
        }
        try terminal.type("\(TestUser.usual.password)\r")
        let result = try await process.wait()
        try await terminal.wait(for: "the end") { $0.text.contains("status 0") }
        #expect(result.folder.readText("out") == "Hello, world!\n")
        #expect(!String(decoding: terminal.bytes, as: UTF8.self).contains(TestUser.usual.password))
    }

    @Test("fetch does not prompt in the background or without a terminal")
    func background() async throws {
        let terminal = try PseudoTerminal(columns: 120)
        let url = try Apache.shared.url("/basic/hello.txt")
        let process = try FetchProcess(
            shell: #"set -m; "$FETCH" -q "$1" & wait $!; echo "status $?""#,
            [url],
            terminal: terminal
        ).start()
        try await process.wait()
        try await terminal.wait(for: "the end") { $0.text.contains("status 6") }
        let forced = try await FetchProcess.run("--ask-password", url)
        #expect(forced.status == 2, "\(forced)")
        #expect(forced.stderr.contains("no terminal"))
    }
}
