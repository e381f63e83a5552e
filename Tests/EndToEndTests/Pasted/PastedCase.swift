import Testing

/// A line from a Dockerfile, a CI file or a README, and what becomes of it with `fetch` in
/// the place of its first word.
///
/// `URL` means the server; `curl` or `wget` is the first word. Where lines are run there are the
/// files of `PastedRun.files`.
struct PastedCase: Sendable, CustomTestStringConvertible {
    enum Verdict: Sendable {
        /// Bodies, files, exit class and requests are the same.
        case same
        /// The same but for requests that lead there, such as those before a password is wanted.
        case sameResponse
        /// Exit status 2, nothing sent, no file made, and these words are said.
        case refused(String)
        /// Another exit status, or other files, and why that is better; nothing wrong is delivered.
        case better(String, exit: Int32)
        /// The line means one thing to wget and another to curl: it is wget's, and this is said.
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
