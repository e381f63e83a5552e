import Glibc

/// Where events go as JSON.
enum EventDestination: Equatable, Sendable {
    /// Messages are then events too.
    case standardError
    /// Made or emptied; a FIFO or a device is written to.
    case file(path: String)
    /// One that was open when the program began.
    case descriptor(CInt)
}

extension EventDestination {
    /// Where the command line sends events; nil where it does not ask for any.
    ///
    /// A descriptor must be open for writing; nothing is opened or changed.
    init?(_ options: Options) throws(PlanError) {
        switch (options.eventsFile, options.eventsDescriptor) {
        // Not both: that is a conflict.
        case (let path?, _):
            if let number = Self.descriptor(ofName: path) {
                self = try Self.checked(number, flag: "--events-file", value: path)
            } else if (try? FileFacts(path: path))?.kind == .directory {
                throw .file(FileFailure(path: path, reason: .isDirectory))
            } else {
                self = .file(path: path)
            }
        case (nil, let number?):
            self = try Self.checked(number, flag: "--events-fd", value: "\(number)")
        case (nil, nil):
            guard options.writesEvents else { return nil }
            self = try Self.checked(STDERR_FILENO, flag: "--events", value: "json")
        }
    }

    /// The descriptor behind a name for one: to open it again would empty the user's file.
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
    ) throws(PlanError) -> EventDestination {
        // A descriptor that is only a place (O_PATH) says that it is for reading.
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
            throw .usage(
                .invalidValue(
                    flag: flag,
                    value: value,
                    reason: "is not open for writing",
                    hint: "open it in the shell, as in --events-fd 3 3>FILE"
                )
            )
        }
        return number == STDERR_FILENO ? .standardError : .descriptor(number)
    }
}
