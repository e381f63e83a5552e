/// Which transfers are libcurl's, and which wait for others of their origin.
extension LoopEngine {
    /// Gives a transfer to libcurl, now or when there is room at its origin.
    mutating func admit(_ transfer: Transfer) {
        if gate.admit(transfer, of: loop) {
            add(transfer)
        } else {
            transfer.place = .waiting
        }
    }

    /// Gives a transfer to libcurl for which another loop's has made room.
    mutating func admitted(_ transfer: Transfer) {
        guard transfer.staleAdmissions == 0 else {
            // It did not wait for it any more, and has given the place back.
            transfer.staleAdmissions -= 1
            return
        }
        if transfer.place == .waiting { add(transfer) }
    }

    /// Holds a transfer; where no byte of its request has left, it gives its place up.
    mutating func suspend(_ transfer: Transfer) {
        transfer.suspend(clock.now)
        guard !transfer.hasSentRequest else { return }
        if transfer.place == .running { multi.removeWithoutWaiting(transfer.slot.handle) }
        transfer.withdraw()
        leaveGate(transfer)
    }

    /// Ends `suspend`.
    mutating func resume(_ transfer: Transfer) {
        transfer.resume(clock.now)
        nextCheck = nil
        if transfer.place == .outside { admit(transfer) }
    }

    /// Makes room for others.
    mutating func leaveGate(_ transfer: Transfer, hasFailed: Bool = false) {
        switch transfer.place {
        case .outside: break
        case .waiting:
            transfer.place = .outside
            guard !gate.withdraw(transfer.id, from: transfer.origin) else { break }
            transfer.staleAdmissions += 1
            addAll(gate.ended(transfer.origin, hasFailed: false, loop))
        case .running:
            transfer.place = .outside
            addAll(gate.ended(transfer.origin, hasFailed: hasFailed, loop))
        }
        transfer.place = .outside
    }

    /// Tells the gate what a transfer has found out about its origin.
    mutating func reportToGate(_ transfer: Transfer) {
        guard transfer.place == .running, transfer.mayMultiplex else { return }
        if transfer.hasSentRequest { addAll(gate.connected(transfer.origin, loop)) }
        if transfer.isMultiplexed { addAll(gate.multiplexes(transfer.origin, loop)) }
    }

    private mutating func addAll(_ released: [TransferID]) {
        for id in released {
            if let transfer = transfers[id] { add(transfer) }
        }
    }

    private mutating func add(_ transfer: Transfer) {
        transfer.place = .running
        transfer.measurements?.admit()
        guard (try? multi.add(transfer.slot.handle)) == nil else { return }
        end(transfer, TransferFailure(.curl(.outOfMemory), detail: "no memory"))
    }
}
