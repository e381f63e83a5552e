/// How many tasks have ended, and how.
struct BackgroundTally: Codable, Hashable, Sendable {
    var succeeded = 0
    var failed = 0
}
