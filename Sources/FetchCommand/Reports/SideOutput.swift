import Glibc
import URLLoading

/// What is written to besides bodies: events, heads, and what is told of tasks.
struct SideOutput {
    /// The flag that asks for it.
    let flag: String
    /// The file; `nil` where nothing can be found out, so that opening it fails and says why.
    let place: FilePlace?
    /// Whether it is standard output by its name or number.
    var isStandardOutput = false
    /// Whether it may stand among bodies on standard output.
    var mayStandAmongBodies = false

    /// All that a command line asks for.
    static func all(
        _ events: EventDestination?,
        _ reports: ReportPlan,
        _ session: SessionPlan
    ) -> [SideOutput] {
        var outputs: [SideOutput] = []
        if case .file(let path, _, _) = session.cookies.storage {
            outputs.append(SideOutput(flag: savedCookies, place: FilePlace(path)))
        }
        if case .file(let path) = session.transport.strictTransportSecurity {
            outputs.append(SideOutput(flag: "--hsts-file", place: FilePlace(path)))
        }
        if let events { outputs.append(events.output) }
        if let har = reports.har { outputs.append(har.output(of: "--har")) }
        if let tag = reports.entityTag { outputs.append(tag.output(of: savedEntityTag)) }
        if let heads = reports.heads { outputs.append(heads.output(of: "--dump-header")) }
        if let format = reports.writeOut {
            outputs += format.files.map { path in
                SideOutput(flag: "--write-out", place: FilePlace(path))
            }
            if format.usesStandardOutput { outputs.append(.writeOut) }
        }
        return outputs
    }

    /// The one that may be read as well, by another flag.
    static let savedCookies = "--save-cookies"

    /// The same.
    static let savedEntityTag = "--etag-save"

    private static let writeOut = SideOutput(
        flag: "--write-out",
        place: FilePlace(descriptor: STDOUT_FILENO),
        isStandardOutput: true,
        mayStandAmongBodies: true
    )
}

extension EventDestination {
    /// The same, to be compared with others.
    var output: SideOutput {
        switch self {
        case .standardError:
            SideOutput(flag: "--events", place: FilePlace(descriptor: STDERR_FILENO))
        case .file(let path): SideOutput(flag: "--events-file", place: FilePlace(path))
        case .descriptor(let number):
            SideOutput(
                flag: "--events-fd \(number)",
                place: FilePlace(descriptor: number),
                isStandardOutput: number == STDOUT_FILENO
            )
        }
    }
}

extension Destination {
    fileprivate func output(of flag: String) -> SideOutput {
        switch self {
        case .standardOutput:
            SideOutput(
                flag: flag,
                place: FilePlace(descriptor: STDOUT_FILENO),
                isStandardOutput: true
            )
        case .device(let path): SideOutput(flag: flag, place: FilePlace(path))
        case .file(let file), .automatic(let file):
            SideOutput(flag: flag, place: FilePlace(file.path))
        }
    }
}

extension OutputName {
    fileprivate func output(of flag: String) -> SideOutput {
        switch self {
        case .standardOutput:
            SideOutput(
                flag: flag,
                place: FilePlace(descriptor: STDOUT_FILENO),
                isStandardOutput: true,
                mayStandAmongBodies: true
            )
        case .path(let path): SideOutput(flag: flag, place: FilePlace(path))
        }
    }
}
