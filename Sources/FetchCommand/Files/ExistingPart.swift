import CLinux
import FoundationEssentials
import Glibc
import SystemPackage
import URLLoading

/// The existing bytes of a file to be continued, left by an earlier run or another program.
enum ExistingPart {
    /// There are no bytes to continue, or they will be overwritten.
    case nothing
    case part(ResumeData)
    /// Bytes without valid resume data; their end must be compared with the server's file first.
    case unproven(UnprovenPart)
    /// A part that cannot be used; the reason as text.
    case unusable(String)

    /// Examines the files, and changes nothing; the URL has resume data's form.
    init(of file: FileDestination, url: String) {
        let partPath = PartFile.path(of: file.path)
        guard let part = FileStatus(partPath), part.isOurs, part.size > 0 else {
            if let whole = FileStatus(file.path), whole.isOwned, whole.size > 0 {
                self = .unproven(UnprovenPart(path: file.path, status: whole))
            } else {
                self = .nothing
            }
            return
        }
        let hasHoles = PartFileTrailer(of: partPath) != nil
        guard var data = try? ResumeFile(of: partPath).read() else {
            self =
                hasHoles
                ? .torn(partPath) : .unproven(UnprovenPart(path: partPath, status: part))
            return
        }
        // The recorded path is ignored: resume data belongs to the part file beside it.
        data.file = .partFile(AbsolutePath.of(partPath))
        if !data.isOf(url) {
            self = .unusable("\(partPath) belongs to another URL")
        } else if data.describes(part, at: partPath) {
            self = .part(data)
        } else {
            // Its writer was killed, or another process changed it; a comparison of the end shows
            // which. After a reboot, bytes beyond the record may be lost.
            let isSameRun = data.identity?.boot == part.identity.boot
            var unproven = UnprovenPart(path: partPath, status: part)
            // If the part has holes, its end proves nothing about the bytes after the first hole.
            if !isSameRun || hasHoles { unproven.size = min(part.size, data.received.prefix) }
            unproven.validator = data.validator
            self = unproven.size > 0 ? .unproven(unproven) : .torn(partPath)
        }
    }

    /// A part with holes at unknown offsets.
    private static func torn(_ path: String) -> ExistingPart {
        .unusable("\(path) is incomplete, and its missing ranges are unknown")
    }
}

/// Bytes that may be the beginning of the server's file.
struct UnprovenPart {
    let path: String
    let status: FileStatus
    /// How many bytes from the start may be valid.
    var size: Int64
    /// The server's validator; `nil` if none was recorded.
    var validator: EntityValidator?

    init(path: String, status: FileStatus) {
        self.path = path
        self.status = status
        size = status.size
    }

    /// Opens the file; throws `cannotOpenFile` if another user or process has changed it since.
    func open() throws(URLError) -> FileDescriptor {
        // Non-blocking, because the name may be a FIFO.
        let file = try mapError(
            FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        ) { (error: any Error) in URLError(.cannotOpenFile, detail: "\(path): \(error)") }
        guard let now = FileStatus(descriptor: file.rawValue), isSame(now) else {
            try? file.close()
            throw URLError(
                .cannotOpenFile,
                detail: "\(path) has been replaced or changed by another process"
            )
        }
        return file
    }

    /// Whether the file has not changed since it was examined.
    func isSame(_ now: FileStatus) -> Bool {
        now.isOwned && now.identity.isUnchanged(from: status.identity)
    }

    /// Resume data for compared bytes; `nil` if the part was removed, or changed meanwhile.
    func resumeData(
        _ url: String,
        _ evidence: PartComparison.Evidence,
        for file: FileDestination
    ) -> ResumeData? {
        let part = PartFile.path(of: file.path)
        // If the paths differ, the part is a copy of the complete file.
        guard let now = FileStatus(part), path == part ? isSame(now) : now.isOurs else {
            return nil
        }
        var data = ResumeData(
            url: url,
            fields: [],
            validator: evidence.validator,
            received: ReceivedRanges(prefix: size),
            totalBytes: evidence.total,
            file: .partFile(AbsolutePath.of(part)),
            identity: now.identity
        )
        data.weakValidators = evidence.weakValidators
        return data
    }
}

/// Creates a part file from the beginning of another file, which is not changed.
enum PartCopy {
    /// In bytes: the deadline is checked after each step.
    private static let step: Int64 = 64 << 20

    /// Copies the first bytes of a file; file systems with reflinks share the data.
    ///
    /// The part may exist if it is empty. Throws `cannotOpenFile` if the file has changed since it
    /// was examined, `cannotCreateFile`, `cannotWriteToFile`, `timedOut`; then no part remains.
    static func make(
        of unproven: UnprovenPart,
        at part: String,
        until deadline: MonotonicInstant?
    ) throws(URLError) {
        let path = unproven.path
        let source = try unproven.open()
        defer { try? source.close() }
        let target = try openEmpty(part)
        defer { try? target.close() }
        var left = unproven.size
        while left > 0 {
            if let deadline, deadline <= .now {
                unlink(part)
                throw URLError(.timedOut, detail: "while \(path) was copied to \(part)")
            }
            let asked = Int(min(left, step))
            let count = linux_copy_file_range(source.rawValue, target.rawValue, asked)
            guard count > 0 else {
                let reason = count == 0 ? "\(path) has become shorter" : "\(Errno(rawValue: errno))"
                unlink(part)
                throw URLError(.cannotWriteToFile, detail: "\(part): \(reason)")
            }
            left -= Int64(count)
        }
    }

    /// Opens and locks the part, so that no other process uses it meanwhile.
    private static func openEmpty(_ part: String) throws(URLError) -> FileDescriptor {
        let target = try PartFile.makeOrOpen(part, .ownerReadWrite).file
        guard (try? target.seek(offset: 0, from: .end)) == 0 else {
            try? target.close()
            throw URLError(.cannotCreateFile, detail: "\(part) is being written by another process")
        }
        return target
    }
}
