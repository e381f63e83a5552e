import TestSupport

/// A program of `Examples`, run as its first lines describe.
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
    /// The lines of standard output after exit status 0 without messages; else a description of the exit.
    var lines: [String] {
        guard status == 0, stderr.isEmpty else { return [description, stdoutText] }
        return stdoutText.split(separator: "\n").map(String.init)
    }
}
