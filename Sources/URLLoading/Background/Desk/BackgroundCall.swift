import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A visit to a transfer process: one question after the other, each waited for on this thread.
final class BackgroundCall: Sendable {
    /// Why there is no answer.
    enum Failure: Error {
        /// It ended before it had said anything: it was just ending.
        case ended
        case failed(BackgroundError)
    }

    private struct State {
        var frames: [[UInt8]] = []
        var end: String?
    }

    /// How long an answer may take: it may have to be brought to a busy disk, and files to be copied
    /// before that.
    static let patience = DispatchTimeInterval.seconds(60)

    private let connection: BackgroundConnection
    private let queue: DispatchQueue
    private let patience: DispatchTimeInterval
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    /// Takes over a connection to which nothing has been said.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - queue: the queue on which that is used.
    ///   - patience: how long each answer may take.
    init(
        _ connection: BackgroundConnection,
        queue: DispatchQueue,
        patience: DispatchTimeInterval = patience
    ) {
        self.connection = connection
        self.queue = queue
        self.patience = patience
        queue.async { [self] in connection.begin { self.take($0) } }
    }

    /// Says who is there, and for what.
    func greet(_ identifier: BackgroundIdentifier) throws(Failure) {
        send(BackgroundHello(identifier: identifier.text, process: getpid(), purpose: .control))
        let frame = try next(isFirst: true)
        guard let hello = try? JSONDecoder().decode(BackgroundHello.self, from: Data(frame)) else {
            throw .failed(.disconnected("it says what cannot be understood"))
        }
        if let obstacle = hello.obstacle(identifier: identifier.text) { throw .failed(obstacle) }
    }

    /// Wants something, and waits for the answer.
    ///
    /// - Parameter request: one that is answered.
    /// - Returns: the answer.
    /// - Throws: why there is none.
    func ask(_ request: BackgroundRequest) throws(BackgroundError) -> BackgroundReply {
        send(request)
        return try answer()
    }

    private func answer() throws(BackgroundError) -> BackgroundReply {
        do throws(Failure) {
            let frame = try next(isFirst: false)
            if let reply = try? JSONDecoder().decode(BackgroundReply.self, from: Data(frame)) {
                return reply
            }
            throw .failed(.disconnected("it says what cannot be understood"))
        } catch {
            switch error {
            case .failed(let error): throw error
            case .ended: throw .disconnected("it has ended")
            }
        }
    }

    /// Asks how all is; of many tasks the first come before the rest.
    func status() throws(BackgroundError) -> BackgroundStatus {
        var first: [BackgroundStatus.Task] = []
        var reply = try ask(.status)
        while true {
            switch reply {
            case .added(let tasks): first += tasks
            case .status(var status):
                status.tasks = first + status.tasks
                return status
            default: throw .disconnected("it says \(reply)")
            }
            reply = try answer()
        }
    }

    /// Wants something done, and waits until it is on the disk.
    func order(_ request: BackgroundRequest) throws(URLError) {
        let reply: BackgroundReply
        do throws(BackgroundError) {
            reply = try ask(request)
        } catch {
            throw error.urlError
        }
        switch reply {
        case .done(nil): break
        case .done(let error?): throw error.urlError
        default: throw BackgroundError.disconnected("it says \(reply)").urlError
        }
    }

    /// Hangs up.
    func end() {
        queue.async { [connection] in connection.close() }
    }

    private func send(_ message: some Encodable & Sendable) {
        queue.async { [connection] in try? connection.send(message) }
    }

    private func take(_ event: BackgroundConnection.Event) {
        switch event {
        case .frame(let frame): state.withLock { $0.frames.append(frame) }
        case .room: return
        case .end(let words): state.withLock { $0.end = words }
        }
        arrival.signal()
    }

    private func next(isFirst: Bool) throws(Failure) -> [UInt8] {
        // Its end is heard of once.
        let isOver = state.withLock { $0.frames.isEmpty && $0.end != nil }
        guard isOver || arrival.wait(timeout: .now() + patience) == .success else {
            throw .failed(.disconnected("it does not answer"))
        }
        let (frame, end) = state.withLock { state in
            (state.frames.isEmpty ? nil : state.frames.removeFirst(), state.end)
        }
        if let frame { return frame }
        throw isFirst ? .ended : .failed(.disconnected(end ?? "it has hung up"))
    }
}
