/// Stands in for a body where the server has said that the file is complete as it is.
final class CompleteFileSink: BodySink {
    private let file: PartFile
    private let count: Int64

    init(_ file: PartFile, count: Int64) {
        self.file = file
        self.count = count
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict { .taken }

    func turnEnded() {}

    func finish(_ end: inout HopEnd) {
        end.error = nil
        end.file = WrittenFile(file: file, count: count)
    }
}
