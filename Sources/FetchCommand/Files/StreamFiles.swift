import CLinux
import Glibc
import URLLoading

/// The files that the process writes lines to: no download may use one of them.
///
/// The plan has compared their names. This compares the files, when a download's name has been
/// chosen.
struct StreamFiles: Sendable {
    /// Where events and reports go: these are lost where another file takes the name.
    private var events: [FilePlace]
    /// Those that were open when the program began.
    private let standard: [FilePlace]

    init(_ events: EventLog, besides reports: [FilePlace] = []) {
        self.events = events.places + reports
        // A part is a regular file, or it is refused for that.
        standard = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].compactMap {
            FilePlace(descriptor: $0)
        }.filter { $0.kind == S_IFREG }
    }

    /// The same but for a file that lines are not written to: it is made anew, as a whole.
    func excluding(_ path: String) -> StreamFiles {
        var others = self
        if let own = FilePlace(path) { others.events.removeAll { $0 == own } }
        return others
    }

    /// Sees that a download to a path touches none of them.
    ///
    /// - Parameters:
    ///   - path: the name that the file is going to have.
    ///   - isReplaced: whether a file that has the name goes.
    ///   - source: the path that is read, where that is one of this machine.
    /// - Throws: `cannotCreateFile`.
    func check(
        _ path: String,
        isReplaced: Bool,
        source: String? = nil
    ) throws(URLError) {
        if isReplaced { try check(path, events) }
        let source = source.flatMap { FilePlace($0) }.map { [$0] } ?? []
        if source.isEmpty, events.isEmpty, standard.isEmpty { return }
        for path in FileDestination.pathsBeside(path) { try check(path, source + events) }
    }

    private func check(_ path: String, _ places: [FilePlace]) throws(URLError) {
        let isTaken =
            if let place = FilePlace(ofFile: path) {
                places.contains(place) || standard.contains(place)
            } else {
                !places.isEmpty
                    && FilePlace(path, followsLink: false).map(places.contains) == true
            }
        guard isTaken else { return }
        throw URLError(
            .cannotCreateFile,
            detail: "\(path) is this command's own standard input or output"
        )
    }
}

/// Descriptors 0, 1 and 2 as they are when the program starts.
enum StandardDescriptors {
    /// Fills those that are closed, so that no file or socket of ours gets one of their numbers and
    /// is then written to as standard output.
    ///
    /// Reading and writing them fails with EBADF, as before, and so does opening a name such as
    /// `/dev/stdin`. So no body is silently empty or lost.
    static func fill() {
        for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is the one wanted.
            let filled = linux_open_placeholder()
            guard filled == descriptor else {
                if filled >= 0 { close(filled) }
                continue
            }
        }
    }
}
