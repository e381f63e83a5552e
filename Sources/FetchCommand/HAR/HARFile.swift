import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import URLLoading

/// A file in the format HAR 1.2, written entry by entry while tasks end.
///
/// It gets its name when it is complete. Until then it has none, if the file system supports that.
/// So neither a signal nor a full disk leaves a partial file, or destroys an older one.
final class HARFile: Sendable {
    private struct State {
        var hasEntries = false
        var failure: URLError?
        var isFinished = false
    }

    private let output: OutputDescriptor
    /// The final file; `nil` if the output is written to directly.
    private let target: FileDestination?
    /// The temporary name; `nil` if it has none.
    private let temporary: String?
    private let state = Mutex(State())

    /// Begins a file.
    ///
    /// Throws `cannotCreateFile` or `cannotOpenFile`, or what writing does.
    init(_ destination: Destination) throws(URLError) {
        switch destination {
        case .standardOutput: (output, target, temporary) = (.standardOutput, nil, nil)
        case .device(let path):
            (output, target, temporary) = (
                try OutputDescriptor(opening: path), nil, nil
            )
        case .file(let file), .automatic(let file):
            _ = try file.statusOfOld(at: file.path)
            (output, temporary) = try Self.makeFile(for: file)
            target = file
        }
        write(
            #"{"log":{"version":"1.2","creator":{"name":"fetch","version":"\#(Version.number)"},"#
                + #""entries":["#
        )
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// It contains URLs, so its mode is 0600.
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
            throw URLError(.cannotCreateFile, detail: "\(path): \(Errno(rawValue: errno))")
        }
        return (OutputDescriptor(named, name: file.path), path)
    }

    /// A number that no other user can predict.
    private static var random: UInt64 { .random(in: .min ... .max) }

    /// Adds the metrics of a task; on the delegate queue.
    func add(_ metrics: URLSessionTaskMetrics, of task: URLSessionTask) {
        for transaction in metrics.transactionMetrics {
            var json = JSONText()
            json.append(HAREntry.value(transaction, task: task.taskIdentifier))
            let isFirst = state.withLock { state in
                defer { state.hasEntries = true }
                return !state.hasEntries
            }
            write((isFirst ? "\n" : ",\n") + String(decoding: json.bytes, as: UTF8.self))
        }
    }

    /// Ends the file, and gives it its name.
    ///
    /// Throws the first error in writing it; then there is no file.
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
        _ = try target.statusOfOld(at: target.path)
        let descriptor = output.descriptor.rawValue
        var source = temporary
        var isNamed = fsync(descriptor) == 0
        if isNamed, source == nil {
            // An unnamed file cannot take another's place, a named one can.
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

    /// The first error is kept, and nothing is written after it.
    private func write(_ text: String) {
        state.withLock { state in
            guard state.failure == nil, !state.isFinished else { return }
            do {
                try Array(text.utf8).withUnsafeBytes { try output.write($0) }
            } catch {
                state.failure =
                    error as? URLError
                    ?? URLError(
                        .cannotWriteToFile,
                        detail: "\(output.name): the reader has closed it"
                    )
            }
        }
    }
}
