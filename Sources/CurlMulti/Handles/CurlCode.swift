import CCurl

/// The result of an operation of libcurl's easy interface: its number, and a name if we act on it.
///
/// Source: `CURLcode` in `curl/curl.h`; see libcurl-errors(3).
package struct CurlCode: RawRepresentable, Hashable, Sendable, Error {
    /// libcurl's own number.
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
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
    package var description: String {
        let words = curl_easy_strerror(CURLcode(rawValue)).map { String(cString: $0) } ?? "Unknown"
        return "\(words) (libcurl \(rawValue))"
    }
}

extension CurlCode {
    package static let ok = CurlCode(CURLE_OK)
    /// The request does not allow the scheme, or the server sent an HTTP/0.9 response.
    package static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
    /// libcurl could not initialise itself: it found no memory, or no TLS library.
    package static let failedInit = CurlCode(CURLE_FAILED_INIT)
    /// libcurl's parser refused the URL.
    package static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
    package static let cannotResolveProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
    package static let cannotResolveHost = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
    /// The host refused the connection, libcurl could not reach it, or the Unix socket does not exist.
    package static let cannotConnect = CurlCode(CURLE_COULDNT_CONNECT)
    /// The head of the response is not HTTP.
    package static let weirdServerReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
    /// The connection ended before the body was complete.
    package static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
    /// Our write callback refused the bytes.
    package static let writeError = CurlCode(CURLE_WRITE_ERROR)
    /// Our read callback refused to supply bytes.
    package static let readError = CurlCode(CURLE_READ_ERROR)
    package static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
    /// libcurl called a function with a wrong argument; it also reports a malformed trailer with this code.
    package static let badFunctionArgument = CurlCode(CURLE_BAD_FUNCTION_ARGUMENT)
    /// A time-out of libcurl's expired: the one for connecting.
    package static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
    package static let tlsConnectError = CurlCode(CURLE_SSL_CONNECT_ERROR)
    /// A callback of ours ended the transfer.
    package static let abortedByCallback = CurlCode(CURLE_ABORTED_BY_CALLBACK)
    /// The interface that the request names does not exist, or libcurl cannot bind to it.
    package static let interfaceFailed = CurlCode(CURLE_INTERFACE_FAILED)
    /// The connection ended before any byte of a response.
    package static let emptyReply = CurlCode(CURLE_GOT_NOTHING)
    package static let tlsEngineNotFound = CurlCode(CURLE_SSL_ENGINE_NOTFOUND)
    package static let sendError = CurlCode(CURLE_SEND_ERROR)
    package static let receiveError = CurlCode(CURLE_RECV_ERROR)
    /// The TLS library cannot use the client's certificate or key.
    package static let clientCertificateProblem = CurlCode(CURLE_SSL_CERTPROBLEM)
    /// The TLS library has no such cipher.
    package static let tlsCipher = CurlCode(CURLE_SSL_CIPHER)
    package static let peerFailedVerification = CurlCode(CURLE_PEER_FAILED_VERIFICATION)
    package static let badContentEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
    /// libcurl would have to send the body again, and cannot rewind it.
    package static let sendFailedRewind = CurlCode(CURLE_SEND_FAIL_REWIND)
    /// libcurl could not shut TLS down properly.
    package static let tlsShutdownFailed = CurlCode(CURLE_SSL_SHUTDOWN_FAILED)
    /// The TLS library cannot read the CA file or folder.
    package static let caCertificateBadFile = CurlCode(CURLE_SSL_CACERT_BADFILE)
    /// The TLS library cannot read the list of revoked certificates.
    package static let crlBadFile = CurlCode(CURLE_SSL_CRL_BADFILE)
    /// The server's certificate has another issuer than the one that the request demands.
    package static let issuerError = CurlCode(CURLE_SSL_ISSUER_ERROR)
    package static let pinnedKeyMismatch = CurlCode(CURLE_SSL_PINNEDPUBKEYNOTMATCH)
    /// The status response does not say that the certificate is good.
    package static let invalidCertificateStatus = CurlCode(CURLE_SSL_INVALIDCERTSTATUS)
    package static let http2 = CurlCode(CURLE_HTTP2)
    package static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)
    /// The proxy's handshake failed.
    package static let proxy = CurlCode(CURLE_PROXY)
    package static let clientCertificateRequired = CurlCode(CURLE_SSL_CLIENTCERT)
}
