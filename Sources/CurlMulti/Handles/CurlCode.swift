import CCurl

/// What an operation of libcurl's easy interface came to: its number, with a name where we act on it.
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

    /// Throws unless libcurl said that all is well.
    static func check(_ code: CURLcode) throws(CurlCode) {
        guard code == CURLE_OK else { throw CurlCode(code) }
    }
}

extension CurlCode: CustomStringConvertible {
    /// libcurl's own words, with the number.
    public var description: String {
        let words = curl_easy_strerror(CURLcode(rawValue)).map { String(cString: $0) } ?? "Unknown"
        return "\(words) (libcurl \(rawValue))"
    }
}

extension CurlCode {
    /// All is well.
    public static let ok = CurlCode(CURLE_OK)
    /// The scheme is not one that is allowed, or an HTTP/0.9 response came.
    public static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
    /// Nothing could be set up: no memory, no TLS library.
    public static let failedInit = CurlCode(CURLE_FAILED_INIT)
    /// libcurl's parser refused the URL.
    public static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
    /// The proxy's name has no address.
    public static let cannotResolveProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
    /// The host's name has no address.
    public static let cannotResolveHost = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
    /// Refused, unreachable, or no such socket.
    public static let cannotConnect = CurlCode(CURLE_COULDNT_CONNECT)
    /// The head of the response is not HTTP.
    public static let weirdServerReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
    /// The connection ended before the body was whole.
    public static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
    /// Our write callback refused.
    public static let writeError = CurlCode(CURLE_WRITE_ERROR)
    /// Our read callback refused.
    public static let readError = CurlCode(CURLE_READ_ERROR)
    /// No memory.
    public static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
    /// libcurl has contradicted itself; so it calls what is wrong with a trailer, too.
    public static let badFunctionArgument = CurlCode(CURLE_BAD_FUNCTION_ARGUMENT)
    /// A time-out of libcurl's: the one for connecting.
    public static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
    /// The TLS handshake failed.
    public static let tlsConnectError = CurlCode(CURLE_SSL_CONNECT_ERROR)
    /// A callback of ours ended the transfer.
    public static let abortedByCallback = CurlCode(CURLE_ABORTED_BY_CALLBACK)
    /// The interface asked for does not exist or cannot be bound.
    public static let interfaceFailed = CurlCode(CURLE_INTERFACE_FAILED)
    /// The connection ended before any response.
    public static let emptyReply = CurlCode(CURLE_GOT_NOTHING)
    /// No such TLS engine.
    public static let tlsEngineNotFound = CurlCode(CURLE_SSL_ENGINE_NOTFOUND)
    /// Sending failed.
    public static let sendError = CurlCode(CURLE_SEND_ERROR)
    /// Receiving failed.
    public static let receiveError = CurlCode(CURLE_RECV_ERROR)
    /// The client's certificate or key cannot be used.
    public static let clientCertificateProblem = CurlCode(CURLE_SSL_CERTPROBLEM)
    /// No such cipher.
    public static let tlsCipher = CurlCode(CURLE_SSL_CIPHER)
    /// The server's certificate did not verify.
    public static let peerFailedVerification = CurlCode(CURLE_PEER_FAILED_VERIFICATION)
    /// A content coding that cannot be undone.
    public static let badContentEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
    /// The body would have to be sent again and cannot be.
    public static let sendFailedRewind = CurlCode(CURLE_SEND_FAIL_REWIND)
    /// TLS could not be ended in good order.
    public static let tlsShutdownFailed = CurlCode(CURLE_SSL_SHUTDOWN_FAILED)
    /// The CA file or folder cannot be read.
    public static let caCertificateBadFile = CurlCode(CURLE_SSL_CACERT_BADFILE)
    /// The list of revoked certificates cannot be read.
    public static let crlBadFile = CurlCode(CURLE_SSL_CRL_BADFILE)
    /// The server's certificate has another issuer than the one asked for.
    public static let issuerError = CurlCode(CURLE_SSL_ISSUER_ERROR)
    /// The server's key is not the pinned one.
    public static let pinnedKeyMismatch = CurlCode(CURLE_SSL_PINNEDPUBKEYNOTMATCH)
    /// The certificate's status is not good.
    public static let invalidCertificateStatus = CurlCode(CURLE_SSL_INVALIDCERTSTATUS)
    /// The HTTP/2 session broke.
    public static let http2 = CurlCode(CURLE_HTTP2)
    /// An HTTP/2 stream broke.
    public static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)
    /// The proxy's handshake failed.
    public static let proxy = CurlCode(CURLE_PROXY)
    /// The server wants a client certificate.
    public static let clientCertificateRequired = CurlCode(CURLE_SSL_CLIENTCERT)
}
