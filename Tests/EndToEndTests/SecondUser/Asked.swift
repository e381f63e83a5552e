import TestSupport

/// By which flags a download is asked for, so that it is called `name`.
enum Asked: String, CaseIterable, Sendable {
    case output
    case outputByPath
    case outputOfHead
    case outputOfPost
    case outputTimestamped
    case outputContinued
    case ownName
    case ownNameTimestamped
    case ownNameContinued
    case serverName

    /// Whether the user has chosen the name.
    var isNamedByUser: Bool { rawValue.hasPrefix("output") }

    /// Whether a file that has the name stays, and the new one gets a number.
    var isNumbered: Bool { self == .ownName || self == .serverName }

    /// Whether what is there is continued.
    var continues: Bool { self == .outputContinued || self == .ownNameContinued }

    /// The command line.
    func arguments(_ scene: SecondUserScene, port: Int) -> [String] {
        let url = "http://127.0.0.1:\(port)/" + (self == .serverName ? "other" : "name")
        let flags =
            switch self {
            case .output: ["-O", "name"]
            case .outputByPath: ["-O", scene.folder.path("name")]
            case .outputOfHead: ["-I", "-O", "name"]
            case .outputOfPost: ["-d", "x", "-O", "name"]
            case .outputTimestamped: ["-N", "-O", "name"]
            case .outputContinued: ["-c", "-O", "name"]
            case .ownName: [String]()
            case .ownNameTimestamped: ["-N"]
            case .ownNameContinued: ["-c"]
            case .serverName: ["--content-disposition"]
            }
        return ["-t", "1"] + flags + [url]
    }
}
