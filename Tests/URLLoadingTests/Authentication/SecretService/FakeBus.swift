import Glibc
import Synchronization
import SystemPackage
import TestSupport

@testable import URLLoading

/// A socket in the place of a bus, with a test's closure at its other end.
final class FakeBus: Sendable {
    /// Its address in D-Bus form.
    let address: String
    /// The path of its socket.
    let path: String
    private let folder: TestSupport.TemporaryFolder
    private let listener: CInt
    private let count = Mutex(0)

    /// The number of connections.
    var connections: Int { count.withLock { $0 } }

    /// Calls a closure with each connection, on a thread of its own; the connection closes at its return.
    init(_ serve: @escaping @Sendable (CInt) -> Void) throws {
        folder = try TemporaryFolder("bus")
        path = folder.path("bus")
        address = MessageBus.address(ofSocket: path)
        listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(listener, 16) == 0 else { throw Errno(rawValue: errno) }
        Self.thread { [weak self, listener] in
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 {
                    if errno == EINVAL { break }
                    continue
                }
                self?.count.withLock { $0 += 1 }
                Self.thread {
                    serve(connection)
                    close(connection)
                }
            }
            // Closed by its own thread: another bus may get the number at once.
            close(listener)
        }
    }

    /// Ends `accept` with `EINVAL`.
    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
    }

    /// Runs a blocking closure on a thread of its own.
    static func thread(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body)).toOpaque()
        let isMade = pthread_create(
            &thread,
            nil,
            { box in
                if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
                return nil
            },
            box
        )
        if isMade == 0 { pthread_detach(thread) }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
