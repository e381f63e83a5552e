import HTTPSemantics

/// The response of one transfer while it is read, up to its body.
///
/// While libcurl authenticates a connection, a response may be a step of that handshake. Its head
/// is buffered until a body follows or the transfer ends.
struct ResponseReader {
    private var parser = ResponseHeadParser()
    /// Whether libcurl shakes hands with the server or the proxy before the response comes.
    private let shakesHands: Bool
    private let method: String
    /// Whether the request has a body, be it empty.
    private let hasRequestBody: Bool
    /// A final head that has not been handed on.
    private var deferredHead: ResponseHead?
    /// Whether there is one: apart, since it is asked with each piece of a body.
    private(set) var isHolding = false
    /// The status of the final response, once its head has been handed on.
    private var status: Int?
    /// The status of the final response, handed on or not.
    private(set) var knownStatus: Int?
    /// Whether the response came over HTTP/2.
    private(set) var isMultiplexed = false
    /// The length that a successful response over HTTP/2 has given.
    private(set) var streamLength: Int64?
    /// Whether the response's body ends where the connection does.
    private(set) var endsWithConnection = false
    var cookies = ResponseCookies()
    /// Whether something of the response came since a refused body was last given up.
    private(set) var hasMoved = false

    init(_ request: borrowing TransferRequest) {
        shakesHands = request.authentication != nil || request.proxyAuthentication != nil
        method = request.method
        hasRequestBody = request.body != .none
        parser.mayBeFollowed = shakesHands
    }

    /// What has come behind the body, and was announced.
    var trailers: [HTTPHeaderFields.Field] { parser.trailers }

    /// Takes one line of a head; a final head is buffered.
    mutating func take(_ line: UnsafeRawBufferPointer) -> ResponseHeadParser.Line {
        hasMoved = true
        let result = parser.take(line)
        if case .head(let head) = result {
            deferredHead = head
            isHolding = true
            knownStatus = status ?? head.status
        }
        return result
    }

    /// A piece of the body has come.
    mutating func noteBody() {
        hasMoved = true
    }

    /// Whether the server has refused a request's body that still waits, and there is news of it.
    ///
    /// Only when the response has moved: where libcurl wants the body all the same, it asks, waits
    /// again, and would have the transfer ask for ever.
    mutating func takeRefusalOfBody() -> Bool {
        guard hasMoved, let status = knownStatus, status >= 300 else { return false }
        hasMoved = false
        return true
    }

    /// Whether libcurl may send the request again after the buffered head.
    ///
    /// That is a refusal, or a success in response to the handshake's first message, which has no
    /// body.
    ///
    /// - Parameter hasSupplied: whether libcurl has asked for something of the request's body.
    /// - Returns: whether it may; `false` where none is buffered.
    func mayBeOfHandshake(hasSupplied: Bool) -> Bool {
        guard shakesHands, let status = deferredHead?.status else { return false }
        return status == 401 || status == 407 || (hasRequestBody && !hasSupplied && status < 300)
    }

    /// The buffered head, with the cookies: it is the final one.
    mutating func takeHead() -> ResponseHead? {
        guard var head = deferredHead.take() else { return nil }
        isHolding = false
        head.cookies = cookies.lines
        status = head.status
        knownStatus = head.status
        isMultiplexed = head.version == "2"
        if isMultiplexed, (200..<300).contains(head.status), method != "HEAD" {
            streamLength = head.values("content-length").first.flatMap { Int64($0) }
        }
        endsWithConnection = head.endsWithConnection(method)
        return head
    }
}
