import Synchronization
import TestSupport
import Testing
// The product's only import: it exports Foundation, the library, and one URLError.
import URLLoadingFoundation

@Suite("The product for programs with all of Foundation", .timeLimit(.minutes(1)))
struct FoundationProductTests {
    private func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [:]
        return configuration
    }

    @Test("T-14 an NSError has the domain, number, text, URL and resume data")
    func nsError() throws {
        let url = try #require(URL(string: "http://example.com/a"))
        var error = URLError(.timedOut, detail: "connecting", failingURL: url)
        error.downloadTaskResumeData = Data("resume".utf8)
        let nsError = error as NSError
        #expect(nsError.domain == NSURLErrorDomain)
        #expect(nsError.code == NSURLErrorTimedOut)
        #expect(nsError.localizedDescription == "timed out: connecting")
        #expect((error as any Error).localizedDescription == "timed out: connecting")
        #expect(nsError.userInfo[NSURLErrorFailingURLErrorKey] as? URL == url)
        // Foundation has deprecated its own constant.
        #expect(
            nsError.userInfo[URLLoading.NSURLErrorFailingURLStringErrorKey] as? String
                == url.absoluteString
        )
        let data = nsError.userInfo[NSURLSessionDownloadTaskResumeData] as? Data
        #expect(data == Data("resume".utf8))
    }

    @Test("T-14 the constants have Foundation's values")
    func constants() {
        #expect(URLLoading.NSURLErrorDomain == Foundation.NSURLErrorDomain)
        #expect(URLLoading.NSURLErrorFailingURLErrorKey == Foundation.NSURLErrorFailingURLErrorKey)
        #expect(
            URLLoading.NSURLErrorFailingURLPeerTrustErrorKey
                == Foundation.NSURLErrorFailingURLPeerTrustErrorKey
        )
        let codes: [(URLLoading.URLError.Code, Foundation.URLError.Code)] = [
            (.unknown, .unknown), (.cancelled, .cancelled), (.badURL, .badURL),
            (.timedOut, .timedOut), (.unsupportedURL, .unsupportedURL),
            (.cannotFindHost, .cannotFindHost), (.cannotConnectToHost, .cannotConnectToHost),
            (.networkConnectionLost, .networkConnectionLost),
            (.dnsLookupFailed, .dnsLookupFailed), (.httpTooManyRedirects, .httpTooManyRedirects),
            (.resourceUnavailable, .resourceUnavailable),
            (.notConnectedToInternet, .notConnectedToInternet),
            (.redirectToNonExistentLocation, .redirectToNonExistentLocation),
            (.badServerResponse, .badServerResponse),
            (.userCancelledAuthentication, .userCancelledAuthentication),
            (.userAuthenticationRequired, .userAuthenticationRequired),
            (.zeroByteResource, .zeroByteResource), (.cannotDecodeRawData, .cannotDecodeRawData),
            (.cannotDecodeContentData, .cannotDecodeContentData),
            (.cannotParseResponse, .cannotParseResponse),
            (.fileDoesNotExist, .fileDoesNotExist), (.fileIsDirectory, .fileIsDirectory),
            (.noPermissionsToReadFile, .noPermissionsToReadFile),
            (.secureConnectionFailed, .secureConnectionFailed),
            (.serverCertificateHasBadDate, .serverCertificateHasBadDate),
            (.serverCertificateUntrusted, .serverCertificateUntrusted),
            (.serverCertificateHasUnknownRoot, .serverCertificateHasUnknownRoot),
            (.serverCertificateNotYetValid, .serverCertificateNotYetValid),
            (.clientCertificateRejected, .clientCertificateRejected),
            (.clientCertificateRequired, .clientCertificateRequired),
            (.cannotLoadFromNetwork, .cannotLoadFromNetwork),
            (.cannotCreateFile, .cannotCreateFile), (.cannotOpenFile, .cannotOpenFile),
            (.cannotCloseFile, .cannotCloseFile), (.cannotWriteToFile, .cannotWriteToFile),
            (.cannotRemoveFile, .cannotRemoveFile), (.cannotMoveFile, .cannotMoveFile),
        ]
        for (ours, theirs) in codes { #expect(ours.rawValue == theirs.rawValue, "\(ours)") }
    }

    @Test func delegatesOnAnOperationQueue() async throws {
        final class Delegate: NSObject, URLSessionTaskDelegate {
            let hasEnded = Mutex(false)

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didCompleteWithError error: (any Error)?
            ) {
                hasEnded.withLock { $0 = true }
            }
        }
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "x")
        }
        let delegate = Delegate()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(
            configuration: configuration(),
            delegate: delegate,
            delegateQueue: queue
        )
        defer { session.finishTasksAndInvalidate() }
        #expect(session.delegateQueue === queue.underlyingQueue)
        session.dataTask(with: try #require(URL(string: server.url()))).resume()
        #expect(await eventually { delegate.hasEnded.withLock { $0 } })
    }

    @Test func sendsAnInputStream() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond(body: connection.readBody(head))
        }
        let body = Data(repeating: 7, count: 100_000)
        var request = URLRequest(url: try #require(URL(string: server.url())))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStreamBody(InputStream(data: body))
        let session = URLSession(configuration: configuration())
        let (data, _) = try await session.data(for: request)
        #expect(data == body)
    }
}
