// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Foundation's global constants. Those that `import Foundation` declares on Linux too give way to Foundation's
// where both are imported, which are the same; nothing of them is made when a program starts.

/// The domain of a ``URLError`` as an `NSError`.
@_disfavoredOverload public var NSURLErrorDomain: String { URLError.errorDomain }

/// The key of the failing URL in an error's ``URLError/userInfo``.
@_disfavoredOverload public var NSURLErrorFailingURLErrorKey: String { "NSErrorFailingURLKey" }

/// The key of the failing URL as text in an error's ``URLError/userInfo``.
@_disfavoredOverload public var NSURLErrorFailingURLStringErrorKey: String {
    "NSErrorFailingURLStringKey"
}

/// The key of what a server has shown that was not trusted, in an error's ``URLError/userInfo``: a
/// ``ServerTrust``.
@_disfavoredOverload public var NSURLErrorFailingURLPeerTrustErrorKey: String {
    "NSURLErrorFailingURLPeerTrustErrorKey"
}

/// The key of the resume data of a download that failed, in an error's ``URLError/userInfo``.
@_disfavoredOverload public var NSURLSessionDownloadTaskResumeData: String {
    "NSURLSessionDownloadTaskResumeData"
}

/// The key of the resume data of an upload that failed; there never is any here, see
/// ``URLSession/uploadTask(withResumeData:)``.
@_disfavoredOverload public var NSURLSessionUploadTaskResumeData: String {
    "NSURLSessionUploadTaskResumeData"
}

/// A length that is not known, −1, in the counts of tasks and of delegates' methods.
@_disfavoredOverload public var NSURLSessionTransferSizeUnknown: Int64 { -1 }

/// A length that a response does not announce, −1.
@_disfavoredOverload public var NSURLResponseUnknownLength: Int { -1 }

