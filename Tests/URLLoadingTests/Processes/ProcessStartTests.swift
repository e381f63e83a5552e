import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

// In series: a caller that leaves a process waits for those of others, too.
@Suite("Started processes", .serialized, .timeLimit(.minutes(1)))
struct ProcessStartTests {
    private let home: TestSupport.TemporaryFolder

    init() throws {
        home = try TestSupport.TemporaryFolder("processes")
    }

    /// Runs a script, and returns what it has printed, line by line.
    private func lines(
        of script: String,
        in group: ProcessStart.Group = .shared,
        _ variables: [String: String] = [:]
    ) throws -> [String] {
        let file = try FileDescriptor.open(
            home.path("out"),
            .writeOnly,
            options: [.create, .truncate],
            permissions: .ownerReadWrite
        )
        defer { try? file.close() }
        var start = ProcessStart(
            "sh",
            ["sh", "-c", script],
            descriptors: [.null, .duplicate(file), .same],
            group: group
        )
        start.variables = variables
        #expect(Children.wait(for: try start.start()) == 0)
        return (home.readText("out") ?? "").split(separator: "\n").map(String.init)
    }

    @Test("a process has the given descriptors, and none that this program left open")
    func descriptors() throws {
        let left = dup(2)
        defer { close(left) }
        let numbers = "0 1 2 3 4 5 \(left)"
        let links = try lines(of: "for n in \(numbers); do readlink /proc/$$/fd/$n || echo -; done")
        let ours = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/2")
        #expect(links == ["/dev/null", home.path("out"), ours, "-", "-", "-", "-"])
    }

    @Test(
        "a process of this group ignores the signals that this program ignores, and no other does"
    )
    func signals() throws {
        // The default action for this signal is to ignore it.
        signal(SIGURG, SIG_IGN)
        defer { signal(SIGURG, SIG_DFL) }
        signal(SIGPIPE, SIG_IGN)
        let all: UInt64 = (1 << 31) - 1
        func masks(_ group: ProcessStart.Group) throws -> [UInt64] {
            // A shell blocks signals at times; the program that it executes does not.
            try lines(of: "exec sed -n '/^Sig[BI]/s/.*\t//p' /proc/self/status", in: group)
                .compactMap { UInt64($0, radix: 16) }.map { $0 & all }
        }
        let shared = try masks(.shared)
        try #require(shared.count == 2)
        #expect(shared[0] == 0)
        #expect(shared[1] & 1 << (SIGURG - 1) != 0)
        #expect(shared[1] & 1 << (SIGPIPE - 1) == 0)
        #expect(try masks(.own) == [0, 0])
        #expect(try masks(.session) == [0, 0])
    }

    @Test("a process has its own group or session where the caller asks for it")
    func groups() throws {
        let script =
            #"read -r line </proc/$$/stat; set -- ${line##*)}; echo "$$"; echo "$3"; echo "$4""#
        let shared = try lines(of: script, in: .shared)
        #expect(shared.dropFirst() == ["\(getpgrp())", "\(getsid(0))"])
        let own = try lines(of: script, in: .own)
        #expect(own == [own[0], own[0], "\(getsid(0))"])
        let session = try lines(of: script, in: .session)
        #expect(session == [session[0], session[0], session[0]])
    }

    @Test("a given variable replaces the inherited one of that name")
    func variables() throws {
        let path = try #require(getenv("PATH").map { String(cString: $0) })
        let script = "echo $PATH; echo $A"
        #expect(try lines(of: script) == [path])
        #expect(try lines(of: script, in: .own, ["A": "a=b"]) == [path, "a=b"])
        #expect(try lines(of: script, in: .own, ["PATH": "/nowhere"]) == ["/nowhere"])
    }

    @Test("a start that fails names the reason of whichever step failed")
    func failures() {
        var start = ProcessStart("/nowhere/program", ["x"], descriptors: [], group: .own)
        #expect(throws: Errno.noSuchFileOrDirectory) { try start.start() }
        start.executable = "/bin/true"
        start.descriptors = [.null, .duplicate(FileDescriptor(rawValue: 1_000_000))]
        #expect(throws: Errno.badFileDescriptor) { try start.start() }
        start.descriptors = [.duplicate(FileDescriptor(rawValue: -1))]
        #expect(throws: Errno.badFileDescriptor) { try start.start() }
    }

    @Test("a process that the caller leaves is no zombie after its end")
    func left() async throws {
        let start = ProcessStart(
            "sh",
            ["sh", "-c", "read -r line"],
            descriptors: [.null],
            group: .session
        )
        let processes = try (1...3).map { _ in try start.start() }
        for process in processes { Children.detach(process) }
        for process in processes {
            #expect(await eventually { access("/proc/\(process)", F_OK) != 0 })
            #expect(Children.wait(for: process) == nil)
        }
    }

    @Test("the next process left clears the zombie of one whose end nothing could watch")
    func unwatched() async throws {
        let start = ProcessStart("true", ["true"], descriptors: [], group: .session)
        let first = try start.start()
        Children.addUnattended(first)
        // A watched process of another test may end now, and clear this test's zombie.
        let hasEnded = await eventually {
            Self.isZombie(first) || access("/proc/\(first)", F_OK) != 0
        }
        #expect(hasEnded)
        Children.detach(try start.start())
        #expect(access("/proc/\(first)", F_OK) != 0)
    }

    private static func isZombie(_ process: pid_t) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.contains(") Z ") == true
    }
}
