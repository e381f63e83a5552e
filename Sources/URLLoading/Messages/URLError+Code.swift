extension URLError {
    /// A kind of client-side error, with the numbers of Foundation's `URLError.Code`.
    ///
    /// Open, as in Foundation: other numbers may come from a background session of a newer version, or
    /// from the program. The codes that this library reports have names: see ``URLErrorCodeNames``.
    public struct Code: RawRepresentable, Codable, Sendable, Hashable, URLErrorCodeNames {
        /// Foundation's number.
        public let rawValue: Int

        /// A code from its number, which may have no name.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        init(_ name: Name) {
            rawValue = name.rawValue
        }

        /// The name; `nil` where the number has none.
        package var name: Name? { Name(rawValue: rawValue) }
    }
}

extension URLError.Code {
    /// The codes with a name: a closed enumeration, so that a table can be exhaustive.
    package enum Name: Int, Sendable, CaseIterable {
        case unknown = -1
        case cancelled = -999
        case backgroundSessionRequiresSharedContainer = -995
        case backgroundSessionInUseByAnotherProcess = -996
        case backgroundSessionWasDisconnected = -997
        case badURL = -1_000
        case timedOut = -1_001
        case unsupportedURL = -1_002
        case cannotFindHost = -1_003
        case cannotConnectToHost = -1_004
        case networkConnectionLost = -1_005
        case dnsLookupFailed = -1_006
        case httpTooManyRedirects = -1_007
        case resourceUnavailable = -1_008
        case notConnectedToInternet = -1_009
        case redirectToNonExistentLocation = -1_010
        case badServerResponse = -1_011
        case userCancelledAuthentication = -1_012
        case userAuthenticationRequired = -1_013
        case zeroByteResource = -1_014
        case cannotDecodeRawData = -1_015
        case cannotDecodeContentData = -1_016
        case cannotParseResponse = -1_017
        case internationalRoamingOff = -1_018
        case callIsActive = -1_019
        case dataNotAllowed = -1_020
        case requestBodyStreamExhausted = -1_021
        case appTransportSecurityRequiresSecureConnection = -1_022
        case fileDoesNotExist = -1_100
        case fileIsDirectory = -1_101
        case noPermissionsToReadFile = -1_102
        case dataLengthExceedsMaximum = -1_103
        case secureConnectionFailed = -1_200
        case serverCertificateHasBadDate = -1_201
        case serverCertificateUntrusted = -1_202
        case serverCertificateHasUnknownRoot = -1_203
        case serverCertificateNotYetValid = -1_204
        case clientCertificateRejected = -1_205
        case clientCertificateRequired = -1_206
        case cannotLoadFromNetwork = -2_000
        case cannotCreateFile = -3_000
        case cannotOpenFile = -3_001
        case cannotCloseFile = -3_002
        case cannotWriteToFile = -3_003
        case cannotRemoveFile = -3_004
        case cannotMoveFile = -3_005
        case downloadDecodingFailedMidStream = -3_006
        case downloadDecodingFailedToComplete = -3_007
        case bodyDigestMismatch = -9_530
    }

    /// Whether an error is a `URLError` with this code; makes `catch URLError.cancelled` work.
    public static func ~= (code: URLError.Code, error: any Error) -> Bool {
        (error as? URLError)?.code == code
    }
}

extension URLError.Code: CustomStringConvertible {
    /// The name, such as `timedOut`, or else the number.
    public var description: String {
        name.map { "\($0)" } ?? "\(rawValue)"
    }
}
