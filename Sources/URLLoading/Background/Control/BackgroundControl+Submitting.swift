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
        if let obstacle = settings.storingObstacle { throw obstacle.urlError }
        let now = WallClock.now
        var records: [BackgroundTaskRecord] = []
        records.reserveCapacity(drafts.count)
        for draft in drafts {
            let flaw = BackgroundLimits.flaw(
                draft.file == nil ? .download : .upload(isFile: true),
                draft.request,
                hasDelegate: true,
                hasHandler: false,
                hasProtocols: false
            )
            if let flaw { throw flaw }
            var record = try draft.record(0, settings, at: now)
            record.startsResumed = true
            records.append(record)
        }
        let session = BackgroundSettings(identifier, settings)
        switch try enter(identifier, makes: true) {
        case .absent: throw BackgroundError.noFolder.urlError
        case .alive(var call):
            try Self.submit(records, session, by: &call)
        case .free(let folder, let lock):
            try Self.write(records, session, in: folder)
            try Self.start(identifier, in: root, lock)
        }
    }

    /// Hands them over; what a frame has room for is one step.
    private static func submit(
        _ records: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        by call: inout ControlConnection
    ) throws(URLError) {
        var made: [Int] = []
        do throws(URLError) {
            var rest = records[...]
            while !rest.isEmpty {
                let batch = BackgroundBatch.first(of: rest)
                made += try make(Array(batch), settings, by: &call)
                rest = rest.dropFirst(batch.count)
            }
        } catch {
            // Of more than a frame takes the first have begun.
            if !made.isEmpty { try? call.order(.cancel(tasks: made)) }
            throw error
        }
    }

    private static func make(
        _ records: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        by call: inout ControlConnection
    ) throws(URLError) -> [Int] {
        let reply: BackgroundReply
        do throws(BackgroundError) {
            reply = try call.ask(.submit(tasks: records, settings: settings))
        } catch {
            throw error.urlError
        }
        switch reply {
        case .made(let tasks): return tasks
        case .refused(_, let code, let detail):
            throw URLError(URLError.Code(rawValue: code), detail: detail)
        default: throw BackgroundError.disconnected("it says \(reply)").urlError
        }
    }

    /// Writes them down, by right of the session's lock.
    private static func write(
        _ records: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        in folder: borrowing BackgroundFolder
    ) throws(URLError) {
        var (settings, records) = (settings, records)
        if let known = try open(folder, nil)?.machine.state.settings {
            settings = known.taking(settings, for: &records)
        }
        guard var journaled = try open(folder, settings) else {
            throw BackgroundError.noFolder.urlError
        }
        do throws(BackgroundError) {
            try folder.makeFilesFolder()
        } catch {
            throw error.urlError
        }
        let first = journaled.machine.state.figures.lastTask + 1
        let numbered = zip(first..., records).map { number, record in
            var record = record
            record.identifier = number
            record.body = record.body?.copied(to: folder.bodyPath(of: number))
            return record
        }
        do throws(URLError) {
            _ = try take([.make(numbered, from: 0)], &journaled, folder)
        } catch {
            for record in numbered { folder.removeFiles(of: record.identifier) }
            // A session that nobody has made a task in was none.
            if journaled.machine.state.isSpent { folder.remove() }
            throw error
        }
    }
}
