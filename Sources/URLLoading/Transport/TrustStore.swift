import CurlMulti
import FoundationEssentials
import Glibc

/// The location of a session's trusted certificates.
///
/// In this order: the configuration's, `CURL_CA_BUNDLE`, as with curl, `SSL_CERT_FILE` and
/// `SSL_CERT_DIR`, and the system's. The system's is a folder with hashed names, of which OpenSSL reads
/// one file (32 M instructions for a small fetch), or else a bundle (259 M).
struct TrustStore: Sendable {
    let file: String?
    let folder: String?

    static let systemFolder = "/etc/ssl/certs"
    static let systemFile = "/etc/ssl/certs/ca-certificates.crt"

    init(_ trust: URLSessionConfiguration.ServerTrust) {
        self.init(trust, environment: Environment.value, isHashed: Self.isHashed)
    }

    init(
        _ trust: URLSessionConfiguration.ServerTrust,
        environment: (String) -> String?,
        isHashed: (String) -> Bool
    ) {
        let named = (trust.certificateAuthorityFile, trust.certificateAuthorityFolder)
        let inherited = (
            environment("SSL_CERT_FILE")?.nonEmpty, environment("SSL_CERT_DIR")?.nonEmpty
        )
        if named.0 != nil || named.1 != nil {
            (file, folder) = named
        } else if let bundle = environment("CURL_CA_BUNDLE")?.nonEmpty {
            (file, folder) = (bundle, nil)
        } else if inherited.0 != nil || inherited.1 != nil {
            (file, folder) = inherited
        } else if isHashed(Self.systemFolder) {
            (file, folder) = (nil, Self.systemFolder)
        } else {
            (file, folder) = (Self.systemFile, nil)
        }
    }

    /// Whether a folder contains a name as `openssl rehash` creates: eight hexadecimal digits, a dot,
    /// and a number.
    static func isHashed(_ folder: String) -> Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let isHash = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name.prefix(8).allSatisfy(\.isLowerHex) && name[8] == UInt8(ascii: ".")
                    && name[9].isDigit
            }
            if isHash { return true }
        }
        return false
    }
}

extension ServerTrust {
    /// Converts the engine's view of a server's trust.
    init(_ peer: PeerTrust) {
        self.init(
            host: peer.host,
            chain: peer.chain.map { Data($0) },
            reasons: peer.problems.map { problem in
                Reason(
                    code: URLError.code(ofVerdict: problem.number),
                    number: problem.number,
                    words: problem.words,
                    depth: problem.depth
                )
            }
        )
    }
}
