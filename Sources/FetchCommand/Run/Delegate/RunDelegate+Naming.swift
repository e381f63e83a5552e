import FoundationEssentials
import URLLoading

// The names that bodies get.
extension RunDelegate {
    /// Chooses the file of a response's body.
    ///
    /// The folder exists afterwards, and perhaps the locked part.
    ///
    /// - Parameters:
    ///   - response: the response, which may name the file.
    ///   - run: the task's; it keeps what was decided for the tries that follow.
    /// - Returns: the file, and the path that it gets; `nil` where there is to be none, and the run
    ///   knows why.
    /// - Throws: `cannotCreateFile`.
    func place(
        of response: URLResponse,
        _ run: TaskRun
    ) throws(URLError) -> (file: FileDestination, path: String)? {
        guard var file = run.get(\.naming.file) else { return nil }
        let source = run.plan.address.filePath
        if let path = run.get(\.naming.chosen) {
            try names.makeFolder(of: file)
            try streams.check(path, isReplaced: file.ifExists == .replace, source: source)
            return (file, path)
        }
        if file.isNamedByServer,
            let name = (response as? HTTPURLResponse)?.contentDisposition.flatMap(FileName.from)
        {
            file.name = name
            run.change { $0.naming.file?.name = name }
        }
        if file.ifExists == .keep, FileDestination.exists(file.path) {
            run.note(.kept(path: file.path, .found))
            return nil
        }
        if file.ifExists == .keep, !names.take(file.path) {
            run.note(.kept(path: file.path, .isUnderWay))
            return nil
        }
        try names.makeFolder(of: file)
        guard file.ifExists == .number else {
            try streams.check(file.path, isReplaced: file.ifExists == .replace, source: source)
            return (file, file.path)
        }
        let choose = { () throws(URLError) in
            try self.names.choose(for: file, run) { path throws(URLError) in
                try self.streams.check(path, isReplaced: false, source: source)
            }
        }
        do throws(URLError) {
            return (file, try choose())
        } catch {
            // Another program may have removed the folder since a file was made in it.
            guard file.makesFolder, !FileDestination.exists(file.folder) else { throw error }
            try names.makeFolder(of: file, isAgain: true)
            return (file, try choose())
        }
    }

    /// Reports the start of a file, and an overwritten part.
    ///
    /// Throws `cannotCreateFile` if a file of the user's would be lost.
    func begin(
        _ run: TaskRun,
        _ part: String,
        _ response: URLResponse,
        continues: Bool,
        isNew: Bool
    ) throws(URLError) {
        if continues {
            try FileDestination.checkBeside(part)
        } else {
            let left = try FileDestination.checkExistingPart(part, isNew: isNew)
            guard left > 0 else { return printer.start(run, response) }
            let note = printer.overwritingPart(run, part, left)
            run.change { $0.naming.pendingNote = note }
        }
        printer.start(run, response)
    }

    /// Notes the final name of a file.
    ///
    /// - Parameters:
    ///   - saved: the name it got; `nil` where another file has it.
    ///   - path: the name it was to get.
    ///   - task: the session's task.
    ///   - run: the task's.
    func note(_ saved: String?, of path: String, _ task: URLSessionTask, _ run: TaskRun) {
        if let saved {
            run.change { $0.naming.saved = saved }
            task.noteNamed(saved)
        } else {
            run.note(.kept(path: path, .cameMeanwhile))
        }
    }
}

extension FileDestination {
    /// Whether an existing file is kept, as known before anything is sent.
    var isKept: Bool { ifExists == .keep && !isNamedByServer && Self.exists(path) }
}
