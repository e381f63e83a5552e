/// How far a task is, bytes; −1 where a whole is not known.
struct BackgroundProgress: Codable, Hashable, Sendable {
    var task: Int
    var received: Int64
    var expectedToReceive: Int64
    var sent: Int64
    var expectedToSend: Int64
}
