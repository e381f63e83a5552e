import Glibc

extension RetryFailure.Event {
    /// The part of an error that matters to a retry.
    package static func error(_ error: URLError) -> RetryFailure.Event {
        .error(RetryFailure.NetworkError(error))
    }
}

extension RetryFailure.NetworkError {
    /// The system errors of a connection attempt that the network, the host or a router causes, not the
    /// request.
    private static let transientSystemErrors: Set = [
        ETIMEDOUT, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH, ENETDOWN, ENETRESET, ECONNRESET,
        ECONNABORTED, EPIPE, EADDRINUSE, ENOBUFS,
    ]

    /// Extracts the parts of an error that matter to a retry.
    init(_ error: URLError) {
        self.init(
            Self.kind(error),
            mayHaveReachedServer: error.failedRequest?.mayHaveReachedServer ?? true
        )
    }

    private static func kind(_ error: URLError) -> Kind {
        switch error.code {
        case .timedOut, .networkConnectionLost, .dnsLookupFailed, .notConnectedToInternet:
            .passing
        case .cannotConnectToHost:
            if let status = error.failedRequest?.proxyStatus {
                .tunnel(status: status)
            } else {
                kind(systemError: error.failedRequest?.systemError ?? 0)
            }
        case .cancelled, .requestBodyStreamExhausted, .cannotLoadFromNetwork, .badURL,
            .unsupportedURL, .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile,
            .cannotCreateFile, .cannotOpenFile, .cannotWriteToFile, .cannotRemoveFile,
            .cannotMoveFile, .dataLengthExceedsMaximum:
            .own
        default: .lasting
        }
    }

    private static func kind(systemError: Int32) -> Kind {
        switch systemError {
        // A missing Unix socket is like a port without a listener.
        case ECONNREFUSED, ENOENT: .refused
        default: transientSystemErrors.contains(systemError) ? .passing : .lasting
        }
    }
}
