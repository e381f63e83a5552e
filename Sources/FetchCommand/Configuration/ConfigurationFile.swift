import Glibc
import SystemPackage
import URLLoading

/// The bytes of a configuration file that this user or the system owns.
///
/// The file can name programs to run (`--use-askpass`) and hosts to trust. So, as in ssh(1), the
/// user or root must own it, and no other user may have write access. A group whose number is the
/// user's own counts as a group without other members.
struct ConfigurationFile {
    /// In bytes; a larger file is not a file of flags.
    private static let sizeLimit = 1 << 20

    let path: String
    let bytes: [UInt8]
    /// Whether other users can read the file's secrets.
    let isReadableByOthers: Bool

    /// Reads a file; `nil` if it is missing and not named; throws `UsageError.configurationFile`.
    init?(_ path: String, isNamed: Bool) throws(UsageError) {
        func refused(_ reason: String, hint: String? = nil) -> UsageError {
            .configurationFile(path: path, reason: reason, hint: hint)
        }
        // Opened directly and without blocking, so a missing file costs one system call.
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            let errno = error as? Errno ?? .ioError
            // If the user cannot enter the folder, as after su(1), this user has no file there.
            let isAbsent =
                errno == .noSuchFileOrDirectory || errno == .notDirectory
                || errno == .permissionDenied && access(path, F_OK) != 0
            guard isAbsent, !isNamed else {
                throw refused("cannot be read: \(errno)", hint: isNamed ? nil : Self.ignoringFlag)
            }
            return nil
        }
        defer { try? file.close() }
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else {
            throw refused("cannot be read: \(Errno(rawValue: errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw refused("is not a regular file", hint: Self.ignoringFlag)
        }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw refused(
                "belongs to another user, and could be used to run programs",
                hint: "copy the file, or use \(Self.ignoringFlag)"
            )
        }
        let others = Self.others(status)
        guard status.st_mode & others & 0o022 == 0 else {
            throw refused(
                "can be written by other users, and could be used to run programs",
                hint: "run 'chmod go-w \(Printable.text(path))'"
            )
        }
        let content = try mapError(file.readToEnd(limit: Self.sizeLimit)) { (error: Errno) in
            refused("cannot be read: \(error)")
        }
        guard let content else { throw refused("has more than \(Self.sizeLimit >> 20) MiB") }
        bytes = content
        self.path = path
        isReadableByOthers = status.st_mode & others & 0o044 != 0
    }

    private static let ignoringFlag = "--no-config"

    /// The permission bits that apply to other users.
    private static func others(_ status: stat) -> mode_t {
        status.st_gid == status.st_uid ? 0o007 : 0o077
    }
}

enum ConfigurationChoice: Equatable, Sendable {
    /// The file that `FETCH_CONFIG` names, or else the user's own file if it exists.
    case usual
    /// `--config FILE`.
    case file(String)
    /// `--no-config`.
    case none

    /// The file to read, and whether the user named it, so that it must exist; `nil`: no file.
    func path(
        environment: (String) -> String? = Environment.value
    ) -> (path: String, isNamed: Bool)? {
        switch self {
        case .none: return nil
        case .file(let path): return (path, true)
        case .usual:
            guard let named = environment("FETCH_CONFIG") else {
                return UserFolders().configuration.map { ($0 + "/config", false) }
            }
            return named.isEmpty ? nil : (named, true)
        }
    }
}
