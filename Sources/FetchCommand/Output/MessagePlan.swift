import SystemPackage
import URLLoading

/// The plan for messages on standard error.
struct MessagePlan: Equatable, Sendable {
    let verbosity: Verbosity
    let showsResponseHeaders: Bool
    /// The kind of progress display; `nil`: standard error decides.
    ///
    /// None with `-s`, with a verbosity that excludes progress, and if events use standard error.
    let progress: ProgressChoice?
    /// Where events are written as JSON; `nil`: nowhere.
    let events: EventDestination?
    /// The file that replaces standard error.
    var log: LogFile?
    /// Whether a file's name that the command line does not give is printed without progress.
    var reportsNames = false
}

extension MessagePlan {
    /// Validates the flags.
    init(_ options: Options, _ events: EventDestination?) {
        self.init(
            verbosity: options.verbosity,
            showsResponseHeaders: options.showsResponseHeaders,
            progress: options.showsProgress && events != .standardError
                ? options.progress : ProgressChoice.none,
            events: events,
            log: options.log,
            reportsNames: options.usesCurlFlags && options.hidesProgress && options.outputs.isEmpty
                && options.directory == nil
        )
    }
}

/// How much is printed; the last of `-q`, `-nv` and `-v` applies.
enum Verbosity: Sendable {
    /// `-q`: errors only.
    case quiet
    /// `-nv`: a line per task.
    case brief
    case normal
    /// `-v`: also requests and responses.
    case verbose
    /// `-vv`: also the calls of the delegate.
    case everything

    /// Whether more is printed than by default.
    var isVerbose: Bool { self == .verbose || self == .everything }
}

struct LogFile: Equatable, Sendable {
    let path: String
    let appends: Bool
}

extension LogFile {
    /// Redirects standard error to the file; `-` is standard output.
    ///
    /// Only the owner can read a new file, because messages contain URLs. Throws `cannotOpenFile`,
    /// also if the file belongs to another user in a folder that others can write to.
    func takeStandardError() throws(URLError) {
        let isFile = path != "-"
        let output =
            isFile
            ? try OutputDescriptor(creating: path, empties: !appends)
            : .standardOutput
        defer { if isFile { output.close() } }
        do {
            _ = try output.descriptor.duplicate(as: .standardError)
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
    }
}
