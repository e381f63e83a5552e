/// The exit status that a shell reports if a signal ended `fetch`: 128 plus the signal's number.
package enum SignalStatus: Int, CaseIterable, Sendable {
    case hangUp = 129
    case interrupt = 130
    case pipe = 141
    case terminate = 143

    /// The meaning, for the user.
    package var meaning: String {
        switch self {
        case .hangUp: "ended by SIGHUP"
        case .interrupt: "ended by SIGINT"
        case .pipe: "ended by SIGPIPE: the reader of standard output has closed it"
        case .terminate: "ended by SIGTERM"
        }
    }
}
