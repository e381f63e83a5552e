import Synchronization
import TestSupport

/// A server with an entity tag that the test can change; it records all requests.
final class TaggedOrigin: Sendable {
    let server: SocketServer
    let changed = Switch()

    init(tag: String) throws {
        let changed = changed
        server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let current = changed.isOpen ? tag.replacing("1", with: "2") : tag
                let lines = ["ETag: \(current)", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]
                if head["If-None-Match"] == current {
                    try connection.send("HTTP/1.1 304 Not Modified\r\nETag: \(current)\r\n\r\n")
                } else {
                    try connection.respond(
                        "200 OK",
                        lines,
                        body: changed.isOpen ? "the second" : "the first"
                    )
                }
            }
        }
    }
}

/// A signal from a test to its server.
final class Switch: Sendable {
    private let state = Atomic(false)

    var isOpen: Bool { state.load(ordering: .acquiring) }

    func open() {
        state.store(true, ordering: .releasing)
    }
}
