import Glibc
import URLLoading

/// Where events are written as JSON.
enum EventDestination: Equatable, Sendable {
    /// Standard error, where messages then become events too.
    case standardError
    /// A file, created or truncated, or a FIFO or device.
    case file(path: String)
    /// A descriptor that was open when the program started.
    case descriptor(CInt)

    /// The destination on the command line, if any; a descriptor must be open for writing.
    init?(_ options: Options) throws(UsageError) {
        switch options.events {
        case .file(let path)?:
            if let number = Self.descriptor(ofName: path) {
                self = try Self.checked(number, flag: "--events-file", value: path)
            } else if FileFacts.isFolder(path) {
                throw .file(path: path, "is a directory")
            } else {
                self = .file(path: path)
            }
        case .descriptor(let number)?:
            self = try Self.checked(number, flag: "--events-fd", value: "\(number)")
        case nil: return nil
        case .standardError?:
            self = try Self.checked(STDERR_FILENO, flag: "--events", value: "json")
        }
    }

    /// The descriptor that a path names: opening it again would truncate the user's file.
    private static func descriptor(ofName path: String) -> CInt? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let number =
                path.droppingBytes(of: "/dev/fd/") ?? path.droppingBytes(of: "/proc/self/fd/")
            return number.flatMap { CInt($0) }
        }
    }

    private static func checked(
        _ number: CInt,
        flag: String,
        value: String
    ) throws(UsageError) -> EventDestination {
        // A descriptor opened with O_PATH is reported as read-only.
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
            throw .invalidValue(
                flag: flag,
                value: value,
                reason: "is not open for writing",
                hint: "open it in the shell, as in --events-fd 3 3>FILE"
            )
        }
        return number == STDERR_FILENO ? .standardError : .descriptor(number)
    }
}

extension Flags {
    static let events: [Flag] = [
        Flag(
            ["--events"],
            value: "FORMAT",
            kind: .choice(["json"]),
            background: .reportsLater,
            orders: .attach,
            help: "write events for programs to read; FORMAT is json",
            details: """
                Each call to the session's delegate is one line with one JSON object. "event" is \
                the method's short name, and "method" its full one. "time" is the time of day \
                (RFC 3339, UTC), and "monotonic" is CLOCK_MONOTONIC in seconds. "task" counts \
                the tasks from 1, "url" is the task's first URL, and "pid" is the process. The \
                method's arguments follow under their labels. Users and passwords in URLs, and \
                the headers Authorization, Proxy-Authorization, Cookie and Set-Cookie, are shown \
                as (redacted). The query of a URL is shown. Lines are written to standard error; \
                there, each message is an event "message", and progress is not printed. The \
                transfer does not wait for the reader of a file, a FIFO or a pipe. When 1 MiB of \
                events is waiting, progress events are merged ("calls" says how many), and what \
                does not fit even then is counted in an event "eventsDropped". At the end, a \
                reader of --events-file or --events-fd that takes nothing for 5 seconds is given \
                up. A warning reports events that could not be written. The exit status is that \
                of the transfer.
                """
        ) { options, value in
            let events = try value.choice(["json"], [EventDestination.standardError])
            options.events = options.events ?? events
        },
        Flag(
            ["--events-file"],
            value: "FILE",
            excludes: .init("--events-fd", because: "events can go to only one place"),
            background: .reportsLater,
            orders: .attach,
            help: "write the events to FILE, which is overwritten",
            details: """
                A new FILE is readable only by its owner (mode 0600). FILE may be a FIFO; fetch \
                waits for its reader. This flag implies --events json.
                """
        ) { options, value in
            let path = try value.path()
            guard path != "-" else {
                throw value.invalid(
                    "is not a file",
                    hint: "without --events-file events go to standard error; --events-fd 1 is"
                        + " standard output, and ./- a file of that name"
                )
            }
            options.events = .file(path: path)
        },
        Flag(
            ["--events-fd"],
            value: "N",
            background: .reportsLater,
            orders: .attach,
            help: "write the events to descriptor N, as in --events-fd 3 3>FILE",
            details: """
                The descriptor must be open for writing. This flag implies --events json. If \
                several processes write to one pipe, lines of up to 4096 bytes stay whole. If \
                they append to one file, all lines do.
                """
        ) { $0.events = .descriptor(CInt(try $1.integer(in: 1...Int(Int32.max)))) },
    ]
}
