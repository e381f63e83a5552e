// Queueing of tasks.
extension BackgroundControl {
    /// Queues resumed tasks for a transfer process; returns when they are on the disk.
    ///
    /// - Parameters:
    ///   - drafts: the tasks.
    ///   - identifier: the session, which is made if it does not exist.
    ///   - configuration: the session's configuration from now on.
    /// - Throws: the reason why a task cannot be made; then no task is made.
    package func submit(
        _ drafts: [BackgroundTaskDraft],
        to identifier: BackgroundIdentifier,
        _ configuration: URLSessionConfiguration
    ) throws(URLError) {
        let settings = configuration.settings
        if let blocker = settings.storingBlocker { throw blocker.urlError }
        let now = WallClock.now
        let mode = NewFileMode.current
        let records = try drafts.map { draft throws(URLError) in
            var record = try draft.record(0, settings, at: now, mode: mode)
            record.startsResumed = true
            return record
        }
        let session = BackgroundSettings(identifier, settings)
        let found: Bool? = try withSession(identifier, makes: true) {
            folder,
            lock throws(BackgroundError) in
            try Self.write(records, session, in: folder)
            // A command ends long before the transfer process, and does not reap it.
            _ = try TransferProcess.start(identifier, in: root, lock: lock)
            return true
        } connected: { conversation throws(BackgroundError) in
            try conversation.make(records, session)
            return true
        }
        guard found == true else { throw BackgroundError.noFolder.urlError }
    }

    /// Writes the tasks to the journal; the caller has the session's lock.
    private static func write(
        _ records: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        in folder: borrowing BackgroundFolder
    ) throws(BackgroundError) {
        guard var journaled = try JournaledState.open(folder, settings: settings, limit: 0) else {
            throw .noFolder
        }
        try folder.makeFilesFolder()
        let numbered = journaled.machine.state.numbered(records).map { record in
            var record = record
            record.body = record.body?.copied(to: folder.bodyPath(of: record.identifier))
            return record
        }
        do throws(BackgroundError) {
            let request = BackgroundRequest.make(tasks: numbered, settings: settings)
            _ = try journaled.take([.request(request, from: 0)], in: folder, at: WallClock.now)
        } catch {
            for record in numbered { folder.removeFiles(of: record.identifier) }
            // A session without a task is removed again.
            if journaled.machine.state.isSpent { folder.remove() }
            throw error
        }
    }
}
