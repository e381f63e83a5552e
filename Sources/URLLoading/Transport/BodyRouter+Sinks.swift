import FoundationEssentials
import HTTPSemantics
import Synchronization

// The sinks of a body, by its disposition.
extension BodyRouter {
    /// The sink for a body; `nil` where the disposition is `hold`.
    ///
    /// Throws if the task cannot or must not read the body.
    func makeSink(for disposition: BodyDisposition) throws(URLError) -> (any BodySink)? {
        if case .checked(let disposition, let expected) = disposition {
            self.expected = expected
            return try makeSink(for: disposition)
        }
        if disposition.isUse { try checkTransferCodings() }
        let offset = try checkLimit(disposition)
        if disposition.isUse || disposition.isComplete {
            digests = HopDigests(head, responseContext, disposition, expected)
        }
        guard let sink = try makeLastSink(for: disposition) else { return nil }
        switch disposition {
        // The recorder gets the bytes as they arrived.
        case .hold, .discard, .recorded, .checked: return sink
        case .fill: return try checked(sink)
        case .deliver, .collect, .write:
            let sink = fixingLength(sink, disposition)
            // The session's limit is for the decoded body.
            return try checked(
                responseContext.limit.map { LimitedSink(sink, limit: $0, from: offset) } ?? sink
            )
        }
    }

    /// Refuses a body with a transfer coding other than chunked.
    ///
    /// libcurl decodes `gzip` and accepts a truncated body as complete. A server must not use such a coding
    /// for a client that sent no `TE` ([RFC 9112 §7.4](https://www.rfc-editor.org/rfc/rfc9112#section-7.4)).
    private func checkTransferCodings() throws(URLError) {
        guard !responseContext.isRaw, let text = head?.fields["Transfer-Encoding"] else { return }
        let codings = text.utf8.split(separator: UInt8(ascii: ",")).map { word in
            Substring(word.drop(while: \.isBlank).prefix { $0 > 0x20 && $0 != 0x3B })
                .asciiLowercased
        }
        guard let strange = codings.first(where: { !["chunked", "identity", ""].contains($0) })
        else { return }
        throw URLError(
            .cannotDecodeRawData,
            detail: "the server uses the transfer coding \(strange), which was not requested"
        )
    }

    /// Refuses a response whose stated length exceeds the session's limit.
    ///
    /// - Returns: the offset of its first byte in the complete file.
    private func checkLimit(_ disposition: BodyDisposition) throws(URLError) -> Int64 {
        guard let limit = responseContext.limit, disposition.isUse else { return 0 }
        if case .write(_, .rest(let point, let range, let total)) = disposition {
            try LimitedSink.check(total ?? range.upperBound + 1, limit: limit)
            return point.start
        }
        try LimitedSink.check(bodyLength ?? announcedLength, limit: limit)
        return 0
    }

    /// A sink that checks the length of a partial response against its `Content-Range`.
    private func fixingLength(_ sink: any BodySink, _ disposition: BodyDisposition) -> any BodySink
    {
        // `ResumePoint` checks a continuation more strictly.
        if case .write(_, _?) = disposition { return sink }
        guard head?.status == 206, let head, !head.keepsFraming, bodyLength != 0,
            let text = head.fields["Content-Range"],
            case .bytes(let part, _) = ContentRange(text)
        else { return sink }
        return FixedLengthSink(sink, length: Int64(part.count))
    }

    private func makeLastSink(
        for disposition: BodyDisposition
    ) throws(URLError) -> (any BodySink)? {
        // The decoded length is unknown.
        let length = head?.isDecoded == true ? nil : bodyLength
        switch disposition {
        case .hold: return nil
        case .checked(let disposition, _): return try makeSink(for: disposition)
        case .recorded(let disposition, let recorder):
            return try makeSink(for: disposition).map { RecordingSink($0, recorder) }
        case .discard: return DiscardingSink(head, method: responseContext.method)
        case .collect:
            let expected = length.map { Int(clamping: $0) }
            let sink = CollectingSink(expecting: expected, report: reportWritten)
            return try splitting(.collect(sink))
        case .deliver where responseContext.readsInPlace && !isInParts:
            return InPlaceSink(control.window) { [client, id] in client.hop(id, take: $0) }
        case .deliver:
            let deliver = { [client, id] in client.hop(id, didReceive: $0 as Data) }
            return try splitting(.deliver(DeliveringSink(control.window, deliver: deliver)))
        case .write(let destination, nil):
            let file = try PartFile(
                destination,
                temporaryFolder: control.temporaryFolder,
                needsName: !control.isNamedByDelegate.load(ordering: .relaxed)
                    || !digests.ofFile.isEmpty
            )
            let download = download(file, length)
            self.download = download
            if let head, let sink = responseContext.split?.begin(head, length, download) {
                leaveDigests(to: download, isContinued: false)
                return sink
            }
            try download.follow(digests.ofFile)
            return FileSink(download, .whole(length: length), report: reportWritten)
        case .write(let destination, let continuation?):
            return try continued(destination, continuation)
        case .fill(let stream):
            download = stream.download
            addDigests(to: stream.download)
            return FileSink(stream.download, .stream(stream))
        }
    }

