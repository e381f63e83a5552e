import FoundationEssentials
import Synchronization
import SystemPackage
import URLLoading

/// Asks the server for the last bytes that a file has, and compares.
///
/// It is the delegate of its own task, and tells what it hears as the session's does; redirects go
/// on to that.
final class OverlapProbe: URLSessionDataDelegate {
    /// What came of it.
    enum Finding: Sendable {
        /// The bytes are the server's, and there are more: its validator, and the length in all.
        case same(EntityValidator?, EntitySighting, total: Int64?)
        /// The bytes are the server's, and there are no more.
        case isComplete
        /// They are not, or that cannot be found out; why.
        case differs(String)
        /// The server answered with an error status.
        case status(Int)
        /// The task failed.
        case failed(URLError)
    }

    /// Bytes that are compared at the most.
    static let length: Int64 = 64 << 10

    private struct State {
        var finding: Finding?
        var bytes = Data()
        var validator: EntityValidator?
        var sighting = EntitySighting(HTTPHeaderFields())
        var total: Int64?
    }

    private let part: UnprovenPart
    private let own: Data
    private let session: RunDelegate
    private let ended: @Sendable () -> Void
    private let state = Mutex(State())

    /// Reads the end of the part.
    ///
    /// - Parameters:
    ///   - part: the bytes in question.
    ///   - session: the session's delegate.
    ///   - ended: told that there is a finding.
    /// - Throws: `cannotOpenFile` where the part cannot be read, or is not any more what was looked
    ///   at.
    init(
        _ part: UnprovenPart,
        _ session: RunDelegate,
        ended: @escaping @Sendable () -> Void
    ) throws(URLError) {
        self.part = part
        self.session = session
        self.ended = ended
        var own = Data(count: Int(min(part.size, Self.length)))
        let offset = part.size - Int64(own.count)
        let file = try part.open()
        defer { try? file.close() }
        do {
            let count = try own.withUnsafeMutableBytes { bytes in
                try file.read(fromAbsoluteOffset: offset, into: bytes)
            }
            guard count == own.count else { throw Errno.ioError }
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(part.path): \(error)")
        }
        self.own = own
    }

    /// The request that asks for these bytes alone.
    func asking(_ request: URLRequest) -> URLRequest {
        var request = request
        request.headerFields["Range"] = "bytes=\(start)-\(part.size - 1)"
        request.headerFields["If-Range"] = part.validator?.text
        return request
    }

    /// What was found, once `ended` was called.
    var finding: Finding {
        state.withLock { $0.finding } ?? .failed(URLError(.cancelled))
    }

    private var start: Int64 { part.size - Int64(own.count) }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.session.printer.event(.didReceiveResponse(dataTask, response))
        if let response = response as? HTTPURLResponse { self.session.showHead(response) }
        let finding = (response as? HTTPURLResponse).flatMap(judge)
        if case .status? = finding, let http = response as? HTTPURLResponse {
            // What the server asks for stands in the head.
            _ = self.session.isTriedAgain(dataTask, after: http)
        }
        state.withLock { $0.finding = finding }
        completionHandler(finding == nil ? .allow : .cancel)
    }

    /// What the head alone says; `nil`: the bytes must be compared.
    private func judge(_ response: HTTPURLResponse) -> Finding? {
        let fields = response.headerFields
        switch response.statusCode {
        case 206: break
        case 416: return .differs("the server's file is shorter")
        case 400...: return .status(response.statusCode)
        default: return .differs("the server does not send parts, or its file has changed")
        }
        guard case .bytes(let range, let total) = ContentRange(fields.first("Content-Range") ?? ""),
            range == start...(part.size - 1)
        else { return .differs("the server sent other bytes than those asked for") }
        let changed = fields.first("Last-Modified").flatMap { HTTPDate.seconds($0) }
        // Only where nothing better is known: a clock of ours against one of theirs.
        if part.validator == nil, let changed, changed > part.status.modified {
            return .differs("the server's file is newer")
        }
        state.withLock { state in
            state.validator = EntityValidator(fields)
            state.sighting = EntitySighting(fields)
            state.total = total
        }
        return nil
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self.session.printer.event(.didReceiveData(dataTask, data.count))
        let isTooMuch = state.withLock { state in
            state.bytes += data
            return state.bytes.count > own.count
        }
        if isTooMuch { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        self.session.printer.event(.didComplete(task, error))
        state.withLock { state in
            guard state.finding == nil else { return }
            if state.bytes.count > own.count {
                state.finding = .differs("the server sent more bytes than were asked for")
            } else if let error {
                let known = error as? URLError
                state.finding = .failed(known ?? URLError(.unknown, detail: "\(error)"))
            } else if state.bytes != own {
                state.finding = .differs("its last bytes are not the server's")
            } else {
                state.finding =
                    state.total == part.size
                    ? .isComplete
                    : .same(state.validator, state.sighting, total: state.total)
            }
        }
        ended()
    }
}
