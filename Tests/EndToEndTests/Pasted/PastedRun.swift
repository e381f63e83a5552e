import Foundation
import TestSupport

/// A pasted line that was run, and all its results.
struct PastedRun {
    let result: ProcessResult
    /// All files, including the earlier ones, by their paths in the folder.
    let files: [String: [UInt8]]
    let requests: Set<PastedServer.Request>

    /// The initial files of each folder.
    static func files(_ url: String) -> [String: String] {
        [
            "data.json": "{\"a\": 1}\n", "upload.bin": "bytes\n", "name.txt": "a b&c\n",
            "cookies.txt": "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tk\tv\n",
            "urls.txt": "\(url)/a.txt\n\(url)/b.txt\n", "have.txt": "old\n", "half": "abcdefghij",
            "script": "exit 0\n", "tag.txt": "\"1\"\n", "head.txt": "X-A: b\n",
            "2024": "year\n",
        ]
    }

    /// A gzipped archive with the script `tool-1.0/bin/tool`.
    static let archive =
        "H4sIAAAAAAACA+3SwQqCQBCA4Tn7FBOdy1119HkqBINoQbf3TwUvBnXSFP7vMjvs3v6NITxO/uxSWY7rVWbj7M3n"
        + "59m7qixFTVbw6uKlVZU2hPjt3a/7nYpT/+v9mW6mv7ec/uv3H5Z/9M+KWf+syE3U0X9xx8NYvmuS+tYEHX5AIgAA"
        + "AAAAAAAAAAAAANiNNx3+SOUAKAAA"

    /// Runs a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - tool: The program in place of its first word.
    /// - Throws: An error where the server or the program cannot be started.
    init(_ line: PastedCase, with tool: String) async throws {
        let server = try PastedServer()
        let folder = try TemporaryFolder("pasted")
        let url = server.server.url("")
        for (name, text) in Self.files(url) { try folder.write(text, to: name) }
        let home = try TemporaryFolder("home")
        try home.write("machine 127.0.0.1 login user password pass\n", to: ".netrc")
        _ = chmod(home.path(".netrc"), 0o600)
        let rest = line.line.dropFirst(line.tool.count)
        let process = try FetchProcess(
            shell: "\"$TOOL\""
                + rest.replacing("URL", with: url)
                .replacing("HOST", with: "127.0.0.1").replacing(
                    "PORT",
                    with: "\(server.server.port)"
                ),
            in: folder,
            home: home,
            environment: ["TOOL": tool, "no_proxy": "*"]
        )
        result = try await process.run()
        requests = server.requests
        var files: [String: [UInt8]] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        // The texts of logs differ between programs.
        for name in names where !name.hasSuffix(".log") {
            // Folders with the server's port in their names.
            let plain = name.replacing(":\(server.server.port)", with: ":PORT")
            if let bytes = folder.read(name) { files[plain] = Self.plain(bytes, url) }
        }
        self.files = files
        stdout = Self.plain(result.stdout, url)
    }

    /// Standard output, with uniform line ends, and without the port.
    let stdout: [UInt8]

    private static func plain(_ bytes: [UInt8], _ url: String) -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        return Array(text.replacing("\r\n", with: "\n").replacing(url, with: "URL").utf8)
    }
}
