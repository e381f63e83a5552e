import Dispatch
import Glibc
import SystemPackage

/// One end of a connection between a transfer process and a program: frames of JSON, both ways.
///
/// It shares the queue of its owner, an actor. A call from another thread ends the program. Bytes that the
/// socket does not take at once are sent later. The owner closes the connection, unless it has ended by
/// itself.
actor BackgroundConnection: QueueActor {
    enum Event: Sendable {
        case frame([UInt8])
        /// Waiting bytes were sent, and the outbox has room again.
        case room
        /// The connection has ended: the peer has closed it, or sent a malformed frame.
        case end(String)
    }

    nonisolated let process: Int32
    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let socket: FileDescriptor
    /// Whether there are dispatch sources, whose cancel handlers close the socket.
    private var hasBegun = false
    private var reading: (any DispatchSourceRead)?
    private var writing: (any DispatchSourceWrite)?
    /// Whether the connection waits until the socket takes more bytes.
    private var isBlocked = false
    private var isPaused = false
    private var hasEnded = false
    /// Whether sending has failed for good.
    private var isBroken = false
    private var reader = FrameReader()
    private var outbox = Outbox()
    private var handler: (@Sendable (Event) -> Void)?
    /// The two sources share the descriptor: the later cancel handler closes it.
    private var openSources = 2

    /// Takes over a connected socket, which this connection closes.
    init(_ socket: PeerSocket, queue: SerialQueue) {
        self.socket = socket.descriptor
        process = socket.process
        self.queue = queue
    }

    deinit {
        // Without sources, no cancel handler closes the socket.
        if !hasBegun, !hasEnded { try? socket.close() }
    }

    /// Begins to read; the handler is called on the queue, and released after ``Event/end(_:)``.
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

    nonisolated var isFull: Bool { assumeIsolated { $0.outbox.isFull } }

    /// Sends a message, now or when the socket has room; a lossy one is dropped if the peer is slow.
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

    nonisolated func setReading(_ isReading: Bool) { assumeIsolated { $0.setPaused(!isReading) } }

    private func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused, let reading, !(isPaused && hasEnded) else { return }
        self.isPaused = isPaused
        guard !isPaused else { return reading.suspend() }
        reading.resume()
        // Bytes that were received before the pause are in `reader`, and cause no event of the kernel. Nor
        // does an end that came with them.
        post { $0.read() }
    }

    /// Reads received bytes at once, before the kernel's event for them.
    nonisolated func catchUp() { assumeIsolated { if $0.hasBegun { $0.read() } } }

    /// Sends the waiting bytes that the socket takes at once, and ends the connection without an event.
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
                let place = isWhole ? "" : " within a message"
                return end("it closed the connection\(place)")
            }
            reader.push(piece)
            guard deliverFrames() else { return }
        }
    }

    /// Passes complete frames to the owner until it pauses; returns whether reading may continue.
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
            // Messages that the peer sent before it disconnected are still read.
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
            // While reading is paused, the end of the peer is noticed only here.
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
        // The sources close the descriptor somewhat later. The peer must see the end now, so that a client
        // that reconnects is not refused as a second one. Sent bytes still arrive.
        _ = shutdown(socket.rawValue, CInt(SHUT_RDWR))
        // A suspended source never runs its cancel handler.
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

/// Bytes that wait to be sent to a peer.
///
/// The size is bounded, so a stalled peer costs little memory and delays no other.
struct Outbox {
    /// The size above which lossy frames are dropped, bytes.
    static let lossyLimit = 64 << 10
    /// The size from which the sender should wait with further frames, bytes.
    static let fullLimit = 256 << 10

    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { bytes.count - sent }

    /// Whether the sender should keep further messages, such as events in the journal.
    var isFull: Bool { count >= Self.fullLimit }

    mutating func push(_ frame: [UInt8]) {
        if sent > 0, sent == bytes.count || sent > 64 << 10 {
            bytes.removeFirst(sent)
            sent = 0
        }
        bytes += frame
    }

    /// Adds a lossy frame if there is room; returns whether it was added.
    mutating func pushLossy(_ frame: [UInt8]) -> Bool {
        guard count + frame.count <= Self.lossyLimit else { return false }
        push(frame)
        return true
    }

    /// Sends the waiting bytes, as many as the socket takes; a result of 0 or less stops.
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
