import FoundationEssentials
import SystemPackage
import URLLoading

/// What an earlier run, or another program, has left of a file that is to be continued.
enum Leftover {
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
            // Its writer may have been killed, or somebody else has written: a look at its end shows
            // which. What the machine had in memory when it went down is not worth the look.
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
                detail: "\(path) is another file now, or was written to meanwhile"
            )
        }
        return file
    }

    /// Whether this is what was looked at, and no process has written to it since.
    func isSame(_ now: FileStatus) -> Bool {
        now.isOwned && now.identity.isUnchanged(from: status.identity)
    }
}
