import Foundation
import TestSupport
import Testing

/// One file over several connections: killed, interrupted and continued.
@Suite("--split", .timeLimit(.minutes(2)))
struct SplitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("split")
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder).run()
    }

    /// The received bytes according to a part's resume data; 0 where it does not exist.
    private func stored(_ name: String) -> Int {
        guard let bytes = folder.read("\(name).part.resume"),
            let object = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let count = (object as? [String: Any])?["receivedBytes"] as? Int
        else { return 0 }
        return count
    }

    @Test("fetch downloads a file over several connections, and the file is correct")
    func works() async throws {
        let nginx = try Nginx.shared
        let name = "split-works"
        try nginx.addLargeFile(name, size: 12_000_000)
        let result = try await run(
            "-vv",
            "--ca-certificate",
            try Certificates.shared.authority,
            "--split",
            "4",
            nginx.tlsURL("/slow/\(name)?rate=1500000")
        )
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(12_000_000)))
        #expect(folder.names() == [name])
        #expect(result.stderr.contains("didSplitInto"))
        let log = await nginx.accessLog("/slow/\(name)", waitingFor: 4)
        #expect(log.count { $0.status == 206 && $0.ifRange != "-" } >= 3, "\(log)")
        #expect(log.reduce(0) { $0 + $1.bytesSent } < 15_000_000)
    }

    @Test("--write-out counts the bytes of all parts, and reports the status of the first response")
    func writeOut() async throws {
        let nginx = try Nginx.shared
        let (name, size) = ("split-write-out", 12_000_000)
        try nginx.addLargeFile(name, size: size)
        let result = try await run(
            "-q",
            "--split",
            "4",
            "--write-out",
            "%{http_code} %{size_download} %{time_redirect}",
            nginx.url("/slow/\(name)?rate=1500000")
        )
        #expect(result.status == 0, "\(result)")
        let values = String(decoding: result.stdout, as: UTF8.self).split(separator: " ")
        #expect(values.count == 3 && values.first == "200" && values.last == "0.000000")
        // Bytes that the first stream received beyond its own range count as well.
        let received = try #require(Int(values[1]))
        #expect((size..<15_000_000).contains(received), "\(received)")
    }

    @Test("a file whose end cannot be cut off after its holes are filled does not get its name")
    func uncut() async throws {
        let nginx = try Nginx.shared
        let name = "split-uncut"
        try nginx.addLargeFile(name, size: 12_000_000)
        let result = try await FetchProcess(
            shell: #"""
                # The search for leaks cannot do with another tracer.
                export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
                exec strace -f -o /dev/null -e inject=ftruncate:error=EIO "$FETCH" -q -t 1 \
                    --split 4 "$1"
                """#,
            [nginx.url("/slow/\(name)?rate=1500000")],
            in: folder
        ).run()
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("Input/output error"), "\(result)")
        #expect(folder.names() == [])
    }

    @Test("T-08 a run fills the holes of a run killed by SIGKILL, with --split and without")
    func kills() async throws {
        let nginx = try Nginx.shared
        let size = 48_000_000
        let name = "split-kills"
        try nginx.addLargeFile(name, size: size)
        let slow = nginx.url("/slow/\(name)?rate=500000")
        for arguments in [["--split", "4"], ["--split", "3"], [], ["--split", "8"]] {
            let before = stored(name)
            let process = try FetchProcess(["-q", "-c"] + arguments + [slow], in: folder).start()
            let goal = before + 1_000_000
            #expect(await eventually { stored(name) > goal }, "\(arguments)")
            process.interrupt(SIGKILL)
            #expect(try await process.wait().signal == SIGKILL)
            #expect(!folder.exists(name))
            #expect(folder.size("\(name).part") == size + 64, "it has its trailer")
        }
        let last = try await run("-c", "-U", "hurry", "--split", "8", slow)
        #expect(last.status == 0, "\(last)")
        #expect(last.stderr.contains("(continued at "))
        #expect(try sha256(folder.read(name) ?? []) == sha256(PseudoRandom.bytes(size)))
        #expect(folder.names() == [name])
    }

    /// Starts a download of 8,000,000 bytes that would take ten seconds or more, and ends it with a
    /// signal once resume data was written.
    private func begin(_ url: String, endedBy signal: Int32) async throws -> ProcessResult {
        let process = try FetchProcess(["--split", "4", url], in: folder).start()
        let name = String(url[(url.lastIndex(of: "/") ?? url.startIndex)...].dropFirst())
            .prefix { $0 != "?" }
        // More than one stream receives in the first second.
        #expect(await eventually { stored(String(name)) > 500_000 })
        process.interrupt(signal)
        let result = try await process.wait()
        #expect(result.signal == signal, "\(result)")
        return result
    }

    @Test(
        "T-08 an interrupted run prints a command, with which the next run fetches the missing bytes"
    )
    func interrupted() async throws {
        let nginx = try Nginx.shared
        let name = "split-interrupted"
        try nginx.addLargeFile(name, size: 8_000_000)
        let slow = nginx.url("/slow/\(name)?rate=180000")
        let stopped = try await begin(slow, endedBy: SIGINT)
        #expect(stopped.stderr.contains("the same command with -c continues there"), "\(stopped)")
        #expect(folder.names() == ["\(name).part", "\(name).part.resume"])
        let missing = 8_000_000 - stored(name)
        let result = try await run("-c", "-U", "hurry", slow)
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(8_000_000)))
        var asked = 0
        _ = await eventually {
            let log = nginx.accessLog("/slow/\(name)").filter { $0.userAgent == "hurry" }
            asked = log.reduce(0) { sum, entry in
                let ends = entry.range.dropFirst(6).split(separator: "-").compactMap { Int($0) }
                return sum + (ends.count > 1 ? ends[1] + 1 : 8_000_000) - (ends.first ?? 0)
            }
            return asked >= missing
        }
        #expect(asked == missing, "nothing comes twice")
    }

    @Test("T-08 fetch downloads a file that changed between two runs again, without old bytes")
    func changed() async throws {
        let nginx = try Nginx.shared
        let name = "split-changed"
        try nginx.addFile(name, bytes: PseudoRandom.bytes(8_000_000), modified: 1_000_000_000)
        let slow = nginx.url("/slow/\(name)?rate=180000")
        _ = try await begin(slow, endedBy: SIGKILL)
        let other = PseudoRandom.bytes(8_000_000, seed: 2)
        try nginx.addFile(name, bytes: other, modified: 1_000_001_000)
        let result = try await run("-c", "-U", "hurry", "--split", "4", slow)
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("the file on the server has changed"), "\(result)")
        #expect(isSameBytes(folder.read(name), other))
    }

    @Test("T-08 a part with unknown holes is never taken for the file's beginning")
    func torn() async throws {
        let nginx = try Nginx.shared
        let name = "split-torn"
        try nginx.addLargeFile(name, size: 8_000_000)
        let slow = nginx.url("/slow/\(name)?rate=180000")
        _ = try await begin(slow, endedBy: SIGKILL)
        #expect(unlink(folder.path("\(name).part.resume")) == 0)
        let result = try await run("-c", "-U", "hurry", slow)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.stderr.contains("is incomplete, and its missing ranges are unknown"),
            "\(result)"
        )
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(8_000_000)))
    }

    @Test("a server without range support is no failure, and a note reports it")
    func refused() async throws {
        let nginx = try Nginx.shared
        let name = "split-refused"
        try nginx.addLargeFile(name, size: 3_000_000)
        let result = try await run("--split", "4", nginx.url("/no-length/\(name)"))
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("not split: the server does not support byte ranges"))
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(3_000_000)))
    }

    @Test(
        "--split conflicts with requests that cannot be split",
        arguments: [
            ["-O", "-"], ["-I"], ["-d", "x"], ["-r", "0-9"], ["-X", "POST"], ["--auto"],
            ["--max-connections-per-host", "2"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let result = try await FetchProcess(
            ["--split", "4"] + arguments + ["http://127.0.0.1:1/a"],
            in: folder
        ).run()
        #expect(result.status == 2, "\(result)")
    }
}
