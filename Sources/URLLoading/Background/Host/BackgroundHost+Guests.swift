import Dispatch
import Glibc

// Who comes and goes.
extension BackgroundHost {
    func take(_ connection: BackgroundConnection) {
        lastConnection += 1
        // Whoever was waited for has come.
        patience = .now()
        let number = lastConnection
        visitors[number] = BackgroundGuest(number, connection)
        connection.begin { [weak self] event in self?.hear(event, from: number) }
    }

    /// Has somebody go.
    func dismiss(_ number: Int) {
        visitors.removeValue(forKey: number)?.connection.close()
        left(number)
    }

    private func left(_ number: Int) {
        report(.detach(connection: number))
    }

    private func hear(_ event: BackgroundConnection.Event, from number: Int) {
        switch event {
        case .frame(let frame): take(frame, from: number)
        case .room:
            visitors[number]?.listen()
            if attached?.number == number { deliver() }
        case .end:
            visitors[number] = nil
            left(number)
        }
    }

    /// How all is.
    var status: BackgroundStatus? {
        guard var status = BackgroundStatus(book.ledger, process: getpid()) else { return nil }
        status.waitsFor = waits.map(\.words)
        for (index, task) in status.tasks.enumerated() {
            status.tasks[index].progress = progress[task.record.identifier]
        }
        return status
    }
}
