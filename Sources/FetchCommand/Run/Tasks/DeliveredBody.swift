import FoundationEssentials
import URLLoading

/// The delivered part of a body, on an output from which bytes cannot be removed, such as stdout.
struct DeliveredBody: Sendable, Equatable {
    var count: Int64 = 0
    private let validator: EntityValidator?
    /// The content coding, if any: no range of a decoded body can be requested.
    private let coding: String?
    /// The length of the whole body; `nil` if unknown.
    private let length: Int64?
    /// Why the body cannot be continued, as text; `nil`: it can be.
    let blocker: String?

    /// Records the response whose body will be delivered; `isRaw`: with its transfer coding.
    init(_ response: URLResponse, to method: String, asksForPart: Bool, isRaw: Bool = false) {
        guard let response = response as? HTTPURLResponse else {
            (validator, coding, length) = (nil, nil, nil)
            blocker = "it is not an HTTP response"
            return
        }
        let fields = response.headerFields
        coding = Self.coding(fields)
        let validator = EntityValidator(fields)
        self.validator = validator
        length =
            response.expectedContentLength >= 0 && coding == nil
            ? response.expectedContentLength : nil
        blocker =
            if method != "GET" {
                "a \(method) request is not repeated"
            } else if asksForPart {
                "a part was requested"
            } else if isRaw, fields["Transfer-Encoding"] != nil {
                "its chunks may differ"
            } else if response.statusCode != 200 {
                "the status is \(response.statusCode)"
            } else if response.mimeType == "multipart/x-mixed-replace" {
                "its parts replace one another"
            } else if validator == nil {
                "the server gives no strong ETag, nor a Last-Modified of some age, to tell whether"
                    + " the rest is of the same body"
            } else if coding != nil, !validator.isTag {
                "the body is compressed, and the server gives no strong ETag to tell whether it is"
                    + " the same"
            } else {
                nil
            }
    }

    /// The error for a body that cannot be continued, with the number of delivered bytes.
    func end(_ why: String, after error: URLError? = nil) -> URLError {
        var end = error ?? URLError(.networkConnectionLost)
        let words = "\(count) bytes of the body were written, and it cannot be continued: \(why)"
        end.detail = end.detail.isEmpty ? words : "\(end.detail); \(words)"
        return end
    }

    private static func coding(_ fields: HTTPHeaderFields) -> String? {
        guard let coding = fields["Content-Encoding"]?.asciiLowercased, coding != "identity" else {
            return nil
        }
        return coding
    }

    /// The first byte to request: the last delivered one if the body may be complete.
    private var start: Int64 { length == nil || length == count ? count - 1 : count }

    /// Makes a request conditional on the same body, for the missing bytes ([RFC 9110
    /// §13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5)), or for the whole body if
    /// it is encoded.
    func ask(_ request: inout URLRequest) {
        guard count > 0, blocker == nil, let validator else { return }
        let asksForRest = coding == nil
        request.setValue(asksForRest ? "bytes=\(start)-" : nil, forHTTPHeaderField: "Range")
        request.setValue(asksForRest ? validator.text : nil, forHTTPHeaderField: "If-Range")
    }

    /// How a response relates to the delivered bytes.
    enum Verdict: Equatable {
        /// It has the same body, of length `of`; its first `skip` bytes were delivered before.
        case continues(skip: Int64, of: Int64?)
        /// It cannot continue the body; the reason as text.
        case isOther(String)
    }

    /// Compares the head of a successful response with the delivered bytes.
    func verdict(on response: HTTPURLResponse) -> Verdict {
        let fields = response.headerFields
        switch response.statusCode {
        case 200:
            guard EntityValidator(fields) == validator else {
                return .isOther("the body has changed, or the server sent no matching validator")
            }
            guard Self.coding(fields) == coding else {
                return .isOther("the server uses a different content coding now")
            }
            let length = coding == nil ? Self.length(response) : nil
            guard isSame(length) else { return .isOther("the body has a different length now") }
            return .continues(skip: count, of: length ?? self.length)
        case 206 where coding == nil: return verdict(onPart: fields)
        default: return .isOther("the server responded with status \(response.statusCode)")
        }
    }

    private func verdict(onPart fields: HTTPHeaderFields) -> Verdict {
        guard validator?.isContradicted(by: fields) == false, Self.coding(fields) == nil else {
            return .isOther("the rest belongs to a different body")
        }
        let text = fields["Content-Range"] ?? "no Content-Range"
        guard case .bytes(let range, let total) = ContentRange(text), range.lowerBound == start,
            let length = total ?? length, range.upperBound < length,
            // A server may send less than requested; the rest is requested next (RFC 9110 §14.2).
            range.upperBound == length - 1 || range.upperBound >= count
        else { return .isOther("bytes from \(start) were requested, and the server sent \(text)") }
        guard isSame(total) else { return .isOther("the body has a different length now") }
        return .continues(skip: count - start, of: length)
    }

    private func isSame(_ other: Int64?) -> Bool {
        guard let other else { return true }
        return other == length ?? other && other >= count
    }

    private static func length(_ response: HTTPURLResponse) -> Int64? {
        response.expectedContentLength >= 0 ? response.expectedContentLength : nil
    }
}

extension EntityValidator? {
    /// Whether the validator is a strong entity tag.
    fileprivate var isTag: Bool {
        if case .entityTag = self { true } else { false }
    }
}
