import Glibc
package import SystemPackage

/// Where a `.netrc` is, and how far it can be relied on.
package struct NetrcFile: Sendable, Equatable {
    /// The most that is read of one, bytes.
    static let sizeLimit = 1 << 20

    package let path: String
    /// Whether the caller or `NETRC` named it, so that it must be there.
    package let isNamed: Bool

    /// The file that counts: what the caller names, else `NETRC`, else `.netrc` in the home folder.
    ///
    /// - Parameters:
    ///   - named: the path that the caller names; relative to the current folder.
    ///   - environment: the value of an environment variable.
    package init?(
        named: String? = nil,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        func value(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        if let path = named ?? value("NETRC") {
            self.path = path
            isNamed = true
        } else if let home = value("HOME") {
            path = home.endsWithBytes(of: "/") ? "\(home).netrc" : "\(home)/.netrc"
            isNamed = false
        } else {
            return nil
        }
    }

    /// Whether it can be read more than once: a pipe would be waited for.
    var isRegular: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What was read.
    package struct Content: Sendable, Equatable {
        package let netrc: Netrc
        /// What the user should hear of, though the file was used.
        package let warning: Warning?
    }

    /// What makes a file's secrets less than secret.
    package enum Warning: Sendable, Hashable {
        /// Others than its owner may read or write it; the permissions, as in `chmod`.
        case loosePermissions(UInt16)
        /// It is another user's.
        case foreignOwner
    }

    /// Why it cannot be used.
    package enum Failure: Error, Sendable, Hashable {
        /// It cannot be opened or read.
        case unreadable(Errno)
        /// It is a folder, or what else is no file.
        case notAFile
        /// It has more than a megabyte.
        case tooLarge
        case malformed(NetrcError)
    }

    /// Reads it; `nil` where it was not named and is not there.
    ///
    /// A file that was named may be a pipe, such as a shell's `<(…)`, and is waited for.
    ///
    /// Throws `Failure`.
    package func read() throws(Failure) -> Content? {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path,
                .readOnly,
                // The writer of a pipe that was not asked for is not waited for.
                options: isNamed ? .closeOnExec : [.closeOnExec, .nonBlocking]
            )
        } catch Errno.noSuchFileOrDirectory where !isNamed {
            return nil
        } catch {
            throw .unreadable(error as? Errno ?? .ioError)
        }
        defer { try? file.close() }
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else {
            throw .unreadable(Errno(rawValue: errno))
        }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        let isPipe = status.st_mode & S_IFMT == S_IFIFO
        guard isRegular || (isNamed && isPipe) else { throw .notAFile }
        let bytes = try Self.bytes(of: file)
        do throws(NetrcError) {
            let warning = isRegular ? Self.warning(status) : nil
            return Content(netrc: try Netrc(bytes), warning: warning)
        } catch {
            throw .malformed(error)
        }
    }

    private static func bytes(of file: FileDescriptor) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var space = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count: Int
            do {
                count = try space.withUnsafeMutableBytes { try file.read(into: $0) }
            } catch {
                throw .unreadable(error as? Errno ?? .ioError)
            }
            guard count > 0 else { return bytes }
            bytes += space[..<count]
            guard bytes.count <= sizeLimit else { throw .tooLarge }
        }
    }

    private static func warning(_ status: stat) -> Warning? {
        if status.st_uid != geteuid(), status.st_uid != 0 { return .foreignOwner }
        let permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
        return permissions & 0o077 == 0 ? nil : .loosePermissions(permissions)
    }
}

extension NetrcFile.Warning: CustomStringConvertible {
    /// What is the matter, and what to do about it.
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
    /// What is the matter.
    package var description: String {
        switch self {
        case .unreadable(let errno): "\(errno)"
        case .notAFile: "not a file"
        case .tooLarge: "too large, more than \(NetrcFile.sizeLimit >> 20) MiB"
        case .malformed(let error): "\(error)"
        }
    }
}
