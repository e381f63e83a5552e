/// The names of the error codes, for ``URLError/Code`` and ``URLError``, as in Foundation: `error.code
/// == .timedOut`, `catch URLError.cancelled`.
///
/// Types of a program do not conform to it.
public protocol URLErrorCodeNames {}

extension URLError: URLErrorCodeNames {}

extension URLErrorCodeNames {
    /// No other code fits.
    public static var unknown: URLError.Code { .init(.unknown) }
    /// The program cancelled the task, or invalidated its session.
    public static var cancelled: URLError.Code { .init(.cancelled) }
    /// The background session has no folder for its state.
    public static var backgroundSessionRequiresSharedContainer: URLError.Code {
        .init(.backgroundSessionRequiresSharedContainer)
    }
    /// Another process is attached to the background session.
    public static var backgroundSessionInUseByAnotherProcess: URLError.Code {
        .init(.backgroundSessionInUseByAnotherProcess)
    }
    /// The transfer process ended while the session needed it.
    public static var backgroundSessionWasDisconnected: URLError.Code {
        .init(.backgroundSessionWasDisconnected)
    }
    /// A request cannot send the URL, the method or a header.
    public static var badURL: URLError.Code { .init(.badURL) }
    /// A time limit was exceeded.
    public static var timedOut: URLError.Code { .init(.timedOut) }
    /// The session cannot load URLs of this scheme.
    public static var unsupportedURL: URLError.Code { .init(.unsupportedURL) }
    /// The host's name has no address.
    public static var cannotFindHost: URLError.Code { .init(.cannotFindHost) }
    /// The host refused the connection, is unreachable, or the Unix socket does not exist.
    public static var cannotConnectToHost: URLError.Code { .init(.cannotConnectToHost) }
    /// The connection ended before the response was complete.
    public static var networkConnectionLost: URLError.Code { .init(.networkConnectionLost) }
    /// The name service did not respond.
    public static var dnsLookupFailed: URLError.Code { .init(.dnsLookupFailed) }
    /// A loop of redirects, or more than the session follows.
    public static var httpTooManyRedirects: URLError.Code { .init(.httpTooManyRedirects) }
    /// The resource is not available.
    public static var resourceUnavailable: URLError.Code { .init(.resourceUnavailable) }
    /// No route to a network is available.
    public static var notConnectedToInternet: URLError.Code { .init(.notConnectedToInternet) }
    /// The `Location` of a redirect is not a URL, or the task may not follow it.
    public static var redirectToNonExistentLocation: URLError.Code {
        .init(.redirectToNonExistentLocation)
    }
    /// The response is not HTTP, or is malformed.
    public static var badServerResponse: URLError.Code { .init(.badServerResponse) }
    /// The delegate cancelled the challenge.
    public static var userCancelledAuthentication: URLError.Code {
        .init(.userCancelledAuthentication)
    }
    /// The task has no further credential to try.
    public static var userAuthenticationRequired: URLError.Code {
        .init(.userAuthenticationRequired)
    }
    /// The response stated a body, but had none.
    public static var zeroByteResource: URLError.Code { .init(.zeroByteResource) }
    /// The content coding is not supported.
    public static var cannotDecodeRawData: URLError.Code { .init(.cannotDecodeRawData) }
    /// The body's content coding is malformed.
    public static var cannotDecodeContentData: URLError.Code { .init(.cannotDecodeContentData) }
    /// The body does not match its type.
    public static var cannotParseResponse: URLError.Code { .init(.cannotParseResponse) }
    /// Foundation's; never reported on Linux.
    public static var internationalRoamingOff: URLError.Code { .init(.internationalRoamingOff) }
    /// Foundation's; never reported on Linux.
    public static var callIsActive: URLError.Code { .init(.callIsActive) }
    /// Foundation's; never reported on Linux.
    public static var dataNotAllowed: URLError.Code { .init(.dataNotAllowed) }
    /// The task must send the body again, but cannot read its stream again.
    public static var requestBodyStreamExhausted: URLError.Code {
        .init(.requestBodyStreamExhausted)
    }
    /// The task requires a secure connection, and this one is not secure.
    public static var appTransportSecurityRequiresSecureConnection: URLError.Code {
        .init(.appTransportSecurityRequiresSecureConnection)
    }
    /// The file does not exist.
    public static var fileDoesNotExist: URLError.Code { .init(.fileDoesNotExist) }
    /// The file is a folder.
    public static var fileIsDirectory: URLError.Code { .init(.fileIsDirectory) }
    /// The process may not read the file.
    public static var noPermissionsToReadFile: URLError.Code { .init(.noPermissionsToReadFile) }
    /// The body is larger than allowed.
    public static var dataLengthExceedsMaximum: URLError.Code { .init(.dataLengthExceedsMaximum) }
    /// The TLS handshake failed.
    public static var secureConnectionFailed: URLError.Code { .init(.secureConnectionFailed) }
    /// The server's certificate has expired.
    public static var serverCertificateHasBadDate: URLError.Code {
        .init(.serverCertificateHasBadDate)
    }
    /// The server's certificate is self-signed, revoked, not for this host, or not the pinned one.
    public static var serverCertificateUntrusted: URLError.Code {
        .init(.serverCertificateUntrusted)
    }
    /// No trusted authority is behind the server's certificate.
    public static var serverCertificateHasUnknownRoot: URLError.Code {
        .init(.serverCertificateHasUnknownRoot)
    }
    /// The server's certificate is not valid yet.
    public static var serverCertificateNotYetValid: URLError.Code {
        .init(.serverCertificateNotYetValid)
    }
    /// The client certificate is unusable, or the server rejected it.
    public static var clientCertificateRejected: URLError.Code { .init(.clientCertificateRejected) }
    /// The server requires a client certificate.
    public static var clientCertificateRequired: URLError.Code { .init(.clientCertificateRequired) }
    /// The task may use only the cache, which has no response.
    public static var cannotLoadFromNetwork: URLError.Code { .init(.cannotLoadFromNetwork) }
    /// The task cannot create the download's file.
    public static var cannotCreateFile: URLError.Code { .init(.cannotCreateFile) }
    /// The task cannot open the download's file.
    public static var cannotOpenFile: URLError.Code { .init(.cannotOpenFile) }
    /// The download's file cannot be closed.
    public static var cannotCloseFile: URLError.Code { .init(.cannotCloseFile) }
    /// The task cannot write the download's file: the disk is full, a quota is reached, or the disk failed.
    public static var cannotWriteToFile: URLError.Code { .init(.cannotWriteToFile) }
    /// The task cannot remove the download's file.
    public static var cannotRemoveFile: URLError.Code { .init(.cannotRemoveFile) }
    /// The task cannot move the download's file.
    public static var cannotMoveFile: URLError.Code { .init(.cannotMoveFile) }
    /// The download's content coding is malformed in the middle.
    public static var downloadDecodingFailedMidStream: URLError.Code {
        .init(.downloadDecodingFailedMidStream)
    }
    /// The download's content coding is malformed at the end.
    public static var downloadDecodingFailedToComplete: URLError.Code {
        .init(.downloadDecodingFailedToComplete)
    }
    /// The body's digest differs from the expected one.
    ///
    /// Not in Foundation; the number is that of the RFC about digests.
    public static var bodyDigestMismatch: URLError.Code { .init(.bodyDigestMismatch) }
}
