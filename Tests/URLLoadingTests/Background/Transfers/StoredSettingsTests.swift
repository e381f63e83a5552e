import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Stored settings of background sessions")
struct StoredSettingsTests {
    /// Settings that can be stored, with no default values.
    private func settings() -> SessionSettings {
        let configuration = URLSessionConfiguration.background(withIdentifier: "x")
        configuration.timeoutIntervalForRequest = 7.5
        configuration.httpMaximumConnectionsPerHost = 3
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        configuration.tlsMaximumSupportedProtocolVersion = .TLSv13
        configuration.httpCookieAcceptPolicy = .always
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.connectionProxyDictionary = [
            kCFNetworkProxiesHTTPEnable: true, kCFNetworkProxiesHTTPProxy: "proxy",
            kCFNetworkProxiesHTTPPort: 3_128, kCFNetworkProxiesExceptionsList: ["a", "b"],
        ]
        configuration.background.maximumTries = 4
        configuration.background.netrcFile = "/netrc"
        configuration.transport = transport()
        return configuration.settings
    }

    private func transport() -> URLSessionConfiguration.TransportOptions {
        var options = URLSessionConfiguration.TransportOptions()
        options.httpVersion = .http1
        options.connectTimeout = 2.5
        options.addressFamily = .ipv6
        options.interface = "lo"
        options.resolve = ["h:1:127.0.0.1"]
        options.unixSocketPath = "/socket"
        options.proxy = .url("http://proxy:1")
        options.noProxy = "*"
        options.proxyCredential = URLCredential(
            user: "name",
            password: "",
            persistence: .forSession
        )
        options.tunnelsThroughProxy = true
        options.maximumBytesPerSecond = 10
        options.maximumStreamsPerDownload = 3
        options.fileSynchronization = .each
        options.maximumBodyBytes = 11
        options.checksDigestFields = false
        options.trust.certificateAuthorityFile = "/ca"
        options.trust.certificateAuthorityFolder = "/cas"
        options.trust.revocationListFile = "/crl"
        options.trust.pinnedPublicKey = "sha256//AAAA"
        options.trust.verifiesServer = false
        options.strictTransportSecurity = .file("/hsts")
        options.ciphers = "HIGH"
        options.clientCertificate = .init(file: "/cert", format: .der, keyFile: "/key")
        options.maximumRedirects = 5
        options.deliversNonHTTPRedirects = true
        options.addsStoredCookies = true
        options.redirectsKeepingPost = [302]
        options.keepsDotSegments = true
        options.expectsChallenges = true
        options.ticketUse.includesOwnRealm = false
        options.ticketUse.hosts = [".example.com"]
        options.secretHeaders = ["X-Secret"]
        options.temporaryFolder = "/tmp"
        options.contentDecoding = .never
        options.omittedDefaultHeaders = ["Accept"]
        return options
    }

    /// A stored member of any type.
    private struct Member: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// All members and their members as texts.
    ///
    /// Secrets and objects must be compared separately.
    private func members(_ value: Any, _ path: String = "") -> [String: String] {
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty, mirror.displayStyle != .class else {
            return [path: "\(value)"]
        }
        var all: [String: String] = [:]
        for (index, child) in mirror.children.enumerated() {
            all.merge(members(child.value, "\(path).\(child.label ?? "\(index)")")) { $1 }
        }
        return all
    }

