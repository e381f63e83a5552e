import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import URLLoading

/// A HAR 1.2 file, written entry by entry while tasks end.
///
/// The file gets its name when it is complete, and is unnamed until then if the file system
/// supports that. So neither a signal nor a full disk leaves a partial file, or destroys an older
/// one.
final class HARFile: Sendable {
    private struct State {
        var hasEntries = false
        var failure: URLError?
        var isFinished = false
    }

    private let output: OutputDescriptor
    /// The final file; `nil` if entries are written to a device or standard output.
    private let target: FileDestination?
    /// The temporary path; `nil` if the file is unnamed.
    private let temporary: String?
    private let state = Mutex(State())

    /// Writes the beginning; throws `cannotCreateFile`, `cannotOpenFile`, or an error of writing.
    init(_ destination: Destination) throws(URLError) {
        switch destination {
        case .standardOutput: (output, target, temporary) = (.standardOutput, nil, nil)
        case .device(let path):
            (output, target, temporary) = (try OutputDescriptor(opening: path), nil, nil)
        case .file(let file), .automatic(let file):
            _ = try file.statusOfExisting(at: file.path)
            (output, temporary) = try Self.makeFile(for: file)
            target = file
        }
        write(
            #"{"log":{"version":"1.2","creator":{"name":"fetch","version":"\#(Version.number)"},"#
                + #""entries":["#
        )
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Creates the file with mode 0600, because it contains URLs.
    private static func makeFile(
        for file: FileDestination
    ) throws(URLError) -> (OutputDescriptor, String?) {
        let flags = O_WRONLY | O_CLOEXEC
        let unnamed = linux_open_unnamed(file.folder, flags | O_DIRECTORY)
        if unnamed >= 0 { return (OutputDescriptor(unnamed, name: file.path), nil) }
        let name = file.name.utf8.count > 200 ? "har" : file.name
        let path = "\(file.folder)/.\(name).\(random)~"
        let named = open(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        guard named >= 0 else {
            throw URLError(.cannotCreateFile, detail: "\(file.path): \(Errno(rawValue: errno))")
        }
        return (OutputDescriptor(named, name: file.path), path)
    }

    /// Whether entries are written to a device or a pipe, whose reader may be slow.
    var isOnDevice: Bool { target == nil }

    /// A random number, which other users cannot predict.
    private static var random: UInt64 { .random(in: .min ... .max) }

    /// Adds the metrics of a task; called on the delegate queue.
    func add(_ metrics: URLSessionTaskMetrics, of task: URLSessionTask) {
        for transaction in metrics.transactionMetrics {
            let isFirst = state.withLock { state in
                defer { state.hasEntries = true }
                return !state.hasEntries
            }
            let entry = HAREntry.value(transaction, task: task.taskIdentifier)
            write((isFirst ? "\n" : ",\n") + entry.jsonText)
        }
    }

    /// Completes and names the file; throws the first error of writing, and then no file is left.
    func finish() throws(URLError) {
        write("\n]}}\n")
        let failure = state.withLock { state in
            state.isFinished = true
            return state.failure
        }
        guard let target else {
            if let failure { throw failure }
            return
        }
        defer { output.close() }
        do throws(URLError) {
            if let failure { throw failure }
            try name(target)
        } catch {
            if let temporary { unlink(temporary) }
            throw error
        }
    }

    private func name(_ target: FileDestination) throws(URLError) {
        // The run may have lasted long, and another user may have replaced the folder.
        try target.checkWay()
        _ = try target.statusOfExisting(at: target.path)
        let descriptor = output.descriptor.rawValue
        var source = temporary
        var isNamed = fsync(descriptor) == 0
        if isNamed, source == nil {
            // linkat(2) cannot replace a file, rename(2) can: a temporary name is needed.
            let between = "\(FolderTrust.folder(of: target.path))/.har.\(Self.random)~"
            let link = "/proc/self/fd/\(descriptor)"
            isNamed = linkat(AT_FDCWD, link, AT_FDCWD, between, AT_SYMLINK_FOLLOW) == 0
            source = between
        }
        guard isNamed, let source, PartFile.isSame(source, output.descriptor),
            rename(source, target.path) == 0
        else {
            let reason = Errno(rawValue: errno)
            if let source { unlink(source) }
            throw URLError(.cannotMoveFile, detail: "\(target.path): \(reason)")
        }
    }

    /// Writes a text; after the first error, which is kept, nothing more is written.
    private func write(_ text: String) {
        state.withLock { state in
            guard state.failure == nil, !state.isFinished else { return }
            do {
                try Array(text.utf8).withUnsafeBytes { try output.write($0) }
            } catch {
                state.failure = error as? URLError ?? output.closedError
            }
        }
    }
}
