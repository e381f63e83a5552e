import TestSupport
import Testing

/// HTTP/2 servers that refuse a stream explicitly: any request may then be sent again.
@Suite("Refused streams", .timeLimit(.minutes(1)))
struct RefusedStreamTests {
    /// The way in which a stream is refused.
    enum Refusal: String, CaseIterable {
        /// By RST_STREAM, at the head.
        case reset
        /// By RST_STREAM, after a part of the body.
        case late
        /// By GOAWAY, which names an earlier stream as the last.
        case goaway
        /// Not refused: the connection just ends, and the server may have carried out the request.
        case closed
    }

    /// A minimal HTTP/2 server that refuses a number of streams, and then responds with the body.
    ///
    /// `refusing.py CERTIFICATE KEY REFUSAL TIMES`: no server of Debian's refuses on demand.
    private static let script = #"""
        import socket, ssl, struct, sys

        certificate, key, refusal, times = sys.argv[1:]
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        tls.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0))
        with open("port", "w") as file:
            print(listener.getsockname()[1], file=file)
        left = int(times)

        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload

        def serve(connection):
            global left
            stream = connection.makefile("rb")
            stream.read(24)
            connection.sendall(frame(4, 0, 0))
            body, refused = b"", False
            while True:
                head = stream.read(9)
                if len(head) < 9:
                    return
                kind, flags, number = struct.unpack(">BBI", head[3:])
                payload = stream.read(int.from_bytes(head[:3], "big"))
                if kind == 4 and not flags & 1:
                    connection.sendall(frame(4, 1, 0))
                if kind not in (0, 1) or refused:
                    continue
                if kind == 0:
                    body += payload
                    if payload:
                        room = struct.pack(">I", len(payload))
                        connection.sendall(frame(8, 0, 0, room) + frame(8, 0, number, room))
                if left and (kind == 0 or refusal != "late"):
                    left -= 1
                    refused = True
                    print("refused", flush=True)
                    if refusal == "closed":
                        return
                    if refusal == "goaway":
                        connection.sendall(frame(7, 0, 0, struct.pack(">II", 0, 0)))
                    else:
                        connection.sendall(frame(3, 0, number, struct.pack(">I", 7)))
                elif flags & 1:
                    print("responded", flush=True)
                    # 0x88 is HPACK's `:status: 200`; a frame has 16 KiB at most.
                    connection.sendall(frame(1, 4, number, b"\x88"))
                    for start in range(0, len(body), 16384):
                        connection.sendall(frame(0, 0, number, body[start:start + 16384]))
                    connection.sendall(frame(0, 1, number))

        while True:
            plain, _ = listener.accept()
            try:
                with tls.wrap_socket(plain, server_side=True) as connection:
                    serve(connection)
            except OSError:
                pass
        """#

    private func run(
        _ refusal: Refusal,
        times: Int,
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> ProcessResult {
        let certificates = try Nginx.shared.certificates
        try folder.write(Self.script, to: "refusing.py")
        return try await FetchProcess(
            shell: #"""
                python3 -I refusing.py "$1" "$2" "$3" "$4" >log 2>&1 & server=$!
                authority=$5
                shift 5
                until [ -s port ]; do sleep 0.02; done
                "$FETCH" -q --ca-certificate "$authority" --waitretry 0.05 "$@" \
                    "https://localhost:$(cat port)/"
                status=$?
                kill $server
                exit $status
                """#,
            [
                certificates.server.certificate, certificates.server.key, refusal.rawValue,
                "\(times)", certificates.authority,
            ] + arguments,
            in: folder
        ).run()
    }

    @Test(
        "T-15 a POST on a refused stream is sent again, with all of its body",
        arguments: [Refusal.reset, .late, .goaway],
        [2, 7]
    )
    func post(refusal: Refusal, times: Int) async throws {
        let folder = try TemporaryFolder("refused")
        let body = PseudoRandom.bytes(300_000, seed: 31)
        try folder.write(body, to: "body")
        let result = try await run(
            refusal,
            times: times,
            ["-t", "9", "--post-file", "body"],
            in: folder
        )
        let log = folder.readText("log") ?? ""
        #expect(result.status == 0, "\(result)\n\(log)")
        #expect(isSameBytes(result.stdout, body))
        #expect(log.split(separator: "\n").count { $0 == "refused" } == times)
        #expect(log.split(separator: "\n").count { $0 == "responded" } == 1)
    }

    @Test("T-15 a GET is sent again, however the connection ends", arguments: Refusal.allCases)
    func get(refusal: Refusal) async throws {
        guard refusal != .late else { return }
        let folder = try TemporaryFolder("refused")
        let result = try await run(refusal, times: 2, ["-O", "-"], in: folder)
        #expect(result.status == 0, "\(result)\n\(folder.readText("log") ?? "")")
    }

    @Test("T-15 POSTs after a connection's last stream are sent again over another, each once")
    func connectionsEnd() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("refused")
        let url = nginx.fewRequestsURL("/echo-body?connections-end")
        try folder.write(String(repeating: url + "\n", count: 200), to: "list")
        let result = try await FetchProcess(
            [
                "-nv", "--ca-certificate", nginx.certificates.authority, "-t", "1",
                "-d", "hello", "-j", "16", "-i", "list",
            ],
            in: folder
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == String(repeating: "hello", count: 200))
        let log = await nginx.accessLog("/echo-body?connections-end", waitingFor: 200)
        #expect(log.count == 200)
        #expect(
            log.allSatisfy { $0.method == "POST" && $0.status == 200 && $0.version == "HTTP/2.0" }
        )
    }

    @Test("fetch does not repeat a POST that was not refused")
    func closed() async throws {
        let folder = try TemporaryFolder("refused")
        let result = try await run(.closed, times: 2, ["-d", "x", "-t", "9"], in: folder)
        #expect(result.status == 4, "\(result)")
        #expect(folder.readText("log") == "refused\n")
    }
}
