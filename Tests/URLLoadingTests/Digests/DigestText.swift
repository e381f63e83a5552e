import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// Digests as field values.
enum DigestText {
    /// A digest that matches no body.
    static let wrong = "sha-256=:\(Data(repeating: 7, count: 32).base64EncodedString()):"

    /// The digest of some bytes, computed by another program.
    static func sha256(_ bytes: some Sequence<UInt8>) throws -> String {
        let digest = try #require(BodyDigest(.sha256, hex: try TestSupport.sha256(Array(bytes))))
        return "sha-256=:\(Data(digest.bytes).base64EncodedString()):"
    }
}
