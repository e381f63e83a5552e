/// The head of a hop's answer.
struct HopHead: Sendable {
    var status: Int
    var httpVersion: String
    var reason: String
    var fields: HTTPHeaderFields
}
