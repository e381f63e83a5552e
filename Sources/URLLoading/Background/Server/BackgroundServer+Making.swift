import FoundationEssentials

// Creation of tasks, after copies of the files that they upload.
extension BackgroundServer {
    struct MakeRequest {
        var tasks: [BackgroundTaskRecord]
        let settings: BackgroundSettings?
        let client: Int
    }

    /// Makes tasks, once their files have been copied.
    ///
    /// Until then, no other request of this client is read, and no other client makes tasks.
    func make(
        _ tasks: [BackgroundTaskRecord],
        _ settings: BackgroundSettings?,
        _ client: ClientConnection
    ) {
        makeRequests.append(MakeRequest(tasks: tasks, settings: settings, client: client.number))
        client.pauseRequests()
        if makeRequests.count == 1 { beginMaking() }
    }

    private func beginMaking() {
        guard let first = makeRequests.first else { return }
        let state = journaled.machine.state
        let tasks = state.numbered(first.tasks).map { task in
            // A client that has missed the reply repeats its request; the file was copied already.
            guard task.body != nil, let known = state.tasks[task.identifier]?.record,
                known.isRepeated(by: task)
            else { return task }
            return known
        }
        makeRequests[0].tasks = tasks
        let copies = tasks.enumerated().compactMap { index, task in
            // A copy must not replace another task's.
            task.identifier > state.counters.lastTask && state.tasks[task.identifier] == nil
                ? task.body.map { (index, $0, folder.bodyPath(of: task.identifier)) } : nil
        }
        guard !copies.isEmpty else { return endMaking() }
        SerialQueue("BackgroundServer.copying").async { [weak self] in
            let copied = copies.map { index, body, path in (index, body.copied(to: path)) }
            self?.post { server in
                for (index, body) in copied { server.makeRequests[0].tasks[index].body = body }
                server.endMaking()
            }
        }
    }

    private func endMaking() {
        guard let made = makeRequests.first, !hasEnded else { return }
        // A client that has disconnected got no reply, and may repeat its request.
        guard connections[made.client] != nil else { return makingEnded(of: made.client) }
        let request = BackgroundRequest.make(tasks: made.tasks, settings: made.settings)
        report(.request(request, from: made.client))
    }

    /// Notes that a client's tasks are stored or refused, and continues with the next request.
    func makingEnded(of client: Int) {
        guard let made = makeRequests.first, made.client == client else { return }
        makeRequests.removeFirst()
        // Removes copies for tasks that were refused.
        if made.tasks.contains(where: { $0.body != nil }) { sweep() }
        connections[client]?.resumeRequests()
        beginMaking()
    }

    /// Removes files of tasks that neither exist nor are being made.
    func sweep() {
        let coming = Set(makeRequests.flatMap(\.tasks).map(\.identifier))
        folder.sweep { journaled.machine.state.tasks[$0] != nil || coming.contains($0) }
    }
}
