import TestSupport
import Testing

/// Servers with one defect each, and the command's messages.
@Suite("Trust", .timeLimit(.minutes(1)))
struct TrustMatrixTests {
    private static func fetch(
        _ wrong: CertificateMatrix.Case,
        _ path: String,
        _ arguments: [String]
    ) async throws -> ProcessResult {
        let matrix = try CertificateMatrix.shared
        return try await FetchProcess(
            ["--no-proxy", "--ca-certificate", matrix.certificates.authority, "-O", "-"]
                + arguments + [matrix.url(wrong, path)]
        ).run()
    }

    /// A case, the name of its error, and a part of the message.
    private static let table: [(CertificateMatrix.Case, String, String)] = [
        (.expired, "serverCertificateHasBadDate -1201", "it has expired on 2020-02-01"),
        (.notYetValid, "serverCertificateNotYetValid -1204", "it is valid only from 2049-01-01 on"),
        (.wrongHost, "serverCertificateUntrusted -1202", "it is not for localhost"),
        (.selfSigned, "serverCertificateUntrusted -1202", "it is self-signed"),
        (
            .unknownAuthority, "serverCertificateHasUnknownRoot -1203",
            "this authority is not trusted"
        ),
        (.wrongUsage, "serverCertificateUntrusted -1202", "it is not for servers"),
        (.weakKey, "serverCertificateUntrusted -1202", "its key is too weak"),
        (
            .weakSignature, "serverCertificateUntrusted -1202",
            "it is signed with a hash that is too weak"
        ),
        (.revoked, "serverCertificateUntrusted -1202", "it has been revoked"),
        (
            .missingIntermediate, "serverCertificateHasUnknownRoot -1203",
            "its issuer is not trusted, and the server has not sent it"
        ),
        (
            .notAnAuthority, "serverCertificateUntrusted -1202",
            "it may not sign certificates: it is not an authority"
        ),
    ]

    @Test(
        "A-05 each defect of a server is status 5, with a message and the flags that accept it",
        arguments: table
    )
    func refused(wrong: CertificateMatrix.Case, name: String, words: String) async throws {
        let matrix = try CertificateMatrix.shared
        let path = "/refused-by-fetch/\(wrong)"
        let list = wrong == .revoked ? ["--crl-file", matrix.certificates.revocationList] : []
        let result = try await Self.fetch(wrong, path, list)
        #expect(result.status == 5, "\(result)")
        #expect(result.stdout == [])
        #expect(result.blames(matrix.url(wrong, path)).count == 1, "\(result)")
        #expect(result.stderr.contains("(URLError.\(name))"), "\(result)")
        let showed = try #require(
            result.stderrLines.first { $0.hasPrefix("fetch: certificate: CN=") },
            "\(result)"
        )
        #expect(result.stderrLines.contains { $0.contains(": \(words)") }, "\(result)")
        #expect(showed.contains(", valid 20"))
        #expect(result.stderrLines.count <= 6, "\(result)")
        #expect(!matrix.log.entries().contains { $0.target == path })

        // The flags in the message are sufficient, and apply to this server only.
        let start = try #require(result.stderr.firstRange(of: "--pinned-pubkey '"), "\(result)")
        let pin = String(result.stderr[start.upperBound...].prefix { $0 != "'" })
        let flags = ["-k", "--pinned-pubkey", pin]
        let accepted = try await Self.fetch(wrong, path, flags)
        #expect(accepted.status == 0, "\(accepted)")
        let other = try await Self.fetch(.selfSigned, path, flags)
        #expect(wrong == .selfSigned || other.status == 5, "\(other)")
    }

    @Test("A-05 fetch trusts a server without a defect")
    func trusted() async throws {
        let result = try await Self.fetch(.nothing, "/", ["-q"])
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "ok\n")
    }

    @Test(
        "A-05 a server with an old TLS version is status 5",
        arguments: [CertificateMatrix.Case.onlyTLS10, .onlyTLS11]
    )
    func tooOld(wrong: CertificateMatrix.Case) async throws {
        let result = try await Self.fetch(wrong, "/", ["-q", "--tls-min", "1.2"])
        #expect(result.status == 5, "\(result)")
        #expect(result.stderr.contains("secureConnectionFailed -1200"), "\(result)")
    }

    /// Serves one response that ends with the connection, with or without TLS's close_notify.
    private static let server = """
        import os, socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", 0))
        open("port.new", "w").write(str(listener.getsockname()[1]))
        os.rename("port.new", "port")
        connection = context.wrap_socket(listener.accept()[0], server_side=True)
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\nhalf a bo")
        if sys.argv[3] == "clean": connection.unwrap()
        os.close(connection.detach())
        """

    @Test(
        "A-05 a response without close_notify may have been truncated: status 4",
        arguments: [("clean", Int32(0)), ("cut", 4)]
    )
    func closeNotify(shutdown: String, status: Int32) async throws {
        let certificates = try Certificates.shared
        let folder = try TemporaryFolder("close")
        try folder.write(Self.server, to: "server.py")
        let pair = certificates.server
        let result = try await FetchProcess.shell(
            """
            cd \(folder.path) || exit 99
            python3 server.py \(pair.certificate) \(pair.key) \(shutdown) &
            while [ ! -s port ]; do sleep 0.02; done
            "$FETCH" -q --no-proxy --tries 1 --ca-certificate \(certificates.authority) \
                -O body https://localhost:$(cat port)/
            status=$?
            wait
            exit $status
            """
        )
        #expect(result.status == status, "\(result)")
        #expect(folder.readText("body") == (status == 0 ? "half a bo" : nil))
        #expect(status == 0 || result.stderr.contains("networkConnectionLost"), "\(result)")
    }
}
