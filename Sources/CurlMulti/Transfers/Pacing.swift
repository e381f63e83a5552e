import CCurl
package import HTTPSemantics
import Synchronization

/// Limits one direction of a transfer to a number of bytes per second.
///
/// libcurl's own limit does not apply to the first seconds of a transfer, which are the whole transfer
/// on a fast network: 6 MB at 1 MB/s took 40 ms. A transfer exceeds this limit at most by the bytes of
/// a tenth of a second, and by one piece.
struct Pacer {
    /// Bytes; smaller pieces would cost more than they smooth: each byte earned would be sent alone.
    private static let usualPiece: Int64 = 16 << 10

    let bytesPerSecond: Int64
    private let burst: Int64
    /// The fewest bytes that are allowed at a time.
    private let piece: Int64
    /// The bytes that may move now; negative after a larger piece.
    private var budget: Int64
    private var lastRefill: MonotonicInstant

    /// Makes a limit; `nil` if the rate is 0, which means no limit.
    init?(bytesPerSecond: Int64, now: MonotonicInstant) {
        guard bytesPerSecond > 0 else { return nil }
        self.bytesPerSecond = bytesPerSecond
        burst = max(1, bytesPerSecond / 10)
        piece = min(burst, Self.usualPiece)
        budget = burst
        lastRefill = now
    }

    /// The number of bytes that may move at this moment; 0 until it is worth a piece.
    mutating func allowance(_ now: MonotonicInstant) -> Int64 {
        let elapsed = Double((now - lastRefill) / .nanoseconds(1)) / 1e9
        let earned = Int64(min(elapsed * Double(bytesPerSecond), 1e15))
        if earned > 0 {
            budget = min(burst, budget + earned)
            // We do not set it to the current time, since a fraction of a byte counts too.
            lastRefill += .nanoseconds(Int64(Double(earned) / Double(bytesPerSecond) * 1e9))
        }
        return budget < piece ? 0 : budget
    }

    /// Counts bytes that have moved.
    mutating func note(_ bytes: Int) {
        budget -= Int64(bytes)
    }

    /// The moment when bytes may move again.
    var nextPiece: MonotonicInstant {
        let missing = max(0, piece - budget)
        return lastRefill + .nanoseconds(Int64(Double(missing) / Double(bytesPerSecond) * 1e9) + 1)
    }
}

/// A rate limit that several transfers share, on one loop or on several.
package final class SharedPacer: Sendable {
    private let pacer: Mutex<Pacer>

    var bytesPerSecond: Int64 { pacer.withLock { $0.bytesPerSecond } }

    /// Makes a limit for all transfers together; `nil` if the rate is 0, which means no limit.
    package init?(bytesPerSecond: Int64, now: MonotonicInstant = .now) {
        guard let pacer = Pacer(bytesPerSecond: bytesPerSecond, now: now) else { return nil }
        self.pacer = Mutex(pacer)
    }

    func allowance(_ now: MonotonicInstant) -> Int64 { pacer.withLock { $0.allowance(now) } }

    func note(_ bytes: Int) { pacer.withLock { $0.note(bytes) } }

    var nextPiece: MonotonicInstant { pacer.withLock { $0.nextPiece } }
}

/// The rate limits of a transfer's two directions.
struct TransferRates {
    let receiving: SharedPacer?
    let sending: SharedPacer?

    init(_ request: borrowing TransferRequest) {
        (receiving, sending) = (request.receivePacer, request.sendPacer)
    }

    var areLimited: Bool { receiving != nil || sending != nil }

    /// The moment when a direction that its limit has paused may continue; `nil` if none is paused.
    func pausedUntil(_ pauses: TransferPauses) -> MonotonicInstant? {
        let received = pauses.contains(.pacedReceiving) ? receiving?.nextPiece : nil
        let sent = pauses.contains(.pacedSending) ? sending?.nextPiece : nil
        guard let received, let sent else { return received ?? sent }
        return min(received, sent)
    }

    /// Removes the pauses of the directions that may continue.
    func release(_ pauses: inout TransferPauses, _ now: MonotonicInstant) {
        if let next = receiving?.nextPiece, next <= now { pauses.remove(.pacedReceiving) }
        if let next = sending?.nextPiece, next <= now { pauses.remove(.pacedSending) }
    }
}

/// The reasons why a transfer is paused.
///
/// A pause stops the idle clock too, since the network is not to blame.
struct TransferPauses: OptionSet {
    let rawValue: UInt8
    /// The handler has no room for the response.
    static let receiving = TransferPauses(rawValue: 1)
    /// The handler has no bytes to send yet.
    static let sending = TransferPauses(rawValue: 2)
    /// The caller suspended the task.
    static let suspended = TransferPauses(rawValue: 4)
    /// The transfer has received more than its rate allows.
    static let pacedReceiving = TransferPauses(rawValue: 8)
    /// The transfer has sent more than its rate allows.
    static let pacedSending = TransferPauses(rawValue: 16)
    /// The handler has not decided about the server.
    static let deciding = TransferPauses(rawValue: 32)

    /// The reasons that stop the response.
    static let stopReceiving: TransferPauses = [.receiving, .suspended, .pacedReceiving]
    /// The reasons that stop the request's body.
    static let stopSending: TransferPauses = [.sending, .suspended, .pacedSending]
}

extension Transfer {
    /// The moment when a direction that its limit has paused may continue; `nil` if none is paused.
    var pacedUntil: MonotonicInstant? { rates.pausedUntil(pauses) }

    /// Pauses a direction until its rate allows more.
    func pauseForRate(_ pause: TransferPauses) {
        pauses.insert(pause)
        waitForRate()
    }

    /// Resumes the directions that the rate allows again.
    func resumePaced(_ now: MonotonicInstant) {
        let before = pauses
        rates.release(&pauses, now)
        // Another transfer that shares the limit may have used the bytes first.
        if pacedUntil != nil { waitForRate() }
        guard pauses != before else { return }
        touch()
        applyPauses()
    }

    private func waitForRate() {
        if !shared.paced.contains(where: { $0 === self }) { shared.paced.append(self) }
    }

    /// Applies the pauses of both directions to libcurl.
    ///
    /// libcurl may call the callbacks before this returns, and they may pause again.
    func applyPauses() {
        guard !hasEnded, connection.hasSentRequest else { return }
        var mask: Int32 = 0
        if !pauses.isDisjoint(with: .stopReceiving) { mask |= CURLPAUSE_RECV }
        if !pauses.isDisjoint(with: .stopSending) { mask |= CURLPAUSE_SEND }
        _ = slot.handle.pause(mask)
    }
}
