import Glibc
import URLLoading

/// An output other than a body: events, heads or reports.
struct SideOutput {
    let flag: String
    /// The file; `nil` if it cannot be examined, so that opening it reports the error.
    let place: FilePlace?
    /// Whether the command line names standard output, or its descriptor.
    let isStandardOutput: Bool
    /// Whether its lines may be mixed with bodies on standard output.
    let mayMixWithBodies: Bool

    /// The output at a path; `nil`: standard output, which it may share with bodies if `mayMix`.
    private init(_ flag: String, _ path: String?, mayMix: Bool = false) {
        self.flag = flag
        place = if let path { FilePlace(path) } else { FilePlace(descriptor: STDOUT_FILENO) }
        isStandardOutput = path == nil
        mayMixWithBodies = mayMix && path == nil
    }

    private init(_ flag: String, descriptor: CInt) {
        self.flag = flag
        place = FilePlace(descriptor: descriptor)
        isStandardOutput = descriptor == STDOUT_FILENO
        mayMixWithBodies = false
    }

    static func all(
        _ events: EventDestination?,
        _ reports: ReportPlan,
        _ session: SessionPlan
    ) -> [SideOutput] {
        var outputs: [SideOutput] = []
        if case .file(let path, _, _) = session.cookies.storage {
            outputs.append(SideOutput(savedCookies, path))
        }
        if case .file(let path) = session.transport.strictTransportSecurity {
            outputs.append(SideOutput("--hsts-file", path))
        }
        switch events {
        case .standardError: outputs.append(SideOutput("--events", descriptor: STDERR_FILENO))
        case .file(let path): outputs.append(SideOutput("--events-file", path))
        case .descriptor(let number):
            outputs.append(SideOutput("--events-fd \(number)", descriptor: number))
        case nil: break
        }
        if let har = reports.har { outputs.append(SideOutput("--har", har.path)) }
        if let tag = reports.entityTag { outputs.append(SideOutput(savedEntityTag, tag.path)) }
        if let heads = reports.heads {
            outputs.append(SideOutput("--dump-header", heads.path, mayMix: true))
        }
        if let format = reports.writeOut {
            outputs += format.files.map { SideOutput("--write-out", $0) }
            if format.usesStandardOutput {
                outputs.append(SideOutput("--write-out", nil, mayMix: true))
            }
        }
        return outputs
    }

    /// The flag's file may also be read by another flag.
    static let savedCookies = "--save-cookies"

    /// The flag's file may also be read by another flag.
    static let savedEntityTag = "--etag-save"
}

// Checks that no body, download or other output uses the same file, by any name.
extension SideOutput {
    /// Throws if the output is the destination of a body, or a file that is read.
    func check(against task: TaskPlan, _ inputs: [InputFile]) throws(UsageError) {
        let usesOutput = task.kind.destination.mayBeStandardOutput
        if usesOutput, isStandardOutput, !mayMixWithBodies {
            throw mixed("a body for standard output")
        }
        guard let place, place.retainsWrites else { return }
        if usesOutput, !mayMixWithBodies, place == FilePlace(descriptor: STDOUT_FILENO) {
            throw mixed("a body for standard output")
        }
        switch task.kind.destination {
        case .standardOutput: break
        case .device(let path):
            if place == FilePlace(path) { throw mixed("--output \(Printable.text(path))") }
        case .automatic(let file), .file(let file): try check(place, against: file)
        }
        if task.body.readsStandardInput, place.returnsWrites,
            place == FilePlace(descriptor: STDIN_FILENO)
        {
            throw conflict("a body from standard input", "both are the same file")
        }
        guard place.returnsWrites else { return }
        for input in inputs where place == FilePlace(input.path) {
            if flag == Self.savedCookies, input.flag == "--load-cookies" { continue }
            if flag == Self.savedEntityTag, input.flag == "--etag-compare" { continue }
            throw conflict(input.flag, "both name the same file")
        }
    }

    /// Throws if the output is the file of `--error-body`.
    func check(againstErrors destination: Destination?) throws(UsageError) {
        guard let place, place.retainsWrites else { return }
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

    func check(against other: SideOutput) throws(UsageError) {
        if flag == other.flag || mayMixWithBodies && other.mayMixWithBodies { return }
        if isStandardOutput, other.isStandardOutput { throw mixed(other.flag) }
        guard let place, place.retainsWrites, place == other.place else { return }
        throw mixed(other.flag)
    }

    private func check(_ place: FilePlace, against file: FileDestination) throws(UsageError) {
        let path = file.continues ? file.path : file.availablePath
        let isNamed = file.ifExists == .replace
        let other = isNamed ? "--output" : "a download to \(Printable.text(path))"
        if file.ifExists != .number || file.continues, place == FilePlace(path, followsLink: false)
        {
            throw conflict(other, "both name the same file")
        }
        for path in FileDestination.pathsBeside(path)
        where place == FilePlace(path, followsLink: false) {
            throw conflict(other, "the body is written to \(Printable.text(path)) first")
        }
    }

    private func mixed(_ other: String) -> UsageError {
        conflict(other, "they would overwrite each other")
    }

    private func conflict(_ other: String, _ reason: String) -> UsageError {
        .conflict(flag, other, reason: reason)
    }
}
