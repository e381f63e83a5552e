extension URLError.Code {
    /// The text of an error with this code, without users and passwords of URLs; in the text of a file
    /// error, the path is not changed.
    package func redacted(_ text: String) -> String {
        switch self {
        case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotCreateFile,
            .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile,
            .cannotMoveFile:
            UserInfo.redacted(inPaths: text)
        default: UserInfo.redacted(in: text)
        }
    }

    /// The kind of error in a few words, for users.
    var words: String { name?.words ?? "error \(rawValue)" }
}

extension URLError.Code.Name {
    /// The kind of error in a few words, for users.
    fileprivate var words: String {
        switch self {
        case .unknown: "an unknown error occurred"
        case .cancelled: "cancelled"
        case .backgroundSessionRequiresSharedContainer: "the background session has no container"
        case .backgroundSessionInUseByAnotherProcess: "another process uses this background session"
        case .backgroundSessionWasDisconnected: "no connection with the transfer process"
        case .badURL: "the request is malformed"
        case .timedOut: "timed out"
        case .unsupportedURL: "unsupported URL"
        case .cannotFindHost: "host not found"
        case .cannotConnectToHost: "cannot connect"
        case .networkConnectionLost: "connection lost"
        case .dnsLookupFailed: "name look-up failed"
        case .httpTooManyRedirects: "too many redirects"
        case .resourceUnavailable: "the resource is not available"
        case .notConnectedToInternet: "no network"
        case .redirectToNonExistentLocation: "the redirect has no target"
        case .badServerResponse: "the server's response is malformed"
        case .userCancelledAuthentication: "authentication cancelled"
        case .userAuthenticationRequired: "authentication required"
        case .zeroByteResource: "the body is empty"
        case .cannotDecodeRawData: "the content coding is unknown"
        case .cannotDecodeContentData: "the content cannot be decoded"
        case .cannotParseResponse: "the response cannot be parsed"
        case .internationalRoamingOff: "roaming is off"
        case .callIsActive: "a call is active"
        case .dataNotAllowed: "the network may not be used"
        case .requestBodyStreamExhausted: "the body cannot be sent again"
        case .appTransportSecurityRequiresSecureConnection: "the connection is not secure"
        case .fileDoesNotExist: "no such file"
        case .fileIsDirectory: "the file is a folder"
        case .noPermissionsToReadFile: "permission to read the file was denied"
        case .dataLengthExceedsMaximum: "the body is too large"
        case .secureConnectionFailed: "TLS failed"
        case .serverCertificateHasBadDate: "the server's certificate has expired"
        case .serverCertificateUntrusted: "the server's certificate is not trusted"
        case .serverCertificateHasUnknownRoot: "the server's certificate has an unknown issuer"
        case .serverCertificateNotYetValid: "the server's certificate is not valid yet"
        case .clientCertificateRejected: "the client certificate was rejected"
        case .clientCertificateRequired: "the server requires a client certificate"
        case .cannotLoadFromNetwork: "the network may not be used for this request"
        case .cannotCreateFile: "cannot create the file"
        case .cannotOpenFile: "cannot open the file"
        case .cannotCloseFile: "cannot close the file"
        case .cannotWriteToFile: "cannot write to the file"
        case .cannotRemoveFile: "cannot remove the file"
        case .cannotMoveFile: "cannot move the file"
        case .downloadDecodingFailedMidStream: "the download cannot be decoded"
        case .downloadDecodingFailedToComplete: "the download's end cannot be decoded"
        case .bodyDigestMismatch: "the body does not match its digest"
        }
    }
}
