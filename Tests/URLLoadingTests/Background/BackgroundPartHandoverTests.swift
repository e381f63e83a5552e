import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// The parts of incomplete downloads, and the processes that continue them.
@Suite("Background parts and resume data")
final class BackgroundPartHandoverTests {
    private var machine = BackgroundStateMachine(
        BackgroundState([.session(settings: sessionSettings())]),
        limit: 2
    )
    private let data = Data("resume data".utf8)

    @discardableResult
    private func take(_ inputs: BackgroundInput..., at now: Int64 = 10) -> [BackgroundEffect] {
        machine.take(inputs, at: now).effects
    }

    private var error: StoredError? {
        guard case .completed(_, let error, _, _)? = machine.state.events[1]?.event else {
            return nil
        }
        return error
    }

    @Test("T-08 a task that is cancelled for its resume data ends after its part was handed over")
    func cancelled() {
        take(.make([taskRecord(1)], from: 1), .resume(task: 1))
        #expect(take(.cancelKeepingPart(task: 1)) == [.stop(task: 1), .handOverPart(task: 1)])
        #expect(take(.cancelKeepingPart(task: 1)) == [])
        #expect(!machine.isIdle)
        // Meanwhile, the task does not start again, and no other request ends it.
        #expect(take(.resumeAll) == [])
        #expect(take(.partHandedOver(task: 1, resumeData: data)).first == .cancel(task: 1))
        #expect(error?.urlError.code == .cancelled)
        #expect(error?.urlError.downloadTaskResumeData == data)
        #expect(take(.partHandedOver(task: 1, resumeData: data)) == [])
        #expect(machine.isIdle)
        // A process that crashes in between leaves the task held.
        take(.make([taskRecord(2)], from: 1), .resume(task: 2), .cancelKeepingPart(task: 2))
        #expect(BackgroundStateMachine(machine.state).state.tasks[2]?.phase == .held)
    }

    @Test("T-08 a part beside the user's file, or of an ended task, is not handed over")
    func notHandedOver() {
        let record = taskRecord(1, destination: "/home/me/file")
        take(.make([record, taskRecord(2)], from: 1), .resume(task: 1), .resume(task: 2))
        #expect(take(.cancelKeepingPart(task: 1)).first == .cancel(task: 1))
        #expect(error?.resumeData == nil)
        take(.cancelKeepingPart(task: 2), .cancel(task: 2))
        #expect(machine.state.tasks[2]?.hasEnded == true)
        #expect(take(.partHandedOver(task: 2, resumeData: data)) == [])
    }

    @Test("T-08 a task that exceeds its time limit ends with its resume data")
    func late() {
        take(.make([taskRecord(1, deadline: 100, made: 10)], from: 1), .resume(task: 1))
        #expect(take(.tick, at: 100) == [.stop(task: 1), .handOverPart(task: 1)])
        take(.partHandedOver(task: 1, resumeData: data), at: 101)
        #expect(error?.urlError.code == .timedOut)
        #expect(error?.urlError.downloadTaskResumeData == data)
    }

    @Test("a part with a destination is kept too when the time limit is exceeded")
    func lateElsewhere() {
        let record = taskRecord(1, destination: "/home/me/file", deadline: 100, made: 10)
        take(.make([record], from: 1), .resume(task: 1))
        #expect(take(.tick, at: 100) == [.stop(task: 1), .handOverPart(task: 1)])
    }

