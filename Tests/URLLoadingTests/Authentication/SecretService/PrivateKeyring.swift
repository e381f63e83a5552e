import TestSupport

@testable import URLLoading

/// A keyring of a test's own, with access to it.
struct PrivateKeyring {
    private let keyring: Keyring

    /// Starts it.
    init() throws {
        keyring = try Keyring()
    }

    /// The key store as a session has it.
    func service() -> SecretService {
        SecretService(mayAsk: false, environment: { keyring.environment[$0] })
    }

    /// Runs a script with the desktop's tools.
    func shell(_ script: String) async throws -> ProcessResult {
        try await FetchProcess(shell: script, environment: keyring.environment).run()
    }
}