    /// The download of this response to a new file.
    private func download(_ file: PartFile, _ length: Int64?) -> Download {
        let keepsChecksum = responseContext.keepsChecksums
        guard let head, head.status == 200, !head.isDecoded, !head.keepsFraming,
            !file.isUnnamed, let request = responseContext.continuable
        else { return Download(file, nil, keepsChecksum: keepsChecksum) }
        let fields = head.fields
        return Download(
            file,
            ResumeData(request, fields, totalBytes: length),
            keepsChecksum: keepsChecksum
        )
    }

    private func continued(
        _ destination: DownloadDestination,
        _ continuation: BodyDisposition.Continuation
    ) throws(URLError) -> any BodySink {
        let point = continuation.point
        var data = point.data
        let offset: Int64
        switch continuation {
        case .nothing: offset = data.received.count
        case .rest(_, _, let total):
            offset = point.start
            data.totalBytes = total
        }
        let file = try PartFile(
            destination,
            continuing: point,
            at: offset,
            temporaryFolder: control.temporaryFolder
        )
        // Only a split download fills holes.
        guard let file, !point.hasHoles || responseContext.split != nil else {
            startOver = .partialFileChanged
            stop()
            return DiscardingSink()
        }
        // Without a stored validator, a matching response supplies one.
        data.validator = data.validator ?? head.flatMap { EntityValidator($0.fields) }
        let resumeData = data.validator == nil ? nil : data
        let download = Download(
            file,
            resumeData,
            received: point.hasHoles || data.received.prefix == offset
                ? data.received : ReceivedRanges(prefix: offset),
            keepsChecksum: responseContext.keepsChecksums
        )
        self.download = download
        guard case .rest(_, let range, let total) = continuation else {
            client.hop(id, didResumeAt: offset, total: offset)
            try download.follow(digests.ofFile, from: offset)
            return FileSink(download, .nothing)
        }
        client.hop(id, didResumeAt: point.hasHoles ? data.received.count : offset, total: total)
        if let sink = responseContext.split?.resume(point, range, total, download) {
            leaveDigests(to: download, isContinued: true)
            return sink
        }
        try download.follow(digests.ofFile, from: offset)
        let isLast = range.upperBound + 1 == total
        return FileSink(download, .part(range, isLast: isLast), report: reportWritten)
    }

    private func reportWritten(_ total: Int64) {
        client.hop(id, didWrite: total)
    }
}

// The sinks between a response and the last sink.
extension BodyRouter {
    /// Decodes content codings in front of a sink, if necessary.
    func decoding(_ sink: any BodySink) -> any BodySink {
        guard let head, head.isDecoded, let codings = head.codings(responseContext.method) else {
            return sink
        }
        return DecodingSink(sink, codings, wakeSoon: wakeSoon)
    }

    /// Splits a multipart body, each part of which replaces the one before.
    ///
    /// Throws `cannotParseResponse` where the boundary is invalid.
    func splitting(_ target: PartsSink.Target) throws(URLError) -> any BodySink {
        guard isInParts, let type = head?.fields.first("Content-Type") else { return target.sink }
        return try PartsSink(target, type: type) { [client, id] in client.hop(id, didReceive: $0) }
    }

    /// Whether the body is `multipart/x-mixed-replace`, and is to be split.
    private var isInParts: Bool {
        guard responseContext.splitsParts, let head, bodyLength != 0,
            let type = head.fields.first("Content-Type"),
            // This cheap check is sufficient for most types.
            type.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "m")
        else { return false }
        return MediaType(type).essence == "multipart/x-mixed-replace"
    }
}
