/// Stands in for a body where the server has said that the file is complete as it is.
final class CompleteFileSink: BodySink {
    private let written: WrittenFile

    init(_ written: WrittenFile) {
        self.written = written
    }

    /// Nobody needs what else the answer says.
    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict { .enough }

    func turnEnded() {}

    func finish(_ end: inout HopEnd) {
        end.file = written
    }
}
