import FoundationEssentials
import SystemPackage

/// Credentials in a file of mode 0600, for machines without a key store.
///
/// The store uses the file only if no other user can have written it. It must be a regular file of this
/// user, without rights for others, in a folder that only this user can change, and not behind a symbolic
/// link. The store refuses any other file, and does not change it. A change is one rename, under a lock that
/// other processes use too; a reader needs no lock.
package struct CredentialFile: CredentialStore {
    private let file: SharedFile

    /// Creates a store from its absolute path; `timeout`: how long another process may hold the lock.
    package init?(path: String, timeout: Duration = .seconds(5)) {
        guard let file = SharedFile(path, owner: .library, timeout: timeout) else { return nil }
        self.file = file
    }

    package var path: String { file.path }

    /// The program's file: `PROGRAM/credentials` in `XDG_DATA_HOME`, or else in `~/.local/share`.
    ///
    /// `nil` where the environment names neither a folder nor a home.
    package init?(folders: UserFolders = UserFolders()) {
        guard let data = folders.data else { return nil }
        self.init(path: "\(data)/credentials")
    }

    package func credentials(
        for key: CredentialKey
    ) throws(CredentialStoreError) -> [StoredCredential] {
        try allCredentials().filter { $0.key == key }
    }

    package func allCredentials() throws(CredentialStoreError) -> [StoredCredential] {
        do throws(PrivateFileError) {
            return try list(file.read()).credentials
        } catch {
            throw .file(error)
        }
    }

    package func save(_ credential: StoredCredential) throws(CredentialStoreError) {
        _ = try change(makesFolder: true) { list in
            list.save(credential)
            return true
        }
    }

    package func remove(
        user: String,
        for key: CredentialKey
    ) throws(CredentialStoreError) -> Bool {
        try change(makesFolder: false) { $0.remove(user: user, for: key) }
    }

    private func list(_ data: Data?) throws(PrivateFileError) -> CredentialList {
        guard let data else { return CredentialList() }
        return try CredentialList(data, path: path)
    }

    /// Reads, changes and writes the list under the lock; returns whether `body` has changed it.
    private func change(
        makesFolder: Bool,
        _ body: (inout CredentialList) -> Bool
    ) throws(CredentialStoreError) -> Bool {
        var isChanged = false
        do throws(PrivateFileError) {
            try file.change(makesFolder: makesFolder) { data throws(PrivateFileError) in
                var list = try list(data)
                isChanged = body(&list)
                guard isChanged else { return nil }
                guard !list.credentials.isEmpty else { return Data() }
                guard let data = try? list.encoded() else {
                    throw .failed(path: path, reason: "a credential cannot be written as JSON")
                }
                return data
            }
        } catch {
            throw .file(error)
        }
        return isChanged
    }
}

/// The content of a credential file: JSON, and versioned.
///
///     {
///       "credentials" : [
///         {
///           "key" : {
///             "host" : "h.example", "port" : 443, "protocol" : "https", "realm" : "r",
///             "method" : "NSURLAuthenticationMethodHTTPBasic"
///           },
///           "password" : "…", "user" : "…"
///         }
///       ],
///       "format" : "URLLoading credentials", "version" : 1
///     }
///
/// The credential saved last is first.
struct CredentialList: Sendable, Equatable {
    /// The version that we write; we read no other.
    static let version = 1
    private static let format = "URLLoading credentials"

    private(set) var credentials: [StoredCredential] = []

    init() {}

    private struct Header: Codable {
        var format: String
        var version: Int
    }

    private struct Body: Codable {
        var format = CredentialList.format
        var version = CredentialList.version
        var credentials: [Entry]
    }

    private struct Entry: Codable {
        var key: CredentialKey
        var user: String
        var password: String
    }

    /// Reads the content of a file; the error has no part of the content.
    init(_ data: Data, path: String) throws(PrivateFileError) {
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: data),
            header.format == Self.format
        else { throw .malformed(path: path, reason: "it was not written by this library") }
        guard header.version == Self.version else {
            let words = "it has version \(header.version); version \(Self.version) is supported"
            throw .malformed(path: path, reason: words)
        }
        guard let body = try? decoder.decode(Body.self, from: data) else {
            throw .malformed(path: path, reason: "a value is missing, or has the wrong type")
        }
        credentials = body.credentials.map {
            StoredCredential(key: $0.key, user: $0.user, password: Secret($0.password))
        }
    }

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let entries = credentials.map {
            Entry(key: $0.key, user: $0.user, password: $0.password.text)
        }
        return try encoder.encode(Body(credentials: entries)) + Data("\n".utf8)
    }

    /// Inserts a credential at the front, and removes the same user's for the same key.
    mutating func save(_ credential: StoredCredential) {
        _ = remove(user: credential.user, for: credential.key)
        credentials.insert(credential, at: 0)
    }

    /// Removes a user's credential; returns whether there was one.
    mutating func remove(user: String, for key: CredentialKey) -> Bool {
        let count = credentials.count
        credentials.removeAll { $0.user.hasBytes(of: user) && $0.key == key }
        return credentials.count < count
    }
}
