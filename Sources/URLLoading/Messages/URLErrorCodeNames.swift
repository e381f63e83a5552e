/// The names of the kinds of error, for ``URLError/Code`` and for ``URLError`` itself, as Foundation has
/// them at both: `error.code == .timedOut`, `catch URLError.cancelled`.
///
/// No type of a program's own conforms to it.
public protocol URLErrorCodeNames {}

extension URLError: URLErrorCodeNames {}

extension URLErrorCodeNames {
    /// No other code fits.
    public static var unknown: URLError.Code { .init(.unknown) }
    /// The task was cancelled, or its session invalidated.
    public static var cancelled: URLError.Code { .init(.cancelled) }
    /// The background session has nowhere to keep its state.
    public static var backgroundSessionRequiresSharedContainer: URLError.Code {
        .init(.backgroundSessionRequiresSharedContainer)
    }
    /// Another process is attached to the background session.
    public static var backgroundSessionInUseByAnotherProcess: URLError.Code {
        .init(.backgroundSessionInUseByAnotherProcess)
    }
    /// The transfer process ended while it was wanted.
    public static var backgroundSessionWasDisconnected: URLError.Code {
        .init(.backgroundSessionWasDisconnected)
    }
    /// The URL, the method or a header cannot be sent.
    public static var badURL: URLError.Code { .init(.badURL) }
    /// A time-out ran out.
    public static var timedOut: URLError.Code { .init(.timedOut) }
    /// The session cannot load URLs of this scheme.
    public static var unsupportedURL: URLError.Code { .init(.unsupportedURL) }
    /// The host's name has no address.
    public static var cannotFindHost: URLError.Code { .init(.cannotFindHost) }
    /// Refused, unreachable, or no such socket.
    public static var cannotConnectToHost: URLError.Code { .init(.cannotConnectToHost) }
    /// The connection ended before the response was whole.
    public static var networkConnectionLost: URLError.Code { .init(.networkConnectionLost) }
    /// The name service did not respond.
    public static var dnsLookupFailed: URLError.Code { .init(.dnsLookupFailed) }
    /// A loop of redirects, or more than the session follows.
    public static var httpTooManyRedirects: URLError.Code { .init(.httpTooManyRedirects) }
    /// The resource is not available.
    public static var resourceUnavailable: URLError.Code { .init(.resourceUnavailable) }
    /// There is no route to any network.
    public static var notConnectedToInternet: URLError.Code { .init(.notConnectedToInternet) }
    /// A redirect's Location is no URL, or one that may not be followed.
    public static var redirectToNonExistentLocation: URLError.Code {
        .init(.redirectToNonExistentLocation)
    }
    /// The response is not HTTP, or broken HTTP.
    public static var badServerResponse: URLError.Code { .init(.badServerResponse) }
    /// The challenge was cancelled.
    public static var userCancelledAuthentication: URLError.Code {
        .init(.userCancelledAuthentication)
    }
    /// No credential is left to try.
    public static var userAuthenticationRequired: URLError.Code {
        .init(.userAuthenticationRequired)
    }
    /// A body was announced and none came.
    public static var zeroByteResource: URLError.Code { .init(.zeroByteResource) }
    /// The content coding is not supported.
    public static var cannotDecodeRawData: URLError.Code { .init(.cannotDecodeRawData) }
    /// The content coding is broken.
    public static var cannotDecodeContentData: URLError.Code { .init(.cannotDecodeContentData) }
    /// The body is not what its type says.
    public static var cannotParseResponse: URLError.Code { .init(.cannotParseResponse) }
    /// Foundation's; never reported on Linux.
    public static var internationalRoamingOff: URLError.Code { .init(.internationalRoamingOff) }
    /// Foundation's; never reported on Linux.
    public static var callIsActive: URLError.Code { .init(.callIsActive) }
    /// Foundation's; never reported on Linux.
    public static var dataNotAllowed: URLError.Code { .init(.dataNotAllowed) }
    /// The body must be sent again, and its stream cannot be read again.
    public static var requestBodyStreamExhausted: URLError.Code {
        .init(.requestBodyStreamExhausted)
    }
    /// A secure connection is required, and this one is not secure.
    public static var appTransportSecurityRequiresSecureConnection: URLError.Code {
        .init(.appTransportSecurityRequiresSecureConnection)
    }
    /// The file does not exist.
    public static var fileDoesNotExist: URLError.Code { .init(.fileDoesNotExist) }
    /// The file is a folder.
    public static var fileIsDirectory: URLError.Code { .init(.fileIsDirectory) }
    /// The file may not be read.
    public static var noPermissionsToReadFile: URLError.Code { .init(.noPermissionsToReadFile) }
    /// The body is larger than allowed.
    public static var dataLengthExceedsMaximum: URLError.Code { .init(.dataLengthExceedsMaximum) }
    /// The TLS handshake failed.
    public static var secureConnectionFailed: URLError.Code { .init(.secureConnectionFailed) }
    /// The server's certificate has expired.
    public static var serverCertificateHasBadDate: URLError.Code {
        .init(.serverCertificateHasBadDate)
    }
    /// The server's certificate is not for this host, is self-signed, revoked, or not the pinned one.
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
    /// The client certificate cannot be used, or was rejected.
    public static var clientCertificateRejected: URLError.Code { .init(.clientCertificateRejected) }
    /// The server wants a client certificate.
    public static var clientCertificateRequired: URLError.Code { .init(.clientCertificateRequired) }
    /// Only the cache may be used, and it has nothing.
    public static var cannotLoadFromNetwork: URLError.Code { .init(.cannotLoadFromNetwork) }
    /// The download's file cannot be made.
    public static var cannotCreateFile: URLError.Code { .init(.cannotCreateFile) }
    /// The download's file cannot be opened.
    public static var cannotOpenFile: URLError.Code { .init(.cannotOpenFile) }
    /// The download's file cannot be closed.
    public static var cannotCloseFile: URLError.Code { .init(.cannotCloseFile) }
    /// The download's file cannot be written: disk full, quota, or a fault.
    public static var cannotWriteToFile: URLError.Code { .init(.cannotWriteToFile) }
    /// The download's file cannot be removed.
    public static var cannotRemoveFile: URLError.Code { .init(.cannotRemoveFile) }
    /// The download's file cannot be moved.
    public static var cannotMoveFile: URLError.Code { .init(.cannotMoveFile) }
    /// The download's coding broke in the middle.
    public static var downloadDecodingFailedMidStream: URLError.Code {
        .init(.downloadDecodingFailedMidStream)
    }
    /// The download's coding broke at the end.
    public static var downloadDecodingFailedToComplete: URLError.Code {
        .init(.downloadDecodingFailedToComplete)
    }
    /// The body has another digest than it was to have.
    ///
    /// Not in Foundation, which has nothing of the kind; the number is of the RFC about digests.
    public static var bodyDigestMismatch: URLError.Code { .init(.bodyDigestMismatch) }
}
