/// How far a task is, bytes; −1 where a whole is not known.
struct BackgroundProgress: Codable, Hashable, Sendable {
    var task: Int
    var received: Int64
    var expectedToReceive: Int64
    var sent: Int64
    var expectedToSend: Int64
    /// Where it has gone on, of one that was made from resume data.
    var resumedAt: Int64?
    /// Why one that was made from resume data has begun at its first byte.
    var startOver: String?
}

extension BackgroundProgress {
    /// As it is said: what is less than a count can be is the least that it can.
    init(from decoder: any Decoder) throws {
        let said = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys, from least: Int64) throws -> Int64 {
            max(least, try said.decode(Int64.self, forKey: key))
        }
        task = try said.decode(Int.self, forKey: .task)
        received = try count(.received, from: 0)
        expectedToReceive = try count(.expectedToReceive, from: -1)
        sent = try count(.sent, from: 0)
        expectedToSend = try count(.expectedToSend, from: -1)
        resumedAt = try said.decodeIfPresent(Int64.self, forKey: .resumedAt).map { max(0, $0) }
        startOver = try said.decodeIfPresent(String.self, forKey: .startOver)
    }
}

extension DownloadStartOver {
    /// As one process says it to another: a word, and after a blank what belongs to it.
    var stored: String {
        switch self {
        case .entityChanged: "entityChanged"
        case .rangesNotSupported: "rangesNotSupported"
        case .unexpectedRange(let words): "unexpectedRange \(words)"
        case .differentURL: "differentURL"
        // No task of a background session knows what its body must come to.
        case .partialFileChanged, .digestMismatch: "partialFileChanged"
        }
    }

    /// What was said; a word that this build does not know is one of the part.
    init(stored: String) {
        let words = stored.split(separator: " ", maxSplits: 1)
        switch words.first {
        case "entityChanged": self = .entityChanged
        case "rangesNotSupported": self = .rangesNotSupported
        case "unexpectedRange": self = .unexpectedRange(words.count > 1 ? String(words[1]) : "")
        case "differentURL": self = .differentURL
        default: self = .partialFileChanged
        }
    }
}
