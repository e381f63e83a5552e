import TestSupport
import Testing

@Suite("Kerberos tickets", .timeLimit(.minutes(1)))
struct TicketTests {
    @Test(
        "A-04 fetch uses a Kerberos ticket without a prompt",
        arguments: ["/negotiate/hello.txt", "/negotiate-or-basic/hello.txt"]
    )
    func ticket(path: String) async throws {
        let apache = try Apache.shared
        let target = path + "?ticket"
        let result = try await FetchProcess(
            ["-q", "-O", "-", apache.nameURL(target)],
            environment: try Kerberos.shared.environment
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(!result.stdoutText.isEmpty)
        // The first entry is the refusal.
        let entries = await apache.log.entries(waitingFor: 2) { $0.target == target }
        #expect(entries.last?.user == Kerberos.principal)
    }

    @Test("A-04 an upload arrives whole after Negotiate")
    func upload() async throws {
        let apache = try Apache.shared
        let bytes = PseudoRandom.bytes(3_000_003)
        let folder = try TemporaryFolder()
        let result = try await FetchProcess(
            [
                "-q", "-X", "POST", "--upload-file", try folder.write(bytes, to: "body"),
                apache.nameURL("/negotiate/sum"),
            ],
            environment: try Kerberos.shared.environment
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains(try sha256(bytes)), "\(result)")
    }

    @Test("A-04 the error without a ticket names the reason, with its own exit status")
    func noTicket() async throws {
        let result = try await FetchProcess(
            ["-q", "-O", "-", try Apache.shared.nameURL("/negotiate/hello.txt")],
            environment: try Kerberos.shared.environmentWithoutTicket
        ).run()
        #expect(result.status == 6, "\(result)")
        #expect(result.stdout.isEmpty)
    }
}
