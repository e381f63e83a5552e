import Foundation
import TestSupport
import Testing

@testable import URLLoading

// The place of a socket, and the users that may connect to it.
extension BackgroundSocketTests {
    @Test("a listener can have a path of any length")
    func longPath() async throws {
        let name = String(repeating: "x", count: 100)
        let address = SocketAddress(path: folder.path("\(name)/\(name)/socket"))
        let log = Log()
        let (listener, _) = try listen(address, log)
        let connection = try #require(try reach(address))
        client.sync {
            connection.begin { _ in }
            try? connection.send(BackgroundRequest.status)
        }
        #expect(await eventually { log.count == 1 })
        #expect(mode(address.path) == 0o600)
        client.sync { connection.close() }
        queue.sync { listener.close() }
        #expect(!folder.exists("\(name)/\(name)/socket"))
    }

    @Test("the socket is in the runtime folder, or else in the session's folder")
    func places() {
        let address = SocketAddress.place(for: "/state/a") {
            $0 == "XDG_RUNTIME_DIR" ? "/run/1" : nil
        }
        #expect(address.folder == "/run/1/fetch")
        #expect(FolderTrust.name(of: address.path).hasPrefix("background-"))
        let other = SocketAddress.place(for: "/state/b") {
            $0 == "XDG_RUNTIME_DIR" ? "/run/1" : nil
        }
        #expect(address != other)
        for value in [nil, "", "relative"] {
            let address = SocketAddress.place(for: "/state/a") { _ in value }
            #expect(address.path == "/state/a/socket")
        }
    }

    @Test("a listener refuses a folder that others can write to")
    func unsafeFolder() throws {
        try folder.makeFolder("open")
        chmod(folder.path("open"), 0o777)
        #expect(throws: BackgroundError.self) {
            _ = try listen(SocketAddress(path: folder.path("open/socket")))
        }
        #expect(!folder.exists("open/socket"))
    }

    @Test("another user is refused, whatever the file modes", .needs(.root))
    func otherUser() async throws {
        let address = SocketAddress(path: folder.path("run/socket"))
        let (listener, taken) = try listen(address)
        for path in [folder.path, folder.path("run")] { chmod(path, 0o755) }
        chmod(address.path, 0o666)
        func run(_ words: String...) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=65534", "--regid=65534", "--clear-groups"] + words + [address.path]
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        // The other user may open the socket, and is disconnected at once. curl reports an empty reply
        // (52), a failed send or receive (55, 56), or no connection (7).
        #expect(try run("test", "-w") == 0)
        let status = try run("curl", "-s", "-m", "20", "http://x/", "--unix-socket")
        #expect([7, 52, 55, 56].contains(status))
        #expect(taken.first == nil)
        queue.sync { listener.close() }
    }
}
