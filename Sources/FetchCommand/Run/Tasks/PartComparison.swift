import FoundationEssentials
import SystemPackage
import URLLoading

/// Compares the last bytes of a part with the server's bytes.
struct PartComparison: Sendable {
    struct Evidence: Sendable {
        var validator: EntityValidator?
        var weakValidators: WeakValidators?
        var total: Int64?
    }

    enum Finding: Sendable {
        /// The bytes match, and the server's file is longer.
        case same(Evidence)
        /// The bytes match, and the server's file ends there.
        case isComplete(Evidence)
        /// The bytes differ, or cannot be compared; the reason as text.
        case differs(String)
        case status(Int)
    }

    /// The maximum number of compared bytes.
    static let length: Int64 = 64 << 10

    let part: UnprovenPart
    let bytes: Data

    /// Reads the end of the part; throws `cannotOpenFile` if it has changed since it was examined.
    init(_ part: UnprovenPart) throws(URLError) {
        self.part = part
        var bytes = Data(count: Int(min(part.size, Self.length)))
        let offset = part.size - Int64(bytes.count)
        let file = try part.open()
        defer { try? file.close() }
        do {
            let count = try bytes.withUnsafeMutableBytes { bytes in
                try file.read(fromAbsoluteOffset: offset, into: bytes)
            }
            guard count == bytes.count else { throw Errno.ioError }
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(part.path): \(error)")
        }
        self.bytes = bytes
    }

    private var start: Int64 { part.size - Int64(bytes.count) }

    /// The request for exactly these bytes.
    func asking(_ request: URLRequest) -> URLRequest {
        var request = request
        request.headerFields["Range"] = "bytes=\(start)-\(part.size - 1)"
        request.headerFields["If-Range"] = part.validator?.text
        return request
    }

    /// The result if the response's head suffices; `nil`: the bytes must be compared.
    func finding(on response: HTTPURLResponse) -> Finding? {
        let fields = response.headerFields
        switch response.statusCode {
        case 206: break
        case 416: return .differs("the server's file is shorter")
        case 400...: return .status(response.statusCode)
        default: return .differs("the server does not support byte ranges, or its file has changed")
        }
        guard
            case .bytes(let range, let total) = ContentRange(fields.first("Content-Range") ?? "")
        else { return .differs("the server sent other bytes than requested") }
        if let total, total < part.size { return .differs("the server's file is shorter") }
        guard range == start...(part.size - 1) else {
            return .differs("the server sent other bytes than requested")
        }
        let changed = fields.first("Last-Modified").flatMap { HTTPDate.seconds($0) }
        // Only without a validator, because this compares the clocks of two machines.
        if part.validator == nil, let changed, changed > part.status.modified {
            return .differs("the server's file is newer")
        }
        return nil
    }

    /// The result from the complete reply; throws the request's failure.
    func finding(on reply: BoundedRequest.Reply) throws(TaskOutcome) -> Finding {
        let response = reply.response as? HTTPURLResponse
        if let finding = response.flatMap(finding(on:)) { return finding }
        if reply.isTooLong { return .differs("the server sent more bytes than requested") }
        if let error = reply.error { throw .error(error) }
        guard reply.bytes == bytes else {
            return .differs("its last bytes differ from the server's")
        }
        let fields = response?.headerFields ?? HTTPHeaderFields()
        let total: Int64? =
            if case .bytes(_, let total) = ContentRange(fields.first("Content-Range") ?? "") {
                total
            } else {
                nil
            }
        guard total != part.size else {
            return .isComplete(Evidence(validator: part.validator, total: part.size))
        }
        let validator = EntityValidator(fields) ?? part.validator
        return .same(
            Evidence(validator: validator, weakValidators: WeakValidators(fields), total: total)
        )
    }
}
