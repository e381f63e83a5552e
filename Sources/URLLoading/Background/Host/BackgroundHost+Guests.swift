import Dispatch
import Glibc

// Who comes and goes.
extension BackgroundHost {
    func take(_ socket: PeerSocket) {
        lastConnection += 1
        // Whoever was waited for has come.
        patience = .now()
        let number = lastConnection
        let connection = BackgroundConnection(socket, queue: queue)
        visitors[number] = BackgroundGuest(number, connection)
        connection.begin { [weak self] event in
            self?.assumeIsolated { $0.hear(event, from: number) }
        }
        post(after: Self.greetingTime) { host in
            if let visitor = host.visitors[number], visitor.purpose == nil { host.dismiss(number) }
        }
    }

    /// How long a visitor may take to say who it is, seconds.
    private static let greetingTime = 5.0

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
            if attached?.number == number {
                announceIfStale()
                deliver()
            }
        case .end:
            visitors[number] = nil
            left(number)
        }
    }

    /// Lets somebody in, and says how all is.
    func welcome(_ visitor: BackgroundGuest) {
        if let status = headed(for: visitor) { visitor.send(.welcome(status: status)) }
        // Room that there is in between is not for events.
        visitor.isWelcome = true
    }

    /// How all is, with the last of the tasks, when the others have been sent.
    func headed(for visitor: BackgroundGuest) -> BackgroundStatus? {
        guard var status else { return nil }
        var rest = status.tasks[...]
        while true {
            let batch = BackgroundBatch.first(of: rest, \.record)
            rest = rest.dropFirst(batch.count)
            guard !rest.isEmpty else {
                status.tasks = Array(batch)
                return status
            }
            visitor.send(.added(tasks: Array(batch)))
        }
    }

    /// Tells whoever is attached how tasks stand, by somebody else's order.
    ///
    /// - Parameter tasks: their numbers; `nil`: all.
    func announce(_ tasks: [Int]? = nil) {
        guard let attached, var all = status?.tasks[...] else { return }
        let tasks = tasks.map { Set($0) }
        all.removeAll { task in tasks.map { !$0.contains(task.record.identifier) } ?? false }
        while !all.isEmpty {
            let batch = BackgroundBatch.first(of: all, \.record)
            attached.send(.added(tasks: Array(batch)))
            all = all.dropFirst(batch.count)
        }
    }

    /// The same, of all, where they have been ordered something and there is room for that; else
    /// when there is.
    func announceIfStale() {
        guard isStale, attached?.connection.isFull != true, attached?.isWelcome != false else {
            return
        }
        isStale = false
        announce()
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
