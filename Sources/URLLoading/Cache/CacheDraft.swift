import FoundationEssentials

/// A body that is being recorded: in memory as long as it is small, then in a file.
// Unchecked: used under the lock of its `CacheRecorder`, `state`, and nowhere else.
final class CacheDraft: @unchecked Sendable {
    /// The most that is kept in memory of what goes to disk, bytes.
    static let memoryLimit = 64 << 10

    /// The bytes so far.
    private(set) var length: Int64 = 0
    /// Whether it was too much, or could not be written.
    private(set) var hasFailed = false
    private(set) var checksum = Checksum()
    private(set) var file: DraftFile?
    private let limit: Int64
    private let makeFile: (@Sendable () -> DraftFile?)?
    private var bytes = Data()
    private var madeBody: (any CacheBody)?

    /// - Parameters:
    ///   - limit: the most that is recorded, bytes.
    ///   - makeFile: makes the file for what is large; `nil`: all stays in memory.
    init(limit: Int64, makeFile: (@Sendable () -> DraftFile?)?) {
        self.limit = limit
        self.makeFile = makeFile
    }

    func append(_ piece: UnsafeRawBufferPointer) {
        guard !hasFailed, !piece.isEmpty else { return }
        length += Int64(piece.count)
        guard length <= limit else { return fail() }
        checksum.update(piece)
        if makeFile != nil, bytes.count + piece.count > Self.memoryLimit, !spill() {
            return fail()
        }
        if file != nil, piece.count > Self.memoryLimit {
            if file?.write(piece) != true { fail() }
        } else {
            bytes.append(contentsOf: piece)
        }
    }

    /// Writes what is in memory to the file.
    private func spill() -> Bool {
        if file == nil { file = makeFile?() }
        guard let file, bytes.withUnsafeBytes(file.write) else { return false }
        bytes.removeAll(keepingCapacity: true)
        return true
    }

    private func fail() {
        hasFailed = true
        discard()
    }

    /// All of it, once it has come; `nil` where it cannot be had.
    var body: (any CacheBody)? {
        if let madeBody { return madeBody }
        guard !hasFailed else { return nil }
        if file != nil {
            guard spill() else {
                fail()
                return nil
            }
            madeBody = file?.body(length: length, checksum: checksum.value)
        } else {
            madeBody = MemoryBody(bytes)
        }
        return madeBody
    }

    /// Lets go of it; a file that was not stored is removed.
    func discard() {
        file = nil
        bytes = Data()
    }
}
