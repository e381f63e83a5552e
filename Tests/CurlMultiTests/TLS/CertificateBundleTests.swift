import CSSL
import Glibc
import HTTPSemantics
import TestSupport
import Testing

@testable import CurlMulti

/// Compares each verdict with OpenSSL's after it has parsed the whole file.
@Suite("Certificate bundle", .timeLimit(.minutes(1)))
struct CertificateBundleTests {
    /// Root certificates that share names, keys, or both, and server certificates below them.
    private static let script = #"""
        cat >c.cnf <<'END'
        [ca]
        default_ca = test
        [test]
        database = index.txt
        serial = serial
        new_certs_dir = .
        default_md = sha256
        unique_subject = no
        policy = any
        [any]
        commonName = supplied
        organizationName = optional
        [req]
        distinguished_name = name
        string_mask = utf8only
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        subjectKeyIdentifier = hash
        [leaf]
        basicConstraints = CA:FALSE
        END
        sed 's/utf8only/nombstr/' c.cnf >p.cnf
        : >index.txt
        echo 1000 >serial
        # root NAME KEY SUBJECT [CONFIGURATION]
        root() {
            openssl req -x509 -new -utf8 -key "$2.key" -config "${4:-c.cnf}" \
                -extensions authority -days 3650 -subj "$3" -out "$1.pem"
        }
        # signed NAME KEY SUBJECT EXTENSIONS AUTHORITY ITS-KEY [DATES]
        signed() {
            name=$1 extensions=$4 authority=$5 signer=$6
            openssl req -new -utf8 -key "$2.key" -config c.cnf -subj "$3" -out request
            shift 6
            openssl ca -utf8 -preserveDN -batch -notext -config c.cnf -days 3000 \
                -extensions "$extensions" -cert "$authority.pem" -keyfile "$signer.key" "$@" \
                -in request -out "$name.pem"
        }
        for key in a b c i l; do
            openssl ecparam -name prime256v1 -genkey -noout -out $key.key
        done
        root old a '/CN=Renewed Root/O=Test'
        root new b '/CN=Renewed Root/O=Test'
        signed past b '/CN=Renewed Root/O=Test' authority new b \
            -startdate 200101000000Z -enddate 200201000000Z
        root other c '/CN=Other Root'
        root spaced c '/O=Größe  Ab/CN=Spaced  ROOT'
        root latin c '/O=größe AB/CN=SPACED ROOT' p.cnf
        root lower c '/O=größE ab /CN= spaced root '
        signed cross i '/CN=Crossed' authority other c
        root crossed i '/CN=Crossed'
        signed of-new l '/CN=new' leaf new b
        signed of-old l '/CN=old' leaf old a
        signed of-crossed l '/CN=crossed' leaf crossed i
        signed of-lower l '/CN=lower' leaf lower c
        mkdir folder
        cp new.pem other.pem folder
        openssl rehash folder
        """#

    private static let leaves = ["of-new", "of-old", "of-crossed", "of-lower", "other"]
    private static let shown: [[String]] = [[], ["cross"], ["crossed"], ["new", "lower"]]
    private static let bundles: [[String]] = [
        ["new"], ["old"], ["old", "new"], ["new", "old"], ["past", "new"], ["past"],
        ["old", "past", "new"], ["other"], ["cross"], ["crossed"], ["other", "cross", "crossed"],
        ["spaced"], ["latin"], ["lower", "spaced", "latin"], ["of-new"], ["new", "of-new", "new"],
        ["old", "other", "of-lower", "spaced"],
    ]

    /// The result of a verification.
    private struct Verdict: Equatable {
        let isTrusted: Bool
        let error: Int32
        let depth: Int32
        let chain: [[UInt8]]
    }

    private static func certificates(_ stack: OpaquePointer?) -> [[UInt8]] {
        (0..<max(0, stack.map { shim_certificate_count($0) } ?? 0)).compactMap { index in
            shim_certificate(stack, index).flatMap { one in
                Handshake.bytes { i2d_X509(one, $0) }
            }
        }
    }

    private static func verdict(
        on leaf: [UInt8],
        shown: OpaquePointer?,
        _ store: OpaquePointer?
    ) -> Verdict? {
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
        let certificate = leaf.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        let context = X509_STORE_CTX_new()
        defer {
            X509_STORE_CTX_free(context)
            X509_free(certificate)
        }
        guard X509_STORE_CTX_init(context, store, certificate, shown) == 1 else { return nil }
        let isTrusted = X509_verify_cert(context) == 1
        return Verdict(
            isTrusted: isTrusted,
            error: X509_STORE_CTX_get_error(context),
            depth: X509_STORE_CTX_get_error_depth(context),
            chain: certificates(X509_STORE_CTX_get0_chain(context))
        )
    }

    /// The certificates of a file as OpenSSL parses them; `nil` where it refuses the file.
    private static func whole(_ path: String) -> [[UInt8]]? {
        let store = X509_STORE_new()
        defer { X509_STORE_free(store) }
        guard X509_STORE_load_file(store, path) == 1 else { return nil }
        let stack = X509_STORE_get1_all_certs(store)
        defer { free(stack) }
        return certificates(stack)
    }

    private static func free(_ stack: OpaquePointer?) {
        OPENSSL_sk_pop_free(stack) { X509_free(OpaquePointer($0)) }
    }

    private static func authorities() throws -> (String, String) {
        let folder = try Certificates.shared.folder
        return (
            try #require(folder.readText("authority.pem")),
            try #require(folder.readText("other-authority.pem"))
        )
    }

    @Test(
        "the bundle gives the same verdict and chain as the whole file",
        arguments: [false, true]
    )
    func verdicts(besideFolder: Bool) async throws {
        let folder = try TemporaryFolder("bundle")
        let made = try await FetchProcess.shell("cd \"$1\" && set -e\n" + Self.script, folder.path)
        try #require(made.status == 0, "\(made)")
        let beside = besideFolder ? folder.path("folder") : nil
        func text(_ names: [String]) -> String {
            names.map { folder.readText("\($0).pem") ?? "" }.joined(separator: "# text\n")
        }
        var trusted = 0
        for names in Self.bundles {
            let path = try folder.write(text(names), to: "bundle.pem")
            let bundle = try #require(CertificateBundle(path: path), "\(names)")
            #expect(bundle.count == names.count)
            for leaf in Self.leaves {
                let der = try #require(Self.whole(folder.path("\(leaf).pem"))?.first)
                for others in Self.shown {
                    let shown = X509_STORE_new()
                    for name in others { X509_STORE_load_file(shown, folder.path("\(name).pem")) }
                    let whole = X509_STORE_new()
                    X509_STORE_load_file(whole, path)
                    if let beside { X509_STORE_load_path(whole, beside) }
                    let context = try #require(SSL_CTX_new(TLS_client_method()))
                    defer {
                        SSL_CTX_free(context)
                        X509_STORE_free(whole)
                        X509_STORE_free(shown)
                    }
                    #expect(bundle.attach(to: context, beside: beside))
                    let stack = X509_STORE_get1_all_certs(shown)
                    defer { Self.free(stack) }
                    let wanted = Self.verdict(on: der, shown: stack, whole)
                    let found = Self.verdict(on: der, shown: stack, SSL_CTX_get_cert_store(context))
                    #expect(found == wanted, "\(leaf) by \(names), shown with \(others)")
                    trusted += found?.isTrusted == true ? 1 : 0
                }
            }
        }
        #expect(trusted > 50)
    }

    /// Templates of files with two authorities, `<1>` and `<2>`, and whether the bundle accepts the file.
    private static let files: [(String, Bool)] = [
        ("<1><2>", true), ("CRLF<1><2>", true), ("<1><1>", true),
        ("# text\n<1>Subject: CN=x\n\n<2>", true),
        ("", false), ("# nothing\n", false), ("<1>\0<2>", false), ("\u{FEFF}<1>", false),
        ("<1>-----BEGIN TRUSTED CERTIFICATE-----\nAAAA\n", false),
        ("<1>-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n", false),
        ("<1>-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", false),
        ("<1>-----BEGIN CERTIFICATE-----\n", false), ("-----END CERTIFICATE-----\n<1>", false),
        ("<1>" + String(repeating: "x", count: 300) + "\n<2>", false),
    ]

    @Test("the bundle leaves a file with anything but certificates to OpenSSL", arguments: files)
    func plain(template: String, isPlain: Bool) throws {
        let (one, two) = try Self.authorities()
        var text = template.replacing("<1>", with: one).replacing("<2>", with: two)
        if text.hasPrefix("CRLF") { text = String(text.dropFirst(4)).replacing("\n", with: "\r\n") }
        let folder = try TemporaryFolder("bundle")
        let path = try folder.write(text, to: "bundle.pem")
        #expect((CertificateBundle(path: path) != nil) == isPlain)
        if isPlain { #expect(Self.whole(path) != nil) }
    }

    @Test(
        "the bundle reads base64 in lines of any length as OpenSSL does",
        arguments: [1, 3, 63, 65, 250]
    )
    func lineLength(length: Int) throws {
        let (text, _) = try Self.authorities()
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        var rest = lines.joined()[...]
        var block = "-----BEGIN CERTIFICATE-----\n"
        while !rest.isEmpty {
            block += rest.prefix(length) + "\n"
            rest = rest.dropFirst(length)
        }
        block += "-----END CERTIFICATE-----\n"
        let folder = try TemporaryFolder("bundle")
        let path = try folder.write(block, to: "bundle.pem")
        #expect(CertificateBundle(path: path)?.count == Self.whole(path)?.count)
    }

    @Test("OpenSSL accepts every mutated file that the bundle accepts")
    func mutated() throws {
        let (one, two) = try Self.authorities()
        let start = Array((one + two).utf8)
        let folder = try TemporaryFolder("bundle")
        var numbers = PseudoRandom(seed: 7)
        let letters = Array("ABCDabcd0189+/=\n\r -:".utf8)
        var taken = 0
        for _ in 0..<4_000 {
            var text = start
            let place = Int.random(in: 0..<text.count, using: &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: text[place] = UInt8.random(in: 0...255, using: &numbers)
            case 1: text.remove(at: place)
            case 2: text.insert(letters.randomElement(using: &numbers) ?? 0, at: place)
            default: text[place] = letters.randomElement(using: &numbers) ?? 0
            }
            guard let bundle = CertificateBundle(path: "bundle", text) else { continue }
            taken += 1
            let path = try folder.write(text, to: "bundle.pem")
            #expect(Self.whole(path)?.count == bundle.count, "\(text)")
        }
        #expect(taken > 50)
    }

    @Test(
        "the loop reads a changed bundle again beside a folder, and keeps a bundle alone for a day"
    )
    func changed() throws {
        let folder = try TemporaryFolder("bundle")
        let (one, two) = try Self.authorities()
        var request = TransferRequest(url: "https://localhost/")
        let file = try folder.write(one, to: "bundle.pem")
        request.tls.certificateAuthorityFile = file
        var alone = CertificateBundles()
        var beside = CertificateBundles()
        func counts() -> [Int?] {
            request.tls.certificateAuthorityFolder = nil
            let first = alone.bundle(for: request, .now)?.count
            request.tls.certificateAuthorityFolder = folder.path
            return [first, beside.bundle(for: request, .now)?.count]
        }
        #expect(counts() == [1, 1])
        try folder.write(one + two, to: "bundle.pem")
        #expect(counts() == [1, 2])
        unlink(file)
        #expect(counts() == [1, nil])
        // Without verification the loop reads no file.
        request.url = "http://localhost/"
        #expect(alone.bundle(for: request, .now) == nil)
    }

    @Test("a file that is no bundle is left to libcurl, which reports its own error")
    func missing() throws {
        let folder = try TemporaryFolder("bundle")
        #expect(CertificateBundle(path: folder.path("missing.pem")) == nil)
        #expect(CertificateBundle(path: folder.path) == nil)
        #expect(CertificateBundle(path: "") == nil)
        let (text, _) = try Self.authorities()
        #expect(CertificateBundle(path: try folder.write(text, to: "a:b.pem")) == nil)
    }
}
