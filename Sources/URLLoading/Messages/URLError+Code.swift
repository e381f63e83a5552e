extension URLError {
    /// The kinds of client-side error, with the numbers of Foundation's `URLError.Code`.
    ///
    /// Closed, so that a table over it can be exhaustive.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        /// No other code fits.
        case unknown = -1
        /// The task was cancelled, or its session invalidated.
        case cancelled = -999
        /// The background session has nowhere to keep its state.
        case backgroundSessionRequiresSharedContainer = -995
        /// Another process is attached to the background session.
        case backgroundSessionInUseByAnotherProcess = -996
        /// The transfer process ended while it was wanted.
        case backgroundSessionWasDisconnected = -997
        /// The URL, the method or a header cannot be sent.
        case badURL = -1_000
        /// A time-out ran out.
        case timedOut = -1_001
        /// The scheme is none that the session can load.
        case unsupportedURL = -1_002
        /// The host's name has no address.
        case cannotFindHost = -1_003
        /// Refused, unreachable, or no such socket.
        case cannotConnectToHost = -1_004
        /// The connection ended before the answer was whole.
        case networkConnectionLost = -1_005
        /// The name service did not answer.
        case dnsLookupFailed = -1_006
        /// A loop of redirects, or more than the session follows.
        case httpTooManyRedirects = -1_007
        /// What was asked for cannot be had.
        case resourceUnavailable = -1_008
        /// There is no route to any network.
        case notConnectedToInternet = -1_009
        /// A redirect's Location is no URL, or one that may not be followed.
        case redirectToNonExistentLocation = -1_010
        /// The answer is not HTTP, or broken HTTP.
        case badServerResponse = -1_011
        /// The challenge was cancelled.
        case userCancelledAuthentication = -1_012
        /// No credential is left to try.
        case userAuthenticationRequired = -1_013
        /// A body was announced and none came.
        case zeroByteResource = -1_014
        /// The content coding is none that can be undone.
        case cannotDecodeRawData = -1_015
        /// The content coding is broken.
        case cannotDecodeContentData = -1_016
        /// The body is not what its type says.
        case cannotParseResponse = -1_017
        /// Foundation's; never reported on Linux.
        case internationalRoamingOff = -1_018
        /// Foundation's; never reported on Linux.
        case callIsActive = -1_019
        /// Foundation's; never reported on Linux.
        case dataNotAllowed = -1_020
        /// The body was wanted again, and its stream cannot be had again.
        case requestBodyStreamExhausted = -1_021
        /// A secure connection is demanded and this one is none.
        case appTransportSecurityRequiresSecureConnection = -1_022
        /// The file does not exist.
        case fileDoesNotExist = -1_100
        /// The file is a folder.
        case fileIsDirectory = -1_101
        /// The file may not be read.
        case noPermissionsToReadFile = -1_102
        /// The body is larger than allowed.
        case dataLengthExceedsMaximum = -1_103
        /// The TLS handshake failed.
        case secureConnectionFailed = -1_200
        /// The server's certificate has expired.
        case serverCertificateHasBadDate = -1_201
        /// The server's certificate is not for this host, is self-signed, revoked, or not the pinned one.
        case serverCertificateUntrusted = -1_202
        /// No trusted authority stands behind the server's certificate.
        case serverCertificateHasUnknownRoot = -1_203
        /// The server's certificate is not valid yet.
        case serverCertificateNotYetValid = -1_204
        /// The client certificate cannot be used, or was rejected.
        case clientCertificateRejected = -1_205
        /// The server wants a client certificate.
        case clientCertificateRequired = -1_206
        /// Only the cache may be used, and it has nothing.
        case cannotLoadFromNetwork = -2_000
        /// The download's file cannot be made.
        case cannotCreateFile = -3_000
        /// The download's file cannot be opened.
        case cannotOpenFile = -3_001
        /// The download's file cannot be closed.
        case cannotCloseFile = -3_002
        /// The download's file cannot be written: disk full, quota, or a fault.
        case cannotWriteToFile = -3_003
        /// The download's file cannot be removed.
        case cannotRemoveFile = -3_004
        /// The download's file cannot be moved.
        case cannotMoveFile = -3_005
        /// The download's coding broke in the middle.
        case downloadDecodingFailedMidStream = -3_006
        /// The download's coding broke at the end.
        case downloadDecodingFailedToComplete = -3_007
        /// The body has another digest than it was to have.
        ///
        /// Not in Foundation, which has nothing of the kind; the number is of the RFC about digests.
        case bodyDigestMismatch = -9_530
    }
}
