import Foundation
import Synchronization
import TestSupport
import Testing

/// Bodies that are sent again after a failed attempt: completely, or not at all.
@Suite("Retried uploads", .timeLimit(.minutes(2)))
struct RetriedUploadTests {
    /// A server that fails the first time as `fail` says, and keeps the body of the second time.
    private final class Keeper: Sendable {
        private let bodies = Mutex<[[UInt8]]>([])

        var kept: [UInt8]? { bodies.withLock { $0.last } }

        func keep(_ body: [UInt8]) {
            bodies.withLock { $0.append(body) }
        }

        func server(
            receiveBuffer: Int? = nil,
            _ fail: @escaping @Sendable (SocketConnection, HTTPHead) throws -> Void
        ) throws -> SocketServer {
            try SocketServer(receiveBuffer: receiveBuffer) { [self] connection in
                let head = try connection.readHead()
                guard connection.number > 0 else { return try fail(connection, head) }
                let body = try connection.readBody(head)
                keep(body)
                try connection.respond("201 Created")
            }
        }
    }

    private static let busy = "503 Service Unavailable"
    private static let quick = ["--waitretry", "0.05"]

    @Test(
        "T-15 fetch sends a body from a pipe, a FIFO or a file again from its first byte",
        arguments: [
            ["--upload-file", "-"], ["--upload-file", "file"], ["--upload-file", "fifo"],
        ],
        [true, false]
    )
    func again(arguments: [String], isReset: Bool) async throws {
        let keeper = Keeper()
        let server = try keeper.server(receiveBuffer: 4_096) { connection, head in
            if isReset {
                _ = try connection.read(exactly: 100_000)
                return connection.reset()
            }
            _ = try connection.readBody(head)
            try connection.respond(Self.busy)
        }
        let folder = try TemporaryFolder("retried")
        let body = PseudoRandom.bytes(3_000_000, seed: 11)
        try folder.write(body, to: "file")
        let result = try await FetchProcess(
            shell: #"""
                mkfifo fifo pipe
                cat file >fifo 2>/dev/null & one=$!
                cat file >pipe 2>/dev/null & other=$!
                "$FETCH" "$@" <pipe
                status=$?
                kill $one $other 2>/dev/null
                exit $status
                """#,
            Self.quick + arguments + [server.url("/x")],
            in: folder
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(keeper.kept, body))
        #expect(server.requestCount == 2)
    }

    @Test("T-15 input that was not read when the first attempt failed is sent with the rest")
    func halfRead() async throws {
        let keeper = Keeper()
        let server = try keeper.server { connection, _ in
            _ = try connection.read(exactly: 50_000)
            connection.reset()
        }
        let process = try FetchProcess(
            Self.quick + ["--upload-file", "-", server.url("/x")],
            input: .pipe
        ).start()
        let body = PseudoRandom.bytes(300_000, seed: 12)
        try await process.write(Array(body[..<150_000]))
        try await process.waitForStderr("trying again")
        try await process.write(Array(body[150_000...]))
        process.closeInput()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(keeper.kept, body))
    }

    @Test("fetch ends with status 13 past --spool-limit, and reports the second attempt's reason")
    func limit() async throws {
        let keeper = Keeper()
        let server = try keeper.server { connection, head in
            _ = try connection.readBody(head)
            try connection.respond(Self.busy)
        }
        let result = try await FetchProcess(
            Self.quick + ["--spool-limit", "64k", "--upload-file", "-", server.url("/x")],
            input: .bytes(PseudoRandom.bytes(100_000))
        ).run()
        #expect(result.status == 13, "\(result)")
        #expect(result.stderr.contains("longer than the limit of 65536 bytes"))
        #expect(result.stderr.contains("503 Service Unavailable"))
        #expect(server.requestCount == 1)
        #expect(keeper.kept == nil)
    }

    @Test(
        "a file that has changed since is not sent again: status 13",
        arguments: [["--upload-file", "file"], ["-X", "PUT", "-F", "f=@file"]]
    )
    func changed(arguments: [String]) async throws {
        let folder = try TemporaryFolder("retried")
        try folder.write("first", to: "file")
        let keeper = Keeper()
        let path = folder.path("file")
        let server = try keeper.server { connection, head in
            _ = try connection.readBody(head)
            try Data("other".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            try connection.respond(Self.busy)
        }
        let result = try await FetchProcess(
            Self.quick + arguments + [server.url("/x")],
            in: folder
        ).run()
        #expect(result.status == 13, "\(result)")
        #expect(result.stderr.contains("file has changed since it was first sent"))
        #expect(keeper.kept == nil)
    }

    @Test(
        "data and forms from pipes are sent again unchanged",
        arguments: [["-d", "@-"], ["-F", "f=@-"]]
    )
    func data(arguments: [String]) async throws {
        let keeper = Keeper()
        let first = Keeper()
        let server = try keeper.server { connection, head in
            let body = try connection.readBody(head)
            first.keep(body)
            try connection.respond(Self.busy)
        }
        let result = try await FetchProcess(
            Self.quick + ["-X", "PUT"] + arguments + [server.url("/x")],
            input: .text("some text")
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(keeper.kept, first.kept ?? []))
        #expect(keeper.kept?.isEmpty == false)
    }
}
