import URLLoading

/// What is wanted of background sessions in the place of fetching anything here.
enum BackgroundOrder: Equatable, Sendable {
    case list
    case attach(BackgroundIdentifier)
    case pause(BackgroundIdentifier)
    case resume(BackgroundIdentifier)
    case cancel(BackgroundIdentifier)

    /// The flag that asks for it.
    var flag: String {
        switch self {
        case .list: "--background-list"
        case .attach: "--attach"
        case .pause: "--background-pause"
        case .resume: "--background-resume"
        case .cancel: "--background-cancel"
        }
    }
}
