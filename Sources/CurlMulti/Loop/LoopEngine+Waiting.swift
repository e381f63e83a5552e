import CCurl
import HTTPSemantics

/// The state that a loop's transfers share, and that its iteration uses.
final class SharedState {
    /// The transfers to which something happened since the last iteration's end.
    var touched: [Transfer] = []
    /// Counts pieces of bodies that moved, either way; wraps around.
    var moves: UInt = 0
    /// The transfers whose request's body waits for a descriptor.
    var awaiting: [Transfer] = []
    /// How many transfers wait for a decision about their server.
    var deciding = 0
    /// The GOAWAYs of its connections.
    var goaways = Goaways()
    /// The transfers that a rate limit has paused.
    var paced: [Transfer] = []
    /// The files of trusted certificates that they name.
    var bundles = CertificateBundles()
}

/// The end of an iteration: handlers are notified, clocks are checked, and the thread sleeps.
extension LoopEngine {
    /// The longest sleep; it only keeps the number in libcurl's range.
    private static let longestWait: Duration = .seconds(1_000)

    /// Between two looks at the sockets beside a connection that waits for a decision.
    private static let shortWait: Duration = .milliseconds(5)

    mutating func endIteration(_ now: MonotonicInstant) {
        let touched = shared.touched
        shared.touched.removeAll(keepingCapacity: true)
        for transfer in touched {
            transfer.isTouched = false
            guard !transfer.hasEnded else { continue }
            reportToGate(transfer)
            transfer.clock.noteActivity(now)
            transfer.dropRefusedBody()
            reportIteration(transfer)
        }
    }

    /// Notifies a handler that an iteration is over, and again at the deadline that it sets.
    mutating func reportIteration(_ transfer: Transfer) {
        transfer.nextDeadline = transfer.handler.didIterate(sent: transfer.body.sent)
        guard let next = transfer.nextDeadline, let check = nextCheck else { return }
        nextCheck = min(check, next)
    }

    /// Ends the transfers whose time is over.
    mutating func expire(_ now: MonotonicInstant) {
        if let nextCheck, now < nextCheck { return }
        var next = now + Self.longestWait
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
    /// libcurl believes that a connection whose server is being decided about has something to send,
    /// and its own wait would end at once, again and again. While there is one, the bell is waited
    /// for, and the sockets of others, if there are any, are looked at every few milliseconds.
    private func sleep(_ time: Duration, among descriptors: inout [AwaitedDescriptor]) {
        guard shared.deciding > 0 else {
            let limit = CInt(clamping: time.milliseconds)
            return multi.poll(&descriptors, milliseconds: limit)
        }
        let isAlone = transfers.values.allSatisfy {
            $0.hasEnded || $0.admission.place != .running || $0.pauses.contains(.deciding)
        }
        let limit = isAlone ? time : min(time, Self.shortWait)
        AwaitedDescriptor.wait(
            among: &descriptors,
            milliseconds: CInt(clamping: limit.milliseconds)
        )
    }

    /// Sleeps until there is something to do, and ends the waits of bodies that have come.
    ///
    /// - Parameters:
    ///   - moment: the latest end; `nil` for none.
    ///   - others: what an owner waits for besides, flagged where it is ready.
    ///   - isBusy: whether an owner has something to do already.
    mutating func wait(
        until moment: MonotonicInstant?,
        among others: inout [AwaitedDescriptor],
        unless isBusy: () -> Bool
    ) {
        let loop = loop
        guard loop.bell.beginSleep(unless: { loop.hasCommands || isBusy() }) else { return }
        let now = MonotonicInstant.now
        if !shared.awaiting.isEmpty {
            shared.awaiting.removeAll { $0.hasEnded || $0.body.awaited == nil }
        }
        let awaiting = shared.awaiting
        let paced = shared.paced.isEmpty ? [] : shared.paced.filter { !$0.hasEnded }
        shared.paced = []
        var next = min(nextCheck ?? now + Self.longestWait, now + Self.longestWait)
        if let moment { next = min(next, moment) }
        for transfer in paced {
            if let until = transfer.pacedUntil { next = min(next, until) }
        }
        // The owner's, the bell, and what bodies are read from.
        let owned = others.count
        others.append(AwaitedDescriptor(loop.bell))
        for transfer in awaiting {
            if let awaited = transfer.body.awaited { others.append(AwaitedDescriptor(awaited)) }
        }
        sleep(max(.zero, next - now), among: &others)
        loop.bell.endSleep(hasRung: others[owned].isReady)
        let woken = MonotonicInstant.now
        for transfer in paced {
            guard let until = transfer.pacedUntil else { continue }
            if until <= woken { transfer.resumePaced(woken) } else { shared.paced.append(transfer) }
        }
        let bodies = others[(owned + 1)...]
        for transfer in awaiting {
            guard let descriptor = transfer.body.awaited,
                bodies.contains(where: { $0.isReady && $0.descriptor == descriptor })
            else { continue }
            transfer.resumeSending()
        }
        others.removeSubrange(owned...)
    }
}

/// Progress of the streams of one HTTP/2 connection.
extension LoopEngine {
    /// Makes libcurl continue to read after one of several streams has ended.
    ///
    /// The stream that ended may have been the one for which libcurl was reading their connection.
    /// The bytes that it had read by then, up to a TLS record with the last bytes of all other
    /// streams, stay in its buffer. libcurl 7.88.1 reads them only when the socket has more, which
    /// may be never (one run in forty with sixty streams). Pausing and resuming a stream makes
    /// libcurl read them at once.
    mutating func readOn() {
        guard !originsWithEndedStream.isEmpty else { return }
        defer { originsWithEndedStream = [] }
        var connections: Set<Int> = []
        for transfer in transfers.values
        where originsWithEndedStream.contains(transfer.origin) && transfer.isReading {
            let socket = transfer.slot.handle.long(CURLINFO_LASTSOCKET)
            guard connections.insert(socket).inserted else { continue }
            transfer.readOn()
        }
    }
}

extension Transfer {
    /// Whether a response may come at any moment.
    fileprivate var isReading: Bool {
        admission.place == .running && !hasEnded && mayMultiplex && connection.hasSentRequest
            && pauses.isEmpty
    }

    fileprivate func readOn() {
        _ = slot.handle.pause(CURLPAUSE_RECV)
        applyPauses()
    }
}
