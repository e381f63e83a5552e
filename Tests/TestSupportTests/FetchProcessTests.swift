import Foundation
import TestSupport
import Testing

@Suite
struct FetchProcessTests {
    @Test
    func returnsStatusAndOutput() async throws {
        let result = try await FetchProcess.shell(#"echo out; echo "$1" >&2; exit 3"#, "err")
        #expect(result.status == 3)
        #expect(result.signal == nil)
        #expect(result.stdoutText == "out\n")
        #expect(result.stderr == "err\n")
        #expect(result.stderrLines == ["err"])
    }

    @Test
    func returnsTheSignal() async throws {
        let result = try await FetchProcess.shell("kill -TERM $$")
        #expect(result.status == nil)
        #expect(result.signal == SIGTERM)
    }

    @Test
    func findsTheExecutable() async throws {
        let result = try await FetchProcess.shell(#"test -x "$FETCH""#)
        #expect(result.status == 0)
        #expect(try FetchProcess.executable().hasSuffix("/fetch"))
    }

    @Test
    func environmentIsClean() async throws {
        let result = try await FetchProcess.shell(
            "env; pwd; ls -A",
            environment: ["EXTRA": "yes", "http_proxy": "http://proxy.example"]
        )
        let lines = Set(result.stdoutText.split(separator: "\n").map(String.init))
        #expect(lines.contains("HOME=\(result.home.path)"))
        #expect(lines.contains("XDG_CONFIG_HOME=\(result.home.path)/.config"))
        #expect(lines.contains("LC_ALL=C.UTF-8"))
        #expect(lines.contains("EXTRA=yes"))
        #expect(lines.contains(result.folder.path))
        #expect(!lines.contains { $0.hasPrefix("https_proxy=") || $0.hasPrefix("USER=") })
        #expect(result.folder.names() == [])
    }

    @Test
    func onlyThreeDescriptorsAreInherited() async throws {
        let listener = try SocketServer { _ in }
        let result = try await FetchProcess.shell("ls /proc/$$/fd")
        #expect(result.stdoutText == "0\n1\n2\n")
        #expect(!listener.wasCalled)
    }

    @Test
    func feedsBytesAndReadsBothOutputs() async throws {
        let bytes = PseudoRandom.bytes(5_000_000)
        let result = try await FetchProcess.shell(
            "head -c 3000000 /dev/zero | tr '\\0' e >&2 & cat; wait",
            input: .bytes(bytes)
        )
        #expect(result.stdout == bytes)
        #expect(result.stderr.utf8.count == 3_000_000)
        #expect(result.cpuSeconds > 0)
    }

    @Test(arguments: [
        (ProcessInput.null, "character special file"), (.closed, "closed"), (.text(""), "fifo"),
    ])
    func standardInputIsOfItsKind(input: ProcessInput, kind: String) async throws {
        let result = try await FetchProcess.shell(
            "if [ -e /proc/$$/fd/0 ]; then stat -L -c %F /proc/$$/fd/0; else echo closed; fi",
            input: input
        )
        #expect(result.stdoutText == "\(kind)\n")
    }

    @Test
    func communicatesThroughAPipe() async throws {
        let process = try FetchProcess(
            shell: "while read -r line; do echo \"got $line\" >&2; done",
            input: .pipe
        ).start()
        try await process.write("one\n")
        try await process.waitForStderr("got one\n")
        #expect(process.isRunning)
        try await process.write("two\n")
        process.closeInput()
        let result = try await process.wait()
        #expect(result.status == 0)
        #expect(result.stderr == "got one\ngot two\n")
    }

    @Test
    func interrupts() async throws {
        let process = try FetchProcess(
            shell: "trap 'echo caught; exit 9' INT; echo ready >&2; while :; do sleep 0.01; done"
        ).start()
        try await process.waitForStderr("ready")
        process.interrupt()
        let result = try await process.wait()
        #expect(result.status == 9)
        #expect(result.stdoutText == "caught\n")
    }

    @Test
    func killsAtTheTimeLimit() async throws {
        let clock = ContinuousClock()
        let time = await clock.measure {
            await #expect(throws: TestSupportError.self) {
                try await FetchProcess.shell("sleep 100", timeLimit: .milliseconds(100))
            }
        }
        #expect(time < .seconds(20))
    }

    @Test
    func waitsNoLongerThanItsTask() async throws {
        let process = try FetchProcess(shell: "sleep 100").start()
        let waiting = Task { try await process.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(process.isRunning)
    }

    @Test
    func leavesNoProcessBehind() async throws {
        var process: RunningProcess? = try FetchProcess(
            shell: "sleep 100 & echo $! >&2; wait"
        ).start()
        let started = try #require(process?.processID)
        let line = try await process?.waitForStderr("\n") ?? ""
        let grandchild = try #require(Int32(line.dropLast()))
        process = nil
        #expect(await eventually { kill(started, 0) != 0 })
        // A dead grandchild may stay a zombie where no process adopts it.
        #expect(
            await eventually {
                let state = try? String(contentsOfFile: "/proc/\(grandchild)/stat", encoding: .utf8)
                return state?.contains(") Z ") ?? true
            }
        )
    }

    @Test
    func measuresMemory() async throws {
        let process = try FetchProcess(
            shell: "x=$(head -c 30000000 /dev/zero | tr '\\0' a); read -r line; echo ${#x}",
            input: .pipe
        ).start()
        #expect(await eventually { process.maxResidentKiB > 30_000 })
        process.closeInput()
        let result = try await process.wait()
        #expect(result.stdoutText == "30000000\n")
        #expect(result.maxResidentKiB > 30_000)
    }
}
