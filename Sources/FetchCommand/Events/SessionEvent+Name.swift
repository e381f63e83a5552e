extension SessionEvent {
    /// What a delegate's method is called by: the label that says what happens, and where that is
    /// the same for two of them, what they have received.
    ///
    /// `docs/events.schema.json` has an entry for each.
    enum Name: String, CaseIterable {
        case willPerformHTTPRedirection
        case didUpgradeTo
        case taskIsWaitingForConnectivity
        case didReceiveChallenge
        case needNewBodyStream
        case didSendBodyData
        case didReceiveResponse
        case didBecomeDownload
        case didReceiveData
        case willCacheResponse
        case didWriteData
        case didResumeAtOffset
        case didStartOver
        case didCheckDigest
        case didSplitInto
        case didFinishDownloadingTo
        case didFinishCollecting
        case didCompleteWithError
        case didFinishEvents
        case didBecomeInvalidWithError
    }
}
