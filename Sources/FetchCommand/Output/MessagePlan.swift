import SystemPackage
import URLLoading

/// The plan for messages on standard error.
struct MessagePlan: Equatable, Sendable {
    let verbosity: Verbosity
    let showsResponseHeaders: Bool
    /// Nil: as standard error allows.
    ///
    /// None with `-s`, where the verbosity leaves no room for it, and where standard error is for
    /// events.
    let progress: ProgressChoice?
    /// Where events go as JSON, if anywhere.
    let events: EventDestination?
    /// What takes the place of standard error.
    var log: LogFile?
    /// Whether a file's name that the command line does not give is printed anyway.
    var reportsNames = false
}

extension MessagePlan {
    /// Takes over the flags.
    init(_ options: Options, _ events: EventDestination?) {
        self.init(
            verbosity: options.verbosity,
            showsResponseHeaders: options.showsResponseHeaders,
            progress: options.showsProgress && events != .standardError
                ? options.progress : ProgressChoice.none,
            events: events,
            log: options.log,
            reportsNames: options.isCurls && options.hidesProgress && options.outputs.isEmpty
                && options.directory == nil
        )
    }
}

/// How much is printed; the last of `-q`, `-nv` and `-v` wins.
enum Verbosity: Sendable {
    /// `-q`: errors only.
    case quiet
    /// `-nv`: a line per task.
    case brief
    case normal
    /// `-v`: what is sent and received too.
    case verbose
    /// `-vv`: the calls to the delegate as well.
    case everything

    /// Whether more is printed than usual.
    var isVerbose: Bool { self == .verbose || self == .everything }
}

/// A file for messages instead of standard error.
struct LogFile: Equatable, Sendable {
    let path: String
    /// Whether messages are appended.
    let appends: Bool
}

extension LogFile {
    /// Redirects standard error there.
    ///
    /// A new file is for its owner alone, since messages name URLs; `-` is standard output.
    ///
    /// - Throws: `cannotOpenFile`, also where the file belongs to another user in a folder that
    ///   others can write to.
    func takeStandardError() throws(URLError) {
        let isFile = path != "-"
        let output =
            isFile
            ? try OutputDescriptor(creating: path, empties: !appends, isPrivate: true)
            : .standardOutput
        defer { if isFile { output.close() } }
        do {
            _ = try output.descriptor.duplicate(as: .standardError)
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
    }
}
