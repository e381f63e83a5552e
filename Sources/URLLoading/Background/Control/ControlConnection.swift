import FoundationEssentials
import Glibc
import SystemPackage

/// A control client's connection to a transfer process: one question after the other, each waited for
/// on this thread.
struct ControlConnection: ~Copyable {
    /// Why there is no answer.
    enum Failure: Error {
        /// It ended before it had said anything: it was just ending.
        case ended
        case failed(BackgroundError)
    }

    /// How long an answer may take: it may have to be brought to a busy disk, and files to be copied
    /// before that.
    static let timeout = Duration.seconds(60)

    private let socket: FileDescriptor
    private let timeout: Duration
    private var reader = FrameReader()

    /// Takes over a socket on which nothing has been said.
    ///
    /// - Parameters:
    ///   - socket: closed by this.
    ///   - timeout: how long each answer may take.
    init(_ socket: PeerSocket, timeout: Duration = timeout) {
        self.socket = socket.descriptor
        self.timeout = timeout
    }

    deinit {
        try? socket.close()
    }

    /// Says who is there, and for what.
    mutating func shakeHands(_ identifier: BackgroundIdentifier) throws(Failure) {
        let deadline = ContinuousClock.now + timeout
        let hello = BackgroundHandshake(
            identifier: identifier.text,
            process: getpid(),
            purpose: .control
        )
        try send(hello, until: deadline)
        let frame = try next(until: deadline, isFirst: true)
        guard let hello = try? JSONDecoder().decode(BackgroundHandshake.self, from: Data(frame))
        else {
            throw .failed(.disconnected("it says what cannot be understood"))
        }
        if let obstacle = hello.obstacle(identifier: identifier.text) { throw .failed(obstacle) }
    }

    /// Asks how all is; of many tasks the first come before the rest.
    mutating func status() throws(BackgroundError) -> BackgroundStatus {
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
            reply = try ask(nil)
        }
    }

    /// Wants something done, and waits until it is on the disk.
    mutating func order(_ request: BackgroundRequest) throws(URLError) {
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

    /// Wants something, and waits for the answer.
    ///
    /// - Parameter request: one that is answered; `nil`: the answer has more parts.
    /// - Returns: the answer.
    /// - Throws: why there is none.
    mutating func ask(
        _ request: BackgroundRequest?
    ) throws(BackgroundError) -> BackgroundReply {
        let deadline = ContinuousClock.now + timeout
        do throws(Failure) {
            if let request { try send(request, until: deadline) }
            let frame = try next(until: deadline, isFirst: false)
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

    private func send(
        _ message: some Encodable,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        guard let frame = try? FrameReader.frame(of: message) else {
            throw .failed(.refused("a request is too long for a background session"))
        }
        var rest = frame[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                Glibc.send(socket.rawValue, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, until: deadline)
            } else if errno != EINTR {
                // What the other end has said before it went is still to be read.
                return
            }
        }
    }

    private mutating func next(
        until deadline: ContinuousClock.Instant,
        isFirst: Bool
    ) throws(Failure) -> [UInt8] {
        while true {
            do throws(FrameError) {
                if let frame = try reader.next() { return frame }
            } catch {
                throw .failed(.disconnected("it says what cannot be understood"))
            }
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, taken in
                count = recv(socket.rawValue, space.baseAddress, space.count, 0)
                taken = max(0, count)
            }
            if count > 0 {
                reader.push(piece)
            } else if count < 0, errno == EAGAIN {
                try wait(for: POLLIN, until: deadline)
            } else if count == 0 || errno != EINTR {
                throw isFirst ? .ended : .failed(.disconnected("it has hung up"))
            }
        }
    }

    private func wait(
        for event: Int32,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        let left = max(.zero, deadline - .now) / .milliseconds(1)
        var waited = pollfd(fd: socket.rawValue, events: Int16(event), revents: 0)
        // After a signal the call, and then this, is simply tried again.
        guard poll(&waited, 1, CInt(left) + 1) == 0 else { return }
        if ContinuousClock.now >= deadline { throw .failed(.disconnected("it does not answer")) }
    }
}
