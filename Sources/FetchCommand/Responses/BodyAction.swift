import FoundationEssentials
import URLLoading

/// What is done with a response's body, by the rules of the command line.
enum BodyAction: Equatable {
    case deliver
    /// Save it as a file: the task becomes a download task.
    case becomeFile
    /// Save it as the body of an error (`--error-body`).
    case saveAsError
    /// Continue the delivered body after `from` bytes; `of` is the length of the whole body.
    case continueBody(from: Int64, of: Int64?)
    case deliverPart
    /// Discard it; the status code is the result.
    case drop
    case cancel
    /// Refuse it, because the command line forbids it, or it does not match the request.
    case stop(TaskOutcome)

    /// The action for a response without a status code, because its scheme is not HTTP.
    init(of response: URLResponse, by plan: ResponsePlan) {
        self = Self.policy(response, hasBody: true, plan)
    }

    /// The action for a response; `showsErrorHead`: the header of an error response is needed too.
    init(
        of response: HTTPURLResponse,
        by plan: ResponsePlan,
        isHead: Bool,
        showsErrorHead: Bool = false,
        isContinuing: Bool
    ) {
        let status = response.statusCode
        if status == 304 {
            // Not modified: the existing file is current, and the response has no body.
            self = isHead ? .deliver : .drop
        } else if status == 416, isContinuing {
            // The library decides whether the part is complete, or starts over.
            self = .deliver
        } else if status < 400 || (plan.acceptedStatuses.contains(status) && !isContinuing) {
            self = Self.success(response, plan, isHead: isHead, isContinuing: isContinuing)
        } else if isContinuing {
            // The body of an error must not replace the part.
            self = plan.errorBody == nil ? .drop : .saveAsError
        } else if plan.errorBody != nil, !isHead {
            self = .saveAsError
        } else if plan.contentOnError || showsErrorHead {
            self = Self.policy(response, hasBody: !isHead, plan)
        } else {
            self = .drop
        }
    }

    private static func success(
        _ response: HTTPURLResponse,
        _ plan: ResponsePlan,
        isHead: Bool,
        isContinuing: Bool
    ) -> BodyAction {
        if let range = plan.range, !isHead, response.statusCode < 300,
            response.statusCode != 206
                || !range.fits(response.value(forHTTPHeaderField: "Content-Range"))
        {
            let part = response.value(forHTTPHeaderField: "Content-Range") ?? "the whole"
            return unfit("\(range.field) was requested, and the server sent \(part)")
        }
        if response.statusCode == 206, !plan.asksForPart, !isHead, !isContinuing {
            return unfit("the server sent a partial response to a request for the whole body")
        }
        // For a continued part, the library knows the length of the whole body.
        let hasBody = !isHead && response.statusCode != 204
        return policy(response, hasBody: hasBody, plan, knowsLength: !isContinuing)
    }

    private static func unfit(_ words: String) -> BodyAction {
        .stop(.error(URLError(.badServerResponse, detail: words)))
    }

    private static func policy(
        _ response: URLResponse,
        hasBody: Bool,
        _ plan: ResponsePlan,
        knowsLength: Bool = true
    ) -> BodyAction {
        guard hasBody else { return .deliver }
        if !plan.acceptedTypes.isEmpty {
            let type = response.mimeType ?? MediaTypePattern.untyped
            guard plan.acceptedTypes.contains(where: { $0.matches(type) }) else {
                return .stop(.policy("the body is \(type), which --accept-type does not allow"))
            }
        }
        let length = response.expectedContentLength
        if let limit = plan.maxFileSize, knowsLength, length > limit {
            return .stop(
                .policy("the body has \(length) bytes, and --max-filesize allows \(limit)")
            )
        }
        return .deliver
    }
}

/// The rule of `--auto`: whether a body is printed or saved.
enum AutomaticChoice {
    /// The maximum length of a text for a terminal, in bytes.
    static let longest: Int64 = 1 << 20

    /// Whether a body is saved as a file; standard output that is no terminal accepts every body.
    static func isFile(_ response: URLResponse, isTerminal: Bool) -> Bool {
        guard isTerminal else { return false }
        guard isText(response.mimeType ?? MediaTypePattern.untyped) else { return true }
        return response.expectedContentLength > longest
    }

    /// Whether bodies of a media type, given in lower case, are readable text.
    static func isText(_ type: String) -> Bool {
        let parts = type.split(byte: UInt8(ascii: "/"))
        guard parts.count == 2 else { return false }
        if parts[0] == "text" { return true }
        if ["+json", "+xml", "+yaml"].contains(where: { parts[1].endsWithBytes(of: $0) }) {
            return true
        }
        guard parts[0] == "application" else { return false }
        return [
            "json", "x-ndjson", "json-seq", "xml", "javascript", "x-javascript", "ecmascript",
            "yaml", "x-yaml", "toml", "graphql", "sql", "x-sh", "x-www-form-urlencoded",
        ].contains(String(parts[1]))
    }
}

/// The beginning of an undelivered error response's body, which often has an API's error message.
struct ErrorExcerpt: Sendable {
    /// The maximum length that is read, in bytes.
    static let size = 2 << 10
    /// The maximum wait for the excerpt, so that a server cannot delay the error message.
    static let timeout: Duration = .seconds(2)
    private static let maximumLines = 8
    private static let maximumLineLength = 160

    private(set) var bytes = Data()
    /// Whether the body has more bytes than are stored.
    private(set) var isCut = false

    /// Appends the next bytes of the body; returns whether there is room for more.
    mutating func take(_ data: Data) -> Bool {
        let room = Self.size - bytes.count
        if data.count > room { isCut = true }
        bytes += data.prefix(room)
        return bytes.count < Self.size
    }

    /// The lines to print, without control characters; empty if the body is binary.
    var lines: [String] {
        guard !bytes.contains(0) else { return [] }
        let all = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        var lines = all.prefix(Self.maximumLines).map { line in
            let start = line.prefix(Self.maximumLineLength)
            return "  " + Printable.text(String(start)) + (start.count < line.count ? "…" : "")
        }
        if isCut || all.count > Self.maximumLines { lines.append("  …") }
        return lines
    }

    /// Whether a response has readable text that is probably written by an API: not HTML.
    static func isReadable(_ response: URLResponse) -> Bool {
        guard let type = response.mimeType, AutomaticChoice.isText(type) else { return false }
        return !type.hasBytes(of: "text/html") && !type.endsWithBytes(of: "xhtml+xml")
    }
}
