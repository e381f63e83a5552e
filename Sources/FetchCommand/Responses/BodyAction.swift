import FoundationEssentials
import URLLoading

/// What becomes of a response's body, by the command line.
enum BodyAction: Equatable {
    /// It goes where bodies go.
    case deliver
    /// It goes to a file, with a download task.
    case becomeFile
    /// It is an error's, and goes elsewhere.
    case saveAsError
    /// It goes on with what went out, behind so many bytes; and how many the whole has.
    case goOn(from: Int64, of: Int64?)
    /// It is one more part of a body that was decided about.
    case deliverPart
    /// The command line does not ask for it, and its status says why.
    case drop
    /// The attempt ends.
    case cancel
    /// The command line forbids it, or it is no response to what was asked.
    case stop(TaskOutcome)
}

extension BodyAction {
    /// Weighs a response that is not HTTP's, and so has no status.
    init(of response: URLResponse, by plan: ResponsePlan) {
        self = Self.policy(response, hasBody: true, plan)
    }

    /// Weighs a response.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - plan: what the command line says.
    ///   - isHead: whether the header alone was asked for.
    ///   - showsErrorHead: whether that of an error is wanted as well.
    ///   - isContinuing: whether there is a part that this response may continue.
    init(
        of response: HTTPURLResponse,
        by plan: ResponsePlan,
        isHead: Bool,
        showsErrorHead: Bool = false,
        isContinuing: Bool
    ) {
        let status = response.statusCode
        if status == 304 {
            // Not modified: what the caller has is good, and the response has nothing in its place.
            self = isHead ? .deliver : .drop
        } else if status == 416, isContinuing {
            // There is nothing to be added to the part: asked about only where that is success.
            self = .deliver
        } else if status < 400 || (plan.acceptedStatuses.contains(status) && !isContinuing) {
            self = Self.success(response, plan, isHead: isHead, isContinuing: isContinuing)
        } else if isContinuing {
            // Not in the place of a part that is to be continued.
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
            return .stop(
                .error(
                    URLError(
                        .badServerResponse,
                        detail: "\(range.field) was requested, and the server sent \(part)"
                    )
                )
            )
        }
        if response.statusCode == 206, !plan.asksForPart, !isHead, !isContinuing {
            return .stop(
                .error(
                    URLError(
                        .badServerResponse,
                        detail: "the server sent a part, and the whole was requested"
                    )
                )
            )
        }
        // Of a part that is continued the library knows how much the whole is.
        let hasBody = !isHead && response.statusCode != 204
        return policy(response, hasBody: hasBody, plan, knowsLength: !isContinuing)
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

/// `--auto`: whether a body is one to be looked at, or one to be kept.
enum AutomaticChoice {
    /// A person reads no more than this at a terminal, bytes.
    static let longest: Int64 = 1 << 20

    /// Whether the body of a response becomes a file.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - isTerminal: whether standard output is one; what is none can take everything.
    /// - Returns: `false`: it goes to standard output.
    static func isFile(_ response: URLResponse, isTerminal: Bool) -> Bool {
        guard isTerminal else { return false }
        guard isText(response.mimeType ?? MediaTypePattern.untyped) else { return true }
        return response.expectedContentLength > longest
    }

    /// Whether bodies of a media type can be read as they are; it must be in lower case.
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
