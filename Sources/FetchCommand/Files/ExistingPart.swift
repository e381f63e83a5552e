import CLinux
import FoundationEssentials
import Glibc
import SystemPackage
import URLLoading

/// The existing part of a file that is to be continued, left by an earlier run or another program.
enum ExistingPart {
    /// There is nothing to continue.
    case nothing
    /// A part with valid resume data.
    case part(ResumeData)
    /// Bytes without valid resume data: their end has to be compared first.
    case unproven(UnprovenPart)
    /// A part with holes at unknown places.
    case torn(path: String)
    /// A part of another URL.
    case foreign(path: String)

    /// Examines the files, and changes nothing.
    ///
    /// - Parameters:
    ///   - file: the download's destination.
    ///   - url: the URL, as resume data has it.
    init(of file: FileDestination, url: String) {
        let partPath = FileDestination.partPath(of: file.path)
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
                ? .torn(path: partPath)
                : .unproven(UnprovenPart(path: partPath, status: part))
            return
        }
        // Its own path is ignored: it belongs to the file beside it.
        data.file = .partFile(AbsolutePath.of(partPath))
        if !data.isOf(url) {
            self = .foreign(path: partPath)
        } else if data.describes(part, at: partPath) {
            self = .part(data)
        } else {
            // Its writer was killed, or another process has written to it; its end shows which.
            // After a reboot, bytes beyond the record may be lost.
            let isSameRun = data.identity?.boot == part.identity.boot
            var unproven = UnprovenPart(path: partPath, status: part)
            // Behind the first hole, the end proves nothing.
            if !isSameRun || hasHoles { unproven.size = min(part.size, data.received.prefix) }
            unproven.validator = data.validator
            self = unproven.size > 0 ? .unproven(unproven) : .torn(path: partPath)
        }
    }
}

/// Bytes that may be the beginning of the server's file.
struct UnprovenPart {
    let path: String
    let status: FileStatus
    /// How many of them may be valid.
    var size: Int64
    /// The server's validator, if recorded.
    var validator: EntityValidator?

    init(path: String, status: FileStatus) {
        self.path = path
        self.status = status
        size = status.size
    }

    /// Opens the file for reading, if it has not changed since it was examined.
    ///
    /// Throws `cannotOpenFile` where it is not: others may be able to put another in its place.
    func open() throws(URLError) -> FileDescriptor {
        let file: FileDescriptor
        do {
            // A FIFO of that name must not block.
            file = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .nonBlocking, .closeOnExec]
            )
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
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
}

extension UnprovenPart {
    /// Resume data for bytes that have been compared and are in the part file.
    ///
    /// - Parameters:
    ///   - url: the URL they are of.
    ///   - validator: what the server's file is known by; `nil`: nothing to ask by.
    ///   - sighting: what the server said of it all the same.
    ///   - total: its length, where that is known.
    ///   - file: what the download shall become.
    /// - Returns: the data; `nil` where the part has gone meanwhile, or is not any more what was
    ///   compared.
    func resumeData(
        _ url: String,
        _ validator: EntityValidator?,
        _ sighting: EntitySighting?,
        _ total: Int64?,
        for file: FileDestination
    ) -> ResumeData? {
        let part = FileDestination.partPath(of: file.path)
        // The part is a copy of the file itself.
        guard let now = FileStatus(part), path == part ? isSame(now) : now.isOurs else {
            return nil
        }
        var data = ResumeData(
            url: url,
            fields: [],
            validator: validator,
            received: ReceivedRanges(prefix: size),
            totalBytes: total,
            file: .partFile(AbsolutePath.of(part)),
            identity: now.identity
        )
        data.sighting = sighting
        return data
    }
}

/// Makes a part file from the beginning of another file, which is not changed.
enum PartCopy {
    /// Bytes that are copied between two looks at the clock.
    private static let step: Int64 = 64 << 20

    /// Copies the first bytes of a file; where the file system can, without writing them twice.
    ///
    /// - Parameters:
    ///   - unproven: the file, and how many bytes of it.
    ///   - part: the new file; an empty one that is there already will do.
    ///   - deadline: when to give up.
    /// - Throws: `cannotOpenFile` where the file is not any more what was looked at,
    ///   `cannotCreateFile`, `cannotWriteToFile`, `timedOut`; then there is no part.
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

    /// Opens and locks the part, so that no other process takes it meanwhile.
    private static func openEmpty(_ part: String) throws(URLError) -> FileDescriptor {
        let target = try PartFile.makeOrOpen(part, .ownerReadWrite).file
        guard (try? target.seek(offset: 0, from: .end)) == 0 else {
            try? target.close()
            throw URLError(.cannotCreateFile, detail: "\(part) is being written by another process")
        }
        return target
    }
}
