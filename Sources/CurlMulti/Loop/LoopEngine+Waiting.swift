import CCurl
import HTTPSemantics

/// The state that a loop's transfers share, and that its iteration uses.
final class SharedState {
    /// The transfers that have changed since the end of the last iteration.
    var touched: [Transfer] = []
    /// Counts the pieces of bodies that libcurl has moved in either direction; wraps around.
    var moves: UInt = 0
    /// The transfers whose request's body waits for a descriptor.
    var awaiting: [Transfer] = []
    /// The number of transfers that wait for a decision about their server.
    var deciding = 0
    var goaways = Goaways()
    /// The transfers that a rate limit has paused.
    var paced: [Transfer] = []
    /// The files of trusted certificates that the transfers name.
    var bundles = CertificateBundles()
    /// The fields of the last response, perhaps of another server, whose texts the next one may share.
    var lastFields: [HTTPHeaderFields.Field] = []
}

/// Ends an iteration: notifies handlers, checks clocks, and sleeps.
extension LoopEngine {
    /// The longest sleep; it only keeps the number in libcurl's range.
    private static let maximumWait: Duration = .seconds(1_000)

    /// The time between two checks of the other sockets while a connection waits for a decision.
    private static let shortWait: Duration = .milliseconds(5)

    mutating func endIteration(_ now: MonotonicInstant) {
        // Otherwise Swift 6.3 reports a write of the loop's object to the thread sanitizer.
        let shared = shared
        var touched: [Transfer] = []
        swap(&touched, &shared.touched)
        for transfer in touched {
            transfer.isTouched = false
            guard !transfer.hasEnded else { continue }
            reportToGate(transfer)
            transfer.clock.noteActivity(now)
            transfer.dropRefusedBody()
            transfer.readBesideBody()
            reportIteration(transfer)
        }
        // The next iteration fills the same list again.
        guard shared.touched.isEmpty else { return }
        touched.removeAll(keepingCapacity: true)
        swap(&touched, &shared.touched)
    }

    /// Notifies a handler that an iteration is over, and again at the deadline that the handler sets.
    mutating func reportIteration(_ transfer: Transfer) {
        transfer.nextDeadline = transfer.handler.didIterate(sent: transfer.body.sent)
        guard let next = transfer.nextDeadline, let check = nextCheck else { return }
        nextCheck = min(check, next)
    }

    /// Ends the transfers whose time is over.
    mutating func expire(_ now: MonotonicInstant) {
        if let nextCheck, now < nextCheck { return }
        var next = now + Self.maximumWait
        var expired: [(Transfer, TransferFailure)] = []
        for transfer in transfers.values where !transfer.hasEnded {
            if let failure = transfer.expiry(now, next: &next) {
                expired.append((transfer, failure))
            }
        }
        nextCheck = next
        for transfer in transfers.values where !transfer.hasEnded {
            guard let wanted = transfer.nextDeadline else { continue }
            if wanted <= now {
                reportIteration(transfer)
            } else {
                nextCheck = min(nextCheck ?? next, wanted)
            }
        }
        for (transfer, failure) in expired where !transfer.hasEnded { end(transfer, failure) }
    }

    /// Waits until the first event.
    ///
    /// libcurl assumes that a connection that waits for a decision about its server has bytes to send.
    /// Its own wait would therefore end at once, again and again. While there is such a connection, we
    /// wait for the bell, and check the sockets of other transfers every few milliseconds.
    private func sleep(_ time: Duration, among descriptors: inout [AwaitedDescriptor]) {
        guard shared.deciding > 0 else {
            let limit = CInt(clamping: time.milliseconds)
            return multi.poll(&descriptors, milliseconds: limit)
        }
        let isAlone = transfers.values.allSatisfy {
            $0.hasEnded || $0.admission.place != .running || $0.pauses.contains(.deciding)
        }
        let limit = isAlone ? time : min(time, Self.shortWait)
        let milliseconds = CInt(clamping: limit.milliseconds)
        AwaitedDescriptor.wait(among: &descriptors, milliseconds: milliseconds)
    }

