import Dispatch
import Glibc
import SystemPackage

/// One end of a connection between a transfer process and a program: frames of JSON, both ways.
///
/// It shares the queue of the actor that it belongs to, which calls it without waiting: a call from
/// another thread ends the program. What cannot be sent at once is sent as there is room. Its owner
/// closes it, unless it has ended by itself.
actor BackgroundConnection: QueueActor {
    /// What happens to a connection.
    enum Event: Sendable {
        /// A frame has come.
        case frame([UInt8])
        /// What was waiting has been sent, as far as there is room for more.
        case room
        /// It is over: the other end has hung up, has sent a malformed frame, or has gone.
        case end(String)
    }

    nonisolated let peer: PeerCredentials
    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let socket: FileDescriptor
    /// Whether there are sources, whose ends close the socket.
    private var hasBegun = false
    private var reading: (any DispatchSourceRead)?
    private var writing: (any DispatchSourceWrite)?
    /// Whether it waits for the kernel to take more.
    private var isBlocked = false
    private var isPaused = false
    private var hasEnded = false
    /// Whether nothing can be sent any more.
    private var isBroken = false
    private var reader = FrameReader()
    private var outbox = Outbox()
    private var handler: (@Sendable (Event) -> Void)?
    /// The two sources share the descriptor: the later of their ends closes it.
    private var openSources = 2

    /// Takes over a connected socket.
    ///
    /// - Parameters:
    ///   - socket: closed by this.
    ///   - queue: its owner's.
    init(_ socket: PeerSocket, queue: SerialQueue) {
        self.socket = socket.descriptor
        peer = socket.peer
        self.queue = queue
    }

    deinit {
        // Without sources nothing else would.
        if !hasBegun, !hasEnded { try? socket.close() }
    }

    /// Begins to read.
    ///
    /// - Parameter handler: called on the queue; let go of after ``Event/end(_:)``.
    nonisolated func begin(_ handler: @escaping @Sendable (Event) -> Void) {
        assumeIsolated { $0.open(handler) }
    }

    private func open(_ handler: @escaping @Sendable (Event) -> Void) {
        guard !hasBegun, !hasEnded else { return }
        hasBegun = true
        self.handler = handler
        let reading = DispatchSource.makeReadSource(
            fileDescriptor: socket.rawValue,
            queue: queue.dispatch
        )
        let writing = DispatchSource.makeWriteSource(
            fileDescriptor: socket.rawValue,
            queue: queue.dispatch
        )
        for source in [reading, writing] as [any DispatchSourceProtocol] {
            source.setCancelHandler { self.assumeIsolated { $0.sourceEnded() } }
        }
        reading.setEventHandler { [weak self] in self?.assumeIsolated { $0.read() } }
        writing.setEventHandler { [weak self] in self?.assumeIsolated { $0.write() } }
        self.reading = reading
        self.writing = writing
        reading.activate()
        if outbox.count > 0 { write() }
    }

    /// Whether what must not be lost is better kept back until ``Event/room``.
    nonisolated var isFull: Bool { assumeIsolated { $0.outbox.isFull } }

    /// Sends something; as soon as there is room.
    ///
    /// - Parameters:
    ///   - message: what.
    ///   - isLossy: whether it is left out where the other end is slow.
    /// - Throws: `tooLong`.
    nonisolated func send(
        _ message: some Encodable,
        isLossy: Bool = false
    ) throws(FrameError) {
        let frame = try FrameReader.frame(of: message)
        assumeIsolated { $0.push(frame, isLossy: isLossy) }
    }

    private func push(_ frame: [UInt8], isLossy: Bool) {
        guard !hasEnded, !isBroken else { return }
        if isLossy {
            guard outbox.pushLossy(frame) else { return }
        } else {
            outbox.push(frame)
        }
        if hasBegun, !isBlocked { write() }
    }

    /// Stops reading until ``resumeReading()``, while a request has no reply yet.
    nonisolated func pauseReading() { assumeIsolated { $0.setPaused(true) } }

    /// Reads again.
    nonisolated func resumeReading() { assumeIsolated { $0.setPaused(false) } }

    private func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused, let reading, !(isPaused && hasEnded) else { return }
        self.isPaused = isPaused
        guard !isPaused else { return reading.suspend() }
        reading.resume()
        // What came before it paused waits here, and no word of the kernel's will come of it; nor of
        // the end, where that came along with what it paused for.
        post { $0.read() }
    }

    /// Reads what has come already, before the kernel's event for it.
    nonisolated func catchUp() { assumeIsolated { if $0.hasBegun { $0.read() } } }

    /// Ends it, once what waits has been sent as far as it can be at once; nothing is said of it.
    nonisolated func close() {
        assumeIsolated { connection in
            if !connection.hasEnded, connection.hasBegun {
                connection.outbox.drain(connection.send)
            }
            connection.end(nil)
        }
    }

    private func read() {
        guard deliverFrames() else { return }
        while !hasEnded, !isPaused {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, taken in
                count = recv(socket.rawValue, space.baseAddress, space.count, 0)
                taken = max(0, count)
            }
            guard count > 0 else {
                if count < 0, errno == EAGAIN { return }
                if count < 0, errno == EINTR { continue }
                let isWhole = count == 0 && reader.isAtBoundary
                return end(isWhole ? "it has hung up" : "it has hung up in the middle of a word")
            }
            reader.push(piece)
            guard deliverFrames() else { return }
        }
    }

    /// Hands on whole frames, as long as it is not paused; whether more may follow.
    private func deliverFrames() -> Bool {
        do throws(FrameError) {
            while !hasEnded, !isPaused, let frame = try reader.next() { handler?(.frame(frame)) }
            return !hasEnded && !isPaused
        } catch {
            end("malformed frame")
            return false
        }
    }

    private func write() {
        let before = outbox.count
        outbox.drain(send)
        guard !hasEnded else { return }
        if isBroken {
            // What it has said before it went is still to be read, up to its end.
            outbox = Outbox()
            setBlocked(false)
            handler?(.room)
            return
        }
        setBlocked(outbox.count > 0)
        if before > 0, !outbox.isFull { handler?(.room) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count = Glibc.send(
                socket.rawValue,
                bytes.baseAddress,
                bytes.count,
                CInt(MSG_NOSIGNAL)
            )
            if count < 0, errno == EINTR { continue }
            // The end of a peer that is not read from is noticed only here.
            if count < 0, errno != EAGAIN { isBroken = true }
            return count
        }
    }

    private func setBlocked(_ isBlocked: Bool) {
        guard isBlocked != self.isBlocked, let writing else { return }
        self.isBlocked = isBlocked
        if isBlocked { writing.resume() } else { writing.suspend() }
    }

    private func end(_ reason: String?) {
        guard !hasEnded else { return }
        hasEnded = true
        let handler = handler
        self.handler = nil
        // The descriptor is closed when the sources have ended, a while later: a client that
        // connects again meanwhile must not be taken for a second one. What was sent arrives all
        // the same.
        _ = shutdown(socket.rawValue, CInt(SHUT_RDWR))
        // A source that is suspended is never told that it was cancelled.
        if isPaused { reading?.resume() }
        isPaused = false
        if !isBlocked { writing?.resume() }
        reading?.cancel()
        writing?.cancel()
        if !hasBegun { try? socket.close() }
        if let reason { handler?(.end(reason)) }
    }

    private func sourceEnded() {
        openSources -= 1
        if openSources == 0 { try? socket.close() }
    }
}

