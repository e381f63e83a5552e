import FoundationEssentials

extension URLSession {
    /// A body as a sequence of bytes, read once; as Foundation's `URLSession.AsyncBytes`.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// One byte.
        public typealias Element = UInt8

        /// Ends the task when nobody reads any more.
        private final class Guard: Sendable {
            let task: URLSessionDataTask

            init(_ task: URLSessionDataTask) {
                self.task = task
            }

            deinit {
                task.cancel()
            }
        }

        private let channel: ByteChannel
        private let owner: Guard

        init(_ channel: ByteChannel, _ task: URLSessionDataTask) {
            self.channel = channel
            owner = Guard(task)
        }

        /// The task behind it.
        public var task: URLSessionDataTask { owner.task }

        /// Reads on from where any other iterator has read to.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(channel: channel, sequence: self)
        }

        /// Hands out the bytes; waits only where none has come.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let channel: ByteChannel
            /// Keeps the task going.
            let sequence: AsyncBytes
            var piece = Data()
            var position = 0

            /// The next byte; `nil` at the end.
            ///
            /// Throws `URLError`, after all bytes that came before.
            public mutating func next() async throws -> UInt8? {
                if position == piece.endIndex {
                    let task = sequence.task
                    let next = try await withTaskCancellationHandler {
                        try await channel.next()
                    } onCancel: {
                        task.cancel()
                    }
                    guard let next else { return nil }
                    piece = next
                    position = piece.startIndex
                }
                defer { position += 1 }
                return piece[position]
            }
        }
    }
}
