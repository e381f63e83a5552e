import FoundationEssentials
import Testing
import URLLoading

@testable import FetchCommand

/// The life cycle of the command's tasks, by state and event.
@Suite("Life cycle of a task")
struct FetchLifecycleTests {
    private typealias State = FetchLifecycle.State
    private static let file = ["-O", "x"]
    private static let evidence = PartComparison.Evidence()

    private func unproven(_ name: String, _ folder: ScratchFolder) throws -> UnprovenPart {
        let path = try folder.file(name, "beginning")
        return UnprovenPart(path: path, status: try #require(FileStatus(path)))
    }

    /// A task that continues a file, in the state in which the file is examined.
    private func continuing(
        _ folder: ScratchFolder,
        _ arguments: [String] = []
    ) throws -> FetchLife {
        var life = try FetchLife(["-c", "-O", "\(folder.path)/x"] + arguments)
        life.life.state = .examining
        return life
    }

    @Test("a task finds its expected digest, examines its file, starts an attempt and ends")
    func ordinary() throws {
        var life = try FetchLife()
        #expect(life.event { life, _ in life.begin() } == "find digest")
        #expect(life.state == "findingDigest")
        #expect(life.event { life, _ in life.examine() } == "examine")
        #expect(life.state == "examining")
        #expect(life.event { life, _ in life.examined(.nothing) } == "start")
        #expect(life.state == "attempting")
        #expect(life.ended(nil, 200) == "conclude success")
        #expect(life.state == "concluding")
    }

    @Test("the existing file decides how the first attempt begins")
    func examines() throws {
        let folder = try ScratchFolder()
        let part = try unproven("x.part", folder)
        let whole = try unproven("x", folder)
        let table: [(ExistingPart, [String], String, String)] = [
            (.nothing, [], "start", "attempting"),
            (.part(FetchLife.part(7)), [], "start at 7", "attempting"),
            (.unusable("it has holes"), [], "start over: it has holes", "attempting"),
            (.unproven(part), [], "compare end", "comparingEnd"),
            (.unproven(whole), [], "compare end", "comparingEnd"),
            (.unproven(part), ["-N"], "compare end", "comparingEnd"),
            (.unproven(whole), ["-N"], "start", "attempting"),
        ]
        for (examination, arguments, action, state) in table {
            var life = try continuing(folder, arguments)
            #expect(life.event { life, _ in life.examined(examination) } == action)
            #expect(life.state == state)
        }
        var anyway = try continuing(folder, ["-N"])
        anyway.life.fetchesAnyway = true
        #expect(anyway.event { life, _ in life.examined(.unproven(whole)) } == "compare end")
    }

    @Test("a continued part takes the file's name, unless another file keeps the name")
    func names() throws {
        let table: [(FileDestination.IfExists, FileDestination.IfExists)] = [
            (.number, .replace), (.replace, .replace), (.keep, .keep),
        ]
        for (before, after) in table {
            var life = try FetchLife(["-c", "-O", "nowhere.tmp"])
            life.life.naming.file?.ifExists = before
            _ = life.event { life, _ in life.examined(.part(FetchLife.part(7))) }
            #expect(life.life.naming.file?.ifExists == after)
        }
    }

    @Test("the comparison of a part's end decides about the next step")
    func comparisons() throws {
        let folder = try ScratchFolder()
        let part = try unproven("x.part", folder)
        let whole = try unproven("x", folder)
        let table: [(UnprovenPart, PartComparison.Finding, String, String)] = [
            (part, .same(Self.evidence), "take", "taking"),
            (whole, .same(Self.evidence), "take", "taking"),
            (part, .isComplete(Self.evidence), "take", "taking"),
            (whole, .isComplete(Self.evidence), "conclude complete", "concluding"),
            (part, .differs("it is newer"), "start over: \(part.path): it is newer", "attempting"),
            (part, .status(503), "pause 3.0 seconds", "pausing"),
            (part, .status(404), "conclude 404", "concluding"),
        ]
        for (part, finding, action, state) in table {
            var life = try continuing(folder)
            life.life.state = .comparingEnd(part)
            #expect(life.event { life, now in life.compared(part, finding, now: now) } == action)
            #expect(life.state == state)
        }
    }

    @Test("a complete file is compared with its digest, and fetched again if it differs")
    func wholeFile() throws {
        let folder = try ScratchFolder()
        let whole = try unproven("x", folder)
        for (differs, action) in [(false, "conclude complete"), (true, "start")] {
            var life = try continuing(folder)
            life.life.expected = try ExpectedDigest.zeros()
            let compare = life.event { life, now in
                life.compared(whole, .isComplete(Self.evidence), now: now)
            }
            #expect(compare == "compare digest")
            #expect(life.state == "comparingWhole")
            let next = life.event { life, _ in life.comparedDigest(differs: differs) }
            #expect(next == action)
            #expect(life.life.hasStartedClean == differs)
        }
    }

    @Test("a failure of the runner leads to an action, by state")
    func failures() throws {
        let folder = try ScratchFolder()
        let part = try unproven("x.part", folder)
        let pause = FetchLifecycle.Pause(
            duration: .seconds(3),
            retry: (
                FetchLife.lost, RetryWait(backoff: .seconds(3), asked: nil, longest: .zero), false
            ),
            kept: FetchLife.part(7)
        )
        let signal = TaskOutcome.interrupted(.signal(2))
        let lost = FetchLife.lost
        let own = FetchLife.unopened
        let late = TaskOutcome.timeLimit(.seconds(1))
        let kept = TaskOutcome.kept(path: "x", .found)
        let table: [(State, TaskOutcome, String)] = [
            (.findingDigest, .unproven("no list", .integrity), "conclude unproven"),
            (.findingDigest, signal, "end signal 2"),
            (.examining, .policy("--proto"), "conclude policy"),
            (.examining, kept, "conclude kept"),
            (.examining, lost, "conclude networkConnectionLost"),
            (.examining, late, "conclude time limit"),
            (.examining, signal, "end signal 2"),
            (.comparingEnd(part), lost, "pause 3.0 seconds"),
            (.comparingEnd(part), own, "conclude cannotOpenFile"),
            (.comparingEnd(part), late, "conclude time limit"),
            (.comparingEnd(part), signal, "end signal 2"),
            (.comparingWhole(path: "x"), own, "conclude cannotOpenFile"),
            (.comparingWhole(path: "x"), signal, "end signal 2"),
            (.taking, own, "conclude cannotOpenFile"),
            (.attempting, own, "conclude cannotOpenFile"),
            (.examiningAgain, .status(503), "pause 3.0 seconds"),
            (.examiningAgain, .status(404), "conclude 404"),
            (.examiningAgain, lost, "pause 3.0 seconds"),
            (.examiningAgain, late, "conclude time limit"),
            (.examiningAgain, signal, "end signal 2"),
            (.pausing(pause), own, "conclude cannotOpenFile, 7 kept"),
            (.pausing(pause), signal, "abandon signal 2, 7 kept"),
            (.pausing(pause), .interrupted(.failEarly), "abandon early, 7 kept"),
            (.concluding(kept, kept: nil), own, "conclude cannotOpenFile"),
            (.concluding(kept, kept: nil), signal, "end signal 2"),
            (.concluding(.success, kept: nil), signal, "end signal 2"),
        ]
        for (state, outcome, action) in table {
            var life = try FetchLife(Self.file)
            life.life.state = state
            #expect(life.failed(outcome) == action, "\(life.state)")
        }
    }

    @Test("a file with status 304 is fetched if its digest differs")
    func examinedAgain() throws {
        let table: [([String], Bool, String)] = [
            ([], false, "conclude notModified"),
            ([], true, "start anyway"),
            (["-c"], true, "examine"),
        ]
        for (arguments, differs, action) in table {
            var life = try FetchLife(["-N", "-O", "nowhere.tmp"] + arguments)
            life.life.state = .attempting
            #expect(life.ended(.cancelled, 304) == "examine again")
            #expect(life.state == "examiningAgain")
            let next = life.event { life, _ in life.examinedAgain(differs: differs) }
            #expect(next == action)
            guard action == "start anyway" else { continue }
            // The second such response counts.
            #expect(life.ended(.cancelled, 304) == "conclude notModified")
        }
    }

    @Test("a task with a turn waits for the tasks before it, unless it has nothing to write")
    func waitsForOthers() throws {
        let table: [(TaskOutcome, Int64, Bool, String)] = [
            (.success, 0, false, "await turn"),
            (FetchLife.unopened, 0, false, "conclude cannotOpenFile"),
            (FetchLife.unopened, 1, false, "await turn"),
            (FetchLife.unopened, 0, true, "await turn"),
        ]
        for (outcome, bytes, reports, action) in table {
            var life = try FetchLife(hasTurn: true) { $0.reports = reports }
            life.life.state = .attempting
            life.life.bytes = bytes
            let next = outcome == .success ? life.ended(nil, 200) : life.failed(outcome)
            #expect(next == action)
            guard action == "await turn" else { continue }
            // The buffered bytes are written only now, and the write may fail.
            let isSuccess = outcome == .success
            life.life.attempt.stop(.error(URLError(.cannotWriteToFile)))
            let end = life.event { life, now in life.turnBegan(now: now) }
            #expect(end == "conclude " + (isSuccess ? "cannotWriteToFile" : "cannotOpenFile"))
        }
    }

    @Test("a kept file is compared with its expected digest, unless another task fetches it")
    func keptFiles() throws {
        for (why, action) in [(KeptFile.found, "compare kept"), (.inProgress, "conclude kept")] {
            var life = try FetchLife(Self.file)
            life.life.expected = try ExpectedDigest.zeros()
            life.life.state = .examining
            #expect(life.failed(.kept(path: "x", why)) == action)
            guard why == .found else { continue }
            let end = life.event { life, _ in life.comparedDigest(differs: false) }
            #expect(end == "conclude kept")
        }
    }

    @Test("each outcome has its exit status")
    func exitStatuses() {
        let table: [(TaskOutcome, Int32)] = [
            (.success, 0), (.notModified, 0), (.alreadyComplete(path: "x"), 0),
            (.kept(path: "x", .found), 0), (FetchLife.lost, 4), (FetchLife.unopened, 3),
            (.timeLimit(.zero), 124), (.stuck, 124), (.status(401), 6), (.status(407), 6),
            (.status(404), 8), (.policy(""), 11), (.unproven("", .integrity), 10),
            (.outputClosed, 1), (.interrupted(.failEarly), 1),
        ]
        for (outcome, status) in table { #expect(outcome.exitStatus.rawValue == status) }
    }
}

extension ExpectedDigest {
    /// A digest that no body has.
    static func zeros() throws -> ExpectedDigest {
        let zeros = "sha-256:" + String(repeating: "0", count: 64)
        return try #require(try options("h/x", "-O", "x", "--checksum", zeros).checksum)
    }
}
