import TestSupport

/// A program of `Examples`, run as its first lines say.
enum Example {
    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - arguments: What follows the name.
    ///   - folder: Where it runs; a fresh folder unless given.
    ///   - home: Its `HOME`; a fresh folder unless given.
    ///   - environment: Variables besides those of every process under test.
    /// - Returns: What it printed, and how it ended.
    /// - Throws: `TestSupportError` where it is not built, or does not end.
    static func run(
        _ name: String,
        _ arguments: String...,
        in folder: TemporaryFolder? = nil,
        home: TemporaryFolder? = nil,
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        try await FetchProcess(
            program: name,
            arguments,
            in: folder,
            home: home,
            environment: environment
        ).run()
    }
}

extension ProcessResult {
    /// Standard output by lines, where it ended well and had no complaints; else how it ended.
    var lines: [String] {
        guard status == 0, stderr.isEmpty else { return [description, stdoutText] }
        return stdoutText.split(separator: "\n").map(String.init)
    }
}
