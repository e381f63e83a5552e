import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Transfer processes", .timeLimit(.minutes(2)))
struct TransferProcessTests {
    private let session: BackgroundSession
    private let identifier: BackgroundIdentifier

    init() throws {
        session = try BackgroundSession()
        identifier = try BackgroundIdentifier(BackgroundSession.identifier)
    }

    /// Starts a transfer process, with a journal that a program would have written.
    private func start(_ tasks: [BackgroundTaskRecord], journal: String? = nil) throws {
        try session.take { folder, lock in
            if let journal {
                try session.home.write(journal, to: session.name + "/journal")
                chmod(session.home.path(session.name + "/journal"), 0o600)
            } else {
                var settings = sessionSettings()
                settings.configuration = try TransferServer.configuration().settings.stored
                var journaled = try found(
                    try JournaledState.open(folder, settings: settings, limit: 0)
                )
                let orders = tasks.map { BackgroundInput.resume(task: $0.identifier) }
                if !tasks.isEmpty {
                    let inputs = [.make(tasks, from: 0)] + orders
                    _ = try journaled.take(inputs, in: folder, at: WallClock.now)
                }
            }
            _ = try TransferProcess.start(
                identifier,
                in: session.root,
                lock: lock,
                program: try FetchProcess.executable()
            )
        }
    }

    private func attach() async throws -> (program: SocketClient, process: Int32) {
        let found = try BackgroundClient.search(
            identifier,
            in: session.root,
            makes: false,
            hasStarted: true
        )
        guard case .alive(let socket) = consume found else {
            throw BackgroundError.disconnected("no process is there")
        }
        let client = SocketClient(socket)
        client.begin(.attach)
        #expect(await eventually { client.isReady })
        return (client, socket.process)
    }

    /// Waits for the end of a child process.
    private func status(of process: Int32) async -> Int32? {
        var status: Int32 = -1
        let hasEnded = await eventually(within: .seconds(20)) {
            waitpid(process, &status, WNOHANG) == process
        }
        return hasEnded ? status : nil
    }

    @Test("B-01 a terminated process keeps its part, and the next one continues it")
    func whole() async throws {
        let bytes = PseudoRandom.bytes(400_000)
        let mayGo = Flag()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let end = mayGo.isUp ? nil : 150_000
            try BackgroundDownloadTests.serve(bytes, head, connection, upTo: end)
            if !mayGo.isUp { try connection.waitForPeerToClose() }
        }
        try start([.make(1, server.url())])
        let part = session.name + "/files/1.part"
        #expect(await eventually { session.home.size(part) == 150_000 })
        let (first, process) = try await attach()
        let folder = try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process)/cwd"
        )
        #expect(folder == "/")
        #expect(getsid(process) == process)
        #expect(FileStatus(session.home.path(part))?.isOurs == true)
        first.leave()
        #expect(kill(process, SIGTERM) == 0)
        #expect(await status(of: process) == 0)
        #expect(session.home.size(part) == 150_000)
        #expect(session.home.exists(part + ".resume"))
        mayGo.raise()
        try start([])
        let (second, next) = try await attach()
        let file = try #require(await second.file(of: 1))
        #expect(isSameBytes(session.home.read(file.relative(to: session.home)), bytes))
        let ranges = server.heads.map { $0["Range"] ?? "-" }
        #expect(ranges == ["-", "bytes=150000-"])
        #expect(await eventually { second.deliveries.count == 3 })
        second.send(.acknowledge(sequence: 3))
        second.leave()
        #expect(await status(of: next) == 0)
        #expect(!session.home.exists(session.name))
    }

    @Test("the program that started the process gets the journal's error")
    func newerJournal() async throws {
        let line = #"{"format":"URLLoading background journal","version":99}"#
        try start([], journal: line + "\n")
        do {
            _ = try await attach()
            Issue.record("that cannot be read")
        } catch let error as BackgroundError {
            #expect("\(error)".contains("version 99"))
            #expect(error.urlError.code == .cannotOpenFile)
        }
        #expect(session.home.readText(session.name + "/journal") == line + "\n")
    }
}
