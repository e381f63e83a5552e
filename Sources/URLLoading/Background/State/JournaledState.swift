/// A session's state machine and its journal: nothing is done before what led to it is on the disk.
struct JournaledState: ~Copyable {
    private(set) var machine: BackgroundStateMachine
    private var journal: Journal

    /// Opens the state of a session, by right of its lock.
    ///
    /// - Parameters:
    ///   - folder: the session's.
    ///   - settings: what holds where there is no such session yet; `nil`: none is made.
    ///   - limit: the tasks that are carried out at once; 0: this is no transfer process.
    /// - Returns: the state, of which ``begin(at:)`` comes next; `nil` where there is no session, and
    ///   no settings for one.
    /// - Throws: what is wrong with the journal.
    static func open(
        _ folder: borrowing BackgroundFolder,
        settings: BackgroundSettings?,
        limit: Int = 16
    ) throws(JournalError) -> JournaledState? {
        let identifier = folder.identifier.text
        let path = folder.folder.place(Journal.name)
        var state = BackgroundState()
        let found = try Journal.open(in: folder.folder) { record in
            state.apply(record)
        } accept: { () throws(JournalError) in
            guard let found = state.settings?.identifier, found == identifier else {
                throw .foreign(path: path, identifier: state.settings?.identifier ?? "")
            }
        }
        if let found {
            var journaled = JournaledState(
                machine: BackgroundStateMachine(state, limit: limit),
                journal: found
            )
            if journaled.journal.isOfOtherVersion {
                try journaled.journal.rewrite(journaled.machine.state.history, in: folder.folder)
            }
            // Processes that are killed again and again would never come to it.
            journaled.compact(in: folder)
            return journaled
        }
        guard let settings else { return nil }
        let records = [JournalRecord.session(settings: settings)]
        return JournaledState(
            machine: BackgroundStateMachine(BackgroundState(records), limit: limit),
            journal: try Journal.make(records, in: folder.folder)
        )
    }

    /// Takes what a process that has just opened it must do first.
    ///
    /// - Parameters:
    ///   - now: microseconds since 1970.
    ///   - mayRun: whether it is a time for transfers.
    /// - Returns: the effects to perform.
    /// - Throws: what keeps it from being written down; then nothing has happened.
    mutating func begin(
        at now: Int64,
        mayRun: Bool = true
    ) throws(JournalError) -> [BackgroundEffect] {
        let before = machine
        machine.mayRun = mayRun
        let step = machine.begin(at: now)
        do throws(JournalError) {
            try journal.append(step.records, beginsWork: false)
        } catch {
            machine = before
            throw error
        }
        return step.effects
    }

    private init(machine: BackgroundStateMachine, journal: consuming Journal) {
        self.machine = machine
        self.journal = journal
    }

    /// Takes what has happened, several things at once at the price of one: what they change is
    /// brought to the disk together.
    ///
    /// - Parameters:
    ///   - inputs: what has happened. Those that begin work can be refused: they go by themselves.
    ///   - folder: the session's.
    ///   - now: microseconds since 1970.
    /// - Returns: what is to be done now.
    /// - Throws: what keeps it from being written down; then nothing has happened, and what must be
    ///   taken is to be offered again.
    mutating func take(
        _ inputs: [BackgroundInput],
        in folder: borrowing BackgroundFolder,
        at now: Int64
    ) throws(JournalError) -> [BackgroundEffect] {
        let before = machine
        let step = machine.take(inputs, at: now)
        do throws(JournalError) {
            if journal.isBroken {
                try journal.rewrite(machine.state.history, in: folder.folder)
            } else {
                try journal.append(step.records, beginsWork: inputs.contains(where: \.beginsWork))
            }
        } catch {
            machine = before
            throw error
        }
        compact(in: folder)
        return step.effects
    }

    /// Writes the journal anew where it is mostly history; what keeps it from that keeps it from
    /// nothing else.
    private mutating func compact(in folder: borrowing BackgroundFolder) {
        guard journal.isMostlyHistory(whereNeeded: machine.state.historyCount) else { return }
        try? journal.rewrite(machine.state.history, in: folder.folder)
    }

    /// The next event for the attached client; `nil` where there is none for now.
    mutating func nextDelivery() -> BackgroundDelivery? {
        machine.nextDelivery()
    }

    /// Whether a transfer process would have something to do.
    var hasWork: Bool { !machine.isIdle }
}
