import FoundationEssentials
import Synchronization

/// Which hosts are to be reached over TLS only, as they have said themselves
/// ([RFC 6797](https://www.rfc-editor.org/rfc/rfc6797)), and where that is kept.
final class HSTSStorage: Sendable {
    /// Where it is kept.
    enum Place: Sendable {
        case memory
        /// In `hsts` in a folder of this library's, where there is one; it is asked for when
        /// something is read or written.
        case folder(@Sendable () -> String?)
        case file(SharedFile)
    }

    private struct State {
        var hosts = HSTSHosts()
        var isRead = false
        /// What is still to be written.
        var changes = StateChanges<ExactText, HSTSHosts.Promise>()
        var trouble: String?
    }

    /// That of default sessions: `fetch/hsts` in `XDG_STATE_HOME`, or else `~/.local/state`.
    static let shared = HSTSStorage(.folder { UserFolders().state })

    private let place: Place
    private let state = Mutex(State())

    init(_ place: Place) {
        self.place = place
    }

    /// The storage that a session's settings ask for; `nil`: none.
    static func storage(for settings: SessionSettings) -> HSTSStorage? {
        switch settings.transport.strictTransportSecurity {
        case .none: nil
        case .automatic: settings.kind == .ephemeral ? HSTSStorage(.memory) : shared
        case .file(let path):
            HSTSStorage(SharedFile(path, owner: .user).map(Place.file) ?? .memory)
        }
    }

    /// A URL as it is to be reached; `nil`: as it stands.
    func upgraded(_ url: URL) -> URL? {
        guard url.scheme?.lowercased() == "http" else { return nil }
        return state.withLock { state in
            read(&state)
            return state.hosts.upgraded(url, Self.now)
        }
    }

    /// Takes what a host says of itself, over TLS that has proved who it is.
    func take(_ field: HSTSField, from host: String) {
        let mustWrite = state.withLock { state in
            read(&state)
            guard let (host, promise) = state.hosts.change(by: field, of: host, Self.now) else {
                return false
            }
            state.hosts[host] = promise
            if case .memory = place { return false }
            state.changes.note(host, promise)
            return true
        }
        if mustWrite { PendingWrites.note(self) }
    }

    /// Writes what has changed, if anything has; back when it is written, or cannot be.
    func flush() {
        PendingWrites.flush(self)
    }

    /// Why it is not kept as it should be, once for each reason.
    func takeTrouble() -> String? {
        state.withLock { state in
            defer { state.trouble = nil }
            return state.trouble
        }
    }

    private static var now: Int64 { Int64(Date.now.timeIntervalSince1970) }

    private var file: SharedFile? {
        switch place {
        case .memory: nil
        case .folder(let folder): folder().flatMap { SharedFile("\($0)/hsts", owner: .library) }
        case .file(let file): file
        }
    }

    /// Reads the file, once.
    private func read(_ state: inout State) {
        guard !state.isRead else { return }
        state.isRead = true
        guard let file else { return }
        do throws(PrivateFileError) {
            if let data = try file.read() { state.hosts = HSTSFile.read(data).hosts }
        } catch {
            state.trouble = "\(error)"
        }
    }
}

extension HSTSStorage: StateWriter {
    func writeChanges() {
        let changes = state.withLock { state in
            defer { state.changes = StateChanges() }
            return state.changes
        }
        guard let file else {
            let words = "neither XDG_STATE_HOME nor HOME names a folder"
            return state.withLock { $0.trouble = words }
        }
        do throws(PrivateFileError) {
            try file.change { data throws(PrivateFileError) in
                try HSTSFile.merged(data, path: file.path, changes, Self.now)
            }
        } catch {
            state.withLock { state in
                state.trouble = "\(error)"
                state.changes.putBack(changes)
            }
        }
    }
}
