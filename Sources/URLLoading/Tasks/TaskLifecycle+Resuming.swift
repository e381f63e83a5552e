// Continuing a download: the first byte, the meaning of a response, and the partial file.
extension TaskLifecycle {
    /// Where a download begins.
    enum Beginning: Sendable {
        case atFirstByte
        /// Inside a file, behind the bytes of a partial file.
        case at(ResumePoint)
        /// At the first byte, although a partial file exists.
        case startOver(DownloadStartOver)
        /// Nowhere: the resume data is invalid.
        case impossible(URLError)
    }

    /// What to keep of a download that did not complete.
    enum PartialFile {
        /// Nothing: the caller has cancelled the download for good, or it is complete.
        case nothing
        /// The bytes that the hop wrote, or else the earlier partial file.
        case partial(ResumeData?)
    }
}

extension TaskLifecycle {
    /// Decides what a final response means for an existing partial file.
    mutating func judge(
        _ response: HTTPURLResponse,
        _ id: HopID
    ) -> (BodyDisposition, [Action]) {
        guard responsePolicy.body.isDownload else { return accept(response, id) }
        continuation = nil
        guard let point = resumePoint else {
            guard response.statusCode != 206 || currentRequest.headerFields["Range"] != nil else {
                let words = "the server sent a part of the file, although the whole was requested"
                let error = URLError(.badServerResponse, detail: words)
                return (.discard, leave(id, error, wasAsked: false))
            }
            return accept(response, id)
        }
        switch point.verdict(on: response) {
        case .continue(let range, let total): continuation = .rest(point, range, total: total)
        case .isComplete: continuation = .nothing(point)
        case .unrelated: break
        case .invalid:
            let words =
                "the server responded with status \(response.statusCode) to a request for a range"
            let error = URLError(.badServerResponse, detail: words)
            return (.discard, leave(id, error, wasAsked: false))
        case .replace(let reason):
            resumePoint = nil
            let (disposition, actions) = accept(response, id)
            return (disposition, [.reportStartOver(reason, point)] + actions)
        case .startOver(let reason):
            state = .leaving(id, .startOver)
            return (.discard, [.reportStartOver(reason, point)])
        }
        return accept(response, id)
    }

    mutating func startOver() -> [Action] {
        resumePoint = nil
        return beginNextHop()
    }
}
