public import Foundation

/// A file of any kind that an account can create in a shared folder.
public enum PlantedThing: Sendable {
    /// A regular file.
    case file(String, mode: mode_t)
    /// A symbolic link.
    case link(to: String)
    /// A second name of a file; the file keeps its owner.
    case hardLink(to: String)
    /// A FIFO with mode 0666.
    case fifo
    /// The name of a Unix socket, with mode 0777.
    case socket
    /// The null device, with mode 0666.
    case device
    /// An empty folder with mode 0777.
    case folder
}

extension TemporaryFolder {
    /// Gives the folder itself to an account.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - group: Its group; by default the account's own.
    ///   - mode: Its mode.
    /// - Throws: `TestSupportError.system` where this process is not root's.
    public func give(to account: TestAccount, group: gid_t? = nil, mode: mode_t = 0o700) throws {
        // The mode comes last, since chown clears some mode bits.
        guard chown(path, account.user, group ?? account.group) == 0, chmod(path, mode) == 0
        else { throw TestSupportError.lastSystemError("chown \(path)") }
    }

    /// Creates an entry in the folder as an account would.
    ///
    /// - Parameters:
    ///   - thing: The kind of the entry.
    ///   - name: Its name, which must be free.
    ///   - account: Its owner.
    /// - Throws: `TestSupportError.system` where this process is not root's.
    public func plant(_ thing: PlantedThing, at name: String, of account: TestAccount) throws {
        let place = path(name)
        switch thing {
        case .file(let text, let mode):
            try write(text, to: name)
            try give(place, to: account, mode: mode)
        case .link(let target):
            try Self.check(symlink(target, place), place)
            try give(place, to: account, mode: nil)
        case .hardLink(let target):
            try Self.check(link(target, place), place)
        case .fifo:
            try Self.check(mkfifo(place, 0o600), place)
            try give(place, to: account, mode: 0o666)
        case .socket:
            try Self.check(mknod(place, S_IFSOCK | 0o600, 0), place)
            try give(place, to: account, mode: 0o777)
        case .device:
            // Device 1:3 is /dev/null: https://www.kernel.org/doc/Documentation/admin-guide/devices.txt
            try Self.check(mknod(place, S_IFCHR | 0o600, 1 << 8 | 3), place)
            try give(place, to: account, mode: 0o666)
        case .folder:
            try Self.check(mkdir(place, 0o700), place)
            try give(place, to: account, mode: 0o777)
        }
    }

    private func give(_ place: String, to account: TestAccount, mode: mode_t?) throws {
        try Self.check(lchown(place, account.user, account.group), place)
        if let mode { try Self.check(chmod(place, mode), place) }
    }

    private static func check(_ result: Int32, _ place: String) throws {
        guard result == 0 else { throw TestSupportError.lastSystemError(place) }
    }
}
