import Testing

@testable import URLLoading

@Suite("Hosts without a proxy")
struct NoProxyListTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let list: String
        let host: String
        let port: Int
        let isListed: Bool

        init(_ list: String, _ host: String, _ isListed: Bool, port: Int = 80) {
            self.list = list
            self.host = host
            self.port = port
            self.isListed = isListed
        }

        var testDescription: String { "\(list): \(host):\(port)" }
    }

    static let names = [
        Case("", "h.example", false), Case(" , ,", "h.example", false),
        Case("*", "h.example", true), Case("*", "192.0.2.1", true), Case("*", "[::1]", true),
        Case("a, *", "h.example", true),
        Case("h.example", "h.example", true), Case("h.example", "H.EXAMPLE", true),
        Case("H.Example", "h.example", true), Case("h.example", "h.example.", true),
        Case("h.example.", "h.example", true),
        Case("h.example", "a.h.example", true), Case("h.example", "a.b.h.example", true),
        Case(".h.example", "h.example", true), Case(".h.example", "a.h.example", true),
        Case("*.h.example", "a.h.example", true), Case("..h.example", "a.h.example", true),
        Case("h.example", "noth.example", false), Case("h.example", "h.example.evil", false),
        Case("a.h.example", "h.example", false), Case("example", "h.example", true),
        Case("xample", "h.example", false), Case(".", "h.example", false),
        Case("*h.example", "noth.example", false), Case("h.*", "h.example", false),
        Case("müller.example", "xn--mller-kva.example", true),
        Case("xn--mller-kva.example", "a.Müller.example", true),
        // Separators.
        Case("a,b,h.example", "h.example", true), Case("a b  h.example", "h.example", true),
        Case(" a ,\th.example , b", "h.example", true), Case("a;h.example", "h.example", false),
        Case("a,,h.example", "h.example", true),
    ]

    static let ports = [
        Case("h.example:80", "h.example", true), Case("h.example:81", "h.example", false),
        Case(".h.example:80", "a.h.example", true), Case("h.example:", "h.example", false),
        Case("h.example:x", "h.example", false), Case("h.example:99999", "h.example", false),
        Case("h.example:080", "h.example", true), Case("*:8080", "h.example", false),
        Case("*:80", "h.example", true),
        Case("192.0.2.1:8080", "192.0.2.1", true, port: 8_080),
        Case("192.0.2.1:8080", "192.0.2.1", false),
        Case("[2001:db8::1]:8080", "[2001:db8::1]", true, port: 8_080),
        Case("[2001:db8::1]:8080", "[2001:db8::1]", false),
    ]

    static let addresses = [
        Case("192.0.2.1", "192.0.2.1", true), Case("192.0.2.1", "192.0.2.10", false),
        Case("192.0.2", "192.0.2.1", false), Case("0.2.1", "192.0.2.1", false),
        Case(".2.1", "192.0.2.1", false),
        Case("10.0.0.0/8", "10.1.2.3", true), Case("10.0.0.0/8", "11.1.2.3", false),
        Case("10.9.9.9/8", "10.1.2.3", true), Case("192.168.0.0/22", "192.168.3.255", true),
        Case("192.168.0.0/22", "192.168.4.0", false), Case("192.0.2.1/32", "192.0.2.1", true),
        Case("192.0.2.1/32", "192.0.2.2", false), Case("192.0.2.0/31", "192.0.2.1", true),
        Case("0.0.0.0/0", "192.0.2.1", true), Case("0.0.0.0/0", "[::1]", false),
        Case("0.0.0.0/0", "h.example", false), Case("10.0.0.0/33", "10.0.0.0", false),
        Case("10.0.0.0/", "10.0.0.0", false), Case("10.0.0.0/-1", "10.0.0.0", false),
        Case("10.0.0.0/8x", "10.0.0.0", false), Case("10.0.0.0/+8", "10.0.0.0", false),
        Case("10/8", "10.0.0.0", false), Case("10.0.0.0/8", "10.example", false),
        Case("10.0.0.0/8", "10.0.0.0.example", false),
        // However a URL spells the address.
        Case("127.0.0.1", "127.1", true), Case("127.0.0.1", "2130706433", true),
        Case("127.0.0.1", "0x7f.1", true), Case("10.0.0.0/8", "0x0a.1.2.3", true),
        Case("2001:db8::1", "[2001:db8::1]", true), Case("[2001:db8::1]", "2001:db8::1", true),
        Case("2001:DB8:0::0:1", "[2001:db8::1]", true), Case("2001:db8::1", "[::1]", false),
        Case("2001:db8::/32", "[2001:db8:1::1]", true),
        Case("[2001:db8::]/32", "[2001:db8::1]", true),
        Case("2001:db8::/33", "[2001:db8:8000::1]", false), Case("fe80::/10", "[febf::1]", true),
        Case("fe80::/10", "[fec0::1]", false), Case("fe80::1", "[fe80::1%25eth0]", true),
        Case("::/0", "[2001:db8::1]", true), Case("::/0", "192.0.2.1", false),
        Case("192.0.2.0/24", "[::ffff:192.0.2.7]", true), Case("[::1", "[::1]", false),
        Case("::1/129", "[::1]", false),
    ]

    static let local = [
        Case("localhost", "localhost", true), Case("localhost", "127.0.0.1", true),
        Case("localhost", "127.9.9.9", true), Case("localhost", "[::1]", true),
        Case("localhost", "LocalHost.", true), Case("localhost", "a.localhost", true),
        Case(".localhost", "localhost", true), Case("127.0.0.1", "localhost", true),
        Case("127.0.0.0/8", "localhost", true), Case("::1", "localhost", true),
        Case("::1", "a.localhost", true), Case("localhost:80", "127.0.0.1", true),
        Case("localhost:81", "127.0.0.1", false), Case("localhost", "notlocalhost", false),
        Case("localhost", "localhost.example", false), Case("localhost", "128.0.0.1", false),
        Case("localhost", "0.0.0.0", false), Case("192.0.2.1", "localhost", false),
        // Nothing on this machine is exempt unless the list names it, as with curl and wget.
        Case("", "localhost", false), Case("h.example", "127.0.0.1", false),
    ]

    @Test("the list matches names and all names below them", arguments: names)
    func byName(_ entry: Case) { expect(entry) }

    @Test("the list matches ports", arguments: ports)
    func byPort(_ entry: Case) { expect(entry) }

    @Test("the list matches addresses and their first bits", arguments: addresses)
    func byAddress(_ entry: Case) { expect(entry) }

    @Test("the list matches this machine only where it names it", arguments: local)
    func byMachine(_ entry: Case) { expect(entry) }

    private func expect(_ entry: Case) {
        let list = NoProxyList(entry.list)
        #expect(list.contains(host: entry.host, port: entry.port) == entry.isListed)
    }

    @Test("a list without entries is empty")
    func empty() {
        #expect(NoProxyList(" ,, 10.0.0.0/99 [::1").isEmpty)
    }
}
