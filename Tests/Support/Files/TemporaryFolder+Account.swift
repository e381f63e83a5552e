import Foundation

extension TemporaryFolder {
    /// Gives a file or folder in this one to the account that a server runs as.
    ///
    /// Servers that are started by root leave root's account for one of their own. Nothing happens
    /// where the tests are run by another user, as which the servers then run.
    ///
    /// - Parameters:
    ///   - name: What to give, which exists; a folder is given without what is in it.
    ///   - account: The account's name.
    /// - Throws: `TestSupportError.system` when there is no such account.
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

    /// Lets every account read all that is in the folder so far, whatever the umask was.
    func makeReadableByAll() throws {
        try Tool.run("chmod -R a+rX .", in: self)
    }
}
