import Foundation
import TestSupport
import Testing

/// The cache's folder: its size, its removal and damage to it.
@Suite("The cache's folder", .timeLimit(.minutes(2)))
struct CacheFolderTests: CacheSuite {
    let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder("home")
    }

    @Test("downloads are not stored, and --cache-size 0 stores nothing and makes no folder")
    func notKept() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-not-kept", "text")
        let target = "/cached/\(name)?control=max-age=60"
        for _ in 0..<2 {
            let download = try await FetchProcess.run("-q", nginx.url(target), home: home)
            #expect(download.status == 0, "\(download)")
            #expect(try await run("--cache-size=0", nginx.url(target)).stdoutText == "text")
        }
        #expect(try await statuses(target, 4).count == 4)
        #expect(!home.exists(".cache"))
    }

    @Test("--clear-cache empties the cache, alone or before a URL")
    func cleared() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-cleared", "text")
        let target = "/cached/\(name)?control=max-age=60"
        _ = try await run(nginx.url(target))
        let cleared = try await FetchProcess.run("--clear-cache", home: home)
        #expect(cleared.status == 0, "\(cleared)")
        #expect(cleared.stdoutText + cleared.stderr == "")
        #expect(try await run("--cache-policy=only-cache", nginx.url(target)).status == 11)
        _ = try await run(nginx.url(target))
        _ = try await run("--clear-cache", nginx.url(target))
        #expect(try await statuses(target, 3).count == 3)
    }

    @Test("fetch ignores a cache that cannot be written, without a message")
    func unwritable() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-unwritable", "text")
        let target = "/cached/\(name)?control=max-age=60"
        try home.write("no folder", to: ".cache")
        for _ in 0..<2 {
            let result = try await FetchProcess.run("-O-", nginx.url(target), home: home)
            #expect(result.status == 0, "\(result)")
            #expect(result.stdoutText == "text")
            #expect(!result.stderr.lowercased().contains("cache"))
        }
        #expect(home.readText(".cache") == "no folder")
    }

    @Test("C-01 damaged entries of the cache count as misses")
    func damaged() async throws {
        let nginx = try Nginx.shared
        let name = try file("cache-damaged", String(repeating: "text", count: 100))
        let target = "/cached/\(name)?control=max-age=60"
        for damage in 0..<4 {
            #expect(try await run(nginx.url(target)).stdoutText.utf8.count == 400)
            let stored = home.path(".cache/fetch/answers")
            let files = try FileManager.default.subpathsOfDirectory(atPath: stored)
            let entry = try #require(files.first { $0.contains("/") })
            let path = "\(stored)/\(entry)"
            var bytes = try #require(FileManager.default.contents(atPath: path))
            switch damage {
            case 0: bytes = bytes.prefix(bytes.count / 2)
            case 1: bytes[bytes.count - 7] ^= 1
            case 2: bytes = Data(repeating: 0, count: bytes.count)
            default: bytes = Data()
            }
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        #expect(try await run(nginx.url(target)).stdoutText.utf8.count == 400)
        #expect(try await statuses(target, 5) == [200, 200, 200, 200, 200])
    }

    @Test(
        "C-01 two processes share one cache under load: no entry is torn, and its size limit holds"
    )
    func hammer() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                // A body is one letter, repeated by a count that depends on the target, so that mixed
                // bodies show.
                let place = head.target.utf8.reduce(0) { $0 + Int($1) } % 9
                let letter = UInt8.random(in: 0x61...0x7A)
                try connection.respond(
                    "200 OK",
                    ["Cache-Control: max-age=\(Int.random(in: 0...1))", "ETag: \"\(letter)\""],
                    body: [UInt8](repeating: letter, count: (place + 1) * 30_000)
                )
            }
        }
        let script = #"""
            end=$(($(date +%s) + 4))
            while :; do
                for i in 1 2 3 4 5 6 7 8 9; do set -- "$@" "$URL$i"; done
                "$FETCH" -qO- --cache-policy protocol --cache-size 6M "$@" || exit
                set --
                [ $(date +%s) -lt $end ] || break
            done
            """#
        async let first = FetchProcess.shell(
            script,
            home: home,
            environment: ["URL": server.url("/")]
        )
        async let second = FetchProcess.shell(
            script,
            home: home,
            environment: ["URL": server.url("/")]
        )
        for result in try await [first, second] {
            #expect(result.status == 0, "\(result.stderr)")
            var rest = result.stdout[...]
            var bodies = 0
            while !rest.isEmpty {
                let place = "/\(bodies % 9 + 1)".utf8.reduce(0) { $0 + Int($1) } % 9
                let body = rest.prefix((place + 1) * 30_000)
                try #require(body.count == (place + 1) * 30_000)
                let letters = [UInt8](repeating: body[body.startIndex], count: body.count)
                try #require(isSameBytes(Array(body), letters))
                rest = rest.dropFirst(body.count)
                bodies += 1
            }
            #expect(bodies >= 9)
        }
        let stored = home.path(".cache/fetch/answers")
        let files = try FileManager.default.subpathsOfDirectory(atPath: stored)
        let size = files.reduce(0) { $0 + (home.size(".cache/fetch/answers/\($1)") ?? 0) }
        #expect(size < 7 << 20, "\(size)")
        #expect(server.requestCount > 9)
    }
}