    @Test("settings are the same after they were stored and read")
    func roundTrip() throws {
        let settings = settings()
        let restored = try #require(SessionSettings(stored: settings.stored))
        let (before, after) = (members(settings.transport), members(restored.transport))
        for (name, value) in before { #expect(after[name] == value, "\(name)") }
        #expect(restored.transport.proxyCredential?.user == "name")
        #expect(restored.timeoutForRequest == 7.5)
        #expect(restored.maximumConnectionsPerHost == 3)
        #expect(restored.tlsMinimum == .TLSv12 && restored.tlsMaximum == .TLSv13)
        #expect(restored.cookies.policy == .always && !restored.cookies.areSent)
        #expect(restored.cookies.storage === HTTPCookieStorage.shared)
        #expect(restored.credentialStorage == nil && restored.urlCache == nil)
        #expect(restored.requestCachePolicy == .reloadIgnoringLocalCacheData)
        #expect(restored.background.maximumTries == 4)
        #expect(restored.background.netrcFile == "/netrc")
        let proxies = try #require(restored.proxyDictionary)
        #expect(proxies[kCFNetworkProxiesHTTPEnable] as? Bool == true)
        #expect(proxies[kCFNetworkProxiesHTTPProxy] as? String == "proxy")
        #expect(proxies[kCFNetworkProxiesHTTPPort] as? Int == 3_128)
        #expect(proxies[kCFNetworkProxiesExceptionsList] as? [String] == ["a", "b"])
        #expect(settings.storingBlockers == [])
        #expect(restored.stored == settings.stored)
    }

    @Test("default settings are stored as none, and malformed settings are refused")
    func defaults() throws {
        let plain = URLSessionConfiguration.background(withIdentifier: "x").settings
        let asked = #""asksAboutConnections":true,"asksAboutTrustedServers":true"#
        let rest = #""cookies":{"shared":{}},"hasNoCache":true,"transport":{}"#
        #expect(plain.stored == "{\(asked),\(rest)}")
        let restored = try #require(SessionSettings(stored: plain.stored))
        #expect(restored.credentialStorage === URLCredentialStorage.shared)
        #expect(members(restored.transport) == members(plain.transport))
        #expect(restored.stored == plain.stored)
        #expect(SessionSettings(stored: "") == nil)
        #expect(SessionSettings(stored: #"{"transport":{"httpVersion":"4"}}"#) == nil)
        var endless = plain
        endless.timeoutForRequest = .infinity
        #expect(SessionSettings(stored: endless.stored)?.timeoutForRequest == 0)
    }

    @Test("each transport option is stored, or omitted for a reason")
    func members() throws {
        // A secret, and a value that only the transfer process sets.
        let leftOut: Set = ["clientKeySecret", "keepsChecksums"]
        func names(_ value: Any) -> Set<String> {
            Set(Mirror(reflecting: value).children.compactMap(\.label))
        }
        func stored(_ value: some Encodable) throws -> Set<String> {
            let data = try JSONEncoder().encode(value)
            return Set(try JSONDecoder().decode([String: Member].self, from: data).keys)
        }
        var options = transport()
        options.connectTo = ["a:1:b:2"]
        options.minimumRate = .init(bytesPerSecond: 1, time: .seconds(1))
        options.collectsMetrics = false
        options.recordsHeads = true
        options.tracesTransfers = true
        // Two members keep the stored name that they had in an earlier version.
        let storedNames = [
            "deliversNonHTTPRedirects": "acceptsOddRedirects", "minimumRate": "leastRate",
        ]
        let expected = Set(names(options).map { storedNames[$0] ?? $0 })
        #expect(try expected == stored(options).union(leftOut))
        #expect(try names(options.trust) == stored(options.trust))
        #expect(try names(options.ticketUse) == stored(options.ticketUse))
        let certificate = try #require(options.clientCertificate)
        #expect(try names(certificate) == stored(certificate))
        // The command and the jobs are in the session's own record, and attaching is not a setting.
        let background = names(URLSessionConfiguration.BackgroundOptions())
        let others: Set = ["completionCommand", "sendsLaunchEvents", "watches", "seen", "jobs"]
        let written: Set = [
            "maximumTries", "netrcFile", "cookieFile", "asksAboutConnections",
            "asksAboutTrustedServers",
        ]
        #expect(background == others.union(written))
        // A new member must be stored too, or left out for a reason.
        #expect(Mirror(reflecting: SessionSettings(kind: .default)).children.count == 23)
    }

    @Test("A-01 a program's delegate is called about each server by default")
    func trustQuestions() throws {
        let configuration = URLSessionConfiguration.background(withIdentifier: "x")
        let asking = try #require(SessionSettings(stored: configuration.settings.stored))
        #expect(asking.background.asksAboutConnections)
        #expect(asking.background.asksAboutTrustedServers)
        configuration.background.asksAboutTrustedServers = false
        let trusting = try #require(SessionSettings(stored: configuration.settings.stored))
        #expect(trusting.background.asksAboutConnections)
        #expect(!trusting.background.asksAboutTrustedServers)
        // Settings from an earlier version.
        let earlier = try #require(SessionSettings(stored: #"{"transport":{}}"#))
        #expect(!earlier.background.asksAboutConnections)
        #expect(!earlier.background.asksAboutTrustedServers)
    }

    @Test("an earlier version's settings are read")
    func earlier() throws {
        let text = #"""
            {"cookies":{"file":{"isRead":true,"keepsSessionCookies":false,\#
            "path":"/c"}},"hasNoCache":true,"idleTimeout":7500000,"proxies":{"a":{"flag":{"_0":true}}},\#
            "requestCachePolicy":1,"tlsMinimum":771,"transport":{"clientCertificate":{"file":"/cert",\#
            "format":"DER"},"collectsMetrics":false,"connectTimeout":2500000,"contentDecoding":"never","httpVersion":"1.1",\#
            "proxy":"","proxyCredential":"name","redirectsKeepingPost":[302],"streamLimit":3,\#
            "strictTransportSecurity":"/hsts","ticketUse":{"hosts":["a"],"includesOwnRealm":false},\#
            "trust":{"verifiesServer":false}}}
            """#
        let settings = try #require(SessionSettings(stored: text))
        let options = settings.transport
        #expect(settings.timeoutForRequest == 7.5 && options.connectTimeout == 2.5)
        #expect(settings.urlCache == nil && settings.credentialStorage != nil)
        #expect(settings.requestCachePolicy == .reloadIgnoringLocalCacheData)
        #expect(settings.tlsMinimum == .TLSv12 && options.httpVersion == .http1)
        #expect(settings.proxyDictionary?["a"] as? Bool == true)
        #expect(!options.collectsMetrics && options.contentDecoding == .never)
        #expect(options.proxy == .none && options.proxyCredential?.user == "name")
        #expect(options.redirectsKeepingPost == [302] && options.maximumStreamsPerDownload == 3)
        #expect(options.strictTransportSecurity == .file("/hsts"))
        #expect(options.ticketUse.hosts == ["a"] && !options.ticketUse.includesOwnRealm)
        #expect(!options.trust.verifiesServer && options.trust.certificateAuthorityFile == nil)
        #expect(options.clientCertificate == .init(file: "/cert", format: .der))
        guard case .file(let file, true, false)? = settings.cookies.storage?.place else {
            Issue.record("its cookies are in a file")
            return
        }
        #expect(file.path == "/c")
    }

    @Test("stored paths are absolute")
    func paths() throws {
        let folder = FileManager.default.currentDirectoryPath
        let configuration = URLSessionConfiguration.background(withIdentifier: "x")
        configuration.transport.trust.certificateAuthorityFile = "ca.pem"
        configuration.transport.trust.pinnedPublicKey = "key.pem"
        configuration.transport.strictTransportSecurity = .file("hsts")
        configuration.transport.clientCertificate = .init(file: "cert.pem", keyFile: "key.pem")
        configuration.background.netrcFile = "netrc"
        configuration.httpCookieStorage = HTTPCookieStorage(
            path: "cookies",
            isRead: true,
            keepsSessionCookies: true
        )
        let restored = try #require(SessionSettings(stored: configuration.settings.stored))
        let trust = restored.transport.trust
        #expect(trust.certificateAuthorityFile == "\(folder)/ca.pem")
        #expect(trust.pinnedPublicKey == "\(folder)/key.pem")
        #expect(restored.transport.strictTransportSecurity == .file("\(folder)/hsts"))
        #expect(restored.transport.clientCertificate?.keyFile == "\(folder)/key.pem")
        #expect(restored.background.netrcFile == "\(folder)/netrc")
        guard case .file(let file, true, true)? = restored.cookies.storage?.place else {
            Issue.record("its cookies are in a file")
            return
        }
        #expect(file.path == "\(folder)/cookies")
    }

    @Test("a setting that cannot be stored is an error, and no secret is stored")
    func blockers() {
        let configuration = URLSessionConfiguration.background(withIdentifier: "x")
        configuration.transport.clientKeyPassword = "hidden"
        configuration.transport.proxyCredential = URLCredential(
            user: "name",
            password: "hidden",
            persistence: .forSession
        )
        let cookies = HTTPCookieStorage()
        configuration.httpCookieStorage = cookies
        #expect(SessionSettings(stored: configuration.settings.stored) != nil)
        #expect(!configuration.settings.storingBlockers.contains { $0.contains("cookies") })
        cookies.add(CookieFile.read(Data("h\tFALSE\t/\tFALSE\t0\ta\tb\n".utf8)).cookies)
        configuration.urlCredentialStorage = URLCredentialStorage()
        configuration.connectionProxyDictionary = [kCFNetworkProxiesHTTPPort: 1.5]
        #expect(configuration.settings.storingBlockers.count == 5)
        #expect(!configuration.settings.stored.contains("hidden"))
    }
}
