import Foundation
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("The realm of a user's Kerberos tickets")
struct KerberosRealmTests {
    private func configuration(_ text: String) -> KerberosConfiguration {
        var configuration = KerberosConfiguration()
        configuration.read(Array(text.utf8))
        return configuration
    }

    @Test("files are read in a bounded number, and others than regular ones are not")
    func bounds() throws {
        let folder = try TemporaryFolder("kerberos")
        let fifo = folder.path("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        #expect(KerberosConfiguration.content(of: fifo) == nil)
        #expect(KerberosConfiguration.content(of: "/dev/zero") == nil)
        let own = folder.path("krb5.conf")
        let lines = String(repeating: "include \(own)\n", count: 50)
        try folder.write(lines + "[libdefaults]\ndefault_realm = R\n", to: "krb5.conf")
        // Without a bound there would be 50 to the power of 7 files.
        var configuration = KerberosConfiguration()
        configuration.read(fileAt: own, depth: 0)
        #expect(configuration.defaultRealm == Array("R".utf8))
    }

    private static let file = """
        # A comment, and [libdefaults] in it
        [realms]
        OTHER.ORG = {
            kdc = other.org
            default_realm = NOT.THIS
        }
        [libdefaults]
            default_realm = "EXAMPLE.ORG"
            default_realm = SECOND.ORG
        [domain_realm]
            .intra.net = EXAMPLE.ORG
            alone.net = EXAMPLE.ORG
            .lab.example.org = OTHER.ORG
            WWW.Lab.example.org = EXAMPLE.ORG
        [appdefaults]
            .evil.net = EXAMPLE.ORG

        """

    @Test(
        "the realm covers a host by its name, unless the configuration maps the host",
        arguments: [
            ("example.org", true), ("www.example.org", true), ("WWW.Example.Org.", true),
            ("badexample.org", false), ("example.org.evil.net", false), ("org", false),
            ("a.intra.net", true), ("intra.net", false), ("alone.net", true),
            ("x.alone.net", true), ("a.lab.example.org", false), ("www.lab.example.org", true),
            ("lab.example.org", true), ("x.evil.net", false), ("127.0.0.1", false), ("::1", false),
            ("", false), (".", false), ("..", false), (".example.org", false),
            ("e\u{301}.example.org", true), ("example.org\u{301}", false),
        ]
    )
    func hosts(host: String, isCovered: Bool) throws {
        let realm = try #require(KerberosRealm(ticket: nil, configuration(Self.file)))
        #expect(realm.covers(host) == isCovered)
    }

    @Test("the ticket's realm counts before the default realm; without both there is none")
    func ticket() throws {
        let realm = try #require(
            KerberosRealm(ticket: Array("OTHER.ORG".utf8), configuration(Self.file))
        )
        #expect(realm.covers("a.lab.example.org"))
        #expect(realm.covers("www.other.org"))
        #expect(!realm.covers("www.example.org"))
        #expect(KerberosRealm(ticket: nil, configuration("[libdefaults]\n")) == nil)
        #expect(KerberosRealm(ticket: [], configuration(Self.file)) == nil)
    }

    @Test(
        "a malformed configuration has no realm",
        arguments: [
            "", "=", "[", "]", "[]\n=\n", "}\n}\n[libdefaults]\ndefault_realm", "{{{", "include",
            "[libdefaults]\ndefault_realm =", "[libdefaults\ndefault_realm = {", "include \n",
            "[libdefaults]\ndefault_realm = \"", "\u{0}\u{0}",
        ]
    )
    func strange(text: String) {
        #expect(configuration(text).defaultRealm?.isEmpty != true)
    }

    @Test("the realm of a ticket cache is read, and a truncated cache gives none")
    func cache() throws {
        let realm = Array("TEST.FETCH".utf8)
        let head: [UInt8] = [5, 4, 0, 4, 1, 2, 3, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 10]
        let whole = head + realm + [0, 0, 0, 4] + Array("name".utf8)
        #expect(KerberosTickets.realm(inCache: whole[...]) == realm)
        #expect(KerberosTickets.realm(inCache: ([5, 3] + whole[8...])[...]) == realm)
        for count in 0..<(head.count + realm.count) {
            #expect(KerberosTickets.realm(inCache: whole[..<count]) == nil, "\(count)")
        }
        for (place, byte) in [(0, 4), (1, 9), (2, 255), (16, 255), (19, 0)] as [(Int, UInt8)] {
            var wrong = whole
            wrong[place] = byte
            #expect(KerberosTickets.realm(inCache: wrong[...]) == nil, "\(place)")
        }
    }

    @Test(
        "named hosts and domains count, whatever the realm is",
        arguments: [
            ("www.example.com", true), ("WWW.EXAMPLE.COM.", true), ("a.www.example.com", false),
            ("a.example.net", true), ("example.net", false), ("badexample.net", false),
        ]
    )
    func named(host: String, isNamed: Bool) {
        var use = URLSessionConfiguration.TicketUse()
        use.includesOwnRealm = false
        use.hosts = ["www.Example.com", ".example.net"]
        let asked = Mutex(0)
        let policy = TicketPolicy(
            use: use,
            realm: {
                asked.withLock { $0 += 1 }
                return nil
            },
            mayHaveTicket: { true }
        )
        let space = URLProtectionSpace(
            host: host,
            port: 80,
            protocol: "http",
            realm: nil,
            authenticationMethod: NSURLAuthenticationMethodNegotiate
        )
        #expect(policy.shows(to: space) == isNamed)
        #expect(asked.withLock { $0 } == 0)
        #expect(!TicketPolicy(use: use, mayHaveTicket: { false }).shows(to: space))
    }
}
