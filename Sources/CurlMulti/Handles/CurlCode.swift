import CCurl

/// The result of an operation of libcurl's easy interface: its number, and a name if we act on it.
///
/// Source: `CURLcode` in `curl/curl.h`; see libcurl-errors(3).
public struct CurlCode: RawRepresentable, Hashable, Sendable, Error {
    /// libcurl's own number.
    public let rawValue: UInt32

    /// Wraps libcurl's number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(_ code: CURLcode) {
        rawValue = code.rawValue
    }

    /// Throws unless libcurl reported success.
    static func check(_ code: CURLcode) throws(CurlCode) {
        guard code == CURLE_OK else { throw CurlCode(code) }
    }
}

extension CurlCode: CustomStringConvertible {
    /// libcurl's own text for the code, with the number.
    public var description: String {
        let words = curl_easy_strerror(CURLcode(rawValue)).map { String(cString: $0) } ?? "Unknown"
        return "\(words) (libcurl \(rawValue))"
    }
}

extension CurlCode {
    /// The operation succeeded.
    public static let ok = CurlCode(CURLE_OK)
    /// The request does not allow the scheme, or the server sent an HTTP/0.9 response.
    public static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
    /// libcurl could not initialise itself: it found no memory, or no TLS library.
    public static let failedInit = CurlCode(CURLE_FAILED_INIT)
    /// libcurl's parser refused the URL.
    public static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
    /// libcurl found no address for the proxy's name.
    public static let cannotResolveProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
    /// libcurl found no address for the host's name.
    public static let cannotResolveHost = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
    /// The host refused the connection, libcurl could not reach it, or the Unix socket does not exist.
    public static let cannotConnect = CurlCode(CURLE_COULDNT_CONNECT)
    /// The head of the response is not HTTP.
    public static let weirdServerReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
    /// The connection ended before the body was complete.
    public static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
    /// Our write callback refused the bytes.
    public static let writeError = CurlCode(CURLE_WRITE_ERROR)
    /// Our read callback refused to supply bytes.
    public static let readError = CurlCode(CURLE_READ_ERROR)
    /// libcurl could not allocate memory.
    public static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
    /// libcurl called a function with a wrong argument; it also reports a malformed trailer with this code.
    public static let badFunctionArgument = CurlCode(CURLE_BAD_FUNCTION_ARGUMENT)
    /// A time-out of libcurl's expired: the one for connecting.
    public static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
    /// The TLS handshake failed.
    public static let tlsConnectError = CurlCode(CURLE_SSL_CONNECT_ERROR)
    /// A callback of ours ended the transfer.
    public static let abortedByCallback = CurlCode(CURLE_ABORTED_BY_CALLBACK)
    /// The interface that the request names does not exist, or libcurl cannot bind to it.
    public static let interfaceFailed = CurlCode(CURLE_INTERFACE_FAILED)
    /// The connection ended before any byte of a response.
    public static let emptyReply = CurlCode(CURLE_GOT_NOTHING)
    /// The TLS library has no such engine.
    public static let tlsEngineNotFound = CurlCode(CURLE_SSL_ENGINE_NOTFOUND)
    /// libcurl could not send.
    public static let sendError = CurlCode(CURLE_SEND_ERROR)
    /// libcurl could not receive.
    public static let receiveError = CurlCode(CURLE_RECV_ERROR)
    /// The TLS library cannot use the client's certificate or key.
    public static let clientCertificateProblem = CurlCode(CURLE_SSL_CERTPROBLEM)
    /// The TLS library has no such cipher.
    public static let tlsCipher = CurlCode(CURLE_SSL_CIPHER)
    /// The server's certificate failed verification.
    public static let peerFailedVerification = CurlCode(CURLE_PEER_FAILED_VERIFICATION)
    /// libcurl cannot decode the content coding.
    public static let badContentEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
    /// libcurl would have to send the body again, and cannot rewind it.
    public static let sendFailedRewind = CurlCode(CURLE_SEND_FAIL_REWIND)
    /// libcurl could not shut TLS down properly.
    public static let tlsShutdownFailed = CurlCode(CURLE_SSL_SHUTDOWN_FAILED)
    /// The TLS library cannot read the CA file or folder.
    public static let caCertificateBadFile = CurlCode(CURLE_SSL_CACERT_BADFILE)
    /// The TLS library cannot read the list of revoked certificates.
    public static let crlBadFile = CurlCode(CURLE_SSL_CRL_BADFILE)
    /// The server's certificate has another issuer than the one that the request demands.
    public static let issuerError = CurlCode(CURLE_SSL_ISSUER_ERROR)
    /// The server's key is not the pinned one.
    public static let pinnedKeyMismatch = CurlCode(CURLE_SSL_PINNEDPUBKEYNOTMATCH)
    /// The status response does not say that the certificate is good.
    public static let invalidCertificateStatus = CurlCode(CURLE_SSL_INVALIDCERTSTATUS)
    /// The HTTP/2 session failed.
    public static let http2 = CurlCode(CURLE_HTTP2)
    /// An HTTP/2 stream failed.
    public static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)
    /// The proxy's handshake failed.
    public static let proxy = CurlCode(CURLE_PROXY)
    /// The server demands a client certificate.
    public static let clientCertificateRequired = CurlCode(CURLE_SSL_CLIENTCERT)
}
