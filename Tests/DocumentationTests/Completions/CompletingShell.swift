import TestSupport
import Testing

/// A real shell with generated completions, into which tests type lines and Tab.
///
/// bash and zsh run on a pseudo-terminal, as for a user. fish has a command that prints its candidates.
enum CompletingShell: String, CaseIterable, CustomTestStringConvertible {
    case bash
    case zsh
    case fish

    var testDescription: String { rawValue }

    /// The completion file of this repository.
    var completions: String {
        switch self {
        case .bash: Repository.path("completions/fetch.bash")
        case .zsh: Repository.path("completions/_fetch")
        case .fish: Repository.path("completions/fetch.fish")
        }
    }

    /// Files and a folder to complete; some names contain special characters of shells.
    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("completion")
        for name in ["movie.mkv", "my file.txt", "it's $HOME.txt", "dir one/inner.txt"] {
            try folder.write("", to: name)
        }
        return folder
    }

    /// The words that Tab offers after each line, without a `--flag=` before them.
    func offers(
        _ lines: [String],
        completions: String? = nil,
        setUp: String = ""
    ) async throws -> [[String]] {
        let blocks = try await run("candidates", lines, completions, setUp)
        return blocks.map { block in
            block.map { candidate in
                let afterFlag = candidate.firstMatch(of: /^--[^=]+=(.+)/).map { String($0.1) }
                return afterFlag ?? candidate
            }
        }
    }

    /// The last word of each line after Tab.
    func completes(_ lines: [String], setUp: String = "") async throws -> [String] {
        let blocks = try await run("typed", lines, nil, setUp)
        guard self == .fish else { return blocks.map { $0.last ?? "" } }
        return zip(lines, blocks).map { line, block in
            // The shell inserts a single candidate.
            block.count == 1 ? block[0] : String(line.split(separator: " ").last ?? "")
        }
    }

    /// The text that the shell draws after Tab.
    func shows(_ line: String) async throws -> String {
        try await run("shown", [line], nil, "").joined().joined(separator: "\n")
    }

    /// Types the lines one after the other, and returns the driver's report of each.
    ///
    /// `setUp` holds commands that the shell reads before the completions.
    private func run(
        _ mode: String,
        _ lines: [String],
        _ completions: String?,
        _ setUp: String
    ) async throws -> [[String]] {
        let scratch = try TemporaryFolder("shell")
        let driver = try scratch.write(self == .fish ? Self.fishDriver : Self.driver, to: "driver")
        let setUpFile = try scratch.write(setUp, to: "setup")
        let interpreter = self == .fish ? "fish --no-config" : "zsh -f"
        let process = try FetchProcess(
            shell: "exec \(interpreter) \"$@\"",
            [driver, rawValue, mode, completions ?? self.completions, setUpFile] + lines,
            in: Self.folder(),
            environment: ["SCRATCH": scratch.path],
            timeLimit: .seconds(120)
        )
        let result = try await process.run()
        guard result.status == 0, result.stderr.isEmpty else {
            throw TestSupportError.programFailed(rawValue, output: "\(result)")
        }
        var blocks: [[String]] = [[]]
        for line in result.stdoutText.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "<end>" {
                blocks.append([])
            } else {
                blocks[blocks.count - 1].append(String(line))
            }
        }
        return blocks.dropLast()
    }
}
