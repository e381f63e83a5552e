import TestSupport
import Testing

@Suite
struct KeyringTests {
    private func secretTool(
        _ arguments: String...,
        on service: Keyring,
        input: ProcessInput = .null
    ) async throws -> ProcessResult {
        try await FetchProcess(
            shell: #"exec secret-tool "$@""#,
            arguments,
            environment: service.environment,
            input: input
        ).run()
    }

    @Test
    func keepsSecrets() async throws {
        let service = try Keyring.shared
        let stored = try await secretTool(
            "store",
            "--label=a label",
            "test",
            "keeps",
            "host",
            "localhost",
            on: service,
            input: .text("pä ss:word")
        )
        #expect(stored.status == 0, "\(stored)")
        let found = try await secretTool("lookup", "test", "keeps", on: service)
        #expect(found.stdoutText == "pä ss:word", "\(found)")
        let shown = try await secretTool("search", "test", "keeps", on: service)
        #expect(shown.stdoutText.contains("label = a label\n"), "\(shown)")

        let cleared = try await secretTool("clear", "test", "keeps", on: service)
        #expect(cleared.status == 0, "\(cleared)")
        let gone = try await secretTool("lookup", "test", "keeps", on: service)
        #expect(gone.status == 1)
        #expect(gone.stdout.isEmpty)
    }

    @Test
    func keepsNothingWhileLocked() async throws {
        let service = try Keyring.sharedLocked
        let stored = try await secretTool(
            "store",
            "--label=a label",
            "test",
            "locked",
            on: service,
            input: .text("secret")
        )
        #expect(stored.stderr.contains("locked collection"), "\(stored)")
        let found = try await secretTool("lookup", "test", "locked", on: service)
        #expect(found.status == 1 && found.stdout.isEmpty, "\(found)")
    }

    @Test
    func noServiceRespondsElsewhere() async throws {
        let result = try await FetchProcess.shell(
            "secret-tool lookup test none",
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
        )
        #expect(result.status == 1, "\(result)")
        #expect(result.stderr.contains("Could not connect"), "\(result)")
    }
}
