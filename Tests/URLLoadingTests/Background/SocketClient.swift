import Dispatch
import Foundation
import Synchronization

@testable import URLLoading

/// A connected client.
final class SocketClient: Sendable {
    private let queue = SerialQueue("program")
    private let connection: BackgroundConnection
    private let replies = Mutex<[BackgroundReply]>([])
    private let handshakes = Mutex(0)
    private let hasEnded = Mutex(false)

    /// Takes over a connected socket.
    init(_ socket: PeerSocket) {
        connection = BackgroundConnection(socket, queue: queue)
    }

    func begin(
        _ purpose: BackgroundHandshake.Purpose,
        seen: BackgroundCursor? = nil,
        version: Int = BackgroundHandshake.version
    ) {
        var handshake = BackgroundHandshake(
            identifier: BackgroundSession.identifier,
            process: getpid(),
            purpose: purpose,
            cursor: seen
        )
        handshake.version = version
        queue.sync { [handshake] in
            connection.begin { [self] event in take(event) }
            try? connection.send(handshake)
        }
    }

    private func take(_ event: BackgroundConnection.Event) {
        switch event {
        case .frame(let frame):
            if let reply = try? JSONDecoder().decode(BackgroundReply.self, from: Data(frame)) {
                replies.withLock { $0.append(reply) }
            } else {
                handshakes.withLock { $0 += 1 }
            }
        case .room: break
        case .end: hasEnded.withLock { $0 = true }
        }
    }

    func send(_ request: BackgroundRequest) {
        queue.sync { try? connection.send(request) }
    }

    func stopReading() {
        queue.sync { connection.setReading(false) }
    }

    func resumeReading() {
        queue.sync { connection.setReading(true) }
    }

    func leave() {
        queue.sync { connection.close() }
    }

    var deliveries: [BackgroundDelivery] {
        replies.withLock { replies in
            replies.compactMap { reply in
                if case .event(let delivery) = reply { delivery } else { nil }
            }
        }
    }

    /// The numbers of the received tasks, page by page.
    var pages: [[Int]] {
        replies.withLock { replies in
            replies.compactMap { reply in
                if case .tasks(let tasks) = reply { tasks.map(\.number) } else { nil }
            }
        }
    }

    /// The phases of the received tasks.
    var phases: [BackgroundPhase] {
        replies.withLock { replies in
            replies.flatMap { reply -> [BackgroundPhase] in
                if case .tasks(let tasks) = reply { tasks.map(\.phase) } else { [] }
            }
        }
    }

    var hasHandshake: Bool { handshakes.withLock { $0 > 0 } }

    var isOver: Bool { hasEnded.withLock { $0 } }

    func has(_ reply: BackgroundReply) -> Bool { replies.withLock { $0.contains(reply) } }

    var isReady: Bool {
        replies.withLock { replies in
            replies.contains { if case .attached = $0 { true } else { false } }
        }
    }
}