    @Test("a blocked task is held until it is resumed, also in the next process")
    func blocked() {
        let full = StoredError(URLError(.cannotWriteToFile, detail: "/x: No space left on device"))
        take(.make([taskRecord(1, destination: "/x")], from: 1), .resume(task: 1))
        take(.blocked(task: 1, full))
        #expect(machine.state.tasks[1]?.phase == .held)
        #expect(machine.state.tasks[1]?.blocker == full)
        // No task can continue, and the task without a file counts as failed.
        #expect(
            machine.state.events[1]?.event
                == .allDone(counts: BackgroundCounts(succeeded: 0, failed: 1))
        )
        #expect(machine.isIdle)
        machine = BackgroundStateMachine(BackgroundState(machine.state.history), limit: 2)
        let listed = BackgroundStatus(machine, process: nil)?.with(machine)
        #expect(listed?.tasks.first?.lastError == full)
        #expect(take(.resumeAll).count == 1)
        #expect(machine.state.tasks[1]?.blocker == nil)
        // A hold by request has no error.
        take(.suspend(task: 1))
        #expect(machine.state.tasks[1]?.blocker == nil)
    }

    @Test("a task is held while its body cannot be moved, and moves it when resumed")
    func blockedMove() throws {
        let file = BackgroundFile(path: "/files/1.whole", device: 1, inode: 1, size: 4)
        let error = StoredError(URLError(.cannotMoveFile, detail: "/x is a directory"))
        take(.make([taskRecord(1, destination: "/x")], from: 1), .resume(task: 1))
        take(.received(task: 1, file: file, nil))
        #expect(take(.blocked(task: 1, error)).contains(.keepHead(task: 1, nil)))
        #expect(machine.state.tasks[1]?.phase == .held)
        #expect(machine.state.tasks[1]?.blocker == error)
        #expect(machine.isIdle)
        #expect(take(.resumeAll).count == 1)
        take(.received(task: 1, file: file, nil), .placed(task: 1))
        #expect(machine.state.tasks[1]?.hasEnded == true)
    }

    @Test("a part is left beside its file under a free name, and replaces no other bytes")
    func beside() throws {
        let home = try TestSupport.TemporaryFolder("beside")
        func leave(_ text: String, replacing: Bool) throws -> String? {
            let path = try home.write(text, to: ".fetch-t-1.part")
            var known = try ResumeData(
                Data(
                    #"""
                    {"format":"URLLoading resume data","version":1,"url":"http://h.test/","fields":[],
                    "entityTag":"\"one\"","receivedBytes":\#(text.utf8.count),"partFile":"/1.part"}
                    """#.utf8
                )
            )
            known.identity = FileStatus(path)?.identity
            let left = PartReclaiming.leave(
                known,
                from: path,
                beside: home.path("file"),
                replaces: replacing
            )
            guard case .partFile(let part)? = left?.file else { return nil }
            #expect(try ResumeFile(of: part).read() == left)
            return part.split(separator: "/").last.map(String.init)
        }
        #expect(try leave("1234", replacing: true) == "file.part")
        // The earlier part is shorter, so it is replaced.
        #expect(try leave("12345", replacing: true) == "file.part")
        #expect(try leave("123", replacing: true) == "file.1.part")
        try home.write("the user's", to: "file")
        try home.write("the user's", to: "file.2.part")
        #expect(try leave("123456", replacing: false) == "file.1.part")
        #expect(try leave("12", replacing: false) == "file.3.part")
        #expect(home.readText("file.part") == "12345")
        #expect(home.readText("file.1.part") == "123456")
        #expect(home.readText("file.2.part") == "the user's")
        #expect(home.readText("file.3.part") == "12")
    }

    @Test("T-08 only the part that the resume data names is taken over")
    func parts() throws {
        let home = try TestSupport.TemporaryFolder("parts")
        let path = try home.write("0123456789", to: "1.part")
        var known = try ResumeData(
            Data(
                #"""
                {"format":"URLLoading resume data","version":1,"url":"http://h.test/","fields":[],
                "entityTag":"\"one\"","receivedBytes":10,"partFile":"/1.part"}
                """#.utf8
            )
        )
        known.identity = FileStatus(path)?.identity
        let left = try #require(PartReclaiming.leave(known, from: path, in: home.path(".parts")))
        guard case .temporary(let name) = left.file else {
            Issue.record("\(left.file)")
            return
        }
        #expect(!home.exists("1.part"))
        #expect(home.readText(".parts/\(name)") == "0123456789")
        var wanted = left
        wanted.file = .partFile(home.path(".parts/\(name)"))
        #expect(wanted.returned == left)
        let taken = try #require(PartReclaiming.adopt(wanted, as: home.path("2.part")))
        #expect(taken.file == .partFile(home.path("2.part")))
        #expect(home.readText("2.part") == "0123456789")
        #expect(PartReclaiming.resumeData(of: home.path("2.part"))?.receivedBytes == 10)
        // The part exists only once.
        #expect(PartReclaiming.adopt(wanted, as: home.path("3.part")) == nil)
        #expect(wanted.returned == nil)
        // A file of another name is never taken, whatever the resume data says.
        wanted.file = .partFile(home.path("2.part"))
        wanted.identity = taken.identity
        #expect(PartReclaiming.adopt(wanted, as: home.path("3.part")) == nil)
        #expect(home.names().sorted() == [".parts", "2.part", "2.part.resume"])
    }
}
