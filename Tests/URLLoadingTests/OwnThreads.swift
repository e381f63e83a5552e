import Foundation

/// Runs a body several times at once, each on its own thread, and waits for all of them.
///
/// For bodies that block: on the threads of the tests, which are as few as the machine's processors,
/// every other test would pause meanwhile.
///
/// - Parameters:
///   - count: how many there are.
///   - body: takes its number, from 0.
/// - Returns: their results, in the order of their ends.
/// - Throws: the first error that one of them throws.
func onThreads<Result: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (Int) throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup { group in
        for number in 0..<count {
            group.addTask {
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(with: Swift.Result { try body(number) })
                    }
                }
            }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