    /// Sleeps until there is work, as ``LoopIterations/wait(until:among:unless:)``, and resumes the bodies
    /// that have bytes again.
    mutating func wait(
        until moment: MonotonicInstant?,
        among others: inout [AwaitedDescriptor],
        unless isBusy: () -> Bool
    ) {
        // Otherwise Swift 6.3 reports a write of the loop's object to the thread sanitizer.
        let (loop, shared) = (loop, shared)
        guard loop.bell.beginSleep(unless: { loop.hasCommands || isBusy() }) else { return }
        let now = MonotonicInstant.now
        if !shared.awaiting.isEmpty {
            shared.awaiting.removeAll { $0.hasEnded || $0.body.awaited == nil }
        }
        let awaiting = shared.awaiting
        let paced = shared.paced.filter { !$0.hasEnded }
        shared.paced = []
        var next = min(nextCheck ?? now + Self.maximumWait, now + Self.maximumWait)
        if let moment { next = min(next, moment) }
        for transfer in paced {
            if let until = transfer.pacedUntil { next = min(next, until) }
        }
        // The list holds the owner's descriptors, the bell, and the descriptors of waiting bodies.
        let owned = others.count
        others.append(AwaitedDescriptor(loop.bell))
        for transfer in awaiting {
            if let awaited = transfer.body.awaited { others.append(AwaitedDescriptor(awaited)) }
        }
        sleep(max(.zero, next - now), among: &others)
        loop.bell.endSleep(hasRung: others[owned].isReady)
        let woken = MonotonicInstant.now
        // Of senders that share a limit one is next, and then waits behind the others: libcurl would always let
        // the oldest one take all.
        var hasSender = false
        for transfer in paced {
            guard let until = transfer.pacedUntil else { continue }
            let sends = transfer.pauses.contains(.pacedSending)
            guard until <= woken, !(sends && hasSender) else {
                shared.paced.append(transfer)
                continue
            }
            hasSender = hasSender || sends
            transfer.resumePaced(woken)
        }
        for transfer in awaiting {
            let isReady = others[(owned + 1)...].contains { other in
                other.isReady && other.descriptor == transfer.body.awaited
            }
            if isReady { transfer.resumeSending() }
        }
        others.removeSubrange(owned...)
    }
}

/// Keeps the streams of one HTTP/2 connection moving.
extension LoopEngine {
    /// Makes libcurl continue to read after one of several streams has ended.
    ///
    /// libcurl may have read the connection for the stream that ended. The bytes that it had read by
    /// then stay in its buffer: up to a TLS record with the last bytes of all other streams. libcurl
    /// 7.88.1 processes them only when the socket has more, which may be never (one run in forty with
    /// sixty streams). If we pause and resume a stream, libcurl processes them at once.
    mutating func resumeReading() {
        guard !originsWithEndedStream.isEmpty else { return }
        defer { originsWithEndedStream = [] }
        var connections: Set<Int> = []
        for transfer in transfers.values
        where transfer.mayMultiplex && transfer.isReading
            && originsWithEndedStream.contains(transfer.origin)
        {
            let socket = transfer.slot.handle.long(CURLINFO_LASTSOCKET)
            guard connections.insert(socket).inserted else { continue }
            transfer.resumeReading()
        }
    }
}

extension Transfer {
    fileprivate func resumeReading() {
        _ = slot.handle.pause(CURLPAUSE_RECV)
        applyPauses()
    }

    /// Whether response bytes may arrive at any moment.
    fileprivate var isReading: Bool {
        admission.place == .running && !hasEnded && connection.hasSentRequest && pauses.isEmpty
    }

    /// Makes libcurl look for the end of a response that began before the request's body had left.
    ///
    /// A stream closes in both directions at once. libcurl 7.88.1 sends the end of the body, and looks
    /// at the response again only when the server sends more: if it has nothing to send, never.
    func readBesideBody() {
        guard body.hasMoved, response.isMultiplexed, isReading else { return }
        body.hasMoved = false
        resumeReading()
    }
}
