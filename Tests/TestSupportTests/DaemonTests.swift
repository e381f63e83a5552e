import Foundation
import Testing

@testable import TestSupport

@Suite
struct DaemonTests {
    private func shell(_ script: String, in folder: TemporaryFolder) -> Daemon {
        Daemon(program: "/bin/sh", arguments: ["-c", script], folder: folder)
    }

    @Test
    func reportsWhyItDidNotStart() throws {
        let folder = try TemporaryFolder("daemon")
        var daemon = shell("echo printed; echo logged >log; exit 1", in: folder)
        daemon.logs = ["log"]
        #expect(
            throws: TestSupportError.programFailed("/bin/sh", output: "printed\nlogged\n")
        ) {
            try daemon.start { _ in false }
        }
    }

    @Test
    func killsAProcessThatDoesNotGetReady() throws {
        let folder = try TemporaryFolder("daemon")
        var daemon = shell("trap '' TERM; sleep 100", in: folder)
        daemon.limit = .milliseconds(50)
        var process: pid_t = 0
        #expect(throws: TestSupportError.self) {
            try daemon.start {
                process = $0
                return false
            }
        }
        #expect(kill(process, 0) != 0)
    }

    @Test
    func takesOtherPortsWhenOneIsTaken() throws {
        var tries: [[Int]] = []
        let ports = try Daemon.onFreePorts(3) { ports in
            tries.append(ports)
            guard tries.count > 2 else {
                throw TestSupportError.programFailed("server", output: "Address already in use")
            }
            return ports
        }
        #expect(tries.count == 3)
        #expect(tries.last == ports)
        #expect(Set(ports).count == 3)
        #expect(throws: TestSupportError.missingProgram("server")) {
            try Daemon.onFreePorts(1) { _ in throw TestSupportError.missingProgram("server") }
        }
    }

    @Test
    func seesTheListeningProcess() throws {
        let listener = try SocketListener()
        #expect(Daemon.isListening(getpid(), on: listener.port))
        #expect(!Daemon.isListening(1, on: listener.port))
    }
}