/// The number of ``URLErrorCodeNames/unknown``.
@_disfavoredOverload public var NSURLErrorUnknown: Int { URLError.Code.unknown.rawValue }
/// The number of ``URLErrorCodeNames/cancelled``.
@_disfavoredOverload public var NSURLErrorCancelled: Int { URLError.Code.cancelled.rawValue }
/// The number of ``URLErrorCodeNames/badURL``.
@_disfavoredOverload public var NSURLErrorBadURL: Int { URLError.Code.badURL.rawValue }
/// The number of ``URLErrorCodeNames/timedOut``.
@_disfavoredOverload public var NSURLErrorTimedOut: Int { URLError.Code.timedOut.rawValue }
/// The number of ``URLErrorCodeNames/unsupportedURL``.
@_disfavoredOverload public var NSURLErrorUnsupportedURL: Int {
    URLError.Code.unsupportedURL.rawValue
}
/// The number of ``URLErrorCodeNames/cannotFindHost``.
@_disfavoredOverload public var NSURLErrorCannotFindHost: Int {
    URLError.Code.cannotFindHost.rawValue
}
/// The number of ``URLErrorCodeNames/cannotConnectToHost``.
@_disfavoredOverload public var NSURLErrorCannotConnectToHost: Int {
    URLError.Code.cannotConnectToHost.rawValue
}
/// The number of ``URLErrorCodeNames/networkConnectionLost``.
@_disfavoredOverload public var NSURLErrorNetworkConnectionLost: Int {
    URLError.Code.networkConnectionLost.rawValue
}
/// The number of ``URLErrorCodeNames/dnsLookupFailed``.
@_disfavoredOverload public var NSURLErrorDNSLookupFailed: Int {
    URLError.Code.dnsLookupFailed.rawValue
}
/// The number of ``URLErrorCodeNames/httpTooManyRedirects``.
@_disfavoredOverload public var NSURLErrorHTTPTooManyRedirects: Int {
    URLError.Code.httpTooManyRedirects.rawValue
}
/// The number of ``URLErrorCodeNames/resourceUnavailable``.
@_disfavoredOverload public var NSURLErrorResourceUnavailable: Int {
    URLError.Code.resourceUnavailable.rawValue
}
/// The number of ``URLErrorCodeNames/notConnectedToInternet``.
@_disfavoredOverload public var NSURLErrorNotConnectedToInternet: Int {
    URLError.Code.notConnectedToInternet.rawValue
}
/// The number of ``URLErrorCodeNames/redirectToNonExistentLocation``.
@_disfavoredOverload public var NSURLErrorRedirectToNonExistentLocation: Int {
    URLError.Code.redirectToNonExistentLocation.rawValue
}
/// The number of ``URLErrorCodeNames/badServerResponse``.
@_disfavoredOverload public var NSURLErrorBadServerResponse: Int {
    URLError.Code.badServerResponse.rawValue
}
/// The number of ``URLErrorCodeNames/userCancelledAuthentication``.
@_disfavoredOverload public var NSURLErrorUserCancelledAuthentication: Int {
    URLError.Code.userCancelledAuthentication.rawValue
}
/// The number of ``URLErrorCodeNames/userAuthenticationRequired``.
@_disfavoredOverload public var NSURLErrorUserAuthenticationRequired: Int {
    URLError.Code.userAuthenticationRequired.rawValue
}
/// The number of ``URLErrorCodeNames/zeroByteResource``.
@_disfavoredOverload public var NSURLErrorZeroByteResource: Int {
    URLError.Code.zeroByteResource.rawValue
}
/// The number of ``URLErrorCodeNames/cannotDecodeRawData``.
@_disfavoredOverload public var NSURLErrorCannotDecodeRawData: Int {
    URLError.Code.cannotDecodeRawData.rawValue
}
/// The number of ``URLErrorCodeNames/cannotDecodeContentData``.
@_disfavoredOverload public var NSURLErrorCannotDecodeContentData: Int {
    URLError.Code.cannotDecodeContentData.rawValue
}
/// The number of ``URLErrorCodeNames/cannotParseResponse``.
@_disfavoredOverload public var NSURLErrorCannotParseResponse: Int {
    URLError.Code.cannotParseResponse.rawValue
}
/// The number of ``URLErrorCodeNames/internationalRoamingOff``.
@_disfavoredOverload public var NSURLErrorInternationalRoamingOff: Int {
    URLError.Code.internationalRoamingOff.rawValue
}
/// The number of ``URLErrorCodeNames/callIsActive``.
@_disfavoredOverload public var NSURLErrorCallIsActive: Int { URLError.Code.callIsActive.rawValue }
/// The number of ``URLErrorCodeNames/dataNotAllowed``.
@_disfavoredOverload public var NSURLErrorDataNotAllowed: Int {
    URLError.Code.dataNotAllowed.rawValue
}
/// The number of ``URLErrorCodeNames/requestBodyStreamExhausted``.
@_disfavoredOverload public var NSURLErrorRequestBodyStreamExhausted: Int {
    URLError.Code.requestBodyStreamExhausted.rawValue
}
/// The number of ``URLErrorCodeNames/appTransportSecurityRequiresSecureConnection``.
@_disfavoredOverload public var NSURLErrorAppTransportSecurityRequiresSecureConnection: Int {
    URLError.Code.appTransportSecurityRequiresSecureConnection.rawValue
}
/// The number of ``URLErrorCodeNames/backgroundSessionRequiresSharedContainer``.
@_disfavoredOverload public var NSURLErrorBackgroundSessionRequiresSharedContainer: Int {
    URLError.Code.backgroundSessionRequiresSharedContainer.rawValue
}
/// The number of ``URLErrorCodeNames/backgroundSessionInUseByAnotherProcess``.
@_disfavoredOverload public var NSURLErrorBackgroundSessionInUseByAnotherProcess: Int {
    URLError.Code.backgroundSessionInUseByAnotherProcess.rawValue
}
/// The number of ``URLErrorCodeNames/backgroundSessionWasDisconnected``.
@_disfavoredOverload public var NSURLErrorBackgroundSessionWasDisconnected: Int {
    URLError.Code.backgroundSessionWasDisconnected.rawValue
}
/// The number of ``URLErrorCodeNames/fileDoesNotExist``.
@_disfavoredOverload public var NSURLErrorFileDoesNotExist: Int {
    URLError.Code.fileDoesNotExist.rawValue
}
/// The number of ``URLErrorCodeNames/fileIsDirectory``.
@_disfavoredOverload public var NSURLErrorFileIsDirectory: Int {
    URLError.Code.fileIsDirectory.rawValue
}
/// The number of ``URLErrorCodeNames/noPermissionsToReadFile``.
@_disfavoredOverload public var NSURLErrorNoPermissionsToReadFile: Int {
    URLError.Code.noPermissionsToReadFile.rawValue
}
/// The number of ``URLErrorCodeNames/dataLengthExceedsMaximum``.
@_disfavoredOverload public var NSURLErrorDataLengthExceedsMaximum: Int {
    URLError.Code.dataLengthExceedsMaximum.rawValue
}
/// The number of ``URLErrorCodeNames/secureConnectionFailed``.
@_disfavoredOverload public var NSURLErrorSecureConnectionFailed: Int {
    URLError.Code.secureConnectionFailed.rawValue
}
/// The number of ``URLErrorCodeNames/serverCertificateHasBadDate``.
@_disfavoredOverload public var NSURLErrorServerCertificateHasBadDate: Int {
    URLError.Code.serverCertificateHasBadDate.rawValue
}
/// The number of ``URLErrorCodeNames/serverCertificateUntrusted``.
@_disfavoredOverload public var NSURLErrorServerCertificateUntrusted: Int {
    URLError.Code.serverCertificateUntrusted.rawValue
}
/// The number of ``URLErrorCodeNames/serverCertificateHasUnknownRoot``.
@_disfavoredOverload public var NSURLErrorServerCertificateHasUnknownRoot: Int {
    URLError.Code.serverCertificateHasUnknownRoot.rawValue
}
/// The number of ``URLErrorCodeNames/serverCertificateNotYetValid``.
@_disfavoredOverload public var NSURLErrorServerCertificateNotYetValid: Int {
    URLError.Code.serverCertificateNotYetValid.rawValue
}
/// The number of ``URLErrorCodeNames/clientCertificateRejected``.
@_disfavoredOverload public var NSURLErrorClientCertificateRejected: Int {
    URLError.Code.clientCertificateRejected.rawValue
}
/// The number of ``URLErrorCodeNames/clientCertificateRequired``.
@_disfavoredOverload public var NSURLErrorClientCertificateRequired: Int {
    URLError.Code.clientCertificateRequired.rawValue
}
/// The number of ``URLErrorCodeNames/cannotLoadFromNetwork``.
@_disfavoredOverload public var NSURLErrorCannotLoadFromNetwork: Int {
    URLError.Code.cannotLoadFromNetwork.rawValue
}
/// The number of ``URLErrorCodeNames/cannotCreateFile``.
@_disfavoredOverload public var NSURLErrorCannotCreateFile: Int {
    URLError.Code.cannotCreateFile.rawValue
}
/// The number of ``URLErrorCodeNames/cannotOpenFile``.
@_disfavoredOverload public var NSURLErrorCannotOpenFile: Int {
    URLError.Code.cannotOpenFile.rawValue
}
/// The number of ``URLErrorCodeNames/cannotCloseFile``.
@_disfavoredOverload public var NSURLErrorCannotCloseFile: Int {
    URLError.Code.cannotCloseFile.rawValue
}
/// The number of ``URLErrorCodeNames/cannotWriteToFile``.
@_disfavoredOverload public var NSURLErrorCannotWriteToFile: Int {
    URLError.Code.cannotWriteToFile.rawValue
}
/// The number of ``URLErrorCodeNames/cannotRemoveFile``.
@_disfavoredOverload public var NSURLErrorCannotRemoveFile: Int {
    URLError.Code.cannotRemoveFile.rawValue
}
/// The number of ``URLErrorCodeNames/cannotMoveFile``.
@_disfavoredOverload public var NSURLErrorCannotMoveFile: Int {
    URLError.Code.cannotMoveFile.rawValue
}
/// The number of ``URLErrorCodeNames/downloadDecodingFailedMidStream``.
@_disfavoredOverload public var NSURLErrorDownloadDecodingFailedMidStream: Int {
    URLError.Code.downloadDecodingFailedMidStream.rawValue
}
/// The number of ``URLErrorCodeNames/downloadDecodingFailedToComplete``.
@_disfavoredOverload public var NSURLErrorDownloadDecodingFailedToComplete: Int {
    URLError.Code.downloadDecodingFailedToComplete.rawValue
}
