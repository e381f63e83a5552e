import Glibc
package import SystemPackage

/// The location of a `.netrc`, and the reader for it.
package struct NetrcFile: Sendable, Equatable {
    static let sizeLimit = 1 << 20

    package let path: String
    /// Whether the caller or `NETRC` names the file, which must then exist.
    package let isNamed: Bool

    /// The file to use: the caller's, else that of `NETRC`, else `.netrc` in the home folder.
    ///
    /// - Parameters:
    ///   - named: the caller's path, relative to the current folder.
    ///   - environment: returns the value of an environment variable.
    package init?(
        named: String? = nil,
        environment: (String) -> String? = Environment.value
    ) {
        if let path = named ?? environment("NETRC")?.nonEmpty {
            self.path = path
            isNamed = true
        } else if let home = environment("HOME")?.nonEmpty {
            path = home.endsWithBytes(of: "/") ? "\(home).netrc" : "\(home)/.netrc"
            isNamed = false
        } else {
            return nil
        }
    }

    /// Whether the file is a regular file, so that we can read it several times without blocking.
    var isRegular: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    package struct Content: Sendable, Equatable {
        package let netrc: Netrc
        /// A warning for the user about a file that we use nevertheless.
        package let warning: Warning?
    }

    /// Why the file's secrets are not protected.
    package enum Warning: Sendable, Hashable {
        /// Other users may read or write the file; the value is its mode.
        case loosePermissions(UInt16)
        case foreignOwner
    }

    /// The reason why we cannot use the file.
    package enum Failure: Error, Sendable, Hashable {
        /// We cannot open or read the file.
        case unreadable(Errno)
        /// The path names a folder, or another non-file.
        case notAFile
        /// The file is larger than one megabyte.
        case tooLarge
        case malformed(NetrcError)
    }

    /// Reads the file; `nil` where it is not named and does not exist.
    ///
    /// A named file may be a pipe, such as a shell's `<(…)`; the call then blocks until its writer has
    /// finished.
    package func read() throws(Failure) -> Content? {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path,
                .readOnly,
                // The call must not block on a pipe that was not named.
                options: isNamed ? .closeOnExec : [.closeOnExec, .nonBlocking]
            )
        } catch Errno.noSuchFileOrDirectory where !isNamed {
            return nil
        } catch {
            throw .unreadable(error as? Errno ?? .ioError)
        }
        defer { try? file.close() }
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw .unreadable(Errno(rawValue: errno)) }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        let isPipe = status.st_mode & S_IFMT == S_IFIFO
        guard isRegular || (isNamed && isPipe) else { throw .notAFile }
        let bytes: [UInt8]?
        do throws(Errno) {
            bytes = try file.readToEnd(limit: Self.sizeLimit)
        } catch {
            throw .unreadable(error)
        }
        guard let bytes else { throw .tooLarge }
        do throws(NetrcError) {
            let warning = isRegular ? Self.warning(status) : nil
            return Content(netrc: try Netrc(bytes), warning: warning)
        } catch {
            throw .malformed(error)
        }
    }

    private static func warning(_ status: stat) -> Warning? {
        if status.st_uid != geteuid(), status.st_uid != 0 { return .foreignOwner }
        let permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
        return permissions & 0o077 == 0 ? nil : .loosePermissions(permissions)
    }
}

extension NetrcFile.Warning: CustomStringConvertible {
    /// The problem, and its remedy.
    package var description: String {
        switch self {
        case .loosePermissions(let permissions):
            "other users can read the passwords in it (mode \(String(permissions, radix: 8))):"
                + " run chmod 600"
        case .foreignOwner: "it belongs to another user"
        }
    }
}

extension NetrcFile.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let errno): "\(errno)"
        case .notAFile: "not a file"
        case .tooLarge: "too large, more than \(NetrcFile.sizeLimit >> 20) MiB"
        case .malformed(let error): "\(error)"
        }
    }
}