/// What waits to be sent to a peer that may be slow: bounded, so that one that stalls costs no
/// memory and holds nothing up.
struct Outbox {
    /// What may wait before nothing that can be left out is added, bytes.
    static let lossyLimit = 64 << 10
    /// What may wait before the sender of more is to wait with it, bytes.
    static let fullLimit = 256 << 10

    private var bytes: [UInt8] = []
    private var sent = 0

    /// The bytes that wait.
    var count: Int { bytes.count - sent }

    /// Whether another thing that must not be lost is better kept where it is for now: in the
    /// journal.
    var isFull: Bool { count >= Self.fullLimit }

    /// Adds a frame.
    mutating func push(_ frame: [UInt8]) {
        if sent > 0, sent == bytes.count || sent > 64 << 10 {
            bytes.removeFirst(sent)
            sent = 0
        }
        bytes += frame
    }

    /// Adds a frame that can be left out; whether it was not.
    mutating func pushLossy(_ frame: [UInt8]) -> Bool {
        guard count + frame.count <= Self.lossyLimit else { return false }
        push(frame)
        return true
    }

    /// Has the bytes that wait sent.
    ///
    /// - Parameter send: takes them, and returns how many it has.
    mutating func drain(_ send: (UnsafeRawBufferPointer) -> Int) {
        while count > 0 {
            let sent = sent
            let taken = bytes.withUnsafeBytes {
                send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            guard taken > 0 else { return }
            self.sent += taken
        }
    }
}
