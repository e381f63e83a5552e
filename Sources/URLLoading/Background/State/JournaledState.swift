/// A session's state machine with its journal; effects are returned once their records are on the disk.
struct JournaledState: ~Copyable {
    private(set) var machine: BackgroundStateMachine
    private var journal: Journal

    /// Opens the state of a locked session; `nil` if there is none, and no settings for one.
    static func open(
        _ folder: borrowing BackgroundFolder,
        settings: BackgroundSettings?,
        limit: Int = 16
    ) throws(BackgroundError) -> JournaledState? {
        let identifier = folder.identifier.text
        let path = folder.folder.place(Journal.name)
        var state = BackgroundState()
        let found = try Journal.open(in: folder.folder) { record in
            state.apply(record)
        } accept: { () throws(BackgroundError) in
            guard let found = state.settings?.identifier, found == identifier else {
                throw .foreign(path: path, identifier: state.settings?.identifier ?? "")
            }
            guard state.counters.lastEvent < BackgroundState.lastSequence else {
                throw .corrupt(path: path, line: 1, reason: "its events' numbers are too high")
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
            // Processes that are killed again and again would never compact it later.
            journaled.compact(in: folder)
            return journaled
        }
        guard let settings else { return nil }
        let records = [
            JournalRecord.session(settings: settings),
            .figures(figures: BackgroundCounters(isFresh: true)),
        ]
        return JournaledState(
            machine: BackgroundStateMachine(BackgroundState(records), limit: limit),
            journal: try Journal.make(records, in: folder.folder)
        )
    }

    /// Begins after the journal was opened; on an error of the journal, the state is unchanged.
    mutating func begin(
        in folder: borrowing BackgroundFolder,
        at now: Int64,
        mayRun: Bool = true
    ) throws(BackgroundError) -> [BackgroundEffect] {
        try advance(in: folder, beginsWork: false) { machine in
            machine.mayRun = mayRun
            return machine.begin(at: now)
        }
    }

    /// Takes several inputs at once, and writes their records to the disk as one batch.
    ///
    /// Inputs that begin work can be refused, and are in a batch of their own. On an error of the journal,
    /// the state is unchanged: the caller offers inputs that must not be lost again.
    mutating func take(
        _ inputs: [BackgroundInput],
        in folder: borrowing BackgroundFolder,
        at now: Int64
    ) throws(BackgroundError) -> [BackgroundEffect] {
        try advance(in: folder, beginsWork: inputs.contains(where: \.beginsWork)) { machine in
            machine.take(inputs, at: now)
        }
    }

    private mutating func advance(
        in folder: borrowing BackgroundFolder,
        beginsWork: Bool,
        _ makeStep: (inout BackgroundStateMachine) -> BackgroundStateMachine.Step
    ) throws(BackgroundError) -> [BackgroundEffect] {
        let before = machine
        let step = makeStep(&machine)
        do throws(BackgroundError) {
            if journal.isBroken {
                try journal.rewrite(machine.state.history, in: folder.folder)
            } else {
                try journal.append(step.records, beginsWork: beginsWork)
            }
        } catch {
            machine = before
            throw error
        }
        compact(in: folder)
        return step.effects
    }

    /// Rewrites the journal if it is mostly history; an error is ignored.
    private mutating func compact(in folder: borrowing BackgroundFolder) {
        guard journal.isMostlyHistory(whereNeeded: machine.state.historyCount) else { return }
        try? journal.rewrite(machine.state.history, in: folder.folder)
    }

    mutating func nextDelivery() -> BackgroundDelivery? {
        machine.nextDelivery()
    }
}
