import Glibc

// That nothing else is read or written where it goes, by whatever name.
extension SideOutput {
    /// Sees that it goes neither into a body, nor into a file that is read, nor into one that a
    /// download becomes.
    func check(against tasks: [TaskPlan], _ inputs: [InputFile]) throws(PlanError) {
        for task in tasks {
            switch task.kind.destination {
            case .standardOutput, .automatic:
                if isStandardOutput, !mayStandAmongBodies {
                    throw mixed("a body for standard output")
                }
            case .file, .device: break
            }
        }
        guard let place, place.keepsWhatIsWritten else { return }
        for task in tasks {
            switch task.kind.destination {
            case .standardOutput: try check(besidesStandardOutput: place)
            case .automatic(let file):
                try check(besidesStandardOutput: place)
                try check(place, against: file)
            case .device(let path):
                if place == FilePlace(path) { throw mixed("--output \(Printable.text(path))") }
            case .file(let file): try check(place, against: file)
            }
            if task.body.readsStandardInput, place.givesWhatIsWritten,
                place == FilePlace(descriptor: STDIN_FILENO)
            {
                throw conflict("a body from standard input", "both are the same file")
            }
        }
        guard place.givesWhatIsWritten else { return }
        for input in inputs where place == FilePlace(input.path) {
            if flag == Self.savedCookies, input.flag == "--load-cookies" { continue }
            if flag == Self.savedEntityTag, input.flag == "--etag-compare" { continue }
            throw conflict(input.flag, "both name the same file")
        }
    }

    /// Sees that what is written at `--error-body` is not what goes here.
    func check(againstErrors destination: Destination?) throws(PlanError) {
        guard let place, place.keepsWhatIsWritten else { return }
        switch destination {
        case .file(let file):
            for path in [file.path] + FileDestination.pathsBeside(file.path)
            where place == FilePlace(path, followsLink: false) {
                throw conflict("--error-body", "both name the same file")
            }
        case .device(let path):
            if place == FilePlace(path) { throw mixed("--error-body \(Printable.text(path))") }
        case .standardOutput, .automatic, nil: break
        }
    }

    /// Sees that two of them do not go to the same place.
    func check(against other: SideOutput) throws(PlanError) {
        if flag == other.flag || mayStandAmongBodies && other.mayStandAmongBodies { return }
        if isStandardOutput, other.isStandardOutput { throw mixed(other.flag) }
        guard let place, place.keepsWhatIsWritten, place == other.place else { return }
        throw mixed(other.flag)
    }

    private func check(besidesStandardOutput place: FilePlace) throws(PlanError) {
        guard !mayStandAmongBodies, place == FilePlace(descriptor: STDOUT_FILENO) else { return }
        throw mixed("a body for standard output")
    }

    private func check(
        _ place: FilePlace,
        against file: FileDestination
    ) throws(PlanError) {
        let path = file.continues ? file.path : file.freePath
        let isNamed = file.ifExists == .replace
        let other = isNamed ? "--output" : "a download to \(Printable.text(path))"
        if isNamed || file.continues, place == FilePlace(path, followsLink: false) {
            throw conflict(other, "both name the same file")
        }
        for path in FileDestination.pathsBeside(path)
        where place == FilePlace(path, followsLink: false) {
            throw conflict(other, "the body is in \(Printable.text(path)) until it is whole")
        }
    }

    private func mixed(_ other: String) -> PlanError {
        conflict(other, "each would garble the other")
    }

    private func conflict(_ other: String, _ reason: String) -> PlanError {
        .usage(.conflict(flag, other, reason: reason))
    }
}
