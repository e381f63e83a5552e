/// An event on its way to whoever is attached.
struct BackgroundDelivery: Codable, Hashable, Sendable {
    var sequence: Int
    var event: BackgroundEvent
    /// Whether it may have been told before, to somebody who ended without saying so.
    var isRedelivery: Bool
}
