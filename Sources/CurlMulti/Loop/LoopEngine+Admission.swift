import HTTPSemantics

/// Whether libcurl has a transfer, or it waits for others of its origin.
struct Admission {
    enum Place {
        /// Suspended before its request, or ended.
        case outside
        /// In the gate's queue.
        case waiting
        /// In libcurl.
        case running
    }

    var place = Place.outside
    /// Admissions still queued for a place that this transfer has released; they are ignored.
    private var ignored = 0

    /// An admission is on its way for a place that the transfer has just released.
    mutating func ignoreOne() {
        ignored += 1
    }

    /// Whether the admission that has come is for a place that was released.
    mutating func ignoresNext() -> Bool {
        guard ignored > 0 else { return false }
        ignored -= 1
        return true
    }
}

/// Which transfers are libcurl's, and which wait for others of their origin.
extension LoopEngine {
    /// Gives a transfer to libcurl, now or when there is room at its origin.
    mutating func admit(_ transfer: Transfer) {
        if gate.admit(transfer, of: loop) {
            add(transfer)
        } else {
            transfer.admission.place = .waiting
        }
    }

    /// Gives a transfer to libcurl for which a transfer of another loop has made room.
    mutating func admitted(_ transfer: Transfer) {
        guard !transfer.admission.ignoresNext() else { return }
        if transfer.admission.place == .waiting { add(transfer) }
    }

    /// Suspends a transfer, which releases its place if no byte of its request was sent.
    mutating func suspend(_ transfer: Transfer) {
        transfer.suspend(MonotonicInstant.now)
        guard !transfer.connection.hasSentRequest else { return }
        if transfer.admission.place == .running { multi.removeWithoutWaiting(transfer.slot.handle) }
        transfer.withdraw()
        leaveGate(transfer)
    }

    /// Ends `suspend`.
    mutating func resume(_ transfer: Transfer) {
        transfer.resume(MonotonicInstant.now)
        nextCheck = nil
        if transfer.admission.place == .outside { admit(transfer) }
    }

    /// Makes room for others.
    mutating func leaveGate(_ transfer: Transfer, hasFailed: Bool = false) {
        switch transfer.admission.place {
        case .outside: break
        case .waiting:
            transfer.admission.place = .outside
            guard !gate.withdraw(transfer.id, from: transfer.origin) else { break }
            transfer.admission.ignoreOne()
            addAll(gate.ended(transfer.origin, hasFailed: false, loop))
        case .running:
            transfer.admission.place = .outside
            addAll(gate.ended(transfer.origin, hasFailed: hasFailed, loop))
        }
        transfer.admission.place = .outside
    }

    /// Reports to the gate what a transfer has found out about its origin.
    mutating func reportToGate(_ transfer: Transfer) {
        guard transfer.admission.place == .running, transfer.mayMultiplex else { return }
        if transfer.connection.hasSentRequest { addAll(gate.connected(transfer.origin, loop)) }
        if transfer.response.isMultiplexed { addAll(gate.multiplexes(transfer.origin, loop)) }
    }

    private mutating func addAll(_ released: [TransferID]) {
        for id in released {
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
