import TestSupport

/// The flags of a download that is to be called `name`.
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

    /// Whether an existing file stays, and the new file gets a number.
    var isNumbered: Bool { self == .ownName || self == .serverName }

    /// Whether an existing file is continued.
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
