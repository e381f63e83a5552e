/// A hop under way; after its end all of this does nothing.
protocol RunningHop: Sendable {
    /// Answers for a head whose client had said `.hold`.
    func decide(_ disposition: BodyDisposition)

    /// Answers for a server whose client had no answer yet.
    func decide(_ answer: TrustAnswer, about trust: ServerTrust)

    /// Says that the delegate has taken so many bytes of what was delivered.
    func consumed(_ bytes: Int)

    /// Holds it where it stands.
    func suspend()

    /// Lets it go on.
    func resume()

    /// Ends it with `cancelled`.
    func cancel()

    /// Changes its share of an HTTP/2 connection; 0 to 1.
    func setPriority(_ priority: Float)
}
