// A continued download: its first byte, the meaning of its responses, and its part.
extension TaskLifecycle {
    /// Where a task begins.
    enum Beginning: Sendable {
        case atFirstByte
        /// In the middle of a file of which there is a part.
        case at(ResumePoint)
        /// At the first byte, instead of behind the part.
        case over(DownloadStartOver)
        /// Nowhere: what it was made from makes no sense.
        case impossible(URLError)
    }

    /// What is left of a download that did not come to its end.
    enum PartialFile {
        /// Nothing: it was cancelled for good, or is whole.
        case nothing
        /// What the hop has written, or else what there was before.
        case partial(ResumeData?)
    }
}

extension TaskLifecycle {
    /// Looks at what a final response is to the part of a file that is there.
    mutating func judge(
        _ response: HTTPURLResponse,
        _ id: HopID
    ) -> (BodyDisposition, [Action]) {
        guard responsePolicy.body.isDownload else { return accept(response, id) }
        continuation = nil
        guard let point = resumePoint else {
            guard response.statusCode != 206 || currentRequest.headerFields["Range"] != nil else {
                let words = "a part of the file, although the whole was requested"
                let error = URLError(.badServerResponse, detail: words)
                return (.discard, leave(id, error, wasAsked: false))
            }
            return accept(response, id)
        }
        switch point.verdict(on: response) {
        case .goOn(let range, let total): continuation = .rest(point, range, total: total)
        case .isComplete: continuation = .nothing(point)
        case .unrelated: break
        case .senseless:
            let words = "\(response.statusCode), and the rest of a file was requested"
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
        return goOn()
    }
}
