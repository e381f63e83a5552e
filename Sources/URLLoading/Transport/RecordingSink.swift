/// Has a body recorded for the cache while it goes where it goes, as it came over the wire.
final class RecordingSink: PassingSink {
    let sink: any BodySink
    private let recorder: CacheRecorder
    /// Whether the body is not wanted to its end, so that nothing of it is worth keeping.
    private var isCutShort = false

    init(_ sink: any BodySink, _ recorder: CacheRecorder) {
        self.sink = sink
        self.recorder = recorder
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        let verdict = try sink.take(bytes)
        switch verdict {
        // The same piece comes again.
        case .full: break
        case .taken: recorder.append(bytes)
        case .enough: isCutShort = true
        }
        return verdict
    }

    func goOn() throws(URLError) -> SinkVerdict {
        let verdict = try sink.goOn()
        if verdict == .enough { isCutShort = true }
        return verdict
    }

    func finish(_ end: inout HopEnd) throws(URLError) {
        do throws(URLError) {
            try sink.finish(&end)
        } catch {
            recorder.abandon()
            throw error
        }
        if end.error == nil, !isCutShort {
            end.recorder = recorder
        } else {
            recorder.abandon()
        }
    }
}
