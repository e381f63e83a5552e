import Foundation
import TestSupport
import Testing

/// Runs the benchmark with bodies too small to measure anything.
@Suite(
    .enabled("it needs python3, curl and openssl") {
        ["python3", "curl", "openssl"].allSatisfy { name in
            ["/usr/local/bin", "/usr/bin"].contains { access("\($0)/\(name)", X_OK) == 0 }
        }
    },
    .timeLimit(.minutes(2))
)
struct BenchmarkTests {
    /// Runs the benchmark with an executable, by default the built one.
    private static func run(
        _ arguments: String,
        fetch: String = "$FETCH",
        in folder: TemporaryFolder
    ) async throws -> ProcessResult {
        try await FetchProcess.shell(
            #"exec "$1" --rounds 1 --size 192K --folder . --fetch "\#(fetch)" \#(arguments)"#,
            Repository.path("Benchmarks/run"),
            in: folder,
            timeLimit: .seconds(90)
        )
    }

    @Test func runsEachCase() async throws {
        let folder = try TemporaryFolder("benchmark")
        let result = try await Self.run("--only download-,upload- --json samples", in: folder)
        #expect(result.status == 0, "\(result)")
        let rows = result.stdoutText.split(separator: "\n").filter { $0.hasPrefix("| ") }
        for name in ["download-file-http", "download-stdout-h2", "upload-file", "upload-pipe"] {
            let row = rows.first { $0.hasPrefix("| \(name) ") && $0.contains("| wall, ms") }
            let cells = try #require(row, "\(name)").split(separator: "|")
            let ratio = cells.last { !$0.contains("n/a") }.map { $0.filter { !$0.isWhitespace } }
            #expect(ratio.flatMap(Double.init).map { $0 > 0 } == true, "\(name)")
        }
        #expect(result.stdoutText.hasSuffix("No verdict: the targets are for bodies of 1 GiB.\n"))
        // The benchmark leaves no other file.
        #expect(folder.names() == ["samples"])
    }

    @Test func fetchesListsNearAndFar() async throws {
        let folder = try TemporaryFolder("benchmark")
        let result = try await Self.run("--only many,memory-list", in: folder)
        #expect(result.status == 0, "\(result)")
        let rows = result.stdoutText.split(separator: "\n")
        for name in ["many-http", "many-h2", "many-http-20ms", "many-h2-20ms"] {
            let row = rows.first { $0.hasPrefix("| \(name) ") && $0.contains("| wall, ms") }
            let cells = try #require(row, "\(name)").split(separator: "|")
            let wall = cells.dropFirst(2).first?.split(separator: " ").first.flatMap { Double($0) }
            // Connecting and requesting take one round trip each.
            #expect(try #require(wall) > (name.hasSuffix("20ms") ? 40 : 0), "\(result)")
        }
        #expect(result.stdoutText.contains("| memory-list-100000 "))
    }

    @Test func queuesInTheBackground() async throws {
        let folder = try TemporaryFolder("benchmark")
        let result = try await Self.run("--only background", in: folder)
        #expect(result.status == 0, "\(result)")
        let rows = result.stdoutText.split(separator: "\n")
        for (name, metric) in [
            ("queue", "wall, ms"), ("idle", "cpu, ms"), ("1000-tasks", "memory, MiB"),
        ] {
            let row = rows.first { $0.hasPrefix("| background-\(name) ") && $0.contains(metric) }
            let cells = try #require(row, "\(name)").split(separator: "|")
            let said = cells.dropFirst(2).first?.split(separator: " ").first
            #expect(said.flatMap { Double($0) } != nil, "\(cells)")
        }
        #expect(folder.names() == [])
    }

    @Test func aToolThatHangsIsEndedWithItsChildren() async throws {
        let folder = try TemporaryFolder("benchmark")
        try folder.write("#!/bin/sh\nsleep 300 & echo $! >pid; wait\n", to: "hang")
        #expect(chmod(folder.path("hang"), 0o755) == 0)
        let program = """
            import os, sys
            sys.path.insert(0, sys.argv[1])
            from bench import child
            # On a busy machine it takes a while until there is anything to be ended.
            for child.TIMEOUT in (1, 5, 25):
                try:
                    child.run(["./hang"], child.Environment("."))
                except child.Failure as failure:
                    message = failure
                if os.path.exists("pid") and os.path.getsize("pid"):
                    break
            print(str(message).replace(f"{child.TIMEOUT} s", "its timeout"))
            """
        let result = try await FetchProcess.shell(
            #"exec python3 -B -c "$1" "$2""#,
            program,
            Repository.path("Benchmarks"),
            in: folder,
            timeLimit: .seconds(60)
        )
        #expect(result.stdoutText == "nothing came of it in its timeout\n", "\(result)")
        let text = folder.readText("pid")?.trimmingCharacters(in: .whitespacesAndNewlines)
        let pid = try #require(text.flatMap(Int32.init))
        // The parent process has ended, so the process that adopts the child reaps it.
        #expect(await eventually { kill(pid, 0) != 0 || Self.isZombie(pid) })
    }

    private static func isZombie(_ pid: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return status?.contains("State:\tZ") ?? true
    }

    @Test func aFailedRunIsNotMeasured() async throws {
        let folder = try TemporaryFolder("benchmark")
        try folder.write("#!/bin/sh\nexit 0\n", to: "idle")
        #expect(chmod(folder.path("idle"), 0o755) == 0)
        let result = try await Self.run("--only download-file-http", fetch: "idle", in: folder)
        #expect(result.status == 1)
        #expect(result.stderr.contains("download-file-http: fetch: 0 bytes instead of 196608"))
        #expect(!result.stdoutText.contains("download-file-http"))
        #expect(folder.names() == ["idle"])
    }
}
