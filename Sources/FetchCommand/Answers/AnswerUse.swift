import FoundationEssentials
import URLLoading

/// What becomes of an answer's body, by the command line.
enum AnswerUse: Equatable {
    /// It goes where bodies go.
    case deliver
    /// It is an error's, and goes elsewhere.
    case saveAsError
    /// Nobody wants it, and its status says why.
    case drop
    /// The command line forbids it, in words.
    case refuse(String)
    /// It is no answer to what was asked.
    case fail(URLError)
}

extension AnswerUse {
    /// Weighs an answer that is not HTTP's, and so has no status.
    init(of response: URLResponse, by plan: AnswerPlan) {
        self = Self.policy(response, hasBody: true, plan)
    }

    /// Weighs an answer.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - plan: what the command line says.
    ///   - isHead: whether the header alone was asked for.
    ///   - showsErrorHead: whether that of an error is wanted as well.
    ///   - isContinuing: whether there is a part that this answer may continue.
    init(
        of response: HTTPURLResponse,
        by plan: AnswerPlan,
        isHead: Bool,
        showsErrorHead: Bool = false,
        isContinuing: Bool
    ) {
        let status = response.statusCode
        if status == 304 {
            // Not modified: what the caller has is good, and the answer has nothing in its place.
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
        _ plan: AnswerPlan,
        isHead: Bool,
        isContinuing: Bool
    ) -> AnswerUse {
        if let range = plan.range, !isHead, response.statusCode < 300,
            response.statusCode != 206
                || !range.fits(response.value(forHTTPHeaderField: "Content-Range"))
        {
            let part = response.value(forHTTPHeaderField: "Content-Range") ?? "the whole"
            return .fail(
                URLError(
                    .badServerResponse,
                    detail: "\(range.field) was asked for, and \(part) is sent"
                )
            )
        }
        if response.statusCode == 206, !plan.asksForPart, !isHead, !isContinuing {
            return .fail(
                URLError(
                    .badServerResponse,
                    detail: "a part is sent, though the whole was asked for"
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
        _ plan: AnswerPlan,
        knowsLength: Bool = true
    ) -> AnswerUse {
        guard hasBody else { return .deliver }
        let type = response.mimeType ?? MediaTypePattern.untyped
        if !plan.acceptedTypes.isEmpty, !plan.acceptedTypes.contains(where: { $0.matches(type) }) {
            return .refuse("the body is \(type), which --accept-type does not name")
        }
        let length = response.expectedContentLength
        if let limit = plan.maxFileSize, knowsLength, length > limit {
            return .refuse(
                "the body has \(length) bytes, and --max-filesize allows \(limit)"
            )
        }
        return .deliver
    }
}
