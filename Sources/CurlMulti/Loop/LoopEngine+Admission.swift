import HTTPSemantics

/// The place of a transfer: in libcurl, or in the queue for its origin.
struct Admission {
    enum Place {
        /// Suspended before libcurl sent its request, or ended.
        case outside
        /// In the gate's queue.
        case waiting
        /// In libcurl.
        case running
    }

    var place = Place.outside
    /// The number of queued admissions for places that the transfer has released; we ignore these
    /// admissions.
    var ignored = 0
}

/// Moves transfers between libcurl and the queues of their origins.
extension LoopEngine {
    /// Adds a transfer to libcurl, now or when there is room at its origin.
    mutating func admit(_ transfer: Transfer) {
        if gate.admit(transfer, of: loop) {
            add(transfer)
        } else {
            transfer.admission.place = .waiting
        }
    }

    /// Adds a transfer to libcurl after a transfer of another loop has made room for it.
    mutating func admitted(_ transfer: Transfer) {
        if transfer.admission.ignored > 0 {
            transfer.admission.ignored -= 1
        } else if transfer.admission.place == .waiting {
            add(transfer)
        }
    }

    /// Suspends a transfer, which releases its place if libcurl has sent no byte of its request.
    mutating func suspend(_ transfer: Transfer) {
        transfer.suspend(MonotonicInstant.now)
        guard !transfer.connection.hasSentRequest, !transfer.connection.hasReceivedHead else {
            return
        }
        if transfer.admission.place == .running { multi.removeWithoutWaiting(transfer.slot.handle) }
        transfer.withdraw()
        releasePlace(transfer)
    }

    mutating func resume(_ transfer: Transfer) {
        transfer.resume(MonotonicInstant.now)
        nextCheck = nil
        if transfer.admission.place == .outside { admit(transfer) }
    }

    /// Releases a transfer's place in the gate, and adds the transfers that may run now.
    mutating func releasePlace(_ transfer: Transfer, hasFailed: Bool = false) {
        let place = transfer.admission.place
        transfer.admission.place = .outside
        switch place {
        case .outside: break
        case .waiting:
            // If it cannot be withdrawn, the gate has sent an admission.
            guard !gate.withdraw(transfer.id, from: transfer.origin) else { break }
            transfer.admission.ignored += 1
            release { $0.ended(transfer.origin) }
        case .running: release { $0.ended(transfer.origin, hasFailed: hasFailed) }
        }
    }

    /// Reports to the gate what a transfer has discovered about its origin.
    mutating func reportToGate(_ transfer: Transfer) {
        guard transfer.admission.place == .running, transfer.mayMultiplex else { return }
        if transfer.connection.hasSentRequest { release { $0.connected(transfer.origin) } }
        if transfer.response.isMultiplexed { release { $0.multiplexes(transfer.origin) } }
    }

    /// Reports an event to the gate, and adds the transfers that may run now.
    private mutating func release(_ event: (inout OriginGate) -> [TransferID]) {
        for id in gate.release(for: loop, event) {
            if let transfer = transfers[id] { add(transfer) }
        }
    }

    private mutating func add(_ transfer: Transfer) {
        transfer.admission.place = .running
        transfer.measurements?.admit()
        guard (try? multi.add(transfer.slot.handle)) == nil else { return }
        end(transfer, TransferFailure(.curl(.outOfMemory), detail: "no memory"))
    }
}
