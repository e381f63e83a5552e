import Foundation
import TestSupport
import Testing

@testable import URLLoading

@Suite("Background folders and locks", .timeLimit(.minutes(1)))
struct BackgroundFolderTests {
    private let session: BackgroundSession

    init() throws {
        session = try BackgroundSession()
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(session.home.path(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test("the folder is private, and refused if others can write to it")
    func modes() throws {
        let folder = try session.open()
        try folder.makeFilesFolder()
        #expect(mode("state") == 0o700)
        #expect(mode(session.name) == 0o700)
        #expect(mode(session.name + "/files") == 0o700)
        #expect(BackgroundFolder.names(in: session.root) == ["com.example.test"])
        #expect(chmod(folder.path, 0o770) == 0)
        #expect(throws: BackgroundError.self) { _ = try session.open() }
    }

    @Test("a missing folder is not created for a process that only searches")
    func absent() throws {
        let identifier = try BackgroundIdentifier("none")
        let folder = try BackgroundFolder(identifier, in: session.root, makes: false)
        let isThere = folder != nil
        #expect(!isThere)
        #expect(!session.home.exists("state"))
    }

    @Test("one process has the lock, and another can get it afterwards")
    func lock() async throws {
        let folder = try session.open()
        do {
            let lock = try BackgroundLock.take(in: folder.folder)
            let isTaken = lock != nil
            #expect(isTaken)
            let second = try BackgroundLock.take(in: folder.folder)
            let isTakenTwice = second != nil
            #expect(!isTakenTwice)
            _ = consume lock
        }
        // A process that another test is starting may have the descriptor for a moment.
        let isFree = try await eventually {
            let third = try BackgroundLock.take(in: folder.folder)
            return third != nil
        }
        #expect(isFree)
        #expect(mode(session.name + "/lock") == 0o600)
    }

    @Test("another process's lock is respected, and free when the process is killed")
    func otherProcess() async throws {
        let folder = try session.open()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        process.arguments = [folder.path + "/lock", "sh", "-c", "echo locked; exec sleep 1000"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        #expect(output.fileHandleForReading.availableData.count > 0)
        chmod(folder.path + "/lock", 0o600)
        let refused = try BackgroundLock.take(in: folder.folder)
        let isRefused = refused == nil
        #expect(isRefused)
        // The child has the descriptor too, so the lock is free only when both processes have ended.
        let pkill = Process()
        pkill.executableURL = URL(fileURLWithPath: "/usr/bin/pkill")
        pkill.arguments = ["-KILL", "-P", "\(process.processIdentifier)"]
        try pkill.run()
        pkill.waitUntilExit()
        let isFree = try await eventually {
            let lock = try BackgroundLock.take(in: folder.folder)
            return lock != nil
        }
        #expect(isFree)
    }

    @Test("a lock is handed over with its descriptor, and never free meanwhile")
    func handOver() throws {
        let folder = try session.open()
        guard let lock = try BackgroundLock.take(in: folder.folder) else {
            Issue.record("it is free")
            return
        }
        let inherited = try BackgroundLock.inherit(dup(lock.descriptor), in: folder.folder)
        _ = consume lock
        let other = try BackgroundLock.take(in: folder.folder)
        let isFree = other != nil
        #expect(!isFree)
        let number = inherited.descriptor
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        // A newly opened descriptor does not have the lock.
        let own = open(folder.path + "/lock", O_RDWR)
        #expect(throws: PrivateFileError.busy(path: folder.path + "/lock")) {
            _ = try BackgroundLock.inherit(own, in: folder.folder)
        }
        let strange = open("/dev/null", O_RDWR)
        #expect(throws: PrivateFileError.self) {
            _ = try BackgroundLock.inherit(strange, in: folder.folder)
        }
    }

    @Test("the lock's file names its holder, and malformed text names none")
    func holder() throws {
        let folder = try session.open()
        guard let lock = try BackgroundLock.take(in: folder.folder) else {
            Issue.record("it is free")
            return
        }
        #expect(BackgroundLock.holder(in: folder.folder) == nil)
        let long = LockHolder(process: 12_345, socket: "/run/user/1000/a/b/c/d", version: 1)
        try lock.describe(long)
        #expect(BackgroundLock.holder(in: folder.folder) == long)
        let short = LockHolder(process: 1, socket: "/s", version: 1)
        try lock.describe(short)
        #expect(BackgroundLock.holder(in: folder.folder) == short)
        for text in ["{", #"{"process":1,"socket":"relative","version":1}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/lock"))
            chmod(folder.path + "/lock", 0o600)
            #expect(BackgroundLock.holder(in: folder.folder) == nil)
        }
    }

    @Test("a process that waits for a removed session's lock does not get that lock")
    func removed() throws {
        let folder = try session.open()
        try folder.makeFilesFolder()
        let late = try session.open()
        guard let lock = try BackgroundLock.take(in: folder.folder) else {
            Issue.record("it is free")
            return
        }
        try session.home.write("x", to: session.name + "/files/3.part")
        folder.remove()
        _ = consume lock
        #expect(!session.home.exists(session.name))
        #expect(throws: PrivateFileError.self) { _ = try BackgroundLock.take(in: late.folder) }
        let again = try session.open()
        let fresh = try BackgroundLock.take(in: again.folder)
        let isFree = fresh != nil
        #expect(isFree)
    }

    @Test("files of unknown tasks are removed, and no others")
    func sweep() throws {
        let folder = try session.open()
        try folder.makeFilesFolder()
        for name in ["1.part", "1.part.resume", "2.part", "12.body", "note", "-1.part"] {
            try session.home.write("x", to: session.name + "/files/" + name)
        }
        folder.sweep { [1, 12].contains($0) }
        #expect(
            FolderListing.names(folder.filesPath).sorted() == [
                "1.part", "1.part.resume", "12.body",
            ]
        )
    }

    @Test("a session discarded without a process leaves no body beside a destination")
    func discards() throws {
        var task = taskRecord(1, destination: session.home.path("target"))
        var filing = BackgroundFiling()
        filing.keepsExisting = true
        task.filing = filing
        task.startsResumed = true
        let hidden = TransferFiles(session.home.path("files"), task, token: "t1").part
        try session.take { folder, _ in
            let settings = sessionSettings()
            var journaled = try found(try JournaledState.open(folder, settings: settings))
            // The name was taken during the transfer, so the task has ended with its body in place.
            let file = BackgroundFile(path: hidden, device: 1, inode: 1, size: 4)
            for input: BackgroundInput in [
                .make([task], from: 1), .received(task: 1, file: file, nil), .displaced(task: 1),
            ] {
                _ = try journaled.take([input], in: folder, at: 1)
            }
            let state = journaled.machine.state
            #expect(state.tasks[1]?.hasEnded == true)
        }
        try Data("body".utf8).write(to: URL(fileURLWithPath: hidden))
        let folders = UserFolders(program: "fetch") { name in
            name == "XDG_STATE_HOME" ? session.home.path("state") : nil
        }
        let identifier = try BackgroundIdentifier(BackgroundSession.identifier)
        #expect(try BackgroundControl(folders).send(.discard, to: identifier))
        #expect(!session.home.exists(session.name))
        #expect(!FileManager.default.fileExists(atPath: hidden))
    }
}
