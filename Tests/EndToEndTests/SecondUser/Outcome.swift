import Glibc
import TestSupport

/// The permitted ends of a run, each with the changes that it may have made.
enum Outcome: Sendable {
    /// Status 3 with these words, before fetch sends anything.
    case refused(saying: String = "")
    /// Status 3 with these words and no change, perhaps after a request.
    case untouched(saying: String = "")
    /// Status 3 at the end: the received bytes remain as a part.
    case refusedAtEnd
    /// Status 2 before fetch sends anything.
    case conflict
    /// The new file has the name; the user's own part may have become the file.
    case made(mode: mode_t = 0o644, group: gid_t? = nil)
    /// The new file has the name with a number, and the existing file stays.
    case numbered
    /// The link stays, and its target is the new file.
    case followed(target: String, mode: mode_t)
    /// The FIFO's reader has received the body.
    case delivered
}

/// The observations of one run.
struct Sight {
    let user: TestAccount
    let before: [String: FileEntry]
    let after: [String: FileEntry]
    let result: ProcessResult
    /// Whether the server received a request.
    let wasSent: Bool
    /// The bytes that the planted FIFO's reader received.
    let fifo: [UInt8]
    /// Whether bytes are those of the requested body.
    let isWanted: @Sendable ([UInt8]) -> Bool

    private var changes: SceneChanges { SceneChanges(from: before, to: after) }

    /// The violations of the first permitted outcome, where no permitted outcome holds.
    func violations(_ allowed: [Outcome]) -> [String] {
        let found = allowed.map(violations)
        guard !found.contains([]) else { return [] }
        return found[0] + ["\(changes)", "\(result)"]
    }

    private func violations(_ outcome: Outcome) -> [String] {
        var violations: [String] = []
        func demand(_ holds: Bool, _ words: @autoclosure () -> String) {
            if !holds { violations.append(words()) }
        }
        demand(!result.stderr.contains("Fatal error"), "it trapped")
        switch outcome {
        case .refused(let words), .untouched(let words):
            demand(result.status == 3, "status not 3")
            if case .refused = outcome { demand(!wasSent, "something was sent") }
            demand(result.stderr.contains(words), "no word of \(words)")
            demand(changes.isEmpty, "something has changed")
            demand(fifo.isEmpty, "the FIFO got \(fifo.count) bytes")
        case .conflict:
            demand(result.status == 2, "status not 2")
            demand(!wasSent, "something was sent")
            demand(changes.isEmpty, "something has changed")
        case .refusedAtEnd:
            demand(result.status == 3, "status not 3")
            demand(changes.changed.isEmpty && changes.removed.isEmpty, "something has changed")
            demand(changes.added.contains("name.part"), "no part is kept")
            demand(
                changes.added.isSubset(of: ["name.part", "name.part.resume"]),
                "more than the part is left"
            )
            demand(after["name.part"]?.user == user.user, "the part is another user's")
            demand(fifo.isEmpty, "the FIFO got \(fifo.count) bytes")
        case .made(let mode, let group):
            violations += self.violations(of: "name", mode, group)
            let others = changes.added.union(changes.changed).subtracting(["name"])
            demand(others.isEmpty, "something else has changed")
            demand(
                changes.removed.isSubset(of: ["name.part", "name.part.resume"]),
                "something is gone"
            )
        case .numbered:
            violations += self.violations(of: "name.1", 0o644, nil)
            demand(changes.changed.isEmpty && changes.removed.isEmpty, "something has changed")
            demand(changes.added == ["name.1"], "something else was made")
            demand(fifo.isEmpty, "the FIFO got \(fifo.count) bytes")
        case .followed(let target, let mode):
            violations += self.violations(of: target, mode, nil)
            demand(changes.changed == [target], "something else has changed, or nothing")
            demand(changes.added.isEmpty && changes.removed.isEmpty, "something came or went")
        case .delivered:
            demand(result.status == 0, "status not 0")
            demand(isWanted(fifo), "the FIFO got \(fifo.count) bytes")
            demand(changes.isEmpty, "something has changed")
        }
        return violations
    }

    /// The violations of a new file.
    private func violations(of name: String, _ mode: mode_t, _ group: gid_t?) -> [String] {
        guard result.status == 0 else { return ["status not 0"] }
        guard let file = after[name] else { return ["no \(name)"] }
        var violations: [String] = []
        let inode = before[name]?.inode
        if file.kind != S_IFREG { violations.append("\(name) is no file") }
        if file.inode == inode { violations.append("\(name) was written through") }
        if file.user != user.user { violations.append("\(name) is another user's") }
        if file.mode != mode { violations.append("mode not \(String(mode, radix: 8))") }
        if let group, file.group != group { violations.append("group not \(group)") }
        if file.names != 1 { violations.append("\(name) has another name") }
        if !isWanted(file.content) { violations.append("\(name) has other bytes") }
        return violations.isEmpty ? [] : violations + ["\(name): \(file)"]
    }
}
