import Dispatch
import FoundationEssentials
import Glibc
import SystemPackage

// Unchecked: all that changes is used on `queue` alone, which is serial, and whose every way in
// is checked.
/// One end of a connection between a transfer process and a visitor: frames of JSON, both ways.
///
/// All of it is used, and all its calls are made, on one serial queue. It never waits: what cannot be
/// sent at once is sent as there is room. Whoever begins it closes it, unless it has ended by itself.
final class BackgroundConnection: @unchecked Sendable {
    /// What happens to a connection.
    enum Event {
        /// A frame has come.
        case frame([UInt8])
        /// What was waiting has been sent, as far as there is room for more.
        case room
        /// It is over: the other end has hung up, has said what cannot be understood, or has gone.
        case end(String)
    }

    let peer: PeerCredentials
    private let socket: FileDescriptor
    private let queue: DispatchQueue
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
    private var handler: ((Event) -> Void)?
    /// The two sources share the descriptor: the later of their ends closes it.
    private var openSources = 2

    /// Takes over a connected socket that does not block.
    ///
    /// - Parameters:
    ///   - socket: closed by this.
    ///   - peer: who is at its other end.
    ///   - queue: a serial queue, on which all of this is used.
    init(_ socket: FileDescriptor, _ peer: PeerCredentials, queue: DispatchQueue) {
        self.socket = socket
        self.peer = peer
        self.queue = queue
    }

    deinit {
        // Without sources nobody else would.
        if reading == nil, !hasEnded { try? socket.close() }
    }

    /// Begins to read.
    ///
    /// - Parameter handler: called on the queue; let go of after ``Event/end(_:)``.
    func begin(_ handler: @escaping (Event) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard reading == nil, !hasEnded else { return }
        self.handler = handler
        let reading = DispatchSource.makeReadSource(
            fileDescriptor: socket.rawValue,
            queue: queue
        )
        let writing = DispatchSource.makeWriteSource(
            fileDescriptor: socket.rawValue,
            queue: queue
        )
        for source in [reading, writing] as [any DispatchSourceProtocol] {
            source.setCancelHandler { self.sourceEnded() }
        }
        reading.setEventHandler { [weak self] in self?.read() }
        writing.setEventHandler { [weak self] in self?.write() }
        self.reading = reading
        self.writing = writing
        reading.activate()
        if outbox.count > 0 { write() }
    }

    /// Whether what must not be lost is better kept back until ``Event/room``.
    var isFull: Bool { outbox.isFull }

    /// Sends something; as soon as there is room.
    ///
    /// - Parameters:
    ///   - message: what.
    ///   - isLossy: whether it is left out where the other end is slow.
    /// - Throws: `tooLong`.
    func send(_ message: some Encodable, isLossy: Bool = false) throws(FrameError) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !hasEnded else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let content = try? encoder.encode(message) else { throw .garbled }
        let frame = try FrameReader.frame(content)
        guard !isBroken else { return }
        if isLossy {
            guard outbox.pushLossy(frame) else { return }
        } else {
            outbox.push(frame)
        }
        if reading != nil, !isBlocked { write() }
    }

    /// Reads no more until told so, as long as what was asked for has not been answered.
    func pauseReading() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isPaused, let reading, !hasEnded else { return }
        isPaused = true
        reading.suspend()
    }

    /// Reads again.
    func resumeReading() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard isPaused, let reading else { return }
        isPaused = false
        reading.resume()
        // What came before it paused waits here, and no word of the kernel's will come of it; nor of
        // the end, where that came along with what it paused for.
        queue.async { [weak self] in self?.read() }
    }

    /// Hears what has come already, before the kernel's word of it has.
    func catchUp() {
        dispatchPrecondition(condition: .onQueue(queue))
        if reading != nil { read() }
    }

    /// Ends it, once what waits has been sent as far as it can be at once; nothing is said of it.
    func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        if !hasEnded, reading != nil { outbox.drain(send) }
        end(nil)
    }

    private func read() {
        guard handOn() else { return }
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
            guard handOn() else { return }
        }
    }

    /// Hands on whole frames, as long as it is not paused; whether more may follow.
    private func handOn() -> Bool {
        do throws(FrameError) {
            while !hasEnded, !isPaused, let frame = try reader.next() { handler?(.frame(frame)) }
            return !hasEnded && !isPaused
        } catch {
            end("it says what cannot be understood")
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
            // Who is not read from any more is heard of only here.
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
        // The descriptor is closed when the sources have ended, a while later: whoever connects again
        // meanwhile must not be taken for a second one. What was sent arrives all the same.
        _ = shutdown(socket.rawValue, CInt(SHUT_RDWR))
        // A source that is suspended is never told that it was cancelled.
        if isPaused { reading?.resume() }
        if !isBlocked { writing?.resume() }
        reading?.cancel()
        writing?.cancel()
        if reading == nil { try? socket.close() }
        if let reason { handler?(.end(reason)) }
    }

    private func sourceEnded() {
        openSources -= 1
        if openSources == 0 { try? socket.close() }
    }
}
