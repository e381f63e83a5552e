import Dispatch
import Synchronization
import Testing

@testable import URLLoading

// Its transfer process without a process and without transfers, over real files and sockets.
extension BackgroundSession {
    /// Starts a host where nobody has the lock.
    ///
    /// - Parameters:
    ///   - command: what is run when all is done.
    ///   - patience: how long it waits for somebody, seconds.
    ///   - waits: what a discretionary session waits for; empty: it is none.
    ///   - tasks: what was written down before, to be carried out.
    /// - Returns: the host, and what is around it.
    /// - Throws: what keeps it from beginning.
    func start(
        command: String? = nil,
        patience: Double = 30,
        waits: [DiscretionaryConditions.Wait] = [],
        tasks: [BackgroundTaskRecord] = []
    ) throws -> BackgroundStage {
        let stage = BackgroundStage()
        stage.waits.withLock { $0 = waits }
        var settings = sessionSettings(command: command)
        settings.isDiscretionary = !waits.isEmpty
        var surroundings = BackgroundSurroundings()
        surroundings.patience = patience
        surroundings.conditionsInterval = 0.01
        surroundings.waits = { _ in stage.waits.withLock { $0 } }
        surroundings.runCommand = { command, completionHandler in
            stage.commands.withLock { $0.append(command) }
            completionHandler(0)
        }
        try take(stage.queue) { [settings, surroundings] folder, lock in
            if !tasks.isEmpty { try write(tasks, settings, folder) }
            let book = try found(try BackgroundBook.open(folder, settings: settings))
            try stage.begin(folder, lock, book, surroundings)
        }
        return stage
    }

    /// As a program does before it starts one.
    private func write(
        _ tasks: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        _ folder: borrowing BackgroundFolder
    ) throws {
        var book = try found(try BackgroundBook.open(folder, settings: settings, limit: 0))
        let orders = tasks.map { BackgroundInput.resume(task: $0.identifier) }
        _ = try book.take([.make(tasks, from: 0)] + orders, in: folder, at: WallClock.now)
    }

    /// Connects to the host.
    func enter(
        _ purpose: BackgroundHello.Purpose = .attach,
        seen: Int? = nil,
        version: Int = BackgroundHello.version
    ) throws -> BackgroundProgram {
        try connect(
            purpose,
            seen: seen.map { BackgroundVisitor.Seen(token: "t1", sequence: $0) },
            version: version
        )
    }
}
