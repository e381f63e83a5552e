import Testing

/// A line from a Dockerfile, CI file or README, and the verdict on `fetch` in place of its first word.
///
/// `URL` stands for the server; the first word is `curl` or `wget`. The working folder has the files of
/// `PastedRun.files`.
struct PastedCase: Sendable, CustomTestStringConvertible {
    enum Verdict: Sendable {
        /// Bodies, files, the class of the exit status and requests are equal.
        case same
        /// Equal except for additional requests, such as those before a password is required.
        case sameResponse
        /// Exit status 2 with these words; fetch sends nothing and makes no file.
        case refused(String)
        /// Another exit status, or other files, for the given reason; no wrong content is delivered.
        case better(String, exit: Int32)
        /// wget and curl differ in the line's meaning: fetch follows wget, and warns with these words.
        case warned(String)
    }

    let line: String
    let verdict: Verdict

    init(_ line: String, _ verdict: Verdict = .same) {
        self.line = line
        self.verdict = verdict
    }

    var testDescription: String { line }

    /// `curl` or `wget`.
    var tool: String { String(line.prefix(4)) }
}
