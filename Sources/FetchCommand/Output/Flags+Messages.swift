import SystemPackage
import URLLoading

struct MessagePlan: Equatable, Sendable {
    let verbosity: Verbosity
    let showsResponseHeaders: Bool
    /// The kind of progress display; `nil`: standard error decides.
    ///
    /// None with `-s`, with a verbosity that excludes progress, and if events use standard error.
    let progress: ProgressChoice?
    /// Where events are written as JSON; `nil`: nowhere.
    var events: EventDestination?
    /// The file that replaces standard error.
    var log: LogFile?
    /// Whether a file's name that the command line does not give is printed without progress.
    var reportsNames = false
}

extension MessagePlan {
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

extension Flags {
    static let messages: [Flag] = [
        Flag(
            ["--verbose", "-v"],
            orders: .all,
            help: "show requests and responses; -vv the session's events too",
            details: """
                As in curl, lines with > are headers that are sent, and lines with < are headers \
                that are received, including those of proxies and challenges. Lines with * \
                report addresses, the TLS parameters, and the server's certificate. Bodies are \
                not shown, and credentials are shown as (redacted). With -vv, each call of the \
                session to its delegate is a line too, with the task's number, the method and \
                its arguments. Of -q, -nv and -v, the last one wins.
                """
        ) { $0.verbosity = $0.verbosity.isVerbose ? .everything : .verbose },
        Flag(
            ["--no-verbose", "-nv"],
            orders: .all,
            help: "print one line per task"
        ) { $0.verbosity = .brief },
        Flag(["--quiet", "-q"], orders: .all, help: "print errors only") { $0.verbosity = .quiet },
        Flag(
            ["--server-response", "-S"],
            background: .reportsLater,
            help: "print the headers of responses",
            details: """
                They are printed on standard error, including those of redirects. In one word \
                with -s, as in -sS or -fsSL, the letter is curl's and does nothing.
                """
        ) { $0.showsResponseHeaders = true },
        Flag(
            ["--progress"],
            value: "WHICH",
            kind: .choice(ProgressChoice.allCases.map(\.rawValue)),
            orders: .all,
            help: "show progress as bar, lines or none",
            details: """
                The default is bars if standard error is a terminal, and lines otherwise. Bars \
                are below all other output. Each is replaced by one line when its task is over, \
                and a task of less than 150 ms has none. While a body is written to the same \
                terminal, there are no bars. A job in the background draws no bars, and prints \
                only errors and warnings. If bars are impossible, `bar` prints lines and says \
                so. There is a line when a file is begun, and one when it is complete. Between \
                them there is one for each 10 % that took at least 10 seconds, or every five \
                minutes if that is more often. With -q, -nv and -s, and with --events on \
                standard error, there is no progress, whatever this flag says.
                """
        ) { $0.progress = try ProgressChoice($1) },
        Flag(
            ["--show-progress"],
            background: .reportsLater,
            help: "show progress even with --quiet"
        ) { $0.showsProgressAnyway = true },
        Flag(
            ["--append-output", "-a"],
            value: "LOG",
            background: .reportsLater,
            help: "append messages to LOG instead of standard error"
        ) { $0.log = LogFile(path: try $1.path(), appends: true) },
        Flag(
            ["--output-file"],
            value: "LOG",
            background: .reportsLater,
            help: "write messages to LOG instead of standard error"
        ) { $0.log = LogFile(path: try $1.path(), appends: false) },
        Flag(
            ["--content-on-error", "--fail-with-body"],
            excludes: .init("--error-body", because: "both set the destination of an error's body"),
            background: .makesFiles,
            help: "write the body even if the status is 400 or above",
            details: "Without this flag, such a body is discarded. The exit status does not change."
        ) { $0.responses.contentOnError = true },
        Flag(
            ["--dry-run"],
            help: "print the request and the task, and send nothing",
            details: "Files that the command line names are examined. None is created or changed."
        ) { $0.dryRun = true },
        Flag(
            ["--help", "-h"],
            orders: .all,
            help: "print the most used flags; --help all prints all of them",
            details: """
                A topic may follow: the name of a section, as in `--help cookies`, or of a flag.
                """
        ) { $0.information = .help(nil) },
        Flag(
            ["--version", "-V"],
            orders: .all,
            help: "print the versions of fetch and its libraries"
        ) { $0.information = .version },
    ]
}
