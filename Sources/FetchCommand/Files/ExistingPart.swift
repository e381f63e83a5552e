import CLinux
import FoundationEssentials
import Glibc
import SystemPackage
import URLLoading

/// What an earlier run, or another program, has left of a file that is to be continued.
enum ExistingPart {
    /// There is nothing to continue.
    case nothing
    /// A part, and resume data that speaks of it.
    case part(ResumeData)
    /// Bytes of which nothing is known for certain: their end has to be compared first.
    case unproven(UnprovenPart)
    /// A part with holes, and nothing that says where they are.
    case torn(path: String)
    /// A part of something else.
    case foreign(path: String)

    /// Looks at what there is, and changes nothing.
    ///
    /// - Parameters:
    ///   - file: what the download shall become.
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
        let hasHoles = HoleMarker(of: partPath) != nil
        guard var data = try? ResumeFile(of: partPath).read() else {
            self =
                hasHoles
                ? .torn(path: partPath)
                : .unproven(UnprovenPart(path: partPath, status: part))
            return
        }
        // What it says of its own place does not count: it speaks of the file it stands beside.
        data.file = .partFile(AbsolutePath.of(partPath))
        if !data.isOf(url) {
            self = .foreign(path: partPath)
        } else if data.describes(part, at: partPath) {
            self = .part(data)
        } else {
            // Its writer may have been killed, or another process has written: a look at its end
            // shows which. What the machine had in memory when it went down is not worth the look.
            let isSameRun = data.identity?.boot == part.identity.boot
            var unproven = UnprovenPart(path: partPath, status: part)
            // Behind the first hole an end proves nothing.
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
    /// How many of them are in question.
    var size: Int64
    /// What the server's file was known by, if that was written down.
    var validator: EntityValidator?

    init(path: String, status: FileStatus) {
        self.path = path
        self.status = status
        size = status.size
    }

    /// Opens the file to read it, if it is still the one that was looked at, untouched.
    ///
    /// Throws `cannotOpenFile` where it is not: others may be able to put another in its place.
    func open() throws(URLError) -> FileDescriptor {
        let file: FileDescriptor
        do {
            // A FIFO of that name must not hold us up before it is refused.
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

    /// Whether this is what was looked at, and no process has written to it since.
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
        // Of the file itself the part is a copy.
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

/// A part file made of the beginning of another file, which stays what it is.
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
        until deadline: ContinuousClock.Instant?
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
