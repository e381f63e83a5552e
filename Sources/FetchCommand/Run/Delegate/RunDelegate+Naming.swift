import FoundationEssentials
import URLLoading

// File names of bodies.
extension RunDelegate {
    /// Chooses the file for a response's body; `nil` if it is not saved, as `run` then tells.
    ///
    /// Afterwards the folder exists, and a numbered file's part may exist and be locked. `isWhole`:
    /// whether the whole body has arrived, and needs no part file. `run` stores the choice for later
    /// attempts. Throws `cannotCreateFile`.
    func place(
        of response: URLResponse,
        isWhole: Bool,
        _ run: TaskRun
    ) throws(URLError) -> (file: FileDestination, path: String)? {
        guard var file = run.get(\.naming.file) else { return nil }
        let source = run.plan.address.filePath
        if let path = run.get(\.naming.chosen) {
            try names.makeFolder(of: file)
            try streams.check(path, isReplaced: file.ifExists == .replace, source: source)
            return (file, path)
        }
        if file.isNamedByServer, let name = FileName.from(response, file) {
            file.name = name
            run.change { $0.naming.file?.name = name }
        }
        if file.ifExists == .keep {
            // A report's file is not an earlier body.
            if streams.claims(file.path) {
                try streams.check(file.path, isReplaced: true, source: source)
            }
            if FileDestination.exists(file.path) {
                run.note(.kept(path: file.path, .found))
                return nil
            }
            if !names.take(file.path) {
                run.note(.kept(path: file.path, .inProgress))
                return nil
            }
        }
        try names.makeFolder(of: file)
        guard file.ifExists == .number else {
            try streams.check(file.path, isReplaced: file.ifExists == .replace, source: source)
            return (file, file.path)
        }
        let needsPart = !isWhole || file.continues
        // Nothing else detects a missing folder where no part is made.
        if !needsPart, file.makesFolder, !FileDestination.exists(file.folder) {
            try names.makeFolder(of: file, isAgain: true)
        }
        let choose = { () throws(URLError) in
            try self.names.choose(for: file, run, needsPart: needsPart) { path throws(URLError) in
                try self.streams.check(path, isReplaced: false, source: source)
                return !self.streams.claims(path)
            }
        }
        do throws(URLError) {
            return (file, try choose())
        } catch {
            // Another program may have removed the folder after the last file was created in it.
            guard file.makesFolder, !FileDestination.exists(file.folder) else { throw error }
            try names.makeFolder(of: file, isAgain: true)
            return (file, try choose())
        }
    }

    /// Reports a file's start, and an overwritten part; throws `cannotCreateFile` for another file.
    func begin(
        _ run: TaskRun,
        _ part: String,
        _ response: URLResponse,
        continues: Bool
    ) throws(URLError) {
        if continues {
            try FileDestination.checkBeside(part)
        } else if !run.get(\.naming.isUnnamed) {
            let isNew = run.get(\.naming.hasMadePart)
            let left = try FileDestination.checkExistingPart(part, isNew: isNew)
            guard left > 0 else { return printer.start(run, response) }
            let note = printer.overwritingPart(run, part, left)
            run.change { $0.naming.pendingNote = note }
        }
        printer.start(run, response)
    }

    /// Records the final name of a file; `nil` if an existing file of the intended name is kept.
    func note(_ saved: String?, of path: String, _ task: URLSessionTask, _ run: TaskRun) {
        if let saved {
            run.change { $0.naming.saved = saved }
            task.noteNamed(saved)
        } else {
            run.note(.kept(path: path, .createdMeanwhile))
        }
    }
}

extension FileDestination {
    /// Whether an existing file is kept, as far as is known before the request.
    var isKept: Bool { ifExists == .keep && !isNamedByServer && Self.exists(path) }
}
