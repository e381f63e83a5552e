/// Has a body recorded for the cache while it goes where it goes, as it came over the wire.
final class RecordingSink: WitnessingSink {
    let sink: any BodySink
    private let recorder: CacheRecorder
    var isCutShort = false

    init(_ sink: any BodySink, _ recorder: CacheRecorder) {
        self.sink = sink
        self.recorder = recorder
    }

    func note(_ bytes: UnsafeRawBufferPointer) { recorder.append(bytes) }

    func finish(_ end: inout HopEnd) throws(URLError) {
        do throws(URLError) {
            try sink.finish(&end)
        } catch {
            recorder.abandon()
            throw error
        }
        if end.error == nil, !isCutShort, !sink.hasEnough {
            end.recorder = recorder
        } else {
            recorder.abandon()
        }
    }
}
