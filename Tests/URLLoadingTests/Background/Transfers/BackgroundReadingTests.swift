import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Parts that the next transfer process must read, because they were written to after their resume data.
@Suite("Background parts while they are read", .timeLimit(.minutes(1)))
struct BackgroundReadingTests {
    private static let bytes = PseudoRandom.bytes(400_000)

    private let session: BackgroundSession
    private let server: SocketServer

    init() throws {
        session = try BackgroundSession()
        server = try SocketServer { connection in
            let head = try connection.readHead()
            try BackgroundDownloadTests.serve(Self.bytes, head, connection, upTo: 150_000)
            try connection.waitForPeerToClose()
        }
    }

    private var part: String { session.home.path(session.name + "/files/1.part") }

    /// Runs a task in a first process, and then starts one in which the reading of parts does not begin.
    ///
    /// - Parameters:
    ///   - isHeld: whether the task is suspended meanwhile.
    ///   - reader: called on the queue for reading, before the part is read.
    /// - Returns: the second process, and that queue.
    /// - Throws: the reason why that is impossible.
    private func restart(
        isHeld: Bool = false,
        reader: @escaping @Sendable () -> Void = {}
    ) async throws -> (TransferServer, DispatchQueue) {
        let first = try TransferServer(session)
        let client = try await first.connectClient()
        client.run(try .make(1, server.url()))
        #expect(await eventually { first.received(1) >= 150_000 })
        if isHeld {
            client.send(.suspend(tasks: [1]))
            #expect(await eventually { first.task(1)?.phase == .held })
        }
        first.terminate()
        #expect(await eventually { first.hasEnded.withLock { $0 } })
        #expect(utimensat(AT_FDCWD, part, nil, 0) == 0)
        #expect(PartReclaiming.mustBeRead(part))
        var reading: DispatchQueue?
        let second = try TransferServer(
            session,
            prepare: { transfers in
                transfers.reading.suspend()
                transfers.reading.async(execute: reader)
                reading = transfers.reading
            }
        )
        return (second, try #require(reading))
    }

    @Test("T-08 a part is handed over after it was read", arguments: [false, true])
    func handedOver(isHeld: Bool) async throws {
        let (testServer, reading) = try await restart(isHeld: isHeld)
        let client = try await testServer.connectClient()
        client.send(.cancel(tasks: [1], keepsParts: true))
        // The server's queue does not wait for the reader.
        #expect(await eventually { client.has(.done(error: nil)) })
        #expect(testServer.task(1)?.phase == .held)
        reading.resume()
        let end = try await client.waitForEnd(of: 1)
        #expect(end.error?.urlError.code == .cancelled)
        let data = try #require(end.error?.resumeData)
        #expect(try ResumeData(data).receivedBytes == 150_000)
        client.leave()
        testServer.kill()
    }

    @Test("a task that is cancelled while its part is read leaves no file")
    func cancelled() async throws {
        let (part, kept) = (part, session.home.path("kept"))
        let resume = ResumeFile(of: part).path
        let (testServer, reading) = try await restart {
            // The reader still has the files that it has opened.
            for name in ["", ".resume"] { rename(kept + name, part + name) }
        }
        #expect(link(part, kept) == 0)
        #expect(link(resume, kept + ".resume") == 0)
        let client = try await testServer.connectClient()
        client.send(.cancel(tasks: [1]))
        #expect(try await client.waitForEnd(of: 1).error?.urlError.code == .cancelled)
        reading.resume()
        reading.sync {}
        #expect(await eventually { access(part, F_OK) != 0 })
        #expect(access(resume, F_OK) != 0)
        client.leave()
        testServer.kill()
    }
}
