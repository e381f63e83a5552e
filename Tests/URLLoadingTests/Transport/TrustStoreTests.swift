import TestSupport
import Testing

@testable import URLLoading

@Suite("Trust store")
struct TrustStoreTests {
    private func store(
        file: String? = nil,
        folder: String? = nil,
        environment: [String: String] = [:],
        isHashed: Bool = true
    ) -> TrustStore {
        var trust = URLSessionConfiguration.ServerTrust()
        trust.certificateAuthorityFile = file
        trust.certificateAuthorityFolder = folder
        return TrustStore(trust, environment: { environment[$0] }, isHashed: { _ in isHashed })
    }

    @Test("S-05 the configuration's store precedes the environment's, and that the system's")
    func order() {
        let environment = ["SSL_CERT_FILE": "/e/file", "SSL_CERT_DIR": "/e/dir"]
        let named = store(file: "/c", environment: environment)
        #expect(named.file == "/c" && named.folder == nil)
        let folder = store(folder: "/d", environment: environment)
        #expect(folder.file == nil && folder.folder == "/d")
        let inherited = store(environment: environment)
        #expect(inherited.file == "/e/file" && inherited.folder == "/e/dir")
        let curls = store(environment: environment.merging(["CURL_CA_BUNDLE": "/b"]) { $1 })
        #expect(curls.file == "/b" && curls.folder == nil)
        let empty = store(environment: environment.merging(["CURL_CA_BUNDLE": ""]) { $1 })
        #expect(empty.file == "/e/file")
        let system = store()
        #expect(system.file == nil && system.folder == TrustStore.systemFolder)
        let bundle = store(isHashed: false)
        #expect(bundle.file == TrustStore.systemFile && bundle.folder == nil)
    }

    @Test("S-05 the store recognizes a hashed folder by its names")
    func hashed() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("x", to: "authority.pem")
        _ = try folder.write("x", to: "0a1b2c3g.0")
        #expect(!TrustStore.isHashed(folder.path))
        _ = try folder.write("x", to: "0a1b2c3d.0")
        #expect(TrustStore.isHashed(folder.path))
        #expect(!TrustStore.isHashed(folder.path("missing")))
        #expect(TrustStore.isHashed(try Certificates.shared.authorityFolder))
    }
}
