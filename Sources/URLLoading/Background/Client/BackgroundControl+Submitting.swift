// Tasks are queued.
extension BackgroundControl {
    /// Queues tasks, resumed, and has a transfer process carry them out; back when they are on the
    /// disk.
    ///
    /// - Parameters:
    ///   - drafts: the tasks.
    ///   - identifier: the session, which is made where there is none.
    ///   - configuration: what holds for it from now on.
    /// - Throws: what keeps one of them from being made: then none is.
    package func submit(
        _ drafts: [BackgroundTaskDraft],
        to identifier: BackgroundIdentifier,
        _ configuration: URLSessionConfiguration
    ) throws(URLError) {
        let settings = configuration.settings
        if let blocker = settings.storingBlocker { throw blocker.urlError }
        let now = WallClock.now
        var records: [BackgroundTaskRecord] = []
        records.reserveCapacity(drafts.count)
        for draft in drafts {
            let error = BackgroundLimits.validationError(
                draft.file == nil ? .download : .upload(isFile: true),
                draft.request,
                hasDelegate: true,
                hasHandler: false,
                hasProtocols: false
            )
            if let error { throw error }
            var record = try draft.record(0, settings, at: now)
            record.startsResumed = true
            records.append(record)
        }
        let session = BackgroundSettings(identifier, settings)
        let found: Bool? = try withSession(identifier, makes: true) {
            [records, root] folder, lock throws(BackgroundError) in
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

    /// Writes them down, by right of the session's lock.
    private static func write(
        _ records: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        in folder: borrowing BackgroundFolder
    ) throws(BackgroundError) {
        guard var journaled = try open(folder, settings) else { throw .noFolder }
        try folder.makeFilesFolder()
        let numbered = journaled.machine.state.numbered(records).map { record in
            var record = record
            record.body = record.body?.copied(to: folder.bodyPath(of: record.identifier))
            return record
        }
        do throws(BackgroundError) {
            let request = BackgroundRequest.make(tasks: numbered, settings: settings)
            _ = try take(request, &journaled, folder)
        } catch {
            for record in numbered { folder.removeFiles(of: record.identifier) }
            // A session that has no task yet was none.
            if journaled.machine.state.isSpent { folder.remove() }
            throw error
        }
    }
}
