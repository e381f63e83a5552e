import CLinux
import Glibc
import URLLoading

/// The files that the process writes lines to, which no download may replace.
///
/// The plan has compared their names. This type compares the files themselves, once a download's
/// name has been chosen.
struct StreamFiles: Sendable {
    /// Files of events and reports, which are lost if another file takes their name.
    private var events: [FilePlace]
    /// The standard streams that are regular files.
    private let standard: [FilePlace]

    init(_ events: EventLog, besides reports: [FilePlace] = []) {
        self.events = events.places + reports
        // Only regular files matter, because a part file is always a regular file.
        standard = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].compactMap {
            FilePlace(descriptor: $0)
        }.filter { $0.kind == S_IFREG }
    }

    /// A copy without the file at a path, which is replaced as a whole and gets no lines.
    func excluding(_ path: String) -> StreamFiles {
        var others = self
        if let own = FilePlace(path) { others.events.removeAll { $0 == own } }
        return others
    }

    /// Whether a path is the one of such a file, which may not exist yet.
    func claims(_ path: String) -> Bool {
        !events.isEmpty && FilePlace(path, followsLink: false).map(events.contains) == true
    }

    /// Checks that a download replaces none of these, nor `source`; throws `cannotCreateFile`.
    func check(_ path: String, isReplaced: Bool, source: String? = nil) throws(URLError) {
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
                !places.isEmpty && FilePlace(path, followsLink: false).map(places.contains) == true
            }
        guard isTaken else { return }
        throw URLError(
            .cannotCreateFile,
            detail: "\(path) is this command's own standard input or output"
        )
    }
}

/// Descriptors 0, 1 and 2 at the start of the program.
enum StandardDescriptors {
    /// Fills closed standard descriptors, so that no later file or socket gets their numbers.
    ///
    /// Otherwise bodies could be written to such a file. Access to a filled descriptor fails
    /// with EBADF as before, and so does opening `/dev/stdin`. So no body is silently empty or
    /// lost.
    static func fill() {
        for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // open(2) returns the lowest free number, which is this descriptor.
            let filled = linux_open_path("/", 0)
            if filled >= 0, filled != descriptor { close(filled) }
        }
    }
}
