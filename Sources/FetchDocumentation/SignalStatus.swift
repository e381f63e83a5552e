/// What a shell makes of a `fetch` that died by a signal: 128 and the signal's number.
package enum SignalStatus: Int, CaseIterable, Sendable {
    case hangUp = 129
    case interrupt = 130
    case pipe = 141
    case terminate = 143

    /// What it means, for the user.
    package var meaning: String {
        switch self {
        case .hangUp: "ended by SIGHUP"
        case .interrupt: "ended by SIGINT"
        case .pipe: "ended by SIGPIPE: the reader of standard output has closed it"
        case .terminate: "ended by SIGTERM"
        }
    }
}
