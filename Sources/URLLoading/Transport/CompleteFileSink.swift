/// Stands in for a body where the server has said that the file is complete as it is.
final class CompleteFileSink: BodySink {
    private let written: WrittenFile
    private let follower: FileFollower?

    init(_ written: WrittenFile, follower: FileFollower? = nil) {
        self.written = written
        self.follower = follower
    }

    /// Nobody needs what else the answer says.
    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict { .enough }

    func turnEnded() {}

    func finish(_ end: inout HopEnd) {
        end.file = written
        if end.error == nil { end.fileCheck = follower?.check(at: written.count) }
    }
}
