/// How far a task is, bytes; −1 where a whole is not known.
struct BackgroundProgress: Codable, Hashable, Sendable {
    var task: Int
    var received: Int64
    var expectedToReceive: Int64
    var sent: Int64
    var expectedToSend: Int64
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
    }
}
