import FoundationEssentials
import Glibc
import SystemPackage

/// Resume data beside a part file, under its name with `.resume` added.
package struct ResumeFile: Sendable {
    package let path: String

    package init(of partPath: String) {
        path = partPath + ".resume"
    }

    /// What it says; `nil` where there is none.
    ///
    /// Throws `ResumeDataError` where it is of no use.
    package func read() throws(ResumeDataError) -> ResumeData? {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .closeOnExec, .nonBlocking]
            )
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            throw .garbled("\(path): \(error)")
        }
        defer { try? file.close() }
        guard let status = FileStatus(descriptor: file.rawValue), status.isOurs,
            status.size <= ResumeData.sizeLimit
        else { throw .garbled("\(path) is no file of ours, or too large for one") }
        var bytes = Data(count: Int(status.size))
        let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        return try ResumeData(bytes.prefix(count))
    }

    /// Replaces it, as a whole, and brings it to the disk.
    ///
    /// Throws `Errno`.
    func write(_ data: ResumeData) throws {
        // Nobody else writes here: the part file is locked. What is left over is from a crash.
        unlink(draft)
        let file = try FileDescriptor.open(
            draft,
            .writeOnly,
            options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
        do {
            defer { try? file.close() }
            try data.encoded.withUnsafeBytes { _ = try file.writeAll($0) }
            guard fdatasync(file.rawValue) == 0, rename(draft, path) == 0 else {
                throw Errno(rawValue: errno)
            }
        } catch {
            unlink(draft)
            throw error
        }
    }

    package func remove() {
        unlink(path)
        unlink(draft)
    }

    /// Where it is written before it gets its name.
    private var draft: String { path + "~" }
}
