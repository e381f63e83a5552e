import TestSupport
import Testing

@Suite
struct KerberosTests {
    let kerberos: Kerberos

    init() throws {
        kerberos = try Kerberos.shared
    }

    @Test
    func userHasATicket() async throws {
        let result = try await FetchProcess.shell(
            "klist && kvno HTTP/localhost HTTP/127.0.0.1",
            environment: kerberos.environment
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("Default principal: \(Kerberos.principal)\n"))
    }

    @Test
    func userKnowsThePassword() async throws {
        func initialize(_ password: String) async throws -> ProcessResult {
            try await FetchProcess.shell(
                #"KRB5CCNAME=FILE:$HOME/tickets; export KRB5CCNAME; kinit "$1" && klist"#,
                Kerberos.principal,
                environment: kerberos.environment,
                input: .text("\(password)\n")
            )
        }
        let right = try await initialize(TestUser.usual.password)
        #expect(right.stdoutText.contains("krbtgt/\(Kerberos.realm)@"), "\(right)")
        let wrong = try await initialize("wrong")
        #expect(wrong.stderr.contains("Password incorrect"), "\(wrong)")
    }

    @Test
    func withoutALoginThereIsNoTicket() async throws {
        let result = try await FetchProcess.shell(
            "klist",
            environment: kerberos.environmentWithoutTicket
        )
        #expect(result.status == 1)
    }
}
