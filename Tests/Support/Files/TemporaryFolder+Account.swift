import Foundation

extension TemporaryFolder {
    /// Gives a file or folder in this folder to the account that a server runs as.
    ///
    /// Servers that root starts change to an account of their own. Nothing happens where another user
    /// runs the tests: the servers then run as that user.
    ///
    /// - Parameters:
    ///   - name: The name of an existing file or folder; a folder's content is not given.
    ///   - account: The account's name.
    /// - Throws: `TestSupportError.system` when the account does not exist.
    func give(_ name: String, to account: String) throws {
        guard geteuid() == 0 else { return }
        guard let entry = getpwnam(account) else {
            throw TestSupportError.systemError("getpwnam \(account)", code: ENOENT)
        }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        guard chown(path(name), user, group) == 0 else {
            throw TestSupportError.lastSystemError("chown \(path(name))")
        }
    }

    /// Lets every account read all present files of the folder, whatever the umask was.
    func makeReadableByAll() throws {
        try Tool.run("chmod -R a+rX .", in: self)
    }
}
