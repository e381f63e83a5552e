public import Foundation

extension FetchProcess {
    /// Runs the process as an account, to which its home folder then belongs.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - mask: The umask of the run.
    /// - Throws: `TestSupportError.system` when the home cannot be given away.
    public mutating func run(as account: TestAccount, mask: mode_t = 0o022) throws {
        try home.give(to: account)
        let script = #"umask "$1" && shift && exec "$@""#
        arguments =
            ["-c", script, "sh", String(mask, radix: 8)] + account.prefix + [program] + arguments
        program = "/bin/sh"
    }
}
