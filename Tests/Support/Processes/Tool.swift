import CTestSupport
import Foundation

/// Runs shell scripts that prepare tests.
enum Tool {
    /// Runs a script with `sh -e` and blocks until it has ended.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - arguments: Its `$1` and so on.
    ///   - folder: The folder it runs in.
    /// - Returns: Its standard output and standard error together.
    /// - Throws: `TestSupportError.programFailed` unless it exits with 0.
    @discardableResult
    static func run(
        _ script: String,
        arguments: [String] = [],
        in folder: TemporaryFolder
    ) throws -> String {
        let log = try TemporaryFolder("tool")
        let input: Descriptor? = try Descriptor.open("/dev/null", O_RDONLY)
        let output = try Descriptor.open(log.path("output"), O_WRONLY | O_CREAT | O_APPEND)
        let shell = Spawn(
            executable: "/bin/sh",
            arguments: ["-ec", script, "sh"] + arguments,
            directory: folder.path
        )
        let process = try shell.start(input: input, output: output, error: output)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let printed = log.readText("output") ?? ""
        guard wait_exited(status) != 0, wait_exit_status(status) == 0 else {
            throw TestSupportError.programFailed("sh", output: printed)
        }
        return printed
    }
}
