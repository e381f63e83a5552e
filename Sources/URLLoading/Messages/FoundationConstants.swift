// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Foundation's global constants. Where `import Foundation` declares the same constant on Linux too,
// Foundation's is used if both are imported. No constant is initialized at program start.

/// The domain of a ``URLError`` as an `NSError`.
@_disfavoredOverload public var NSURLErrorDomain: String { URLError.errorDomain }

/// The key of the failing URL in an error's ``URLError/userInfo``.
@_disfavoredOverload public var NSURLErrorFailingURLErrorKey: String { "NSErrorFailingURLKey" }

/// The key of the failing URL as text in an error's ``URLError/userInfo``.
@_disfavoredOverload public var NSURLErrorFailingURLStringErrorKey: String {
    "NSErrorFailingURLStringKey"
}

/// The key of an untrusted server's ``ServerTrust`` in an error's ``URLError/userInfo``.
@_disfavoredOverload public var NSURLErrorFailingURLPeerTrustErrorKey: String {
    "NSURLErrorFailingURLPeerTrustErrorKey"
}

/// The key of the resume data of a download that failed, in an error's ``URLError/userInfo``.
@_disfavoredOverload public var NSURLSessionDownloadTaskResumeData: String {
    "NSURLSessionDownloadTaskResumeData"
}

/// The key of the resume data of a failed upload; never present here, see
/// ``URLSession/uploadTask(withResumeData:)``.
@_disfavoredOverload public var NSURLSessionUploadTaskResumeData: String {
    "NSURLSessionUploadTaskResumeData"
}

/// An unknown length, −1, in the counts of tasks and of delegate methods.
@_disfavoredOverload public var NSURLSessionTransferSizeUnknown: Int64 { -1 }

/// A length that a response does not state, −1.
@_disfavoredOverload public var NSURLResponseUnknownLength: Int { -1 }

private func number(_ code: URLError.Code) -> Int { code.rawValue }

