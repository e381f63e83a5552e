import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

@Suite("Journals on a disk that refuses them", .timeLimit(.minutes(1)))
struct JournalDiskTests {
    @Test("on a full disk no task is made, and ends are still reported", .needs(.mounts))
    func fullDisk() throws {
        let disk = try SmallDisk(kilobytes: 512)
        let session = try BackgroundSession(root: disk.path + "/background")
        let folder = try session.open()
        var journaled = try found(try JournaledState.open(folder, settings: sessionSettings()))
        _ = try journaled.begin(in: folder, at: 1)
        _ = try journaled.take(
            [.make([taskRecord(1)], from: 1), .resume(task: 1)],
            in: folder,
            at: 2
        )
        disk.fill()
        let before = journaled.machine.state
        do throws(BackgroundError) {
            _ = try journaled.take(
                [.make((2...400).map { taskRecord($0) }, from: 1)],
                in: folder,
                at: 3
            )
            Issue.record("there is no room for it")
        } catch {
            #expect(error == .full(path: session.root + "/com.example.test/journal"))
        }
        var state = journaled.machine.state
        #expect(state == before)
        // There is room for this, because it was reserved when the task was made.
        let effects = try journaled.take(
            [.received(task: 1, file: receivedFile(1), nil)],
            in: folder,
            at: 4
        )
        #expect(effects.isEmpty)
        state = journaled.machine.state
        #expect(state.counters.lastEvent == 3)
        disk.empty()
        _ = try journaled.take(
            [.make((2...400).map { taskRecord($0) }, from: 1)],
            in: folder,
            at: 5
        )
        state = journaled.machine.state
        _ = consume journaled
        let again = try found(try JournaledState.open(folder, settings: nil))
        let read = again.machine.state
        #expect(read == state)
    }

    @Test("the status of a session names the disk that its journal waits for", .needs(.mounts))
    func statusOnAFullDisk() async throws {
        let disk = try SmallDisk(kilobytes: 512)
        let session = try BackgroundSession(root: disk.path + "/background")
        let testServer = try session.start(tasks: [taskRecord(1)])
        let status = { testServer.queue.sync { testServer.inspect { $0.status } ?? nil } }
        #expect(await eventually { testServer.transfers.started == [1] })
        disk.fill()
        // It is larger than what is reserved for the ends of running tasks.
        var error = StoredError.lost
        error.detail = String(repeating: "x", count: 1 << 18)
        testServer.report(.failed(task: 1, error, nil))
        let journal = session.root + "/com.example.test/journal"
        let words = ["the disk (\(journal): no space is left on the disk)"]
        #expect(await eventually { status()?.waitsFor == words })
        disk.empty()
        #expect(await eventually { status()?.waitsFor == [] })
        #expect(status()?.undelivered == 2)
    }

    @Test("a journal that cannot be rewritten grows to twice its size before the next attempt")
    func failedRewriting() throws {
        let session = try BackgroundSession()
        let folder = try session.open()
        let first = [JournalRecord.session(settings: sessionSettings())]
        var journal = try Journal.make(first, in: folder.folder)
        let batch = [JournalRecord](repeating: .paused(isPaused: true), count: 100)
        while !journal.isMostlyHistory(whereNeeded: 4) {
            try journal.append(batch, beginsWork: false)
        }
        let before = journal.size
        // Without a folder there is no place for the new file.
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(throws: BackgroundError.self) { try journal.rewrite(first, in: folder.folder) }
        while !journal.isMostlyHistory(whereNeeded: 4) {
            try journal.append(batch, beginsWork: false)
        }
        let after = journal.size
        #expect(after > 2 * before)
    }

    @Test("a rewritten journal that may not be on the disk is broken until it is rewritten again")
    func unsynchronizedFolder() throws {
        let session = try BackgroundSession()
        let folder = try session.open()
        let first = [JournalRecord.session(settings: sessionSettings())]
        var journal = try Journal.make(first, in: folder.folder)
        // fsync(2) refuses a descriptor that only names the folder (O_PATH).
        let number = folder.folder.descriptor.rawValue
        let before = dup(number)
        let name = open(folder.path, 0o10000000 | O_DIRECTORY | O_CLOEXEC)
        #expect(dup2(name, number) == number)
        let path = folder.folder.place(Journal.name)
        #expect(throws: BackgroundError.broken(path: path)) {
            try journal.rewrite(first, in: folder.folder)
        }
        #expect(throws: BackgroundError.broken(path: path)) {
            try journal.append(first, beginsWork: false)
        }
        #expect(dup2(before, number) == number)
        try journal.rewrite(first, in: folder.folder)
        try journal.append(first, beginsWork: false)
        for copy in [name, before] { close(copy) }
    }

    @Test("a disk without space for a journal is an error that leaves no file", .needs(.mounts))
    func noRoom() throws {
        let disk = try SmallDisk(kilobytes: 64)
        let session = try BackgroundSession(root: disk.path + "/background")
        let folder = try session.open()
        disk.fill()
        #expect(throws: BackgroundError.full(path: folder.folder.place("journal"))) {
            _ = try JournaledState.open(folder, settings: sessionSettings())
        }
        #expect(FolderListing.names(folder.path) == [])
    }

    @Test("a folder that is not writable is an error", .needs(.ordinaryUser))
    func readOnly() throws {
        let session = try BackgroundSession()
        let folder = try session.open()
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        #expect(throws: BackgroundError.self) {
            _ = try JournaledState.open(folder, settings: sessionSettings())
        }
    }
}
