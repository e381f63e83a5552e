import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("The choice of a proxy")
struct ProxyRulesTests {
    private func server(
        for target: String = "http://h.example/",
        environment: [String: String] = ["http_proxy": "env.example"],
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> ProxyServer? {
        let configuration = URLSessionConfiguration.ephemeral
        change(configuration)
        let rules = ProxyRules(configuration.settings, environment: { environment[$0] })
        return try rules.server(for: try #require(Origin(url(target))))
    }

    private static let dictionary: [String: any Sendable] = [
        kCFNetworkProxiesHTTPEnable: 1, kCFNetworkProxiesHTTPProxy: "dict.example",
    ]

    @Test("S-05 transport.proxy precedes the dictionary, and that the environment")
    func precedence() throws {
        #expect(try server()?.host == "env.example")
        #expect(
            try server { $0.connectionProxyDictionary = Self.dictionary }?.host == "dict.example"
        )
        #expect(try server { $0.connectionProxyDictionary = [:] } == nil)
        let named = try server {
            $0.connectionProxyDictionary = Self.dictionary
            $0.transport.proxy = .url("socks5h://named.example")
        }
        #expect(named?.url == "socks5h://named.example:1080")
        let none = try server {
            $0.connectionProxyDictionary = Self.dictionary
            $0.transport.proxy = .none
        }
        #expect(none == nil)
        #expect(try server { $0.transport.unixSocketPath = "/run/socket" } == nil)
    }

    @Test("a named proxy obeys no_proxy too, and the caller's list replaces it as a whole")
    func exceptions() throws {
        let environment = ["no_proxy": "h.example", "http_proxy": "env.example"]
        let name = { @Sendable (configuration: URLSessionConfiguration) in
            configuration.transport.proxy = .url("named.example")
        }
        #expect(try server(environment: environment) == nil)
        #expect(try server(environment: environment, name) == nil)
        #expect(try server(for: "http://k.example/", environment: environment, name) != nil)
        for list in ["", "k.example"] {
            let replaced = try server(environment: environment) {
                name($0)
                $0.transport.noProxy = list
            }
            #expect(replaced?.host == "named.example")
        }
    }

    @Test("a credential beside the URL replaces the one in it")
    func credential() throws {
        let server = try server {
            $0.transport.proxy = .url("http://old:pw@named.example:3128")
            $0.transport.proxyCredential = URLCredential(
                user: "new",
                password: "s3cret",
                persistence: .none
            )
        }
        #expect(server?.url == "http://named.example:3128")
        #expect(server?.user == "new")
        #expect(server?.password?.text == "s3cret")
    }

    @Test(
        "a malformed proxy is an error that names its source, and shows nothing of it",
        arguments: [
            "gopher://me:s3cret@p", "http://me:s3cret@", "http://me:s3cret@p/path",
            "http://me:s3cret@p\r\nX: y", "http://me:s3cret@p:99999", "http://me:s3cret@p h",
        ]
    )
    func unusable(text: String) {
        func error(_ body: () throws -> ProxyServer?) -> URLError? {
            do {
                _ = try body()
                return nil
            } catch {
                return error as? URLError
            }
        }
        let ofEnvironment = error { try server(environment: ["http_proxy": text]) }
        #expect(ofEnvironment?.code == .badURL)
        #expect(ofEnvironment?.description.contains("http_proxy") == true)
        let ofSettings = error { try server { $0.transport.proxy = .url(text) } }
        #expect(ofSettings?.code == .badURL)
        let ofDictionary = error {
            try server { $0.connectionProxyDictionary = ["Unknown": text] }
        }
        #expect(ofDictionary?.description.contains("Unknown") == true)
        for error in [ofEnvironment, ofSettings, ofDictionary] {
            #expect(error?.description.contains("s3cret") == false)
        }
    }
}
