import Synchronization

extension URLSession {
    /// An event of a background session: one of the calls that its delegate gets once, whatever
    /// happens to the processes in between.
    public struct BackgroundEvent: Sendable, Hashable {
        /// Its number in the session, from 1.
        ///
        /// Whoever keeps what it did under this number does nothing twice.
        public let sequence: Int
        /// Whether it may have been told before, to a run of the program that ended without
        /// having come to the end of the call.
        public let isRedelivery: Bool
    }

    /// The event that the delegate is being told; `nil` outside such a call.
    ///
    /// Not in Foundation, and `nil` in sessions that are no background sessions. Events are `didFinishDownloadingTo` (of uploads, the answer and its body),
    /// `didCompleteWithError` and `urlSessionDidFinishEvents`. What happens in this program alone, such
    /// as a task that cannot be made, is none.
    public var backgroundEvent: BackgroundEvent? {
        locked.withLock { $0.event }
    }

    /// Calls the delegate, on its queue, about an event; that counts as told when this returns.
    func telling(_ event: BackgroundEvent?, _ body: () -> Void) {
        guard let event else { return body() }
        during(event, body)
        attachment?.told(event.sequence)
    }

    /// Calls the delegate, on its queue, about an event of which there is more.
    func during(_ event: BackgroundEvent, _ body: () -> Void) {
        locked.withLock { $0.event = event }
        body()
        locked.withLock { $0.event = nil }
    }
}
