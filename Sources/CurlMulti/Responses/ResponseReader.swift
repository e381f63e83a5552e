import HTTPSemantics

/// Reads the response of one transfer up to its body.
///
/// While libcurl authenticates a connection, a response may be a step of that handshake. The reader
/// buffers its head until a body follows or the transfer ends.
struct ResponseReader {
    private var parser: ResponseHeadParser
    /// Whether libcurl makes a handshake with the server or the proxy before the response arrives.
    private let usesConnectionAuthentication: Bool
    private let method: String
    /// Whether the request has a body, even an empty one.
    private let hasRequestBody: Bool
    /// How many times a server or proxy may refuse a handshake in one transfer; each takes two or three.
    static let maximumRefusals = 10
    /// How many times the server has refused the handshake.
    private(set) var refusals = 0
    /// A final head that the transfer has not passed to its handler yet.
    private var deferredHead: ResponseHead?
    /// Whether there is such a head: a separate flag, since the transfer checks it for each piece of a body.
    private(set) var hasDeferredHead = false
    /// The status of the final response, set when the transfer passes its head to its handler.
    private var status: Int?
    /// The status of the final response, set as soon as the reader has parsed its head.
    private(set) var knownStatus: Int?
    /// Whether the response came over HTTP/2.
    private(set) var isMultiplexed = false
    /// The body's length that a successful response over HTTP/2 has given.
    private(set) var streamLength: Int64?
    /// Whether the response's body ends with the connection.
    private(set) var endsWithConnection = false
    private let readsCookies: Bool
    private var cookies = ResponseCookies()
    /// Whether part of the response has arrived since the transfer last stopped a refused body.
    private(set) var hasMoved = false

    /// `known`: the fields of an earlier response, which this one may repeat.
    init(_ request: borrowing TransferRequest, like known: [HTTPHeaderFields.Field] = []) {
        parser = ResponseHeadParser(like: known)
        usesConnectionAuthentication =
            request.authentication != nil || request.proxyAuthentication != nil
        readsCookies = request.readsCookies
        method = request.method
        hasRequestBody = request.body != .none
        parser.mayBeFollowed = usesConnectionAuthentication
    }

    /// The announced fields after the body.
    var trailers: [HTTPHeaderFields.Field] { parser.trailers }

    /// Takes one line of a head, with its end, and buffers a final head.
    mutating func take(
        _ line: UnsafeRawBufferPointer,
        takeCookies: () -> [String] = { [] }
    ) -> ResponseHeadParser.Line {
        hasMoved = true
        if readsCookies { cookies.take(line, takeCookies) }
        let result = parser.take(line)
        if case .head(let head) = result {
            deferredHead = head
            hasDeferredHead = true
            knownStatus = status ?? head.status
            if usesConnectionAuthentication, head.status == 401 || head.status == 407 {
                refusals += 1
            }
        }
        return result
    }

    /// Notes that a piece of the body has arrived.
    mutating func noteBody() {
        hasMoved = true
    }

    /// Whether the server has refused a request's body that still waits, since the last call.
    ///
    /// It returns `true` only if part of the response has arrived since. If libcurl still wants the
    /// body, it asks for it and waits again. Otherwise this would repeat for ever.
    mutating func takeRefusalOfBody() -> Bool {
        guard hasMoved, let status = knownStatus, status >= 300 else { return false }
        hasMoved = false
        return true
    }

    /// Whether libcurl may send the request again after the buffered head: a refusal, or a success in
    /// response to the handshake's first message, which has no body.
    func mayBeHandshakeStep(hasSupplied: Bool) -> Bool {
        guard usesConnectionAuthentication, let status = deferredHead?.status else { return false }
        return status == 401 || status == 407 || (hasRequestBody && !hasSupplied && status < 300)
    }

    /// Removes the buffered head, and returns it with the cookies as the final one.
    mutating func takeHead() -> ResponseHead? {
        guard var head = deferredHead.take() else { return nil }
        hasDeferredHead = false
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
