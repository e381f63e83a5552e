import TestSupport
import Testing

@Suite
struct ApacheNegotiateTests {
    let apache: Apache
    let kerberos: Kerberos

    init() throws {
        apache = try Apache.shared
        kerberos = apache.kerberos
    }

    @Test(arguments: ["negotiate", "negotiate-or-basic"])
    func ticketIsAccepted(place: String) async throws {
        let query = "ticket-\(place)"
        for url in [
            apache.url("/\(place)/hello.txt?\(query)"),
            apache.nameURL("/\(place)/hello.txt?\(query)"),
        ] {
            let response = try await CurlResponse.get(
                "--negotiate",
                "--user",
                ":",
                url,
                environment: kerberos.environment
            )
            #expect(response.statuses.last == 200, "\(response)")
            #expect(response.heads.contains("WWW-Authenticate: Negotiate "), "\(response)")
        }
        let users = await apache.log.entries(waitingFor: 2) {
            $0.target.hasSuffix("?\(query)") && $0.status == 200
        }
        #expect(users.map(\.user) == [Kerberos.principal, Kerberos.principal])
    }

    @Test
    func refusesAUserWithoutATicket() async throws {
        let response = try await CurlResponse.get(
            "--negotiate",
            "--user",
            ":",
            apache.url("/negotiate/hello.txt"),
            environment: kerberos.environmentWithoutTicket
        )
        #expect(response.statuses == [401], "\(response)")
    }

    @Test
    func passwordIsAcceptedWhereOffered() async throws {
        let response = try await CurlResponse.get(
            "--basic",
            apache.url("/negotiate-or-basic/hello.txt"),
            user: .usual
        )
        #expect(response.statuses == [200], "\(response)")
    }
}
