import FoundationEssentials

// Tasks are made: what they send is copied first.
extension BackgroundServer {
    /// What a client requests.
    struct MakeRequest {
        var tasks: [BackgroundTaskRecord]
        let settings: BackgroundSettings?
        let client: Int
    }

    /// Makes tasks, once the files that they send have been copied; until then nothing else is read
    /// of this client, and no other makes any.
    func make(
        _ tasks: [BackgroundTaskRecord],
        _ settings: BackgroundSettings?,
        _ client: ClientConnection
    ) {
        makeRequests.append(MakeRequest(tasks: tasks, settings: settings, client: client.number))
        client.hold()
        if makeRequests.count == 1 { beginMaking() }
    }

    private func beginMaking() {
        guard let first = makeRequests.first else { return }
        let state = journaled.machine.state
        let tasks = state.numbered(first.tasks).map { task in
            // A client that was not told that it was made asks again, of the file that was copied.
            guard task.body != nil, let known = state.tasks[task.identifier]?.record,
                known.isRepeated(by: task)
            else { return task }
            return known
        }
        makeRequests[0].tasks = tasks
        let copies = tasks.enumerated().compactMap { index, task in
            // No copy takes the place of another task's.
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
        // A client that has gone meanwhile was told nothing, and may request the same again.
        guard connections[made.client] != nil else { return makingEnded(of: made.client) }
        let request = BackgroundRequest.make(tasks: made.tasks, settings: made.settings)
        report(.request(request, from: made.client))
    }

    /// What a client requested is written down, or refused: the next request follows.
    func makingEnded(of client: Int) {
        guard let made = makeRequests.first, made.client == client else { return }
        makeRequests.removeFirst()
        // Of what was refused, for whatever reason.
        if made.tasks.contains(where: { $0.body != nil }) { sweep() }
        connections[client]?.release()
        beginMaking()
    }

    /// Removes the files of tasks that there are none of, nor going to be.
    func sweep() {
        let coming = Set(makeRequests.flatMap(\.tasks).map(\.identifier))
        folder.sweep { journaled.machine.state.tasks[$0] != nil || coming.contains($0) }
    }
}
