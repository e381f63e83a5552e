/// The names of the kinds of error, for ``URLError/Code`` and for ``URLError`` itself, as Foundation has
/// them at both: `error.code == .timedOut`, `catch URLError.cancelled`.
///
/// No type of a program's own conforms to it.
public protocol URLErrorCodeNames {}

extension URLError: URLErrorCodeNames {}

extension URLErrorCodeNames {
    /// No other code fits.
    public static var unknown: URLError.Code { URLError.Code(.unknown) }
    /// The task was cancelled, or its session invalidated.
    public static var cancelled: URLError.Code { URLError.Code(.cancelled) }
    /// The background session has nowhere to keep its state.
    public static var backgroundSessionRequiresSharedContainer: URLError.Code {
        URLError.Code(.backgroundSessionRequiresSharedContainer)
    }
    /// Another process is attached to the background session.
    public static var backgroundSessionInUseByAnotherProcess: URLError.Code {
        URLError.Code(.backgroundSessionInUseByAnotherProcess)
    }
    /// The transfer process ended while it was wanted.
    public static var backgroundSessionWasDisconnected: URLError.Code {
        URLError.Code(.backgroundSessionWasDisconnected)
    }
    /// The URL, the method or a header cannot be sent.
    public static var badURL: URLError.Code { URLError.Code(.badURL) }
    /// A time-out ran out.
    public static var timedOut: URLError.Code { URLError.Code(.timedOut) }
    /// The scheme is none that the session can load.
    public static var unsupportedURL: URLError.Code { URLError.Code(.unsupportedURL) }
    /// The host's name has no address.
    public static var cannotFindHost: URLError.Code { URLError.Code(.cannotFindHost) }
    /// Refused, unreachable, or no such socket.
    public static var cannotConnectToHost: URLError.Code { URLError.Code(.cannotConnectToHost) }
    /// The connection ended before the response was whole.
    public static var networkConnectionLost: URLError.Code { URLError.Code(.networkConnectionLost) }
    /// The name service did not respond.
    public static var dnsLookupFailed: URLError.Code { URLError.Code(.dnsLookupFailed) }
    /// A loop of redirects, or more than the session follows.
    public static var httpTooManyRedirects: URLError.Code { URLError.Code(.httpTooManyRedirects) }
    /// What was asked for cannot be had.
    public static var resourceUnavailable: URLError.Code { URLError.Code(.resourceUnavailable) }
    /// There is no route to any network.
    public static var notConnectedToInternet: URLError.Code {
        URLError.Code(.notConnectedToInternet)
    }
    /// A redirect's Location is no URL, or one that may not be followed.
    public static var redirectToNonExistentLocation: URLError.Code {
        URLError.Code(.redirectToNonExistentLocation)
    }
    /// The response is not HTTP, or broken HTTP.
    public static var badServerResponse: URLError.Code { URLError.Code(.badServerResponse) }
    /// The challenge was cancelled.
    public static var userCancelledAuthentication: URLError.Code {
        URLError.Code(.userCancelledAuthentication)
    }
    /// No credential is left to try.
    public static var userAuthenticationRequired: URLError.Code {
        URLError.Code(.userAuthenticationRequired)
    }
    /// A body was announced and none came.
    public static var zeroByteResource: URLError.Code { URLError.Code(.zeroByteResource) }
    /// The content coding is none that can be undone.
    public static var cannotDecodeRawData: URLError.Code { URLError.Code(.cannotDecodeRawData) }
    /// The content coding is broken.
    public static var cannotDecodeContentData: URLError.Code {
        URLError.Code(.cannotDecodeContentData)
    }
    /// The body is not what its type says.
    public static var cannotParseResponse: URLError.Code { URLError.Code(.cannotParseResponse) }
    /// Foundation's; never reported on Linux.
    public static var internationalRoamingOff: URLError.Code {
        URLError.Code(.internationalRoamingOff)
    }
    /// Foundation's; never reported on Linux.
    public static var callIsActive: URLError.Code { URLError.Code(.callIsActive) }
    /// Foundation's; never reported on Linux.
    public static var dataNotAllowed: URLError.Code { URLError.Code(.dataNotAllowed) }
    /// The body was wanted again, and its stream cannot be had again.
    public static var requestBodyStreamExhausted: URLError.Code {
        URLError.Code(.requestBodyStreamExhausted)
    }
    /// A secure connection is demanded and this one is none.
    public static var appTransportSecurityRequiresSecureConnection: URLError.Code {
        URLError.Code(.appTransportSecurityRequiresSecureConnection)
    }
    /// The file does not exist.
    public static var fileDoesNotExist: URLError.Code { URLError.Code(.fileDoesNotExist) }
    /// The file is a folder.
    public static var fileIsDirectory: URLError.Code { URLError.Code(.fileIsDirectory) }
    /// The file may not be read.
    public static var noPermissionsToReadFile: URLError.Code {
        URLError.Code(.noPermissionsToReadFile)
    }
    /// The body is larger than allowed.
    public static var dataLengthExceedsMaximum: URLError.Code {
        URLError.Code(.dataLengthExceedsMaximum)
    }
    /// The TLS handshake failed.
    public static var secureConnectionFailed: URLError.Code {
        URLError.Code(.secureConnectionFailed)
    }
    /// The server's certificate has expired.
    public static var serverCertificateHasBadDate: URLError.Code {
        URLError.Code(.serverCertificateHasBadDate)
    }
    /// The server's certificate is not for this host, is self-signed, revoked, or not the pinned one.
    public static var serverCertificateUntrusted: URLError.Code {
        URLError.Code(.serverCertificateUntrusted)
    }
    /// No trusted authority is behind the server's certificate.
    public static var serverCertificateHasUnknownRoot: URLError.Code {
        URLError.Code(.serverCertificateHasUnknownRoot)
    }
    /// The server's certificate is not valid yet.
    public static var serverCertificateNotYetValid: URLError.Code {
        URLError.Code(.serverCertificateNotYetValid)
    }
    /// The client certificate cannot be used, or was rejected.
    public static var clientCertificateRejected: URLError.Code {
        URLError.Code(.clientCertificateRejected)
    }
    /// The server wants a client certificate.
    public static var clientCertificateRequired: URLError.Code {
        URLError.Code(.clientCertificateRequired)
    }
    /// Only the cache may be used, and it has nothing.
    public static var cannotLoadFromNetwork: URLError.Code { URLError.Code(.cannotLoadFromNetwork) }
    /// The download's file cannot be made.
    public static var cannotCreateFile: URLError.Code { URLError.Code(.cannotCreateFile) }
    /// The download's file cannot be opened.
    public static var cannotOpenFile: URLError.Code { URLError.Code(.cannotOpenFile) }
    /// The download's file cannot be closed.
    public static var cannotCloseFile: URLError.Code { URLError.Code(.cannotCloseFile) }
    /// The download's file cannot be written: disk full, quota, or a fault.
    public static var cannotWriteToFile: URLError.Code { URLError.Code(.cannotWriteToFile) }
    /// The download's file cannot be removed.
    public static var cannotRemoveFile: URLError.Code { URLError.Code(.cannotRemoveFile) }
    /// The download's file cannot be moved.
    public static var cannotMoveFile: URLError.Code { URLError.Code(.cannotMoveFile) }
    /// The download's coding broke in the middle.
    public static var downloadDecodingFailedMidStream: URLError.Code {
        URLError.Code(.downloadDecodingFailedMidStream)
    }
    /// The download's coding broke at the end.
    public static var downloadDecodingFailedToComplete: URLError.Code {
        URLError.Code(.downloadDecodingFailedToComplete)
    }
    /// The body has another digest than it was to have.
    ///
    /// Not in Foundation, which has nothing of the kind; the number is of the RFC about digests.
    public static var bodyDigestMismatch: URLError.Code { URLError.Code(.bodyDigestMismatch) }
}
