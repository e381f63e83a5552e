import Glibc
import Testing

@testable import URLLoading

/// Which of the library's errors permit another attempt.
@Suite("Transient errors")
struct RetryErrorTests {
    /// The failures by name, since closures are no test arguments.
    enum Failure: String, CaseIterable {
        case lost, silent, temporaryNameError, noNetwork, unreachable, connectTimeout, reset
        case refused, noSocket
        case unknownName, trust, malformed, disk, badCoding, noAddress, socks
        case busyProxy, forbiddenProxy

        var error: URLError {
            switch self {
            case .lost: Self.error(.networkConnectionLost)
            case .silent: Self.error(.timedOut)
            case .temporaryNameError: Self.error(.dnsLookupFailed)
            case .noNetwork: Self.error(.notConnectedToInternet, ENETUNREACH)
            case .unreachable: Self.error(.cannotConnectToHost, EHOSTUNREACH)
            case .connectTimeout: Self.error(.cannotConnectToHost, ETIMEDOUT)
            case .reset: Self.error(.cannotConnectToHost, ECONNRESET)
            case .refused: Self.error(.cannotConnectToHost, ECONNREFUSED)
            case .noSocket: Self.error(.cannotConnectToHost, ENOENT)
            case .unknownName: Self.error(.cannotFindHost)
            case .trust: Self.error(.serverCertificateUntrusted)
            case .malformed: Self.error(.badServerResponse)
            case .disk: Self.error(.cannotWriteToFile)
            case .badCoding: Self.error(.cannotDecodeContentData)
            case .noAddress: Self.error(.cannotConnectToHost, EADDRNOTAVAIL)
            case .socks: Self.error(.cannotConnectToHost)
            case .busyProxy: Self.error(.cannotConnectToHost, proxy: 503)
            case .forbiddenProxy: Self.error(.cannotConnectToHost, proxy: 403)
            }
        }

        private static func error(
            _ code: URLError.Code,
            _ number: Int32 = 0,
            proxy: Int? = nil
        ) -> URLError {
            var error = URLError(code)
            error.failedRequest = FailedRequest(
                mayHaveReachedServer: code == .networkConnectionLost || code == .timedOut,
                systemError: number,
                proxyStatus: proxy
            )
            return error
        }

        var isTransient: Bool {
            switch self {
            case .lost, .silent, .temporaryNameError, .noNetwork, .unreachable, .connectTimeout,
                .reset,
                .busyProxy:
                true
            case .refused, .noSocket, .unknownName, .trust, .malformed, .disk, .badCoding,
                .noAddress, .socks, .forbiddenProxy:
                false
            }
        }
    }

    private func failure(_ event: RetryFailure.Event) -> RetryFailure {
        RetryFailure(event: event)
    }

    private func decide(
        _ policy: RetryPolicy = RetryPolicy(),
        _ failure: RetryFailure
    ) -> RetryDecision {
        policy.decision(on: failure, failed: 1, timeLeft: nil, jitter: 0)
    }

    @Test("T-15 the client repeats only requests that may succeed the next time")
    func kinds() {
        for kind in Failure.allCases {
            let decision = decide(RetryPolicy(), failure(.error(kind.error)))
            #expect(decision.isRetry == kind.isTransient, "\(kind): \(decision)")
        }
        #expect(decide(RetryPolicy(), failure(.other)) == .giveUp(.isLasting))
    }

    @Test("the client retries a refused connection only on demand")
    func refused() {
        var policy = RetryPolicy()
        policy.retriesRefused = true
        #expect(decide(policy, failure(.error(Failure.refused.error))).isRetry)
        #expect(decide(policy, failure(.error(Failure.noSocket.error))).isRetry)
        #expect(!decide(policy, failure(.error(Failure.unknownName.error))).isRetry)
    }

    @Test("an error tells whether its request may have reached the server")
    func reached() {
        #expect(failure(.error(Failure.lost.error)).mayHaveReachedServer)
        #expect(!failure(.error(Failure.unreachable.error)).mayHaveReachedServer)
        #expect(failure(.error(URLError(.timedOut))).mayHaveReachedServer, "it is not known")
    }
}