/// The number of ``URLErrorCodeNames/unknown``.
@_disfavoredOverload public var NSURLErrorUnknown: Int { number(.unknown) }
/// The number of ``URLErrorCodeNames/cancelled``.
@_disfavoredOverload public var NSURLErrorCancelled: Int { number(.cancelled) }
/// The number of ``URLErrorCodeNames/badURL``.
@_disfavoredOverload public var NSURLErrorBadURL: Int { number(.badURL) }
/// The number of ``URLErrorCodeNames/timedOut``.
@_disfavoredOverload public var NSURLErrorTimedOut: Int { number(.timedOut) }
/// The number of ``URLErrorCodeNames/unsupportedURL``.
@_disfavoredOverload public var NSURLErrorUnsupportedURL: Int { number(.unsupportedURL) }
/// The number of ``URLErrorCodeNames/cannotFindHost``.
@_disfavoredOverload public var NSURLErrorCannotFindHost: Int { number(.cannotFindHost) }
/// The number of ``URLErrorCodeNames/cannotConnectToHost``.
@_disfavoredOverload public var NSURLErrorCannotConnectToHost: Int { number(.cannotConnectToHost) }
/// The number of ``URLErrorCodeNames/networkConnectionLost``.
@_disfavoredOverload public var NSURLErrorNetworkConnectionLost: Int {
    number(.networkConnectionLost)
}
/// The number of ``URLErrorCodeNames/dnsLookupFailed``.
@_disfavoredOverload public var NSURLErrorDNSLookupFailed: Int { number(.dnsLookupFailed) }
/// The number of ``URLErrorCodeNames/httpTooManyRedirects``.
@_disfavoredOverload public var NSURLErrorHTTPTooManyRedirects: Int {
    number(.httpTooManyRedirects)
}
/// The number of ``URLErrorCodeNames/resourceUnavailable``.
@_disfavoredOverload public var NSURLErrorResourceUnavailable: Int { number(.resourceUnavailable) }
/// The number of ``URLErrorCodeNames/notConnectedToInternet``.
@_disfavoredOverload public var NSURLErrorNotConnectedToInternet: Int {
    number(.notConnectedToInternet)
}
/// The number of ``URLErrorCodeNames/redirectToNonExistentLocation``.
@_disfavoredOverload public var NSURLErrorRedirectToNonExistentLocation: Int {
    number(.redirectToNonExistentLocation)
}
/// The number of ``URLErrorCodeNames/badServerResponse``.
@_disfavoredOverload public var NSURLErrorBadServerResponse: Int { number(.badServerResponse) }
/// The number of ``URLErrorCodeNames/userCancelledAuthentication``.
@_disfavoredOverload public var NSURLErrorUserCancelledAuthentication: Int {
    number(.userCancelledAuthentication)
}
/// The number of ``URLErrorCodeNames/userAuthenticationRequired``.
@_disfavoredOverload public var NSURLErrorUserAuthenticationRequired: Int {
    number(.userAuthenticationRequired)
}
/// The number of ``URLErrorCodeNames/zeroByteResource``.
@_disfavoredOverload public var NSURLErrorZeroByteResource: Int { number(.zeroByteResource) }
/// The number of ``URLErrorCodeNames/cannotDecodeRawData``.
@_disfavoredOverload public var NSURLErrorCannotDecodeRawData: Int { number(.cannotDecodeRawData) }
/// The number of ``URLErrorCodeNames/cannotDecodeContentData``.
@_disfavoredOverload public var NSURLErrorCannotDecodeContentData: Int {
    number(.cannotDecodeContentData)
}
/// The number of ``URLErrorCodeNames/cannotParseResponse``.
@_disfavoredOverload public var NSURLErrorCannotParseResponse: Int { number(.cannotParseResponse) }
/// The number of ``URLErrorCodeNames/internationalRoamingOff``.
@_disfavoredOverload public var NSURLErrorInternationalRoamingOff: Int {
    number(.internationalRoamingOff)
}
/// The number of ``URLErrorCodeNames/callIsActive``.
@_disfavoredOverload public var NSURLErrorCallIsActive: Int { number(.callIsActive) }
/// The number of ``URLErrorCodeNames/dataNotAllowed``.
@_disfavoredOverload public var NSURLErrorDataNotAllowed: Int { number(.dataNotAllowed) }
/// The number of ``URLErrorCodeNames/requestBodyStreamExhausted``.
@_disfavoredOverload public var NSURLErrorRequestBodyStreamExhausted: Int {
    number(.requestBodyStreamExhausted)
}
/// The number of ``URLErrorCodeNames/appTransportSecurityRequiresSecureConnection``.
@_disfavoredOverload public var NSURLErrorAppTransportSecurityRequiresSecureConnection: Int {
    number(.appTransportSecurityRequiresSecureConnection)
}
/// The number of ``URLErrorCodeNames/backgroundSessionRequiresSharedContainer``.
@_disfavoredOverload public var NSURLErrorBackgroundSessionRequiresSharedContainer: Int {
    number(.backgroundSessionRequiresSharedContainer)
}
/// The number of ``URLErrorCodeNames/backgroundSessionInUseByAnotherProcess``.
@_disfavoredOverload public var NSURLErrorBackgroundSessionInUseByAnotherProcess: Int {
    number(.backgroundSessionInUseByAnotherProcess)
}
/// The number of ``URLErrorCodeNames/backgroundSessionWasDisconnected``.
@_disfavoredOverload public var NSURLErrorBackgroundSessionWasDisconnected: Int {
    number(.backgroundSessionWasDisconnected)
}
/// The number of ``URLErrorCodeNames/fileDoesNotExist``.
@_disfavoredOverload public var NSURLErrorFileDoesNotExist: Int { number(.fileDoesNotExist) }
/// The number of ``URLErrorCodeNames/fileIsDirectory``.
@_disfavoredOverload public var NSURLErrorFileIsDirectory: Int { number(.fileIsDirectory) }
/// The number of ``URLErrorCodeNames/noPermissionsToReadFile``.
@_disfavoredOverload public var NSURLErrorNoPermissionsToReadFile: Int {
    number(.noPermissionsToReadFile)
}
/// The number of ``URLErrorCodeNames/dataLengthExceedsMaximum``.
@_disfavoredOverload public var NSURLErrorDataLengthExceedsMaximum: Int {
    number(.dataLengthExceedsMaximum)
}
/// The number of ``URLErrorCodeNames/secureConnectionFailed``.
@_disfavoredOverload public var NSURLErrorSecureConnectionFailed: Int {
    number(.secureConnectionFailed)
}
/// The number of ``URLErrorCodeNames/serverCertificateHasBadDate``.
@_disfavoredOverload public var NSURLErrorServerCertificateHasBadDate: Int {
    number(.serverCertificateHasBadDate)
}
/// The number of ``URLErrorCodeNames/serverCertificateUntrusted``.
@_disfavoredOverload public var NSURLErrorServerCertificateUntrusted: Int {
    number(.serverCertificateUntrusted)
}
/// The number of ``URLErrorCodeNames/serverCertificateHasUnknownRoot``.
@_disfavoredOverload public var NSURLErrorServerCertificateHasUnknownRoot: Int {
    number(.serverCertificateHasUnknownRoot)
}
/// The number of ``URLErrorCodeNames/serverCertificateNotYetValid``.
@_disfavoredOverload public var NSURLErrorServerCertificateNotYetValid: Int {
    number(.serverCertificateNotYetValid)
}
/// The number of ``URLErrorCodeNames/clientCertificateRejected``.
@_disfavoredOverload public var NSURLErrorClientCertificateRejected: Int {
    number(.clientCertificateRejected)
}
/// The number of ``URLErrorCodeNames/clientCertificateRequired``.
@_disfavoredOverload public var NSURLErrorClientCertificateRequired: Int {
    number(.clientCertificateRequired)
}
/// The number of ``URLErrorCodeNames/cannotLoadFromNetwork``.
@_disfavoredOverload public var NSURLErrorCannotLoadFromNetwork: Int {
    number(.cannotLoadFromNetwork)
}
/// The number of ``URLErrorCodeNames/cannotCreateFile``.
@_disfavoredOverload public var NSURLErrorCannotCreateFile: Int { number(.cannotCreateFile) }
/// The number of ``URLErrorCodeNames/cannotOpenFile``.
@_disfavoredOverload public var NSURLErrorCannotOpenFile: Int { number(.cannotOpenFile) }
/// The number of ``URLErrorCodeNames/cannotCloseFile``.
@_disfavoredOverload public var NSURLErrorCannotCloseFile: Int { number(.cannotCloseFile) }
/// The number of ``URLErrorCodeNames/cannotWriteToFile``.
@_disfavoredOverload public var NSURLErrorCannotWriteToFile: Int { number(.cannotWriteToFile) }
/// The number of ``URLErrorCodeNames/cannotRemoveFile``.
@_disfavoredOverload public var NSURLErrorCannotRemoveFile: Int { number(.cannotRemoveFile) }
/// The number of ``URLErrorCodeNames/cannotMoveFile``.
@_disfavoredOverload public var NSURLErrorCannotMoveFile: Int { number(.cannotMoveFile) }
/// The number of ``URLErrorCodeNames/downloadDecodingFailedMidStream``.
@_disfavoredOverload public var NSURLErrorDownloadDecodingFailedMidStream: Int {
    number(.downloadDecodingFailedMidStream)
}
/// The number of ``URLErrorCodeNames/downloadDecodingFailedToComplete``.
@_disfavoredOverload public var NSURLErrorDownloadDecodingFailedToComplete: Int {
    number(.downloadDecodingFailedToComplete)
}
