import FoundationEssentials
import Synchronization

/// Passes a body from the transport to one reader, at the reader's pace.
final class ByteChannel: Sendable {
    private struct Piece {
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

        var hasPiece: Bool { first < pieces.count }

        mutating func takeFirst() -> Piece? {
            guard hasPiece else { return nil }
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
        while true {
            let (response, end) = state.withLock { ($0.response, $0.end) }
            if let response { return response }
            switch end {
            case .failure(let error)?: throw error
            case .success?: throw URLError(.badServerResponse, detail: "no response arrived")
            case nil: await change { $0.response != nil || $0.end != nil }
            }
        }
    }

    /// The next piece; `nil` at the end.
    ///
    /// Throws the task's error after the reader has taken all pieces that arrived before it.
    func next() async throws(URLError) -> Data? {
        while true {
            let (piece, end): (Piece?, Result<Void, URLError>?) = state.withLock { state in
                (state.takeFirst(), state.end)
            }
            if let piece {
                piece.taken()
                return piece.data
            }
            switch end {
            case .success?: return nil
            case .failure(let error)?: throw error
            case nil: await change { $0.hasPiece || $0.end != nil }
            }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let readers = state.withLock { state in
            change(&state)
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    private func change(_ isReady: @Sendable (borrowing State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state in
                if isReady(state) { return true }
                state.readers.append(continuation)
                return false
            }
            if isNow { continuation.resume() }
        }
    }
}
