import FoundationEssentials

extension URLSession {
    /// A body as a sequence of bytes, read once; as Foundation's `URLSession.AsyncBytes`.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// One byte.
        public typealias Element = UInt8
        /// The error that reading throws.
        public typealias Failure = URLError

        /// Cancels the task when the caller releases the last copy of the sequence.
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

        /// The task that loads the body.
        public var task: URLSessionDataTask { owner.task }

        /// All iterators share one position in the body.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(channel: channel, sequence: self)
        }

        /// Returns the bytes; waits only if none is available.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let channel: ByteChannel
            /// Keeps the task running.
            let sequence: AsyncBytes
            @usableFromInline var piece: [UInt8] = []
            @usableFromInline var position = 0

            /// The next byte; `nil` at the end.
            ///
            /// It runs on its caller's actor: an available byte costs no change of thread.
            ///
            /// Throws `URLError`, after all bytes that were received before the error.
            @inlinable
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(URLError) -> UInt8? {
                if position == piece.count {
                    guard let next = try await nextPiece(isolation: actor) else { return nil }
                    piece = next
                    position = 0
                }
                defer { position += 1 }
                return piece[position]
            }

            @usableFromInline
            func nextPiece(
                isolation actor: isolated (any Actor)?
            ) async throws(URLError) -> [UInt8]? {
                let task = sequence.task
                let result: Result<Data?, URLError> = await withTaskCancellationHandler {
                    do throws(URLError) {
                        return .success(try await channel.next())
                    } catch {
                        return .failure(error)
                    }
                } onCancel: {
                    task.cancel()
                }
                return try result.get().map { Array($0) }
            }
        }
    }
}
