import TestSupport
import Testing

/// Runs pasted lines with their own program and with `fetch`.
///
/// The test fails where the table's verdict does not hold.
@Suite("Pasted lines", .timeLimit(.minutes(5)))
struct PastedLineTests {
    @Test("fetch handles curl's lines as in the table", arguments: PastedCase.curl)
    func curl(_ line: PastedCase) async throws { try await check(line) }

    @Test("fetch handles wget's lines as in the table", arguments: PastedCase.wget)
    func wget(_ line: PastedCase) async throws { try await check(line) }

    @Test("the table has at least 200 distinct lines")
    func table() {
        let lines = (PastedCase.curl + PastedCase.wget).map(\.line)
        #expect(lines.count >= 200)
        #expect(Set(lines).count == lines.count)
        #expect(PastedCase.curl.allSatisfy { $0.tool == "curl" })
        #expect(PastedCase.wget.allSatisfy { $0.tool == "wget" })
    }

    private func check(_ line: PastedCase) async throws {
        let ours = try await PastedRun(line, with: try FetchProcess.executable())
        if case .refused(let words) = line.verdict {
            let untouched = try await PastedRun(
                PastedCase(line.tool + " >/dev/null 2>&1; true"),
                with: "true"
            )
            #expect(ours.result.stderr.contains(words), "\(ours.result)")
            #expect(ours.result.status == 2 || line.line.contains("|"), "\(ours.result)")
            #expect(ours.requests.isEmpty)
            #expect(ours.files == untouched.files)
            #expect(ours.stdout == [])
            return
        }
        let theirs = try await PastedRun(line, with: line.tool)
        let isSame =
            ours.stdout == theirs.stdout && ours.files == theirs.files
            && (ours.result.status == 0) == (theirs.result.status == 0)
        let shown = "\(line.line)\nours: \(ours.shown)\ntheirs: \(theirs.shown)"
        switch line.verdict {
        case .same:
            #expect(isSame, "\(shown)")
            #expect(ours.requests == theirs.requests, "\(shown)")
        case .sameResponse: #expect(isSame, "\(shown)")
        case .better(_, let status):
            #expect(!isSame || ours.requests != theirs.requests, "it is the same: \(shown)")
            #expect(ours.result.status == status, "\(shown)")
        case .warned(let words):
            #expect(!isSame, "it is the same: \(shown)")
            #expect(ours.result.stderr.contains(words), "\(shown)")
        case .refused: break
        }
    }
}

extension PastedRun {
    /// A description for the message of a failed expectation.
    fileprivate var shown: String {
        let old = Self.files("URL")
        let changed = files.filter { old[$0.key].map { Array($0.utf8) } != $0.value }
            .map { "\($0.key): \(String(decoding: $0.value.prefix(200), as: UTF8.self))" }
        let asked = requests.map { "\($0.method) \($0.target) \($0.fields) \($0.body)" }
        return "\(result)\nstdout: \(String(decoding: stdout.prefix(400), as: UTF8.self))\n"
            + "files: \(changed.sorted())\nrequests: \(asked.sorted())"
    }
}
