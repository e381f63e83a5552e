import FoundationEssentials
import Synchronization

/// Passes a body from the transport to one reader, at the reader's pace.
final class ByteChannel: Sendable {
    private struct Piece: Sendable {
        var data: Data
        var taken: @Sendable () -> Void
    }

    private struct State {
        /// In order of arrival; the reader has taken those before `first`.
        var pieces: [Piece] = []
        var first = 0
        var end: Result<Void, URLError>?
        var readers: [CheckedContinuation<Void, Never>] = []
        var response: URLResponse?
        var changes = 0

        mutating func takeFirst() -> Piece? {
            guard first < pieces.count else { return nil }
            defer {
                first += 1
                if first == pieces.count {
                    pieces.removeAll(keepingCapacity: first < 64)
                    first = 0
                }
            }
            return pieces[first]
        }
    }

    private let state = Mutex(State())

    func begin(_ response: URLResponse) {
        wake { $0.response = response }
    }

    func push(_ data: Data, taken: @escaping @Sendable () -> Void) {
        wake { $0.pieces.append(Piece(data: data, taken: taken)) }
    }

    func finish(_ error: URLError?) {
        wake { $0.end = error.map(Result.failure) ?? .success(()) }
    }

    /// The head of the response.
    ///
    /// Throws the task's error if the task failed before the head arrived.
    func response() async throws(URLError) -> URLResponse {
        if let response = try await first({ $0.response }) { return response }
        throw URLError(.badServerResponse, detail: "no response arrived")
    }

    /// The next piece; `nil` at the end.
    ///
    /// Throws the task's error after the reader has taken all pieces that arrived before it.
    func next() async throws(URLError) -> Data? {
        let piece = try await first { $0.takeFirst() }
        piece?.taken()
        return piece?.data
    }

    /// Waits until `take` returns a value, or the task has ended without one.
    private func first<Value: Sendable>(
        _ take: (inout State) -> Value?
    ) async throws(URLError) -> Value? {
        while true {
            let (value, end, changes) = state.withLock { (take(&$0), $0.end, $0.changes) }
            if let value { return value }
            switch end {
            case .failure(let error)?: throw error
            case .success?: return nil
            case nil: await change(after: changes)
            }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let readers = state.withLock { state in
            change(&state)
            state.changes += 1
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    private func change(after changes: Int) async {
        await withCheckedContinuation { continuation in
            let hasChanged = state.withLock { state in
                if state.changes != changes { return true }
                state.readers.append(continuation)
                return false
            }
            if hasChanged { continuation.resume() }
        }
    }
}
