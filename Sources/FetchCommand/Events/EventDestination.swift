import Glibc

/// Where events are written as JSON.
enum EventDestination: Equatable, Sendable {
    /// Standard error, where messages then become events too.
    case standardError
    /// A file, created or truncated, or a FIFO or device.
    case file(path: String)
    /// A descriptor that was open when the program started.
    case descriptor(CInt)
}

extension EventDestination {
    /// The destination on the command line; `nil` if the command line enables no events.
    ///
    /// A descriptor must be open for writing. Nothing is opened or changed.
    init?(_ options: Options) throws(UsageError) {
        switch options.events {
        case .file(let path)?:
            if let number = Self.descriptor(ofName: path) {
                self = try Self.checked(number, flag: "--events-file", value: path)
            } else if (try? FileFacts(path: path))?.kind == .directory {
                throw .file(path: path, .isDirectory)
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
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return CInt(path.dropFirst(folder.count))
            }
            return nil
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
