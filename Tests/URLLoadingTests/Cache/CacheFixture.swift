import FoundationEssentials
import Synchronization
import TestSupport

@testable import URLLoading

/// A test's own cache on disk, and sessions with it.
struct CacheFixture {
    private let folder: TestSupport.TemporaryFolder
    let cache: URLCache

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        cache = URLCache(
            memoryCapacity: 0,
            diskCapacity: 64 << 20,
            directory: URL(filePath: folder.path + "/cache")
        )
    }

    func session(_ delegate: (any URLSessionDelegate)? = nil) throws -> URLSession {
        try URLSession.testing(delegate) { $0.urlCache = cache }
    }

    /// A server that calls the test's closure with each request and the number of earlier requests.
    static func server(
        _ respond: @escaping @Sendable (SocketConnection, HTTPHead, Int) throws -> Void
    ) throws -> SocketServer {
        let count = Counter()
        return try SocketServer { connection in
            while let head = try connection.nextHead() {
                try respond(connection, head, count.next())
            }
        }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                defer { count += 1 }
                return count
            }
        }
    }
}
