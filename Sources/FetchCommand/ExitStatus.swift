import URLLoading

/// The process's exit status: one for each kind of error.
///
/// The numbers are wget's where wget has one. 1 to 7 and 9 to 13 are client-side; 8 alone is an
/// HTTP status. This is the one table: the man page's EXIT STATUS is printed from it.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case usage = 2
    case fileIO = 3
    case network = 4
    case tlsVerification = 5
    case authentication = 6
    case protocolError = 7
    case serverError = 8
    case integrity = 10
    case localPolicy = 11
    case bodyNotRepeatable = 13
    case timeLimit = 124

    package var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "any other failure"
        case .usage: "the command line, or a line of a list, is wrong; nothing was sent for it"
        case .fileIO: "a file cannot be opened, written or renamed, or is locked"
        case .network: "no such host, connection refused or reset, time-out, or an incomplete body"
        case .tlsVerification: "TLS failed, or the server's certificate is not trusted"
        case .authentication: "the server requires a login, and no credentials are left to try"
        case .protocolError: "the response is malformed, or there are too many redirects"
        case .serverError: "the server sent an error status (400 or above)"
        case .integrity: "the body does not match its checksum or digest, or cannot be checked"
        case .localPolicy: "refused because of a flag, such as --proto or --max-filesize"
        case .bodyNotRepeatable: "the request's body cannot be sent again"
        case .timeLimit: "--max-time ran out"
        }
    }

    /// The statuses, the most serious first; with several URLs, the most serious one applies.
    ///
    /// Requests that were never sent and files that were not written are worse than failed
    /// transfers. An error response is the least serious failure.
    package static let byGravity: [ExitStatus] = [
        .usage, .integrity, .fileIO, .bodyNotRepeatable, .tlsVerification, .authentication,
        .localPolicy,
        .protocolError, .timeLimit, .network, .failure, .serverError, .success,
    ]

    static func moreSevere(_ one: ExitStatus, _ other: ExitStatus) -> ExitStatus {
        byGravity.first { $0 == one || $0 == other } ?? one
    }

    init(_ code: URLError.Code) {
        switch code.name {
        case nil:
            // A newer transfer process of a background session may report an unknown code.
            self = .failure
        case .unknown, .cancelled, .resourceUnavailable, .zeroByteResource,
            .internationalRoamingOff, .callIsActive, .dataNotAllowed,
            .backgroundSessionRequiresSharedContainer, .backgroundSessionInUseByAnotherProcess,
            .backgroundSessionWasDisconnected:
            self = .failure
        case .badURL:
            self = .usage
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
            .dnsLookupFailed, .notConnectedToInternet:
            self = .network
        case .httpTooManyRedirects, .badServerResponse, .redirectToNonExistentLocation,
            .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse,
            .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete:
            self = .protocolError
        case .userCancelledAuthentication, .userAuthenticationRequired:
            self = .authentication
        case .requestBodyStreamExhausted:
            self = .bodyNotRepeatable
        case .bodyDigestMismatch:
            self = .integrity
        // The plan accepts only known schemes, so a redirect named this one.
        case .appTransportSecurityRequiresSecureConnection, .dataLengthExceedsMaximum,
            .unsupportedURL, .cannotLoadFromNetwork:
            self = .localPolicy
        case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotCreateFile,
            .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile,
            .cannotMoveFile:
            self = .fileIO
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            self = .tlsVerification
        }
    }
}

enum ProcessExit: Sendable, Equatable {
    case status(ExitStatus)
    /// By raising a signal, so that the shell sees its number: 129, 130, 141, 143.
    case signal(Int32)
}
